"""How many dimensions are left: what a fit leaves unexplained, and how it tells held-out pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Annotated

import numpy as np

from cml_core.errors import listing
from cml_core.evidence.held_out import HeldOut, facts_of, held_out
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.result import Result
from cml_core.evidence.sketches import Scree
from cml_core.evidence.table import COUNT, SHARE, Column, Table
from cml_core.evidence.telling import check_varied, error_of, fit_of_others
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.remarks import rank_of
from cml_core.fitting.scales.registry import RATIO
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray, frozen
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import counted

USUAL_MOST = 8
# Beyond this share of the objects there are more coordinates than pairs to find them from.
MOST_OF_OBJECTS = 0.4
# As counted, see benchmarks/CALIBRATION.md.
ROUGH = (
    "Of sortings this is rough: of 20 simulated objects with one hidden feature, sorted by 30 "
    "people, more than one dimension was chosen in 50 of 100 data sets."
)


@dataclass(frozen=True, eq=False)
class Dimensions(Result):
    """The unexplained share and the error of held-out pairs, for 0, 1, 2, … hidden dimensions.

    Parameters
    ----------
    n_components : the P + 1 numbers of hidden dimensions.
    unexplained : (P + 1,) normalised stress of the fit of all pairs.
    fold_errors : (P + 1, folds) the share of the squared dissimilarities of the pairs in a fold
        that the fit of the others does not explain.
    seed : repeats the folds.
    scale : on which the dissimilarities count. On any but the ratio scale errors of held-out pairs
        are mean squared errors of what is told of them, as a share of the variance of all.
    people : how many people were held out in parts, together with the pairs; 0 is none.
    of_two_values : whether these people only parted or joined pairs, as who sorts objects does.
    """

    n_components: Annotated[tuple[int, ...], "c"]
    unexplained: Annotated[FloatArray, "c"]
    fold_errors: Annotated[FloatArray, "cf"]
    seed: int
    scale: str = RATIO
    people: int = 0
    of_two_values: bool = False

    heading = "How many dimensions are left?"

    @property
    def held_out(self) -> FloatArray:
        """(P + 1,) the mean error over folds."""
        mean: FloatArray = self.fold_errors.mean(axis=1)
        return mean

    @property
    def held_out_error(self) -> FloatArray:
        """(P + 1,) the standard error of that mean."""
        folds = self.fold_errors.shape[1]
        error: FloatArray = self.fold_errors.std(axis=1, ddof=1) / np.sqrt(folds)
        return error

    @property
    def lowest(self) -> int:
        """With how many dimensions the held-out error is lowest."""
        return self.n_components[int(np.argmin(self.held_out))]

    @property
    def chosen(self) -> int:
        """The fewest dimensions whose error is within one standard error of the lowest."""
        return self.open[0]

    @property
    def open(self) -> tuple[int, ...]:
        """All numbers of dimensions whose error is within one standard error of the lowest."""
        # The rule of one standard error (Breiman and others 1984): which point of a flat curve is
        # the lowest is a matter of luck; where it becomes flat is not.
        best = int(np.argmin(self.held_out))
        allowed: FloatArray | float = self.held_out_error[best]
        if self.people:
            # Some people are hard to tell with any number of dimensions, which is no difference
            # between two numbers: counted in, it hid the one dimension of 8 in 20 simulated tables.
            allowed = self.more_error
        near = self.held_out <= self.held_out[best] + allowed
        return tuple(p for p, is_near in zip(self.n_components, near, strict=True) if is_near)

    @property
    def more_error(self) -> FloatArray:
        """(P + 1,) the standard error of how much more it is than the lowest, fold by fold."""
        beside = self.fold_errors - self.fold_errors[int(np.argmin(self.held_out))]
        error: FloatArray = beside.std(axis=1, ddof=1) / np.sqrt(beside.shape[1])
        return error

    @property
    def brief(self) -> str:
        """How many are left, in a few words."""
        left = f"{counted(self.chosen, 'dimension') if self.chosen else 'No dimension'} left"
        return left if len(self.open) == 1 else f"{left}, perhaps up to {self.open[-1]}"

    @property
    def verdict(self) -> str:
        left = f"{_dimensions_are(self.chosen).capitalize()} left"
        if len(self.open) == 1:
            return f"{left}: with so many, pairs held out of the fit are told best."
        others = listing([str(p) for p in self.open if p != self.lowest])
        return (
            f"{left}, perhaps up to {self.open[-1]}: pairs held out of the fit are told best with "
            f"{self.lowest}, but as well within one standard error with {others}, so these data "
            "leave it open."
        )

    @property
    def facts(self) -> tuple[str, ...]:
        folds = self.fold_errors.shape[1]
        parts = f"{folds} parts of the pairs were held out in turn."
        rough = (ROUGH,) if self.of_two_values else ()
        return (parts, *facts_of(self.scale, self.people, folds), *rough)

    @property
    def sketch(self) -> Scree:
        return Scree(
            "The unexplained share by hidden dimensions",
            self.n_components,
            self.unexplained,
            self.held_out,
            self.held_out_error,
        )

    def table(self) -> Table:
        return Table(
            (
                Column("Dimensions", self.n_components, COUNT),
                Column(
                    "Unexplained",
                    self.unexplained,
                    SHARE,
                    "Of all pairs, by a fit of all pairs. It falls with every dimension, needed "
                    "or not.",
                ),
                Column(
                    "Held out",
                    self.held_out,
                    SHARE,
                    "Unexplained of pairs that the fit did not see. It falls only as long as a "
                    "dimension says something about pairs in general; after that it rises.",
                ),
                Column(
                    "Give or take",
                    self.held_out_error,
                    SHARE,
                    "The standard error of the number before: how much it would differ with "
                    "other pairs.",
                ),
            )
        )


def dimensions(
    problem: Problem,
    *,
    most: int | None = None,
    folds: int = 10,
    seed: int = 0,
    answers: Answers | None = None,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> Dimensions:
    """Fit with 0, 1, 2, … hidden dimensions, to all pairs and to all but those of each fold.

    Parameters
    ----------
    problem : its own number of hidden dimensions does not matter.
    most : the largest number of dimensions; by default 8, fewer where objects are few.
    folds : into so many parts the pairs are dealt.

    answers : the single answers that the dissimilarities are the mean of, if they are known.
        Then people are held out with the pairs, in no more parts than there are people.
    """
    most = _most(problem) if most is None else whole_number("most", most, least=0)
    folds = whole_number("folds", folds, least=2)
    seed = whole_number("seed", seed)
    check_varied(problem)
    held = held_out(problem, folds, seed, answers)
    counts = tuple(range(most + 1))
    fitted = as_fitted(problem)
    problems = tuple(replace(fitted, n_components=p) for p in counts)
    tasks = [(p, fold) for p, fold in product(counts, [None, *range(held.folds)])]
    found = each(
        partial(_share, problems, held, seed),
        tasks,
        doing="Fitting with more and more dimensions",
        workers=workers,
        on_step=on_step,
    )
    shares = np.array(found).reshape(len(counts), held.folds + 1)
    return Dimensions(
        n_components=counts,
        unexplained=frozen(shares[:, 0]),
        fold_errors=frozen(shares[:, 1:]),
        seed=seed,
        scale=problem.scale,
        people=int(held.people.size),
        of_two_values=answers is not None and answers.of_two_values,
    )


def _share(
    problems: tuple[Problem, ...], held: HeldOut, seed: int, task: tuple[int, int | None]
) -> float:
    p, fold = task
    if fold is None:
        return fit(problems[p], seed=seed).stress
    others = held.without(problems[p], fold)
    return error_of(held, fold, others, fit_of_others(others, seed))


def _most(problem: Problem) -> int:
    n, rank = problem.dissimilarities.n_objects, rank_of(problem.known)
    return int(np.clip(MOST_OF_OBJECTS * (n - 1), 1, max(min(USUAL_MOST, n - 1 - rank), 0)))


def _dimensions_are(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
    number = words[count] if count < len(words) else str(count)
    return f"{number} hidden dimension{' is' if count == 1 else 's are'}"
