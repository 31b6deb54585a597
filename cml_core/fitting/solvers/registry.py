"""The solvers that `fit` can be asked for, the usual one first."""

from __future__ import annotations

from collections.abc import Mapping

from cml_core.fitting.solvers import closed_form, descent, smacof
from cml_core.fitting.solvers.solver import Solver

SOLVERS: Mapping[str, Solver] = {
    solver.name: solver for solver in (descent.SOLVER, smacof.SOLVER, closed_form.SOLVER)
}
