"""Run L-BFGS on an objective: compiled throughout where small, threaded where large."""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.fitting.kernels import accumulate, constants
from cml_core.fitting.solvers import run
from cml_core.fitting.solvers.layout import gather, place, stress_and_gradient
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.quasi_newton import (
    CONVERGED,
    EVALUATE,
    EXHAUSTED,
    ITERATION_LIMIT,
    ITERATIONS,
    VALUE,
    Memory,
    Rules,
    remember,
    reopen,
    respond,
)
from cml_core.fitting.solvers.run import Run, Watch
from cml_core.fitting.solvers.solver import Solver, Start, StoppingRule
from cml_core.fitting.threads import shared_threads
from cml_core.values.arrays import FloatArray, RealArray
from cml_core.values.compiling import compiled

# A stress this small is an exact fit: distances agree to ten digits.
EXACT_FIT = 1e-20
# Below this many objects a pass is too short to be worth sharing, or reporting on.
THREADED_FROM = 600
# From here on the way down is taken in single precision, and only its end in double: half the
# memory to wait for, twice the numbers in a register. It stalls at about 1e-10 of the stress.
SINGLE_FROM = 1500
SINGLE_TOLERANCE = 1e-8
# So it is for small problems, which are too short for reports: 1.3 times faster at N = 200 and
# 1.6 times at N = 500.
COMPILED_SINGLE_FROM = 100
COMPILED_TOLERANCE = 1e-7
# Weighted squares of numbers up to this, and their sums, stay finite in single precision.
LARGEST_SINGLE = 1e9
# Into so many parts a sweep is cut, however many threads there are. Sums of floats depend on how
# they are grouped: with a part for each thread, another machine would find another map.
PARTS = 8

_REASON = {
    CONVERGED: run.CONVERGED,
    EXHAUSTED: run.AT_PRECISION,
    ITERATION_LIMIT: run.AT_LIMIT,
}


@compiled(fast=False)
def _descend(
    layout: Any,
    delta: Any,
    weights: Any,
    constant: Any,
    memory: Any,
    rules: Any,
    path: Any,
    basis: Any,
    X: Any,
    G: Any,
) -> int:
    """Evaluate and respond until there is a reason to stop."""
    status = EVALUATE
    while status == EVALUATE:
        value = stress_and_gradient(
            layout, delta, weights, constant, memory.trial, basis, X, G, memory.trial_gradient
        )
        status = respond(memory, rules, value, path)
    return status


def descend(
    objective: Objective,
    start: FloatArray,
    max_iter: int,
    tolerance: float,
    watch: Watch | None = None,
) -> Run:
    """Minimise the stress from `start`.

    Parameters
    ----------
    tolerance : stop after two steps in a row that lower the stress by less than this share;
        negative never stops early.
    watch : called with the iteration and the normalised stress after each step of a large
        problem; a true answer cancels.
    """
    rules = Rules(max_iter, tolerance, EXACT_FIT * objective.total, objective.layout.safe)
    memory = remember(start)
    path = np.zeros(max_iter + 1)
    if objective.n_objects < THREADED_FROM:
        reason = _descend_compiled(objective, memory, rules, path)
    else:
        reason = _descend_threaded(objective, memory, rules, path, watch)
    steps = int(memory.counts[ITERATIONS])
    found = objective.configuration(memory.point)
    return Run(found, path[: steps + 1] / objective.total, reason)


def _descend_compiled(objective: Objective, memory: Memory, rules: Rules, path: FloatArray) -> str:
    """In single precision until little is gained, where that is quicker, and then in double."""
    if objective.n_objects >= COMPILED_SINGLE_FROM and _may_be_single(objective, rules):
        coarse = rules._replace(tolerance=max(COMPILED_TOLERANCE, rules.tolerance))
        _descend_in(objective, np.dtype(np.float32), memory, coarse, path)
        # What L-BFGS has learnt of the curvature stays: the point is near its end already.
        reopen(memory)
    switched = int(memory.counts[ITERATIONS])
    status = _descend_in(objective, np.dtype(np.float64), memory, rules, path)
    # Steps seen in single precision are off by a rounding error; none was below the next.
    np.maximum(path[:switched], path[switched], out=path[:switched])
    return _REASON[status]


def _may_be_single(objective: Objective, rules: Rules) -> bool:
    """Whether single precision holds the problem, and the descent is to end where it converges."""
    largest = max(
        float(objective.delta.max(initial=0.0)) * objective.unit,
        float(objective.weights.max(initial=0.0)),
    )
    # Who asks for every iteration, by a negative tolerance, compares them with someone else's.
    return rules.tolerance >= 0 and largest <= LARGEST_SINGLE


