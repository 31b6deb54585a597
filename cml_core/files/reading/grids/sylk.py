"""SYLK (.slk), in which old spreadsheet programs exchange a sheet as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cml_core.errors import UnreadableFile
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.raw import Limits

_FIELD = re.compile(r";(?=[A-Z])")
_MOST_LAID_OUT = 12_000_000


def _tables(text: str, limits: Limits) -> Iterator[Table]:
    cells: dict[int, dict[int, str]] = {}
    row = column = 1
    widest = 0
    for number, line in lines_of(text):
        if not line.startswith(("C;", "F;")):
            continue
        for part in _FIELD.split(line.replace(";;", "\0"))[1:]:
            kind, value = part[:1], part[1:].replace("\0", ";")
            if kind in "XY" and value.isdecimal() and len(value) < 7:
                row, column = (int(value), column) if kind == "Y" else (row, int(value))
            elif kind == "K" and line.startswith("C;"):
                cells.setdefault(row, {})[column] = _text(value, number)
                widest = max(widest, column)
    if widest > max(limits.columns, limits.objects) + 2 or widest * len(cells) > _MOST_LAID_OUT:
        raise UnreadableFile(
            f"The sheet reaches to column {widest:,}.",
            remedy="Clear what stands far to the right of the table.",
        )
    lines = sorted(cells)
    yield Table([[cells[k].get(c, "") for c in range(1, widest + 1)] for k in lines], lines=lines)


def _text(value: str, line: int) -> str:
    if value.startswith('"'):
        return value.removeprefix('"').removesuffix('"').replace('""', '"')
    if value.startswith("#") and value != "#N/A":
        raise UnreadableFile(
            f"Line {line} is a cell that shows the error {value[:40]}.",
            remedy="Correct its formula, or clear the cell if the value is unknown.",
        )
    return "" if value == "#N/A" else value


def _suits(begin: Begin) -> bool:
    return begin.text.startswith("ID;P")


SYLK = GridFile("a SYLK sheet", _suits, of_tables(_tables), is_text=True)
