"""A proposed feature is rounded to levels, flipped, marked as unsure, or corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cml_core.errors import LabelMismatch, UnsuitableFeature, listing
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.features import Feature
from cml_core.values.kinds.registry import KINDS

FLIPPED = ", flipped"
CORRECTED = ", corrected by hand"


def natural_breaks(values: FloatArray, k: int) -> FloatArray:
    """The partition of numbers into k levels with the least variance inside them; exact.

    Dynamic programming over the distinct values (Fisher 1958; Jenks' natural breaks), so equal
    values are never parted.

    Parameters
    ----------
    values : (N,) numbers; NaN is left aside.
    k : how many levels.

    Returns
    -------
    (k - 1,) the highest value of each level but the last.
    """
    distinct, counts = _distinct(values)
    if not 1 <= k <= distinct.size:
        raise UnsuitableFeature(
            f"{distinct.size} different values cannot form {k} levels.",
            remedy=f"Choose 1 to {distinct.size} levels.",
        )
    # k-means would stop at one of many partitions; in one dimension the best is found in one sweep.
    begins = _best_partitions(distinct, counts, k)
    breaks = np.empty(k - 1)
    end = distinct.size
    for level in range(k - 1, 0, -1):
        end = int(begins[level, end - 1])
        breaks[level - 1] = distinct[end - 1]
    return breaks


def rounded(feature: Feature, k: int) -> Feature:
    """A quantity or order rounded to the levels 0, 1, …, k - 1 by natural breaks."""
    if not KINDS[feature.kind].ordered:
        raise UnsuitableFeature(
            f"{feature.name} is {feature.kind}, so it has no lowest and highest level.",
            remedy="Round a quantity, or make groups instead.",
        )
    levels = np.searchsorted(natural_breaks(feature.values, k), feature.values).astype(np.float64)
    levels[feature.missing] = np.nan
    origin = f"{feature.origin}, rounded to {k} levels"
    return replace(feature.as_quantity(levels), origin=origin)


def flipped(feature: Feature) -> Feature:
    """The feature in the other direction, between the same lowest and highest value."""
    turned = KINDS[feature.kind].flipped
    if turned is None:
        raise UnsuitableFeature(
            f"{feature.name} is {feature.kind}, so it has no direction.",
            remedy="Flip a quantity, an order or an angle.",
        )
    values, levels = turned(feature)
    origin = feature.origin
    undone = origin.endswith(FLIPPED)
    origin = origin.removesuffix(FLIPPED) if undone else origin + FLIPPED
    return replace(feature, values=values, levels=levels, origin=origin)


def with_missing(feature: Feature, labels: Sequence[str], unsure: Sequence[str]) -> Feature:
    """The feature with these objects marked as unsure: their values become missing."""
    values = feature.values.copy()
    values[rows_of(labels, unsure)] = np.nan
    return _edited(feature, values, feature.levels)


def with_value(
    feature: Feature, labels: Sequence[str], label: str, value: float | str | None
) -> Feature:
    """The feature with another value for one object; None is missing.

    Where there are levels, a value is given by the name of one; among groups without an order, a
    new name becomes the last level.
    """
    row, levels, kind = rows_of(labels, [label]), feature.levels, KINDS[feature.kind]
    values = feature.values.copy()
    if value is None:
        values[row] = np.nan
    elif kind.has_levels:
        if kind.is_grouping and str(value) not in levels:
            levels = (*levels, str(value))
        if str(value) not in levels:
            raise UnsuitableFeature(
                f"{feature.name} has no level {str(value)!r}.",
                remedy=f"Choose one of {listing(levels, 20)}.",
            )
        values[row] = levels.index(str(value))
    else:
        values[row] = _number(feature, label, value)
    return _edited(feature, values, levels)


def rows_of(labels: Sequence[str], names: Sequence[str]) -> IntArray:
    """Where these objects stand among the labels."""
    place = {label: row for row, label in enumerate(labels)}
    unknown = [name for name in names if name not in place]
    if unknown:
        raise LabelMismatch(
            f"No object is called {listing(unknown)}.",
            remedy=f"Use the names of the map, such as {listing(list(labels), 3)}.",
        )
    return np.array([place[name] for name in names], dtype=np.int64)


def _edited(feature: Feature, values: FloatArray, levels: tuple[str, ...]) -> Feature:
    origin = feature.origin.removesuffix(CORRECTED) + CORRECTED
    return replace(feature, values=values, levels=levels, origin=origin)


def _number(feature: Feature, label: str, value: float | str) -> float:
    try:
        return float(value)
    except ValueError:
        raise UnsuitableFeature(
            f"{feature.name} of {label} is {str(value)[:40]!r}: no number.",
            remedy="Give a number, or leave it empty.",
        ) from None


def _distinct(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """The different values in order, and how many objects have each."""
    present = np.asarray(values, dtype=np.float64)
    distinct, counts = np.unique(present[~np.isnan(present)], return_counts=True)
    return distinct, counts


def _best_partitions(distinct: FloatArray, counts: IntArray, most: int) -> IntArray:
    """(most, M) where the last of the levels 0, …, l begins, for the values 0, …, j.

    The partition is the one with the least sum of squares within levels.
    """
    # Centred first, for the sums of squares below are differences of large numbers.
    m = distinct.size
    centred = distinct - np.average(distinct, weights=counts)
    # Sums over the first 0, 1, …, M values.
    size, total, squares = (
        np.concatenate([[0.0], np.cumsum(counts * centred**power)]) for power in (0, 1, 2)
    )
    spread = np.full((most, m), np.inf)
    begins = np.zeros((most, m), dtype=np.int64)
    spread[0] = squares[1:] - total[1:] ** 2 / size[1:]
    for end in range(1, m):
        first = np.arange(1, end + 1)
        mean_square = (total[end + 1] - total[first]) ** 2 / (size[end + 1] - size[first])
        # Sums over the first values give each spread in one step: M^2 k of them in all.
        within = np.maximum(squares[end + 1] - squares[first] - mean_square, 0.0)
        for level in range(1, most):
            candidates = spread[level - 1, :end] + within
            best = int(np.argmin(candidates))
            spread[level, end], begins[level, end] = candidates[best], first[best]
    return begins
