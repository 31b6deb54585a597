"""R's own files, .rds and .RData, in each of the three forms that R has for them."""

# pyreadr loses the names of a dist and refuses the form in plain text; rdata reads all of it and
# takes a second and 120 MB to be imported. The form itself is simple, and told in full in the
# manual "R Internals"; read so, no count is believed that the rest of the file does not bear out.

from __future__ import annotations

import math
import re
import struct

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Grids, Table, chosen_of
from cml_core.files.reading.grids.r_values import RValue, tables_in
from cml_core.files.reading.packed import PACKED, unpacked
from cml_core.files.reading.raw import Limits

_MANY = re.compile(rb"RD[AX][23]\n")
_FORM = re.compile(rb"[AXB]\n")
_NA_INTEGER = -(2**31)
_DEEPEST, _MOST_RANGED = 100, 1_000_000
_NIL = frozenset((254, 253, 252, 251, 250, 242, 241))
_PAIRS = frozenset((2, 3, 5, 6, 17, 239, 240))
_ATTRIBUTES, _TAG = 0x200, 0x400


class _Stream:
    """Numbers and bytes of a file, whichever form they are written in."""

    def __init__(self, data: bytes, form: bytes, place: int) -> None:
        self._data, self._place, self._ascii = data, place, form == b"A\n"
        self._order = "<" if form == b"B\n" else ">"

    def left(self) -> int:
        return len(self._data) - self._place

    def take(self, size: int) -> bytes:
        if size < 0 or size > self.left():
            raise _damaged()
        self._place += size
        return self._data[self._place - size : self._place]

    def _line(self) -> bytes:
        end = self._data.find(b"\n", self._place)
        if end < 0:
            raise _damaged()
        line = self._data[self._place : end]
        self._place = end + 1
        return line.strip()

    def integer(self) -> int:
        if self._ascii:
            line = self._line()
            return _NA_INTEGER if line == b"NA" else int(line)
        return int(struct.unpack(f"{self._order}i", self.take(4))[0])

    def length(self) -> int:
        """A count of things that take at least a byte each."""
        found = self.integer()
        if found == -1:
            found = (self.integer() << 32) + self.integer()
        if not 0 <= found <= self.left():
            raise _damaged()
        return found

    def integers(self, count: int) -> list[object]:
        found = (
            [self.integer() for _ in range(count)]
            if self._ascii
            else np.frombuffer(self.take(4 * count), f"{self._order}i4").tolist()
        )
        return [None if value == _NA_INTEGER else value for value in found]

    def reals(self, count: int) -> list[object]:
        if self._ascii:
            words = {b"NA": math.nan, b"NaN": math.nan}
            lines = (self._line() for _ in range(count))
            return [words[line] if line in words else float(line) for line in lines]
        found: list[object] = np.frombuffer(self.take(8 * count), f"{self._order}f8").tolist()
        return found

    def text(self, size: int) -> str:
        if not self._ascii:
            return self.take(size).decode("utf-8", "replace")
        escaped = self._line().decode("latin-1")
        return (
            escaped.encode("latin-1")
            .decode("unicode_escape")
            .encode("latin-1")
            .decode("utf-8", "replace")
        )


