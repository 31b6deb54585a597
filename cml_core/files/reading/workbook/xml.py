"""The XML inside a workbook: parsed a little at a time, and never more than a table needs."""

from __future__ import annotations

from typing import Any, ClassVar
from xml.parsers import expat

from cml_core.errors import UnreadableFile
from cml_core.files.reading.archive import Archive
from cml_core.files.reading.workbook.plain_rows import PlainRows

# As most programs write them, and as those of 'Strict Open XML' are.
SPREADSHEET = (
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://purl.oclc.org/ooxml/spreadsheetml/main",
)
SAVE_AGAIN = (
    "Open the workbook in a spreadsheet program and save it again as .xlsx, "
    "or save the table as CSV."
)
# Real parts are about ten elements deep.
DEEPEST = 100
# What costs time, in marks: elements, attributes, references, ends of lines, escapes, and the tags
# of a row. A cell has about six. Beyond what is small, each mark takes at least this share of a
# byte once packed; a sheet of 3000 by 3000 cells has up to 63 million. Zeros are those of UTF-16,
# in which the other marks cannot be seen.
ALWAYS_READ = 4_000_000
MARKS_PER_BYTE = 2.5
MOST_READ = 70_000_000
_COSTS = {b"<": 1, b"/>": 1, b"=": 1, b"&": 1, b"\n": 1, b"\r": 1, b"_x": 2, b"row": 5, b"\0": 1}
# Of one tag or comment, which the parser holds as a whole.
LONGEST_TAG = 262_144
# Of the text of a cell while it is put together; no cell may hold half as much.
LONGEST_TEXT_HELD = 131_072
# In others a mark may be another byte.
_ENCODINGS = ("utf-8", "utf-16", "us-ascii", "iso-8859-1")


class Marks:
    """How much may still be parsed of a workbook, all of its parts together.

    Parameters
    ----------
    packed : bytes of the file.
    """

    def __init__(self, packed: int) -> None:
        self._left = min(ALWAYS_READ + int(MARKS_PER_BYTE * packed), MOST_READ)

    def spend(self, chunk: bytes, part: str) -> None:
        """Raise `UnreadableFile` where a part is too much."""
        self._left -= sum(cost * chunk.count(mark) for mark, cost in _COSTS.items())
        if self._left < 0:
            raise out_of_proportion(part)


class Part:
    """What is looked for in one part of a workbook, told of every element that begins or ends.

    Attributes
    ----------
    root : the local name of the outermost element, and the namespaces that it may be in.
    qualified : whether tags come as "namespace name"; else as written, which is faster.
    prefix : what stands before the local name in every tag of interest.
    pieces : the text since they were last cleared.
    depth : of the element that is open.
    done : set where nothing of interest can follow.
    """

    root: ClassVar[str] = ""
    namespaces: ClassVar[tuple[str, ...]] = SPREADSHEET
    qualified: ClassVar[bool] = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.prefix = ""
        self.pieces: list[str] = []
        self.depth = 0
        self.done = False

    def begin(self, prefix: str) -> None:
        """The outermost element begins."""
        self.prefix = prefix
        self.depth = 1

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins within the outermost one."""
        self.depth += 1
        self.opened(tag.removeprefix(self.prefix), attributes)

    def end(self, tag: str) -> None:
        """An element ends."""
        self.depth -= 1
        self.closed(tag.removeprefix(self.prefix))

    def opened(self, local: str, attributes: dict[str, str]) -> None:
        """An element begins, of which this is the local name where it may be of interest."""

    def closed(self, local: str) -> None:
        """An element ends."""

    def check_held(self) -> None:
        """Raise `UnreadableFile` where too much is open; called after every stretch."""
        held = sum(map(len, self.pieces))
        if held > LONGEST_TEXT_HELD and all(map(str.isspace, self.pieces)):
            self.pieces.clear()
            held = 0
        if held > LONGEST_TEXT_HELD or self.depth > DEEPEST:
            raise out_of_proportion(self.name)


def parse(archive: Archive, part: Part, marks: Marks, sieve: PlainRows | None = None) -> None:
    """Read a part of an archive; raise `UnreadableFile` where it is unsound or too much.

    Parameters
    ----------
    sieve : takes out what need not be parsed.
    """
    parser = _parser(part)
    taken = 0
    try:
        for chunk in archive.chunks(part.name):
            for piece in sieve.sifted(chunk) if sieve else (chunk,):
                # Before it is parsed: afterwards the time has been spent.
                marks.spend(piece, part.name)
                parser.Parse(piece, False)
                taken += len(piece)
            if taken - parser.CurrentByteIndex > LONGEST_TAG:
                raise out_of_proportion(part.name)
            part.check_held()
            if part.done:
                return
        parser.Parse(sieve.left() if sieve else b"", True)
    except expat.ExpatError as error:
        raise damaged(f"{part.name!r} is no proper XML at line {error.lineno}") from None


def _parser(part: Part) -> Any:
    """A parser that tells the part of its elements, the outermost one apart."""
    # Bare expat: ElementTree, even a little at a time, makes an object of every element and keeps
    # it, and lxml is one more thing to install.
    parser: Any = expat.ParserCreate(namespace_separator=" " if part.qualified else None)

    def begin(tag: str, attributes: dict[str, str]) -> None:
        prefix = tag.removesuffix(part.root)
        if part.qualified:
            namespace = prefix.removesuffix(" ")
        else:
            namespace = attributes.get(f"xmlns:{prefix[:-1]}" if prefix else "xmlns", "")
        if prefix == tag or namespace not in part.namespaces:
            raise damaged(f"{part.name!r} is no {part.root}")
        part.begin(prefix)
        parser.StartElementHandler = part.start

    def declared(_: str, encoding: str | None, __: int) -> None:
        if encoding and not encoding.lower().startswith(_ENCODINGS):
            raise damaged(f"{part.name!r} is not in the encoding UTF-8")

    # Entities that name one another ten times over become gigabytes, nine levels deep.
    def doctype(*_: object) -> None:
        raise UnreadableFile(
            f"{part.name!r} in the workbook defines entities of its own, as no spreadsheet does.",
            remedy=SAVE_AGAIN,
        )

    parser.buffer_text = True
    parser.XmlDeclHandler = declared
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = begin
    parser.EndElementHandler = part.end
    parser.CharacterDataHandler = part.pieces.append
    return parser


def damaged(what: str) -> UnreadableFile:
    """The error for a workbook that does not hang together."""
    return UnreadableFile(f"The workbook is damaged: {what}.", remedy=SAVE_AGAIN)


def out_of_proportion(part: str) -> UnreadableFile:
    """The error for a part that holds more than a table does."""
    return UnreadableFile(
        f"{part!r} in the workbook is out of all proportion to a table.",
        remedy="Copy the values into a new workbook, or save the table as CSV.",
    )
