"""Rows of nothing but numbers, taken out of a sheet's XML before it is parsed element by element.

A row that does not look exactly as programs write such rows is left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_ROW = re.compile(rb'<row r="([1-9]\d{0,6})"(?: [\w:.]+="[^"<>&]*")*+>')
_FIRST = (
    re.compile(rb'<c r="A(\d+)"(?: s="(\d{1,6})")?(?: t="(s|n|str)")?><v>([^<&]*)</v></c>'),
    re.compile(rb'<c r="A(\d+)"(?: s="(\d{1,6})")? t="(inlineStr)"><is><t>([^<&]*)</t></is></c>'),
)
_BETWEEN = b'</v></c><c r="'
_BEGIN, _END = b'<c r="', b"</v></c></row>"
_STYLE = re.compile(rb'"(?: s="(\d{1,6})")?(?: t="n")?><v>')
_NUMBERS = re.compile(rb"[-\d.eE\t+]*+")
# A row of the widest sheet has about a megabyte.
_LONGEST = 2_000_000
_WIDEST = 16_384


class PlainRow(NamedTuple):
    """A row of numbers: its first cell, then the columns and the texts of all others.

    Parameters
    ----------
    line : where it stands, counted from one.
    first : kind, style and text of the cell in the first column; None where that is empty.
    style : of all other cells.
    columns : of them, counted from zero and rising.
    """

    line: int
    first: tuple[str, str, str] | None
    style: str
    columns: list[int]
    texts: list[str]


class PlainRows:
    """Takes plain rows out of a stream of XML, and lets everything else pass.

    Parameters
    ----------
    among_rows : whether the parser stands between two rows, having read all before.
    take : a row; says whether it was taken, else the parser gets it.
    """

    def __init__(self, among_rows: Callable[[], bool], take: Callable[[PlainRow], bool]) -> None:
        self._among_rows = among_rows
        self._take = take
        self._kept = b""
        self._off = False

    def sifted(self, chunk: bytes) -> Iterator[bytes]:
        """What is left for the parser, which must have read it before this goes on."""
        data = self._kept + chunk
        self._kept = b""
        # In comments and the like a row is none.
        self._off = self._off or b"<!" in data or (b"<?" in data and self._among_rows())
        place = 0
        while not self._off and (begin := data.find(b"<row ", place)) >= 0:
            if place < begin:
                yield data[place:begin]
            place = begin
            end = data.find(b"</row>", begin) + len(b"</row>")
            if end < len(b"</row>"):
                break
            row = data[begin:end]
            place = end
            found = plain_row(row) if self._among_rows() else None
            if found is None or not self._take(found):
                yield row
        rest = data[place:]
        # What may be the begin of a row waits for its end.
        cut = 0 if rest.startswith(b"<row ") else max(rest.rfind(b"<", -5), -1)
        if self._off or cut < 0 or len(rest) > _LONGEST:
            yield rest
        else:
            self._kept = rest[cut:]
            if cut:
                yield rest[:cut]

    def left(self) -> bytes:
        """What was kept back when the stream has ended."""
        return self._kept


def plain_row(row: bytes) -> PlainRow | None:
    """A row of numbers, perhaps with a name before them; None where it is anything else."""
    head = _ROW.match(row)
    if head is None or not row.endswith(_END) or b"\n" in row:
        return None
    at, first = head.end(), None
    for cell in filter(None, (form.match(row, at) for form in _FIRST)):
        place, style, kind, text = (part or b"" for part in cell.groups())
        # The parser alone knows in which encoding other letters are.
        if place != head[1] or not text.isascii():
            return None
        first = (kind.decode() or "n", style.decode() or "0", text.decode())
        at = cell.end()
    if row[at : at + len(_BEGIN)] != _BEGIN:
        return None
    return _numbers(row[at + len(_BEGIN) : -len(_END)], head[1], first)


def _numbers(inner: bytes, line: bytes, first: tuple[str, str, str] | None) -> PlainRow | None:
    style = _STYLE.search(inner)
    if style is None:
        return None
    parts = inner.replace(_BETWEEN, b"\n").replace(style[0], b"\n").split(b"\n")
    if len(parts) != 2 * (inner.count(_BETWEEN) + 1):
        return None
    # Names of cells without the number of the row: B, C, D.
    named = b"\n".join([*parts[::2], b""]).replace(line + b"\n", b"\n")
    columns = list(map(_COLUMNS.get, named[:-1].split(b"\n")))
    values = b"\t".join(parts[1::2])
    if None in columns or _NUMBERS.fullmatch(values) is None:
        return None
    known = [column for column in columns if column is not None]
    if known != sorted(set(known)) or (first and not known[0]):
        return None
    texts = values.decode("ascii").split("\t")
    return PlainRow(int(line), first, (style[1] or b"0").decode(), known, texts)


def _letters() -> dict[bytes, int]:
    """The number of every column by its name: A is 0."""
    one = [bytes([k]) for k in range(ord("A"), ord("Z") + 1)]
    names = [
        *one,
        *(a + b for a in one for b in one),
        *(a + b + c for a in one for b in one for c in one),
    ]
    return {name: k for k, name in enumerate(names[:_WIDEST])}


_COLUMNS = _letters()
