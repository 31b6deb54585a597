"""Objects whose places are settled, in the form in which others are placed among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.fitting.configuration import Configuration
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, RealArray, Value

# Known values that differ by less than this share of their size are the same.
SAME = 1e-9


@dataclass(frozen=True, eq=False)
class References(Value):
    """M objects, in a unit in which dissimilarities are of order one.

    Parameters
    ----------
    settled : where they lie, in the units of the data.
    unit : dissimilarities are multiplied by this.
    X : (p + q, M) hidden dimensions and known places, centred, in single precision.
    inverse, offset : of the closed form that begins a placement; see `kernels.place`.
    centre, middle : what was taken from hidden dimensions and from known values.
    """

    settled: Configuration
    unit: float
    X: RealArray
    inverse: RealArray
    offset: RealArray
    centre: FloatArray
    middle: FloatArray

    @property
    def count(self) -> int:
        return int(self.X.shape[1])

    def coincident(self, delta: RealArray, nearest: FloatArray, values: FloatArray) -> IntArray:
        """(n,) for each object the reference that nothing known tells it from; -1 for none.

        Parameters
        ----------
        delta : (n, M) dissimilarities in this unit, `nearest` (n,) the least of each.
        values : (n, q) known values, NaN where missing.
        """
        found = np.full(len(delta), -1)
        for i in np.flatnonzero(nearest == 0):
            alike = np.flatnonzero(delta[i] == 0)
            known = self.settled.known_values[alike]
            same = np.isnan(values[i]) | (np.abs(known - values[i]) <= SAME * (1 + np.abs(known)))
            alike = alike[same.all(axis=1)]
            if alike.size == 1:
                found[i] = alike[0]
            elif alike.size:
                found[i] = alike[np.argmin([self._misfit(delta[i], j) for j in alike])]
        return found

    def _misfit(self, delta: RealArray, j: int) -> float:
        """The own stress of an object with these dissimilarities at the place of reference j."""
        apart = self.X - self.X[:, [j]]
        errors = delta - np.sqrt((apart**2).sum(axis=0))
        return float(np.nansum(errors**2))


def references_at(settled: Configuration, unit: float, mean_squares: FloatArray) -> References:
    """References from where they lie.

    Parameters
    ----------
    mean_squares : (M,) the mean of each one's squared dissimilarities to all others.
    """
    hidden, known = settled.embedding, settled.known_values
    centre, middle = hidden.mean(axis=0), known.mean(axis=0)
    U = (hidden - centre) * unit
    Z = (known - middle) @ settled.coef * unit
    inverse = np.linalg.pinv(U)
    squares = (Z**2).sum(axis=1)
    left = mean_squares * unit**2 - squares - squares.mean()
    single = np.float32
    return References(
        settled=settled,
        unit=unit,
        X=np.ascontiguousarray(np.hstack([U, Z]).T, dtype=single),
        inverse=inverse.astype(single),
        offset=(0.5 * inverse @ left).astype(single),
        centre=centre,
        middle=middle,
    )


def with_gaps_filled(
    references: References, delta: RealArray, values: FloatArray, missing: BoolArray, nearest: int
) -> FloatArray:
    """Known values whose gaps begin at the mean of the nearest references."""
    filled = values.copy()
    for i in np.flatnonzero(missing.any(axis=1)):
        near = np.argsort(delta[i], kind="stable")[:nearest]
        filled[i, missing[i]] = references.settled.known_values[near][:, missing[i]].mean(axis=0)
    return filled
