"""Large tables of JSON as lines of text, row by row; as a whole they take ten times as much."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from sys import intern
from typing import Any

from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.files.reading.encoding import text_of as decoded
from cml_core.files.reading.raw import Limits
from cml_core.values.whole_characters import of_whole_characters

ROW_NAMES = ("_row", "index", "level_0", "Unnamed: 0")
LABELS = ("labels", "names", "ids", "objects", "index", "columns")
REMEDY = 'Save the table as a list of rows: [{"name": "a", "b": 1.5}, …], or as CSV.'
_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\n\r]*+")
# What would end a cell, or begin a quoted one.
_UNSAFE = re.compile(r"[;\"\n\r]")
_PAIR = (3, 4)


def text_of(value: Any) -> str:
    """What people would type for a value of JSON; nothing for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return intern(str(int(value)))
    if isinstance(value, int):
        return intern(str(value))
    if isinstance(value, list | dict):
        raise UnreadableFile("A value of the JSON table is a list or an object.", remedy=REMEDY)
    return "" if value != value else str(value)


class _NotPlain(ValueError):
    """The JSON is no list of rows of the same keys, each of plain values."""


def lines_of_json(data: bytes, limits: Limits) -> bytes | None:
    """The table as lines with semicolons; None where it is not plain, or of more than is read.

    Rows may be lists or objects, in a list, in an object by the names of rows, or in a list beside
    others that hold names.
    """
    try:
        walk = _Walk(of_whole_characters(decoded(data)))
        rows = _of_list(walk, limits) if walk.next() == "[" else _of_object(walk, limits)
        if walk.next():
            return None
        del walk
        return b"\n".join(rows)
    except (ValueError, RecursionError, ConditionalMappingError):
        return None


class _Walk:
    """A place in a text of JSON, from which values are taken one by one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def next(self) -> str:
        """The next character that is not blank; none at the end."""
        found = _BLANK.match(self._text, self._place)
        self._place = found.end() if found else self._place
        return self._text[self._place : self._place + 1]

    def skip(self, mark: str) -> None:
        """Go behind a character that has to come next."""
        if self.next() != mark:
            raise _NotPlain
        self._place += 1

    def value(self) -> Any:
        """The next value, whatever it holds."""
        self.next()
        value, self._place = _DECODER.raw_decode(self._text, self._place)
        return value

    def entries(self, close: str) -> Iterator[None]:
        """Stand before each entry in turn; whoever asks takes it."""
        self._place += 1
        if self.next() == close:
            self._place += 1
            return
        while True:
            yield
            if self.next() != ",":
                self.skip(close)
                return
            self._place += 1


class _Lines:
    """Rows as lines, as long as they are not more than are read, and alike."""

    def __init__(self, limits: Limits) -> None:
        self.lines: list[bytes] = []
        self._most = limits.objects
        self._keys: list[str] | None = None
        self._sides: tuple[set[str], ...] = (set(), set())
        self._width = 0

    def add(self, row: Any, *before: str) -> None:
        """One more row, behind its name where it has one."""
        if isinstance(row, dict):
            self._add_record(row, before)
        elif isinstance(row, list):
            self._add(before, row)
        else:
            raise _NotPlain

    def _add_record(self, row: dict[str, Any], before: tuple[str, ...]) -> None:
        keys = list(row)
        if self._keys is None:
            self._keys = keys
            first = next((key for key in ROW_NAMES if key in keys), "")
            if first and keys[0] != first:
                raise _NotPlain
            self._add(("",) * len(before), ["" if key == first else key for key in keys])
        if keys != self._keys:
            raise _NotPlain
        self._add(before, row.values())

    def _add(self, before: tuple[str, ...], values: Iterable[Any]) -> None:
        row = [*before, *map(text_of, values)]
        self._width = self._width or len(row)
        if len(row) != self._width:
            raise _NotPlain
        if len(row) not in _PAIR:
            too_many = len(self.lines) > self._most
        else:
            for side, name in zip(self._sides, row, strict=False):
                side.add(name)
            too_many = min(map(len, self._sides)) > self._most
        if too_many:
            raise _NotPlain
        self.lines.append(line_of(row))


def line_of(row: Sequence[str]) -> bytes:
    """A row as one line."""
    line = ";".join(row)
    if line.count(";") != len(row) - 1 or _UNSAFE.search(line.replace(";", "")):
        raise _NotPlain
    return line.encode()


def _of_list(walk: _Walk, limits: Limits) -> list[bytes]:
    lines = _Lines(limits)
    for _ in walk.entries("]"):
        lines.add(walk.value())
    return lines.lines


def _of_object(walk: _Walk, limits: Limits) -> list[bytes]:
    """Rows by their names; or a list of rows, with lists of names before or behind."""
    lines = _Lines(limits)
    names: dict[str, list[str]] = {}
    listed, nested = "", False
    for _ in walk.entries("}"):
        key = str(walk.value())
        walk.skip(":")
        if walk.next() == "{":
            nested = True
            lines.add(walk.value(), key)
            continue
        if walk.next() != "[":
            walk.value()
            continue
        for _ in walk.entries("]"):
            if walk.next() == "[":
                if listed not in ("", key):
                    raise _NotPlain
                listed = key
                lines.add(walk.value())
            else:
                names.setdefault(key, []).append(text_of(walk.value()))
    if bool(listed) == nested:
        raise _NotPlain
    return _named(lines.lines, names) if listed else _by_name(lines.lines)


def _named(lines: list[bytes], names: dict[str, list[str]]) -> list[bytes]:
    """Lines behind the names of rows, under those of columns, where either are given."""
    known = {key: names[key] for key in LABELS if key in names}
    rows = next((n for k, n in known.items() if k != "columns" and len(n) == len(lines)), None)
    square = lines[0].count(b";") + 1 == len(lines)
    columns = known.get("columns", rows if square else None)
    for k, name in enumerate(rows or ()):
        lines[k] = line_of([name]) + b";" + lines[k]
    head = [line_of(["", *columns] if rows else columns)] if columns else []
    return [*head, *lines]


def _by_name(lines: list[bytes]) -> list[bytes]:
    """Lines of an object of objects, unless these are columns of rows that are only counted."""
    inner = lines[0].split(b";")[1:]
    if inner == [b"%d" % k for k in range(len(inner))]:
        raise _NotPlain
    return lines
