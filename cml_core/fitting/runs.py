"""From every start a run, until there is hardly anything new to find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np

from cml_core.fitting.minima import distinct
from cml_core.fitting.plan import Plan
from cml_core.fitting.solver_input import gaps_of
from cml_core.fitting.solvers import run as reasons
from cml_core.fitting.solvers.parts import Parts, Reached, part_of
from cml_core.fitting.solvers.run import Run, Watch
from cml_core.fitting.solvers.solver import Start
from cml_core.fitting.solvers.starts import informed_start, random_start, unexplored
from cml_core.fitting.solvers.threaded import THREADED_FROM
from cml_core.fitting.threads import spread, thread_count
from cml_core.values.arrays import FloatArray

# Starts end where fewer than this share of further ones can be expected to find a new minimum.
# On 409 simulated and published tables, runs that ended there, or at .05, lost no best optimum.
# The larger share holds from 100 objects on, where a start takes more than a millisecond.
UNEXPLORED, UNEXPLORED_OF_MANY, MANY = 0.02, 0.05, 100
# Below this many objects a run is shorter than handing it to another thread.
SIDE_BY_SIDE_FROM = 50
# At most so many maps of the dissimilarities as they are serve as starts over a scale.
MOST_GOOD = 3


def runs_of(plan: Plan) -> tuple[list[Run], bool]:
    """A run from each start, until there is nothing new to find; whether someone cancelled."""
    runs: list[Run] = []
    best = np.inf
    for number, run in enumerate(_solved(plan, _starts(plan, np.random.default_rng(plan.seed))), 1):
        runs.append(run)
        best = min(best, run.stress)
        progress = plan.progress(number, run.path.size - 1, best)
        if _cancelled(run) or (plan.on_step and plan.on_step(progress)):
            return runs, _cancelled(run) or number < plan.n_starts
        if plan.until_explored and _explored(plan, runs):
            break
    return runs, False


def _explored(plan: Plan, runs: list[Run]) -> bool:
    """Whether hardly any further start would lead to a new minimum."""
    share = UNEXPLORED if plan.objective.n_objects < MANY else UNEXPLORED_OF_MANY
    return unexplored([run.stress for run in runs]) < share


def _solved(plan: Plan, starts: Iterator[Start]) -> Iterator[Run]:
    """Runs in the order of their starts; those too short for threads of their own share them."""
    together = (
        thread_count() if SIDE_BY_SIDE_FROM <= plan.objective.n_objects < THREADED_FROM else 1
    )
    run, in_parts, objective, rule = (
        plan.solver.run,
        plan.solver.in_parts,
        plan.objective,
        plan.rule,
    )
    if together == 1 or in_parts is None:
        for number, start in enumerate(starts, 1):
            yield run(objective, start, rule, watch_of(plan, number))
        return
    # In the order of their starts, whichever run ends first; where the last of a batch are not
    # needed any more they are dropped. So the number of threads decides nothing but the time.
    first = 1
    while batch := [in_parts(objective, start, rule) for start in islice(starts, together)]:
        yield from _side_by_side(plan, first, batch)
        first += len(batch)


def _side_by_side(plan: Plan, first: int, batch: list[Parts[Run]]) -> list[Run]:
    """Runs in the order of their starts; between parts of them, whoever waits is asked."""
    going, ended = dict(enumerate(batch, first)), dict[int, Run]()
    stop: bool | None = None
    while going:
        # No thread is held while someone is asked: others may have a use for it meanwhile.
        parts: list[Reached | Run] = list(spread(partial(part_of, cancelled=stop), going.values()))
        for number, reached in zip(tuple(going), parts, strict=True):
            if isinstance(reached, Run):
                ended[number] = reached
                del going[number]
            elif watch := watch_of(plan, number):
                stop = watch(*reached)
    # Before those that were cancelled come those that had ended.
    return [ended[number] for number in sorted(ended, key=lambda n: (_cancelled(ended[n]), n))]


def _cancelled(run: Run) -> bool:
    return run.reason == reasons.CANCELLED


def _starts(plan: Plan, random: np.random.Generator) -> Iterator[Start]:
    objective, missing = plan.objective, gaps_of(plan.problem)
    if plan.own_start:
        begin = objective.variables(plan.own_start[0], plan.own_start[1])
        yield Start(begin, missing, plan.own_start)
        return
    if not plan.solver.most_starts:
        yield Start(np.empty(0), missing)
        return
    informed = informed_start(objective, missing, random)
    good = [] if plan.init == "random" else _good_starts(plan, informed)
    for start in good:
        yield Start(start, missing)
    for _ in range(plan.n_starts - len(good)):
        yield Start(random_start(objective, informed, random), missing)


def _good_starts(plan: Plan, informed: FloatArray) -> list[FloatArray]:
    """The closed form; where the dissimilarities may be changed, the best maps of them as they are.

    At first they are what `Scale.as_distances` makes of them. Descents over a scale cost several
    times as much, and few of them from good maps find what many from anywhere do.
    """
    if plan.objective.admissible is None or plan.init == "closed_form":
        return [informed]
    first = plan.first_stage(replace(plan.objective, admissible=None))
    minima = distinct(runs_of(first)[0])[: min(MOST_GOOD, plan.n_starts)]
    return [
        plan.objective.variables(found.embedding, found.coef, found.known_values)
        for found in (run.configuration for run, _ in minima)
    ]


def watch_of(plan: Plan, number: int) -> Watch | None:
    """What is asked at each step of a long run from this stage's start of that number."""
    on_step = plan.on_step
    if on_step is None:
        return None
    return lambda iteration, stress: on_step(plan.progress(number, iteration, stress))
