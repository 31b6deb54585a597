"""A sheet of an Excel workbook (.xlsx) becomes a grid of texts."""

from __future__ import annotations

import datetime as dt
import io
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

from cml_core.errors import UnreadableFile, listing
from cml_core.reading.archive import Archive, too_large
from cml_core.reading.raw import ORDINARY, Cells, Limits
from cml_core.reading.workbook_parts import check_parts, damaged, needed_parts

_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHER = {b"xl/workbook.bin": ".xlsb", b"application/vnd.oasis.opendocument": "OpenDocument"}
_LAST_ROW = 1_048_576
_LONGEST_TEXT = 32_767
# Texts that may be laid out in vain before a sheet counts as nearly empty.
_ALWAYS_LAID_OUT = 4_000_000
_SPARSEST = 10
# Up to here a float holds every whole number, and people write it without an exponent.
_LARGEST_WRITTEN_OUT = 1e15
_SAVE = "Open it in a spreadsheet program, choose Save as, and take 'Excel Workbook (.xlsx)'"


def is_workbook(data: bytes) -> bool:
    """Whether this is an Excel workbook, perhaps a damaged one."""
    return data.startswith(_ZIP) and b"xl/workbook.xml" in data


def is_spreadsheet(data: bytes) -> bool:
    """Whether a spreadsheet program wrote this: a workbook, or one that must be saved anew."""
    if data.startswith(_OLE):
        return True
    return data.startswith(_ZIP) and (is_workbook(data) or any(mark in data for mark in _OTHER))


def sheet_names(data: bytes, limits: Limits = ORDINARY) -> tuple[str, ...]:
    """The sheets that are to be seen; all of them where every one is hidden."""
    return tuple(_title(sheet) for sheet in _shown(_opened(data, limits)))


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
    if sheet:
        return _read(book, _named(book, sheet), limits)
    for candidate in _shown(book):
        cells = _read(book, candidate, limits)
        if cells.rows:
            return cells
    raise UnreadableFile(
        "The workbook has no sheet with anything in it.",
        remedy="Put the table into a sheet; a 'Strict Open XML' file must be saved as an "
        "ordinary 'Excel Workbook (.xlsx)' first.",
    )


