"""Who is near whom in two orders, by Venna and Kaski's trustworthiness and continuity.

Venna and Kaski (2001), "Neighborhood preservation in nonlinear projection methods". For an
object with m others and its k nearest on the one side, each of these that is not among the k
nearest on the other side costs its rank there less k. The sum over objects is divided by the
most it could be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cml_core.values.arrays import FloatArray, IntArray, RealArray, row_of

# Squares closer than this share of the largest are ties, parted by rounding.
DECIMALS = 9


class Ranks(NamedTuple):
    """The ranks that each of some others may have, from `below` + 1 to `upto`; ties share."""

    below: IntArray
    upto: IntArray


def ranks_of(values: FloatArray) -> Ranks:
    """Ranks by size; equal values share the ranks of all of them."""
    order = np.argsort(values)
    ordered = values[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(values)])
    equal = np.diff(first, append=len(values))
    below, upto = np.empty((2, len(values)), dtype=np.intp)
    below[order] = np.repeat(first, equal)
    upto[order] = np.repeat(first + equal, equal)
    return Ranks(below, upto)


def costs(near: Ranks, other: Ranks, size: int) -> float:
    """What the nearest by the one cost by the other, on average over all ways to part ties."""
    places = near.upto - near.below
    # Equal values have no order: each way to part them would give another number, so what is taken
    # is the mean over all of them, in closed form.
    chance = np.clip(size - near.below, 0, places) / places
    low, high = (np.maximum(bound - size, 0) for bound in other)
    mean = (high * (high + 1) - low * (low + 1)) / 2 / (other.upto - other.below)
    return float(chance @ mean)


def most_costs(others: int, size: int) -> int:
    """The most that `size` neighbours among so many others can cost."""
    wrong = max(min(size, others - size), 0)
    return wrong * (others - size) - wrong * (wrong - 1) // 2


def kept_neighbours(
    left: FloatArray, drawn: FloatArray, n_objects: int, sizes: tuple[int, ...]
) -> tuple[FloatArray, FloatArray]:
    """Trustworthiness and continuity for each size; NaN where nothing can be wrong.

    Parameters
    ----------
    left, drawn : condensed, squared, by the data and on the map. Pairs of which the data tell
        nothing, NaN, are nobody's neighbours on either side.
    sizes : numbers of neighbours.
    """
    seen = ~np.isnan(left)
    units = [float(square.max(where=seen, initial=0.0)) for square in (left, drawn)]
    cost = np.zeros((2, len(sizes)))
    most = np.zeros(len(sizes))
    for i in range(n_objects):
        compared = ~np.isnan(row_of(left, i, n_objects))
        data, shown = (
            ranks_of(_without_rounding(row_of(square, i, n_objects)[compared], unit))
            for square, unit in zip((left, drawn), units, strict=True)
        )
        others = int(compared.sum())
        cost[0] += [costs(shown, data, size) for size in sizes]
        cost[1] += [costs(data, shown, size) for size in sizes]
        most += [most_costs(others, size) for size in sizes]
    lost = np.divide(cost, most, out=np.full_like(cost, np.nan), where=most > 0)
    return 1.0 - lost[0], 1.0 - lost[1]


def _without_rounding(squares: RealArray, largest: float) -> FloatArray:
    shares: FloatArray = np.round(squares / (largest or 1.0), DECIMALS)
    return shares
