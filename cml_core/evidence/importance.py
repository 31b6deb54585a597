"""Did a feature help? Pairs held out of the fit decide, for a lower stress proves nothing.

The held-out error with the feature is compared with that of features of the same kind and
distribution that say nothing: its values dealt out to the objects at random, as far as the
other known features do not predict them. A feature that was read off a map has seen the very
pairs it is judged on. So for every fold it is read off anew, from the map of the other pairs,
and it gets no p-value, for none would be fair.

A map with as many dimensions as are hidden holds a hidden feature already, and gains nothing by
its values. So the same is asked of a map with one dimension fewer: whether the feature takes the
place of a dimension.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from cml_core.evidence.adjusting import benjamini_hochberg, chance_columns
from cml_core.evidence.feature_help import FeatureHelp, InPlace
from cml_core.evidence.held_out import facts_of
from cml_core.evidence.result import Result
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.evidence.with_and_without import (
    Asked,
    Trial,
    base,
    errors_with,
    errors_without,
    trial_of,
)
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import RATIO
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray, frozen
from cml_core.values.real_numbers import whole_number

_STEPS = (
    "Step 1 of 2, fitting without each feature",
    "Step 2 of 2, fitting with features as they are, and shuffled",
)


@dataclass(frozen=True, eq=False)
class Helped(Result):
    """What each known feature does for pairs that the fit has not seen.

    Parameters
    ----------
    scale : on which the dissimilarities count.
    people : how many people were held out in parts, together with the pairs; 0 is none.
    """

    features: tuple[FeatureHelp, ...]
    shuffles: int
    folds: int
    seed: int
    scale: str = RATIO
    people: int = 0

    heading = "Did it help?"

    @property
    def verdict(self) -> str:
        return " ".join(self.verdicts)

    @property
    def verdicts(self) -> tuple[str, ...]:
        return tuple(feature.verdict for feature in self.features)

    @property
    def facts(self) -> tuple[str, ...]:
        parts = f"{self.folds} parts of the pairs were held out in turn; {self.shuffles} shuffles."
        return (parts, *facts_of(self.scale, self.people, self.folds))

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
                *self._columns_in_place(),
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

    def _columns_in_place(self) -> tuple[Column, ...]:
        """What features do where a dimension is left out; nothing where that was not asked."""
        places = [one.in_place for one in self.features]
        if not any(places):
            return ()
        return (
            Column(
                "Takes a dimension's place",
                [one.takes_place for one in self.features],
                meaning="With it and one hidden dimension fewer, held-out pairs are told as well "
                "(within one standard error) as with all dimensions without it, and better than "
                "with it shuffled.",
            ),
            Column(
                "With it, one dimension fewer",
                [one and one.held_out_with for one in places],
                SHARE,
                "The share of the held-out pairs' dissimilarities that is not explained with the "
                "feature where the map has one hidden dimension fewer.",
            ),
            Column(
                "By chance, one dimension fewer",
                [one and one.adjusted for one in places],
                SHARE,
                "How often a shuffled feature does as well there, made stricter because all "
                "these features were judged at once.",
            ),
        )


def did_it_help(
    problem: Problem,
    names: Sequence[str] | None = None,
    *,
    shuffles: int = 99,
    folds: int = 10,
    seed: int = 0,
    read_off: Mapping[str, Problem] | None = None,
    answers: Answers | None = None,
    in_place: bool = True,
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
    answers : the single answers that the dissimilarities are the mean of, if they are known.
        Then people are held out with the pairs, in no more parts than there are people.
    in_place : whether they are judged in the place of a dimension as well, for as long again.
    """
    shuffles = whole_number("shuffles", shuffles, least=1)
    folds = whole_number("folds", folds, least=2)
    seed = whole_number("seed", seed)
    trial = trial_of(problem, folds, seed, read_off or {}, answers)
    chosen = problem.known.names if names is None else problem.known.select(names).names
    places = [problem.known.names.index(name) for name in chosen]
    spread = partial(each, workers=workers, on_step=on_step)

    fewer = {k: in_place and trial.has_fewer(k) for k in places}
    asked = [Asked(k, less) for k in places for less in range(1 + fewer[k])]
    without = list(product(asked, range(trial.held.folds)))
    bases = spread(partial(base, trial), without, doing=_STEPS[0])
    trial = replace(trial, bases=dict(zip(without, bases, strict=True)))
    tasks = [
        replace(one, change=change)
        for one in asked
        for change in range(1 + (shuffles if trial.is_shuffled(one.feature) else 0))
    ]
    errors = spread(partial(errors_with, trial), tasks, doing=_STEPS[1])

    by_task = dict(zip(tasks, errors, strict=True))
    found = _adjusted([_help(trial, k, by_task) for k in places])
    return Helped(
        found, shuffles, trial.held.folds, seed, problem.scale, int(trial.held.people.size)
    )


def _help(trial: Trial, k: int, errors: Mapping[Asked, FloatArray]) -> FeatureHelp:
    feature, said, asked = trial.problem.known.features[k], trial.said[k], Asked(k)
    held_out, without = errors[asked], errors_without(trial, asked)
    null, p_value = _by_chance(asked, errors)
    return FeatureHelp(
        name=feature.name,
        held_out_with=float(held_out.mean()),
        held_out_without=float(without.mean()),
        gain_error=_standard_error(without - held_out),
        null=null,
        p_value=p_value,
        adjusted=None,
        already_known=said.share if said is not None else 1.0,
        read_off_map=feature.read_off_map,
        read_anew=feature.name in trial.readings,
        in_place=_in_place(trial, k, errors, without) if Asked(k, fewer=1) in errors else None,
        n_components=trial.problem.n_components,
    )


def _in_place(
    trial: Trial, k: int, errors: Mapping[Asked, FloatArray], of_all: FloatArray
) -> InPlace:
    """With one dimension fewer; `of_all` are the errors of all dimensions without the feature."""
    asked = Asked(k, fewer=1)
    held_out, without = errors[asked], errors_without(trial, asked)
    null, p_value = _by_chance(asked, errors)
    return InPlace(
        n_components=trial.problem.n_components - 1,
        held_out_with=float(held_out.mean()),
        held_out_without=float(without.mean()),
        gain_error=_standard_error(without - held_out),
        short_error=_standard_error(held_out - of_all),
        null=null,
        p_value=p_value,
        adjusted=None,
    )


def _standard_error(by_fold: FloatArray) -> float:
    return float(by_fold.std(ddof=1) / np.sqrt(by_fold.size))


def _by_chance(asked: Asked, errors: Mapping[Asked, FloatArray]) -> tuple[FloatArray, float | None]:
    """The errors with the feature shuffled, and how often they are as small; none if unfair."""
    shuffled = [one for one in errors if replace(one, change=0) == asked and one.change]
    if not shuffled:
        return frozen(np.empty(0)), None
    # The feature itself counts as one of the dealings, so that p is never nought.
    null = np.array([errors[one].mean() for one in shuffled])
    as_good = int((null <= errors[asked].mean()).sum())
    return frozen(null), (1 + as_good) / (1 + null.size)


def _adjusted(found: Sequence[FeatureHelp]) -> tuple[FeatureHelp, ...]:
    """With p-values made stricter for how many features were judged at once."""
    beside = benjamini_hochberg([one.p_value for one in found])
    places = [one.in_place for one in found]
    instead = benjamini_hochberg([one.p_value if one else None for one in places])
    return tuple(
        replace(one, adjusted=p, in_place=place and replace(place, adjusted=q))
        for one, p, place, q in zip(found, beside, places, instead, strict=True)
    )
