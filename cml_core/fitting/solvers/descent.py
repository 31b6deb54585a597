"""Run L-BFGS on an objective: compiled throughout where small, threaded where large."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.kernels import constants
from cml_core.fitting.solvers import run
from cml_core.fitting.solvers.layout import stress_and_gradient
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.parts import Parts, by_loop, to_the_end
from cml_core.fitting.solvers.quasi_newton import (
    EVALUATE,
    ITERATIONS,
    Memory,
    Rules,
    remember,
    reopen,
    respond,
)
from cml_core.fitting.solvers.run import Run, Watch
from cml_core.fitting.solvers.scaled_descent import descend_scaled
from cml_core.fitting.solvers.solver import Solver, Start, StoppingRule
from cml_core.fitting.solvers.threaded import THREADED_FROM, ThreadedEvaluation, descend_by
from cml_core.values.arrays import FloatArray
from cml_core.values.compiling import compiled

# A stress this small is an exact fit: distances agree to ten digits.
EXACT_FIT = 1e-20
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
    most: int,
) -> int:
    """Evaluate and respond, so often or until there is a reason to stop."""
    status = EVALUATE
    while status == EVALUATE and most > 0:
        most -= 1
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
    watch : called with the iteration and the normalised stress now and then where it takes long; a
        true answer cancels.
    """
    return to_the_end(descend_in_parts(objective, start, max_iter, tolerance), watch)


def descend_in_parts(
    objective: Objective, start: FloatArray, max_iter: int, tolerance: float
) -> Parts[Run]:
    """The same, a part at a time."""
    rules = Rules(max_iter, tolerance, EXACT_FIT * objective.total, objective.layout.safe)
    memory = remember(start)
    path = np.zeros(max_iter + 1)
    if objective.admissible is not None:
        reason = yield from descend_scaled(objective, objective.admissible, memory, rules, path)
    elif objective.n_objects < THREADED_FROM:
        reason = yield from _descend_compiled(objective, memory, rules, path)
    else:
        reason = yield from _descend_threaded(objective, memory, rules, path)
    steps = int(memory.counts[ITERATIONS])
    path = path[: steps + 1] / objective.total
    found = objective.configuration(memory.point)
    if objective.admissible is not None:
        found = _in_unit(found, float(path[-1]), objective)
    return Run(found, path, reason)


def _in_unit(found: Configuration, f: float, objective: Objective) -> Configuration:
    """The configuration in a size that gives h / (1 - f) a mean square of one.

    Any size has the same f. This is the one in which f is the normalised stress of h / (1 - f).
    """
    squares = found.distances() ** 2
    size = float(squares @ objective.weights) if objective.weights.size else float(squares.sum())
    return found.resized(np.sqrt(objective.total * (1.0 - f) / size)) if size else found


def _descend_compiled(
    objective: Objective, memory: Memory, rules: Rules, path: FloatArray
) -> Parts[str]:
    """In single precision until little is gained, where that is quicker, and then in double."""
    if objective.n_objects >= COMPILED_SINGLE_FROM and _may_be_single(objective, rules):
        coarse = rules._replace(tolerance=max(COMPILED_TOLERANCE, rules.tolerance))
        reason = yield from _descend_in(objective, np.dtype(np.float32), memory, coarse, path)
        if reason == run.CANCELLED:
            return reason
        # What L-BFGS has learnt of the curvature stays: the point is near its end already.
        reopen(memory)
    switched = int(memory.counts[ITERATIONS])
    reason = yield from _descend_in(objective, np.dtype(np.float64), memory, rules, path)
    # Steps seen in single precision are off by a rounding error; none was below the next.
    np.maximum(path[:switched], path[switched], out=path[:switched])
    return reason


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
) -> Parts[str]:
    shape = (objective.stored_rows, objective.n_objects)
    delta, unit = objective.delta, objective.unit
    if dtype == np.float32:
        delta, unit = (delta * unit).astype(dtype), 1.0
    loop = partial(
        _descend,
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
    return by_loop(loop, objective, memory)


def _descend_threaded(
    objective: Objective, memory: Memory, rules: Rules, path: FloatArray
) -> Parts[str]:
    if objective.n_objects >= SINGLE_FROM and _may_be_single(objective, rules):
        coarse = rules._replace(tolerance=max(SINGLE_TOLERANCE, rules.tolerance))
        evaluate = ThreadedEvaluation(objective, np.dtype(np.float32))
        reason = yield from descend_by(evaluate, objective, memory, coarse, path)
        if reason == run.CANCELLED:
            return reason
        # Its copy of the dissimilarities goes before the next evaluation is made.
        del evaluate
        reopen(memory)
    switched = int(memory.counts[ITERATIONS])
    evaluate = ThreadedEvaluation(objective, np.dtype(np.float64))
    reason = yield from descend_by(evaluate, objective, memory, rules, path)
    # Steps seen in single precision are off by a rounding error; none was below the next.
    np.maximum(path[:switched], path[switched], out=path[:switched])
    return reason


def _from_start(objective: Objective, start: Start, rule: StoppingRule, watch: Watch | None) -> Run:
    return descend(objective, start.variables, rule.max_iter, rule.tolerance, watch)


def _in_parts(objective: Objective, start: Start, rule: StoppingRule) -> Parts[Run]:
    return descend_in_parts(objective, start.variables, rule.max_iter, rule.tolerance)


SOLVER = Solver("lbfgs", _from_start, in_parts=_in_parts, over_scales=True)
