"""What a map expects of pairs that were never observed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.evidence.result import Result
from cml_core.evidence.table import Column, Table, in_one_unit
from cml_core.evidence.telling import Seen, expected_by
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, IntArray, frozen
from cml_core.values.words import counted


@dataclass(frozen=True, eq=False, repr=False)
class Expected(Result):
    """The M pairs whose dissimilarity is missing, those first that are expected to be most alike.

    Parameters
    ----------
    labels : of the objects.
    first, second : (M,), the two objects of each pair, counted from 0.
    dissimilarity : (M,), what is expected, in the unit of the data.
    n_pairs : how many pairs there are, known and missing.
    """

    labels: tuple[str, ...]
    first: IntArray
    second: IntArray
    dissimilarity: FloatArray
    n_pairs: int

    heading = "What is expected of missing pairs?"

    @property
    def verdict(self) -> str:
        count = self.dissimilarity.size
        if not count:
            return "No pair is missing."
        nearest, farthest = (self._pair(place) for place in (0, -1))
        return (
            f"{counted(count, 'pair')} of {self.n_pairs:,} {'is' if count == 1 else 'are'} "
            f"missing. Most alike of these are expected to be {nearest}"
            + (f", least alike {farthest}." if count > 1 else ".")
        )

    def _pair(self, place: int) -> str:
        names = (self.labels[side[place]] for side in (self.first, self.second))
        return f"{' and '.join(names)} ({self.dissimilarity[place]:.3g})"

    @property
    def facts(self) -> tuple[str, ...]:
        return (
            "What is expected follows from the map and what is known together. It is no "
            "observation, and takes no part in any fit.",
        )

    def table(self) -> Table:
        return Table(
            (
                Column("One", [self.labels[i] for i in self.first]),
                Column("Other", [self.labels[i] for i in self.second]),
                Column(
                    "Expected dissimilarity",
                    self.dissimilarity,
                    in_one_unit(self.dissimilarity),
                    "In the unit of the data: the fitted distance, or on another scale than "
                    "Distances what a curve of that scale makes of it.",
                ),
            ),
            names=2,
        )

    def __repr__(self) -> str:
        return f"Expected({self.verdict})"


def expected(fit: Fit) -> Expected:
    """What a map expects of the pairs whose dissimilarity is missing.

    Parameters
    ----------
    fit : with Isomap there are none, for ways through neighbours have no gaps.
    """
    problem = fit.problem
    missing = problem.targets.missing
    values = expected_by(problem, Seen(fit.best, fit.power))[missing]
    first, second = np.triu_indices(problem.targets.n_objects, 1)
    order = np.argsort(values, kind="stable")
    return Expected(
        labels=fit.labels,
        first=frozen(first[missing][order].astype(np.int64)),
        second=frozen(second[missing][order].astype(np.int64)),
        dissimilarity=frozen(values[order]),
        n_pairs=missing.size,
    )
