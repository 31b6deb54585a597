"""What kind of file holds the table, and the grid or text in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.files.reading.area import Area, within
from cml_core.files.reading.array_header import is_array_file
from cml_core.files.reading.decimals import as_said_decimal
from cml_core.files.reading.delimited import begin_of_table, cells_of_text
from cml_core.files.reading.encoding import check_size, text_of
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Grids
from cml_core.files.reading.grids.grid_files import grid_file_of
from cml_core.files.reading.manner import AS_FOUND, Manner
from cml_core.files.reading.marks import without_words
from cml_core.files.reading.numbers import decimal_commas
from cml_core.files.reading.packed import GZIP, unpacked
from cml_core.files.reading.raw import Cells, Limits
from cml_core.files.reading.tidied import tidied

_T = TypeVar("_T")

# Anything but blanks, marks between cells, empty quotes, and what UTF-16 adds to them.
_SAYING = re.compile(rb"[^\s,;|\"\x00\xfe\xff]")

# A sheet's rows end at their last filled cell; they are filled up unless that takes much more.
_MOST_FILLED_UP = 4_000_000


@dataclass(frozen=True)
class Container:
    """A file whose kind is known from its first bytes: "workbook", "npy", "npz" or "text".

    A workbook is whatever holds grids of cells in a form of its own (`grid_file`).
    """

    data: bytes
    kind: str
    sheet: str
    limits: Limits
    manner: Manner = AS_FOUND
    grid_file: GridFile | None = None
    grid: Cells | None = None
    _refused: dict[str, ConditionalMappingError] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def text(self) -> str:
        """The whole text of a file that is one."""
        return text_of(self.data, self.manner.encoding)

    @cached_property
    def grids(self) -> Grids:
        """The tables of a file that holds grids; none of any other."""
        if self.grid_file is None:
            return Grids(())
        # A refusal is kept as well: every format asks, and reading may take its time.
        try:
            return self.grid_file.opened(self._data_of_grids(), self.sheet, self.limits)
        except ConditionalMappingError as error:
            return Grids((), refused=error.with_traceback(None))

    def _data_of_grids(self) -> bytes:
        said = self.manner.encoding
        if not said or self.grid_file is None or not self.grid_file.is_text:
            return self.data
        data = self.data.decode(said, "replace").encode()
        if not self.grid_file.suits(Begin(data)):
            raise UnreadableFile(
                f"In the code page {said} the file does not begin as {self.grid_file.what}.",
                remedy="Choose another code page, or leave it to be found.",
            )
        return data

    @cached_property
    def cells(self) -> Cells:
        """The grid of a text, or of the sheet that was asked for, read as it was said."""
        return tidied(self.grid or _as_said(self.cells_of_file, self.manner))

    @cached_property
    def cells_of_file(self) -> Cells:
        """The grid as it stands in the file, whatever was said of it."""
        if self.grid_file is None:
            return cells_of_text(self.text, self.limits)
        return _filled_up(self.grids.taken())

    def holding(self, grid: Cells) -> Container:
        """The same file with another grid, or a part of its own."""
        return self._anew(grid=grid)

    def read_in(self, manner: Manner) -> Container:
        """The same file, of the same code page, read in another manner."""
        return self._anew(manner=manner, grid=_as_said(self.cells_of_file, manner))

    def _anew(self, **changes: Any) -> Container:
        other = replace(self, **changes)
        # What has been taken apart is not taken apart again: there are many grids to be tried.
        for known in ("text", "grids", "cells_of_file"):
            if known in self.__dict__:
                other.__dict__[known] = self.__dict__[known]
        return other

    @property
    def is_text(self) -> bool:
        """Whether its letters are in some code page, whatever is written in them."""
        return self.kind == "text" or bool(self.grid_file and self.grid_file.is_text)

    @property
    def has_cells(self) -> bool:
        """Whether there is a grid to be looked at."""
        if self.is_binary:
            return False
        try:
            return bool(self.cells.rows)
        except ConditionalMappingError:
            return False

    @property
    def is_binary(self) -> bool:
        """Whether it holds arrays of numbers, neither cells nor text."""
        return self.kind in ("npy", "npz")

    def refusing(self, key: str, read: Callable[[], _T]) -> _T:
        """What `read` gives; where it was refused before, the same refusal at once."""
        # Recognising tries the formats one by one, and more than once; most of them refuse.
        if key not in self._refused:
            try:
                return read()
            except ConditionalMappingError as error:
                # A copy has no trace, which would hold on to the whole grid.
                self._refused[key] = copy(error)
        raise copy(self._refused[key])

    def cannot_be(self, title: str) -> UnreadableFile:
        """The error that says that such a file is never in a format of this title."""
        if self.kind == "workbook":
            what = self.grid_file.what if self.grid_file else "a workbook"
            return UnreadableFile(
                f"The file is {what}, which cannot be read as: {title}.",
                remedy="Choose square table, triangle, list of pairs, or measurements.",
            )
        return UnreadableFile(
            f"The file is {_KINDS[self.kind]}, which cannot be read as: {title}.",
            remedy="Choose another format, or leave it to be recognised.",
        )


_KINDS = {
    "npy": "a NumPy array",
    "npz": "a NumPy archive",
    "text": "a text",
}


def opened(data: bytes, sheet: str, limits: Limits, manner: Manner = AS_FOUND) -> Container:
    """The container of a file; nothing is unpacked or decoded yet."""
    check_size(data, limits)
    # By the bytes, never by the name: names lie, and what was pasted has none.
    if is_array_file(data):
        return Container(data, "npz" if data.startswith(b"PK") else "npy", sheet, limits, manner)
    if (found := grid_file_of(data)) is not None:
        return Container(data, "workbook", sheet, limits, manner, found)
    if data.startswith(GZIP):
        return opened(unpacked(data, limits), sheet, limits, manner)
    # Ten million empty lines are told from a table before a format looks at each of them.
    if data and _SAYING.search(data) is None:
        raise UnreadableFile("The file is empty.", remedy="Give a table with some rows.")
    return Container(data, "text", sheet, limits, manner)


def _as_said(cells: Cells, manner: Manner) -> Cells:
    """The part that was said to be the table, with numbers and gaps as they were said to be."""
    if manner.area:
        cells = within(cells, Area.of(manner.area))
        cells = replace(cells, decimal_comma=decimal_commas(cells.rows))
    if manner.decimal:
        cells = as_said_decimal(cells, manner.decimal)
    return without_words(cells, manner.missing) if manner.missing else cells


def _filled_up(cells: Cells) -> Cells:
    """Rows of the same width from the first of the table on, and its decimal commas known."""
    begin = begin_of_table(cells.rows)
    rows = cells.rows[begin:]
    width = max((len(row) for row in rows), default=0)
    if width * len(rows) <= max(_MOST_FILLED_UP, 2 * sum(map(len, rows))):
        rows = tuple(row + ("",) * (width - len(row)) for row in rows)
    return replace(cells, rows=rows, lines=cells.lines[begin:], decimal_comma=decimal_commas(rows))
