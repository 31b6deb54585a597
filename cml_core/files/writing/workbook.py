"""A workbook with one sheet: the square table, numbers in full precision, names as texts.

The usual libraries round numbers to 16 digits when they write a workbook; this must not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from cml_core.files.safe_csv import neutralised
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
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="dissimilarities" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_LINKS}">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    "</Relationships>",
}


def workbook(dissimilarities: Dissimilarities) -> bytes:
    """The square table as the only sheet of an Excel workbook."""
    parts = {**_AROUND, "xl/worksheets/sheet1.xml": "".join(_sheet(dissimilarities))}
    return packed({name: (_HEAD + text).encode() for name, text in parts.items()})


def obstacle(dissimilarities: Dissimilarities) -> str:
    """What stands in the way of a workbook; empty where nothing does."""
    labels = dissimilarities.labels
    if len(labels) >= MOST_COLUMNS:
        return f"a sheet has {MOST_COLUMNS} columns, one less than that many objects"
    for label in labels:
        if _NOT_IN_XML.search(label) or len(label) >= LONGEST_TEXT:
            return f"{label[:40]!r} has a character, or a length, that no cell can hold"
    return encodable_name(labels)


def _sheet(dissimilarities: Dissimilarities) -> Iterator[str]:
    labels = dissimilarities.labels
    yield f'<worksheet xmlns="{_MAIN}"><sheetData>'
    above = _text(corner(labels)) if corner(labels) else "<c/>"
    yield f"<row>{above}{''.join(map(_text, labels))}</row>"
    for label, values in full_rows(dissimilarities):
        cells = "".join(f"<c><v>{value}</v></c>" if value else "<c/>" for value in values)
        yield f"<row>{_text(label)}{cells}</row>"
    yield "</sheetData></worksheet>"


def _text(text: str) -> str:
    # A bare carriage return would be read as a line feed.
    safe = escape(neutralised(text), {"\r": "&#13;"})
    return f'<c t="inlineStr"><is><t xml:space="preserve">{safe}</t></is></c>'


XLSX = Writer(
    "xlsx",
    "Excel workbook (XLSX)",
    "For spreadsheets of every language; numbers stay exact.",
    ".xlsx",
    f"{_SHEET_TYPE}.sheet",
    workbook,
    obstacle,
)
