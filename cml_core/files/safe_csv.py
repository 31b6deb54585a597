"""Tables as CSV that a spreadsheet opens without running anything, and that read back exactly."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.values.arrays import FloatArray

# Spreadsheets take a text that begins so for a formula, some of them after characters that
# cannot be seen. An empty text is marked as well: an empty cell is a missing value.
_TAKEN_FOR_FORMULA = re.compile(
    r"'*(?:\Z|[\t\r\n]|[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060\ufeff]*[=+\-@＝＋－＠])"
)


@dataclass(frozen=True)
class CsvTable:
    """A table with names for its columns and rows; an empty cell is missing."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]

    def numbers(self, columns: Iterable[str] | None = None) -> FloatArray:
        """(N, k) the numbers in these columns, in all of them by default; NaN where missing."""
        names = self.columns if columns is None else tuple(columns)
        places = range(len(names)) if columns is None else [self.columns.index(n) for n in names]
        values = [[float(row[k] or "nan") for k in places] for row in self.cells]
        return np.array(values, dtype=np.float64).reshape(len(self.rows), len(names))

    def texts(self, column: str) -> list[str | None]:
        """What stands in a column; None where missing."""
        place = self.columns.index(column)
        return [as_it_was(row[place]) if row[place] else None for row in self.cells]


def to_csv(
    columns: Sequence[str],
    rows: Sequence[str],
    cells: Iterable[Iterable[object]],
    of: str = "object",
) -> str:
    """A table as CSV: texts in quotes, numbers in full, None and NaN empty.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.

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
    """The table that `to_csv` wrote, apostrophes taken off again."""
    head, *body = csv.reader(io.StringIO(text, newline=""))
    return CsvTable(
        columns=tuple(as_it_was(name) for name in head[1:]),
        rows=tuple(as_it_was(line[0]) for line in body),
        cells=tuple(tuple(line[1:]) for line in body),
    )


def neutralised(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet would take it for a formula."""
    return f"'{text}" if _TAKEN_FOR_FORMULA.match(text) else text


def as_it_was(cell: str) -> str:
    """The text without the apostrophe that `neutralised` put in front."""
    return cell[1:] if cell.startswith("'") and _TAKEN_FOR_FORMULA.match(cell) else cell


def quoted(text: str) -> str:
    """A text in quotes that no spreadsheet takes for a formula."""
    return '"' + neutralised(text).replace('"', '""') + '"'


def _cell(value: object) -> str:
    if isinstance(value, str):
        return quoted(value)
    if value is None or value != value:
        return ""
    # The shortest digits that give the same float again.
    return repr(float(value))  # type: ignore[arg-type]
