"""Monotone regression: the rising values nearest to distances."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.compiling import compiled

# Half the memory of the usual whole numbers, for each step of a descent has to read them all.
ShortIntArray = NDArray[np.int32]


class Ranks(NamedTuple):
    """Which pairs get one value, and that these values rise.

    Parameters
    ----------
    rank : (N(N-1)/2,) the group of each pair; the last, which is no group, for pairs that do not
        count.
    mass : (groups,) how many pairs a group has.
    tied : the pairs that are tied and may get any order, one block of ties after another.
    bounds : where these blocks begin in `tied`, and where the last one ends.
    """

    rank: ShortIntArray
    mass: FloatArray
    tied: IntArray
    bounds: IntArray


class Scratch(NamedTuple):
    """Room for one run at a time: `rank` and `tied` change within ties, the rest is overwritten."""

    rank: ShortIntArray
    tied: IntArray
    sums: FloatArray
    masses: FloatArray
    ends: IntArray


def scratch_for(ranks: Ranks) -> Scratch:
    """Room to look for the nearest values in."""
    groups = ranks.mass.size + 1
    return Scratch(
        ranks.rank.copy(),
        ranks.tied.copy(),
        np.empty(groups),
        np.empty(groups),
        np.empty(groups, np.int64),
    )


def coarsened(ranks: Ranks, groups: int) -> Ranks:
    """The same with neighbouring groups joined, until there are so many of about one mass."""
    place = (np.cumsum(ranks.mass) - 0.5 * ranks.mass) / ranks.mass.sum()
    _, joined = np.unique((place * groups).astype(np.int64), return_inverse=True)
    mass: FloatArray = np.bincount(joined, weights=ranks.mass).astype(np.float64)
    rank = np.append(joined, mass.size)[ranks.rank].astype(ranks.rank.dtype)
    return Ranks(rank, mass, ranks.tied[:0], ranks.bounds[:0])


@compiled(fast=True)
def nearest_rising(
    ranks: Ranks, scratch: Scratch, distances: Any, weights: Any, values: Any
) -> None:
    """Write the weighted means of groups, pooled until they rise, into `values`."""
    rank, sums, masses = scratch.rank, scratch.sums, scratch.masses
    _sort_within_ties(rank, scratch.tied, ranks.bounds, distances)
    sums[:] = 0.0
    if weights.size > 0:
        masses[:] = 0.0
        for k in range(distances.size):
            sums[rank[k]] += weights[k] * distances[k]
            masses[rank[k]] += weights[k]
    else:
        masses[:-1] = ranks.mass
        for k in range(distances.size):
            sums[rank[k]] += distances[k]
    _pool(sums, masses, scratch.ends, ranks.mass.size)
    sums[-1] = 0.0
    for k in range(distances.size):
        values[k] = sums[rank[k]]


@compiled(fast=False, apart=True)
def _sort_within_ties(rank: Any, tied: Any, bounds: Any, distances: Any) -> None:
    """Give tied pairs the order of their distances: Kruskal's primary approach to ties."""
    for t in range(bounds.size - 1):
        first, last = bounds[t], bounds[t + 1]
        lowest = rank[tied[first]]
        for k in range(first, last):
            lowest = min(lowest, rank[tied[k]])
        _sort(tied[first:last], distances)
        for k in range(first, last):
            rank[tied[k]] = lowest + k - first


@compiled(fast=False, apart=True)
def _sort(pairs: Any, distances: Any) -> None:
    """Shell's sort, which is quick where pairs hardly changed their order since the last step."""
    gap = 1
    while gap < pairs.size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, pairs.size):
            moving, place = pairs[k], k
            while place >= gap and distances[pairs[place - gap]] > distances[moving]:
                pairs[place] = pairs[place - gap]
                place -= gap
            pairs[place] = moving
        gap //= 3


@compiled(fast=False, apart=True)
def _pool(sums: Any, masses: Any, ends: Any, groups: int) -> None:
    """Pool adjacent violators; then `sums` holds the level of each group."""
    top = -1
    for g in range(groups):
        total, mass = sums[g], masses[g]
        # The blocks before that lie higher become one with it; by products, for divisions cost
        # more than all the rest.
        while top >= 0 and sums[top] * mass >= total * masses[top]:
            total += sums[top]
            mass += masses[top]
            top -= 1
        top += 1
        sums[top], masses[top], ends[top] = total, mass, g + 1
    # From the last, for the blocks lie at the beginning of where their levels go.
    for block in range(top, -1, -1):
        level = sums[block] / masses[block]
        first = ends[block - 1] if block > 0 else 0
        for g in range(ends[block] - 1, first - 1, -1):
            sums[g] = level
