"""What a visitor asks about a map: computations are begun, stopped, and kept with their step.

A computation belongs to the project: other tabs, and the page when it is loaded anew, find it
again and have its result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, TypeVar

from cml_app import evidence_job
from cml_app.compute import presence
from cml_app.evidence_job import EvidenceJob
from cml_app.workspace import Workspace, now
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.result import Result, ResultKind

_Found = TypeVar("_Found")


def begin(workspace: Workspace, kind: ResultKind[Any], label: str, work: evidence_job.Work) -> None:
    """Ask for a long computation about the current step.

    Raises
    ------
    OneAtATime : the project has another one under way.
    ServerBusy : too many are waiting.
    """
    take_if_done(workspace)
    if workspace.evidence is not None:
        # Pressed twice, or here and in another tab.
        workspace.evidence.check_is(workspace.step.id, kind)
        return
    _catch_up(workspace)
    workspace.evidence = evidence_job.computations().begin(
        work,
        presence(),
        step_id=workspace.step.id,
        kind=kind,
        label=label,
        chosen=workspace.chosen.get(kind),
        project=workspace.token or "",
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
        evidence_job.computations().let_go(job)
        raise job.ended()


def take(workspace: Workspace) -> None:
    """Keep what a computation that has ended found, with the step it was asked of.

    Raises
    ------
    ConditionalMappingError : what went wrong with it.
    """
    job, workspace.evidence = workspace.evidence, None
    if job is None:
        return
    try:
        found = job.result()
        # It may have been asked in another tab, of a step that this one has not seen.
        _catch_up(workspace)
        workspace.journey = workspace.journey.found(job.step_id, found, now())
        workspace.keep()
    finally:
        # Not before: whoever opens the project meanwhile has to find one or the other.
        evidence_job.computations().let_go(job)


def take_if_done(workspace: Workspace) -> bool:
    """Take what has been found meanwhile; whether anything ended."""
    job = watch(workspace)
    if job is None or not job.done:
        return False
    workspace.attempt(take, workspace)
    return True


def watch(workspace: Workspace) -> EvidenceJob | None:
    """The computation of this project, if there is one; from now on it is waited for here, too."""
    if workspace.evidence is None and workspace.token:
        workspace.evidence = evidence_job.computations().of(workspace.token)
    if workspace.evidence is not None:
        workspace.evidence.seen_by(presence())
    return workspace.evidence


def _catch_up(workspace: Workspace) -> None:
    """Know what other tabs have made, and have an address under which the project is found."""
    # What cannot be kept can be computed all the same; the result will tell of it.
    with suppress(ConditionalMappingError):
        workspace.keep()


def look_up(
    workspace: Workspace, what: Hashable, work: Callable[[], _Found], *, of: Hashable = None
) -> _Found:
    """What a quick computation finds about the current step; the last of a sort is remembered.

    Parameters
    ----------
    of : what else it depends on; another value computes it again.
    """
    asked = (workspace.step.id, of)
    if what not in workspace.looked_up or workspace.looked_up[what][0] != asked:
        workspace.looked_up[what] = (asked, work())
    found: _Found = workspace.looked_up[what][1]
    return found


def keep(workspace: Workspace, result: Result) -> None:
    """Keep what was found at once about the current step; an address is not made for that."""
    workspace.journey = workspace.journey.found(workspace.step.id, result, now())
    if workspace.token:
        workspace.keep()
