"""How a fit is to be made: what was asked for, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cml_core.errors import UnknownOption, UnsuitableStart, check_option
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import RATIO
from cml_core.fitting.solver_input import objective_of
from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.solver import Solver, StoppingRule
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import coincide

STARTS = ("auto", "closed_form", "random")
ALL_ARRAYS = ("U0", "B0", "VB0")

# Local minima become rarer, and starts dearer, as objects become more. So many starts reach
# the best known optimum of the published examples from every seed; they take 30 ms at N = 14
# and 0.1 to 0.2 s from there to N = 1000, from where on there are two, then one.
START_BUDGET = 300_000
START_POWER = 1.7
MOST_STARTS = 200


@dataclass(frozen=True)
class Progress:
    """Where a fit stands: after `iteration` steps of start number `start` of `n_starts`.

    Where objects are placed among others that were fitted, `placed` of them are.
    """

    start: int
    n_starts: int
    iteration: int
    stress: float
    placed: int = 0


OnStep = Callable[[Progress], bool]


@dataclass(frozen=True, eq=False)
class Plan:
    """What was asked for, checked.

    Parameters
    ----------
    before, after : how many starts are planned in a stage before this one, and after it. The
        first looks for good starts for the second, in the same way whatever `n_starts` is.
    power : of the dissimilarities, where the scale is up to one.
    """

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
    before: int = 0
    after: int = 0
    power: float = 1.0

    def progress(self, number: int, iteration: int, stress: float) -> Progress:
        """Where the fit stands in the run from this stage's start of that number."""
        of_all = self.before + self.n_starts + self.after
        return Progress(self.before + number, of_all, iteration, stress)

    def first_stage(self, objective: Objective) -> Plan:
        """The plan for the stage before this one."""
        return replace(
            self,
            objective=objective,
            n_starts=self.before,
            until_explored=True,
            before=0,
            after=self.n_starts,
        )


def default_starts(n_objects: int) -> int:
    """How many starts are worth their time."""
    return int(np.clip(START_BUDGET / n_objects**START_POWER, 1, MOST_STARTS))


def planned(
    problem: Problem,
    solver: Solver,
    init: str | tuple[Any, ...],
    n_init: str | int,
    max_iter: int,
    tol: float,
    seed: int | None,
    on_step: OnStep | None,
) -> Plan:
    """The plan of a fit; its parameters are those of `fit`."""
    if problem.scale != RATIO and not solver.over_scales:
        raise UnknownOption(
            f"solver is {solver.name!r}, which takes dissimilarities as they are; "
            f"scale is {problem.scale!r}.",
            remedy=f"Use solver='lbfgs', or scale={RATIO!r}.",
        )
    own_start = () if isinstance(init, str) else _checked_start(init, problem, solver)
    if isinstance(init, str):
        check_option("init", init, STARTS)
    _check_whole("max_iter", max_iter, 0)
    if isinstance(tol, bool) or not isinstance(tol, float | int | np.number) or np.isnan(tol):
        raise UnknownOption(f"tol is {tol!r}.", remedy="Give a number; negative never stops early.")
    if seed is not None:
        _check_whole("seed", seed, 0)
    usual = min(default_starts(problem.dissimilarities.n_objects), solver.most_starts)
    # Over a scale there are two stages of starts, and those of the second cost more.
    usual = usual if problem.scale == RATIO else max(usual // 2, 1)
    if isinstance(n_init, str):
        check_option("n_init", n_init, ("auto",))
        count = usual
    else:
        _check_whole("n_init", n_init, 1)
        count = int(n_init)
    if own_start or not solver.most_starts or init == "closed_form":
        count = 1
    # Drawn even where none was given, and kept: so every map can be made again.
    drawn = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
    return Plan(
        problem=problem,
        objective=objective_of(problem),
        solver=solver,
        init=init if isinstance(init, str) else "",
        own_start=own_start,
        n_starts=count,
        until_explored=n_init == "auto",
        rule=StoppingRule(int(max_iter), float(tol)),
        seed=drawn,
        on_step=None if on_step is None else latched(on_step),
        before=0 if problem.scale == RATIO else usual,
    )


def latched(on_step: OnStep) -> OnStep:
    """The same, but once it has cancelled it goes on doing so: a fit may have several stages."""
    cancelled = False

    def asked(step: Progress) -> bool:
        nonlocal cancelled
        cancelled = cancelled or on_step(step)
        return cancelled

    return asked


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
    if q and problem.given_coef is None and not checked[1].any():
        raise UnsuitableStart(
            "B0 is zero, from where no step leads away.", remedy="Give it some nonzero entries."
        )
    return tuple(checked)
