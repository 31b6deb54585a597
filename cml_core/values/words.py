"""Shares, counts, names and values as people read them: in a sentence, a table or a chip."""

from __future__ import annotations

from collections.abc import Sequence

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


def counted(count: int, one: str, many: str = "") -> str:
    """1 pair, 2 pairs, 1,000 pairs; what many are called may be more than an s behind."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def enumerated(names: Sequence[str]) -> str:
    """All of them in a sentence: a; a and b; a, b and c."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def value_in_words(value: object) -> str:
    """A value of a feature."""
    if value is None:
        return "not known"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
