"""Condition first: the hidden distances, which any method may then draw."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.errors import UnknownOption
from cml_core.evidence.dimensions import Dimensions, dimensions
from cml_core.evidence.neighbourhoods import left_of
from cml_core.evidence.work import OnStage
from cml_core.fitting.fit import fit as fitted
from cml_core.fitting.problem import Problem
from cml_core.fitting.remarks import rank_of
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.real_numbers import whole_number

CHOSEN = "chosen"
FEWEST_DIMENSIONS = 2


@dataclass(frozen=True, eq=False, repr=False)
class Conditioned(Value):
    """What is hidden, as distances that are free of the known.

    Parameters
    ----------
    fit : of the same question with as many hidden dimensions as were taken.
    hidden : (N(N-1)/2 pairs) Euclidean distances between the hidden places; no pair is missing.
    left : condensed; what the fit that was asked about leaves of each dissimilarity, NaN where a
        pair is missing or has no weight. What views of the hidden distances are judged by.
    told_by : how held-out pairs chose the number of dimensions; None where it was given.
    """

    fit: Fit
    hidden: Dissimilarities
    left: FloatArray
    told_by: Dimensions | None

    @property
    def labels(self) -> tuple[str, ...]:
        return self.hidden.labels

    @property
    def n_components(self) -> int:
        """With how many hidden dimensions."""
        return self.fit.problem.n_components

    @property
    def dissimilarities(self) -> FloatArray:
        """(N, N) the hidden distances."""
        return self.hidden.square()

    def __repr__(self) -> str:
        return f"Conditioned({len(self.labels)} objects, {self.n_components} hidden dimensions)"


def conditioned(
    fit: Fit,
    n_components: int | str = CHOSEN,
    *,
    told_by: Dimensions | None = None,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> Conditioned:
    """The hidden distances of the question that a fit answers.

    Residual dissimilarities, cut off at zero, would not do: where there is noise, a pair in five
    becomes a false nearest neighbour.

    Parameters
    ----------
    n_components : of the hidden places; "chosen" takes as many as held-out pairs choose, two at
        least. Surplus dimensions take back what was known.
    told_by : the answer to that of `evidence.dimensions`, where it is known; else it is found,
        which takes as long as a hundred fits.
    seed, workers, on_step : see `evidence.dimensions`.
    """
    problem = fit.problem
    if isinstance(n_components, str):
        if n_components != CHOSEN:
            raise UnknownOption(
                f"n_components is {n_components!r}.", remedy=f"Give a number, or {CHOSEN!r}."
            )
        told_by = told_by or dimensions(problem, seed=seed, workers=workers, on_step=on_step)
        count = dimensions_to_take(problem, told_by.chosen)
    else:
        told_by, count = None, whole_number("n_components", n_components, least=1)
    same = count == problem.n_components
    found = fit if same else fitted(replace(problem, n_components=count), seed=fit.seed)
    hidden = Dissimilarities(fit.labels, pdist(found.embedding))
    return Conditioned(found, hidden, left_for_views(fit), told_by)


def left_for_views(fit: Fit) -> FloatArray:
    """What views of the hidden distances are judged by, see `Conditioned.left`."""
    left = left_of(fit)
    left[~fit.problem.counting] = np.nan
    left.setflags(write=False)
    return left


def dimensions_to_take(problem: Problem, chosen: int) -> int:
    """How many hidden dimensions, where held-out pairs choose so many: two at least, if it can."""
    most = len(problem.known.labels) - 1 - rank_of(problem.known)
    return max(min(max(chosen, FEWEST_DIMENSIONS), most), 1)
