"""Tables of correlations as journals print them: numbered variables, and their numbers above."""

from __future__ import annotations

import re
from dataclasses import replace

from cml_core.files.reading.area import cut_out
from cml_core.files.reading.raw import Cells

_NUMBERED = re.compile(r"\(?([0-9]{1,3})[.):]?\s+(\S.*)")
_FEWEST = 3
# Numbers stand above within the first rows, beside names within the first columns.
_FIRST_ROWS, _FIRST_COLUMNS = 10, 4


def numbered_table(cells: Cells) -> Cells | None:
    """The square of «1. Age», «2. Height», … below 1, 2, …, with the names above as well.

    Means and the like between names and numbers are left out; the last column may be missing.
    """
    for head in range(min(len(cells.rows), _FIRST_ROWS)):
        for before in range(_FIRST_COLUMNS):
            names = _names_below(cells, head, before)
            columns = _numbers_above(cells, head, before)
            if len(names) >= _FEWEST and len(columns) in (len(names), len(names) - 1):
                return _as_square(cells, head, before, names, columns)
    return None


def without_numbers_before(cells: Cells) -> Cells | None:
    """The grid with names as they stand above, where «1. Age» stands before a line for Age."""
    heads = {cell for row in cells.rows[:_FIRST_ROWS] for cell in row}
    parts = [_NUMBERED.fullmatch(row[0]) for row in cells.rows]
    named = [part[2] if part and part[2] in heads else "" for part in parts]
    if sum(map(bool, named)) < _FEWEST:
        return None
    rows = zip(cells.rows, named, strict=True)
    return replace(cells, rows=tuple((name or row[0], *row[1:]) for row, name in rows))


def _names_below(cells: Cells, head: int, before: int) -> list[str]:
    """The names numbered from 1 on in a column, one below the other."""
    names: list[str] = []
    for row in cells.rows[head + 1 :]:
        found = _NUMBERED.fullmatch(row[before]) if before < len(row) else None
        if found is None or int(found[1]) != len(names) + 1:
            break
        names.append(found[2])
    return names if len(set(names)) == len(names) else []


def _numbers_above(cells: Cells, head: int, before: int) -> list[int]:
    """The columns that are numbered from 1 on."""
    columns: list[int] = []
    for column, cell in enumerate(cells.rows[head]):
        if column > before and cell.rstrip(".").strip("()") == str(len(columns) + 1):
            columns.append(column)
    return columns


def _as_square(cells: Cells, head: int, before: int, names: list[str], columns: list[int]) -> Cells:
    rows = range(head, head + len(names) + 1)
    cut = cut_out(cells, rows, (before, *columns))
    lacking = ("",) * (len(names) - len(columns))
    body = [(name, *row[1:], *lacking) for name, row in zip(names, cut.rows[1:], strict=True)]
    others = [
        cell for k, cell in enumerate(cells.rows[head]) if cell and k not in (before, *columns)
    ]
    note = f"Of a table of numbered variables, other columns were left out: {', '.join(others)}."
    return replace(
        cut,
        rows=(("", *names), *body),
        notes=(*cells.notes, note) if others else cells.notes,
    )
