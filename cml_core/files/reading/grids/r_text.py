"""What R's dput() and dump() write: structure(c(1, 2), dim = …), as text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from cml_core.errors import UnreadableFile
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.grids.r_values import RValue, tables_in
from cml_core.files.reading.raw import Limits

_BEGIN = re.compile(
    r'(?:(?:[\w.]+|`[^`]+`|"[^"]+")\s*(?:<-|=)\s*)?(?:structure\s*\(|list\s*\(|c\s*\()'
)
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')"""
    r"|(?P<number>(?:\d+\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?L?)"
    r"|(?P<name>[A-Za-z.][\w.]*+|`[^`]*+`)|(?P<mark><-|[^\s]))",
    re.DOTALL,
)
_PLAIN = re.compile(r"(\s*+-?[\d.N][\s\d.eE+\-LNA,]*+)\)")
_NUMBER = re.compile(r"NA|-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u\{?[0-9a-fA-F]{1,4}\}?|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": ""}
_WORDS: dict[str, object] = {"TRUE": True, "FALSE": False, "NULL": None, "NaN": float("nan")}
_WORDS |= dict.fromkeys(("NA", "NA_real_", "NA_integer_", "NA_character_"))
_WORDS |= {"Inf": float("inf")}
_OLD_NAMES = {".Dim": "dim", ".Dimnames": "dimnames", ".Names": "names", ".Label": "levels"}
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_DEEPEST = 50
_MOST_RANGED = 200_000


class _Parser:
    """Reads one value after the other; what computes something is passed over."""

    def __init__(self, text: str) -> None:
        self._text = _COMMENT.sub("", text)
        self._at = 0
        self._kept: list[tuple[str, str]] = []
        self._depth = 0
        self._ranged = 0.0

    def next(self) -> tuple[str, str]:
        if self._kept:
            return self._kept.pop()
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            return "end", ""
        self._at = match.end()
        kind = str(match.lastgroup)
        return kind, match[kind]

    def peek(self) -> tuple[str, str]:
        token = self.next()
        self._kept.append(token)
        return token

    def back(self, token: tuple[str, str]) -> None:
        self._kept.append(token)

    def value(self) -> object:
        """The next value: a vector or a list, or a plain number, text or word."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _unexpected("(")
        found = self._value()
        self._depth -= 1
        return found

    def _value(self) -> object:
        kind, text = self.next()
        if kind == "mark" and text in "+-":
            found = self.value()
            return -found if text == "-" and isinstance(found, int | float) else found
        if kind == "number":
            return self._number(text)
        if kind == "text":
            return _unescaped(text[1:-1])
        if kind == "name":
            return self._named(text.strip("`"))
        raise _unexpected(text)

    def _number(self, text: str) -> object:
        found: float = float(text.rstrip("L"))
        if self.peek() != ("mark", ":"):
            return found
        self.next()
        last = self.value()
        # A few characters stand for as many numbers as they like.
        self._ranged += abs(last - found) if isinstance(last, int | float) else math.inf
        if not self._ranged <= _MOST_RANGED or not isinstance(last, int | float):
            raise _unexpected(":")
        step = 1 if last >= found else -1
        return RValue(list(range(int(found), int(last) + step, step)))

    def _named(self, name: str) -> object:
        if self.peek() != ("mark", "("):
            return _WORDS.get(name, RValue())
        self.next()
        if name == "c" and (plain := _PLAIN.match(self._text, self._at)) is not None:
            self._at = plain.end()
            return RValue(_plain_numbers(plain[1]))
        if name not in ("structure", "c", "list"):
            self._pass_over("(")
            found = RValue()
        else:
            found = _made(name, list(self._arguments()))
        return found

    def _arguments(self) -> Iterator[tuple[str, object]]:
        while True:
            token = self.next()
            if token == ("mark", ")"):
                return
            if token == ("mark", ","):
                continue
            if token[0] == "end":
                raise _unexpected("")
            if token[0] in ("name", "text") and self.peek() == ("mark", "="):
                self.next()
                yield token[1].strip("`\"'"), self.value()
            else:
                self.back(token)
                yield "", self.value()

    def _pass_over(self, opening: str) -> None:
        waiting = [_CLOSING[opening]]
        while waiting:
            kind, text = self.next()
            if kind == "end":
                raise _unexpected("")
            if kind == "mark" and text in _CLOSING:
                waiting.append(_CLOSING[text])
            elif kind == "mark" and text == waiting[-1]:
                waiting.pop()


def _plain_numbers(text: str) -> list[object]:
    """Numbers with commas between: most of what dput() writes."""
    words = [word.strip().removesuffix("L") for word in text.split(",")]
    try:
        return [None if word == "NA" else float(word) for word in words]
    except ValueError:
        raise _unexpected(next((w for w in words if not _NUMBER.fullmatch(w)), "")) from None


def _made(name: str, arguments: list[tuple[str, object]]) -> RValue:
    if name == "structure":
        first = arguments[0][1] if arguments else None
        held = first if isinstance(first, RValue) else RValue([first])
        given = {
            _OLD_NAMES.get(key, key): value if isinstance(value, RValue) else RValue([value])
            for key, value in arguments[1:]
            if key
        }
        return RValue(held.values, held.attributes | given)
    names = [key for key, _ in arguments]
    attributes = {"names": RValue(names)} if any(names) else {}
    if name == "list":
        return RValue(
            [v if isinstance(v, RValue) or v is None else RValue([v]) for _, v in arguments],
            attributes,
        )
    values: list[object] = []
    for _, value in arguments:
        values.extend(value.values if isinstance(value, RValue) else [value])
    return RValue(values, attributes if len(values) == len(names) else {})


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text

    def character(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "xu" and len(code) > 1:
            return chr(int(code[1:].strip("{}"), 16)).encode("utf-8", "replace").decode()
        return _ESCAPED.get(code, code)

    return _ESCAPE.sub(character, text)


def _unexpected(what: str) -> UnreadableFile:
    met = f"{what[:20]!r} stands where a value belongs" if what else "it ends too early"
    return UnreadableFile(
        f"The text begins like what R's dput() writes, but {met}.",
        remedy="Write the whole object again with dput(), or as CSV with write.csv().",
    )


def _tables(text: str, limits: Limits) -> list[Table]:
    parser = _Parser(text)
    objects: list[tuple[str, RValue]] = []
    while (token := parser.next())[0] != "end":
        name = ""
        if token[0] in ("name", "text") and parser.peek() in (("mark", "<-"), ("mark", "=")):
            parser.next()
            name = token[1].strip("`\"'")
        else:
            parser.back(token)
        found = parser.value()
        if isinstance(found, RValue):
            objects.append((name, found))
    return tables_in(objects, limits)


def _suits(begin: Begin) -> bool:
    return _BEGIN.match(begin.text) is not None


R_TEXT = GridFile(
    "what R's dput() writes", _suits, of_tables(_tables), is_text=True, with_points=True
)
