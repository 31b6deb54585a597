"""What a holder of rows is: it tells its columns, and gives its rows block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from cml_core.values.arrays import FloatArray


@dataclass(frozen=True)
class Column:
    """A column of measurements.

    Parameters
    ----------
    name : what people call it.
    levels : where its values are groups, their names: a row holds the place of its group here;
        None for amounts.
    """

    name: str
    levels: tuple[str, ...] | None = None


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

    def blocks(self, size: int) -> Iterator[FloatArray]:
        """All rows in their order, up to `size` at a time."""
        ...
