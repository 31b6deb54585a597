"""A sample on which other questions can be asked of very many objects, and judged by pairs unseen.

Some objects are fitted with all their pairs, others are placed among them. Of the pairs of the
others no fit has seen any: what it does not explain of those is held out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.fit import fit
from cml_core.fitting.landmarks.fit import references_of
from cml_core.fitting.landmarks.placing import Among
from cml_core.fitting.landmarks.problem import LargeProblem, columns_beside
from cml_core.fitting.landmarks.sampling import by_object
from cml_core.fitting.problem import Problem
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable

# So many objects are fitted; what a smaller sample loses, it loses with and without a feature.
FITTED = 600
# So many others judge: half a million pairs.
JUDGES = 1000


@dataclass(frozen=True, eq=False)
class Error:
    """What is unexplained of the pairs of the judges.

    Parameters
    ----------
    errors, totals : (n,) squared errors, and squared dissimilarities, of each judge's pairs.
    """

    errors: FloatArray
    totals: FloatArray

    @property
    def share(self) -> float:
        """Of the squared dissimilarities."""
        return float(self.errors.sum() / self.totals.sum())


def difference_error(one: Error, other: Error) -> float:
    """Standard error of the difference of two shares, of the same judges.

    Each pair has two judges; to first order the error is twice that of the mean of each
    judge's own pairs, as `landmarks.sampling` has it.
    """
    gap = (one.errors - other.errors) / one.totals.mean()
    own = gap - gap.mean() * one.totals / one.totals.mean()
    return 2.0 * float(own.std(ddof=1)) / math.sqrt(len(own))


@dataclass(frozen=True, eq=False)
class Trial:
    """Objects that are fitted, and others that judge, drawn at random.

    Parameters
    ----------
    problem : about all objects.
    fitted, judges : which objects they are.
    rows, judging : their measurements as the measure takes them.
    seed : of the drawing, and of the fits.
    """

    problem: LargeProblem
    fitted: IntArray
    judges: IntArray
    rows: FloatArray
    judging: FloatArray
    seed: int

    @classmethod
    def drawn(cls, problem: LargeProblem, seed: int) -> Trial:
        """Draw both; half of the objects where they are few."""
        random, n = np.random.default_rng([seed, 7]), problem.n_objects
        order = random.permutation(n)[: FITTED + JUDGES]
        cut = min(FITTED, len(order) // 2)
        fitted, judges = np.sort(order[:cut]), np.sort(order[cut:])
        rows = problem.measurements.taken(np.concatenate([fitted, judges]))
        return cls(problem, fitted, judges, rows[:cut], rows[cut:], seed)

    @property
    def known(self) -> tuple[Feature, ...]:
        """What the map takes out."""
        return self.problem.known.features

    def without(self, name: str) -> tuple[Feature, ...]:
        """What is known, but for one feature."""
        return tuple(one for one in self.known if one.name != name)

    def shuffled(self, name: str, number: int) -> tuple[Feature, ...]:
        """What is known, with the values of one feature dealt out to the objects at random."""
        order = np.random.default_rng([self.seed, 8, number]).permutation(self.problem.n_objects)
        return tuple(one.taken(order) if one.name == name else one for one in self.known)

    def error(self, known: Sequence[Feature], n_components: int) -> Error:
        """What is unexplained of the judges' pairs with these known, in so many dimensions."""
        measurements = self.problem.measurements
        delta = measurements.between(self.rows)
        seen, unseen = (_of(known, places) for places in (self.fitted, self.judges))
        problem = Problem(
            Dissimilarities(seen.labels, delta), seen, n_components, coef=self.problem.coef
        )
        found = fit(problem, seed=self.seed)
        values = columns_beside(found.problem.known, unseen)
        with capped_linear_algebra(1):
            among = Among(references_of(found, delta), measurements.comparison, self.rows)
            where = among(self.judging, values)
        its = Configuration(where.embedding, found.coef, where.known_values)
        return Error(
            *by_object(measurements.between(self.judging), its.embedding, its.known_places)
        )


def _of(known: Sequence[Feature], places: IntArray) -> FeatureTable:
    """Features of these objects alone."""
    labels = tuple(str(i) for i in places)
    return FeatureTable(labels, tuple(one.taken(places) for one in known))
