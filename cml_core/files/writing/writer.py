"""What a way to write dissimilarities is: one module with a `Writer`, and one line in `WRITERS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cml_core.values.dissimilarities import Dissimilarities

CSV, TSV, TEXT = "text/csv", "text/tab-separated-values", "text/plain"


@dataclass(frozen=True)
class FileKind:
    """A kind of file, in words.

    Parameters
    ----------
    key : what this package calls it.
    title : what people call it.
    about : a sentence or two on what it is good for.
    extension : of its files, with the dot.
    mime : its media type.
    """

    key: str
    title: str
    about: str
    extension: str
    mime: str


@dataclass(frozen=True)
class Writer(FileKind):
    """A way to write dissimilarities.

    Parameters
    ----------
    write : gives the file's bytes, where nothing stands in the way.
    obstacle : says what does, as the end of a sentence; empty where nothing does.
    """

    write: Callable[[Dissimilarities], bytes]
    obstacle: Callable[[Dissimilarities], str]
