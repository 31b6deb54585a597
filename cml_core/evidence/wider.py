"""Fits with one dimension more, and what that takes away where no further feature is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial.distance import squareform

from cml_core.errors import TooManyDimensions
from cml_core.evidence.null_cases import NullCases
from cml_core.evidence.null_data import NullData
from cml_core.evidence.refits import refit
from cml_core.fitting.configuration import Solution
from cml_core.fitting.problem import Problem
from cml_core.fitting.scaled_targets import scaled_targets
from cml_core.values.arrays import FloatArray

# A fit as good as this has left nothing to be explained.
EXACT = 1e-14
# New dimensions are looked for in so many directions in which residuals hang together.
DIRECTIONS = 2
# Of the largest, where the residuals spread in fewer: a length of nought would stay nought.
SMALLEST_START = 1e-3


def lowered_by_chance(world: NullData | NullCases, seed: int, number: int) -> float:
    """What one more dimension takes away of what is unexplained in one data set without it."""
    drawn = world.drawn(np.random.default_rng([seed, 0, number]))
    # From the map that they were made of, which takes no search to find; the fit of the data
    # themselves is the best of many starts, so neither side is the better fitted one.
    found = world.fitted(drawn)
    if found.stress <= EXACT:
        return 0.0
    return 1.0 - wider_fit(drawn, found, world.power).stress / found.stress


def chance(observed: float, null: Sequence[float]) -> float:
    """How often made data give as much, the data themselves counted with them: a p-value."""
    return (1 + sum(value >= observed for value in null)) / (1 + len(null))


def wider_fit(problem: Problem, found: Solution, power: float) -> Solution:
    """The fit with one more dimension, from a fit."""
    wider = replace(problem, n_components=problem.n_components + 1)
    # A new dimension of noughts would stay one, for it has no gradient.
    starts = [
        (np.column_stack([found.embedding, new]), found.coef)
        for new in _new_dimensions(problem, found, power)
    ]
    return refit(wider, *starts, power=power)


def wider_fits(problem: Problem, found: Solution, power: float) -> list[Solution]:
    """The fits with one dimension more, and with two where there is room."""
    one = wider_fit(problem, found, power)
    wider = replace(problem, n_components=problem.n_components + 1)
    try:
        return [one, wider_fit(wider, one, power)]
    except TooManyDimensions:
        return [one]


def _new_dimensions(problem: Problem, found: Solution, power: float) -> list[FloatArray]:
    """Coordinates along which what is left of the squared dissimilarities spreads most."""
    left = np.nan_to_num(scaled_targets(problem, found, power) ** 2 - found.distances() ** 2)
    square = squareform(left)
    centred = square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean()
    sizes, vectors = np.linalg.eigh(-0.5 * centred)
    smallest = SMALLEST_START * np.abs(sizes).max()
    lengths = np.sqrt(np.maximum(sizes[::-1][:DIRECTIONS], smallest))
    return list(lengths[:, None] * vectors.T[::-1][:DIRECTIONS])
