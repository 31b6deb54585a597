"""Squares as programs print them: names above without a corner, titles and notes around."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cml_core.files.reading.area import cut_out
from cml_core.files.reading.numbers import MISSING
from cml_core.files.reading.raw import Cells
from cml_core.files.reading.tables import left_out

_FEWEST = 3


def printed_squares(cells: Cells) -> Iterator[Cells]:
    """Each square or triangle whose names stand above, one cell short, and before its lines."""
    for head, above in enumerate(cells.rows):
        below = cells.rows[head + 1 : head + 1 + len(above)]
        if len(above) < _FEWEST or len(below) < len(above) or not all(above):
            continue
        before = tuple(row[0] for row in below)
        widths = [len(row) for row in below]
        stairs = widths == list(range(2, len(above) + 2))
        fits = stairs or set(widths) == {len(above) + 1}
        # The first object has no line, and the last no column, where there is no diagonal.
        if fits and before == above:
            yield _with_corner(cells, head)
        elif fits and before[:-1] == above[1:]:
            grid = _with_corner(cells, head)
            yield grid if stairs else _as_stairs(grid)


def _with_corner(cells: Cells, head: int) -> Cells:
    above = cells.rows[head]
    rows = range(head, head + len(above) + 1)
    cut = cut_out(cells, rows, range(len(above) + 1))
    around = [cell for r, row in enumerate(cells.rows) if r not in rows for cell in row]
    lines = f"lines {cells.lines[rows[0]]} to {cells.lines[rows[-1]]}"
    note = left_out(around, f"in {lines}")
    return replace(cut, rows=(("", *above), *cut.rows[1:]), notes=(*cells.notes, *note))


def _as_stairs(cells: Cells) -> Cells:
    """The lower triangle without the marks for nothing in the upper one."""
    head, *body = cells.rows
    kept = [row[: k + 2] for k, row in enumerate(body)]
    blank = all(cell.lower() in MISSING for k, row in enumerate(body) for cell in row[k + 2 :])
    return replace(cells, rows=(head, *kept)) if blank else cells
