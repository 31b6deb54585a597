"""Numbers as sentences want them."""

from __future__ import annotations

SMALLEST_SHOWN = 0.0005
# From here on decimals say nothing that a person would act on.
WHOLE_FROM = 0.2


def percent(share: float) -> str:
    """A share in percent: 35 %, 1.4 %, less than 0.1 %, 0 %."""
    if 0 < share < SMALLEST_SHOWN:
        return "less than 0.1 %"
    decimals = 0 if share == 0 or share >= WHOLE_FROM else 1
    return f"{100 * share:.{decimals}f} %"
