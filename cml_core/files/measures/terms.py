"""What two objects differ by in one column; the terms that metrics add up."""

from __future__ import annotations

import numpy as np

from cml_core.values.arrays import FloatArray


def distance(a: FloatArray, b: FloatArray) -> FloatArray:
    """|a - b|."""
    gap = a - b
    return np.abs(gap, out=gap)


def square(a: FloatArray, b: FloatArray) -> FloatArray:
    """The square of a - b."""
    gap = a - b
    gap *= gap
    return gap


def differ(a: FloatArray, b: FloatArray) -> FloatArray:
    """1 where they differ at all, else 0."""
    return where_known((a != b).astype(np.float64), a, b)


def where_known(found: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """A comparison of the two, NaN where one is."""
    found[np.isnan(a).ravel()] = np.nan
    found[:, np.isnan(b).ravel()] = np.nan
    return found
