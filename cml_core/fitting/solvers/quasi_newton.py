"""L-BFGS, one answer at a time: given the value at the trial point, name the next one.

The caller evaluates the function, so the same steps serve a compiled loop over a small
problem and a loop in Python that spreads each evaluation over threads and reports progress.
An L-BFGS that calls the function, as every library's does, would have to be written twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.compiling import compiled

# With so many, 10 to 40 passes came within 1e-6 of the limit, on clustered data 60 to 76; plain
# majorisation took 50 to 200, and 1500. SQUAREM, Anderson's mixing, conjugate gradients, relaxed
# updates and variants of Newton's method were all slower.
MEMORY = 8
# Armijo's rule, with the constant that is usual.
SUFFICIENT_DECREASE = 1e-4
# Each trial costs a sweep over all pairs. So the step is not searched for with Wolfe's conditions:
# after two that are too long the memory is dropped for a majoriser's step, which cannot go up.
BACKTRACKS = 2
SAFE_REDUCTIONS = 12
# A Guttman transform is cautious, for the majoriser lies above the stress.
OVERSHOOT = 1.5

# What `respond` answers.
EVALUATE, CONVERGED, EXHAUSTED, ITERATION_LIMIT = 0, 1, 2, 3

# Slots of Memory.counts and Memory.numbers.
_PHASE, _PAIRS, _NEXT, _TRIES, _SMALL, ITERATIONS = 0, 1, 2, 3, 4, 5
VALUE, _STEP, _SLOPE = 0, 1, 2
_OPENING, _SEARCHING, _SAFE = 0, 1, 2


class Memory(NamedTuple):
    """Everything L-BFGS knows; written to by `respond`."""

    counts: IntArray
    numbers: FloatArray
    point: FloatArray
    gradient: FloatArray
    trial: FloatArray
    trial_gradient: FloatArray
    direction: FloatArray
    moves: FloatArray
    changes: FloatArray
    curvatures: FloatArray


class Rules(NamedTuple):
    """When to stop, and the step that cannot go up."""

    max_iter: int
    tolerance: float
    floor: float
    safe: float


def remember(start: FloatArray) -> Memory:
    """A memory that knows only where to begin."""
    n = start.size
    return Memory(
        counts=np.zeros(6, dtype=np.int64),
        numbers=np.zeros(3),
        point=np.array(start),
        gradient=np.zeros(n),
        trial=np.array(start),
        trial_gradient=np.zeros(n),
        direction=np.zeros(n),
        moves=np.zeros((MEMORY, n)),
        changes=np.zeros((MEMORY, n)),
        curvatures=np.zeros(MEMORY),
    )


def reopen(memory: Memory) -> None:
    """Have the present point evaluated anew, by a better evaluation; keep what was learnt.

    The last step down was small already, so one more that is ends the descent.
    """
    memory.counts[_PHASE] = _OPENING
    memory.counts[_SMALL] = 1
    memory.trial[:] = memory.point


@compiled(fast=True)
def _dot(a: Any, b: Any) -> float:
    total = 0.0
    for k in range(a.size):
        total += a[k] * b[k]
    return total


@compiled(fast=True)
def _descent_direction(memory: Memory, safe: float) -> None:
    """The two-loop recursion; without a memory, the safe step."""
    d = memory.direction
    pairs, latest = memory.counts[_PAIRS], memory.counts[_NEXT]
    for k in range(d.size):
        d[k] = -memory.gradient[k]
    if pairs == 0:
        for k in range(d.size):
            d[k] *= safe
        return
    alpha = np.zeros(MEMORY)
    for back in range(1, pairs + 1):
        m = (latest - back) % MEMORY
        alpha[m] = _dot(memory.moves[m], d) / memory.curvatures[m]
        for k in range(d.size):
            d[k] -= alpha[m] * memory.changes[m, k]
    m = (latest - 1) % MEMORY
    scale = memory.curvatures[m] / _dot(memory.changes[m], memory.changes[m])
    for k in range(d.size):
        d[k] *= scale
    for back in range(pairs, 0, -1):
        m = (latest - back) % MEMORY
        beta = _dot(memory.changes[m], d) / memory.curvatures[m]
        for k in range(d.size):
            d[k] += (alpha[m] - beta) * memory.moves[m, k]


@compiled(fast=True)
def _learn(memory: Memory) -> None:
    """Keep the last move and the change of gradient, unless they say nothing."""
    m = memory.counts[_NEXT]
    move, change = memory.moves[m], memory.changes[m]
    for k in range(move.size):
        move[k] = memory.trial[k] - memory.point[k]
        change[k] = memory.trial_gradient[k] - memory.gradient[k]
    # Stress is not convex, and Armijo's rule alone does not see to a positive curvature.
    curvature = _dot(move, change)
    if curvature > 1e-10 * np.sqrt(_dot(move, move) * _dot(change, change)):
        memory.curvatures[m] = curvature
        memory.counts[_NEXT] = (m + 1) % MEMORY
        memory.counts[_PAIRS] = min(memory.counts[_PAIRS] + 1, MEMORY)


@compiled(fast=True)
def _propose(memory: Memory, step: float) -> None:
    memory.numbers[_STEP] = step
    for k in range(memory.trial.size):
        memory.trial[k] = memory.point[k] + step * memory.direction[k]


@compiled(fast=False)
def respond(memory: Memory, rules: Rules, value: float, path: Any) -> int:
    """Take in the value at `memory.trial`; leave the next trial there, or say why to stop.

    `path` receives the value of the start and of every point that was moved to; it never
    rises, because only lower points are moved to.
    """
    counts, numbers = memory.counts, memory.numbers
    phase = counts[_PHASE]
    if phase == _SEARCHING:
        gain = SUFFICIENT_DECREASE * numbers[_STEP] * numbers[_SLOPE]
        # Worded so that a NaN counts as too high.
        if not value <= numbers[VALUE] + gain:
            if counts[_TRIES] < BACKTRACKS:
                return _shorten(memory, value)
            counts[_PAIRS] = 0
            counts[_PHASE] = _SAFE
            return _advance(memory, rules)
    elif phase == _SAFE and not value < numbers[VALUE]:
        # Shorter steps than these are lost in the rounding of the stress.
        if counts[_TRIES] == SAFE_REDUCTIONS:
            return EXHAUSTED
        counts[_TRIES] += 1
        _propose(memory, 0.25 * numbers[_STEP])
        return EVALUATE
    if phase == _OPENING:
        path[counts[ITERATIONS]] = value
    else:
        _learn(memory)
        counts[ITERATIONS] += 1
        path[counts[ITERATIONS]] = value
        small = numbers[VALUE] - value <= rules.tolerance * numbers[VALUE]
        # Two in a row: one small step may only have been a poor direction.
        counts[_SMALL] = counts[_SMALL] + 1 if small else 0
        counts[_PHASE] = _SEARCHING
    memory.point[:] = memory.trial
    memory.gradient[:] = memory.trial_gradient
    numbers[VALUE] = value
    if rules.tolerance >= 0 and (counts[_SMALL] >= 2 or value <= rules.floor):
        return CONVERGED
    if counts[ITERATIONS] >= rules.max_iter:
        return ITERATION_LIMIT
    return _advance(memory, rules)


@compiled(fast=False)
def _advance(memory: Memory, rules: Rules) -> int:
    """Choose a direction and a first trial; stop where the gradient vanishes."""
    counts = memory.counts
    safe = rules.safe
    if counts[_PHASE] == _OPENING:
        counts[_PHASE] = _SEARCHING
        safe *= OVERSHOOT
    while True:
        _descent_direction(memory, safe)
        slope = _dot(memory.gradient, memory.direction)
        if slope < 0.0:
            break
        if counts[_PAIRS] == 0:
            return EXHAUSTED
        counts[_PAIRS] = 0
    counts[_TRIES] = 0
    memory.numbers[_SLOPE] = slope
    _propose(memory, 1.0)
    return EVALUATE


@compiled(fast=False)
def _shorten(memory: Memory, value: float) -> int:
    """Backtrack along the same direction, by quadratic interpolation."""
    numbers = memory.numbers
    memory.counts[_TRIES] += 1
    step, slope = numbers[_STEP], numbers[_SLOPE]
    lowest = -0.5 * slope * step * step / (value - numbers[VALUE] - slope * step)
    if not lowest <= 0.5 * step:
        lowest = 0.5 * step
    _propose(memory, max(lowest, 0.1 * step))
    return EVALUATE
