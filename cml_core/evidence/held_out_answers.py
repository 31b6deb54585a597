"""Answers of people held out of a fit, told by common weights and by everybody's own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.evidence.held_out import TRIES
from cml_core.evidence.refits import few_starts, refit, with_values
from cml_core.fitting.individuals import IndividualFit, common_fit, individual_fit
from cml_core.fitting.people import People
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import SCALES
from cml_core.fitting.scales.told import told
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value
from cml_core.values.components import hang_together

# Nearly all rotations led to the same minimum wherever that was counted.
ROTATIONS = 2


@dataclass(frozen=True, eq=False)
class HeldOut(Value):
    """Everything that the fits of some of the answers need.

    Parameters
    ----------
    problem : that of the mean, with plain data.
    people : all of their answers.
    dealt : (K, N(N-1)/2) the part of each answer; -1 where there is none.
    """

    problem: Problem
    people: People
    dealt: IntArray
    seed: int


def dealt_answers(people: People, n_objects: int, folds: int, seed: int) -> IntArray:
    """(K, N(N-1)/2) the part of each answer, everybody's answers spread over all parts.

    Whichever part is held out, the other answers connect all objects if chance allows it.
    """
    random = np.random.default_rng(seed)
    found = np.full(people.counts.shape, -1)
    for _ in range(TRIES):
        found = _dealt(people.counts > 0, folds, random)
        if all(
            hang_together(((found >= 0) & (found != fold)).any(axis=0), n_objects)
            for fold in range(folds)
        ):
            break
    return found


def errors_held_out(trial: HeldOut, fold: int) -> FloatArray:
    """(2, K) of the answers of one part, the weighted sums of squared errors.

    First as told by common weights and then by everybody's own, on maps that have not seen them.
    """
    held_out = trial.dealt == fold
    seen = trial.people.without(held_out)
    # Each person's own curve, or multiple, is laid through the answers that were seen.
    problem = with_values(trial.problem, _mean(seen))
    start = refit(problem, fresh=few_starts(problem), seed=trial.seed, power=_power(seen))
    with capped_linear_algebra(1):
        fits = (
            common_fit(problem, seen, start),
            individual_fit(problem, seen, start, rotations=ROTATIONS, seed=trial.seed),
        )
    return np.array([_errors(trial.people, seen, found, held_out) for found in fits])


def _dealt(answered: BoolArray, folds: int, random: np.random.Generator) -> IntArray:
    found = np.full(answered.shape, -1)
    for own, row in zip(answered, found, strict=True):
        places = np.flatnonzero(own)
        # From a part drawn by lot on, so that the last parts are not always the smaller ones.
        parts = (np.arange(places.size) + random.integers(folds)) % folds
        row[places] = random.permutation(parts)
    return found


def _mean(people: People) -> FloatArray:
    """(N(N-1)/2,) the mean answer to each pair; NaN where there is none."""
    total = people.counts.sum(axis=0)
    sums = (people.counts * people.values).sum(axis=0)
    mean: FloatArray = np.divide(sums, total, out=np.full(total.size, np.nan), where=total > 0)
    return mean


def _power(people: People) -> float | None:
    return people.power if SCALES[people.scale].to_a_power else None


def _errors(people: People, seen: People, found: IndividualFit, held_out: BoolArray) -> FloatArray:
    scale, distances = SCALES[people.scale], found.distances()
    errors = np.zeros(len(people.names))
    for k in range(errors.size):
        expected = told(scale, seen.judged(k), distances[k], people.power)
        gap = (people.values[k] - expected)[held_out[k]]
        errors[k] = people.counts[k, held_out[k]] @ gap**2
    return errors