def _opened(data: bytes, limits: Limits) -> Any:
    """The workbook; its sheets are not read yet."""
    _check_kind(data)
    archive = Archive(data, limits)
    if "xl/workbook.xml" not in archive:
        raise UnreadableFile(
            "This is an archive, but no Excel workbook.", remedy=f"{_SAVE}, or 'CSV'."
        )
    check_parts(archive, len(data))
    reader = _reader_class()(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    reader.archive = _Shown(archive)
    reader.valid_files = list(needed_parts(archive))
    warnings.filterwarnings("ignore", module=r"openpyxl(\.|$)")
    try:
        reader.read()
    except UnreadableFile:
        raise
    except Exception:
        raise damaged("its parts do not fit together") from None
    return reader.wb


class _Shown:
    """An archive as openpyxl wants it, of which only the needed parts are to be seen."""

    filename = "workbook"

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._needed = frozenset(needed_parts(archive))

    def read(self, name: str) -> bytes:
        if name not in self._needed:
            raise KeyError(name)
        return self._archive.read(name)

    def open(self, name: str, _: str = "r") -> io.BytesIO:
        return io.BytesIO(self.read(name))


def _check_kind(data: bytes) -> None:
    """Refuse what a spreadsheet program wrote in another format, by its name."""
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise UnreadableFile(
                "The workbook is protected by a password.",
                remedy="Open it in a spreadsheet program, remove the password under "
                "File, Info, Protect Workbook, and save it as .xlsx.",
            )
        raise UnreadableFile("The workbook is in the old .xls format.", remedy=f"{_SAVE}.")
    if not data.startswith(_ZIP):
        raise UnreadableFile("This is no Excel workbook.", remedy=f"{_SAVE}, or 'CSV'.")
    for mark, name in _OTHER.items():
        if mark in data and not is_workbook(data):
            raise UnreadableFile(f"The workbook is in the {name} format.", remedy=f"{_SAVE}.")


@cache
def _reader_class() -> Any:
    try:
        from openpyxl.reader.excel import ExcelReader
    except ImportError:
        raise _not_installed() from None
    return ExcelReader


@cache
def _parser_class() -> Any:
    """A parser of sheets that tells an empty cell from a formula without a result."""
    try:
        from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser
    except ImportError:
        raise _not_installed() from None

    class Parser(WorkSheetParser):  # type: ignore[misc]
        def parse_cell(self, element: Any) -> dict[str, Any]:
            cell: dict[str, Any] = super().parse_cell(element)
            # A formula that gives an empty text says that its result is one.
            if cell["value"] is None and element.get("t") != "str":
                cell["data_type"] = "n" if element.find(FORMULA_TAG) is None else "f"
            return cell

    return Parser


def _not_installed() -> UnreadableFile:
    return UnreadableFile(
        "Excel workbooks cannot be read here: the package openpyxl is not installed.",
        remedy="Install it (pip install openpyxl), or save the table as CSV.",
    )


def _title(sheet: Any) -> str:
    return str(sheet.title)


def _shown(book: Any) -> list[Any]:
    return [sheet for sheet in book if sheet.sheet_state == "visible"] or list(book)


def _named(book: Any, name: str) -> Any:
    for sheet in book:
        if _title(sheet) == name:
            return sheet
    names = [_title(sheet) for sheet in _shown(book)]
    raise UnreadableFile(
        f"The workbook has no sheet called {name[:80]!r}.",
        remedy=f"Choose one of {listing(names, 20) or 'its sheets: it has none'}.",
    )


def _read(book: Any, sheet: Any, limits: Limits) -> Cells:
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    laid_out = filled = written = 0
    for line, row in _rows(book, sheet):
        texts = _texts(row, line, _title(sheet), limits)
        if not texts:
            continue
        width = max(texts)
        laid_out, filled = laid_out + width, filled + len(texts)
        written += sum(map(len, texts.values()))
        if written > limits.bytes:
            raise too_large(written, limits.bytes)
        if laid_out > _ALWAYS_LAID_OUT + _SPARSEST * filled:
            raise UnreadableFile(
                f"Sheet {_title(sheet)!r} is nearly empty: {filled} cells with something in "
                f"them are spread over {laid_out}.",
                remedy="Clear what stands far to the right of the table.",
            )
        rows.append(tuple(texts.get(column, "") for column in range(1, width + 1)))
        lines.append(line)
    return Cells(tuple(rows), tuple(lines), sheet=_title(sheet))


def _rows(book: Any, sheet: Any) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The rows that a sheet holds, as they are stored: nothing is filled in between."""
    before = 0
    parser = _parser_class()
    with sheet._get_source() as source:
        parsed = parser(
            source,
            # Stripped once, so that cells go on sharing them.
            [text.strip() for text in sheet._shared_strings],
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        ).parse()
        while True:
            try:
                line, row = next(parsed, (None, []))
            except UnreadableFile:
                raise
            except Exception:
                raise damaged(f"sheet {_title(sheet)!r}, after row {before}") from None
            if line is None:
                return
            if not before < line <= _LAST_ROW:
                raise damaged(f"sheet {_title(sheet)!r} goes from row {before} to row {line}")
            before = line
            yield line, row


def _texts(row: list[dict[str, Any]], line: int, sheet: str, limits: Limits) -> dict[int, str]:
    """The cells of a row that are not empty, by their column, counted from one."""
    texts: dict[int, str] = {}
    widest = max(limits.columns, limits.objects) + 1

    def here(column: int) -> str:
        return Cells(((),), (line,), sheet).where(0, column - 1)

    for cell in row:
        column, value, kind = cell["column"], cell["value"], cell["data_type"]
        if value is None and kind != "f":
            continue
        text = _text(value) if kind not in ("e", "f") else _without_result(value, here(column))
        if not text:
            continue
        if len(text) > _LONGEST_TEXT:
            raise UnreadableFile(
                f"{here(column)} holds a text of {len(text)} characters.",
                remedy=f"Shorten it; a cell holds at most {_LONGEST_TEXT}.",
            )
        if column > widest:
            raise UnreadableFile(
                f"{here(column)} is not empty, and lies beyond the {widest} columns that are read.",
                remedy="Clear it if it is there by mistake, or leave out columns.",
            )
        if column in texts:
            raise damaged(f"it holds the following twice: {here(column)}")
        texts[column] = text
    return texts


def _without_result(value: object, where: str) -> str:
    """Empty for #N/A; raise `UnreadableFile` for another error, or for None, no result."""
    if value == "#N/A":
        return ""
    if value is None:
        raise UnreadableFile(
            f"{where} has a formula whose result is not in the file.",
            remedy="Open the file in a spreadsheet program, which computes it, and save it again.",
        )
    raise UnreadableFile(
        f"{where} shows the error {str(value)[:40]}.",
        remedy="Correct its formula, or clear the cell if the value is unknown.",
    )


def _text(value: Any) -> str:
    """A value as people write it; a number in full precision."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        whole = value % 1 == 0 and abs(value) < _LARGEST_WRITTEN_OUT
        return str(int(value)) if whole else repr(value)
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value).strip()
