"""A map made again from where it ended: with data drawn anew, or without one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cml_core.errors import ConditionalMappingError
from cml_core.evidence.refits import kept_ties
from cml_core.files.cases import Cases
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.result import Fit
from cml_core.fitting.scales.admissible import Admissible
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.scales.scale import Judged
from cml_core.fitting.solver_input import taken_on
from cml_core.fitting.solvers import descent
from cml_core.fitting.solvers.columns import Standardised, standardise
from cml_core.fitting.solvers.objective import build_objective
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.answers import Answers
from cml_core.values.arrays import (
    FloatArray,
    IntArray,
    RealArray,
    Value,
    pair_index,
    with_zeros_for_gaps,
)
from cml_core.values.columns import varying
from cml_core.values.components import hang_together

# As `fit` has them: here places are compared, which move on while the stress hardly falls.
MOST_ITERATIONS = 1000
TOLERANCE = 1e-9
# Where pairs are few, a draw may leave the objects in pieces; then another is made. Where most
# do, the few that hold together would all be alike, and show a spread that is too small.
MOST_DRAWS = 20


class TooFewPairs(ConditionalMappingError):
    """So few pairs are known that a map does not hold together when some are left out."""


@dataclass(frozen=True, eq=False)
class Refittable(Value):
    """Where a map begins to be made again: what was fitted, and the solution found.

    Parameters
    ----------
    delta : (N(N-1)/2,) what distances are fitted to, 0 where missing.
    weights : (N(N-1)/2,) how much each pair counts, 0 where missing.
    columns : the known features; missing entries stand at what the fit put there.
    embedding, coef : U (N x p) and B (q x q).
    diagonal : whether B is diagonal.
    given : B, where it is not to be found.
    scale, ties : what of `delta` is taken at its word, as of `Problem`.
    power : of `delta`, on the power scale.
    """

    delta: RealArray
    weights: FloatArray
    columns: Standardised
    embedding: FloatArray
    coef: FloatArray
    diagonal: bool
    given: FloatArray | None
    scale: str
    ties: str
    power: float

    @property
    def n_objects(self) -> int:
        return int(self.embedding.shape[0])


@dataclass(frozen=True, eq=False)
class Again(Value):
    """(N, p) places turned onto those of the start, and whether an optimum was reached."""

    places: FloatArray
    converged: bool


def refittable(fit: Fit) -> Refittable:
    """Where this fit ended."""
    problem = fit.problem
    delta = with_zeros_for_gaps(problem.targets.condensed)
    weights = problem.pair_weights
    return Refittable(
        delta=delta,
        weights=weights if weights.size else np.ones(delta.size),
        columns=_columns(fit, np.arange(len(fit.labels)), delta),
        embedding=fit.embedding,
        coef=fit.coef,
        diagonal=problem.coef_kind == "diagonal",
        given=problem.given_coef,
        scale=problem.scale,
        ties=kept_ties(problem),
        power=fit.power,
    )


def refittable_without(fit: Fit, omitted: int) -> Refittable:
    """The same of all objects but one."""
    everyone = refittable(fit)
    n = everyone.n_objects
    kept = np.delete(np.arange(n), omitted)
    first, second = np.triu_indices(n - 1, 1)
    pairs = pair_index(kept[first], kept[second], n)
    delta = everyone.delta[pairs]
    return replace(
        everyone,
        delta=delta,
        weights=everyone.weights[pairs],
        columns=_columns(fit, kept, delta),
        embedding=everyone.embedding[kept],
    )


def with_pairs_redrawn(start: Refittable, seed: list[int]) -> Again:
    """The map where each pair counts as often as it was drawn, with replacement.

    As many pairs are drawn as are known. Draws that leave an object alone, or the objects in
    pieces, are made again.
    """
    random = np.random.default_rng(seed)
    counting = np.flatnonzero(start.weights)
    even = np.full(counting.size, 1.0 / counting.size)
    weights = np.zeros(start.weights.size)
    for _ in range(MOST_DRAWS):
        # A pair that is drawn twice counts twice. As a weight: the table itself stays as it is.
        weights[counting] = start.weights[counting] * random.multinomial(counting.size, even)
        drawn = replace(start, weights=weights)
        if holds_together(drawn):
            return made_again(drawn)
    raise TooFewPairs(
        f"The {counting.size} known pairs of {start.n_objects} objects are so few that the map "
        "falls apart whenever some of them are left out.",
        remedy="Its stability can only be judged when more pairs are known.",
    )


def with_people_redrawn(start: Refittable, answers: Answers, seed: list[int]) -> Again:
    """The map of the mean answer of as many people, drawn with replacement."""
    again = _of_values_redrawn(start, answers.n_people, answers.mean_of, seed)
    if again is None:
        raise TooFewPairs(
            f"The answers of {answers.n_people} people are so few that the map falls apart "
            "whenever some of them are left out.",
            remedy="Its stability can only be judged when more people answered each pair.",
        )
    return again


def with_cases_redrawn(start: Refittable, cases: Cases, seed: list[int]) -> Again:
    """The map of what as many cases, drawn with replacement, say of the objects."""

    def compared(drawn: IntArray) -> FloatArray:
        return cases.compared(cases.values[:, drawn])

    again = _of_values_redrawn(start, cases.n_cases, compared, seed)
    if again is None:
        raise TooFewPairs(
            f"In the {cases.n_cases} cases objects differ so little that the map falls apart "
            "whenever some of them are left out.",
            remedy="Its stability can only be judged in more cases.",
        )
    return again


def _of_values_redrawn(
    start: Refittable, count: int, told_by: Callable[[IntArray], FloatArray], seed: list[int]
) -> Again | None:
    """The map of what so many people, or cases, drawn anew tell; None where it falls apart."""
    random = np.random.default_rng(seed)
    for _ in range(MOST_DRAWS):
        values = told_by(random.integers(count, size=count))
        # Where only few told of a pair, nobody of them may be among those drawn.
        weights = np.where(np.isnan(values), 0.0, start.weights)
        delta = np.maximum(with_zeros_for_gaps(values), 0.0)
        drawn = replace(start, delta=delta, weights=weights)
        if holds_together(drawn):
            return made_again(drawn)
    return None


def holds_together(start: Refittable) -> bool:
    """Whether all objects are compared, by way of others at least, and some of them differ."""
    counting = start.weights > 0
    return bool(start.delta[counting].any()) and hang_together(counting, start.n_objects)


def made_again(start: Refittable) -> Again:
    """Descend from the start, and turn what was found onto it."""
    # An objective and a descent, none of the checks and starts of `fit`: a tenth of its time.
    with capped_linear_algebra(1):
        weights = start.weights / start.weights.mean()
        delta, admissible = _taken(start, weights)
        objective = build_objective(
            delta,
            weights,
            start.columns,
            start.n_objects,
            start.embedding.shape[1],
            start.diagonal,
            admissible,
            start.given,
        )
        begin = objective.variables(start.embedding, start.coef)
        run = descent.descend(objective, begin, MOST_ITERATIONS, TOLERANCE)
    found = run.configuration
    if start.scale != RATIO:
        # There distances have no size of their own, only that of the pairs that happen to be there.
        before = objective.configuration(begin).distances()
        found = found.resized(float(np.linalg.norm(before) / np.linalg.norm(found.distances())))
    return Again(procrustes(found.embedding, start.embedding).points, run.converged)


def _taken(start: Refittable, weights: FloatArray) -> tuple[RealArray, Admissible | None]:
    """What is fitted: curves of a scale are laid anew through the pairs that are there."""
    scale = SCALES[start.scale]
    if scale.as_distances is None:
        return start.delta, None
    judged = Judged(start.delta.astype(np.float64), weights > 0, weights, start.ties)
    return taken_on(scale, judged, start.power)


def _columns(fit: Fit, kept: IntArray, delta: RealArray) -> Standardised:
    """The known features of the objects that are kept, gaps filled as the fit filled them.

    A column whose known entries are all alike says nothing, and is zero.
    """
    encoding = fit.problem.encoding
    observed = encoding.values[kept]
    columns = standardise(fit.known_values[kept], encoding.block, delta)
    varies = varying(observed)
    return columns._replace(
        values=np.where(varies, columns.values, 0.0), missing=np.isnan(observed) & varies
    )
