"""Scales whose curves are smooth: differences count (interval), or only roughly (spline)."""

from __future__ import annotations

import numpy as np

from cml_core.fitting.scales.admissible import Admissible, smooth
from cml_core.fitting.scales.rising import curve_through, i_splines, straight_line
from cml_core.fitting.scales.scale import Judged, Scale
from cml_core.values.arrays import FloatArray

# A third of the different values lies on each piece of a spline, as in smacof for R.
INNER_KNOTS = (1 / 3, 2 / 3)
# The distances of points strewn over a plane are on average so many standard deviations long.
TYPICAL_MEAN = 1.9


def _positions(judged: Judged) -> FloatArray:
    """From 0, the smallest, to 1, the largest; what does not count lies between them too."""
    counted = judged.values[judged.counts]
    lowest, highest = float(counted.min()), float(counted.max())
    reach = highest - lowest
    if not reach:
        return np.zeros(judged.values.size)
    return np.clip((judged.values - lowest) / reach, 0.0, 1.0)


def _line(judged: Judged) -> Admissible:
    return smooth(curve_through(_positions(judged), np.ones(2), straight_line(), judged.weights))


def _spline(judged: Judged) -> Admissible:
    position = _positions(judged)
    different = position[judged.order[judged.bounds[:-1]]]
    knots = np.quantile(different, INNER_KNOTS, method="weibull")
    # Of two or three values, knots coincide or lie at an end, and are fewer.
    within = np.unique(knots[(knots > 0.0) & (knots < 1.0)])
    knots = np.append(within, np.ones(len(INNER_KNOTS) - within.size))
    return smooth(curve_through(position, knots, i_splines(knots), judged.weights))


def _as_distances(judged: Judged) -> FloatArray:
    """The dissimilarities, shifted and stretched until they are spread as distances are."""
    counted = judged.values[judged.counts]
    spread = float(counted.std())
    if not spread:
        return np.ones(judged.values.size)
    placed: FloatArray = np.maximum((judged.values - counted.mean()) / spread + TYPICAL_MEAN, 0.0)
    return placed


INTERVAL = Scale(
    "interval", "Differences", "Differences count, zero does not.", _line, _as_distances
)
SPLINE = Scale(
    "spline",
    "A smooth curve",
    "The order counts, and that the numbers bend smoothly away from distances.",
    _spline,
    _as_distances,
)
