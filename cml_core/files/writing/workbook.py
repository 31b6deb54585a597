"""Workbooks with one sheet: numbers in full precision, names as texts whatever they look like.

The usual libraries round numbers to 16 digits when they write a workbook; this must not. A cell
that is typed as a text is never run as a formula, so names stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

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
    rows = ((label, *values) for label, values in full_rows(dissimilarities))
    above = (corner(labels) or None, *labels)
    lines = (f"<row>{_text(name)}{''.join(map(_number, values))}</row>" for name, *values in rows)
    return _workbook("dissimilarities", _row(above), lines)


def table_workbook(name: str, rows: Iterable[Iterable[object]]) -> bytes:
    """A table as the only sheet of a workbook: texts, numbers, and None or NaN for no cell."""
    return _workbook(name, "", map(_row, rows))


def obstacle(dissimilarities: Dissimilarities) -> str:
    """What stands in the way of a workbook; empty where nothing does."""
    labels = dissimilarities.labels
    if len(labels) >= MOST_COLUMNS:
        return f"a sheet has {MOST_COLUMNS} columns, one less than that many objects"
    for label in labels:
        if _NOT_IN_XML.search(label) or len(label) >= LONGEST_TEXT:
            return f"{label[:40]!r} has a character, or a length, that no cell can hold"
    return encodable_name(labels)


def _workbook(name: str, above: str, rows: Iterable[str]) -> bytes:
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name="{name}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    sheet = "".join(_sheet(above, rows))
    parts = {**_AROUND, "xl/workbook.xml": book, "xl/worksheets/sheet1.xml": sheet}
    return packed({path: (_HEAD + text).encode() for path, text in parts.items()})


def _sheet(above: str, rows: Iterable[str]) -> Iterator[str]:
    yield f'<worksheet xmlns="{_MAIN}"><sheetData>{above}'
    yield from rows
    yield "</sheetData></worksheet>"


def _row(cells: Iterable[object]) -> str:
    return f"<row>{''.join(map(_cell, cells))}</row>"


def _cell(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    missing = value is None or value != value
    return _number("" if missing else repr(float(value)))  # type: ignore[arg-type]


def _number(digits: str) -> str:
    return f"<c><v>{digits}</v></c>" if digits else "<c/>"


def _text(text: str) -> str:
    # A bare carriage return would be read as a line feed.
    safe = escape(_NOT_IN_XML.sub("\ufffd", text[:LONGEST_TEXT]), {"\r": "&#13;"})
    return f'<c t="inlineStr"><is><t xml:space="preserve">{safe}</t></is></c>'


XLSX = Writer(
    "xlsx",
    "Excel workbook (XLSX)",
    "For spreadsheets of every language; numbers stay exact.",
    ".xlsx",
    MEDIA_TYPE,
    workbook,
    obstacle,
)
