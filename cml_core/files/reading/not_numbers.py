"""What people write where a number should be, by name, and what to write instead."""

from __future__ import annotations

import re

_NUMBER = r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)"
# What it is, and how to mend it; the first that fits.
_KINDS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(rf"(?:[<>≤≥]=?)\s*{_NUMBER}"),
        ", a bound and no number",
        "Put the number itself there; leave the cell empty where only a bound is known.",
    ),
    (
        re.compile(r"#\w{1,5}(?:[/!?]\w?[!?]?)?[!?]?"),
        ", the error of a spreadsheet",
        "Correct its formula, or leave the cell empty if the value is unknown.",
    ),
    (
        re.compile(r"\d{1,3}(?::\d{1,2}){1,2}(?:[.,]\d+)?"),
        ", a time",
        "Give all times as numbers in one unit: an hour and a half as 90 minutes.",
    ),
    (
        re.compile(rf"{_NUMBER}\s*(?:-|–|—|bis|to)\s*{_NUMBER}"),
        ", a range and no number",
        "Put one number there, such as the middle of the range.",
    ),
    (
        re.compile(r"\d+\s*/\s*\d+"),
        ", a fraction or a date",
        "Write it as a number with decimals.",
    ),
    (
        re.compile(rf"{_NUMBER}\s*[x×*·]\s*10\s*(?:\^|\*\*)?\s*[-+⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+"),
        ", a power of ten in words",
        "Write it as programs do: 2.5e3 for 2.5 × 10³.",
    ),
    (
        re.compile(rf"{_NUMBER}\s*[\[({{].*"),
        ", a number with something in brackets behind it",
        "Leave out the brackets and what stands in them.",
    ),
    (
        re.compile(rf"{_NUMBER}\s*[^\W\d_]{{1,12}}\.?|(?:[A-Z]{{3}}|[$€£¥])\s*{_NUMBER}"),
        ", a number in a unit that others do not have",
        "Give all values in one unit, or all without.",
    ),
    (
        re.compile(r"\d+·\d+"),
        ", a number with a raised point",
        "Write decimals with a point or a comma.",
    ),
)


def told_as(text: str) -> tuple[str, str]:
    """What a text is that is no number, and the remedy."""
    for pattern, what, remedy in _KINDS:
        if pattern.fullmatch(text):
            return what, remedy
    return ", not a number", "Put a number there, or leave it empty."
