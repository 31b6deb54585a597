"""New objects on a map that stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import (
    LabelMismatch,
    LengthMismatch,
    NegativeDissimilarities,
    NotNumeric,
    ObjectWithoutPairs,
    UnknownOption,
    UnsuitableMeasurements,
)
from cml_core.fitting.cluster import cluster_at_hand
from cml_core.fitting.landmarks.partitions import PARTITION, everyone
from cml_core.fitting.landmarks.placing import Among, Placed, joined, placed
from cml_core.fitting.landmarks.references import References, references_at
from cml_core.fitting.landmarks.result import LandmarkFit
from cml_core.fitting.result import Fit
from cml_core.fitting.scales.registry import RATIO
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import BoolArray, FloatArray, RealArray, Value, with_zeros_for_gaps
from cml_core.values.condense import row_sums
from cml_core.values.known_table import columns_like
from cml_core.values.measurements import Measurements
from cml_core.values.real_numbers import NoNumber, UnevenRows, real_array, size_in_words

# All but one in a hundred of the fitted objects are this near to another one.
USUAL = 0.99
# So many times as far is farther than chance and the finer points of a sample explain.
FAR = 2.0
# Told how many are placed so far.
OnBlock = Callable[[int], None]


@dataclass(frozen=True, eq=False, repr=False)
class NewObjects(Value):
    """Where new objects lie on a map.

    Parameters
    ----------
    labels : their names.
    embedding, known_values : (n, p) and (n, q), as of a fit; missing features filled in.
    unexplained : (n,) the share of each one's squared dissimilarities that its place leaves.
    outside : (n,) how dissimilar each is to the fitted object that it is most like; 1 is as much
        as only one fitted object in a hundred is to its next. Far above 1 nothing that was fitted
        is like it, and its place is a guess.
    """

    labels: tuple[str, ...]
    embedding: FloatArray
    known_values: FloatArray
    unexplained: FloatArray
    outside: FloatArray

    @property
    def far(self) -> BoolArray:
        """(n,) which of them lie outside of what the map was made of."""
        far: BoolArray = self.outside > FAR
        return far

    def frame(self) -> pd.DataFrame:
        """One row a new object."""
        columns = {f"dimension {k + 1}": column for k, column in enumerate(self.embedding.T)}
        told = {"unexplained": self.unexplained, "outside": self.outside}
        return pd.DataFrame({**columns, **told}, index=list(self.labels))

    def __repr__(self) -> str:
        return f"NewObjects({len(self.labels):,} placed, {int(self.far.sum()):,} of them outside)"


def new_objects(
    fitted: Fit | LandmarkFit,
    new: Any,
    known: Any = None,
    measured: Measurements | None = None,
    on_block: OnBlock | None = None,
) -> NewObjects:
    """Place new objects on a map, by the same stress; the map stays as it is.

    Each one is put where its own stress to the fitted objects is least. Missing known features
    are found with the place, as in a fit.

    Parameters
    ----------
    fitted : the map: of all pairs, on the ratio scale, or by landmarks.
    new : `Measurements` of the new objects, or their dissimilarities to the fitted ones, (n, N),
        or (n, M) to the landmarks of a fit by landmarks; NaN where not known.
    known : the known features of the new objects, under the same names or in the same order.
    measured : the measurements that a fit of all pairs was made of, where `new` has some too.
    on_block : called after each block of measurements with how many objects are placed; what it
        raises ends the placing.
    """
    among = _among(fitted)
    if isinstance(new, Measurements):
        return _by_measurements(among, new, known, measured, on_block)
    delta = _checked(new, among)
    labels = _labels_of(new, len(delta))
    values = columns_like(among.fitted.problem.known, known, len(delta))
    return _told(among, labels, among.placed(delta, values))


@dataclass(frozen=True, eq=False)
class _Map:
    """A map on which objects can be placed.

    Parameters
    ----------
    fitted : the fit of the objects whose places, and B, are what others are placed by.
    labels : of all objects of the map; `at` which of them are the references, None for all.
    usual : how dissimilar objects of the map are to the next reference, at most, as a rule.
    measured, rows : what the references were measured by, where they were.
    """

    fitted: Fit
    references: References
    labels: tuple[str, ...]
    at: Any
    usual: float
    measured: Measurements | None = None
    rows: FloatArray | None = None

    @property
    def plain(self) -> bool:
        """Whether every pair counts alike, and as it is."""
        problem = self.fitted.problem
        return not isinstance(problem.weights, str) and problem.neighbourhood is None

    def placed(self, delta: RealArray, values: FloatArray) -> Placed:
        """Objects with these dissimilarities to the references, in the units of the data."""
        problem = self.fitted.problem
        weights = None
        if isinstance(problem.weights, str):
            given = problem.dissimilarities.condensed
            smallest = float(np.min(given, where=given > 0, initial=np.inf))
            weights = smallest / np.fmax(delta, smallest)
        if problem.neighbourhood is not None:
            delta = _along_graph(self.fitted, delta)
        scaled = (delta * self.references.unit).astype(np.float32)
        return placed(self.references, scaled, values, weights)


@singledispatch
def _among(fitted: Any) -> _Map:
    raise UnknownOption(
        f"{type(fitted).__name__} is no fit.", remedy="Give what `fit` or `fit_landmarks` returns."
    )


@_among.register
def _(fitted: Fit) -> _Map:
    problem, targets = fitted.problem, fitted.problem.targets
    if problem.scale != RATIO:
        raise UnknownOption(
            f"The map was fitted on the {problem.scale} scale, whose curve says nothing of "
            "dissimilarities that are not in the data.",
            remedy=f"Place new objects on a map on the {RATIO} scale.",
        )
    delta = targets.condensed.astype(np.float64)
    sums, counts = np.zeros(targets.n_objects), np.zeros(targets.n_objects)
    row_sums(with_zeros_for_gaps(delta) ** 2, sums)
    row_sums(~np.isnan(delta), counts)
    unit = 1.0 / float(np.sqrt(np.nanmean(delta**2)))
    references = references_at(fitted.best, unit, sums / np.maximum(counts, 1.0))
    square = problem.dissimilarities.square()
    np.fill_diagonal(square, np.inf)
    usual = float(np.quantile(np.fmin.reduce(square, axis=1), USUAL))
    return _Map(fitted, references, fitted.labels, None, usual)


@_among.register
def _(fitted: LandmarkFit) -> _Map:
    others = np.ones(fitted.problem.n_objects, bool)
    others[fitted.chosen] = False
    own = _among(fitted.landmarks)
    usual = np.quantile(fitted.placed.nearest[others], USUAL) if others.any() else own.usual
    return _Map(
        fitted.landmarks,
        fitted.references,
        fitted.labels,
        fitted.chosen,
        float(usual),
        fitted.problem.measurements,
        fitted.rows,
    )


def _by_measurements(
    among: _Map,
    new: Measurements,
    known: Any,
    measured: Measurements | None,
    on_block: OnBlock | None,
) -> NewObjects:
    held = among.measured or measured
    if held is None:
        raise UnsuitableMeasurements(
            "The map was made of dissimilarities, which measurements cannot be compared with.",
            remedy="Give the dissimilarities of the new objects to the fitted ones.",
        )
    held.check_comparable(new)
    rows = np.concatenate(list(held.blocks())) if among.rows is None else among.rows
    near = Among(among.references, held.comparison, rows)
    values = columns_like(among.fitted.problem.known, known, new.n_objects)
    # What is no more than one part has nobody to be shared with.
    cluster = cluster_at_hand() if new.n_objects > PARTITION else None
    blocks = (
        everyone(near, new.rows, values, cluster)
        if among.plain
        else _otherwise(among, near, new.blocks(like=held), values)
    )
    found: dict[int, Placed] = {}
    done = 0
    with capped_linear_algebra(1), closing(blocks):
        for first, block in blocks:
            found[first] = block
            done += len(block.unexplained)
            if on_block is not None:
                on_block(done)
    return _told(among, new.names, joined([found[first] for first in sorted(found)]))


def _otherwise(
    among: _Map, near: Among, blocks: Iterator[FloatArray], values: FloatArray
) -> Generator[tuple[int, Placed], None, None]:
    """By pairs that are weighed, or go along a graph: block by block, each with where it begins."""
    first = 0
    for block in blocks:
        delta = near.delta(block) / among.references.unit
        yield first, among.placed(delta, values[first : first + len(block)])
        first += len(block)


def _told(among: _Map, labels: tuple[str, ...], where: Placed) -> NewObjects:
    outside = (
        where.nearest / among.usual if among.usual > 0 else np.where(where.nearest > 0, np.inf, 0)
    )
    return NewObjects(labels, where.embedding, where.known_values, where.unexplained, outside)


def _along_graph(fitted: Fit, delta: RealArray) -> FloatArray:
    """Geodesics of new objects: through those of the fitted ones that are their neighbours."""
    neighbourhood = fitted.problem.neighbourhood
    assert neighbourhood is not None
    geodesic = fitted.problem.targets.square()
    found = np.empty(delta.shape)
    for i, row in enumerate(delta):
        if neighbourhood.epsilon is not None:
            near = np.flatnonzero(row <= neighbourhood.epsilon)
        else:
            near = np.argsort(row, kind="stable")[: neighbourhood.n_neighbors]
        if not near.size:
            raise ObjectWithoutPairs(
                f"New object {i + 1} has no neighbour within {neighbourhood.epsilon:g}.",
                remedy="Leave it out, or fit the map with a larger epsilon.",
            )
        found[i] = (row[near, None] + geodesic[near]).min(axis=0)
    return found


def _checked(new: Any, among: _Map) -> RealArray:
    """(n, R) dissimilarities to the references."""
    columns: Any = getattr(new, "columns", None)
    if isinstance(new, pd.DataFrame) and not isinstance(columns, pd.RangeIndex):
        new = _in_order(new, among)
    try:
        table: RealArray = real_array(new)
    except (NoNumber, UnevenRows):
        raise NotNumeric(
            "The dissimilarities of the new objects are no table of numbers.",
            remedy="Give one row for each new object, one number for each fitted one.",
        ) from None
    table = table[None] if table.ndim == 1 else table
    wanted = {len(among.labels), among.references.count}
    if table.ndim != 2 or table.shape[1] not in wanted or not len(table):
        raise LengthMismatch(
            f"The dissimilarities of the new objects are {size_in_words(table)}.",
            remedy=f"Give one row for each new object, with {min(wanted):,} columns: one for each "
            "fitted object, in their order.",
        )
    if among.at is not None and table.shape[1] == len(among.labels):
        table = table[:, among.at]
    if not (np.isnan(table) | (table >= 0)).all() or np.isinf(table).any():
        i, j = np.argwhere(~(np.isnan(table) | ((table >= 0) & np.isfinite(table))))[0]
        raise NegativeDissimilarities(
            f"The dissimilarity of new object {i + 1} in column {j + 1} is {table[i, j]:g}.",
            remedy="Give finite numbers of 0 or more; leave empty (NaN) what is not known.",
        )
    if np.isnan(table).all(axis=1).any():
        raise ObjectWithoutPairs(
            f"No dissimilarity of new object {int(np.isnan(table).all(axis=1).argmax()) + 1} to "
            "the fitted ones is known.",
            remedy="Leave it out, or give some of them.",
        )
    return table


def _in_order(new: pd.DataFrame, among: _Map) -> pd.DataFrame:
    """The columns in the order of the fitted objects."""
    named = new.set_axis([str(name) for name in new.columns], axis=1)
    absent = [name for name in among.labels if name not in named.columns]
    if absent:
        raise LabelMismatch(
            f"The dissimilarities of the new objects have no column {absent[0]!r}; such columns: "
            f"{len(absent):,}.",
            remedy="Name the columns as the fitted objects, or give an array in their order.",
        )
    return named[list(among.labels)]


def _labels_of(new: Any, count: int) -> tuple[str, ...]:
    if isinstance(new, pd.DataFrame) and not isinstance(new.index, pd.RangeIndex):
        return tuple(str(name) for name in new.index)
    return tuple(f"new object {i + 1}" for i in range(count))
