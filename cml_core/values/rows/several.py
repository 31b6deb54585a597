"""Rows of several blocks, one after the other: files of a folder, or arrays in a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cml_core.errors import UnsuitableMeasurements
from cml_core.values.arrays import FloatArray
from cml_core.values.rows.rows import Column, Rows


@dataclass(frozen=True, eq=False)
class SeveralRows:
    """The rows of all of `each`; the columns of each are those of the first."""

    each: tuple[Rows, ...]

    @property
    def n_rows(self) -> int:
        return sum(one.n_rows for one in self.each)

    @property
    def labels(self) -> tuple[str, ...] | None:
        named = [one.labels for one in self.each]
        if any(names is None for names in named):
            return None
        return tuple(name for names in named for name in names or ())

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The groups of a column are those of any of them."""
        every = list(zip(*(one.columns for one in self.each), strict=True))
        return tuple(Column(same[0].name, _levels(same)) for same in every)

    @property
    def here(self) -> bool:
        return all(one.here for one in self.each)

    def blocks(self, size: int) -> Iterator[FloatArray]:
        for one in self.each:
            for block in one.blocks(size):
                yield recoded(block, one.columns, self.columns)

    def parts(self, size: int) -> Iterator[Rows]:
        for one in self.each:
            yield from one.parts(size)


def joined(parts: Sequence[Rows]) -> Rows:
    """One holder of all rows; raise `UnsuitableMeasurements` where columns differ."""
    first = parts[0]
    for number, part in enumerate(parts[1:], 2):
        if len(part.columns) != len(first.columns):
            raise UnsuitableMeasurements(
                f"Block {number} has {len(part.columns)} columns, the first {len(first.columns)}.",
                remedy="Give every block the same columns, in the same order.",
            )
        check_same_columns(part.columns, first.columns, f"Block {number}", "the first block")
    return first if len(parts) == 1 else SeveralRows(tuple(parts))


def check_same_columns(
    found: tuple[Column, ...], wanted: tuple[Column, ...], name: str, other: str
) -> None:
    """Raise `UnsuitableMeasurements` where these columns are not those of the other."""
    if len(found) != len(wanted):
        raise UnsuitableMeasurements(
            f"{name} has {len(found)} columns, {other} {len(wanted)}.",
            remedy="Give the same columns, in the same order.",
        )
    for one, same in zip(found, wanted, strict=True):
        if one.name != same.name:
            raise UnsuitableMeasurements(
                f"{name} has a column {one.name!r} where {other} has {same.name!r}.",
                remedy="Give the same columns, in the same order.",
            )
        if (one.levels is None) != (same.levels is None):
            kinds = ("numbers", "groups")
            raise UnsuitableMeasurements(
                f"{name} has {kinds[one.levels is not None]} in the column {one.name!r}, where "
                f"{other} has {kinds[same.levels is not None]}.",
                remedy="Give the same columns, of the same kind.",
            )


def recoded(block: FloatArray, own: tuple[Column, ...], shared: tuple[Column, ...]) -> FloatArray:
    """The block with groups counted as in `shared`; those not there get numbers of their own."""
    changed = block
    for k, (column, other) in enumerate(zip(own, shared, strict=True)):
        if column.levels is None or column.levels == other.levels:
            continue
        place = {name: i for i, name in enumerate(other.levels or ())}
        codes = np.array([place.get(name, len(place) + i) for i, name in enumerate(column.levels)])
        changed = changed.copy() if changed is block else changed
        here = ~np.isnan(block[:, k])
        changed[here, k] = codes[block[here, k].astype(np.int64)]
    return changed


def _levels(columns: Sequence[Column]) -> tuple[str, ...] | None:
    if columns[0].levels is None:
        return None
    return tuple(dict.fromkeys(name for column in columns for name in column.levels or ()))
