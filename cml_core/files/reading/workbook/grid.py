"""A sheet of an Excel workbook (.xlsx) becomes a grid of texts."""

from __future__ import annotations

from cml_core.errors import TooManyObjects, UnreadableFile, listing
from cml_core.files.reading.archive import ZIP_MAGIC, Archive, too_large
from cml_core.files.reading.raw import ORDINARY, Cells, Limits
from cml_core.files.reading.workbook.cells import CellTexts
from cml_core.files.reading.workbook.parts import BOOK, Book, Sheet, book_of
from cml_core.files.reading.workbook.plain_rows import PlainRow
from cml_core.files.reading.workbook.sheet import StoredRow, read_rows
from cml_core.files.reading.workbook.xml import damaged

# Why not a library: calamine ends the whole process on a cell far out and leaves #DIV/0! blank as
# if it were missing; openpyxl took 1.15 GB on a bomb. Here no more is held than a row as it is
# stored and the texts of the rows before, and what is refused is named by its cell.

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Texts that may be laid out in vain before a sheet counts as nearly empty.
_ALWAYS_LAID_OUT = 4_000_000
_SPARSEST = 10
# Characters of all cells; those of 3,000 objects have some 80 million.
_MOST_WRITTEN = 200_000_000
_REMARKS, _WIDEST_LIST = 100, 6
_SAVE = "Open it in a spreadsheet program, choose Save as, and take 'Excel Workbook (.xlsx)'"


def is_workbook(data: bytes) -> bool:
    """Whether this is an Excel workbook, perhaps a damaged one."""
    return data.startswith(ZIP_MAGIC) and b"xl/workbook.xml" in data


def sheet_names(data: bytes, limits: Limits = ORDINARY) -> tuple[str, ...]:
    """The sheets that are to be seen; all of them where every one is hidden."""
    return tuple(sheet.name for sheet in _shown(_opened(data, limits)))


def cells_of(data: bytes, sheet: str = "", limits: Limits = ORDINARY) -> Cells:
    """The texts of a sheet, numbers in full precision, dates as 2024-12-31.

    A formula counts as its result. Of merged cells the first has the text, the others none.
    #N/A, by which spreadsheets say that a value is not available, is an empty cell; any other
    error, such as #DIV/0!, is refused, and so is a formula whose result was never computed.
    Hidden rows and columns are read; a hidden sheet only where it is asked for by name.

    Parameters
    ----------
    data : the file.
    sheet : its name; empty takes the first that is not empty.
    limits : of the file, and of the columns of a sheet.
    """
    book = _opened(data, limits)
    candidates = (_named(book, sheet),) if sheet else _shown(book)
    texts = CellTexts(book, limits)
    for candidate in candidates:
        cells = _read(book, candidate, texts, limits)
        if sheet or cells.rows:
            return cells
    raise UnreadableFile(
        "The workbook has no sheet with anything in it.", remedy="Put the table into a sheet."
    )


def _opened(data: bytes, limits: Limits) -> Book:
    """The workbook; its sheets are not read yet."""
    if not data.startswith(ZIP_MAGIC):
        raise UnreadableFile("This is no Excel workbook.", remedy=f"{_SAVE}, or 'CSV'.")
    archive = Archive(data, limits)
    if BOOK not in archive:
        raise UnreadableFile(
            "This is an archive, but no Excel workbook.", remedy=f"{_SAVE}, or 'CSV'."
        )
    return book_of(archive, len(data))


def _shown(book: Book) -> tuple[Sheet, ...]:
    return tuple(sheet for sheet in book.sheets if sheet.visible) or book.sheets


def _named(book: Book, name: str) -> Sheet:
    for sheet in book.sheets:
        if sheet.name == name:
            return sheet
    names = tuple(sheet.name for sheet in _shown(book))
    raise UnreadableFile(
        f"The workbook has no sheet called {name[:80]!r}.",
        remedy=f"Choose one of {listing(names, 20) or 'its sheets: it has none'}.",
    )


def _read(book: Book, sheet: Sheet, texts: CellTexts, limits: Limits) -> Cells:
    if sheet.part not in book.archive:
        raise damaged(f"sheet {sheet.name!r} is not in it")
    grid = _Grid(sheet.name, texts, limits)
    read_rows(book.archive, sheet, book.marks, grid.add, grid.add_plain)
    return Cells(tuple(grid.rows), tuple(grid.lines), sheet=sheet.name)


class _Grid:
    """The rows of a sheet with anything in them, and how much they hold."""

    def __init__(self, sheet: str, texts: CellTexts, limits: Limits) -> None:
        self._sheet = sheet
        self._texts = texts
        self._limits = limits
        self._laid_out = self._filled = self._written = 0
        self.rows: list[tuple[str, ...]] = []
        self.lines: list[int] = []

    def add(self, stored: StoredRow) -> None:
        """Raise `UnreadableFile` where rows hold too much, or too little for their width."""
        row = self._texts.row(stored, self._sheet)
        if row:
            self._add(stored.line, row)

    def add_plain(self, plain: PlainRow) -> bool:
        """The same of a row of numbers; whether it could be taken as one."""
        row = self._texts.plain_row(plain, self._sheet)
        if row is None:
            return False
        self._add(plain.line, row)
        return True

    def _add(self, line: int, row: list[str]) -> None:
        self.rows.append(tuple(row))
        self.lines.append(line)
        self._check_count(row)
        self._laid_out += len(row)
        self._filled += len(row) - row.count("")
        self._written += sum(map(len, row))
        if self._written > min(_MOST_WRITTEN, self._limits.bytes):
            raise too_large(self._written, min(_MOST_WRITTEN, self._limits.bytes))
        if self._laid_out > _ALWAYS_LAID_OUT + _SPARSEST * self._filled:
            raise UnreadableFile(
                f"Sheet {self._sheet!r} is nearly empty: {self._filled} cells with something in "
                f"them are spread over {self._laid_out}.",
                remedy="Clear what stands far to the right of the table.",
            )

    def _check_count(self, row: list[str]) -> None:
        # A list of pairs has more rows than objects; before a table stand some remarks.
        if len(self.rows) > self._limits.objects + _REMARKS and len(row) > _WIDEST_LIST:
            raise TooManyObjects(
                f"Sheet {self._sheet!r} has more than {self._limits.objects:,} rows; no more are "
                "read of a table.",
                remedy="Give fewer objects.",
            )
