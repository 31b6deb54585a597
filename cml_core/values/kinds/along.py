"""Where on its curve a feature is that acts along one."""

from __future__ import annotations

import numpy as np
from scipy.spatial import KDTree

from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.kind import Curve
from cml_core.values.kinds.parts import HasValues

# Between the lowest and the highest value.
STEPS = 256


def scale_of(feature: HasValues) -> FloatArray:
    """Values from the lowest to the highest, evenly, and all those that occur among them."""
    given = feature.values[~feature.missing]
    low, high = given.min(), given.max()
    shares = np.linspace(0.0, 1.0, STEPS + 1)
    # Not the difference, for the largest floats may be farther apart than a float can say.
    return np.unique(np.concatenate([given, (1.0 - shares) * low + shares * high]))


def nearest_on(
    curve: Curve, columns: FloatArray, feature: HasValues, coef: FloatArray | None = None
) -> FloatArray:
    """The values whose points of a curve come nearest to rows of columns; NaN where these are.

    Parameters
    ----------
    coef : how a fit weighs the columns; nearest is then what its distances say is nearest.
    """
    weighed = np.eye(columns.shape[1]) if coef is None else coef
    values = scale_of(feature)
    known = ~np.isnan(columns).any(axis=1)
    found = np.full(len(columns), np.nan)
    tree = KDTree(curve(values, feature) @ weighed)
    found[known] = values[tree.query(columns[known] @ weighed)[1]]
    return found
