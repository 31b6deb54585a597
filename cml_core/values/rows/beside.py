"""Columns of two tables of the same objects: rows in the same order, or joined by a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import DuplicateLabels, LabelMismatch, LengthMismatch, UnknownFeature, listing
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.rows.arrow import ArrowRows
from cml_core.values.rows.in_memory import ArrayRows
from cml_core.values.rows.rows import Column, Rows
from cml_core.values.rows.several import SeveralRows


@dataclass(frozen=True, eq=False)
class TakenRows:
    """Rows of another table at these places, one for each object; missing where there is none.

    They are few columns, or the whole of them would be in memory.
    """

    rows: Rows
    places: IntArray

    @property
    def n_rows(self) -> int:
        return len(self.places)

    @property
    def labels(self) -> None:
        return None

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.rows.columns

    @property
    def here(self) -> bool:
        return self.rows.here

    @property
    def matched(self) -> int:
        """How many objects have a row."""
        return int((self.places >= 0).sum())

    def blocks(self, size: int) -> Iterator[FloatArray]:
        whole = np.concatenate(list(self.rows.blocks(size)))
        for first in range(0, self.n_rows, size):
            places = self.places[first : first + size]
            block = whole[places]
            block[places < 0] = np.nan
            yield block

    def parts(self, size: int) -> Iterator[ArrayRows]:
        for block in self.blocks(size):
            yield ArrayRows(block, self.columns)


@dataclass(frozen=True, eq=False)
class BesideRows:
    """The same objects in each of several tables; of a name that is in two, the first counts."""

    each: tuple[Rows, ...]

    @property
    def n_rows(self) -> int:
        return self.each[0].n_rows

    @property
    def labels(self) -> tuple[str, ...] | None:
        return self.each[0].labels

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(column for one in self.each for column in one.columns)

    @property
    def here(self) -> bool:
        return all(one.here for one in self.each)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Of the fields that each of them is asked for."""
        found: list[tuple[str, ...]] = []
        for one in self.each:
            before = {name for names in found for name in names}
            found.append(tuple(name for name in field_names(one) if name not in before))
        return tuple(found)

    def at(self, names: Sequence[str]) -> tuple[tuple[Rows, tuple[str, ...]], ...]:
        """Which of them has these fields, in the order asked for."""
        where = {name: k for k, names in enumerate(self.names) for name in names}
        absent = [name for name in names if name not in where]
        if absent:
            raise UnknownFeature(
                f"There is no column called {absent[0]!r}.",
                remedy=f"Choose among {listing(tuple(where), 20)}.",
            )
        runs = groupby(names, where.__getitem__)
        return tuple((self.each[k], tuple(run)) for k, run in runs)

    def blocks(self, size: int) -> Iterator[FloatArray]:
        for blocks in zip(*(_of_size(one.blocks(size), size) for one in self.each), strict=True):
            yield np.hstack(blocks)

    def parts(self, size: int) -> Iterator[ArrayRows]:
        for block in self.blocks(size):
            yield ArrayRows(block, self.columns)


def beside(rows: Rows, other: Rows, key: str, names: tuple[str, str]) -> BesideRows:
    """Objects with the columns of both tables.

    Parameters
    ----------
    key : a column of both, by which rows are joined; empty where they stand in the same order.
    names : what people call the tables.

    Raises
    ------
    LengthMismatch : they stand in the same order, but are not as many.
    DuplicateLabels : the other table has a key twice.
    LabelMismatch : no key of the one is in the other.
    """
    if key:
        return BesideRows((rows, TakenRows(other, _places(rows, other, key, names))))
    if other.n_rows != rows.n_rows:
        raise LengthMismatch(
            f"{names[1]} has {other.n_rows:,} rows, {names[0]} {rows.n_rows:,}.",
            remedy="Give one row for each object, in the same order; or have a column of the same "
            "name in both, by which they are joined.",
        )
    return BesideRows((rows, other))


def field_names(rows: Rows) -> tuple[str, ...]:
    """What can be asked of rows by name: a list of numbers is one field."""
    if isinstance(rows, ArrowRows):
        return tuple(rows.schema.names)
    if isinstance(rows, SeveralRows):
        return field_names(rows.each[0])
    if isinstance(rows, TakenRows):
        return field_names(rows.rows)
    if isinstance(rows, BesideRows):
        return tuple(name for names in rows.names for name in names)
    return tuple(column.name for column in rows.columns)


def texts(rows: Rows, name: str, longest: int | None = None) -> Any:
    """A column of a file as Arrow's texts, null where missing.

    Parameters
    ----------
    longest : so many letters of each are kept at most.

    Raises
    ------
    UnknownFeature : there is no such column.
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    if isinstance(rows, BesideRows):
        ((one, _),) = rows.at([name])
        return texts(one, name, longest)
    if isinstance(rows, TakenRows):
        return texts(rows.rows, name, longest).take(pa.array(rows.places, mask=rows.places < 0))
    each = rows.each if isinstance(rows, SeveralRows) else (rows,)
    if not all(isinstance(one, ArrowRows) and name in one.schema.names for one in each):
        raise UnknownFeature(
            f"There is no column called {name!r}.",
            remedy=f"Choose among {listing(field_names(rows), 20)}.",
        )
    parts: Any = each
    columns = (
        batch.column(0).cast(pa.string()) for one in parts for batch in one.only([name]).read()
    )
    kept = (compute.utf8_slice_codeunits(one, 0, longest) for one in columns)
    return pa.chunked_array(list(kept), pa.string())


def _places(rows: Rows, other: Rows, key: str, names: tuple[str, str]) -> IntArray:
    """(N,) the row of the other table that has the key of each object, or -1."""
    wanted, given = (pd.Index(texts(one, key).to_pylist()) for one in (rows, other))
    twice = given[given.duplicated() & given.notna()]
    if twice.size:
        raise DuplicateLabels(
            f"{names[1]} has {twice[0]!r} more than once in {key!r}.",
            remedy="Leave one row for each object, or join by another column.",
        )
    last = np.arange(given.size)[given.notna()]
    found = given[last].get_indexer(wanted)
    if not (found >= 0).any():
        raise LabelMismatch(
            f"Nothing in {key!r} of {names[1]} is in {key!r} of {names[0]}.",
            remedy="Write keys alike in both tables, or give rows in the same order.",
        )
    return np.where(found >= 0, last[found], -1)


def _of_size(blocks: Iterator[FloatArray], size: int) -> Iterator[FloatArray]:
    """The same rows, as many at a time as were asked for: files give some blocks that are less."""
    held: list[FloatArray] = []
    count = 0
    for block in blocks:
        held.append(block)
        count += len(block)
        while count >= size:
            joined = np.concatenate(held)
            yield joined[:size]
            held, count = [joined[size:]], count - size
    if count:
        yield np.concatenate(held)
