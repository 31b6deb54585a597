"""A part of a grid: named by its corners as spreadsheets do, and cut out of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cml_core.errors import UnknownOption, UnreadableFile
from cml_core.files.reading.raw import Cells, column_of, letters_of

_CORNERS = re.compile(r"\s*([A-Za-z]{1,5})([0-9]{1,8})\s*:\s*([A-Za-z]{1,5})([0-9]{1,8})\s*")


@dataclass(frozen=True)
class Area:
    """Lines counted from 1, columns from 0; both ends belong to it."""

    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def of(cls, text: str) -> Area:
        """The area between two corners, as in B3:N15; raises `UnknownOption` for other words."""
        found = _CORNERS.fullmatch(text)
        if found is None:
            raise UnknownOption(
                f"The part of the table is said to be {text[:40]!r}.",
                remedy="Name its upper left and its lower right cell, as in B3:N15.",
            )
        one, other = (
            (int(found[2]), column_of(found[1])),
            (int(found[4]), column_of(found[3])),
        )
        (top, bottom), (left, right) = (sorted(ends) for ends in zip(one, other, strict=True))
        return cls(top, left, bottom, right)

    def __str__(self) -> str:
        return f"{letters_of(self.left)}{self.top}:{letters_of(self.right)}{self.bottom}"


def within(cells: Cells, area: Area) -> Cells:
    """What stands between the corners."""
    rows = [k for k, line in enumerate(cells.lines) if area.top <= line <= area.bottom]
    widest = max((len(cells.rows[k]) for k in rows), default=0)
    columns = range(area.left, min(area.right + 1, widest))
    cut = cut_out(cells, rows, columns)
    if not any(any(row) for row in cut.rows):
        raise UnreadableFile(
            f"There is nothing in the cells {area}.",
            remedy="Name the corners of the table, or leave it to be found.",
        )
    return cut


def cut_out(cells: Cells, rows: Sequence[int], columns: Sequence[int]) -> Cells:
    """Some rows and columns of a grid, which still know where they stand."""
    places = cells.columns or tuple(range(max((len(row) for row in cells.rows), default=0)))
    kept = tuple(
        tuple(cells.rows[r][c] if c < len(cells.rows[r]) else "" for c in columns) for r in rows
    )
    return replace(
        cells,
        rows=kept,
        lines=tuple(cells.lines[r] for r in rows),
        columns=tuple(places[c] for c in columns),
    )
