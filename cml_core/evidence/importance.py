"""Did a feature help? Pairs held out of the fit decide, for a lower stress proves nothing.

The held-out error with the feature is compared with that of features of the same kind and
distribution that say nothing: its values dealt out to the objects at random, as far as the
other known features do not predict them. A feature that was read off a map has seen the very
pairs it is judged on. So for every fold it is read off anew, from the map of the other pairs,
and it gets no p-value, for none would be fair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

import numpy as np
from scipy.linalg import block_diag

from cml_core.evidence.adjusting import benjamini_hochberg, chance_columns
from cml_core.evidence.calibrated import check_calibrated
from cml_core.evidence.held_out import error_of, held_out_fit, pair_folds
from cml_core.evidence.refits import as_fitted, few_starts, refit, with_gaps
from cml_core.evidence.rereading import Reading, read_anew, reading_of
from cml_core.evidence.result import Result
from cml_core.evidence.shuffled import SaidByOthers, said_by_others, shuffled_feature
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.configuration import Solution
from cml_core.fitting.problem import Problem
from cml_core.values.arrays import FloatArray, IntArray, Value, frozen
from cml_core.values.features import Feature
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent

# At the level at which false alarms were counted, see benchmarks/CALIBRATION.md.
LIKELY = 0.05
# A gain of more standard errors than this over the folds is more than chance.
CLEAR = 2.0
# What is nearly all said by the others has nothing of its own to be judged.
ALL_SAID = 0.999
# How far a feature reaches in a start, as a share of the dissimilarities.
FAINT = 0.1
_STEPS = (
    "Step 1 of 2, fitting without each feature",
    "Step 2 of 2, fitting with features as they are, and shuffled",
)


@dataclass(frozen=True, eq=False)
class FeatureHelp(Value):
    """What one known feature does for pairs that the fit has not seen.

    Parameters
    ----------
    name : the feature.
    held_out_with, held_out_without : the share of the squared dissimilarities of held-out pairs
        that is not explained; of a feature read off a map, read off anew without them.
    gain_error : standard error of the difference, over folds.
    null : (shuffles,) the first of these with the feature shuffled; empty where that is unfair.
    p_value : how often a shuffled feature does as well, this one counted with them.
    adjusted : the p-value after Benjamini and Hochberg, over all features judged.
    already_known : the share of the feature that the other known features predict.
    read_off_map : whether it was read off a map.
    read_anew : whether it could be read off anew for every fold.
    """

    name: str
    held_out_with: float
    held_out_without: float
    gain_error: float
    null: FloatArray
    p_value: float | None
    adjusted: float | None
    already_known: float
    read_off_map: bool
    read_anew: bool

    @property
    def gain(self) -> float:
        """By how much the feature lowers the held-out error."""
        return self.held_out_without - self.held_out_with

    @property
    def verdict(self) -> str:
        errors = (
            f"of the dissimilarity of pairs held out, {percent(self.held_out_with)} stays "
            f"unexplained with it, {percent(self.held_out_without)} without it"
        )
        if self.read_off_map and not self.read_anew:
            return (
                f"{self.name} was read off a map that had seen all pairs, so that it helps is no "
                "surprise and no evidence."
            )
        if self.read_off_map:
            clear = self.gain > CLEAR * self.gain_error
            how = "helps" if clear else "does not clearly help"
            return (
                f"{self.name} was read off a map, so that it lowers what is unexplained proves "
                f"nothing. Read off anew without the pairs held out, it {how}: {errors}."
            )
        if self.p_value is None:
            return (
                f"{self.name} says nothing that the other known features do not say, so it cannot "
                "be judged apart from them."
            )
        if self.gain > 0 and self.adjusted is not None and self.adjusted <= LIKELY:
            return f"{self.name} helps: {errors}."
        if self.gain <= 0:
            return f"{self.name} does not help: {errors}."
        return f"{self.name} does not clearly help, hardly more than when shuffled: {errors}."


@dataclass(frozen=True, eq=False)
class Helped(Result):
    """What each known feature does for pairs that the fit has not seen."""

    features: tuple[FeatureHelp, ...]
    shuffles: int
    folds: int
    seed: int

    heading = "Did it help?"

    @property
    def verdict(self) -> str:
        return " ".join(self.verdicts)

    @property
    def verdicts(self) -> tuple[str, ...]:
        return tuple(feature.verdict for feature in self.features)

    @property
    def facts(self) -> tuple[str, ...]:
        return (
            f"{self.folds} parts of the pairs were held out in turn; {self.shuffles} shuffles.",
        )

    def table(self) -> Table:
        by_chance, alone = chance_columns(
            [one.adjusted for one in self.features],
            [one.p_value for one in self.features],
            how_often="a shuffled feature does as well",
            tried="judged",
        )
        return Table(
            (
                Column("Feature", [one.name for one in self.features]),
                Column(
                    "Gain",
                    [one.gain for one in self.features],
                    SHARE,
                    "By how much the feature lowers the share of the held-out pairs' "
                    "dissimilarities that is not explained. Below zero it does harm.",
                ),
                by_chance,
                Column(
                    "Give or take",
                    [one.gain_error for one in self.features],
                    SHARE,
                    "The standard error of the gain: how much it would differ with other pairs.",
                ),
                Column(
                    "With it",
                    [one.held_out_with for one in self.features],
                    SHARE,
                    "The share of the held-out pairs' dissimilarities that is not explained.",
                ),
                Column(
                    "Without it",
                    [one.held_out_without for one in self.features],
                    SHARE,
                    "The same, with all features but this one.",
                ),
                alone,
                Column(
                    "Already in the others",
                    [one.already_known for one in self.features],
                    SHARE,
                    "The share of the feature that the other known features predict.",
                ),
                Column(
                    "Read off a map",
                    [one.read_off_map for one in self.features],
                    meaning="Read off a map that has seen all pairs. It is judged by reading it "
                    "off again without the held-out pairs, where that can be done, and gets no "
                    "chance: none would be fair.",
                ),
            )
        )


@dataclass(frozen=True, eq=False)
class _Trial(Value):
    """Everything that the fits of one problem need.

    `bases` has, for each feature that is judged, the fit of every fold without it.
    """

    problem: Problem
    dealt: IntArray
    folds: int
    seed: int
    said: tuple[SaidByOthers | None, ...]
    readings: dict[str, Reading]
    bases: dict[tuple[int, int], Solution] = field(default_factory=dict)


def did_it_help(
    problem: Problem,
    names: Sequence[str] | None = None,
    *,
    shuffles: int = 99,
    folds: int = 10,
    seed: int = 0,
    read_off: Mapping[str, Problem] | None = None,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> Helped:
    """Judge known features of a problem.

    Parameters
    ----------
    names : which of them; by default all.
    shuffles : how many shuffled features each is compared with.
    folds : into so many parts the pairs are dealt; each is held out once.
    read_off : for features that were read off a map, the problem that the map answers.

    Raises
    ------
    NotCalibrated : the problem is asked on another scale than the ratio scale.
    """
    shuffles = whole_number("shuffles", shuffles, least=1)
    folds = whole_number("folds", folds, least=2)
    seed = whole_number("seed", seed)
    check_calibrated(problem)
    trial = _trial(as_fitted(problem), folds, seed, read_off or {})
    chosen = problem.known.names if names is None else problem.known.select(names).names
    places = [problem.known.names.index(name) for name in chosen]
    spread = partial(each, workers=workers, on_step=on_step)

    without = list(product(places, range(folds)))
    bases = spread(partial(_base, trial), without, doing=_STEPS[0])
    trial = replace(trial, bases=dict(zip(without, bases, strict=True)))
    tasks = [task for k in places for task in _tasks(trial, k, shuffles)]
    errors = spread(partial(_errors, trial), tasks, doing=_STEPS[1])

    by_task = dict(zip(tasks, errors, strict=True))
    found = [_help(trial, k, by_task, shuffles) for k in places]
    adjusted = benjamini_hochberg([one.p_value for one in found])
    judged = tuple(replace(one, adjusted=p) for one, p in zip(found, adjusted, strict=True))
    return Helped(judged, shuffles, folds, seed)


def _trial(problem: Problem, folds: int, seed: int, read_off: Mapping[str, Problem]) -> _Trial:
    readings = {
        feature.name: reading_of(feature, as_fitted(read_off[feature.name]), seed)
        for feature in problem.known.features
        if feature.read_off_map and feature.name in read_off
    }
    said = tuple(said_by_others(problem, feature) for feature in problem.known.features)
    return _Trial(problem, pair_folds(problem, folds, seed), folds, seed, said, readings)


def _tasks(trial: _Trial, k: int, shuffles: int) -> list[tuple[int, int]]:
    """Of feature k as it is (0), or read off anew, and shuffled for the s-th time (s)."""
    judged = shuffles if _is_judged(trial, k) else 0
    return [(k, change) for change in range(1 + judged)]


def _is_judged(trial: _Trial, k: int) -> bool:
    said = trial.said[k]
    own = said is not None and said.share < ALL_SAID
    return own and not trial.problem.known.features[k].read_off_map


def _base(trial: _Trial, task: tuple[int, int]) -> Solution:
    k, fold = task
    problem = trial.problem.without(trial.problem.known.names[k])
    return held_out_fit(problem, trial.dealt == fold, trial.seed)


def _errors(trial: _Trial, task: tuple[int, int]) -> FloatArray:
    """(folds,) the error of the pairs held out in each fold."""
    return np.array([_error(trial, task, fold) for fold in range(trial.folds)])


def _error(trial: _Trial, task: tuple[int, int], fold: int) -> float:
    """With one feature more than in the fit without it, from there and from the usual starts."""
    base, held_out = trial.bases[task[0], fold], trial.dealt == fold
    without = trial.problem.without(trial.problem.known.names[task[0]])
    problem = with_gaps(without, held_out)
    start = base.coef
    for feature in _features(trial, task, fold):
        problem = problem.knowing(feature)
        start = _grown(start, problem, feature)
    # From the fit without it alone, a feature that changes the map would be judged by a map that
    # does not know it yet; from fresh starts alone, by the luck of these.
    found = refit(problem, (base.embedding, start), fresh=few_starts(problem), seed=trial.seed)
    return error_of(trial.problem, found.distances(), held_out)


def _grown(coef: FloatArray, problem: Problem, feature: Feature) -> FloatArray:
    """A start for B with a feature that hardly counts as yet, for at zero it never would."""
    spread = np.nanstd(feature.columns(), axis=0)
    reach = FAINT * np.sqrt(np.nanmean(problem.dissimilarities.condensed**2))
    own = np.divide(reach, spread, out=np.zeros_like(spread), where=spread > 0)
    grown: FloatArray = block_diag(coef, np.diag(own)) if coef.size else np.diag(own)
    return grown


def _features(trial: _Trial, task: tuple[int, int], fold: int) -> tuple[Feature, ...]:
    """What stands in the place of a feature."""
    k, change = task
    feature, said = trial.problem.known.features[k], trial.said[k]
    if change:
        assert said is not None
        # The same in every fold: a shuffled feature is one feature, as the one that is judged.
        random = np.random.default_rng([trial.seed, k, change])
        return shuffled_feature(trial.problem, feature, said, random)
    if feature.name in trial.readings:
        return read_anew(trial.readings[feature.name], trial.dealt == fold, trial.seed)
    return (feature,)


def _help(
    trial: _Trial, k: int, errors: dict[tuple[int, int], FloatArray], shuffles: int
) -> FeatureHelp:
    feature, said = trial.problem.known.features[k], trial.said[k]
    held_out = errors[k, 0]
    without = np.array([_error_of_base(trial, k, fold) for fold in range(trial.folds)])
    null, p_value = np.empty(0), None
    if _is_judged(trial, k):
        # The feature itself counts as one of the dealings, so that p is never nought.
        null = np.array([errors[k, s].mean() for s in range(1, shuffles + 1)])
        p_value = (1 + int((null <= held_out.mean()).sum())) / (1 + shuffles)
    return FeatureHelp(
        name=feature.name,
        held_out_with=float(held_out.mean()),
        held_out_without=float(without.mean()),
        gain_error=float((without - held_out).std(ddof=1) / np.sqrt(trial.folds)),
        null=frozen(null),
        p_value=p_value,
        adjusted=None,
        already_known=said.share if said is not None else 1.0,
        read_off_map=feature.read_off_map,
        read_anew=feature.name in trial.readings,
    )


def _error_of_base(trial: _Trial, k: int, fold: int) -> float:
    base = trial.bases[k, fold]
    return error_of(trial.problem, base.distances(), trial.dealt == fold)
