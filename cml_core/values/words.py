"""Shares, counts, names and values as people read them: in a sentence, a table or a chip."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

# From here on decimals say nothing that a person would act on.
WHOLE_FROM = 0.2
# In percent; what is rounded to 1.0 has its two digits.
SMALL = 0.995
# So many digits of the range of some numbers tell them apart; of what was measured, one more.
DIGITS, DIGITS_OF_MEASURED = 3, 4
MOST_DECIMALS = 15
# Letters first, and then nothing that ends a part of a sentence.
_ORDINARY = re.compile(r"[^\W\d_](?:[^\W_]|[ '’()/-])*")
_JOINS = re.compile(r"\b(?:and|or)\b")


def percent(share: float, decimals: int | None = None) -> str:
    """A share in percent: 35 %, 1.4 %, 0.12 %, less than 0.01 %, 0 %.

    Parameters
    ----------
    decimals : for numbers that stand one below the other, or are nearly alike: 35.0 %, 1.4 %,
        < 0.1 %.
    """
    number = 100.0 * share
    # What is left of a good map is told with two digits, as 1.4 % is: maps differ in the second.
    shown = decimals if decimals is not None else 2 if 0 < number < SMALL else 1
    least = 10.0**-shown
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


def in_a_sentence(name: str) -> str:
    """A name from outside, in quotes unless it is ordinary words that end where they seem to."""
    ordinary = _ORDINARY.fullmatch(name) and not _JOINS.search(name)
    return name if ordinary else f"“{name}”"


def enumerated(names: Sequence[str]) -> str:
    """All of them in a sentence: a; a and b; a, b and c."""
    *others, last = map(in_a_sentence, names)
    return f"{', '.join(others)} and {last}" if others else last


def value_in_words(value: object) -> str:
    """A value of a feature."""
    if value is None:
        return "not known"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def values_in_words(values: Sequence[object]) -> list[str]:
    """All values of a feature, its numbers with equally many decimals."""
    numbers = [value for value in values if isinstance(value, float)]
    told = iter(numbers_in_words(numbers, DIGITS_OF_MEASURED))
    return [next(told) if isinstance(value, float) else value_in_words(value) for value in values]


def numbers_in_words(numbers: Sequence[float], digits: int = DIGITS) -> list[str]:
    """Numbers as people write them below each other: 0.00, 0.37 and 1.00 rather than 1.01e-08."""
    decimals = decimals_of(numbers, digits)
    # Nothing is written as minus zero.
    return [f"{round(number, decimals) + 0.0:.{decimals}f}" for number in numbers]


def decimals_of(numbers: Sequence[float], digits: int = DIGITS) -> int:
    """With how many decimals numbers are written below each other.

    So many digits of their range, and fewer where fewer tell all: 0, 1 and 2 need no decimals.
    """
    finite = [number for number in numbers if math.isfinite(number)]
    if not finite:
        return 0
    size = max(finite) - min(finite) or abs(finite[0]) or 1.0
    told = 1e-6 * size
    most = min(max(digits - 1 - math.floor(math.log10(size + told)), 0), MOST_DECIMALS)
    enough = (n for n in range(most) if all(abs(one - round(one, n)) <= told for one in finite))
    return next(enough, most)
