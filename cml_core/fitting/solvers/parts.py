"""Descents in parts, after each of which whoever waits may be told and may cancel."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from cml_core.fitting.solvers import run
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.quasi_newton import (
    CONVERGED,
    EVALUATE,
    EXHAUSTED,
    ITERATION_LIMIT,
    ITERATIONS,
    VALUE,
    Memory,
)
from cml_core.fitting.solvers.run import Watch

REASONS = {
    CONVERGED: run.CONVERGED,
    EXHAUSTED: run.AT_PRECISION,
    ITERATION_LIMIT: run.AT_LIMIT,
}
# So many differences between two coordinates a compiled part goes through: some 20 ms of work. What
# is shorter, and that are nearly all descents of up to 599 objects, is one part.
DIFFERENCES = 6e7
# To find the nearest admissible value of a pair takes as long as so many differences.
OF_A_CURVE = 10

_Ended = TypeVar("_Ended")
# Yields the iteration and the normalised stress that it has reached; a true answer cancels.
Reached = tuple[int, float]
Parts = Generator[Reached, bool | None, _Ended]


def part_of(parts: Parts[_Ended], cancelled: bool | None) -> Reached | _Ended:
    """The next part: how far it has come, or what has come of it."""
    try:
        return parts.send(cancelled)
    except StopIteration as ended:
        found: _Ended = ended.value
        return found


def to_the_end(parts: Parts[_Ended], watch: Watch | None) -> _Ended:
    """What comes of all of them."""
    reached = part_of(parts, None)
    while isinstance(reached, tuple):
        reached = part_of(parts, watch is not None and watch(*reached))
    return reached


def evaluations(objective: Objective) -> int:
    """How many evaluations make a part."""
    of_a_pair = objective.stored_rows + (OF_A_CURVE if objective.admissible is not None else 0)
    return max(int(DIFFERENCES / max(objective.delta.size * of_a_pair, 1)), 1)


def by_loop(loop: Callable[[int], int], objective: Objective, memory: Memory) -> Parts[str]:
    """A compiled loop over so many evaluations, again and again until there is a reason to stop."""
    at_once = evaluations(objective)
    while (status := loop(at_once)) == EVALUATE:
        stress = float(memory.numbers[VALUE]) / objective.total
        if (yield int(memory.counts[ITERATIONS]), stress):
            return run.CANCELLED
    return REASONS[status]
