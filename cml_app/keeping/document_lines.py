"""A document in lines that are kept one by one, so that only what is new is written.

A line is found again by its name, a digest of what it says.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

_NAME_LENGTH = 32


@dataclass(frozen=True)
class Lines:
    """The lines of a document.

    Parameters
    ----------
    names : in the order of the lines; equal lines share one.
    contents : what each name stands for.
    """

    names: tuple[str, ...]
    contents: Mapping[str, bytes] = field(repr=False)

    @classmethod
    def of(cls, document: str) -> Lines:
        """Any text; JSON may hold half a surrogate pair, and it too comes back as it went."""
        lines = document.encode("utf-8", "surrogatepass").split(b"\n")
        names = tuple(hashlib.sha256(line).hexdigest()[:_NAME_LENGTH] for line in lines)
        return cls(names, dict(zip(names, lines, strict=True)))

    @cached_property
    def size(self) -> int:
        """Of the document, in bytes of UTF-8."""
        return sum(len(self.contents[name]) for name in self.names) + len(self.names) - 1

    @property
    def index(self) -> bytes:
        """The names as one value."""
        return b"\n".join(name.encode() for name in self.names)

    def packed_without(self, kept: Collection[str]) -> dict[str, bytes]:
        """The lines that are not kept yet, compressed."""
        # Every change waits for this; a higher level takes five times as long and saves a tenth.
        return {
            name: zlib.compress(content, level=1)
            for name, content in self.contents.items()
            if name not in kept
        }


def names_in(index: bytes) -> tuple[str, ...]:
    """The names that an index holds."""
    return tuple(index.decode("ascii").split("\n"))


def document_of(names: Collection[str], packed: Mapping[str, bytes]) -> str:
    """The document of these lines.

    Raises
    ------
    zlib.error, ValueError, TypeError, KeyError : a line is damaged or missing.
    """
    lines = {name: zlib.decompress(packed[name]) for name in set(names)}
    return b"\n".join(lines[name] for name in names).decode("utf-8", "surrogatepass")
