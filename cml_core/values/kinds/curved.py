"""Quantities that may act along a smooth curve: a few columns, which a fit weighs separately."""

from __future__ import annotations

import numpy as np

from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.along import nearest_on
from cml_core.values.kinds.kind import Kind
from cml_core.values.kinds.parts import HasValues
from cml_core.values.natural_spline import natural_spline


def _along(values: FloatArray, feature: HasValues) -> FloatArray:
    spline = natural_spline(feature.values)
    if spline is None:
        return np.where(np.isnan(values), np.nan, 0.0)[:, None]
    return spline.at(values)


def _columns(feature: HasValues) -> FloatArray:
    return _along(feature.values, feature)


def _column_names(feature: HasValues) -> tuple[str, ...]:
    spline = natural_spline(feature.values)
    bends = 0 if spline is None else spline.n_columns - 1
    return (feature.name, *(f"{feature.name} (bend {k + 1})" for k in range(bends)))


def _decoded(columns: FloatArray, feature: HasValues) -> FloatArray:
    return nearest_on(_along, columns, feature)


def _per_step(feature: HasValues, coef: FloatArray) -> float:
    """The mean over all pairs of objects that have a value."""
    places = _columns(feature)[~feature.missing] @ coef
    # Twice the variance about the mean, which counts each object against itself as well.
    n = len(places)
    return 2.0 * float(((places - places.mean(axis=0)) ** 2).sum()) / max(n - 1, 1)


KIND = Kind(
    "curved",
    meaning="a quantity that may act along a curve: the same difference may count more in one "
    "part of its scale than in another",
    step="from one object to another",
    columns=_columns,
    column_names=_column_names,
    decoded=_decoded,
    along=_along,
    per_step=_per_step,
)
