"""Marks for thousands and for decimals: which is which, where a file tells or has to be asked."""

from __future__ import annotations

import re
from dataclasses import replace

from cml_core.files.reading.marks import with_unit_apart
from cml_core.files.reading.numbers import is_text, may_have_thousands
from cml_core.files.reading.question import Choice, Question
from cml_core.files.reading.raw import Cells

# Marks that can be for thousands alone: two of a kind, or one of either; or 1,00,000 as in India.
_SURE = re.compile(r"\d[.,]\d{3}[.,]\d|\d,\d\d,\d\d")
_TAKEN_OUT = "Marks for thousands were taken out: {0} is {1}."

_Both = tuple[str, str]


def as_said_decimal(cells: Cells, decimal: str) -> Cells:
    """The grid with decimal marks as they were said to be, and without the other marks."""
    other = "." if decimal == "comma" else ","

    def plain(cell: str) -> str:
        before, amount, behind = with_unit_apart(cell)
        return before + amount.replace(other, "") + behind if may_have_thousands(amount) else cell

    rows = tuple(
        tuple(plain(cell) if other in cell else cell for cell in row) for row in cells.rows
    )
    return replace(cells, rows=rows, decimal_comma=decimal == "comma")


def question_of_decimals(cells: Cells, said: str) -> Question | None:
    """Whether marks in numbers are for decimals or thousands, where both readings fit."""
    example = doubtful_number(cells)
    return _question(example, said) if example else None


def way_out_of_decimals(cells: Cells) -> Question | None:
    """The same where a file was refused, whatever its other numbers look like."""
    amounts = (with_unit_apart(cell)[1] for row in cells.rows for cell in row)
    example = next((amount for amount in amounts if may_have_thousands(amount)), "")
    return _question(example, "") if example else None


def _question(example: str, said: str) -> Question:
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
            if "." not in cell and "," not in cell:
                continue
            amount = with_unit_apart(cell)[1] if is_text(cell) else cell
            if not is_text(amount):
                if not may_have_thousands(amount) or _sure_mark(amount):
                    return ""
                doubtful = doubtful or amount
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
    note = _TAKEN_OUT.format(example, _plain_in(example, decimal))
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


def _both_readings(text: str) -> _Both:
    """What a number is with points, and with commas, as decimal marks."""
    bare = text.replace(",", "").replace(".", "")
    parted = text.replace(",", ".")
    return (text, bare) if "." in text else (bare, parted)
