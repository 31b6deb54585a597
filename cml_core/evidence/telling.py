"""How well a fit of some pairs tells others, in the data's own units on every scale.

On the ratio scale distances are what is told. On any other a curve of the scale's family, laid
through the dissimilarities of the pairs that the fit has seen over its distances, tells those of
the pairs that it has not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import NothingToExplain
from cml_core.evidence.held_out import HeldOut
from cml_core.evidence.refits import TOLERANCE, Guess, few_starts, refit
from cml_core.fitting.configuration import Solution
from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.scales.told import told
from cml_core.values.arrays import BoolArray, FloatArray, RealArray, Value


@dataclass(frozen=True, eq=False)
class Seen(Value):
    """A fit of the pairs that are not held out; on the power scale, of which power of them."""

    solution: Solution
    power: float = 1.0


def fit_of_others(problem: Problem, seed: int) -> Seen:
    """The fit of a problem whose pairs that are held out are missing."""
    starts = few_starts(problem)
    if SCALES[problem.scale].to_a_power:
        # Looked for anew: the power of all pairs would know those that are held out.
        found = fit(problem, n_init=starts, tol=TOLERANCE, seed=seed)
        return Seen(found.best, found.power)
    return Seen(refit(problem, fresh=starts, seed=seed))


def fit_from(problem: Problem, start: Guess, power: float, seed: int) -> Seen:
    """The fit from a start and from the usual ones; on the power scale, of this power."""
    starts = few_starts(problem)
    return Seen(refit(problem, start, fresh=starts, seed=seed, power=power), power)


def typical_distance(problem: Problem, found: Seen) -> float:
    """How large distances are that fit this problem, by a fit of it."""
    sizes: RealArray = problem.dissimilarities.condensed
    if problem.scale != RATIO:
        # There they have no size of the data's own; where there are none as yet, about one.
        sizes = found.solution.distances()
        sizes = sizes if sizes.any() else np.ones(1)
    return float(np.sqrt(np.nanmean(sizes**2)))


def check_varied(problem: Problem) -> None:
    """Raise `NothingToExplain` where all dissimilarities are alike on a scale that has no zero."""
    counted = problem.targets.condensed[problem.counting]
    if problem.scale != RATIO and counted.min() == counted.max():
        raise NothingToExplain(
            "All dissimilarities are alike, so there is nothing to tell of pairs held out.",
            remedy="Use data in which some pairs differ more than others.",
        )


def error_of(held: HeldOut, fold: int, problem: Problem, found: Seen) -> float:
    """What is not told of the pairs of a fold by a fit of the others.

    On the ratio scale the share of their squared dissimilarities, on any other the mean squared
    error as a share of the variance of all: where zero lies is not known there.

    Parameters
    ----------
    problem : the one that was fitted, without what is held out.
    """
    pairs, expected = held.pairs(fold), expected_by(problem, found)
    if problem.scale == RATIO:
        return share_of_squares(held.judges, expected, held.weights, pairs)
    return share_of_variance(held.judges, expected, held.weights, held.dealt >= 0, pairs)


def expected_by(problem: Problem, found: Seen) -> FloatArray:
    """(N(N-1)/2,) what a fit of the pairs that count tells of every pair, in the data's unit."""
    distances = found.solution.distances()
    if problem.scale == RATIO:
        return distances
    return told(SCALES[problem.scale], problem.judged, distances, found.power)


def share_of_squares(
    given: RealArray, told_of_them: FloatArray, weights: FloatArray, pairs: BoolArray
) -> float:
    """The sum of squared errors of some pairs, as a share of their squares."""
    given, expected = given[pairs], told_of_them[pairs]
    counts = weights[pairs] if weights.size else np.ones(given.size)
    return float((counts * (given - expected) ** 2).sum() / (counts * given**2).sum())


def share_of_variance(
    given: RealArray,
    told_of_them: FloatArray,
    weights: FloatArray,
    counting: BoolArray,
    pairs: BoolArray,
) -> float:
    """The mean squared error of some pairs, as a share of the variance of all that count."""
    weights = weights if weights.size else np.ones(given.size)
    centre = np.average(given[counting], weights=weights[counting])
    size = float(np.abs(given[counting]).max())
    # Divided out first, for squares of large dissimilarities are no floats.
    spread = np.average(((given - centre) / size)[counting] ** 2, weights=weights[counting])
    errors = ((given - told_of_them) / size)[pairs] ** 2
    return float(np.average(errors, weights=weights[pairs]) / spread)
