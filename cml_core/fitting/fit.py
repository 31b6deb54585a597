"""fit(problem) -> Fit: choose starts, run a solver from each, keep what is distinct."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cml_core.errors import AdjustedData, NotConverged, check_option
from cml_core.fitting.configuration import Solution
from cml_core.fitting.geometry import principal_axes
from cml_core.fitting.likely_power import with_likely_power
from cml_core.fitting.minima import aligned, distinct, symmetric_coef
from cml_core.fitting.plan import OnStep, Plan, planned
from cml_core.fitting.problem import Problem
from cml_core.fitting.remarks import Remark
from cml_core.fitting.result import Fit
from cml_core.fitting.runs import runs_of
from cml_core.fitting.scale_remarks import scale_remarks
from cml_core.fitting.scales.registry import SCALES
from cml_core.fitting.solvers import run as reasons
from cml_core.fitting.solvers.registry import SOLVERS
from cml_core.fitting.solvers.run import Run
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import frozen


def fit(
    problem: Problem,
    *,
    solver: str = "lbfgs",
    init: str | tuple[Any, ...] = "auto",
    n_init: str | int = "auto",
    max_iter: int = 1000,
    tol: float = 1e-9,
    seed: int | None = None,
    on_step: OnStep | None = None,
) -> Fit:
    """Minimise the conditional stress.

    Parameters
    ----------
    problem : what to fit.
    solver : "lbfgs"; "smacof", the published updates; or "closed_form", no iterations.
    init : "auto" is the closed form first and random starts after it; "closed_form" that one
        start; "random" only random ones; or arrays (U0, B0). With "smacof" a third array may
        give starting places VB of the objects with missing features.
    n_init : how many starts; "auto" takes fewer as the objects become more, and ends when
        hardly any would lead to another minimum.
    max_iter : the most iterations of one start.
    tol : "lbfgs" stops after two steps in a row that lower the stress by less than this share
        of it, "smacof" when the normalised stress falls by no more than this; negative never
        stops early.
    seed : of the random starts; the fit keeps it. None draws one.
    on_step : called with a `Progress` now and then; a true answer cancels, and the fit returns
        the best so far, saying so.
    """
    chosen = SOLVERS[check_option("solver", solver, tuple(SOLVERS))]
    # Where runs are side by side, threads within each of them only get in one another's way.
    with capped_linear_algebra(None if chosen.many_threads else 1):
        plan = planned(problem, chosen, init, n_init, max_iter, tol, seed, on_step)
        if SCALES[problem.scale].to_a_power:
            plan = with_likely_power(plan)
        return _gathered(plan, *runs_of(plan))


def _gathered(plan: Plan, runs: list[Run], cancelled: bool) -> Fit:
    # Minima of nearly the best stress may be maps that look quite different: all are handed on.
    best, *others = distinct(runs)
    solutions = [_solution(plan, run, count) for run, count in (best, *others)]
    stopped = reasons.CANCELLED if cancelled else best[0].reason
    converged = best[0].converged and not cancelled
    return Fit(
        problem=plan.problem,
        best=solutions[0],
        alternatives=tuple(aligned(other, solutions[0]) for other in solutions[1:]),
        stress_path=frozen(best[0].path),
        stopped=stopped,
        converged=converged,
        solver=plan.solver.name,
        n_starts=len(runs),
        seed=plan.seed,
        power=plan.power,
        remarks=(
            *plan.problem.remarks,
            *scale_remarks(plan.problem, solutions[0], plan.power),
            *_remarks(plan, stopped, converged),
        ),
    )


def _remarks(plan: Plan, stopped: str, converged: bool) -> Iterator[Remark]:
    """What to know of how the answer was found."""
    if plan.solver.remark_on_gaps and plan.objective.columns.missing.any():
        yield Remark(plan.solver.remark_on_gaps, AdjustedData)
    if not converged:
        text = f"The fit stopped early ({stopped}); the map may differ from the best one."
        yield Remark(text, NotConverged)


def _solution(plan: Plan, run: Run, count: int) -> Solution:
    """A run's configuration in canonical form, unless it was asked to go on from a start."""
    embedding, coef = run.configuration.embedding, run.configuration.coef
    # U is free up to a motion, B up to a rotation: without a form to bring them to, two runs that
    # found the same map would show different ones.
    if not plan.own_start:
        embedding = principal_axes(embedding)
        if plan.objective.given is None:
            coef = symmetric_coef(coef, plan.objective.columns.spread)
    elif not plan.solver.as_it_ended:
        embedding = embedding - embedding.mean(axis=0)
    known_values = frozen(run.configuration.known_values)
    return Solution(frozen(embedding), frozen(coef), known_values, run.stress, count)
