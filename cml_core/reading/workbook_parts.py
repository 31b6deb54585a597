"""The XML inside a workbook, looked through once before any of it is believed."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from cml_core.errors import UnreadableFile
from cml_core.reading.archive import Archive

# What a reader of cells never needs, and what is large, costly or risky to read.
_ASIDE = (
    "xl/charts/",
    "xl/chartsheets/",
    "xl/dialogsheets/",
    "xl/drawings/",
    "xl/externalLinks/",
    "xl/media/",
    "xl/persons/",
    "xl/pivotCache/",
    "xl/pivotTables/",
    "xl/printerSettings/",
    "xl/tables/",
    "xl/theme/",
    "xl/threadedComments/",
    "xl/worksheets/_rels/",
    "xl/comments",
)
WIDEST = 16_384  # columns of a sheet in any spreadsheet program
DEEPEST = 100
# Beyond what is small, each element takes at least this share of a byte once packed.
ALWAYS_READ = 200_000
ELEMENTS_PER_BYTE = 2
# Formats, merged ranges, links: everything that is neither a cell nor a text.
MOST_FURNITURE = 40_000
MOST_SHEETS = 1_000
# Elements and attributes in a row or a shared text, and the bytes that they take.
FULLEST_ROW = 10 * WIDEST
LONGEST_ROW = 8_000_000
# Of one tag or comment, which the parser holds as a whole.
LONGEST_TAG = 262_144


def needed_parts(archive: Archive) -> tuple[str, ...]:
    """The parts that say what stands in cells."""
    return tuple(
        name
        for name in archive.names
        if name == "[Content_Types].xml"
        or (
            name.startswith("xl/")
            and name.endswith((".xml", ".rels"))
            and not name.startswith(_ASIDE)
        )
    )


def check_parts(archive: Archive, packed: int) -> None:
    """Raise `UnreadableFile` unless every needed part is sound and in proportion.

    Parameters
    ----------
    packed : bytes of the file.
    """
    most = ALWAYS_READ + ELEMENTS_PER_BYTE * packed
    for name in needed_parts(archive):
        look = _Look(name, most)
        try:
            for chunk in archive.chunks(name):
                look.take(chunk)
            look.parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise damaged(f"{name!r} is no proper XML at line {error.lineno}") from None
        most -= look.elements


def damaged(what: str) -> UnreadableFile:
    """The error for a workbook that does not hang together."""
    return UnreadableFile(
        f"The workbook is damaged: {what}.",
        remedy="Open it in a spreadsheet program and save it again as .xlsx, "
        "or save the table as CSV.",
    )


class _Look:
    """Counts the elements of one part while it is parsed, and stops where there are too many."""

    def __init__(self, name: str, most: int) -> None:
        self.name, self.most = name, most
        self.elements = self.depth = self.furniture = self.sheets = self.taken = 0
        # Of the row, or shared text, that is open now: its depth, its first byte, its elements.
        self.row_depth = self.row_begin = self.in_row = 0
        self.parser: Any = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def take(self, chunk: bytes) -> None:
        self.parser.Parse(chunk, False)
        self.taken += len(chunk)
        if self.taken - self.parser.CurrentByteIndex > LONGEST_TAG:
            raise self._out_of_proportion()

    def _doctype(self, *_: object) -> None:
        raise UnreadableFile(
            f"{self.name!r} in the workbook defines entities of its own, as no spreadsheet does.",
            remedy="Open the file in a spreadsheet program and save it again as .xlsx.",
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        self.depth += 1
        if self.elements > self.most or self.depth > DEEPEST:
            raise self._out_of_proportion()
        if self.row_depth:
            self.in_row += 1 + len(attributes)
            if self.in_row > FULLEST_ROW:
                raise damaged(f"a row of {self.name!r} is wider than any sheet")
        elif tag.endswith((" row", " si")):
            self.row_depth, self.in_row = self.depth, 0
            self.row_begin = self.parser.CurrentByteIndex
        else:
            self._count_furniture(tag)

    def _count_furniture(self, tag: str) -> None:
        self.furniture += 1
        self.sheets += tag.endswith(" sheet")
        if self.furniture > MOST_FURNITURE or self.sheets > MOST_SHEETS:
            raise UnreadableFile(
                f"{self.name!r} in the workbook holds more than {MOST_FURNITURE} formats, "
                f"merged ranges or links, or more than {MOST_SHEETS} sheets.",
                remedy="Copy the values alone into a new workbook, or save the table as CSV.",
            )

    def _end(self, _: str) -> None:
        if self.depth == self.row_depth:
            self.row_depth = 0
            if self.parser.CurrentByteIndex - self.row_begin > LONGEST_ROW:
                raise self._out_of_proportion()
        self.depth -= 1

    def _out_of_proportion(self) -> UnreadableFile:
        return UnreadableFile(
            f"{self.name!r} in the workbook is out of all proportion to a table.",
            remedy="Copy the values into a new workbook, or save the table as CSV.",
        )
