"""Pairs, and perhaps people, that are held out of fits to judge them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree

from cml_core.errors import LabelMismatch, NothingObserved
from cml_core.evidence.refits import as_fitted, with_values
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.values.answers import Answers
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, RealArray, Value, frozen
from cml_core.values.components import hang_together
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.words import counted

# Of dealing pairs so that the objects hang together without any one of the parts.
TRIES = 20
# Fewer pairs than this in a fold tell nothing of its error.
FEWEST_HELD_OUT = 2


@dataclass(frozen=True, eq=False)
class HeldOut(Value):
    """Who judges, in turn: the pairs of a part, as the people of that part see them.

    Parameters
    ----------
    dealt : (N(N-1)/2,) the fold of every pair; -1 where missing, or kept in every fit.
    people : (K,) the fold of every person; empty where pairs alone are held out.
    judges : (N(N-1)/2,) what those held out with a pair say of it.
    others : for each fold, (N(N-1)/2,) what all others say of every pair.
    weights : (N(N-1)/2,) how much each pair counts; empty where every pair counts once.
    """

    dealt: IntArray
    people: IntArray
    judges: RealArray
    others: tuple[RealArray, ...]
    weights: FloatArray

    @property
    def folds(self) -> int:
        """Into how many parts the pairs were dealt."""
        return len(self.others)

    def pairs(self, fold: int) -> BoolArray:
        """(N(N-1)/2,) which are held out."""
        held_out: BoolArray = self.dealt == fold
        return held_out

    def seen(self, fold: int) -> RealArray:
        """(N(N-1)/2,) what a fit may see; NaN where held out."""
        return np.where(self.pairs(fold), np.nan, self.others[fold])

    def without(self, problem: Problem, fold: int) -> Problem:
        """The problem without what is held out."""
        return with_values(problem, self.seen(fold))


def facts_of(scale: str, people: int, folds: int) -> tuple[str, ...]:
    """What to know of errors of held-out pairs: who else was held out, and what they are of."""
    facts = []
    if people:
        facts.append(
            f"With each of the {folds} parts of the pairs, a part of the {people} people was held "
            "out too: fits are judged by people whose answers they have not seen."
        )
    if scale != RATIO:
        facts.append(
            f'The numbers count as "{SCALES[scale].title}": a curve through the other pairs tells '
            "those held out in their own unit, and what is unexplained of them is a share of the "
            "variance of all."
        )
    return tuple(facts)


def held_out(problem: Problem, folds: int, seed: int, answers: Answers | None = None) -> HeldOut:
    """Deal pairs, and people where their answers are there, into parts that judge in turn.

    Parameters
    ----------
    problem : as it was asked; what distances are fitted to is what is held out.
    folds : how many parts; no more than there are people.
    answers : the single answers that the dissimilarities are the mean of. With each part of the
        pairs a part of the people is held out, so that fits are judged by other people.
    """
    fitted = as_fitted(problem)
    if answers is None:
        values = fitted.dissimilarities.condensed
        dealt = pair_folds(fitted, folds, seed)
        nobody = np.empty(0, np.int64)
        return HeldOut(dealt, nobody, values, (values,) * folds, fitted.pair_weights)
    answers.check_several()
    _check_labels(problem, answers)
    folds = min(folds, answers.n_people)
    dealt = pair_folds(fitted, folds, seed)
    random = np.random.default_rng([seed, answers.n_people])
    for _ in range(TRIES):
        people = random.permutation(np.arange(answers.n_people) % folds)
        found = _judged_by(problem, answers, dealt, people)
        if _judges_everywhere(found, fitted):
            return found
    raise NothingObserved(
        f"{counted(answers.n_people, 'person', 'people')} were asked of so few pairs each that "
        "without some of them objects are left alone.",
        remedy="Hold out pairs alone (answers=None), or ask more people of each pair.",
    )


def others_of(problem: Problem, held: HeldOut, answers: Answers | None) -> HeldOut:
    """The same parts held out of another problem about the same objects."""
    if answers is None:
        values = as_fitted(problem).dissimilarities.condensed
        return replace(held, judges=values, others=(values,) * held.folds)
    return _judged_by(problem, answers, held.dealt, held.people)


def _check_labels(problem: Problem, answers: Answers) -> None:
    if answers.labels != problem.dissimilarities.labels:
        raise LabelMismatch(
            "The answers are not about the objects of the dissimilarities in their order.",
            remedy="Give the answers that the dissimilarities are the mean of.",
        )


def _judged_by(problem: Problem, answers: Answers, dealt: IntArray, people: IntArray) -> HeldOut:
    folds = int(people.max()) + 1
    judges = np.full(dealt.size, np.nan)
    others = []
    for fold in range(folds):
        here = dealt == fold
        judges[here] = _said_by(problem, answers, np.flatnonzero(people == fold))[here]
        others.append(_said_by(problem, answers, np.flatnonzero(people != fold)))
    # Of what none of its people was asked, a part cannot be judged; so it stays in every fit.
    judged = np.where(np.isnan(judges), -1, dealt)
    weights = as_fitted(problem).pair_weights
    return HeldOut(judged, people, frozen(judges), tuple(map(frozen, others)), weights)


def _said_by(problem: Problem, answers: Answers, people: IntArray) -> FloatArray:
    """What distances would be fitted to, had these people alone been asked."""
    mean = answers.mean_of(people)
    if problem.neighbourhood is None:
        return mean
    asked = Dissimilarities(problem.dissimilarities.labels, mean)
    return replace(problem, dissimilarities=asked).targets.condensed.astype(np.float64)


def _judges_everywhere(found: HeldOut, problem: Problem) -> bool:
    """Whether every part judges, and what is left of the others holds all objects together."""
    n_objects, counts = problem.dissimilarities.n_objects, problem.counting
    return all(
        found.pairs(fold).sum() >= FEWEST_HELD_OUT
        and hang_together(counts & ~np.isnan(found.seen(fold)), n_objects)
        for fold in range(found.folds)
    )


def pair_folds(problem: Problem, folds: int, seed: int) -> IntArray:
    """(N(N-1)/2,) the fold of every pair; -1 where missing, or kept in every fit.

    Whichever fold is held out, the other pairs connect all objects. Where chance does not do
    that, pairs that form a tree are kept in every fit.
    """
    counts = problem.counting
    n_objects = problem.dissimilarities.n_objects
    if counts.sum() < FEWEST_HELD_OUT * folds + n_objects - 1:
        raise NothingObserved(
            f"{int(counts.sum())} pairs are too few to hold out {folds} parts of them.",
            remedy="Use data with more objects or fewer gaps.",
        )
    random = np.random.default_rng(seed)
    # Parts that hold the objects together by chance favour no pair; a tree that is never held out
    # does, so it is the last resort.
    for _ in range(TRIES):
        found = _dealt(counts, folds, random)
        if all(hang_together(counts & (found != fold), n_objects) for fold in range(folds)):
            return found
    return _dealt(counts & ~_tree(counts, n_objects, random), folds, random)


def _dealt(pairs: BoolArray, folds: int, random: np.random.Generator) -> IntArray:
    found = np.full(pairs.size, -1)
    dealt = np.arange(int(pairs.sum())) % folds
    found[pairs] = random.permutation(dealt)
    return found


def _tree(pairs: BoolArray, n_objects: int, random: np.random.Generator) -> BoolArray:
    """Pairs of a random tree that connects all objects."""
    first, second = np.triu_indices(n_objects, 1)
    lengths = np.zeros((n_objects, n_objects))
    lengths[first[pairs], second[pairs]] = random.uniform(0.5, 1.0, int(pairs.sum()))
    tree = minimum_spanning_tree(lengths).toarray() > 0
    chosen: BoolArray = (tree | tree.T)[first, second]
    return chosen
