"""Encoded known features, centred and scaled: the form in which solvers want them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cml_core.values.arrays import BoolArray, FloatArray, IntArray, RealArray, row_of
from cml_core.values.columns import varying

# Only where a descent begins: it moves the missing entries itself.
NEIGHBOURS_FOR_GAPS = 5


class Standardised(NamedTuple):
    """V, centred and scaled; the columns of one block share a scale.

    `values` has no gaps: a `missing` entry stands at its starting value, and a column that
    does not vary is zero.
    """

    values: FloatArray
    centre: FloatArray
    spread: FloatArray
    missing: BoolArray
    block: IntArray

    @property
    def varies(self) -> BoolArray:
        varies: BoolArray = np.any(self.values != 0.0, axis=0)
        return varies

    def restored(self, moved: FloatArray) -> FloatArray:
        """V in the user's units, each missing entry moved from its start by `moved`."""
        values = self.values.copy()
        values[self.missing] += moved
        return values * self.spread + self.centre

    def moved(self, known_values: FloatArray) -> FloatArray:
        """How far each missing entry of V, in the user's units, lies from its start."""
        standard = (known_values - self.centre) / self.spread
        moved: FloatArray = (standard - self.values)[self.missing]
        return moved


def standardise(columns: FloatArray, block: IntArray, delta: RealArray | None) -> Standardised:
    """Centre and scale the columns, and give gaps the mean of the nearest objects.

    Parameters
    ----------
    columns : (N, q), NaN where missing; every column has an observed entry.
    block : (q,), the columns of one feature bear one number.
    delta : condensed dissimilarities, NaN where missing, to find each object's neighbours; None
        where they are not known, and gaps begin at the mean.
    """
    n, q = columns.shape
    missing = np.isnan(columns)
    if not q:
        return Standardised(columns, np.empty(0), np.empty(0), missing, block)
    centre = np.nanmean(columns, axis=0)
    centred = columns - centre
    deviation = np.sqrt(np.nanmean(centred**2, axis=0))
    # Such a column has lost its digits to its offset.
    constant = ~varying(columns)
    # One scale for all columns of a feature: each by its own would push the categories of which
    # there are few apart, though all are meant to be equally far from each other.
    of_block = np.array([np.sqrt(np.mean(deviation[block == b] ** 2)) for b in block])
    spread = np.where(constant, 1.0, of_block)
    values = np.where(constant, 0.0, centred / spread)
    missing = missing & ~constant
    values[missing] = 0.0
    if delta is None:
        return Standardised(values, centre, spread, missing, block)
    for i in np.flatnonzero(missing.any(axis=1)):
        values[i, missing[i]] = _neighbours_mean(values, missing, row_of(delta, int(i), n), int(i))
    return Standardised(values, centre, spread, missing, block)


def _neighbours_mean(
    values: FloatArray, missing: BoolArray, distance: RealArray, i: int
) -> FloatArray:
    """For each gap of object i, the mean over the nearest objects without it, or over all."""
    nearest = np.argsort(distance, kind="stable")[: np.isfinite(distance).sum()]
    means = np.zeros(int(missing[i].sum()))
    for place, m in enumerate(np.flatnonzero(missing[i])):
        informed = nearest[~missing[nearest, m]][:NEIGHBOURS_FOR_GAPS]
        if informed.size:
            means[place] = values[informed, m].mean()
    return means
