"""Fits of changed data, many of them: no more than the numbers that they are made for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cml_core.fitting.configuration import Solution
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.ordinal import AUTO, PRIMARY, SECONDARY, stay_tied
from cml_core.fitting.scales.registry import RATIO
from cml_core.fitting.solver_input import gaps_of, objective_of
from cml_core.fitting.solvers.descent import descend
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.starts import informed_start, random_start
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import BoolArray, FloatArray, RealArray
from cml_core.values.dissimilarities import Dissimilarities

# Near enough to tell two stresses apart, and half the iterations of a map that is shown.
TOLERANCE = 1e-7
MAX_ITERATIONS = 1000
# Small data have more local minima, and many fits of them are quick.
OBJECTS_STARTED = 140
MOST_STARTS = 10

Guess = tuple[FloatArray, FloatArray]


def as_fitted(problem: Problem) -> Problem:
    """The same problem with its targets and pair weights as plain data.

    What is resampled are the dissimilarities that distances were fitted to, geodesics where
    there is a neighbourhood; their weights stay as they are, and so does whether ties do.
    """
    weights = problem.pair_weights
    return replace(
        problem,
        dissimilarities=problem.targets,
        weights=weights if weights.size else None,
        neighbourhood=None,
        ties=kept_ties(problem),
    )


def kept_ties(problem: Problem) -> str:
    """What "auto" makes of ties, for with fewer pairs it might make something else of them."""
    if problem.scale == RATIO or problem.ties != AUTO:
        return problem.ties
    return SECONDARY if stay_tied(problem.judged) else PRIMARY


def with_values(problem: Problem, values: RealArray) -> Problem:
    """The problem with other dissimilarities between the same objects, NaN where missing."""
    return replace(problem, dissimilarities=Dissimilarities(problem.known.labels, values))


def with_gaps(problem: Problem, gaps: BoolArray) -> Problem:
    """The problem without these pairs."""
    return with_values(problem, np.where(gaps, np.nan, problem.dissimilarities.condensed))


def few_starts(problem: Problem) -> int:
    """Starts for a fit of which very many are made: seldom a worse minimum than from more."""
    return int(np.clip(OBJECTS_STARTED // problem.dissimilarities.n_objects, 1, MOST_STARTS))


def refit(
    problem: Problem,
    *starts: Guess,
    fresh: int = 0,
    seed: int = 0,
    power: float | None = None,
) -> Solution:
    """The lowest minimum below these starts, and below so many fresh ones.

    Parameters
    ----------
    power : on the power scale, that of the fit: it is not looked for again.
    """
    # BLAS would wake threads for matrices of a few rows, and they would wait for one another.
    with capped_linear_algebra(1):
        objective = objective_of(problem, power)
        places = [objective.variables(embedding, coef) for embedding, coef in starts]
        places += _fresh(problem, objective, fresh, seed)
        runs = [descend(objective, place, MAX_ITERATIONS, TOLERANCE) for place in places]
    best = min(runs, key=lambda run: run.stress)
    return best.solution()


def _fresh(problem: Problem, objective: Objective, count: int, seed: int) -> Iterator[FloatArray]:
    """The informed start, then random ones."""
    if not count:
        return
    random = np.random.default_rng(seed)
    informed = informed_start(objective, gaps_of(problem), random)
    yield _settled(objective, informed)
    for _ in range(count - 1):
        yield _settled(objective, random_start(objective, informed, random))


def _settled(objective: Objective, start: FloatArray) -> FloatArray:
    """Over a scale, the map of what descents begin with: from there few lead far astray."""
    if objective.admissible is None:
        return start
    plain = replace(objective, admissible=None)
    found = descend(plain, start, MAX_ITERATIONS, TOLERANCE).configuration
    return objective.variables(found.embedding, found.coef, found.known_values)
