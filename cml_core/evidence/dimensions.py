"""How many dimensions are left: what a fit leaves unexplained, and how it tells held-out pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Annotated, NamedTuple

import numpy as np

from cml_core.errors import UnknownOption, listing
from cml_core.evidence.calibrated import as_told
from cml_core.evidence.fold_errors import FoldErrors
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
from cml_core.fitting.scales.ordinal import SCALE as ORDINAL
from cml_core.fitting.scales.registry import RATIO
from cml_core.fitting.scales.smooth import INTERVAL
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray, frozen
from cml_core.values.origin import Origin
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import counted

DOING = "Fitting with more and more dimensions"
USUAL_MOST = 8
# Beyond this share of the objects there are more coordinates than pairs to find them from.
MOST_OF_OBJECTS = 0.4
# As counted, see benchmarks/CALIBRATION.md.
ROUGH = (
    "Of sortings this is rough: of 20 simulated objects with one hidden feature, sorted by 30 "
    "people, more than one dimension was chosen in 50 of 100 data sets."
)


# As counted, see benchmarks/CALIBRATION.md.
BENT = (
    "Ratings have no zero, and bend towards the ends of their scale, which looks like further "
    f'dimensions: ask it of the map that counts them as "{ORDINAL.title}". Of 20 simulated objects '
    "with one hidden feature, rated by 16 people, more than one dimension was chosen in 10 of 20 "
    "data sets counted as distances, in none by their order."
)
# Scales that bend nothing.
STRAIGHT = (RATIO, INTERVAL.name)


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
    bent : whether they are ratings, which bend, on a scale that bends nothing.
    """

    n_components: Annotated[tuple[int, ...], "c"]
    unexplained: Annotated[FloatArray, "c"]
    fold_errors: Annotated[FloatArray, "cf"]
    seed: int
    scale: str = RATIO
    people: int = 0
    of_two_values: bool = False
    bent: bool = False

    heading = "How many dimensions are left?"
    by_origin = True

    @property
    def _told(self) -> FoldErrors:
        return FoldErrors(self.fold_errors, self.seed, self.people)

    @property
    def held_out(self) -> FloatArray:
        """(P + 1,) the mean error over folds."""
        return self._told.mean

    @property
    def held_out_error(self) -> FloatArray:
        """(P + 1,) the standard error of that mean."""
        return self._told.error

    @property
    def lowest(self) -> int:
        """With how many dimensions the held-out error is lowest."""
        return self._told.lowest

    @property
    def chosen(self) -> int:
        """The fewest dimensions whose error is within one standard error of the lowest."""
        return self._told.chosen

    @property
    def open(self) -> tuple[int, ...]:
        """All numbers of dimensions whose error is within one standard error of the lowest."""
        return self._told.open

    @property
    def more_error(self) -> FloatArray:
        """(P + 1,) the standard error of how much more it is than the lowest, fold by fold."""
        return self._told.more_error

    @property
    def brief(self) -> str:
        """How many are left, in a few words."""
        if self.bent:
            return "How many dimensions? Cannot be told"
        left = f"{counted(self.chosen, 'dimension') if self.chosen else 'No dimension'} left"
        return left if len(self.open) == 1 else f"{left}, perhaps up to {self.open[-1]}"

    @property
    def verdict(self) -> str:
        if self.bent:
            return f"How many are left cannot be told here. {BENT}"
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
    origin: Origin | None = None,
    begun: FoldErrors | None = None,
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
    origin : how the dissimilarities were made, where that is known; otherwise as much as answers
        tell.
    begun : what `first_errors` found of the same question, which is not computed again.
    """
    asked = _asked(problem, most, folds, seed, answers)
    there = 0 if begun is None else len(begun.errors)
    if begun is not None and (begun.errors.shape[1], begun.seed) != (asked.held.folds, seed):
        raise UnknownOption(
            f"begun has {begun.errors.shape[1]} folds of seed {begun.seed}.",
            remedy=f"Begin with {asked.held.folds} folds of seed {seed}, as this goes on.",
        )
    tasks = [
        (p, fold)
        for p, fold in product(asked.counts, [None, *range(asked.held.folds)])
        if fold is None or p >= there
    ]
    found = each(asked.share, tasks, doing=DOING, workers=workers, on_step=on_step)
    shares = dict(zip(tasks, found, strict=True))
    errors = [
        begun.errors[p] if begun is not None and p < there else asked.of_folds(shares, p)
        for p in asked.counts
    ]
    return Dimensions(
        n_components=asked.counts,
        unexplained=frozen(np.array([shares[p, None] for p in asked.counts])),
        fold_errors=frozen(np.array(errors)),
        seed=seed,
        scale=problem.scale,
        people=int(asked.held.people.size),
        of_two_values=answers is not None and answers.of_two_values,
        bent=problem.scale in STRAIGHT and as_told(origin, answers).kind == "ratings",
    )


def first_errors(
    problem: Problem,
    *,
    most: int | None = None,
    folds: int = 10,
    seed: int = 0,
    answers: Answers | None = None,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> FoldErrors:
    """The errors of held-out pairs until they rise: soon, and mostly as `dimensions` chooses.

    Of 200 brands it takes a quarter of the time. See `dimensions` for the parameters, and to go on.
    """
    asked = _asked(problem, most, folds, seed, answers)
    rows: list[FloatArray] = []
    for p in asked.counts:
        tasks = [(p, fold) for fold in range(asked.held.folds)]
        found = each(asked.share, tasks, doing=DOING, workers=workers, on_step=on_step)
        rows.append(np.array(found))
        errors = FoldErrors(frozen(np.array(rows)), seed, int(asked.held.people.size))
        if errors.rise:
            break
    return errors


class _Asked(NamedTuple):
    """Which fits there are to make, and who judges them."""

    problems: tuple[Problem, ...]
    held: HeldOut
    seed: int

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(range(len(self.problems)))

    @property
    def share(self) -> Callable[[tuple[int, int | None]], float]:
        return partial(_share, self.problems, self.held, self.seed)

    def of_folds(self, shares: Mapping[tuple[int, int | None], float], p: int) -> FloatArray:
        return np.array([shares[p, fold] for fold in range(self.held.folds)])


def _asked(
    problem: Problem, most: int | None, folds: int, seed: int, answers: Answers | None
) -> _Asked:
    most = _most(problem) if most is None else whole_number("most", most, least=0)
    folds = whole_number("folds", folds, least=2)
    seed = whole_number("seed", seed)
    check_varied(problem)
    held = held_out(problem, folds, seed, answers)
    fitted = as_fitted(problem)
    return _Asked(tuple(replace(fitted, n_components=p) for p in range(most + 1)), held, seed)


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
