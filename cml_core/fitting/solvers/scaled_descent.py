"""L-BFGS on f of `Admissible`: dissimilarities that may be changed as their scale admits."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from cml_core.fitting.kernels import COINCIDENT, accumulate, constants, write_distances
from cml_core.fitting.scales.admissible import Admissible, monotone, nearest
from cml_core.fitting.scales.isotonic import coarsened, scratch_for
from cml_core.fitting.solvers import run
from cml_core.fitting.solvers.layout import gather, place
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.parts import Parts, by_loop, to_the_end
from cml_core.fitting.solvers.quasi_newton import EVALUATE, Memory, Rules, reopen, respond
from cml_core.fitting.solvers.threaded import PARTS, THREADED_FROM, descend_by, shares
from cml_core.fitting.threads import spread
from cml_core.values.arrays import FloatArray
from cml_core.values.compiling import compiled

# With more ranks than this the way down is taken with so few, and only its end with all: sums over
# a table that fits into the fastest memory cost a tenth.
COARSE_FROM = 4096
COARSE_RANKS = 1024
COARSE_TOLERANCE = 1e-7
# Squared distances, of order one, are on average no less where there are any at all.
NO_DISTANCES = 10 * COINCIDENT


@compiled(fast=False)
def _descend_compiled(
    layout: Any,
    admissible: Any,
    scratch: Any,
    weights: Any,
    constant: Any,
    total: float,
    memory: Any,
    rules: Any,
    path: Any,
    basis: Any,
    X: Any,
    G: Any,
    distances: Any,
    targets: Any,
    most: int,
) -> int:
    """Evaluate `total` times f of `Admissible`, and respond, so often or until it may stop."""
    status, gradient = EVALUATE, memory.trial_gradient
    while status == EVALUATE and most > 0:
        most -= 1
        place(layout, memory.trial, basis, X)
        write_distances(X, distances, 0, X.shape[1])
        left, size = nearest(admissible, scratch, distances, weights, targets)
        if size <= NO_DISTANCES * total:
            # Nothing is known and nothing hidden: there are no distances to fit.
            f = 1.0
            gradient[:] = 0.0
        else:
            f = left / size
            targets /= 1.0 - f
            G[:] = 0.0
            accumulate(targets, weights, X, G, constant, 0, X.shape[1])
            gather(layout, memory.trial, basis, G, gradient)
            gradient *= (1.0 - f) * total / size
        status = respond(memory, rules, f * total, path)
    return status


def descend_scaled(
    objective: Objective,
    admissible: Admissible,
    memory: Memory,
    rules: Rules,
    path: FloatArray,
) -> Parts[str]:
    """Descend to a minimum of f, and say why it stopped."""
    if admissible.ranks.mass.size > COARSE_FROM and rules.tolerance >= 0:
        # Who joins ranks admits less, so no step that was seen in this way lies too low.
        coarse = monotone(coarsened(admissible.ranks, COARSE_RANKS))
        hasty = rules._replace(tolerance=max(COARSE_TOLERANCE, rules.tolerance))
        reason = yield from _descend(objective, coarse, memory, hasty, path)
        reopen(memory)
        if reason == run.CANCELLED:
            # Once more is looked at, for the stress that is told is that with all ranks.
            last = _descend(objective, admissible, memory, rules, path)
            return to_the_end(last, lambda *_: True)
    return (yield from _descend(objective, admissible, memory, rules, path))


def _descend(
    objective: Objective,
    admissible: Admissible,
    memory: Memory,
    rules: Rules,
    path: FloatArray,
) -> Parts[str]:
    if objective.n_objects >= THREADED_FROM:
        evaluate = ScaledEvaluation(objective, admissible)
        return descend_by(evaluate, objective, memory, rules, path)
    shape = (objective.stored_rows, objective.n_objects)
    loop = partial(
        _descend_compiled,
        objective.layout,
        admissible,
        scratch_for(admissible.ranks),
        objective.weights,
        constants(1.0, np.float64),
        objective.total,
        memory,
        rules,
        path,
        objective.layout.basis.copy(),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(objective.delta.size),
        np.zeros(objective.delta.size),
    )
    return by_loop(loop, objective, memory)


class ScaledEvaluation:
    """f of a large problem, and its gradient.

    Distances and forces are shared out among threads; the nearest admissible values between
    them are found by one.
    """

    def __init__(self, objective: Objective, admissible: Admissible) -> None:
        shape = (objective.stored_rows, objective.n_objects)
        self._objective = objective
        self._admissible = admissible
        self._scratch = scratch_for(admissible.ranks)
        self._constants = constants(1.0, np.dtype(np.float64))
        self._basis = objective.layout.basis.copy()
        self._X = np.zeros(shape)
        self._parts = np.zeros((PARTS, *shape))
        self._bounds = shares(objective.n_objects)
        self._distances = np.zeros(objective.delta.size)
        self._targets = np.zeros(objective.delta.size)

    def __call__(self, y: FloatArray, gradient: FloatArray) -> float:
        """F times the weight of all pairs at `y`; its gradient is written into `gradient`."""
        objective = self._objective
        place(objective.layout, y, self._basis, self._X)
        list(spread(self._measure, range(PARTS)))
        left, size = nearest(
            self._admissible, self._scratch, self._distances, objective.weights, self._targets
        )
        if size <= NO_DISTANCES * objective.total:
            gradient[:] = 0.0
            return objective.total
        f = left / size
        self._targets /= 1.0 - f
        list(spread(self._sweep, range(PARTS)))
        gather(objective.layout, y, self._basis, self._parts.sum(axis=0), gradient)
        gradient *= (1.0 - f) * objective.total / size
        return float(f * objective.total)

    def _measure(self, part: int) -> None:
        write_distances(self._X, self._distances, self._bounds[part], self._bounds[part + 1])

    def _sweep(self, part: int) -> None:
        out = self._parts[part]
        out[:] = 0.0
        first, last = self._bounds[part], self._bounds[part + 1]
        weights = self._objective.weights
        accumulate(self._targets, weights, self._X, out, self._constants, first, last)