class _Objects:
    """Reads one object after the other."""

    def __init__(self, stream: _Stream) -> None:
        self._from = stream
        self._known: list[object] = []
        self._depth = 0
        self._ranged = 0.0

    def next(self) -> object:
        """An `RValue`, the text of a name, or None for what is no data."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _damaged()
        flags = self._from.integer()
        found = self._of_kind(flags & 0xFF, flags)
        self._depth -= 1
        return found

    def _of_kind(self, kind: int, flags: int) -> object:
        if kind in _PAIRS:
            return self._pairs(flags)
        if kind in (10, 13, 14, 15, 16, 19, 20, 24):
            return self._vector(kind, flags)
        if kind == 9:
            size = self._from.integer()
            return None if size == -1 else self._from.text(size)
        if kind == 255:
            place = (flags >> 8) or self._from.integer()
            return self._known[place - 1] if 0 < place <= len(self._known) else None
        return self._other(kind, flags)

    def _other(self, kind: int, flags: int) -> object:
        if kind == 0 or kind in _NIL:
            return None
        if kind == 1:
            name = self.next()
            self._known.append(name)
            return name
        if kind == 4:
            self._known.append(None)
            self._from.integer()
            for _ in range(4):
                self.next()
            return None
        if kind in (247, 248, 249):
            self._from.integer()
            for _ in range(self._from.length()):
                self.next()
            self._known.append(None)
            return None
        if kind == 25:
            return RValue((), self._attributes(flags))
        if kind == 238:
            return self._deferred()
        raise UnreadableFile(
            "The file of R holds functions or other things that are no data.",
            remedy="Save the table alone, saveRDS(d, 'd.rds'), or as CSV with write.csv().",
        )

    def _pairs(self, flags: int) -> RValue:
        """A list of pairs, by its values and their names; calls are such lists too."""
        values: list[object] = []
        names: list[object] = []
        attributes: dict[str, RValue] = {}
        while True:
            if flags & _ATTRIBUTES:
                attributes |= self._attributes(flags)
            tag = self.next() if flags & _TAG else ""
            names.append(tag if isinstance(tag, str) else "")
            values.append(self.next())
            flags = self._from.integer()
            if flags & 0xFF not in _PAIRS:
                rest = self._of_kind(flags & 0xFF, flags)
                if rest is not None:
                    values.append(rest)
                    names.append("")
                return RValue(values, {"names": RValue(names)} | attributes)

    def _vector(self, kind: int, flags: int) -> RValue:
        count = self._from.length()
        values: list[object]
        if kind in (16, 19, 20):
            values = [self.next() for _ in range(count)]
        elif kind in (10, 13):
            values = self._from.integers(count)
            if kind == 10:
                values = [None if value is None else bool(value) for value in values]
        elif kind == 24:
            values = list(self._from.take(count))
        else:
            values = self._from.reals(count * (2 if kind == 15 else 1))
        return RValue(values, self._attributes(flags))

    def _attributes(self, flags: int) -> dict[str, RValue]:
        found = self.next() if flags & _ATTRIBUTES else None
        if not isinstance(found, RValue):
            return {}
        named = zip(found.texts("names"), found.values, strict=False)
        return {name: value for name, value in named if isinstance(value, RValue)}

    def _deferred(self) -> RValue:
        """What R keeps in short, such as 1:n: how it is called, what it holds, its attributes."""
        told, state, attributes = self.next(), self.next(), self.next()
        how = str(told.values[0]) if isinstance(told, RValue) and told.values else ""
        held = state if isinstance(state, RValue) else RValue()
        if how.startswith("compact_"):
            count, first, step = (float(str(value)) for value in held.values[:3])
            # A few bytes stand for as many numbers as they like.
            self._ranged += abs(count)
            if not self._ranged <= _MOST_RANGED:
                raise _damaged()
            kind = int if how == "compact_intseq" else float
            return RValue([kind(first + step * k) for k in range(int(count))])
        inner = held.values[0] if held.values and isinstance(held.values[0], RValue) else held
        given = self._named(attributes)
        if how == "deferred_string":
            return RValue(["" if v is None else _as_text(v) for v in inner.values], given)
        return RValue(inner.values, inner.attributes | given)

    @staticmethod
    def _named(found: object) -> dict[str, RValue]:
        if not isinstance(found, RValue):
            return {}
        named = zip(found.texts("names"), found.values, strict=False)
        return {name: value for name, value in named if isinstance(value, RValue)}


def _as_text(value: object) -> str:
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole and isinstance(value, float) else str(value)


def _tables(data: bytes, limits: Limits) -> list[Table]:
    begin = match.end() if (match := _MANY.match(data)) else 0
    stream = _Stream(data, data[begin : begin + 2], begin + 2)
    version = stream.integer()
    stream.integer(), stream.integer()
    if version == 3:
        stream.text(stream.length())
    found = _Objects(stream).next()
    if not isinstance(found, RValue):
        return []
    named = zip(found.texts("names"), found.values, strict=False) if begin else [("", found)]
    return tables_in([(n, value) for n, value in named if isinstance(value, RValue)], limits)


def _opened(data: bytes, sheet: str, limits: Limits) -> Grids:
    plain = unpacked(data, limits) if data.startswith(PACKED) else data
    try:
        tables = _tables(plain, limits)
    except UnreadableFile:
        raise
    except (ValueError, TypeError, IndexError, struct.error, RecursionError, OverflowError):
        raise _damaged() from None
    if not tables:
        raise UnreadableFile(
            "The file of R holds no dist, matrix or data frame.",
            remedy="Save the table itself: saveRDS(d, 'd.rds').",
        )
    return chosen_of(tables, sheet, limits)


def _suits(begin: Begin) -> bool:
    data = begin.data
    if data.startswith(PACKED):
        data = unpacked(data, None, 16)
    found = _MANY.match(data)
    at = found.end() if found else 0
    if not _FORM.match(data, at):
        return False
    # The version follows: as a number in plain text, or in four bytes.
    return (
        bool(found)
        or data[2:6] in (b"\0\0\0\2", b"\0\0\0\3", b"\2\0\0\0", b"\3\0\0\0")
        or (data[:1] == b"A" and data[2:4] in (b"2\n", b"3\n"))
    )


def _damaged() -> UnreadableFile:
    return UnreadableFile(
        "The file begins as one of R, but is damaged or cut short.",
        remedy="Save it again with saveRDS(), or as CSV with write.csv().",
    )


R_DATA = GridFile("a file of R", _suits, _opened, with_points=True)
