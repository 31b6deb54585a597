"""Ranges of numbers as people write classes: 18-24, under 18, 65+; and numbers with labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_NUMBER = r"([0-9]{1,12}(?:[.,][0-9]{1,6})?)"
_MARK = r"(?:[$€£]\s*)?"
_UNIT = r"(?:\s*(?:[$€£%]|[^\W\d_]{1,10}\.?))?"
_BETWEEN = re.compile(
    rf"{_MARK}{_NUMBER}{_UNIT}\s*(?:-|–|—|to|bis|à|a|and|und)\s*{_MARK}{_NUMBER}{_UNIT}", re.I
)
_BELOW = re.compile(
    rf"(?:<=?|≤|under|below|less than|up to|unter|bis|weniger als|moins de|menos de)\s*"
    rf"{_MARK}{_NUMBER}{_UNIT}",
    re.I,
)
_ABOVE = re.compile(
    rf"(?:>=?|≥|over|above|more than|über|ab|mehr als|plus de|más de)\s*{_MARK}{_NUMBER}{_UNIT}"
    rf"|{_MARK}{_NUMBER}{_UNIT}\s*(?:\+|(?:and|or) (?:over|older|above|more)"
    rf"|(?:und|oder) (?:mehr|älter|darüber)|(?:et|ou) plus|[yo] (?:más|mayor|mayores))",
    re.I,
)
# The ends of a scale, or all of its points, with what they mean.
_LABELLED = re.compile(r"([0-9]{1,2})(\s*[=:–-]\s*[^\d\s].*)?")
# One range alone may be a score or a telephone number.
_FEWEST = 2


def order_of_ranges(levels: Sequence[str]) -> tuple[str, ...]:
    """The levels from the lowest range to the highest; empty unless all are ranges apart."""
    ends = [_ends(level) for level in levels]
    between = sum(bool(_BETWEEN.fullmatch(level)) for level in levels)
    if between < _FEWEST and not (between and len(levels) > _FEWEST):
        return ()
    found = sorted((pair, level) for pair, level in zip(ends, levels, strict=True) if pair)
    if len(found) < len(levels):
        return ()
    apart = all(
        before[1] <= after[0] and before[0] < after[0]
        for (before, _), (after, _) in pairwise(found)
    )
    return tuple(level for _, level in found) if apart else ()


def order_of_labelled(levels: Sequence[str]) -> tuple[str, ...]:
    """The levels by the numbers before their labels: 1 = never, 2, 3, 4 = always; else empty."""
    found = [_LABELLED.fullmatch(level) for level in levels]
    numbers = sorted((int(match[1]), match[0]) for match in found if match)
    counted = [number for number, _ in numbers] == list(
        range(numbers[0][0], numbers[0][0] + len(levels)) if numbers else ()
    )
    labelled = any(match and match[2] for match in found)
    return tuple(level for _, level in numbers) if counted and labelled else ()


def _ends(level: str) -> tuple[float, float] | None:
    """Where a range begins and ends; None where this is none."""
    text = " ".join(level.split())
    between = _BETWEEN.fullmatch(text)
    if between is not None:
        low, high = _number(between[1]), _number(between[2])
        return (low, high) if low < high else None
    below, above = _BELOW.fullmatch(text), _ABOVE.fullmatch(text)
    if below is not None:
        return float("-inf"), _number(below[1])
    return (_number(above[1] or above[2]), float("inf")) if above is not None else None


def _number(text: str) -> float:
    return float(text.replace(",", "."))
