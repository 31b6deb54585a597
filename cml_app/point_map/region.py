"""Which of very many places lie within what a lasso encircled."""

from __future__ import annotations

import numpy as np

from cml_core.values.arrays import BoolArray, FloatArray

# So many places at a time stay in the processor's cache.
BLOCK = 1 << 15


def inside(region: FloatArray, places: FloatArray) -> BoolArray:
    """Which places lie within the region, by the even-odd rule that the map itself follows.

    Parameters
    ----------
    region : (K, 2) corners; the line may cross itself.
    places : (N, 2); one that is NaN lies nowhere.
    """
    within = np.zeros(len(places), dtype=np.bool_)
    low, high = region.min(axis=0), region.max(axis=0)
    for start in range(0, len(places), BLOCK):
        block = places[start : start + BLOCK]
        near = np.flatnonzero(((block >= low) & (block <= high)).all(axis=1))
        within[start + near] = _even_odd(region, block[near])
    return within


def _even_odd(region: FloatArray, places: FloatArray) -> BoolArray:
    x, y = places.T
    odd = np.zeros(len(places), dtype=np.bool_)
    for (xi, yi), (xj, yj) in zip(region, np.roll(region, 1, axis=0), strict=True):
        if yi == yj:
            continue
        crosses = (yi > y) != (yj > y)
        odd ^= crosses & (x < (xj - xi) * (y - yi) / (yj - yi) + xi)
    return odd
