"""Smooth curves of one number: a natural cubic spline with few knots, in uncorrelated columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.columns import is_constant

# Enough for a bend in either half of the values; beyond the outer knots all is straight. With four
# knots their places are those of Harrell (2015, Regression Modeling Strategies, section 2.4.6).
MOST_KNOTS = 4
OUTER = 0.05
# A column of which the others leave less than this share is rounding error.
ROUNDING = 1e-7


@dataclass(frozen=True, eq=False)
class NaturalSpline(Value):
    """The columns that a number becomes, whatever its unit is and wherever its zero.

    The first column is the number itself, standardised; each of the others adds a bend. Over the
    values that the spline was made for, all have mean 0 and mean square 1, and none predicts
    another.

    Parameters
    ----------
    size, centre, reach : a value x stands at z = (x / size - centre) / reach, from -1 to 1.
    knots : (K,) of z, rising.
    mixing : (K, K - 1) from 1, z and the bends to the columns.
    """

    size: float
    centre: float
    reach: float
    knots: FloatArray
    mixing: FloatArray

    @property
    def n_columns(self) -> int:
        return int(self.mixing.shape[1])

    def at(self, values: FloatArray) -> FloatArray:
        """(M, K - 1) columns of M values; NaN where missing."""
        z = (values / self.size - self.centre) / self.reach
        columns: FloatArray = _functions(z, self.knots) @ self.mixing
        return columns


def natural_spline(values: FloatArray) -> NaturalSpline | None:
    """The spline for values (N,), NaN where missing; None where they are all the same.

    It has three columns, and fewer where values are too few for so many: of two different ones a
    single column tells all there is to tell.
    """
    given = values[~np.isnan(values)]
    if is_constant(given):
        return None
    # By way of the largest, for the largest floats may be farther apart than a float can say.
    size = float(np.abs(given).max())
    low, high = float(given.min() / size), float(given.max() / size)
    centre, reach = 0.5 * (low + high), 0.5 * (high - low)
    z = (given / size - centre) / reach
    # Of the different values: where most objects share one, quantiles of all would coincide.
    distinct = np.unique(z)
    for count in range(min(MOST_KNOTS, distinct.size), 1, -1):
        knots = np.quantile(distinct, np.linspace(OUTER, 1.0 - OUTER, count))
        triangle = np.linalg.qr(_functions(z, knots), mode="r")
        sizes = np.diagonal(triangle)
        if (np.abs(sizes) > ROUNDING * np.linalg.norm(triangle, axis=0)).all():
            break
    # A column rises with its last function, whichever signs the decomposition came by.
    mixing = np.linalg.inv(triangle) * np.sign(sizes) * np.sqrt(z.size)
    return NaturalSpline(size, centre, reach, frozen(knots), frozen(mixing[:, 1:]))


def _functions(z: FloatArray, knots: FloatArray) -> FloatArray:
    """(M, K) one, z, and for each knot but two a bend that is straight beyond the outer knots."""
    # The truncated power basis of Hastie, Tibshirani and Friedman (2009), equations 5.4 and 5.5.
    cubes = np.maximum(z[:, None] - knots, 0.0) ** 3
    slopes = (cubes[:, :-1] - cubes[:, -1:]) / (knots[-1] - knots[:-1])
    bends = slopes[:, :-1] - slopes[:, -1:]
    return np.column_stack([np.ones_like(z), z, bends])
