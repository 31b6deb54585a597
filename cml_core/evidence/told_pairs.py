"""How well are missing pairs told: known pairs are held out, and told by the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from cml_core.evidence.expected import expected
from cml_core.evidence.held_out import HeldOut, held_out
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.result import Result
from cml_core.evidence.sketches import Cloud
from cml_core.evidence.table import COUNT, NUMBER, Column, Table
from cml_core.evidence.telling import check_varied, expected_by, fit_of_others
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, frozen
from cml_core.values.columns import is_constant
from cml_core.values.real_numbers import whole_number


@dataclass(frozen=True, eq=False, repr=False)
class ToldPairs(Result):
    """Known pairs beside what was told of them while they were held out.

    Parameters
    ----------
    given, told : (M,) of every pair that was held out, in the unit of the data.
    folds : into so many parts the pairs were dealt.
    seed : repeats the dealing.
    """

    given: FloatArray
    told: FloatArray
    folds: int
    seed: int

    heading = "How well are missing pairs told?"

    @property
    def typical_error(self) -> float:
        """The root of the mean squared error, in the unit of the data."""
        size = float(np.abs(self.given).max()) or 1.0
        return size * float(np.sqrt((((self.given - self.told) / size) ** 2).mean()))

    @property
    def of_the_mean(self) -> float:
        """The same, had the mean of all pairs been told of each."""
        size = float(np.abs(self.given).max()) or 1.0
        return size * float((self.given / size).std())

    @property
    def correlation(self) -> float:
        """Of given and told; NaN where one of them does not vary."""
        if is_constant(self.given) or is_constant(self.told):
            return float("nan")
        size = np.abs(self.given).max(), np.abs(self.told).max()
        return float(np.corrcoef(self.given / size[0], self.told / size[1])[0, 1])

    @property
    def verdict(self) -> str:
        error, mean = self.typical_error, self.of_the_mean
        if not error < mean:
            return (
                f"Badly: known pairs that were held out are off by {error:.3g} typically, and the "
                f"mean of all pairs would be off by {mean:.3g}. Do not rely on what is expected."
            )
        return (
            f"Known pairs that were held out are off by {error:.3g} typically; the mean of all "
            f"pairs would be off by {mean:.3g}. What was told of them and what was given "
            f"correlate by {self.correlation:.2f}."
        )

    @property
    def facts(self) -> tuple[str, ...]:
        return (
            "Missing pairs may be told worse than that, if they are missing for a reason: because "
            "they are unusual, or because their objects were compared with few others.",
        )

    @property
    def sketch(self) -> Cloud:
        return Cloud(
            "Known pairs, held out: as given and as told by the others",
            self.given,
            self.told,
            ("As given", "As told by the other pairs"),
        )

    def shown_with(self, fit: Fit) -> tuple[Result, ...]:
        found = expected(fit)
        return (found,) if found.dissimilarity.size else ()

    def table(self) -> Table:
        return Table(
            (
                Column("Pairs held out", [self.given.size], COUNT),
                Column("Typically off by (root mean square)", [self.typical_error], NUMBER),
                Column("The mean would be off by", [self.of_the_mean], NUMBER),
                Column("Correlation of given and told", [self.correlation], "%.2f"),
                Column("Parts held out in turn", [self.folds], COUNT),
            ),
            names=0,
        )

    def __repr__(self) -> str:
        return f"ToldPairs({self.verdict})"


def told_pairs(
    problem: Problem,
    *,
    folds: int = 10,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> ToldPairs:
    """Hold out known pairs, part by part, and tell them by fits of the others.

    Parameters
    ----------
    problem : as it was asked.
    folds : into so many parts the pairs are dealt.
    seed : of the dealing.
    """
    folds, seed = whole_number("folds", folds, least=2), whole_number("seed", seed)
    check_varied(problem)
    held = held_out(problem, folds, seed)
    found = each(
        partial(_told, as_fitted(problem), held, seed),
        range(held.folds),
        doing="Fitting without a part of the pairs",
        workers=workers,
        on_step=on_step,
    )
    told = np.concatenate(found)
    given = np.concatenate([held.judges[held.pairs(fold)] for fold in range(held.folds)])
    return ToldPairs(frozen(given.astype(np.float64)), frozen(told), held.folds, seed)


def _told(problem: Problem, held: HeldOut, seed: int, fold: int) -> FloatArray:
    others = held.without(problem, fold)
    told: FloatArray = expected_by(others, fit_of_others(others, seed))[held.pairs(fold)]
    return told
