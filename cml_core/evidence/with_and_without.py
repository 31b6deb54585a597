"""How well held-out pairs are told with a feature, without it, and with it shuffled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.linalg import block_diag

from cml_core.evidence.held_out import HeldOut, held_out, others_of
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.rereading import Reading, read_anew, reading_of
from cml_core.evidence.shuffled import SaidByOthers, said_by_others, shuffled_feature
from cml_core.evidence.telling import (
    Seen,
    check_varied,
    error_of,
    fit_from,
    fit_of_others,
    typical_distance,
)
from cml_core.fitting.problem import Problem
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.features import Feature

# What is nearly all said by the others has nothing of its own to be judged.
ALL_SAID = 0.999
# How far a feature reaches in a start, as a share of the dissimilarities.
FAINT = 0.1


@dataclass(frozen=True)
class Asked:
    """One thing to be tried.

    Parameters
    ----------
    feature : which known feature is judged, counted from 0.
    fewer : how many of the hidden dimensions are left out.
    change : the feature as it is, or read off anew (0), or shuffled for the so-manieth time.
    """

    feature: int
    fewer: int = 0
    change: int = 0


@dataclass(frozen=True, eq=False)
class Trial(Value):
    """Everything that the fits about the known features of one problem need.

    Parameters
    ----------
    problem : as fitted.
    said : of every feature, what the others say of it.
    readings : of those that were read off a map, how; and what is held out of that map.
    bases : the fits without a feature, of so many dimensions fewer, without a fold.
    """

    problem: Problem
    held: HeldOut
    seed: int
    said: tuple[SaidByOthers | None, ...]
    readings: Mapping[str, tuple[Reading, HeldOut]]
    bases: Mapping[tuple[Asked, int], Seen] = field(default_factory=dict)

    def feature(self, asked: Asked) -> Feature:
        return self.problem.known.features[asked.feature]

    def is_shuffled(self, k: int) -> bool:
        """Whether it is fair to compare feature k with its own values shuffled."""
        said = self.said[k]
        own = said is not None and said.share < ALL_SAID
        return own and not self.problem.known.features[k].read_off_map

    def has_fewer(self, k: int) -> bool:
        """Whether feature k can be judged in the place of a hidden dimension."""
        judged = self.is_shuffled(k) or self.problem.known.features[k].name in self.readings
        return judged and self.problem.n_components > 0

    def without(self, asked: Asked) -> Problem:
        """The problem without the feature, and of as many dimensions as are asked for."""
        fewer = replace(self.problem, n_components=self.problem.n_components - asked.fewer)
        return fewer.without(self.feature(asked).name)


def trial_of(
    problem: Problem,
    folds: int,
    seed: int,
    read_off: Mapping[str, Problem],
    answers: Answers | None,
) -> Trial:
    """Deal out what is held out, and see what features say of each other."""
    check_varied(problem)
    held = held_out(problem, folds, seed, answers)
    readings = {
        feature.name: (
            reading_of(feature, as_fitted(read_off[feature.name]), seed),
            others_of(read_off[feature.name], held, answers),
        )
        for feature in problem.known.features
        if feature.read_off_map and feature.name in read_off
    }
    fitted = as_fitted(problem)
    said = tuple(said_by_others(fitted, feature) for feature in fitted.known.features)
    return Trial(fitted, held, seed, said, readings)


def base(trial: Trial, task: tuple[Asked, int]) -> Seen:
    """The fit without a feature, and without what a fold holds out."""
    asked, fold = task
    return fit_of_others(trial.held.without(trial.without(asked), fold), trial.seed)


def errors_without(trial: Trial, asked: Asked) -> FloatArray:
    """(folds,) what is not told of held-out pairs without the feature."""
    without = trial.without(asked)

    def error(fold: int) -> float:
        seen = trial.held.without(without, fold)
        return error_of(trial.held, fold, seen, trial.bases[asked, fold])

    return np.array([error(fold) for fold in range(trial.held.folds)])


def errors_with(trial: Trial, asked: Asked) -> FloatArray:
    """(folds,) what is not told of held-out pairs with the feature, or with what replaces it."""
    return np.array([_error(trial, asked, fold) for fold in range(trial.held.folds)])


def _error(trial: Trial, asked: Asked, fold: int) -> float:
    """With one feature more than in the fit without it, from there and from the usual starts."""
    found = trial.bases[replace(asked, change=0), fold]
    problem = trial.held.without(trial.without(asked), fold)
    start = found.solution.coef
    size = typical_distance(problem, found)
    for feature in _features(trial, asked, fold):
        problem = problem.knowing(feature)
        start = _grown(start, size, feature)
    # From the fit without it alone, a feature that changes the map would be judged by a map that
    # does not know it yet; from fresh starts alone, by the luck of these.
    again = fit_from(problem, (found.solution.embedding, start), found.power, trial.seed)
    return error_of(trial.held, fold, problem, again)


def _grown(coef: FloatArray, size: float, feature: Feature) -> FloatArray:
    """A start for B with a feature that hardly counts as yet, for at zero it never would."""
    spread = np.nanstd(feature.columns(), axis=0)
    own = np.divide(FAINT * size, spread, out=np.zeros_like(spread), where=spread > 0)
    grown: FloatArray = block_diag(coef, np.diag(own)) if coef.size else np.diag(own)
    return grown


def _features(trial: Trial, asked: Asked, fold: int) -> tuple[Feature, ...]:
    """What stands in the place of a feature."""
    feature, said = trial.feature(asked), trial.said[asked.feature]
    if asked.change:
        assert said is not None
        # The same in every fold: a shuffled feature is one feature, as the one that is judged.
        random = np.random.default_rng([trial.seed, asked.feature, asked.change])
        return shuffled_feature(trial.problem, feature, said, random)
    if feature.name in trial.readings:
        reading, held = trial.readings[feature.name]
        return read_anew(reading, held.seen(fold), trial.seed)
    return (feature,)
