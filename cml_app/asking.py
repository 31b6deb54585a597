"""What a visitor asks about a map: computations are begun, stopped, and kept with their step."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from cml_app import evidence_job
from cml_app.workspace import Workspace, now
from cml_core.evidence.record import Result

_Result = TypeVar("_Result", bound=Result)


def begin(workspace: Workspace, kind: str, label: str, work: evidence_job.Work) -> None:
    """Ask for a long computation about the current step, in place of one under way."""
    workspace.evidence = evidence_job.begin(
        work,
        step_id=workspace.step.id,
        kind=kind,
        label=label,
        replacing=workspace.evidence,
    )


def stop(workspace: Workspace) -> None:
    """Let go of the computation under way, whatever it is doing.

    Raises
    ------
    StoppedEarly : says that nothing was kept.
    """
    job, workspace.evidence = workspace.evidence, None
    if job is not None:
        job.cancel()
        raise job.ended()


def take(workspace: Workspace) -> None:
    """Keep what a computation that has ended found, with the step it was asked of.

    Raises
    ------
    ConditionalMappingError : what went wrong with it.
    """
    job, workspace.evidence = workspace.evidence, None
    if job is not None:
        workspace.journey = workspace.journey.found(job.step_id, job.result(), now())
        workspace.keep()


def take_if_done(workspace: Workspace) -> bool:
    """Take what has been found meanwhile; whether anything ended."""
    if workspace.evidence is None or not workspace.evidence.done:
        return False
    workspace.attempt(take, workspace)
    return True


def look_up(
    workspace: Workspace, kind: str, work: Callable[[], _Result], of: Hashable, *, keep: bool
) -> _Result:
    """What a quick computation finds about the current step; the last of a kind is remembered."""
    asked = (workspace.step.id, of)
    if kind not in workspace.looked_up or workspace.looked_up[kind][0] != asked:
        found = work()
        workspace.looked_up[kind] = (asked, found)
        if keep:
            workspace.journey = workspace.journey.found(workspace.step.id, found, now())
            if workspace.token:
                workspace.keep()
    result: _Result = workspace.looked_up[kind][1]
    return result
