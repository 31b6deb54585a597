"""A document in lines that are kept one by one, so that only what is new is written.

A line is found again by its name, a digest of what it says.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from cml_core.journey.lines import Line

_NAME_LENGTH = 32


@dataclass(frozen=True)
class _Named:
    """What is remembered of a line: its name, and how many bytes of UTF-8 it takes."""

    name: str
    size: int


# By what lines tell, that their texts need not be written again, nor kept.
_NAMED: WeakKeyDictionary[object, _Named] = WeakKeyDictionary()


@dataclass(frozen=True)
class Lines:
    """The lines of a document.

    Parameters
    ----------
    names : in the order of the lines; equal lines share one.
    size : of the document, in bytes of UTF-8.
    said : what each name stands for; those that were written just now are texts.
    """

    names: tuple[str, ...]
    size: int
    said: Mapping[str, str | Line] = field(repr=False)

    @classmethod
    def of(cls, lines: Sequence[str | Line]) -> Lines:
        """Any lines; those that are known are not written again."""
        named, said = [], {}
        for line in lines:
            one, text = _named(line)
            named.append(one)
            said[one.name] = text
        return cls(
            tuple(one.name for one in named), sum(one.size for one in named) + len(named) - 1, said
        )

    @property
    def index(self) -> bytes:
        """The names as one value."""
        return b"\n".join(name.encode() for name in self.names)

    def packed_without(self, kept: Collection[str]) -> dict[str, bytes]:
        """The lines that are not kept yet, compressed."""
        # Every change waits for this; a higher level takes five times as long and saves a tenth.
        return {
            name: zlib.compress(_encoded(str(line)), level=1)
            for name, line in self.said.items()
            if name not in kept
        }


def _named(line: str | Line) -> tuple[_Named, str | Line]:
    """The name of a line, and its text where that had to be written for it."""
    known = None if isinstance(line, str) else _NAMED.get(line.of)
    if known is not None:
        return known, line
    text = str(line)
    found = _Named(_name_of(text), _size_of(text))
    if not isinstance(line, str):
        _NAMED[line.of] = found
    return found, text


def _name_of(line: str) -> str:
    return hashlib.sha256(_encoded(line)).hexdigest()[:_NAME_LENGTH]


def _size_of(line: str) -> int:
    return len(line) if line.isascii() else len(_encoded(line))


def _encoded(line: str) -> bytes:
    # JSON may hold half a surrogate pair, and it too comes back as it went.
    return line.encode("utf-8", "surrogatepass")


def names_in(index: bytes) -> tuple[str, ...]:
    """The names that an index holds."""
    return tuple(index.decode("ascii").split("\n"))


def document_of(names: Sequence[str], packed: Mapping[str, bytes]) -> str:
    """The document of these lines; raises as `lines_of` does."""
    return "\n".join(lines_of(names, packed))


def lines_of(names: Sequence[str], packed: Mapping[str, bytes]) -> tuple[str, ...]:
    """The lines of a document.

    Raises
    ------
    zlib.error, ValueError, TypeError, KeyError : a line is damaged or missing.
    """
    texts = {
        name: zlib.decompress(packed[name]).decode("utf-8", "surrogatepass") for name in set(names)
    }
    return tuple(texts[name] for name in names)
