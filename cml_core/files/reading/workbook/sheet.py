"""The rows of a sheet, as they are stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cml_core.files.reading.archive import Archive
from cml_core.files.reading.workbook.parts import Runs, Sheet
from cml_core.files.reading.workbook.plain_rows import PlainRow, PlainRows
from cml_core.files.reading.workbook.xml import Marks, Part, damaged, out_of_proportion, parse

WIDEST = 16_384  # columns of a sheet in any spreadsheet program
LAST_ROW = 1_048_576
# worksheet, sheetData, row, c: a cell anywhere else is none.
_CELL_DEPTH = 4
_MOST_DIGITS = 15
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class StoredRow(NamedTuple):
    """The cells of a row, in the order of the file; good only until the next row is read.

    Parameters
    ----------
    line : where the row stands, counted from one.
    attributes : of each cell.
    values : the text of each; None where there is none.
    formulas : which cells have one, counted from zero.
    """

    line: int
    attributes: list[dict[str, str]]
    values: list[str | None]
    formulas: set[int]


def read_rows(
    archive: Archive,
    sheet: Sheet,
    marks: Marks,
    take: Callable[[StoredRow], None],
    take_plain: Callable[[PlainRow], bool],
) -> None:
    """Hand over each row of a sheet that has cells; nothing is filled in between.

    Rows of plain numbers are handed to `take_plain`, which says whether it takes them.
    """
    rows = _Rows(sheet, take)

    def taken(row: PlainRow) -> bool:
        if not take_plain(row):
            return False
        rows.pass_to(row.line)
        return True

    parse(archive, rows, marks, PlainRows(rows.stands_between, taken))


class _Rows(Part):
    """Hands over every row as it ends: rows that wait would keep the garbage collector busy."""

    root = "worksheet"
    qualified = False

    def __init__(self, sheet: Sheet, take: Callable[[StoredRow], None]) -> None:
        super().__init__(sheet.part)
        self._sheet = sheet.name
        self._take = take
        self._line = 0
        self._among_rows = False
        self._row: dict[str, str] = {}
        self._attributes: list[dict[str, str]] = []
        self._values: list[str | None] = []
        self._formulas: set[int] = set()
        self._runs = Runs(self)
        self._cell_tag = self._value_tag = ""

    def stands_between(self) -> bool:
        """Whether the parser is among the rows, and in none."""
        return self._among_rows and self.depth == _CELL_DEPTH - 2

    def pass_to(self, line: int) -> None:
        """A row was read elsewhere; raises where rows do not follow one another."""
        before, self._line = self._line, line
        if not before < self._line <= LAST_ROW:
            raise damaged(f"sheet {self._sheet!r} goes from row {before} to row {self._line}")

    def check_held(self) -> None:
        super().check_held()
        if len(self._values) > WIDEST:
            raise damaged(f"a row of sheet {self._sheet!r} is wider than any sheet")

    def begin(self, prefix: str) -> None:
        super().begin(prefix)
        self._cell_tag, self._value_tag = f"{prefix}c", f"{prefix}v"

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        # Cells and values are by far the most elements, hence come before all others.
        self.depth += 1
        if tag == self._cell_tag:
            if self.depth != _CELL_DEPTH:
                raise out_of_proportion(self.name)
            self._attributes.append(attributes)
            self._values.append(None)
        elif tag == self._value_tag:
            self.pieces.clear()
        else:
            self.opened(tag.removeprefix(self.prefix), attributes)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if tag == self._value_tag:
            if self._values:
                self._values[-1] = "".join(self.pieces)
        elif tag != self._cell_tag:
            self.closed(tag.removeprefix(self.prefix))

    def opened(self, local: str, attributes: dict[str, str]) -> None:
        if local == "f":
            self._formulas.add(len(self._values) - 1)
        elif local == "row":
            self._begin_row(attributes)
        elif local == "sheetData":
            self._among_rows = True
        else:
            self._runs.opened(local)

    def closed(self, local: str) -> None:
        if local == "row" and self._among_rows:
            self._end_row()
        elif local == "is" and self._values:
            self._values[-1] = self._runs.taken()
        elif local == "sheetData":
            self._among_rows = False
            self.done = True
        else:
            self._runs.closed(local)

    def _begin_row(self, attributes: dict[str, str]) -> None:
        self._row = attributes
        self._attributes.clear()
        self._values.clear()
        self._formulas.clear()

    def _end_row(self) -> None:
        self.pass_to(self._next_line())
        if self._values:
            self._take(StoredRow(self._line, self._attributes, self._values, self._formulas))
        self._begin_row({})

    def _next_line(self) -> int:
        """Where the row stands: as it says, as its first cell says, or after the one before."""
        stored = self._row.get("r", "")
        if not stored and self._attributes:
            stored = self._attributes[0].get("r", "").lstrip(_LETTERS)
        if not stored:
            return self._line + 1
        # Longer ones are beyond the last row, whatever their other digits.
        return int(stored[:_MOST_DIGITS]) if stored.isascii() and stored.isdecimal() else 0
