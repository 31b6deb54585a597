"""Workbooks with one sheet: numbers in full precision, names as texts whatever they look like.

The usual libraries round numbers to 16 digits when they write a workbook; this must not. A cell
that is typed as a text is never run as a formula, so names stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from xml.sax.saxutils import escape

from cml_core.files.reading.raw import letters_of
from cml_core.files.writing.names import corner, encodable_name, full_rows
from cml_core.files.writing.packing import packed
from cml_core.files.writing.writer import Writer
from cml_core.values.dissimilarities import Dissimilarities

# Of a sheet, and of a text in a cell, in any spreadsheet program.
MOST_COLUMNS = 16_384
LONGEST_TEXT = 32_767
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
MEDIA_TYPE = f"{_SHEET_TYPE}.sheet"
# With the place of each cell, sheets are read fast, here too.
_LETTERS = tuple(map(letters_of, range(MOST_COLUMNS)))
_AROUND = {
    "[Content_Types].xml": f'<Types xmlns="{_TYPES}">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_SHEET_TYPE}.worksheet+xml"/>'
    "</Types>",
    "_rels/.rels": f'<Relationships xmlns="{_LINKS}">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    "</Relationships>",
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_LINKS}">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    "</Relationships>",
}


def workbook(dissimilarities: Dissimilarities) -> bytes:
    """The square table as the only sheet of an Excel workbook."""
    labels = dissimilarities.labels
    above = _row(1, (corner(labels) or None, *labels))
    lines = (
        _line(line, _text(f"A{line}", label) + _numbers(line, values))
        for line, (label, values) in enumerate(full_rows(dissimilarities), 2)
    )
    return _workbook("dissimilarities", chain([above], lines))


def table_workbook(name: str, rows: Iterable[Iterable[object]]) -> bytes:
    """A table as the only sheet of a workbook: texts, numbers, and None or NaN for no cell."""
    return _workbook(name, (_row(line, row) for line, row in enumerate(rows, 1)))


def obstacle(dissimilarities: Dissimilarities) -> str:
    """What stands in the way of a workbook; empty where nothing does."""
    labels = dissimilarities.labels
    if len(labels) >= MOST_COLUMNS:
        return f"a sheet has {MOST_COLUMNS} columns, one less than that many objects"
    for label in labels:
        if _NOT_IN_XML.search(label) or len(label) >= LONGEST_TEXT:
            return f"{label[:40]!r} has a character, or a length, that no cell can hold"
    return encodable_name(labels)


def _workbook(name: str, rows: Iterable[str]) -> bytes:
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name="{name}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    sheet = "".join(_sheet(rows))
    parts = {**_AROUND, "xl/workbook.xml": book, "xl/worksheets/sheet1.xml": sheet}
    return packed({path: (_HEAD + text).encode() for path, text in parts.items()})


def _sheet(rows: Iterable[str]) -> Iterator[str]:
    yield f'<worksheet xmlns="{_MAIN}"><sheetData>'
    yield from rows
    yield "</sheetData></worksheet>"


def _line(line: int, cells: str) -> str:
    return f'<row r="{line}">{cells}</row>'


def _row(line: int, cells: Iterable[object]) -> str:
    return _line(line, "".join(_cell(f"{_LETTERS[k]}{line}", cell) for k, cell in enumerate(cells)))


def _numbers(line: int, values: Iterable[str]) -> str:
    """The cells of a row behind its name; what is missing has none."""
    return "".join(
        f'<c r="{column}{line}"><v>{digits}</v></c>'
        for column, digits in zip(_LETTERS[1:], values, strict=False)
        if digits
    )


def _cell(place: str, value: object) -> str:
    if isinstance(value, str):
        return _text(place, value)
    if value is None or value != value:
        return ""
    return f'<c r="{place}"><v>{float(value)!r}</v></c>'  # type: ignore[arg-type]


def _text(place: str, text: str) -> str:
    # A bare carriage return would be read as a line feed.
    safe = escape(_NOT_IN_XML.sub("\ufffd", text[:LONGEST_TEXT]), {"\r": "&#13;"})
    kept = "" if safe == safe.strip() else ' xml:space="preserve"'
    return f'<c r="{place}" t="inlineStr"><is><t{kept}>{safe}</t></is></c>'


XLSX = Writer(
    "xlsx",
    "Excel workbook (XLSX)",
    "For spreadsheets of every language; numbers stay exact.",
    ".xlsx",
    MEDIA_TYPE,
    workbook,
    obstacle,
)
