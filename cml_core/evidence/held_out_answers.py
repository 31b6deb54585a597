"""Answers of people held out of a fit, told by common weights and by everybody's own.

Held out are, for each person, all pairs of some objects, which ones differing from person to
person. Single pairs would not do: who finds an object odd finds all of its pairs large, and who
puts a with b and b with c has put a with c, so other answers of the same person about the same
objects tell what no weights say. Of simulated people who sorted objects, and all weighed alike,
single pairs called for own weights in .68 of 40 data sets, objects in .15 to .18 of 60.
"""

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
    dealt : (K, N) in which part each object is held out, by person.
    """

    problem: Problem
    people: People
    dealt: IntArray
    seed: int

    @property
    def folds(self) -> int:
        """How many parts there are."""
        return int(self.dealt.max()) + 1

    def held_out(self, fold: int) -> BoolArray:
        """(K, N(N-1)/2) the pairs of which an object is in this part, by person."""
        return _pairs_of(self.dealt == fold)

    def times(self) -> FloatArray:
        """(K,) how much the answers count that are held out, in all parts together."""
        counts = self.people.counts
        weights = [(counts * self.held_out(fold)).sum(axis=1) for fold in range(self.folds)]
        return np.array(np.sum(weights, axis=0))


def dealt_objects(people: People, n_objects: int, folds: int, seed: int) -> IntArray:
    """(K, N) the part of each object, for each person by lot; parts are of one size.

    Whichever part is held out, the other answers connect all objects if chance allows it.
    """
    random = np.random.default_rng(seed)
    parts = np.tile(np.arange(n_objects) % folds, (len(people.names), 1))
    for _ in range(TRIES):
        parts = random.permuted(parts, axis=1)
        seen = [(people.counts > 0) & ~_pairs_of(parts == fold) for fold in range(folds)]
        if all(hang_together(np.any(own, axis=0), n_objects) for own in seen):
            break
    return parts


def errors_held_out(trial: HeldOut, fold: int) -> FloatArray:
    """(2, K) of the answers of one part, the weighted sums of squared errors.

    First as told by common weights and then by everybody's own, on maps that have not seen them.
    """
    held_out = trial.held_out(fold)
    seen = trial.people.without(held_out)
    problem = with_values(trial.problem, _mean(seen))
    start = refit(problem, fresh=few_starts(problem), seed=trial.seed, power=_power(seen))
    with capped_linear_algebra(1):
        fits = (
            common_fit(problem, seen, start),
            individual_fit(problem, seen, start, rotations=ROTATIONS, seed=trial.seed),
        )
    return np.array([_errors(trial.people, seen, found, held_out) for found in fits])


def _pairs_of(objects: BoolArray) -> BoolArray:
    """(K, N(N-1)/2) the pairs with one of a person's (K, N) objects, or two."""
    first, second = np.triu_indices(objects.shape[1], 1)
    either: BoolArray = objects[:, first] | objects[:, second]
    return either


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
