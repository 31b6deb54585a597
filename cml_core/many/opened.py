"""A table of very many objects, opened: what they are compared by, and features of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from cml_core.errors import TooManyObjects, UnsuitableFeature
from cml_core.files.joining.inferred_kinds import retyped
from cml_core.many.loop import Candidate, Loop
from cml_core.many.sight import MOST_GROUPS
from cml_core.values.arrays import IntArray
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS
from cml_core.values.measurements import Measurements
from cml_core.values.measures.comparison import BLOCK
from cml_core.values.rows.beside import texts
from cml_core.values.rows.buyers import HIDDEN, BuyersRows
from cml_core.values.rows.chosen import chosen
from cml_core.values.rows.rows import Rows

# So much of what an object is called is shown.
LONGEST_NAME = 120
# A short text of Python's, and the place that holds it.
BYTES_A_NAME = 64


@dataclass(eq=False)
class Opened:
    """Rows, and what was read of them so far.

    Parameters
    ----------
    loop : what was chosen; what is made of it later does not matter here.
    rows : of the whole table.
    """

    loop: Loop
    rows: Rows
    _columns: dict[Candidate, Feature] = field(default_factory=dict)

    @cached_property
    def measurements(self) -> Measurements:
        """What objects are compared by."""
        return Measurements(chosen(self.rows, self.loop.vectors), self.loop.measure)

    @property
    def n_objects(self) -> int:
        return self.rows.n_rows

    @property
    def size(self) -> int:
        """About what it takes in memory, in bytes."""
        columns = sum(one.values.nbytes for one in list(self._columns.values()))
        named = BYTES_A_NAME * self.n_objects if "measurements" in self.__dict__ else 0
        said = self._said.nbytes if self.__dict__.get("_said") is not None else 0
        return columns + named + int(said)

    def column(self, candidate: Candidate) -> Feature:
        """A column of the table as a feature; it is read once."""
        if candidate not in self._columns:
            self._columns[candidate] = _feature(self.rows, candidate)
        return self._columns[candidate]

    def table(self, features: Iterable[Feature]) -> FeatureTable:
        """Features of all objects."""
        return FeatureTable(self.measurements.names, tuple(features))

    def truth(self) -> tuple[Feature, ...]:
        """What is hidden in simulated objects; nothing elsewhere."""
        if not isinstance(self.rows, BuyersRows):
            return ()
        return tuple(
            Feature.numeric(name, values, "truth of the simulation, uncovered")
            for name, values in zip(HIDDEN, self.rows.truth().T, strict=True)
        )

    def called(self, places: IntArray) -> list[str]:
        """What the objects at these places are called; their number where nothing says more."""
        named = self._said
        if named is None:
            return [f"object {i + 1:,}" for i in places]
        return [str(said.as_py() or "") for said in named.take(_arrow_of(places))]

    @cached_property
    def _said(self) -> Any:
        return texts(self.rows, self.loop.called, LONGEST_NAME) if self.loop.called else None


def opened(loop: Loop, uploads: Path | None = None, most: int | None = None) -> Opened:
    """Open the table of a loop; only what it says of itself is read.

    Parameters
    ----------
    uploads : the folder of files that were brought.
    most : objects that are allowed.

    Raises
    ------
    UnreadableFile : it is not there any more, or damaged.
    TooManyObjects : there are more.
    """
    rows = loop.whence.rows(uploads)
    check_size(rows, most)
    return Opened(loop, rows)


def check_size(rows: Rows, most: int | None) -> None:
    """Raise `TooManyObjects` where there are more than are allowed."""
    if most is not None and rows.n_rows > most:
        raise TooManyObjects(
            f"There are {rows.n_rows:,} objects; at most {most:,} are allowed here.",
            remedy="Bring fewer rows, such as every tenth; or use cml_core on a computer of "
            "your own.",
        )


def _arrow_of(places: IntArray) -> Any:
    import pyarrow as pa

    return pa.array(places)


def _feature(rows: Rows, candidate: Candidate) -> Feature:
    name, one = candidate.name, chosen(rows, [candidate.name])
    column = one.columns[0]
    values = np.concatenate([block[:, 0] for block in one.blocks(BLOCK)])
    kind, levels = KINDS[candidate.kind], column.levels
    if kind.is_quantity and levels is not None:
        raise UnsuitableFeature(
            f"{name} holds words, such as {levels[0]!r}, which are no amounts.",
            remedy="Say that it holds groups.",
        )
    if levels is None:
        found = Feature(name, "numeric", values, unit=column.unit)
    else:
        found = Feature(name, "categorical", values, levels)
    if found.kind != kind.name:
        found = retyped(found, kind.name, order=candidate.order, period=candidate.period)
    if kind.is_grouping and len(found.levels) > MOST_GROUPS:
        raise UnsuitableFeature(
            f"{name} has {len(found.levels):,} different values; at most {MOST_GROUPS} can be "
            "groups.",
            remedy="Leave it out, or say that it holds amounts.",
        )
    return found
