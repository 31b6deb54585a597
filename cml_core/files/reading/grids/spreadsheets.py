"""OpenDocument, old Excel and binary Excel workbooks: checked, and then read behind the fence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.files.reading.archive import ZIP_MAGIC, Archive
from cml_core.files.reading.fenced.fence import fenced
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Grids
from cml_core.files.reading.raw import Cells, Limits
from cml_core.files.reading.workbook.grid import OLE, is_workbook

_ODS = b"application/vnd.oasis.opendocument"
_XLSB = b"xl/workbook.bin"
_CONTENT = "content.xml"
_NOT_AVAILABLE = "#N/A"
_CODES = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!"}
_CODE = b"[" + b"".join(re.escape(bytes([code])) for code in _CODES) + b"]"
# A record of an old workbook: a cell that is an error, or a formula that gave one.
_OLD_ERROR = re.compile(
    rb"\x05\x02\x08\0(..)(..)..(" + _CODE + rb")\x01"
    rb"|\x06\0..(..)(..)..\x02.(" + _CODE + rb")...\xff\xff",
    re.DOTALL,
)
_TAG = re.compile(rb"<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])([^>]*)>")
_REPEATED = re.compile(rb'number-(?:rows|columns)-repeated="(\d{1,9})"')
_NAME = re.compile(rb'table:name="([^"]*)"')
_SHOWN = re.compile(rb"\s*<text:p>([^<]*)")
# Identifiers of records of binary sheets: a row, a cell that is an error, a formula that gave one.
_ROW, _ERRORS = 0, {3: 8, 11: 8}


@dataclass(frozen=True)
class _Error:
    """A cell that shows an error: calamine leaves it empty, as if its value were missing."""

    sheet: str
    line: int
    column: int
    text: str


def _suits(begin: Begin) -> bool:
    if begin.data.startswith(OLE):
        return True
    zipped = begin.data.startswith(ZIP_MAGIC) and not is_workbook(begin.data)
    return zipped and (_ODS in begin.data or _XLSB in begin.data)


def _opened(data: bytes, sheet: str, limits: Limits) -> Grids:
    if data.startswith(OLE):
        _check_open(data)
        return _checked(_read(data, sheet, limits, len(data)), _in_old(data))
    archive = Archive(data, limits)
    unpacked = sum(map(archive.size, archive.names))
    found = _read(data, sheet, limits, unpacked)
    if _CONTENT in archive:
        return _checked(found, _in_opendocument(archive.read(_CONTENT)))
    return _checked(found, _in_binary(archive))


def _read(data: bytes, sheet: str, limits: Limits, unpacked: int) -> Grids:
    what = "a workbook"
    return fenced("spreadsheets", what, data, sheet, limits, unpacked=unpacked)


def _check_open(data: bytes) -> None:
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise UnreadableFile(
            "The workbook is protected by a password.",
            remedy="Open it in a spreadsheet program, remove the password under "
            "File, Info, Protect Workbook, and save it as .xlsx.",
        )


def _checked(found: Grids, errors: Iterator[_Error]) -> Grids:
    """The same, or refused for the first error in the cells that were read."""
    if found.cells is None:
        return found
    cells = found.cells
    places = {line: k for k, line in enumerate(cells.lines)}
    for error in errors:
        if error.sheet and error.sheet != cells.sheet:
            continue
        row = cells.rows[places[error.line]] if error.line in places else ()
        if error.column < len(row) and row[error.column]:
            continue
        where = Cells(((),), (error.line,), cells.sheet).where(0, error.column)
        refused: ConditionalMappingError = UnreadableFile(
            f"{where} shows the error {error.text}.",
            remedy="Correct its formula, or clear the cell if the value is unknown.",
        )
        return Grids(found.names, refused=refused)
    return found


def _in_old(data: bytes) -> Iterator[_Error]:
    for match in _OLD_ERROR.finditer(data):
        row, column, code = (part for part in match.groups() if part is not None)
        line, place = (int.from_bytes(part, "little") for part in (row, column))
        if place < 256:
            yield _Error("", line + 1, place, _CODES[code[0]])


def _in_opendocument(content: bytes) -> Iterator[_Error]:
    if b'value-type="error"' not in content:
        return
    sheet, line, column = "", 1, 0
    rows = 0
    for tag in _TAG.finditer(content):
        kind, attributes = tag.groups()
        repeated = _REPEATED.search(attributes)
        times = int(repeated[1]) if repeated else 1
        if kind == b"table":
            name = _NAME.search(attributes)
            sheet, line, rows = name[1].decode("utf-8", "replace") if name else "", 1, 0
        elif kind == b"table-row":
            line, rows, column = line + rows, times, 0
        else:
            shown = _SHOWN.match(content, tag.end())
            text = shown[1].decode("utf-8", "replace") if shown else "of its formula"
            if b'value-type="error"' in attributes and text != _NOT_AVAILABLE:
                yield _Error(sheet, line, column, text)
            column += times


def _in_binary(archive: Archive) -> Iterator[_Error]:
    """Errors in the sheets of an .xlsb, by its records: a number, a length, and so many bytes."""
    for name in archive.names:
        if not re.fullmatch(r"xl/worksheets/[^/]+\.bin", name):
            continue
        line = 0
        for kind, content in _records(archive.read(name)):
            if kind == _ROW:
                line = int.from_bytes(content[:4], "little") + 1
            elif kind in _ERRORS and len(content) > _ERRORS[kind]:
                code = content[_ERRORS[kind]]
                if code in _CODES:
                    yield _Error("", line, int.from_bytes(content[:4], "little"), _CODES[code])


def _records(part: bytes) -> Iterator[tuple[int, bytes]]:
    place = 0
    while place < len(part):
        kind, place = _number(part, place, 2)
        length, place = _number(part, place, 4)
        yield kind, part[place : place + length]
        place += length


def _number(part: bytes, place: int, most: int) -> tuple[int, int]:
    """A number of seven bits a byte, the lowest first, and where it ends."""
    value = 0
    for k in range(most):
        byte = part[place] if place < len(part) else 0
        place += 1
        value |= (byte & 0x7F) << (7 * k)
        if byte < 0x80:
            break
    return value, place


SPREADSHEETS = GridFile("a workbook", _suits, _opened)
