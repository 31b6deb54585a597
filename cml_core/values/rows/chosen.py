"""Some columns of rows; where a file can be read by columns, no other is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.errors import UnknownFeature, listing
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.rows.arrow import ArrowRows
from cml_core.values.rows.beside import BesideRows, TakenRows
from cml_core.values.rows.rows import Column, Rows
from cml_core.values.rows.several import SeveralRows


@dataclass(frozen=True, eq=False)
class ChosenRows:
    """The rows of another holder with these of its columns, in this order."""

    rows: Rows
    places: IntArray

    @property
    def n_rows(self) -> int:
        return self.rows.n_rows

    @property
    def labels(self) -> tuple[str, ...] | None:
        return self.rows.labels

    @property
    def columns(self) -> tuple[Column, ...]:
        every = self.rows.columns
        return tuple(every[k] for k in self.places)

    def blocks(self, size: int) -> Iterator[FloatArray]:
        for block in self.rows.blocks(size):
            yield np.ascontiguousarray(block[:, self.places])

    @property
    def here(self) -> bool:
        return self.rows.here

    def parts(self, size: int) -> Iterator[ChosenRows]:
        for part in self.rows.parts(size):
            yield ChosenRows(part, self.places)


def chosen(rows: Rows, names: Sequence[str]) -> Rows:
    """The same rows with these columns alone; of a file, its fields.

    Raises
    ------
    UnknownFeature : there is no such column.
    """
    if isinstance(rows, ArrowRows):
        _check(names, rows.schema.names)
        return rows.only(names)
    if isinstance(rows, SeveralRows):
        return SeveralRows(tuple(chosen(one, names) for one in rows.each))
    if isinstance(rows, TakenRows):
        return TakenRows(chosen(rows.rows, names), rows.places)
    if isinstance(rows, BesideRows):
        pieces = tuple(chosen(one, some) for one, some in rows.at(names))
        return pieces[0] if len(pieces) == 1 else BesideRows(pieces)
    every = [column.name for column in rows.columns]
    _check(names, every)
    place = {name: k for k, name in enumerate(every)}
    return ChosenRows(rows, np.array([place[name] for name in names], dtype=np.int64))


def _check(names: Sequence[str], every: Sequence[str]) -> None:
    absent = [name for name in names if name not in every]
    if absent:
        raise UnknownFeature(
            f"There is no column called {absent[0]!r}.",
            remedy=f"Choose among {listing(tuple(every), 20)}.",
        )
