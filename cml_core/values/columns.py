"""Columns of numbers: how far their values reach, and whether they vary but for rounding."""

from __future__ import annotations

import numpy as np

from cml_core.values.arrays import BoolArray, FloatArray

# A float keeps 16 digits. Where values differ by less than this share of their size, fewer than
# four digits of the difference are left, and the operations that made the values round as much.
# The range is compared, not the spread around a mean: equal values have a range of exactly zero,
# while their mean is already rounded.
ROUNDING = 1e-12


def spans(columns: FloatArray) -> FloatArray:
    """The highest value less the lowest, of each column of (N, q) or of one; NaN is left aside."""
    highest = np.fmax.reduce(columns, axis=0, initial=-np.inf)
    # The largest floats may be farther apart than a float can say.
    with np.errstate(over="ignore"):
        reach: FloatArray = highest - np.fmin.reduce(columns, axis=0, initial=np.inf)
    return reach


def varying(columns: FloatArray) -> BoolArray:
    """Which columns of (N, q) hold different values, each judged by its own size."""
    found: BoolArray = spans(columns) > ROUNDING * _sizes(columns)
    return found


def is_constant(values: FloatArray) -> bool:
    """Whether all values (N,) that are known are the same."""
    return not varying(values)


def coincide(places: FloatArray) -> bool:
    """Whether all points (N, p), whose coordinates have one unit, are in the same place."""
    reach = float(spans(places).max(initial=0.0))
    return reach <= ROUNDING * float(_sizes(places).max(initial=0.0))


def _sizes(columns: FloatArray) -> FloatArray:
    sizes: FloatArray = np.fmax.reduce(np.abs(columns), axis=0, initial=0.0)
    return sizes
