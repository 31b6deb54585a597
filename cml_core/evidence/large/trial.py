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
from cml_core.fitting.landmarks.partitions import taken
from cml_core.fitting.landmarks.placing import Among
from cml_core.fitting.landmarks.problem import LargeProblem, columns_beside
from cml_core.fitting.landmarks.sampling import by_object
from cml_core.fitting.problem import Problem
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.measures.comparison import Comparison

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
    """Objects that are fitted, and others that judge, drawn at random; all that is asked of them.

    Parameters
    ----------
    known : what the map takes out, of these objects.
    chosen : which of all objects they are; the first `fitted` are fitted.
    rows : their measurements as the measure takes them.
    comparison, coef : as the map has them.
    seed : of the drawing, and of the fits.
    """

    known: tuple[Feature, ...]
    chosen: IntArray
    fitted: int
    rows: FloatArray
    comparison: Comparison
    coef: str | FloatArray
    seed: int

    @classmethod
    def drawn(cls, problem: LargeProblem, seed: int) -> Trial:
        """Draw both; half of the objects where they are few."""
        random, n = np.random.default_rng([seed, 7]), problem.n_objects
        order = random.permutation(n)[: FITTED + JUDGES]
        cut = min(FITTED, len(order) // 2)
        chosen = np.concatenate([np.sort(order[:cut]), np.sort(order[cut:])])
        measured = problem.measurements
        known = tuple(one.taken(chosen) for one in problem.known.features)
        return cls(
            known, chosen, cut, taken(measured, chosen), measured.comparison, problem.coef, seed
        )

    @property
    def judges(self) -> int:
        """How many judge."""
        return len(self.chosen) - self.fitted

    def with_values(self, name: str, dealt: Feature | None) -> tuple[Feature, ...]:
        """What is known, with other values of one feature; without it where there are none."""
        changed = (dealt if one.name == name else one for one in self.known)
        return tuple(one for one in changed if one is not None)

    def dealt(self, feature: Feature, number: int) -> Feature:
        """A feature of all objects, dealt out to them at random, of those that were drawn."""
        order = np.random.default_rng([self.seed, 8, number]).permutation(len(feature.values))
        return feature.taken(order[self.chosen])

    def error(self, known: Sequence[Feature], n_components: int) -> Error:
        """What is unexplained of the judges' pairs with these known, in so many dimensions."""
        rows, judging = self.rows[: self.fitted], self.rows[self.fitted :]
        delta = self.comparison.between(rows)
        parts = np.split(np.arange(len(self.chosen)), [self.fitted])
        seen, unseen = (self._of(known, part) for part in parts)
        problem = Problem(Dissimilarities(seen.labels, delta), seen, n_components, coef=self.coef)
        found = fit(problem, seed=self.seed)
        values = columns_beside(found.problem.known, unseen)
        with capped_linear_algebra(1):
            among = Among(references_of(found, delta), self.comparison, rows)
            where = among(judging, values)
        its = Configuration(where.embedding, found.coef, where.known_values)
        return Error(*by_object(self.comparison.between(judging), its.embedding, its.known_places))

    def _of(self, known: Sequence[Feature], part: IntArray) -> FeatureTable:
        """Features of these of them alone."""
        labels = tuple(str(i) for i in self.chosen[part])
        return FeatureTable(labels, tuple(one.taken(part) for one in known))
