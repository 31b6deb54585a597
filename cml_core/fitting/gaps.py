"""Missing pairs, filled with what the others say of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.values.arrays import BoolArray, FloatArray, RealArray
from cml_core.values.compiling import compiled

# All shortest ways through a full table take a time that grows with the cube of N: 0.01 s at 500,
# 0.1 s at 1000.
SHORTEST_PATHS_UP_TO = 500


def filled_square(delta: RealArray, missing: BoolArray, n_objects: int) -> FloatArray:
    """The N x N dissimilarities, gaps filled with the way around them.

    Where the shortest path would take too long, the mean of the two objects' own means.
    """
    square = np.zeros((n_objects, n_objects))
    upper = np.triu_indices(n_objects, 1)
    square[upper] = delta
    square += square.T
    if missing.size:
        gap = np.zeros_like(square, dtype=bool)
        gap[upper] = missing
        gap |= gap.T
        square[gap] = _ways_around(square, gap)[gap]
    return square


def _ways_around(square: FloatArray, gap: BoolArray) -> FloatArray:
    n = square.shape[0]
    if n <= SHORTEST_PATHS_UP_TO:
        largest = max(float(square.max()), np.finfo(float).tiny)
        # Ways begin as they did when scipy found them, which took a tiny edge for none at all.
        paths = np.where(gap, np.inf, np.maximum(square / largest, 1e-7))
        np.fill_diagonal(paths, 0.0)
        _shorten(paths)
        if np.isfinite(paths).all():
            whole: FloatArray = largest * paths
            return whole
    # Two objects that are far from all others are probably far from each other.
    given = ~gap
    np.fill_diagonal(given, False)
    means = square.sum(axis=1, where=given) / np.maximum(given.sum(axis=1), 1)
    between: FloatArray = 0.5 * (means[:, None] + means[None, :])
    return between


@compiled(fast=False)
def _shorten(paths: Any) -> None:
    """Replace the lengths of all edges by those of the shortest ways (Floyd and Warshall).

    The same digits as by scipy, which takes seven times as long: here the inner loop is SIMD.
    """
    n = len(paths)
    for k in range(n):
        onward = paths[k].copy()
        for i in range(n):
            there = onward[i]
            shortest = paths[i]
            for j in range(n):
                through = there + onward[j]
                shortest[j] = through if through < shortest[j] else shortest[j]
