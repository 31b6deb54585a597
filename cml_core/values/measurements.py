"""Measurements of many objects, of which dissimilarities are computed when they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from cml_core.errors import (
    InfiniteDissimilarities,
    NotNumeric,
    TooFewObjects,
    UnsuitableMeasurements,
    check_option,
    listing,
)
from cml_core.values.arrays import FloatArray, IntArray, Value
from cml_core.values.dissimilarities import Dissimilarities, check_labels, labels_for
from cml_core.values.measures.comparison import BLOCK, Comparison
from cml_core.values.measures.measure import Measure, Reach
from cml_core.values.measures.registry import MEASURES
from cml_core.values.real_numbers import LARGEST_SQUARED
from cml_core.values.rows.registry import rows_of
from cml_core.values.rows.rows import Rows
from cml_core.values.rows.several import check_same_columns

_COUNTS = ("row has a gap", "rows have gaps")


@dataclass(frozen=True, eq=False, repr=False)
class Measurements(Value):
    """What was measured of N objects, and how they are compared; all pairs are never in memory.

    Parameters
    ----------
    values : one row for each object: an array, which is not copied; a DataFrame; the path of a
        .npy, .parquet, .arrow or .feather file, or of a folder of such, which is read in blocks;
        or a list of any of these, one block after the other. No gaps.
    measure : "euclidean"; "cityblock"; "cosine" and "correlation", one minus either; or "gower",
        which compares columns of groups as well.
    labels : N different names; by default those of a DataFrame's rows, or numbers.
    """

    values: Any
    measure: str = "euclidean"
    labels: Sequence[object] | None = None
    rows: Rows = field(init=False)
    reach: Reach = field(init=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "measure", check_option("measure", self.measure, tuple(MEASURES)))
        put(self, "rows", rows_of(self.values))
        if self.labels is not None:
            put(self, "labels", labels_for(self.labels, self.n_objects))
        if self.n_objects < 1:
            raise TooFewObjects("There are no objects.", remedy="Give one row for each object.")
        if self._own_names is not None:
            check_labels(self._own_names)
        self._check_kinds()
        put(self, "reach", self._scanned())

    @property
    def n_objects(self) -> int:
        return self.rows.n_rows

    @property
    def named(self) -> bool:
        """Whether someone gave the objects names."""
        return self._own_names is not None

    @property
    def _own_names(self) -> tuple[str, ...] | None:
        return self.rows.labels if self.labels is None else tuple(map(str, self.labels))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """N different names of the objects."""
        return self._own_names or labels_for(None, self.n_objects)

    @property
    def compared(self) -> Measure:
        """How the objects are compared."""
        return MEASURES[self.measure]

    @cached_property
    def comparison(self) -> Comparison:
        """How these objects are compared, with one another and with others."""
        return Comparison(self.compared, self.rows.columns, self.reach)

    def blocks(self, like: Measurements | None = None) -> Iterator[FloatArray]:
        """All rows as their measure takes them, up to 8192 at a time.

        Parameters
        ----------
        like : the measurements whose columns, and their reach, these are to be compared with.
        """
        return (self if like is None else like).comparison.blocks(self.rows)

    def taken(self, places: IntArray) -> FloatArray:
        """The rows at these places, in their order; one pass over all rows."""
        order = np.argsort(places, kind="stable")
        joined = self.comparison.taken(self.rows, places[order])
        back = np.empty_like(joined)
        back[order] = joined
        return back

    def dissimilarities(self, places: IntArray | None = None) -> Dissimilarities:
        """Between all objects, or those at these places, in double precision."""
        rows = np.concatenate(list(self.blocks())) if places is None else self.taken(places)
        names = self.names if places is None else tuple(self.names[i] for i in places)
        return Dissimilarities(names, self.between(rows))

    def between(self, rows: FloatArray) -> FloatArray:
        """(n(n-1)/2,) between all of these prepared rows, condensed and read-only."""
        return self.comparison.between(rows)

    def check_comparable(self, new: Measurements) -> None:
        """Raise `UnsuitableMeasurements` unless the new ones have the same columns and measure."""
        if new.measure != self.measure:
            raise UnsuitableMeasurements(
                f"The new objects are compared by {new.measure}, the fitted ones by "
                f"{self.measure}.",
                remedy=f"Give Measurements(values, {self.measure!r}).",
            )
        check_same_columns(new.rows.columns, self.rows.columns, "The new table", "the fitted one")

    def _check_kinds(self) -> None:
        groups = [column for column in self.rows.columns if column.levels is not None]
        if not groups or self.compared.mixed:
            return
        first = groups[0]
        texts = [repr(level) for level in first.levels or () if not _is_number(level)]
        raise NotNumeric(
            f"The column {first.name!r} holds {listing(texts, 3) or 'no numbers'}, and "
            f"{self.measure} compares numbers; such columns: {len(groups)}.",
            remedy="Leave such columns out, or choose measure='gower', which compares groups too.",
        )

    def _scanned(self) -> Reach:
        """How far columns reach; raise an error where a row cannot be compared."""
        columns = self.rows.columns
        groups = np.array([column.levels is not None for column in columns])
        lowest, highest = np.full(len(columns), np.inf), np.full(len(columns), -np.inf)
        first, gaps, hole = 0, 0, (0, 0)
        for block in self.rows.blocks(BLOCK):
            low, high = block.min(axis=0), block.max(axis=0)
            if np.isnan(low).any():
                row, column = np.argwhere(np.isnan(block))[0]
                hole = hole if gaps else (first + int(row), int(column))
                gaps += int(np.isnan(block).any(axis=1).sum())
            elif not gaps:
                self._check_block(block, low, high, first)
            lowest, highest = np.fmin(lowest, low), np.fmax(highest, high)
            first += len(block)
        if gaps:
            i, k = hole
            raise UnsuitableMeasurements(
                f"The measurement of {self._name(i)} in {columns[k].name!r} is missing; "
                f"{gaps:,} {_COUNTS[gaps > 1]}.",
                remedy="Leave such rows or columns out, or fill the gaps before.",
            )
        return Reach(lowest, highest, groups)

    def _check_block(
        self, block: FloatArray, low: FloatArray, high: FloatArray, first: int
    ) -> None:
        largest = np.maximum(np.abs(low), np.abs(high))
        if (largest > LARGEST_SQUARED).any():
            k = int(largest.argmax())
            i = int(np.abs(block[:, k]).argmax())
            raise InfiniteDissimilarities(
                f"The measurement of {self._name(first + i)} in {self.rows.columns[k].name!r} is "
                f"{block[i, k]:g}: too large to compute with.",
                remedy="Correct the value, or give the column in larger units.",
            )
        undefined = self.compared.undefined(block)
        if undefined.any():
            raise UnsuitableMeasurements(
                f"{self._name(first + int(undefined.argmax()))} {self.compared.why}, so "
                f"{self.measure} cannot compare it with others.",
                remedy="Leave such objects out, or choose another measure.",
            )

    def _name(self, i: int) -> str:
        names = self._own_names
        return f"object {i + 1}" if names is None else names[i]

    def __repr__(self) -> str:
        count = len(self.rows.columns)
        return f"Measurements({self.n_objects:,} objects, {count} columns, {self.measure})"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
