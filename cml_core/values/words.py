"""Shares as people read them, wherever they stand: in a sentence, a table or a chip."""

from __future__ import annotations

# From here on decimals say nothing that a person would act on.
WHOLE_FROM = 0.2


def percent(share: float, decimals: int | None = None) -> str:
    """A share in percent: 35 %, 1.4 %, less than 0.1 %, 0 %.

    Parameters
    ----------
    decimals : for numbers that stand one below the other, or are nearly alike: 35.0 %, 1.4 %,
        < 0.1 %.
    """
    shown = 1 if decimals is None else decimals
    number, least = 100.0 * share, 10.0**-shown
    if 0 < number < least / 2:
        return f"{'less than' if decimals is None else '<'} {least:g} %"
    if decimals is None and (share == 0 or abs(share) >= WHOLE_FROM):
        shown = 0
    # Nothing is written as minus zero.
    return f"{round(number, shown) + 0.0:.{shown}f} %"


def unbroken(text: str) -> str:
    """Text with no line break between a number and its percent."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")
