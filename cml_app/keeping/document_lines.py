"""A document in lines that are kept one by one, so that only what is new is written.

A line is found again by its name, a digest of what it says.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

_NAME_LENGTH = 32


@dataclass(frozen=True)
class Lines:
    """The lines of a document.

    Parameters
    ----------
    names : in the order of the lines; equal lines share one.
    texts : what each name stands for.
    """

    names: tuple[str, ...]
    texts: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, lines: Sequence[str], known: Mapping[str, str] = MappingProxyType({})) -> Lines:
        """Any lines; those whose names are known are not looked through again."""
        names = tuple(known.get(line) or _name_of(line) for line in lines)
        return cls(names, dict(zip(names, lines, strict=True)))

    @cached_property
    def size(self) -> int:
        """Of the document, in bytes of UTF-8."""
        sizes = {name: _size_of(line) for name, line in self.texts.items()}
        return sum(sizes[name] for name in self.names) + len(self.names) - 1

    @property
    def index(self) -> bytes:
        """The names as one value."""
        return b"\n".join(name.encode() for name in self.names)

    def packed_without(self, kept: Collection[str]) -> dict[str, bytes]:
        """The lines that are not kept yet, compressed."""
        # Every change waits for this; a higher level takes five times as long and saves a tenth.
        return {
            name: zlib.compress(_encoded(line), level=1)
            for name, line in self.texts.items()
            if name not in kept
        }


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
