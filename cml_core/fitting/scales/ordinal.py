"""Only the order counts: monotone regression (Kruskal 1964)."""

from __future__ import annotations

import numpy as np

from cml_core.fitting.scales.admissible import Admissible, monotone
from cml_core.fitting.scales.isotonic import Ranks
from cml_core.fitting.scales.scale import Judged, Scale
from cml_core.values.arrays import FloatArray

AUTO, PRIMARY, SECONDARY = "auto", "primary", "secondary"
TIES = (AUTO, PRIMARY, SECONDARY)
# So many pairs to a value are a coarse scale, such as seven points: were they free to take any
# order, nearly anything would fit, and mean nothing.
COARSE = 5


def stay_tied(judged: Judged) -> bool:
    """Whether equal dissimilarities get equal distances; "auto" wants it of a coarse scale."""
    if judged.ties != AUTO:
        return judged.ties == SECONDARY
    return judged.order.size >= COARSE * (judged.bounds.size - 1)


def _admits(judged: Judged) -> Admissible:
    order, sizes = judged.order, np.diff(judged.bounds)
    rank = np.full(judged.values.size, order.size, np.int32)
    if stay_tied(judged):
        rank[:] = sizes.size
        rank[order] = np.repeat(np.arange(sizes.size), sizes)
        return monotone(Ranks(rank, sizes.astype(np.float64), order[:0], order[:0]))
    rank[order] = np.arange(order.size)
    several = sizes > 1
    blocks = np.concatenate([[0], np.cumsum(sizes[several])])
    tied = order[np.repeat(several, sizes)]
    return monotone(Ranks(rank, np.ones(order.size), tied, blocks))


def _as_distances(judged: Judged) -> FloatArray:
    """Distances of points strewn over a plane that have the same ranks."""
    order, bounds = judged.order, judged.bounds
    middle = 0.5 * (bounds[:-1] + bounds[1:]) / order.size
    # Of the distances of normal points in a plane a share u is below this (Rayleigh).
    expected = np.sqrt(-2.0 * np.log1p(-middle))
    placed = np.empty(judged.values.size)
    placed[order] = np.repeat(expected, np.diff(bounds))
    idle = ~judged.counts
    # Pairs that do not count are placed among those that do.
    placed[idle] = np.interp(judged.values[idle], judged.values[order[bounds[:-1]]], expected)
    return placed


SCALE = Scale(
    "ordinal",
    "Only the order",
    "Which of two pairs is more alike counts, how much more does not.",
    _admits,
    _as_distances,
)
