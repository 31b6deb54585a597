"""Tables as CSV that any program reads back to the very same names and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.values.arrays import FloatArray

# A text in quotes, or what stands bare; then the end of a cell or of a line.
_CELL = re.compile(r'(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\Z)')


@dataclass(frozen=True)
class CsvTable:
    """A table with names for its columns and rows; None is missing."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[str | None, ...], ...]

    def numbers(self, columns: Iterable[str] | None = None) -> FloatArray:
        """(N, k) the numbers in these columns, in all of them by default; NaN where missing."""
        names = self.columns if columns is None else tuple(columns)
        places = range(len(names)) if columns is None else [self.columns.index(n) for n in names]
        values = [[float(row[k] or "nan") for k in places] for row in self.cells]
        return np.array(values, dtype=np.float64).reshape(len(self.rows), len(names))

    def texts(self, column: str) -> list[str | None]:
        """What stands in a column; None where missing."""
        place = self.columns.index(column)
        return [row[place] for row in self.cells]


def to_csv(
    columns: Sequence[str],
    rows: Sequence[str],
    cells: Iterable[Iterable[object]],
    of: str = "object",
) -> str:
    """A table as CSV: texts in quotes as they are, numbers in full, None and NaN empty.

    Parameters
    ----------
    of : what a row is about.
    """
    head = (of, *columns)
    body = ((label, *values) for label, values in zip(rows, cells, strict=True))
    return "".join(",".join(map(_cell, line)) + "\n" for line in (head, *body))


def side_by_side(columns: Sequence[Sequence[object]], n_rows: int) -> list[list[object]]:
    """Rows of these columns; empty ones where there is no column."""
    return [[column[row] for column in columns] for row in range(n_rows)]


# Called by the programs that `report.program` writes, which read their tables with it.
def from_csv(text: str) -> CsvTable:
    """The table that `to_csv` wrote: an empty text is a text, an empty cell is missing."""
    head, *body = _lines(text)
    return CsvTable(
        columns=tuple(name or "" for name in head[1:]),
        rows=tuple(line[0] or "" for line in body),
        cells=tuple(tuple(line[1:]) for line in body),
    )


def _lines(text: str) -> Iterator[list[str | None]]:
    line: list[str | None] = []
    at = 0
    while at < len(text) or line:
        found = _CELL.match(text, at)
        assert found is not None, "a quote within a text that is not in quotes"
        words, bare, end = found.groups()
        line.append(bare or None if words is None else words.replace('""', '"'))
        at = found.end()
        if end != ",":
            yield line
            line = []


def quoted(text: str) -> str:
    """A text in quotes."""
    return '"' + text.replace('"', '""') + '"'


def _cell(value: object) -> str:
    if isinstance(value, str):
        return quoted(value)
    if value is None or value != value:
        return ""
    # The shortest digits that give the same float again.
    return repr(float(value))  # type: ignore[arg-type]