def _descend_in(
    objective: Objective, dtype: np.dtype[Any], memory: Memory, rules: Rules, path: FloatArray
) -> int:
    shape = (objective.stored_rows, objective.n_objects)
    delta, unit = objective.delta, objective.unit
    if dtype == np.float32:
        delta, unit = (delta * unit).astype(dtype), 1.0
    return _descend(
        objective.layout,
        delta,
        objective.weights.astype(dtype, copy=False),
        constants(unit, dtype),
        memory,
        rules,
        path,
        objective.layout.basis.copy(),
        np.zeros(shape, dtype),
        np.zeros(shape, dtype),
    )


class ThreadedEvaluation:
    """Stress and gradient of a large problem, its pairs shared out among threads.

    The parts are the same whatever the number of threads, and so are the sums.
    """

    def __init__(self, objective: Objective, dtype: np.dtype[Any]) -> None:
        shape = (objective.stored_rows, objective.n_objects)
        self._objective = objective
        self._delta, unit = _in_precision(objective, dtype)
        self._weights = objective.weights.astype(dtype, copy=False)
        self._constants = constants(unit, dtype)
        self._basis = objective.layout.basis.copy()
        self._X = np.zeros(shape)
        self._stored = np.zeros(shape, dtype)
        self._parts = np.zeros((PARTS, *shape), dtype)
        self._bounds = _shares(objective.n_objects)

    def __call__(self, y: FloatArray, gradient: FloatArray) -> float:
        """The raw stress at `y`; its gradient is written into `gradient`."""
        layout = self._objective.layout
        place(layout, y, self._basis, self._X)
        self._stored[:] = self._X
        # `map` keeps the order of the parts, so they are always added up in the same one.
        stress = sum(shared_threads().map(self._sweep, range(PARTS)))
        gather(layout, y, self._basis, self._parts.sum(axis=0, dtype=np.float64), gradient)
        return stress

    def _sweep(self, part: int) -> float:
        out = self._parts[part]
        out[:] = 0.0
        first, last = self._bounds[part], self._bounds[part + 1]
        return accumulate(
            self._delta, self._weights, self._stored, out, self._constants, first, last
        )


def _in_precision(objective: Objective, dtype: np.dtype[Any]) -> tuple[RealArray, float]:
    """Dissimilarities for arithmetic in `dtype`, and the factor that still scales them."""
    delta = objective.delta
    # Scaled while they are copied, for in their own unit they may be too large for single
    # precision; what is in the right precision already is used where it lies.
    if dtype == np.float64 or delta.dtype == dtype:
        return delta, objective.unit
    single = np.empty(delta.shape, dtype)

    def convert(part: int) -> None:
        share = slice(part * delta.size // PARTS, (part + 1) * delta.size // PARTS)
        np.multiply(delta[share], objective.unit, out=single[share], casting="same_kind")

    list(shared_threads().map(convert, range(PARTS)))
    return single, 1.0


def _shares(n_objects: int) -> list[int]:
    """Bounds between rows of the triangle that hold about equally many pairs."""
    # Rows of the triangle become shorter: the first k of N rows hold 1 - (1 - k/N)^2 of it.
    remaining = 1.0 - np.arange(PARTS + 1) / PARTS
    return [int(bound) for bound in np.round(n_objects * (1.0 - np.sqrt(remaining)))]


def _descend_threaded(
    objective: Objective, memory: Memory, rules: Rules, path: FloatArray, watch: Watch | None
) -> str:
    if objective.n_objects >= SINGLE_FROM and _may_be_single(objective, rules):
        coarse = rules._replace(tolerance=max(SINGLE_TOLERANCE, rules.tolerance))
        evaluate = ThreadedEvaluation(objective, np.dtype(np.float32))
        reason = _loop(evaluate, objective, memory, coarse, path, watch)
        if reason == run.CANCELLED:
            return reason
        # Its copy of the dissimilarities goes before the next evaluation is made.
        del evaluate
        reopen(memory)
    switched = int(memory.counts[ITERATIONS])
    evaluate = ThreadedEvaluation(objective, np.dtype(np.float64))
    reason = _loop(evaluate, objective, memory, rules, path, watch)
    # Steps seen in single precision are off by a rounding error; none was below the next.
    np.maximum(path[:switched], path[switched], out=path[:switched])
    return reason


def _loop(
    evaluate: ThreadedEvaluation,
    objective: Objective,
    memory: Memory,
    rules: Rules,
    path: FloatArray,
    watch: Watch | None,
) -> str:
    """Evaluate and respond until there is a reason to stop, reporting each new point."""
    status, reported = EVALUATE, -1
    while status == EVALUATE:
        value = evaluate(memory.trial, memory.trial_gradient)
        status = respond(memory, rules, value, path)
        step = int(memory.counts[ITERATIONS])
        if watch and step > reported:
            reported = step
            if watch(step, float(memory.numbers[VALUE]) / objective.total):
                return run.CANCELLED
    return _REASON[status]


def _from_start(objective: Objective, start: Start, rule: StoppingRule, watch: Watch | None) -> Run:
    return descend(objective, start.variables, rule.max_iter, rule.tolerance, watch)


SOLVER = Solver("lbfgs", _from_start, side_by_side=True)
