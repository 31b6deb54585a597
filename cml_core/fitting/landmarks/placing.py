"""Placing objects among references: block by block, in threads, each object by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from cml_core.fitting.landmarks.kernels import place
from cml_core.fitting.landmarks.references import References, with_gaps_filled
from cml_core.fitting.solvers.columns import NEIGHBOURS_FOR_GAPS
from cml_core.fitting.threads import shared_threads
from cml_core.values.arrays import FloatArray, IntArray, RealArray, Value
from cml_core.values.measures.comparison import Comparison
from cml_core.values.rows.rows import Rows

# A task of a thread: its dissimilarities to 2,000 references take 2 MB, which a cache holds.
PART = 256
# An object that nothing tells from a reference belongs where that one lies. Fits end within this
# of their optimum, in a unit in which dissimilarities are of order one.
SETTLED = 1e-3

Spread = Callable[[Callable[[int], "Placed"], Iterable[int]], Iterable["Placed"]]


@dataclass(frozen=True, eq=False)
class Placed(Value):
    """Where objects were placed.

    Parameters
    ----------
    embedding : (n, p).
    known_values : (n, q) what is known of them, gaps filled.
    unexplained : (n,) the share of each one's squared dissimilarities that its place leaves.
    nearest : (n,) how dissimilar each is to the reference that it is most like.
    """

    embedding: FloatArray
    known_values: FloatArray
    unexplained: FloatArray
    nearest: FloatArray

    def put(self, first: int, block: Placed) -> None:
        """While it is made: where the objects of a block lie, from this one on."""
        at = slice(first, first + len(block.unexplained))
        for field in fields(self):
            getattr(self, field.name)[at] = getattr(block, field.name)


def placed(
    references: References, delta: RealArray, values: FloatArray, weights: RealArray | None = None
) -> Placed:
    """Place a block of objects.

    Parameters
    ----------
    delta : (n, M) dissimilarities to the references, in their unit; NaN where not known.
    values : (n, q) known features as columns, NaN where missing.
    weights : (n, M) of the pairs; None counts every known pair once.
    """
    n, (p, q) = len(delta), (references.inverse.shape[0], references.middle.size)
    missing = np.isnan(values)
    nearest = np.fmin.reduce(delta, axis=1).astype(np.float64)
    twins = references.coincident(delta, nearest, values)
    counting, delta = _counting(delta, weights)
    filled = with_gaps_filled(references, delta, values, missing, NEIGHBOURS_FOR_GAPS)
    again = twins >= 0
    filled[again] = np.where(
        missing[again], references.settled.known_values[twins[again]], filled[again]
    )
    moving = filled - references.middle
    starts = np.full((n, p), np.nan, np.float32)
    starts[again] = references.X[:p, twins[again]].T
    places, unexplained = np.empty((n, p), np.float32), np.empty(n)
    place(
        # What came out of a pickle may not be written to, which the loops would be compiled for.
        references.X.copy(),
        references.inverse.copy(),
        references.offset.copy(),
        references.settled.coef * references.unit,
        delta,
        counting,
        moving,
        missing,
        starts,
        places,
        unexplained,
    )
    embedding = places.astype(np.float64) / references.unit + references.centre
    found = np.where(missing, moving + references.middle, values).reshape(n, q)
    _settle_twins(references, twins, starts, places, embedding, found)
    return Placed(embedding, found, unexplained, nearest / references.unit)


def _counting(delta: RealArray, weights: RealArray | None) -> tuple[RealArray, RealArray]:
    """Weights, (1, M) ones where every pair is known and counts once; and delta without gaps."""
    gaps = np.isnan(delta)
    if weights is None and not gaps.any():
        return np.ones((1, delta.shape[1]), np.float32), delta
    counting = np.ones(delta.shape) if weights is None else np.array(weights)
    counting[gaps] = 0.0
    return counting.astype(np.float32), np.where(gaps, np.float32(0.0), delta)


def _settle_twins(
    references: References,
    twins: IntArray,
    starts: RealArray,
    places: RealArray,
    embedding: FloatArray,
    values: FloatArray,
) -> None:
    """Give an object that nothing tells from a reference its very place, if it stayed there."""
    settled = references.settled
    for i in np.flatnonzero(twins >= 0):
        if np.abs(places[i] - starts[i]).max(initial=0.0) < SETTLED:
            embedding[i] = settled.embedding[twins[i]]
            values[i] = settled.known_values[twins[i]]


class Among:
    """Places objects by their measurements among references that were measured alike."""

    def __init__(self, references: References, comparison: Comparison, rows: FloatArray) -> None:
        self._references = references
        self._comparison = comparison
        self._columns = np.ascontiguousarray(rows.T, dtype=np.float32)
        self._unit = np.float32(comparison.unit * references.unit)

    def blocks(
        self, rows: Rows, values: FloatArray, spread: Spread | None = None
    ) -> Iterator[tuple[int, Placed]]:
        """Objects with these rows and known values, block by block, each with where it begins.

        Parameters
        ----------
        spread : as `map`, over processors; None for the threads that fits share.
        """
        first = 0
        for block in self._comparison.blocks(rows):
            yield first, self(block, values[first : first + len(block)], spread)
            first += len(block)

    def __call__(
        self, rows: FloatArray, values: FloatArray, spread: Spread | None = None
    ) -> Placed:
        """Objects with these rows, as `Measurements.blocks` gives them, and known values."""
        parts = (spread or shared_threads().map)(
            lambda first: self._part(rows[first : first + PART], values[first : first + PART]),
            range(0, len(rows), PART),
        )
        return joined(list(parts))

    def delta(self, rows: FloatArray) -> RealArray:
        """(n, M) in single precision, in the unit of the references."""
        out = np.empty((len(rows), self._columns.shape[1]), np.float32)
        self._comparison.write(rows.astype(np.float32), self._columns, out)
        out *= self._unit
        return out

    def _part(self, rows: FloatArray, values: FloatArray) -> Placed:
        return placed(self._references, self.delta(rows), values)


def nowhere(values: FloatArray, n_components: int) -> Placed:
    """Objects that have no place yet."""
    n = len(values)
    places = np.full((n, n_components), np.nan)
    return Placed(places, values.copy(), np.full(n, np.nan), np.full(n, np.nan))


def joined(parts: list[Placed]) -> Placed:
    """Blocks one after the other."""
    return Placed(
        np.concatenate([part.embedding for part in parts]),
        np.concatenate([part.known_values for part in parts]),
        np.concatenate([part.unexplained for part in parts]),
        np.concatenate([part.nearest for part in parts]),
    )
