"""What a holder of rows is: it tells its columns, and gives its rows block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from cml_core.values.arrays import FloatArray


@dataclass(frozen=True)
class Column:
    """A column of measurements.

    Parameters
    ----------
    name : what people call it.
    levels : where its values are groups, their names: a row holds the place of its group here;
        None for amounts.
    unit : of amounts that were written otherwise, "days since 1970-01-01" for dates.
    """

    name: str
    levels: tuple[str, ...] | None = None
    unit: str = ""


@runtime_checkable
class Rows(Protocol):
    """Rows of numbers, NaN where missing; nothing is read before it is asked for."""

    @property
    def n_rows(self) -> int:
        """How many there are."""
        ...

    @property
    def columns(self) -> tuple[Column, ...]:
        """What stands in each row."""
        ...

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The names of the rows, where they have any."""
        ...

    @property
    def here(self) -> bool:
        """Whether this process has what they are read from, as it was when they were looked at."""
        ...

    def blocks(self, size: int) -> Iterator[FloatArray]:
        """All rows in their order, up to `size` at a time."""
        ...

    def parts(self, size: int) -> Iterator[Rows]:
        """The same rows in several parts, about `size` each, that another process can be given.

        Those of a file go by its name, and are read by whoever is given them.
        """
        ...


@dataclass(frozen=True)
class Place:
    """A file, and what tells it from another of its name."""

    path: Path
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> Place:
        """Where a file lies, whatever folder one is in."""
        found = path.stat()
        # In whole seconds: a file system of the same file on another machine may keep no more.
        return cls(path.absolute(), found.st_size, int(found.st_mtime))

    @property
    def here(self) -> bool:
        """Whether this process sees the same file."""
        try:
            return Place.of(self.path) == self
        except OSError:
            return False
