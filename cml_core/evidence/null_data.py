"""Data that have what a fit found and nothing else, for a test to compare the data with.

Each is made of the fitted distances and of errors, and then takes on the very numbers that were
observed, dealt out by rank: so it is bent, rounded and bounded as the data are. Errors are the
residuals of other pairs, in units of a power of the distance; or, where single people are known,
what the mean of their answers changes by when people are drawn anew.

A fit takes some of the errors away with it, and on a free scale the curve takes more, above all
of large distances. So the size of the errors, and the power with which they grow, are chosen by
indirect inference: such that fits of these data leave as much as the fit of the data did, and as
differently. With residuals as they are there were .08 to .18 false alarms at 5 % on free scales.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cml_core.evidence.refits import refit, with_values
from cml_core.fitting.configuration import Configuration, Solution
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.scaled_targets import scaled_targets
from cml_core.fitting.scales.smooth import SPLINE
from cml_core.fitting.scales.told import told
from cml_core.values.answers import Answers
from cml_core.values.arrays import BoolArray, FloatArray, Value

# Distances below this share of their mean count as this share: their noise is not nil.
SMALLEST_DISTANCE = 0.01
# Tried one by one: the likelihood is cheap, and a search could end on the wrong side of a dip.
GROWTHS = np.linspace(0.0, 1.6, 65)
# Errors larger than in proportion to the distance are not thought of.
MOST_GROWTH = 2.0
# By so many data sets the errors are matched, in so many rounds.
PILOTS, ROUNDS = 10, 3
# Residuals are at most so many times smaller, or larger, than the errors they come from.
MOST_RESIZED = 5.0
# Of what is left where all fits exactly, of which there is no logarithm.
TINY = float(np.finfo(float).tiny)
# Keeps the order of distances where the curve over them is level.
RISE = 1e-6


@dataclass(frozen=True, eq=False)
class NullData(Value):
    """What data without a further feature are made of.

    Parameters
    ----------
    problem : of the data, whose gaps, scale and known features they share.
    found, power : where its fit ended; refits begin there.
    centre : (M,) of the pairs observed, what they would be without errors.
    shape : (M,) residuals in units of their own size; empty where people are drawn.
    distances : (M,) floored, by a power of which errors grow.
    size, growth : of the errors: their root mean square, and that power; of people's answers
        only a factor.
    answers : of single people, who are drawn in place of residuals.
    """

    problem: Problem
    found: Solution
    power: float
    centre: FloatArray
    shape: FloatArray
    distances: FloatArray
    size: float
    growth: float
    answers: Answers | None

    @property
    def observed(self) -> BoolArray:
        """Which pairs are known."""
        return ~self.problem.dissimilarities.missing

    def drawn(self, random: np.random.Generator) -> Problem:
        """One data set."""
        given, observed = self.problem.dissimilarities.condensed, self.observed
        order = np.argsort(self.centre + self._errors(random), kind="stable")
        dealt = np.empty(order.size)
        dealt[order] = np.sort(given[observed])
        values = np.full(given.size, np.nan)
        values[observed] = dealt
        return with_values(self.problem, values)

    def fitted(self, drawn: Problem) -> Solution:
        """The fit of a data set, from the map that it was made of: that takes no search to find."""
        return refit(drawn, (self.found.embedding, self.found.coef), power=self.power)

    def _errors(self, random: np.random.Generator) -> FloatArray:
        if self.answers is not None:
            people = random.integers(self.answers.n_people, size=self.answers.n_people)
            moved = self.answers.mean_of(people) - self.answers.mean
            # Nobody who answered a pair may have been drawn: then nothing is known of its error.
            return self.size * np.nan_to_num(moved[self.observed])
        reach = self.distances**self.growth
        reach *= self.size / np.sqrt((reach**2).mean())
        errors: FloatArray = reach * random.permutation(self.shape)
        return errors


def null_data(problem: Problem, fit: Fit, answers: Answers | None, seed: int) -> NullData:
    """Data with what a fit found, whose own fits leave what this fit left.

    Parameters
    ----------
    problem : of the fit, with its targets as plain data (`refits.as_fitted`).
    answers : of single people, whose mean these targets are.
    """
    left = residuals(problem, fit.best, fit.power)
    distances = floored(fit.distances()[~problem.dissimilarities.missing])
    growth = residual_growth(distances, left)
    shape = left / distances**growth
    begun = NullData(
        problem=problem,
        found=fit.best,
        power=fit.power,
        centre=_centre(problem, fit, distances, answers),
        shape=shape / np.sqrt((shape**2).mean()),
        distances=distances,
        size=float(np.sqrt((left**2).mean())) if answers is None else _of_drawing(answers),
        growth=growth,
        answers=answers,
    )
    return _matched(begun, float(np.log(fit.stress)), growth, seed)


def residuals(problem: Problem, found: Configuration, power: float) -> FloatArray:
    """(M,) of the pairs observed, what they count as less the fitted distance."""
    left: FloatArray = scaled_targets(problem, found, power) - found.distances()
    return left[~problem.dissimilarities.missing]


def residual_growth(distances: FloatArray, residuals: FloatArray) -> float:
    """The power of the distance with which residuals grow, most likely for normal ones."""
    logs = np.log(distances)
    likelihoods = [
        -0.5 * residuals.size * np.log(max(np.mean((residuals / distances**growth) ** 2), TINY))
        - growth * logs.sum()
        for growth in GROWTHS
    ]
    return float(GROWTHS[int(np.argmax(likelihoods))])


def _matched(begun: NullData, left: float, growth: float, seed: int) -> NullData:
    """With errors of the size, and growth, by which refits leave as much as the fit did."""
    smallest, largest = begun.size / MOST_RESIZED, begun.size * MOST_RESIZED
    world = begun
    for _ in range(ROUNDS):
        # The same draws in every round, so that what changes is what was changed.
        seen = np.mean([_seen(world, [seed, 1, k]) for k in range(PILOTS)], axis=0)
        size = world.size * float(np.exp((left - seen[0]) / 2))
        grown = world.growth + growth - float(seen[1])
        world = replace(
            world,
            size=float(np.clip(size, smallest, largest)),
            growth=float(np.clip(grown, 0.0, MOST_GROWTH)) if world.answers is None else growth,
        )
    return world


def _seen(world: NullData, seed: list[int]) -> tuple[float, float]:
    """What a fit of one data set leaves, in logarithms, and how its residuals grow."""
    drawn = world.drawn(np.random.default_rng(seed))
    found = world.fitted(drawn)
    distances = floored(found.distances()[world.observed])
    grown = residual_growth(distances, residuals(drawn, found, world.power))
    return float(np.log(max(found.stress, TINY))), grown


def _centre(
    problem: Problem, fit: Fit, distances: FloatArray, answers: Answers | None
) -> FloatArray:
    """In the units of the errors: of distances, or of what people said."""
    observed = ~problem.dissimilarities.missing
    fitted = fit.distances()[observed]
    if answers is None:
        return fitted
    # Bent as the answers are, by no more than a few numbers.
    smooth = told(SPLINE, problem.judged, fit.distances(), fit.power)[observed]
    rise: FloatArray = smooth + RISE * np.ptp(smooth) * fitted / distances.max()
    return rise


def _of_drawing(answers: Answers) -> float:
    """A mean over people drawn from K varies by K - 1 in place of K parts."""
    return float(np.sqrt(answers.n_people / (answers.n_people - 1)))


def floored(distances: FloatArray) -> FloatArray:
    """Distances none of which is so small that its error would be nil."""
    raised: FloatArray = np.maximum(distances, SMALLEST_DISTANCE * distances.mean())
    return raised
