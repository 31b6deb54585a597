"""Many fits of one question: one after the other, or in a bounded pool of processes."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from joblib import Parallel, delayed

from cml_core.errors import ConditionalMappingError
from cml_core.fitting.cluster import Cluster, cluster_at_hand
from cml_core.fitting.threads import capped_linear_algebra

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class Cancelled(ConditionalMappingError):
    """Someone stopped the work before it was done."""


@dataclass(frozen=True)
class Stage:
    """Where the work stands: `done` of `total` parts, and what is being done in words."""

    done: int
    total: int
    doing: str


OnStage = Callable[[Stage], bool]


def each(
    function: Callable[[_Task], _Result],
    tasks: Sequence[_Task],
    *,
    doing: str,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> list[_Result]:
    """The results of all tasks, in their order.

    Parameters
    ----------
    function : at the top of a module, or a partial of such a one, so that processes can have it.
    doing : what is being done, for whoever watches.
    workers : None or 1 works in this process; more, in a pool of so many others. A Dask cluster
        (`cml_core.on_cluster`, or CML_CLUSTER) takes the place of all but 1.
    on_step : called after each task with a `Stage`; a true answer cancels. What other processes
        have at hand, they may finish first.

    Raises
    ------
    Cancelled : `on_step` asked for it; what was done is lost.
    """
    cluster = None if workers == 1 else cluster_at_hand()
    if cluster is not None:
        return _elsewhere(cluster, function, tasks, doing, on_step)
    found: list[_Result] = []
    stopped: list[Cancelled] = []
    with closing(_results(function, _handed_out(tasks, stopped), workers)) as results:
        for result in results:
            found.append(result)
            stage = Stage(len(found), len(tasks), doing)
            if on_step is not None and not stopped and on_step(stage) and stage.done < stage.total:
                stopped.append(_cancelled(stage))
    if stopped:
        raise stopped[0]
    return found


def one_by_one(
    function: Callable[[_Task], _Result], tasks: Sequence[_Task], *, workers: int | None = None
) -> Generator[_Result, None, None]:
    """The results of all tasks, in their order, each once it and all before it are there.

    Who has enough closes it; what other processes have at hand they finish first.

    Parameters
    ----------
    function, workers : as `each` has them.
    """
    cluster = None if workers == 1 else cluster_at_hand()
    if cluster is None:
        stopped: list[Cancelled] = []
        with closing(_results(function, _handed_out(tasks, stopped), workers)) as results:
            try:
                for result in results:
                    yield result
            finally:
                stopped.append(_cancelled(Stage(0, len(tasks), "")))
                # What is at hand ends first, as where `each` is stopped.
                with suppress(Cancelled):
                    deque(results, maxlen=0)
        return
    early: dict[int, _Result] = {}
    wanted = 0
    with closing(cluster.results(_numbered, function, enumerate(tasks))) as found:
        for (number, _), result in found:
            early[number] = result
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1


def _elsewhere(
    cluster: Cluster,
    function: Callable[[_Task], _Result],
    tasks: Sequence[_Task],
    doing: str,
    on_step: OnStage | None,
) -> list[_Result]:
    found: dict[int, _Result] = {}
    with closing(cluster.results(_numbered, function, enumerate(tasks))) as results:
        for (number, _), result in results:
            found[number] = result
            stage = Stage(len(found), len(tasks), doing)
            if on_step is not None and on_step(stage) and stage.done < stage.total:
                raise _cancelled(stage)
    return [found[number] for number in range(len(tasks))]


def _numbered(function: Callable[[_Task], _Result], task: tuple[int, _Task]) -> _Result:
    return _alone(function, task[1])


def _handed_out(tasks: Sequence[_Task], stopped: Sequence[Cancelled]) -> Iterator[_Task]:
    """One task after the other, until someone stops it.

    joblib takes an error from here like one of a task: it hands out nothing more, and then ends
    its processes. Ended from outside while a result comes in, it would still hand out a task,
    and its thread would look in vain for what that was (a KeyError in loky, joblib 1.6).
    """
    for task in tasks:
        if stopped:
            raise stopped[0]
        yield task


def _cancelled(stage: Stage) -> Cancelled:
    return Cancelled(
        f"Stopped after {stage.done} of {stage.total}; nothing was kept of it.",
        remedy="Start it again when you like; everything else is as it was.",
    )


def _results(
    function: Callable[[_Task], _Result], tasks: Iterator[_Task], workers: int | None
) -> Generator[_Result, None, None]:
    # joblib would do with one worker what follows here, and change this process's settings.
    if workers is None or workers == 1:
        return _in_turn(function, tasks)
    # Processes, not threads: two fifths of the time of a refit of 30 objects is compiled code,
    # which lets others run; the rest holds the interpreter lock.
    parallel = Parallel(n_jobs=workers, return_as="generator")
    results: Any = parallel(delayed(_alone)(function, task) for task in tasks)
    return results  # type: ignore[no-any-return]


def _in_turn(
    function: Callable[[_Task], _Result], tasks: Iterator[_Task]
) -> Generator[_Result, None, None]:
    """Small fits only: threads of linear algebra would get in one another's way."""
    with capped_linear_algebra(1):
        yield from map(function, tasks)


def _alone(function: Callable[[_Task], _Result], task: _Task) -> _Result:
    """A task in a process of its own keeps to one processor."""
    os.environ["CML_THREADS"] = "1"
    return function(task)
