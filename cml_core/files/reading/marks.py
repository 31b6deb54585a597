"""What people add to numbers: marks for thousands, per cent, a spread, stars, a unit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from math import isfinite

from cml_core.files.reading.numbers import (
    MISSING,
    decimal_commas,
    is_text,
    may_have_thousands,
    number,
)
from cml_core.files.reading.question import Choice, Question
from cml_core.files.reading.raw import Cells

_NUMBER = r"[+\-\N{MINUS SIGN}]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?"
# These blanks and this mark are never a decimal mark.
_GROUPED = re.compile(
    "([+\\-\N{MINUS SIGN}]?)(\\d{1,3}(?:['’ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
    "\N{THIN SPACE}]\\d{3})+)((?:[.,]\\d+)?)"
)
# A digit and, beside it, what is neither a digit nor a part of a plain number.
_MARKED = re.compile(r"\d[^\S\t]?[^\d\t.,eE+\-\s]|[$€£¥]\s?\d|\d[^\S\t]\d|\d[^\S\t]?\(")
# Marks that can be for thousands alone: two of a kind, or one of either.
_SURE = re.compile(r"\d[.,]\d{3}[.,]\d")
_BETWEEN = re.compile(r"\D")
_PER_CENT = re.compile(rf"({_NUMBER})\s*%")
_SPREAD = re.compile(rf"({_NUMBER})\s*(?:(?:±|\+/-|\+-)\s*{_NUMBER}|\(\s*±?\s*{_NUMBER}\s*\))")
_STARS = re.compile(rf"({_NUMBER})\s*(?:\*{{1,4}}|[†‡§]{{1,2}})")
_UNIT = re.compile(rf"({_NUMBER})\s*([^\W\d_]{{1,6}}|[$€£¥°])")
_UNIT_BEFORE = re.compile(rf"([$€£¥])\s*({_NUMBER})")
# One unit is meant where so many of the cells that are no plain numbers have it.
_NEARLY_ALL = 0.9
_LOOKED_AT = 100

_Mended = tuple[str, str]


def without_marks(cells: Cells) -> Cells | None:
    """The grid with plain numbers where there were more than that, and a note; None of others."""
    if not any(_has_marks(row) for row in cells.rows):
        return None
    unit = _unit_of(cells)
    found: dict[str, _Mended] = {}
    rows = tuple(_plain_row(row, cells, unit, found) for row in cells.rows)
    if not found:
        return None
    notes = tuple(_NOTES[kind].format(*example) for kind, example in found.items())
    return replace(
        cells, rows=rows, decimal_comma=decimal_commas(rows), notes=(*cells.notes, *notes)
    )


def _plain_row(
    row: tuple[str, ...], cells: Cells, unit: str, found: dict[str, _Mended]
) -> tuple[str, ...]:
    if not _has_marks(row):
        return row
    return tuple(
        cell if number(cell) is not None else _plain(cell, cells.decimal_comma, unit, found)
        for cell in row
    )


def _has_marks(row: tuple[str, ...]) -> bool:
    """Whether something in a row may stand beside a number; asked of all its cells together."""
    return _MARKED.search("\t".join(row)) is not None


def _plain(cell: str, comma: bool, unit: str, found: dict[str, _Mended]) -> str:
    grouped = _GROUPED.fullmatch(cell)
    if grouped is not None:
        plain = f"{grouped[1]}{_BETWEEN.sub('', grouped[2])}{grouped[3]}"
        found.setdefault("thousands", (cell, plain))
        return plain
    for kind, mend in _MENDS.items():
        plain = mend(cell, comma)
        if plain:
            found.setdefault(kind, (cell, plain))
            return plain
    if unit:
        for pattern, at, value in ((_UNIT, 2, 1), (_UNIT_BEFORE, 1, 2)):
            part = pattern.fullmatch(cell)
            if part is not None and part[at] == unit:
                found.setdefault("unit", (unit, unit))
                return part[value]
    return cell


def _share_of_one(cell: str, comma: bool) -> str:
    part = _PER_CENT.fullmatch(cell)
    if part is None:
        return ""
    text = part[1].replace("\N{MINUS SIGN}", "-").replace(",", ".")
    try:
        share = format((Decimal(text) / 100).normalize(), "f")
    except InvalidOperation:
        return ""
    # In the way that the file writes decimals, so that it stays one way.
    return share.replace(".", ",") if comma or "," in part[1] else share


def _first_part(pattern: re.Pattern[str]) -> Callable[[str, bool], str]:
    def mended(cell: str, _comma: bool) -> str:
        part = pattern.fullmatch(cell)
        return "" if part is None else part[1]

    return mended


_MENDS = {
    "per cent": _share_of_one,
    "spread": _first_part(_SPREAD),
    "stars": _first_part(_STARS),
}
_NOTES = {
    "thousands": "Marks for thousands were taken out: {0} is {1}.",
    "per cent": "Per cent are read as shares: {0} is {1}.",
    "spread": "What stands behind a value, such as its error, was left out: {0} is read as {1}.",
    "stars": "Signs behind numbers were left out: {0} is read as {1}.",
    "unit": "All numbers are in {0}, which was left out.",
}


def _unit_of(cells: Cells) -> str:
    """The unit that nearly all cells have that are no plain numbers; empty for none."""
    units: Counter[str] = Counter()
    others = 0
    for row in cells.rows[1 : 1 + _LOOKED_AT]:
        for cell in row[1 : 1 + _LOOKED_AT]:
            if number(cell) is not None or _GROUPED.fullmatch(cell):
                continue
            part, before = _UNIT.fullmatch(cell), _UNIT_BEFORE.fullmatch(cell)
            others += 1
            if part or before:
                units[part[2] if part else before[1] if before else ""] += 1
    unit, count = units.most_common(1)[0] if units else ("", 0)
    return unit if count >= _NEARLY_ALL * others else ""


def as_said_decimal(cells: Cells, decimal: str) -> Cells:
    """The grid with decimal marks as they were said to be, and without the other marks."""
    other = "." if decimal == "comma" else ","
    rows = tuple(
        tuple(
            cell.replace(other, "") if other in cell and may_have_thousands(cell) else cell
            for cell in row
        )
        for row in cells.rows
    )
    return replace(cells, rows=rows, decimal_comma=decimal == "comma")


def without_words(cells: Cells, missing: Iterable[str]) -> Cells:
    """The grid with nothing where it says in its own words that nothing is known."""
    words = frozenset(word.casefold() for word in missing)

    def silent(row: tuple[str, ...]) -> tuple[str, ...]:
        return row[:1] + tuple("" if cell.casefold() in words else cell for cell in row[1:])

    return replace(cells, rows=(cells.rows[0], *map(silent, cells.rows[1:])))


def question_of_decimals(cells: Cells, said: str) -> Question | None:
    """Whether marks in numbers are for decimals or thousands, where both readings fit."""
    example = doubtful_number(cells)
    if not example:
        return None
    as_point, as_comma = _both_readings(example)
    shown = f"{example} is {as_point} or {as_comma}"
    if said:
        taken = as_point if said == "point" else as_comma
        shown = f"as you said, {example} is {taken}"
    return Question(
        "decimal",
        "decimal",
        f"Some numbers can be read in two ways: {shown}.",
        "Programs in other languages write marks for decimals and for thousands the other way "
        "round, and nothing else in the file tells which it is.",
        (
            Choice("point", f"{example} is {as_point}", "Points are decimal marks."),
            Choice("comma", f"{example} is {as_comma}", "Commas are decimal marks."),
        ),
        open=not said,
    )


def doubtful_number(cells: Cells) -> str:
    """The first number that may have a mark for thousands; empty where some other tells."""
    doubtful = ""
    for row in cells.rows:
        for cell in row:
            if ("." in cell or "," in cell) and not is_text(cell):
                if not may_have_thousands(cell) or _sure_mark(cell):
                    return ""
                doubtful = doubtful or cell
    return doubtful


def with_sure_decimals(cells: Cells) -> Cells | None:
    """The grid without marks for thousands, where some numbers can be read in one way only.

    Such as 1,234.5 and 1.234.567; None where there is none, or where they contradict each other.
    """
    rows = (row for row in cells.rows if _SURE.search("\t".join(row)))
    found = {mark: cell for row in rows for cell in row if (mark := _sure_mark(cell))}
    if len(found) != 1:
        return None
    ((decimal, example),) = found.items()
    plain = as_said_decimal(cells, decimal)
    note = _NOTES["thousands"].format(example, _plain_in(example, decimal))
    return replace(plain, notes=(*cells.notes, note))


def _sure_mark(cell: str) -> str:
    """What the decimal mark must be where this number stands; empty where it may be either."""
    if not may_have_thousands(cell):
        return ""
    points, commas = cell.count("."), cell.count(",")
    if points and commas:
        return "point" if cell.rindex(".") > cell.rindex(",") else "comma"
    if max(points, commas) > 1:
        return "point" if commas else "comma"
    return ""


def _plain_in(text: str, decimal: str) -> str:
    return text.replace("," if decimal == "point" else ".", "")


def _both_readings(text: str) -> _Mended:
    """What a number is with points, and with commas, as decimal marks."""
    bare = text.replace(",", "").replace(".", "")
    parted = text.replace(",", ".")
    return (text, bare) if "." in text else (bare, parted)


def words_among_numbers(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The words of a grid's body, which are otherwise numbers; each once, most frequent first."""
    words: Counter[str] = Counter()
    numbers = 0
    for row in rows:
        for cell in row:
            if cell.lower() in MISSING:
                continue
            if is_text(cell) or not isfinite(number(cell) or 0.0):
                words[cell] += 1
            else:
                numbers += 1
    return tuple(word for word, _ in words.most_common()) if sum(words.values()) < numbers else ()
