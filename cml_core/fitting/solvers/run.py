"""What every solver returns, and the reasons for which it may stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cml_core.fitting.configuration import Configuration, Solution
from cml_core.values.arrays import FloatArray

CONVERGED = "converged"
AT_PRECISION = "converged to working precision"
AT_LIMIT = "iteration limit"
CANCELLED = "cancelled"
IN_CLOSED_FORM = "closed form"

# Called with the iteration and the normalised stress; a true answer cancels.
Watch = Callable[[int, float], bool]


@dataclass(frozen=True, eq=False)
class Run:
    """Where one run of a solver ended, the normalised stress of every step, and why it ended."""

    configuration: Configuration
    path: FloatArray
    reason: str

    @property
    def stress(self) -> float:
        return float(self.path[-1])

    @property
    def converged(self) -> bool:
        return self.reason in (CONVERGED, AT_PRECISION, IN_CLOSED_FORM)

    def solution(self) -> Solution:
        """Where it ended, with its stress."""
        ended = self.configuration
        return Solution(ended.embedding, ended.coef, ended.known_values, self.stress)
