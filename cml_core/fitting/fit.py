"""fit(problem) -> Fit: choose starts, run a solver from each, keep what is distinct."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from cml_core.errors import AdjustedData, NotConverged, UnknownOption, UnsuitableStart, check_option
from cml_core.fitting.configuration import Solution
from cml_core.fitting.geometry import principal_axes
from cml_core.fitting.minima import aligned, distinct, symmetric_coef
from cml_core.fitting.problem import Problem
from cml_core.fitting.remarks import Remark
from cml_core.fitting.result import Fit
from cml_core.fitting.solver_input import gaps_of, objective_of
from cml_core.fitting.solvers import descent
from cml_core.fitting.solvers import run as reasons
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.registry import SOLVERS
from cml_core.fitting.solvers.run import Run, Watch
from cml_core.fitting.solvers.solver import Solver, Start, StoppingRule
from cml_core.fitting.solvers.starts import informed_start, random_start, unexplored
from cml_core.fitting.threads import capped_linear_algebra, shared_threads, thread_count
from cml_core.values.arrays import FloatArray, frozen
from cml_core.values.columns import coincide

STARTS = ("auto", "closed_form", "random")
ALL_ARRAYS = ("U0", "B0", "VB0")

# Local minima become rarer, and starts dearer, as objects become more. So many starts reach
# the best known optimum of the published examples from every seed; they take 30 ms at N = 14
# and 0.1 to 0.2 s from there to N = 1000, from where on there are two, then one.
START_BUDGET = 300_000
START_POWER = 1.7
MOST_STARTS = 200
# Starts end where fewer than this share of further ones can be expected to find a new minimum.
# On 409 simulated and published tables, runs that ended there, or at .05, lost no best optimum.
# The larger share holds from 100 objects on, where a start takes more than a millisecond.
UNEXPLORED, UNEXPLORED_OF_MANY, MANY = 0.02, 0.05, 100
# Below this many objects a run is shorter than handing it to another thread.
SIDE_BY_SIDE_FROM = 50


@dataclass(frozen=True)
class Progress:
    """Where a fit stands: after `iteration` steps of start number `start` of `n_starts`."""

    start: int
    n_starts: int
    iteration: int
    stress: float


OnStep = Callable[[Progress], bool]


@dataclass(frozen=True, eq=False)
class _Plan:
    """What was asked for, checked."""

    problem: Problem
    objective: Objective
    solver: Solver
    init: str
    own_start: tuple[FloatArray, ...]
    n_starts: int
    until_explored: bool
    rule: StoppingRule
    seed: int
    on_step: OnStep | None


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
        plan = _plan(problem, chosen, init, n_init, max_iter, tol, seed, on_step)
        return _gathered(plan, *_runs(plan))


def default_starts(n_objects: int) -> int:
    """How many starts are worth their time."""
    return int(np.clip(START_BUDGET / n_objects**START_POWER, 1, MOST_STARTS))


def _plan(
    problem: Problem,
    solver: Solver,
    init: str | tuple[Any, ...],
    n_init: str | int,
    max_iter: int,
    tol: float,
    seed: int | None,
    on_step: OnStep | None,
) -> _Plan:
    own_start = () if isinstance(init, str) else _checked_start(init, problem, solver)
    if isinstance(init, str):
        check_option("init", init, STARTS)
    _check_whole("max_iter", max_iter, 0)
    if isinstance(tol, bool) or not isinstance(tol, float | int | np.number) or np.isnan(tol):
        raise UnknownOption(f"tol is {tol!r}.", remedy="Give a number; negative never stops early.")
    if seed is not None:
        _check_whole("seed", seed, 0)
    if isinstance(n_init, str):
        check_option("n_init", n_init, ("auto",))
        count = min(default_starts(problem.dissimilarities.n_objects), solver.most_starts)
    else:
        _check_whole("n_init", n_init, 1)
        count = int(n_init)
    if own_start or not solver.most_starts or init == "closed_form":
        count = 1
    # Drawn even where none was given, and kept: so every map can be made again.
    drawn = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
    return _Plan(
        problem=problem,
        objective=objective_of(problem),
        solver=solver,
        init=init if isinstance(init, str) else "",
        own_start=own_start,
        n_starts=count,
        until_explored=n_init == "auto",
        rule=StoppingRule(int(max_iter), float(tol)),
        seed=drawn,
        on_step=on_step,
    )


def _check_whole(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise UnknownOption(f"{name} is {value!r}.", remedy=f"Give a whole number from {least} up.")


def _checked_start(init: Any, problem: Problem, solver: Solver) -> tuple[FloatArray, ...]:
    """(U0, B0), and places VB where the solver has a use for them."""
    n, p = problem.dissimilarities.n_objects, problem.n_components
    q = problem.encoding.values.shape[1]
    shapes = [(n, p), (q, q), (n, q)][: solver.own_arrays]
    try:
        arrays = [np.asarray(array, dtype=np.float64) for array in init]
    except (TypeError, ValueError):
        arrays = []
    if not 2 <= len(arrays) <= len(shapes):
        raise UnsuitableStart(
            f"init is not {' or '.join(STARTS)}, and not a pair of arrays.",
            remedy="Give a pair (U0, B0), or one of these names.",
        )
    checked = []
    for name, array, shape in zip(ALL_ARRAYS, arrays, shapes, strict=False):
        if array.size != shape[0] * shape[1] or (array.ndim == 2 and array.shape != shape):
            raise UnsuitableStart(
                f"{name} has shape {array.shape}.", remedy=f"Give an array of shape {shape}."
            )
        if not np.isfinite(array).all():
            raise UnsuitableStart(f"{name} is not finite.", remedy="Give finite numbers.")
        checked.append(array.reshape(shape))
    # There (H - C) U vanishes, whatever the data: a saddle, where a gradient leads nowhere.
    if p and coincide(checked[0]):
        raise UnsuitableStart(
            "U0 puts all objects in one place, from where no step leads away.",
            remedy="Spread them, if only a little.",
        )
    if q and not checked[1].any():
        raise UnsuitableStart(
            "B0 is zero, from where no step leads away.", remedy="Give it some nonzero entries."
        )
    return tuple(checked)


def _runs(plan: _Plan) -> tuple[list[Run], bool]:
    """A run from each start, until there is nothing new to find; whether someone cancelled."""
    runs: list[Run] = []
    best = np.inf
    for number, run in enumerate(_solved(plan, _starts(plan, np.random.default_rng(plan.seed))), 1):
        runs.append(run)
        best = min(best, run.stress)
        progress = Progress(number, plan.n_starts, run.path.size - 1, best)
        if run.reason == reasons.CANCELLED or (plan.on_step and plan.on_step(progress)):
            return runs, run.reason == reasons.CANCELLED or number < plan.n_starts
        if plan.until_explored and _explored(plan, runs):
            break
    return runs, False


def _explored(plan: _Plan, runs: list[Run]) -> bool:
    """Whether hardly any further start would lead to a new minimum."""
    share = UNEXPLORED if plan.objective.n_objects < MANY else UNEXPLORED_OF_MANY
    return unexplored([run.stress for run in runs]) < share


def _solved(plan: _Plan, starts: Iterator[Start]) -> Iterator[Run]:
    """Runs in the order of their starts; those too short for threads of their own share them."""
    together = (
        thread_count()
        if SIDE_BY_SIDE_FROM <= plan.objective.n_objects < descent.THREADED_FROM
        else 1
    )
    run, objective, rule = plan.solver.run, plan.objective, plan.rule
    if together == 1 or not plan.solver.side_by_side:
        for number, start in enumerate(starts, 1):
            yield run(objective, start, rule, _watch(plan, number))
        return
    # In the order of their starts, whichever run ends first; where the last of a batch are not
    # needed any more they are dropped. So the number of threads decides nothing but the time.
    while batch := list(islice(starts, together)):
        yield from shared_threads().map(lambda start: run(objective, start, rule, None), batch)


def _starts(plan: _Plan, random: np.random.Generator) -> Iterator[Start]:
    objective, missing = plan.objective, gaps_of(plan.problem)
    if plan.own_start:
        begin = objective.variables(plan.own_start[0], plan.own_start[1])
        yield Start(begin, missing, plan.own_start)
        return
    if not plan.solver.most_starts:
        yield Start(np.empty(0), missing)
        return
    informed = informed_start(objective, missing, random)
    if plan.init != "random":
        yield Start(informed, missing)
    for _ in range(plan.n_starts - (plan.init != "random")):
        yield Start(random_start(objective, informed, random), missing)


def _watch(plan: _Plan, number: int) -> Watch | None:
    on_step = plan.on_step
    if on_step is None:
        return None
    return lambda iteration, stress: on_step(Progress(number, plan.n_starts, iteration, stress))


def _gathered(plan: _Plan, runs: list[Run], cancelled: bool) -> Fit:
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
        remarks=(*plan.problem.remarks, *_remarks(plan, stopped, converged)),
    )


def _remarks(plan: _Plan, stopped: str, converged: bool) -> Iterator[Remark]:
    """What to know of how the answer was found."""
    if plan.solver.remark_on_gaps and plan.objective.columns.missing.any():
        yield Remark(plan.solver.remark_on_gaps, AdjustedData)
    if not converged:
        text = f"The fit stopped early ({stopped}); the map may differ from the best one."
        yield Remark(text, NotConverged)


def _solution(plan: _Plan, run: Run, count: int) -> Solution:
    """A run's configuration in canonical form, unless it was asked to go on from a start."""
    embedding, coef = run.configuration.embedding, run.configuration.coef
    # U is free up to a motion, B up to a rotation: without a form to bring them to, two runs that
    # found the same map would show different ones.
    if not plan.own_start:
        embedding = principal_axes(embedding)
        coef = symmetric_coef(coef, plan.objective.columns.spread)
    elif not plan.solver.as_it_ended:
        embedding = embedding - embedding.mean(axis=0)
    known_values = frozen(run.configuration.known_values)
    return Solution(frozen(embedding), frozen(coef), known_values, run.stress, count)
