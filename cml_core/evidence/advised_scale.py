"""Which scale the dissimilarities bear: pairs held out of a fit, told by the fits on each scale.

On each scale the map is fitted to the other pairs, and a curve of the scale's own family is laid
through their dissimilarities over their fitted distances. The curve tells the dissimilarities of
the pairs held out in the data's own units, so that errors can be compared, which stress cannot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Annotated

import numpy as np

from cml_core.errors import NothingToExplain
from cml_core.evidence.held_out import pair_folds
from cml_core.evidence.refits import TOLERANCE, as_fitted, few_starts, with_gaps
from cml_core.evidence.result import Result
from cml_core.evidence.sketches import Whiskers
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.evidence.telling import share_of_variance
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.remarks import rank_of
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.scales.told import told
from cml_core.values.arrays import FloatArray, IntArray, Value, frozen
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent


@dataclass(frozen=True, eq=False)
class AdvisedScale(Result):
    """How well pairs held out are told on each scale.

    Parameters
    ----------
    scales, titles, believed : by name, the one that believes most first; what people know them by,
        and what each takes at its word.
    fold_errors : (scales, folds) of the pairs in a fold, the mean squared error of what is told of
        their dissimilarities, as a share of the variance of all.
    asked : which of them the map is on, counted from 0.
    seed : repeats the folds.
    """

    scales: Annotated[tuple[str, ...], "c"]
    titles: Annotated[tuple[str, ...], "c"]
    believed: Annotated[tuple[str, ...], "c"]
    fold_errors: Annotated[FloatArray, "cf"]
    asked: int
    seed: int

    heading = "What do the numbers mean?"

    @property
    def errors(self) -> FloatArray:
        """(scales,) the mean error over folds."""
        mean: FloatArray = self.fold_errors.mean(axis=1)
        return mean

    @property
    def worse(self) -> FloatArray:
        """(scales,) by how much that is more than the least."""
        more: FloatArray = self.errors - self.errors.min()
        return more

    @property
    def worse_error(self) -> FloatArray:
        """(scales,) the standard error of that difference."""
        # Fold by fold: that some are hard to tell on any scale is no difference between two.
        beside = self.fold_errors - self.fold_errors[int(np.argmin(self.errors))]
        error: FloatArray = beside.std(axis=1, ddof=1) / np.sqrt(beside.shape[1])
        return error

    @property
    def as_good(self) -> tuple[str, ...]:
        """The scales whose error is within one standard error of the least."""
        near = self.worse <= self.worse_error
        return tuple(name for name, is_near in zip(self.scales, near, strict=True) if is_near)

    @property
    def advised(self) -> str:
        """Of those, the one that believes most; empty where none tells more than nothing."""
        # What is not believed is estimated, and costs something even where it is so: flexible
        # scales lose where the numbers are what they seem (Breiman and others 1984, for the rule).
        best = self.fold_errors[int(np.argmin(self.errors))]
        give_or_take = float(best.std(ddof=1)) / np.sqrt(best.size)
        # Whoever told the mean of all dissimilarities of each pair would be off by their variance.
        return self.as_good[0] if best.mean() + give_or_take < 1.0 else ""

    @property
    def verdict(self) -> str:
        best = int(np.argmin(self.errors))
        if not self.advised:
            return (
                "No scale is advised: on none are pairs held out of the fit told better than by "
                "the mean of all. With other features or dimensions they may be."
            )
        advised = self.scales.index(self.advised)
        said = (
            f'Advised: "{self.titles[advised]}". Of what makes the dissimilarities of pairs held '
            f"out of the fit differ, it leaves {self._left(advised)} untold, "
        )
        if best == advised:
            said += "the least of all scales."
        else:
            said += (
                f'and "{self.titles[best]}", which believes less, leaves {self._left(best)}: no '
                "less, within one standard error."
            )
        if advised == self.asked:
            return f"{said} That is how this map counts the numbers."
        left = self._left(self.asked)
        if self.errors[self.asked] > 1.0:
            left += ": it is further off than the mean of all would be"
        return f'{said} This map counts them as "{self.titles[self.asked]}", which leaves {left}.'

    def _left(self, scale: int) -> str:
        return percent(float(self.errors[scale]))

    @property
    def facts(self) -> tuple[str, ...]:
        return (
            f"{self.fold_errors.shape[1]} parts of the pairs were held out in turn.",
            "What is unexplained on two scales cannot be compared; these errors can, for all are "
            "in the units of the dissimilarities.",
        )

    @property
    def sketch(self) -> Whiskers:
        return Whiskers(
            "Not told of pairs held out, by scale",
            self.titles,
            self.errors,
            self.worse_error,
            self.scales.index(self.advised) if self.advised else None,
        )

    def table(self) -> Table:
        return Table(
            (
                Column("The numbers count as", self.titles),
                Column(
                    "Not told",
                    self.errors,
                    SHARE,
                    "Of pairs that the fit did not see: the mean squared error of what it tells "
                    "of their dissimilarities, as a share of the variance of all.",
                ),
                Column("More than the least", self.worse, SHARE),
                Column(
                    "Give or take",
                    self.worse_error,
                    SHARE,
                    "The standard error of the number before: how much it would differ with other "
                    "pairs. Where it is the larger, the scales tell pairs equally well.",
                ),
                Column("Believes", self.believed),
                Column("Advised", [name == self.advised for name in self.scales]),
            )
        )


@dataclass(frozen=True, eq=False)
class _Trial(Value):
    """Everything that the fits need: the problem on each scale, and the fold of each pair."""

    problems: dict[str, Problem]
    dealt: IntArray
    seed: int


def advised_scale(
    problem: Problem,
    *,
    folds: int = 10,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> AdvisedScale:
    """Tell pairs held out of the fit on each scale, with the same features and dimensions.

    Parameters
    ----------
    problem : the question; on which scale it is asked does not matter.
    folds : into so many parts the pairs are dealt.

    Raises
    ------
    NothingToExplain : all dissimilarities are alike, or nothing could tell them.
    """
    folds = whole_number("folds", folds, least=2)
    seed = whole_number("seed", seed)
    _check_tellable(problem)
    problems = {name: as_fitted(replace(problem, scale=name)) for name in SCALES}
    trial = _Trial(problems, pair_folds(problems[RATIO], folds, seed), seed)
    errors = each(
        partial(_error, trial),
        list(product(SCALES, range(folds))),
        doing="Telling pairs held out on each scale",
        workers=workers,
        on_step=on_step,
    )
    shaped = frozen(np.array(errors).reshape(len(SCALES), folds))
    return AdvisedScale(
        scales=tuple(SCALES),
        titles=tuple(scale.title for scale in SCALES.values()),
        believed=tuple(scale.believed for scale in SCALES.values()),
        fold_errors=shaped,
        asked=tuple(SCALES).index(problem.scale),
        seed=seed,
    )


def _check_tellable(problem: Problem) -> None:
    counted = problem.targets.condensed[problem.counting]
    if counted.min() == counted.max():
        raise NothingToExplain(
            "All dissimilarities are alike, so no scale tells them better than another.",
            remedy="Use data in which some pairs differ more than others.",
        )
    if not problem.n_components and not rank_of(problem.known):
        raise NothingToExplain(
            "Nothing is known and no dimension is hidden, so nothing tells a dissimilarity.",
            remedy="Let some features be known, or ask for one hidden dimension at least.",
        )


def _error(trial: _Trial, task: tuple[str, int]) -> float:
    scale, fold = task
    problem, held_out = trial.problems[scale], trial.dealt == fold
    others = with_gaps(problem, held_out)
    found = fit(others, n_init=few_starts(problem), tol=TOLERANCE, seed=trial.seed)
    given = problem.judged
    seen = replace(given, counts=given.counts & ~held_out)
    expected = told(SCALES[scale], seen, found.distances(), found.power)
    return share_of_variance(
        given.values, expected, problem.pair_weights, problem.counting, held_out
    )
