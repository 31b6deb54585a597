"""What a workbook says about itself: its sheets, their parts, its texts and date formats."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from cml_core.errors import UnreadableFile
from cml_core.files.reading.archive import Archive
from cml_core.files.reading.workbook.stored_values import BUILT_IN, kind_of_format, plain_text
from cml_core.files.reading.workbook.xml import (
    LONGEST_TEXT_HELD,
    Marks,
    Part,
    damaged,
    out_of_proportion,
    parse,
)

BOOK = "xl/workbook.xml"
# Far more than any table has; each is parsed and held before the first cell is looked at.
MOST_SHEETS = 1_000
MOST_STYLES = 100_000
MOST_TEXTS = 1_000_000
_LONGEST_NAME = 255
_LONGEST_FORMAT = 1_000
_LINKS = ("http://schemas.openxmlformats.org/package/2006/relationships",)
_SHEET, _STRINGS, _STYLES = "worksheet", "sharedStrings", "styles"
_TRUE = ("1", "true", "on")


@dataclass(frozen=True)
class Sheet:
    """A sheet of cells: its name, whether it is to be seen, and the part that it is in."""

    name: str
    visible: bool
    part: str


@dataclass(frozen=True)
class Book:
    """A workbook of which only the table of contents has been read.

    Parameters
    ----------
    strings, styles : names of these parts; empty where there are none.
    since_1904 : whether days are counted from 1904, not 1900.
    marks : how much may still be parsed of it.
    """

    archive: Archive = field(repr=False)
    marks: Marks = field(repr=False)
    sheets: tuple[Sheet, ...]
    strings: str
    styles: str
    since_1904: bool


def book_of(archive: Archive, packed: int) -> Book:
    """The sheets of a workbook, in their order; charts are none.

    Parameters
    ----------
    packed : bytes of the file.
    """
    marks = Marks(packed)
    contents = _Contents(BOOK)
    links = _Links("xl/_rels/workbook.xml.rels")
    for part in (contents, links):
        if part.name not in archive:
            raise damaged("its parts do not fit together")
        parse(archive, part, marks)
    # Where these are not linked to, they may still be in their usual place.
    usual = {_STRINGS: "xl/sharedStrings.xml", _STYLES: "xl/styles.xml"}
    shared = usual | {kind: part for kind, part in links.parts.values() if kind in usual}
    return Book(
        archive,
        marks,
        _sheets(contents, links.parts),
        _found(archive, shared[_STRINGS]),
        _found(archive, shared[_STYLES]),
        contents.since_1904,
    )


def _sheets(contents: _Contents, links: Mapping[str, tuple[str, str]]) -> tuple[Sheet, ...]:
    sheets = []
    for name, state, link in contents.sheets:
        if link not in links:
            raise damaged("its parts do not fit together")
        kind, part = links[link]
        if kind == _SHEET:
            sheets.append(Sheet(name, state == "visible", part))
    if len({sheet.part for sheet in sheets}) < len(sheets):
        raise damaged("two of its sheets are the same part")
    return tuple(sheets)


def _found(archive: Archive, name: str) -> str:
    """The name of a part as the archive spells it; empty where it is not there."""
    if name in archive:
        return name
    # Some programs write sharedStrings.xml here and SharedStrings.xml there.
    return next((other for other in archive.names if other.lower() == name.lower()), "")


class _Contents(Part):
    """The sheets with their names, states and links, and the date system."""

    root = "workbook"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.sheets: list[tuple[str, str, str]] = []
        self.since_1904 = False

    def opened(self, local: str, attributes: dict[str, str]) -> None:
        if local == "workbookPr":
            self.since_1904 = attributes.get("date1904", "") in _TRUE
        elif local == "sheet":
            name = plain_text(attributes.get("name", ""))
            if len(name) > _LONGEST_NAME:
                raise damaged(f"a sheet has a name of {len(name)} characters")
            link = next((value for key, value in attributes.items() if key.endswith(" id")), "")
            self.sheets.append((name, attributes.get("state", "visible"), link))
            if len(self.sheets) > MOST_SHEETS:
                raise UnreadableFile(
                    f"The workbook has more than {MOST_SHEETS} sheets.",
                    remedy="Copy the sheet that is needed into a new workbook.",
                )

    def closed(self, local: str) -> None:
        if local == "sheets":
            self.done = True


class _Links(Part):
    """The kind and the name of each part that the workbook links to."""

    root = "Relationships"
    namespaces = _LINKS

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.parts: dict[str, tuple[str, str]] = {}

    def opened(self, local: str, attributes: dict[str, str]) -> None:
        if local == "Relationship" and attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = posixpath.join("/xl", attributes.get("Target", ""))
            part = posixpath.normpath(target).lstrip("/")
            self.parts[attributes.get("Id", "")] = (kind, part)


def styles_with_dates(book: Book) -> dict[str, str]:
    """The kind of date that a style shows, by its number as cells have it."""
    if not book.styles:
        return {}
    part = _Styles(book.styles)
    parse(book.archive, part, book.marks)
    return part.kinds


class _Styles(Part):
    root = "styleSheet"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._formats: dict[str, str] = {str(key): kind for key, kind in BUILT_IN.items()}
        self._among_cells = False
        self._count = 0
        self.kinds: dict[str, str] = {}

    def opened(self, local: str, attributes: dict[str, str]) -> None:
        if local == "cellXfs":
            self._among_cells = True
        elif local == "numFmt" and not self._count:
            code = attributes.get("formatCode", "")[:_LONGEST_FORMAT]
            self._formats[attributes.get("numFmtId", "")] = kind_of_format(code)
        elif local == "xf" and self._among_cells:
            kind = self._formats.get(attributes.get("numFmtId", "0"))
            if kind:
                self.kinds[str(self._count)] = kind
            self._count += 1
            if self._count > MOST_STYLES:
                raise UnreadableFile(
                    f"The workbook has more than {MOST_STYLES} formats of cells.",
                    remedy="Copy the values alone into a new workbook, or save the table as CSV.",
                )

    def closed(self, local: str) -> None:
        if local == "cellXfs":
            self._among_cells = False
            self.done = True


class Runs:
    """A text on its way, put together of runs; how words sound is left out."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._runs: list[str] = []
        self._held = 0
        self._sounding = False

    def opened(self, local: str) -> None:
        """An element begins within the text."""
        if local == "t":
            self._part.pieces.clear()
        elif local == "rPh":
            self._sounding = True

    def closed(self, local: str) -> None:
        """An element ends within the text."""
        if local == "rPh":
            self._sounding = False
        elif local == "t" and not self._sounding:
            self._runs.append("".join(self._part.pieces))
            self._held += 1 + len(self._runs[-1])
            if self._held > LONGEST_TEXT_HELD:
                raise out_of_proportion(self._part.name)

    def taken(self) -> str:
        """The whole text; the next one begins."""
        text = "".join(self._runs)
        self._runs.clear()
        self._held = 0
        return text


def shared_texts(book: Book) -> list[str]:
    """The texts that cells refer to by their number."""
    if not book.strings:
        return []
    part = _Strings(book.strings)
    parse(book.archive, part, book.marks)
    return part.texts


class _Strings(Part):
    root = "sst"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._runs = Runs(self)
        self.texts: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        self.depth += 1
        self._runs.opened(tag.removeprefix(self.prefix))

    def end(self, tag: str) -> None:
        self.depth -= 1
        local = tag.removeprefix(self.prefix)
        if local == "si":
            self.texts.append(plain_text(self._runs.taken()))
            if len(self.texts) > MOST_TEXTS:
                raise UnreadableFile(
                    f"The workbook has more than {MOST_TEXTS} texts.",
                    remedy="Copy the table that is needed into a new workbook.",
                )
        else:
            self._runs.closed(local)
