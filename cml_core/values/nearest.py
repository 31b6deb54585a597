"""Which objects an object is most, and least, like by the data alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cml_core.values.arrays import IntArray, RealArray, row_of
from cml_core.values.dissimilarities import Dissimilarities


class Ends(NamedTuple):
    """Other objects with their dissimilarities: the nearest, and the farthest, of one object."""

    nearest: tuple[tuple[int, float], ...]
    farthest: tuple[tuple[int, float], ...]


def ends(dissimilarities: Dissimilarities, count: int) -> tuple[Ends, ...]:
    """For each object up to `count` at either end, nobody at both; of equals the first.

    Pairs that are missing are nobody's.
    """
    n = dissimilarities.n_objects
    return tuple(_ends_of(row_of(dissimilarities.condensed, i, n), count) for i in range(n))


def _ends_of(row: RealArray, count: int) -> Ends:
    others = np.flatnonzero(~np.isnan(row))
    least, most = min(count, -(-others.size // 2)), min(count, others.size // 2)
    return Ends(
        _told(row, others[_smallest(row[others], least)]),
        _told(row, others[_smallest(-row[others], most)]),
    )


def _smallest(values: RealArray, count: int) -> IntArray:
    """The places of the smallest, in order."""
    if count < values.size:
        within = np.flatnonzero(values <= np.partition(values, count)[count])
    else:
        within = np.arange(values.size)
    return within[np.argsort(values[within], kind="stable")][:count]


def _told(row: RealArray, objects: IntArray) -> tuple[tuple[int, float], ...]:
    return tuple(zip(objects.tolist(), row[objects].tolist(), strict=True))
