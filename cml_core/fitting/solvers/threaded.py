"""Stress and gradient of a large problem, its pairs shared out among threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cml_core.fitting.kernels import accumulate, constants
from cml_core.fitting.solvers import run
from cml_core.fitting.solvers.layout import gather, place
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.parts import REASONS, Parts
from cml_core.fitting.solvers.quasi_newton import (
    EVALUATE,
    ITERATIONS,
    VALUE,
    Memory,
    Rules,
    respond,
)
from cml_core.fitting.threads import spread
from cml_core.values.arrays import FloatArray, RealArray

# Below this many objects a pass is too short to be worth sharing.
THREADED_FROM = 600
# Into so many parts a sweep is cut, however many threads there are. Sums of floats depend on how
# they are grouped: with a part for each thread, another machine would find another map.
PARTS = 8


# The value at a point; its gradient is written into the second array.
Evaluation = Callable[[FloatArray, FloatArray], float]


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
        self._bounds = shares(objective.n_objects)

    def __call__(self, y: FloatArray, gradient: FloatArray) -> float:
        """The raw stress at `y`; its gradient is written into `gradient`."""
        layout = self._objective.layout
        place(layout, y, self._basis, self._X)
        self._stored[:] = self._X
        # `spread` keeps the order of the parts, so they are always added up in the same one.
        stress = sum(spread(self._sweep, range(PARTS)))
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

    list(spread(convert, range(PARTS)))
    return single, 1.0


def shares(n_objects: int) -> list[int]:
    """Bounds between rows of the triangle that hold about equally many pairs."""
    # Rows of the triangle become shorter: the first k of N rows hold 1 - (1 - k/N)^2 of it.
    remaining = 1.0 - np.arange(PARTS + 1) / PARTS
    return [int(bound) for bound in np.round(n_objects * (1.0 - np.sqrt(remaining)))]


def descend_by(
    evaluate: Evaluation,
    objective: Objective,
    memory: Memory,
    rules: Rules,
    path: FloatArray,
) -> Parts[str]:
    """Evaluate and respond until there is a reason to stop; each new point is a part."""
    status, reported = EVALUATE, -1
    while status == EVALUATE:
        value = evaluate(memory.trial, memory.trial_gradient)
        status = respond(memory, rules, value, path)
        step = int(memory.counts[ITERATIONS])
        if step > reported:
            reported = step
            if (yield step, float(memory.numbers[VALUE]) / objective.total):
                return run.CANCELLED
    return REASONS[status]
