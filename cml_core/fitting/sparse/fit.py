"""fit_pairs(problem) -> PairsFit: a map of a list of pairs, judged by pairs held out of a fit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree

from cml_core.errors import LabelMismatch, NotConverged, check_option
from cml_core.fitting.configuration import Found, Solution
from cml_core.fitting.geometry import principal_axes
from cml_core.fitting.minima import symmetric_coef
from cml_core.fitting.plan import OnStep, Progress, latched
from cml_core.fitting.problem import COEFS
from cml_core.fitting.remarks import Remark, redundant_features
from cml_core.fitting.solvers import run as reasons
from cml_core.fitting.solvers.descent import EXACT_FIT
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.parts import to_the_end
from cml_core.fitting.solvers.quasi_newton import ITERATIONS, Rules, remember
from cml_core.fitting.solvers.run import Run, Watch
from cml_core.fitting.solvers.solver import StoppingRule
from cml_core.fitting.solvers.starts import random_start
from cml_core.fitting.solvers.threaded import descend_by
from cml_core.fitting.sparse.objective import PairsEvaluation, objective_of_pairs, spectral_start
from cml_core.values.arrays import BoolArray, FloatArray, Value, frozen
from cml_core.values.features import Encoding, FeatureTable
from cml_core.values.pairs import Pairs
from cml_core.values.real_numbers import whole_number

# This share of the pairs is held out, to be told by a fit of the others.
HELD_OUT = 0.1
# Places that err by this share of the squared dissimilarities leave a map clear. Of 10,000 objects
# with two hidden dimensions and noise of 20 %, 20 pairs each err by .011 (canonical correlation
# with what is hidden .90) and 40 by .0046 (.97).
CLEAR = 0.005
# So many dimensions more, and so rough a descent, before the one that counts: without it the
# smaller canonical correlation was .948 instead of .999 with noise of 2 %; 2 or 4 gained no more.
MORE, ROUGH = 1, 1e-4


@dataclass(frozen=True, eq=False, repr=False)
class SparseProblem(Value):
    """One question about objects of which some pairs were observed.

    Parameters
    ----------
    pairs : of N objects.
    known : features of the same objects, in the same order; none is metric MDS.
    n_components : p, the number of hidden dimensions; may be 0.
    coef : whether B is "full" or "diagonal".
    """

    pairs: Pairs
    known: FeatureTable
    n_components: int = 2
    coef: str = "full"

    def __post_init__(self) -> None:
        check_option("coef", self.coef, COEFS)
        object.__setattr__(self, "n_components", whole_number("n_components", self.n_components))
        if self.known.labels != self.pairs.labels:
            raise LabelMismatch(
                "Features and pairs do not name the same objects in the same order.",
                remedy="Join them by label first: features.for_objects(pairs.labels).",
            )

    @cached_property
    def encoding(self) -> Encoding:
        """The known features as columns of numbers."""
        return self.known.encoded()


@dataclass(frozen=True)
class HeldOutPairs:
    """How well pairs are told that a fit has not seen.

    Parameters
    ----------
    count : how many were held out.
    told, fitted : normalised stress of these, NaN where there were none, and of the pairs that were
        fitted without them.
    per_object : in how many pairs each object is, on average.
    """

    count: int
    told: float
    fitted: float
    per_object: float

    @property
    def misplaced(self) -> float:
        """The share of squared dissimilarities by which places err, for want of pairs; or NaN."""
        # A place that bends to its own pairs fits them better, and others worse, by as much.
        return float(np.maximum((self.told - self.fitted) / 2.0, 0.0))

    @property
    def advised(self) -> int | None:
        """How many pairs an object should be in for a clear map; no more than now where it is.

        None where no pair was held out that could tell.
        """
        if np.isnan(self.told):
            return None
        # What places err by falls as one over the number of pairs, once the map is roughly right;
        # where it is not, with few pairs and noise of 25 % and more, that promises too much.
        return int(np.ceil(self.per_object * max(self.misplaced / CLEAR, 1.0)))

    @property
    def verdict(self) -> str:
        """What that means, in a sentence or two."""
        if np.isnan(self.told):
            why = (
                "those held out are all zero" if self.count else "too few to hold any out of a fit"
            )
            return (
                f"Whether the {self.per_object:.1f} pairs of each object are enough cannot be "
                f"told: {why}. Collect more."
            )
        told = (
            f"Pairs that a fit has not seen are told with {self.told:.1%} of their squares "
            f"unexplained, those that it has seen with {self.fitted:.1%}."
        )
        if self.misplaced <= CLEAR:
            return f"{told} The {self.per_object:.0f} pairs of each object are enough."
        return (
            f"{told} The {self.per_object:.0f} pairs of each object are too few for such noise: "
            f"collect about {self.advised} of each, and look again."
        )


@dataclass(frozen=True, eq=False, repr=False)
class PairsFit(Found):
    """A map of a list of pairs; its stress is that of the observed pairs."""

    problem: SparseProblem
    best: Solution
    held_out: HeldOutPairs
    stress_path: FloatArray
    stopped: str
    seed: int
    remarks: tuple[Remark, ...] = ()
    alternatives: tuple[Solution, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return self.problem.pairs.labels

    @property
    def converged(self) -> bool:
        return self.stopped in (reasons.CONVERGED, reasons.AT_PRECISION)

    def __repr__(self) -> str:
        known = ", ".join(self.problem.known.names) or "nothing"
        return (
            f"PairsFit({self.problem.pairs!r}, {known} known, {self.embedding.shape[1]} hidden: "
            f"stress {self.stress:.6g}, {self.stopped}, seed {self.seed}. {self.held_out.verdict})"
        )


def fit_pairs(
    problem: SparseProblem,
    *,
    n_init: int = 1,
    max_iter: int = 1000,
    tol: float = 1e-9,
    seed: int | None = None,
    on_step: OnStep | None = None,
) -> PairsFit:
    """Fit a map to a list of pairs, and say how well it tells pairs that it has not seen.

    Parameters
    ----------
    problem : what to fit.
    n_init : how many starts; the first is spectral, from ways through the graph of the pairs.
    max_iter, tol : of each start, as of `fit`.
    seed : of starts and of what is held out; the result keeps it. None draws one.
    on_step : called with a `Progress` after each step; a true answer cancels.
    """
    drawn = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
    asked = None if on_step is None else latched(on_step)
    starts, pairs = whole_number("n_init", n_init, least=1), problem.pairs
    held = _held_out(pairs, np.random.default_rng([drawn, 1]))
    rule = StoppingRule(max_iter, tol)
    objective = _objective(problem, pairs)
    runs = []
    for number in range(1, starts + 1):
        begin = _good_start(problem, objective, np.random.default_rng([drawn, 1]), max_iter)
        if number > 1:
            begin = random_start(objective, begin, np.random.default_rng([drawn, number]))
        runs.append(_descended(pairs, objective, begin, rule, _watch(asked, number, starts)))
    best = min(runs, key=lambda run: run.stress)
    found = best.configuration
    solution = Solution(
        frozen(principal_axes(found.embedding)),
        frozen(symmetric_coef(found.coef, objective.columns.spread)),
        frozen(found.known_values),
        best.stress,
    )
    remarks = redundant_features(problem.known)
    if not best.converged:
        text = f"The fit stopped early ({best.reason}); the map may differ from the best one."
        remarks += (Remark(text, NotConverged),)
    judged = _judged(problem, best, held, rule)
    return PairsFit(problem, solution, judged, frozen(best.path), best.reason, drawn, remarks)


def _held_out(pairs: Pairs, random: np.random.Generator) -> BoolArray:
    """Pairs to be held out: none of a tree that joins all objects."""
    tree = minimum_spanning_tree(pairs.graph()).tocoo()
    n = pairs.n_objects
    needed = np.minimum(tree.row, tree.col) * n + np.maximum(tree.row, tree.col)
    key = np.minimum(pairs.first, pairs.second) * n + np.maximum(pairs.first, pairs.second)
    free = np.flatnonzero(~np.isin(key, needed))
    count = min(round(HELD_OUT * pairs.first.size), free.size)
    held = np.zeros(pairs.first.size, bool)
    held[random.choice(free, count, replace=False)] = True
    return held


def _objective(problem: SparseProblem, pairs: Pairs) -> Objective:
    diagonal = problem.coef == "diagonal"
    return objective_of_pairs(pairs, problem.encoding, problem.n_components, diagonal)


def _good_start(
    problem: SparseProblem, objective: Objective, random: np.random.Generator, max_iter: int
) -> FloatArray:
    """The spectral start, descended with more dimensions, of which the largest stay.

    In as many as are asked for, few pairs hold many an object on the wrong side of its neighbours;
    with some dimensions more it can walk round them.
    """
    pairs, p = problem.pairs, problem.n_components
    if not p:
        return spectral_start(pairs, objective, random)
    wide = objective_of_pairs(pairs, problem.encoding, p + MORE, objective.diagonal)
    begin = spectral_start(pairs, wide, random)
    run = _descended(pairs, wide, begin, StoppingRule(max_iter, ROUGH)).configuration
    return objective.variables(principal_axes(run.embedding)[:, :p], run.coef, run.known_values)


def _watch(asked: OnStep | None, number: int, starts: int) -> Watch | None:
    if asked is None:
        return None
    return lambda iteration, stress: asked(Progress(number, starts, iteration, stress))


def _descended(
    pairs: Pairs,
    objective: Objective,
    begin: FloatArray,
    rule: StoppingRule,
    watch: Watch | None = None,
) -> Run:
    """From a start to where L-BFGS ends."""
    exact = EXACT_FIT * objective.total
    rules = Rules(rule.max_iter, rule.tolerance, exact, objective.layout.safe)
    memory, path = remember(begin), np.zeros(rule.max_iter + 1)
    evaluate = PairsEvaluation(pairs, objective)
    reason = to_the_end(descend_by(evaluate, objective, memory, rules, path), watch)
    steps = int(memory.counts[ITERATIONS])
    found = objective.configuration(memory.point)
    return Run(found, path[: steps + 1] / objective.total, reason)


def _judged(problem: SparseProblem, best: Run, held: BoolArray, rule: StoppingRule) -> HeldOutPairs:
    """Pairs held out, told by a fit of the others that begins where all of them led to."""
    # Not from another start: the question is how far the same minimum moves without them.
    seen, at = problem.pairs.only(~held), best.configuration
    objective = _objective(problem, seen)
    begin = objective.variables(at.embedding, at.coef, at.known_values)
    run = _descended(seen, objective, begin, rule)
    pairs, points = problem.pairs, run.configuration.points
    delta = pairs.dissimilarities[held]
    apart = points[pairs.first[held]] - points[pairs.second[held]]
    errors = np.linalg.norm(apart, axis=1) - delta
    share = float((errors**2).sum() / (delta**2).sum()) if delta.any() else np.nan
    per_object = 2.0 * held.size / pairs.n_objects
    return HeldOutPairs(int(held.sum()), share, run.stress, per_object)
