"""Pairs held out of a fit, and how well the fit of the others tells them."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree

from cml_core.errors import NothingObserved
from cml_core.evidence.refits import few_starts, refit, with_gaps
from cml_core.fitting.configuration import Solution
from cml_core.fitting.problem import Problem
from cml_core.values.arrays import BoolArray, FloatArray, IntArray
from cml_core.values.components import hang_together

# Of dealing pairs so that the objects hang together without any one of the parts.
TRIES = 20
# Fewer pairs than this in a fold tell nothing of its error.
FEWEST_HELD_OUT = 2


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


def held_out_fit(
    problem: Problem, held_out: BoolArray, seed: int, power: float | None = None
) -> Solution:
    """The fit of the other pairs, which knows nothing of those held out; `power` as of `refit`."""
    others = with_gaps(problem, held_out)
    return refit(others, fresh=few_starts(problem), seed=seed, power=power)


def error_of(problem: Problem, distances: FloatArray, pairs: BoolArray) -> float:
    """The share of the squared dissimilarities of these pairs that distances do not explain."""
    given = problem.dissimilarities.condensed[pairs]
    weights = problem.pair_weights[pairs] if problem.pair_weights.size else np.ones(given.size)
    return float((weights * (given - distances[pairs]) ** 2).sum() / (weights * given**2).sum())


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
