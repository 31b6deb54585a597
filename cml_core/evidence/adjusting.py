"""Many tests at once: p-values raised so that few of the findings are false alarms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.errors import UnknownOption
from cml_core.evidence.table import SHARE, Column
from cml_core.values.real_numbers import is_real


def benjamini_hochberg(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """p-values adjusted after Benjamini and Hochberg (1995).

    Calling those of at most 5 % findings makes, on average, at most 5 % of the findings false
    alarms, if the tests are independent or hang together positively.

    Parameters
    ----------
    p_values : one for each test; None stays None and does not count.
    """
    tested = [k for k, p in enumerate(p_values) if p is not None]
    raw = np.array([_checked(p_values[k]) for k in tested])
    largest_first = np.argsort(-raw, kind="stable")
    rank = np.arange(raw.size, 0, -1)
    lowest_so_far = np.minimum.accumulate(raw[largest_first] * raw.size / rank)
    adjusted: list[float | None] = [None] * len(p_values)
    for place, value in zip(largest_first, lowest_so_far, strict=True):
        adjusted[tested[place]] = float(value)
    return tuple(adjusted)


def chance_columns(
    adjusted: Sequence[float | None], alone: Sequence[float | None], *, how_often: str, tried: str
) -> tuple[Column, Column]:
    """How often chance does as well: for all that were tried at once, and for each by itself."""
    return (
        Column(
            "By chance",
            adjusted,
            SHARE,
            f"How often {how_often} (the p-value), made stricter because all these features were "
            f"{tried} at once (Benjamini and Hochberg). Below 5 % is hardly chance.",
        ),
        Column(
            "By chance, judged alone",
            alone,
            SHARE,
            f"How often, had only this feature been {tried}. Of many, some look good by luck.",
        ),
    )


def _checked(p_value: object) -> float:
    if not (is_real(p_value) and 0 <= p_value <= 1):  # type: ignore[operator]
        raise UnknownOption(
            f"A p-value is {p_value!r}.", remedy="Give numbers from 0 to 1, None where none is."
        )
    return float(p_value)  # type: ignore[arg-type]
