"""What people add to numbers: marks for thousands, per cent, a spread, stars, a unit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from math import isfinite

from cml_core.files.reading.numbers import (
    MISSING,
    decimal_commas,
    is_text,
    number,
)
from cml_core.files.reading.raw import Cells

_NUMBER = r"[+\-\N{MINUS SIGN}]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?"
# These blanks and this mark are never a decimal mark.
_BLANKS = "'’ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
_SIGN = "[+\\-\N{MINUS SIGN}]?"
_GROUPED = re.compile(rf"({_SIGN})(\d{{1,3}}(?:[{_BLANKS}]\d{{3}})+)((?:[.,]\d+)?)")
# A digit and, beside it, what is neither a digit nor a part of a plain number.
_MARKED = re.compile(
    r"\d[^\S\t]?[^\d\t.,eE+\-\s]|[$€£¥~≈]\s?\d|[^\W\d_]\.?[^\S\t]\d|\d[^\S\t]\d|\d[^\S\t]?\(|'\d"
)
_BETWEEN = re.compile(r"\D")
_PER_CENT = re.compile(rf"({_NUMBER})\s*%")
_SPREAD = re.compile(rf"({_NUMBER})\s*(?:(?:±|\+/-|\+-)\s*{_NUMBER}|\(\s*±?\s*{_NUMBER}\s*\))")
_STARS = re.compile(rf"({_NUMBER})\s*(?:\*{{1,4}}|[†‡§]{{1,2}})")
_ABOUT = re.compile(rf"(?:[~≈]|ca?\.|circa|about|approx\.?|etwa)\s*({_NUMBER})", re.IGNORECASE)
# As spreadsheets are told that a number is a text.
_AS_TEXT = re.compile(rf"'({_NUMBER})|=\"({_NUMBER})\"")
_AMOUNT = (
    "[+\\-\N{MINUS SIGN}]?\\d[\\d.,'’ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}]*"
)
_CURRENCY = "[$€£¥₩₹₽]"
_WITH_UNIT = re.compile(
    rf"({_CURRENCY}\s*|Rs\.?\s*|[A-Z]{{3}}\s+)?({_AMOUNT}(?<=[\d.,]))(\s*(?:[^\W\d_]{{1,10}}\.?|{_CURRENCY}|°))?"
)
_CLOCK = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,3}):([0-5][0-9](?:[.,][0-9]+)?)")
_HOURS = r"(?:h|hrs?|hours?|Std\.?|Stunden?|heures?)"
_MINUTES = r"(?:m|mins?\.?|minutes?|Minuten?)"
_DURATION = re.compile(rf"(?:([0-9]{{1,6}})\s*{_HOURS})?\s*(?:([0-9]{{1,6}})\s*{_MINUTES})?")
_TIME_UNIT = re.compile(rf"{_HOURS}|{_MINUTES}|h min")
# How times are told, and what is said of it.
_TIMES = {"m:s": "clock", "h:m:s": "clock", "h min": "duration"}
_DIGIT = re.compile(r"\d")
# One unit is meant where so many of the cells that are no plain numbers have it.
_NEARLY_ALL = 0.9
_LOOKED_AT = 100
# Words for what is unknown are fewer than names.
_MANY = 3

_Mended = tuple[str, str]
_Mend = Callable[[str, bool], str]


def without_marks(cells: Cells) -> Cells | None:
    """The grid with plain numbers where there were more than that, and a note; None of others."""
    if not any(_has_marks(row) for row in cells.rows):
        return None
    mends = {**_in_one_unit(cells), **_MENDS}
    found: dict[str, _Mended] = {}
    rows = tuple(_plain_row(row, cells, mends, found) for row in cells.rows)
    if not found:
        return None
    notes = tuple(
        _NOTES[kind].format(cell, plain, _unit_of(cell)) for kind, (cell, plain) in found.items()
    )
    return replace(
        cells,
        rows=rows,
        decimal_comma=cells.decimal_comma or decimal_commas(rows),
        notes=(*cells.notes, *notes),
    )


def _plain_row(
    row: tuple[str, ...], cells: Cells, mends: Mapping[str, _Mend], found: dict[str, _Mended]
) -> tuple[str, ...]:
    if not _has_marks(row):
        return row
    return tuple(
        cell if number(cell) is not None else _plain(cell, cells.decimal_comma, mends, found)
        for cell in row
    )


def _has_marks(row: tuple[str, ...]) -> bool:
    """Whether something in a row may stand beside a number; asked of all its cells together."""
    return _MARKED.search("\t".join(row)) is not None


def _plain(cell: str, comma: bool, mends: Mapping[str, _Mend], found: dict[str, _Mended]) -> str:
    for kind, mend in mends.items():
        plain = mend(cell, comma)
        if plain:
            found.setdefault(kind, (cell, plain))
            # A number in a unit may have marks for thousands besides.
            return _without_blanks(plain, comma) or plain
    return cell


def _without_blanks(cell: str, _comma: bool) -> str:
    """A number without marks for thousands that are nothing else."""
    grouped = _GROUPED.fullmatch(cell)
    return f"{grouped[1]}{_BETWEEN.sub('', grouped[2])}{grouped[3]}" if grouped else ""


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


def _first_part(pattern: re.Pattern[str]) -> _Mend:
    def mended(cell: str, _comma: bool) -> str:
        part = pattern.fullmatch(cell)
        return "" if part is None else next(filter(None, part.groups()), "")

    return mended


_MENDS: dict[str, _Mend] = {
    "thousands": _without_blanks,
    "per cent": _share_of_one,
    "spread": _first_part(_SPREAD),
    "stars": _first_part(_STARS),
    "about": _first_part(_ABOUT),
    "text": _first_part(_AS_TEXT),
}
_NOTES = {
    "thousands": "Marks for thousands were taken out: {0} is {1}.",
    "per cent": "Per cent are read as shares: {0} is {1}.",
    "spread": "What stands behind a value, such as its error, was left out: {0} is read as {1}.",
    "stars": "Signs behind numbers were left out: {0} is read as {1}.",
    "about": "Signs before numbers were left out: {0} is read as {1}.",
    "text": "Signs before numbers were left out: {0} is read as {1}.",
    "unit": "All numbers are in {2}, which was left out.",
    "clock": "Times are counted in the smaller of their units: {0} is {1}.",
    "duration": "Times are counted in minutes: {0} is {1}.",
}


def with_unit_apart(cell: str) -> tuple[str, str, str]:
    """What stands before a number, the number, and behind it; three empty texts of other cells."""
    part = _WITH_UNIT.fullmatch(cell)
    return ("", "", "") if part is None else (part[1] or "", part[2], part[3] or "")


def _in_one_unit(cells: Cells) -> dict[str, _Mend]:
    """What takes off the one unit, or way of telling times, that nearly all cells have."""
    units: Counter[str] = Counter()
    for column in _marked_columns(cells):
        told = Counter(filter(None, map(_unit_of, column)))
        # In a column of names hardly any has a unit.
        if told.total() >= _NEARLY_ALL * len(column):
            units += told
    if not units:
        return {}
    unit, count = units.most_common(1)[0]
    # Kilometres in one column and miles in another are no one unit.
    if count < _NEARLY_ALL * units.total():
        return {"duration": _minutes} if all(map(_TIME_UNIT.fullmatch, units)) else {}
    if unit in _TIMES:
        return {_TIMES[unit]: lambda cell, _comma: _counted(cell) if _unit_of(cell) == unit else ""}
    return {"unit": lambda cell, _comma: with_unit_apart(cell)[1] if _unit_of(cell) == unit else ""}


def _marked_columns(cells: Cells) -> Iterator[list[str]]:
    """What holds a digit and is no plain number, in each column of the body."""
    rows = cells.rows[1 : 1 + _LOOKED_AT]
    for column in range(1, min(max(map(len, cells.rows)), 1 + _LOOKED_AT)):
        texts = [row[column] for row in rows if column < len(row)]
        marked = [
            text
            for text in texts
            if number(text) is None and _DIGIT.search(text) and not _GROUPED.fullmatch(text)
        ]
        if marked:
            yield marked


def _unit_of(cell: str) -> str:
    """The unit of a number, or how a time is told; empty for neither."""
    if clock := _CLOCK.fullmatch(cell):
        return "h:m:s" if clock[1] else "m:s"
    before, _, behind = with_unit_apart(cell)
    if bool(before) != bool(behind):
        return (before or behind).strip()
    return "h min" if _DURATION.fullmatch(cell) else ""


def _counted(cell: str) -> str:
    """A time in the smallest of its units; empty where it is none."""
    if clock := _CLOCK.fullmatch(cell):
        large, middle, small = clock[1] or "0", clock[2], clock[3].replace(",", ".")
        whole = 60 * (60 * int(large) + int(middle))
        return format((whole + Decimal(small)).normalize(), "f")
    return _minutes(cell, False)


def _minutes(cell: str, _comma: bool) -> str:
    part = _DURATION.fullmatch(cell)
    if part is None or not any(part.groups()):
        return ""
    return str(60 * int(part[1] or 0) + int(part[2] or 0))


def without_words(cells: Cells, missing: Iterable[str]) -> Cells:
    """The grid with nothing where it says in its own words that nothing is known."""
    words = frozenset(word.casefold() for word in missing)
    names = _columns_of_names(cells.rows[1:])

    def silent(row: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            "" if k not in names and cell.casefold() in words else cell
            for k, cell in enumerate(row)
        )

    return replace(cells, rows=(cells.rows[0], *map(silent, cells.rows[1:])))


def words_among_numbers(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The words of a grid's body, which are otherwise numbers; each once, most frequent first."""
    words: Counter[str] = Counter()
    numbers = 0
    names = _columns_of_names(rows)
    for row in rows:
        for k, cell in enumerate(row):
            if k in names or cell.lower() in MISSING:
                continue
            if is_text(cell) or not isfinite(number(cell) or 0.0):
                words[cell] += 1
            else:
                numbers += 1
    # One word may fill the half of a table that says the same as the other.
    few = words.total() < (numbers if len(words) > 1 else 2 * numbers)
    return tuple(word for word, _ in words.most_common()) if few else ()


def _columns_of_names(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """The first column, and those of many different words without a number."""
    width = max(map(len, rows), default=0)
    texts = ({row[k] for row in rows if k < len(row)} for k in range(1, width))
    named = (k for k, each in enumerate(texts, 1) if len(each) >= _MANY and all(map(is_text, each)))
    return frozenset((0, *named))
