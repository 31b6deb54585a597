"""The measures that very many objects can be compared by; each is one line."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cml_core.values.arrays import BoolArray, FloatArray, RealArray
from cml_core.values.columns import ROUNDING
from cml_core.values.measures.kernels import (
    absolute_differences,
    square_roots,
    squared_differences,
)
from cml_core.values.measures.measure import Measure, Reach


def _from_middle(rows: FloatArray, reach: Reach) -> FloatArray:
    found: FloatArray = (rows - reach.middle) / reach.size
    return found


def _size(reach: Reach) -> float:
    return reach.size


def _straight(rows: RealArray, R: RealArray, _: int, out: RealArray) -> None:
    squared_differences(rows, R, out)
    square_roots(out)


def _added_up(rows: RealArray, R: RealArray, amounts: int, out: RealArray) -> None:
    absolute_differences(rows, R, amounts, out)


def _directions(rows: FloatArray, _: Reach) -> FloatArray:
    # By way of the largest entry, for squares of very large or small ones are no floats.
    sized = rows / np.abs(rows).max(axis=1, keepdims=True)
    found: FloatArray = sized / np.linalg.norm(sized, axis=1, keepdims=True)
    return found


def _from_own_mean(rows: FloatArray, reach: Reach) -> FloatArray:
    return _directions(_centred(rows), reach)


def _centred(rows: FloatArray) -> FloatArray:
    found: FloatArray = rows - rows.mean(axis=1, keepdims=True)
    return found


def _half_squares(rows: RealArray, R: RealArray, _: int, out: RealArray) -> None:
    """One minus the cosine: half the square of the line between the ends of two directions."""
    squared_differences(rows, R, out)
    out *= out.dtype.type(0.5)


def _only_zeros(rows: FloatArray) -> BoolArray:
    found: BoolArray = np.logical_not(rows.any(axis=1))
    return found


def _level(rows: FloatArray) -> BoolArray:
    spread = rows.max(axis=1) - rows.min(axis=1)
    found: BoolArray = spread <= ROUNDING * np.abs(rows).max(axis=1)
    return found


def _by_range(rows: FloatArray, reach: Reach) -> FloatArray:
    """Amounts first, by their range; a column that does not vary makes no difference."""
    span = reach.highest - reach.lowest
    varies = span > ROUNDING * np.maximum(np.abs(reach.highest), np.abs(reach.lowest))
    amounts = (rows - reach.lowest) / np.where(varies, span, 1.0) * varies
    return np.hstack([amounts[:, ~reach.groups], rows[:, reach.groups]])


def _mean_difference(rows: RealArray, R: RealArray, amounts: int, out: RealArray) -> None:
    absolute_differences(rows, R, amounts, out)
    out /= out.dtype.type(len(R))


_ALL = (
    Measure("euclidean", _from_middle, _straight, unit=_size),
    Measure("cityblock", _from_middle, _added_up, unit=_size),
    Measure("cosine", _directions, _half_squares, undefined=_only_zeros, why="has only zeros"),
    Measure(
        "correlation",
        _from_own_mean,
        _half_squares,
        undefined=_level,
        why="has the same number in all columns",
    ),
    # Gower (1971), Biometrics 27, 857-871.
    Measure("gower", _by_range, _mean_difference, mixed=True),
)
MEASURES: Mapping[str, Measure] = {measure.name: measure for measure in _ALL}
