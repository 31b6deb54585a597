"""What a map of data without structure would leave unexplained."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from cml_core.evidence.refits import as_fitted
from cml_core.evidence.result import Result
from cml_core.evidence.sketches import Strip
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.fit import fit as fitted
from cml_core.fitting.plan import default_starts
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, frozen
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent

# Of shuffled car brands with 14 to 300 objects, ten starts found the best of hundreds to
# within one part in two hundred; over the other scales, of normal points in five dimensions, the
# best of 150 to within one in fifty, but for 3 of 48.
MOST_STARTS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Structure(Result):
    """What a map leaves unexplained, beside maps of the same numbers in random order.

    Parameters
    ----------
    unexplained : the share of the dissimilarity that the map leaves unexplained.
    shuffled : (shuffles,), the least share found for each shuffle of the dissimilarities.
    seed : of the shuffles; it repeats them.
    """

    unexplained: float
    shuffled: FloatArray
    seed: int

    heading = "Beside data without structure"

    @property
    def share(self) -> float:
        """What the map leaves, as a share of what data without structure leave on average.

        NaN where these leave nothing.
        """
        typical = float(self.shuffled.mean())
        return self.unexplained / typical if typical > 0 else np.nan

    @property
    def verdict(self) -> str:
        """The comparison in words."""
        low, high = (percent(float(end)) for end in (self.shuffled.min(), self.shuffled.max()))
        extent = f" ({low.removesuffix(' %')} to {high})" if low != high else ""
        numbers = (
            f"This map leaves {percent(self.unexplained)} unexplained; data without structure "
            f"would leave {percent(float(self.shuffled.mean()))}{extent}."
        )
        as_good = int((self.shuffled <= self.unexplained).sum())
        if not as_good:
            return numbers
        return (
            f"{numbers} {as_good} of {self.shuffled.size} left no more than this map, so by this "
            "number alone it cannot be told from a map of chance."
        )

    @property
    def facts(self) -> tuple[str, ...]:
        return (f"{self.shuffled.size} shuffles.",)

    @property
    def sketch(self) -> Strip:
        title = "Unexplained, here and where the same numbers are shuffled"
        return Strip(title, self.unexplained, self.shuffled)

    def table(self) -> Table:
        shuffled = np.sort(self.shuffled)
        names = ["This map", *(f"Shuffled {k}" for k in range(1, shuffled.size + 1))]
        return Table(
            (
                Column("Data", names),
                Column("Unexplained", [self.unexplained, *shuffled], SHARE),
            )
        )

    def __repr__(self) -> str:
        return f"Structure({self.verdict})"


def without_structure(
    fit: Fit,
    *,
    shuffles: int = 20,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> Structure:
    """Fit the same dissimilarities in random order, with the same known features.

    Parameters
    ----------
    fit : the map in question.
    shuffles : how often the dissimilarities are shuffled among the pairs that count; each
        takes its weight along. Where a neighbourhood was chosen, geodesics are shuffled.
    seed : of the shuffles and of the starts.
    workers, on_step : as in `cml_core.evidence.work.each`.

    Raises
    ------
    Cancelled : `on_step` asked for it.
    """
    shuffles, seed = whole_number("shuffles", shuffles, least=1), whole_number("seed", seed)
    tasks = [[seed, k] for k in range(shuffles)]
    shuffled = each(
        partial(_least_unexplained, fit.problem),
        tasks,
        doing="Fitting shuffled dissimilarities",
        workers=workers,
        on_step=on_step,
    )
    return Structure(fit.stress, frozen(np.array(shuffled)), seed)


def _least_unexplained(problem: Problem, seed: list[int]) -> float:
    random = np.random.default_rng(seed)
    starts = min(default_starts(problem.dissimilarities.n_objects), MOST_STARTS)
    state = int(random.integers(2**32))
    return fitted(shuffled_problem(problem, random), n_init=starts, seed=state).stress


def shuffled_problem(problem: Problem, random: np.random.Generator) -> Problem:
    """The question with its dissimilarities in random order among the pairs that count."""
    plain = as_fitted(problem)
    values, weights = plain.dissimilarities.condensed, plain.pair_weights
    counting = np.flatnonzero(weights) if weights.size else np.arange(values.size)
    order = np.arange(values.size)
    # Among the pairs that count, each with its weight: gaps stay where they are, for they say which
    # objects were compared, and that is no structure of the dissimilarities.
    order[counting] = random.permutation(counting)
    shuffled = Dissimilarities(problem.known.labels, values[order])
    moved = weights[order] if weights.size else None
    return replace(plain, dissimilarities=shuffled, weights=moved)
