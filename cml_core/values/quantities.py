"""A column of texts becomes numbers, where there is one way only to read it so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np

from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.dates import days_of, hours_of

# What people and programs write where they know nothing. Among words, "none" and a dash may
# well be something that was observed.
GAPS_AMONG_WORDS = frozenset(
    {"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "Null", "null", "?", "."}
)
GAPS_AMONG_NUMBERS = frozenset(word.lower() for word in GAPS_AMONG_WORDS) | frozenset(
    {"n.a.", "#na", "n.d.", "nd", "none", "nil", "missing", "-", "--", "–", "—"}
)
# The unit of what was written as dates.
DAYS = "days since 1970-01-01"
# And of what was written as times.
HOURS = "hours of the day"

_EPOCH = datetime(1970, 1, 1)
# No number that people write is longer; what is, would only cost time.
_LONGEST = 60
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}"
    r"(?::[0-9]{2}(?:\.[0-9]{3}|\.[0-9]{6})?)?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_WITH_UNIT = re.compile(
    r"((?:[$€£¥₹₽]|[A-Z]{3}(?=[\s0-9]))?)\s*([+-]?[0-9.][0-9.,'’\s]*(?:[eE][+-]?[0-9]{1,3})?)\s*"
    r"([%‰°$€£¥₹₽]?[^\W\d_]{0,12}[²³]?(?:/[^\W\d_]{1,6}[²³]?)?)"
)


@dataclass(frozen=True, eq=False)
class Quantity(Value):
    """Numbers, NaN where missing, and the unit that was taken off the texts."""

    values: FloatArray
    unit: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))


@dataclass(frozen=True)
class _Style:
    """A way to write numbers: the marks that stand between digits."""

    decimal: str
    grouping: str = ""

    def pattern(self) -> re.Pattern[str]:
        point = re.escape(self.decimal)
        exponent = r"(?:[eE][+-]?[0-9]{1,4})?"
        if not self.grouping:
            return re.compile(rf"[+-]?(?:[0-9]+{point}?[0-9]*|{point}[0-9]+){exponent}")
        grouped = rf"[1-9][0-9]{{0,2}}(?:[{self.grouping}][0-9]{{3}})+"
        return re.compile(rf"[+-]?(?:{grouped}|[0-9]{{1,3}})(?:{point}[0-9]+)?")


_POINT, _COMMA = _Style("."), _Style(",")
_GROUPED = tuple(
    _Style(decimal, grouping)
    for decimal, grouping in ((".", ","), (",", "."), (".", r"\s"), (",", r"\s"), (".", "'’"))
)
_PATTERNS = {style: style.pattern() for style in (_POINT, _COMMA, *_GROUPED)}


def quantity_of(cells: Sequence[str], *, decimal_comma: bool = False) -> Quantity | None:
    """The numbers of a column; None where a cell holds none, or where two readings differ.

    Understood are a decimal point or comma, digits grouped by thousands, a unit or per cent
    or currency that is the same in all cells, dates where their order is clear, and times.

    Parameters
    ----------
    cells : stripped texts.
    decimal_comma : whether a comma is the decimal mark of the whole file.
    """
    gap = np.array([cell.lower() in GAPS_AMONG_NUMBERS for cell in cells], dtype=bool)
    texts = [_plain_minus(cell) for cell, absent in zip(cells, gap, strict=True) if not absent]
    if not texts or max(map(len, texts)) > _LONGEST:
        return None
    found = _quantity(texts, decimal_comma)
    if found is None:
        return None
    values = np.full(len(cells), np.nan)
    values[~gap] = found.values
    return Quantity(values, found.unit)


def origin_in(unit: str, otherwise: str = "given") -> str:
    """Where quantities of this unit came from, in words."""
    if unit == DAYS:
        return f"dates, as {DAYS}"
    if unit == HOURS:
        return f"times, as {HOURS}"
    return f"given in {unit}" if unit else otherwise


def date_text(days: float) -> str:
    """A date, with its time where it has one, as ISO 8601 writes it."""
    try:
        moment = _EPOCH + timedelta(days=days)
    except OverflowError:
        return f"{float(days)!r} days"
    return date.isoformat(moment) if days % 1 == 0 else moment.isoformat(" ")


def _quantity(texts: list[str], decimal_comma: bool) -> Quantity | None:
    numbers = _numbers(texts, decimal_comma)
    if numbers is not None:
        return Quantity(numbers)
    days = _days(texts)
    if days is None:
        days = days_of(texts)
    if days is not None:
        return Quantity(days, DAYS)
    hours = hours_of(texts)
    if hours is not None:
        return Quantity(hours, HOURS)
    return _without_unit(texts, decimal_comma)


def _numbers(texts: list[str], decimal_comma: bool) -> FloatArray | None:
    """As the file writes numbers; else in the other ways, if these agree with each other."""
    usual, unusual = (_COMMA, _POINT) if decimal_comma else (_POINT, _COMMA)
    sure = _in_style(texts, usual)
    if sure is not None:
        return sure
    # 1,234 is a thousand in one style and little more than one in another: both or neither.
    readings = [_in_style(texts, style) for style in (unusual, *_GROUPED)]
    found = [reading for reading in readings if reading is not None]
    if found and all(np.array_equal(found[0], other) for other in found[1:]):
        return found[0]
    return None


def _in_style(texts: list[str], style: _Style) -> FloatArray | None:
    pattern = _PATTERNS[style]
    if not all(pattern.fullmatch(text) for text in texts):
        return None
    if style.grouping:
        texts = [re.sub(rf"[{style.grouping}]", "", text) for text in texts]
    values = np.array([float(text.replace(style.decimal, ".")) for text in texts])
    return values if np.isfinite(values).all() else None


def _days(texts: list[str]) -> FloatArray | None:
    found = [_DATE.fullmatch(text) for text in texts]
    # Of a column some of whose times have a zone nothing is known of the others.
    if None in found or len({bool(match and match["zone"]) for match in found}) > 1:
        return None
    try:
        moments = [datetime.fromisoformat(text) for text in texts]
        moments = [m.astimezone(UTC).replace(tzinfo=None) if m.tzinfo else m for m in moments]
    except (ValueError, OverflowError):
        return None
    return np.array([(moment - _EPOCH) / timedelta(days=1) for moment in moments])


def _without_unit(texts: list[str], decimal_comma: bool) -> Quantity | None:
    # The same unit throughout: centimetres among metres would be numbers, but no quantity.
    parts = [_WITH_UNIT.fullmatch(text) for text in texts]
    units = {part and (part[1], part[3]) for part in parts}
    if len(units) > 1 or units & {None, ("", "")}:
        return None
    numbers = _numbers([part[2].strip() for part in parts if part], decimal_comma)
    before, after = next((part[1], part[3]) for part in parts if part)
    unit = " ".join(filter(None, (before, after)))
    return None if numbers is None else Quantity(numbers, unit)


def _plain_minus(text: str) -> str:
    return f"-{text[1:]}" if text[:1] in ("−", "–") else text
