"""What a visitor asks about a map: computations are begun, stopped, and kept with their step.

A computation belongs to the project: other tabs, and the page when it is loaded anew, find it
again and have its result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from cml_app import elsewhere, evidence_job, messages, unasked
from cml_app.background import ServerBusy, StoppedEarly, presence
from cml_app.elsewhere import Elsewhere, Uncollected
from cml_app.evidence_job import EvidenceJob
from cml_app.keeping.database import StoreUnavailable
from cml_app.this_server import now
from cml_app.workspace import Workspace
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.result import Result, ResultKind
from cml_core.journey.file import from_json, to_json

_Found = TypeVar("_Found")


def begin(workspace: Workspace, kind: ResultKind[Any], label: str, work: evidence_job.Work) -> None:
    """Ask for a long computation about the current step.

    Raises
    ------
    OneAtATime : the project has another one under way.
    ServerBusy : too many are waiting.
    """
    workspace.check_may_change()
    take_if_done(workspace)
    if workspace.evidence is not None:
        # Pressed twice, or here and in another tab.
        workspace.evidence.check_is(workspace.step.id, kind)
        return
    if workspace.ahead is not None and workspace.ahead.asked == (workspace.step.id, kind):
        workspace.stop_ahead()
    _catch_up(workspace)
    job = evidence_job.computations().begin(
        work,
        presence(),
        step_id=workspace.step.id,
        kind=kind,
        label=label,
        chosen=workspace.chosen.get(kind),
        project=workspace.token or "",
    )
    workspace.evidence = job
    # It is computed whether or not the others can be told.
    with suppress(StoreUnavailable):
        first = _told(job, workspace.token)
        if first is not None:
            # Asked on two servers at once.
            job.cancel()
            evidence_job.computations().let_go(job)
            workspace.evidence = first
            first.check_is(workspace.step.id, kind)


def _told(job: EvidenceJob, project: str | None) -> Elsewhere | None:
    """Have the other servers know of it; theirs, if they were first."""

    def added(text: str, found: Result) -> str:
        return to_json(from_json(text).found(job.step_id, found, now()))

    found = Uncollected(job, evidence_job.computations(), added)
    return elsewhere.tell(job, project, (job.step_id, str(job.kind), job.label), found)


def stop(workspace: Workspace) -> None:
    """Let go of the computation under way, whatever it is doing.

    Raises
    ------
    StoppedEarly : says that nothing was kept.
    """
    job, workspace.evidence = workspace.evidence, None
    if job is not None:
        job.cancel()
        if isinstance(job, EvidenceJob):
            evidence_job.computations().let_go(job)
        raise job.ended()


def stop_for_another_origin(workspace: Workspace) -> None:
    """Let go of what would be found of data that were made as was said before."""
    workspace.stop_ahead()
    job = workspace.evidence
    # What another server finds is kept with the word that it was found by.
    if isinstance(job, EvidenceJob) and job.kind.of.by_origin:
        with suppress(StoppedEarly):
            stop(workspace)


def take(workspace: Workspace) -> None:
    """Keep what a computation that has ended found, with the step it was asked of.

    Raises
    ------
    ConditionalMappingError : what went wrong with it.
    """
    job, workspace.evidence = workspace.evidence, None
    if job is None:
        return
    if not isinstance(job, EvidenceJob):
        # Its own server has kept what was found.
        _catch_up(workspace)
        job.check_found(workspace.journey)
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


def watch(workspace: Workspace) -> EvidenceJob | Elsewhere | None:
    """The computation of this project, if there is one; from now on it is waited for here, too."""
    if workspace.evidence is None and workspace.token:
        held = evidence_job.computations().of(workspace.token)
        workspace.evidence = held
        if held is None:
            with suppress(StoreUnavailable):
                workspace.evidence = elsewhere.of(workspace.token)
    if workspace.evidence is not None:
        workspace.evidence.seen_by(presence())
    return workspace.evidence


def _catch_up(workspace: Workspace) -> None:
    """Know what other tabs have made, and have an address under which the project is found."""
    # What cannot be kept can be computed all the same; the result will tell of it.
    with suppress(ConditionalMappingError):
        workspace.keep()


class Ahead(NamedTuple):
    """What may be computed about the current step without being asked for."""

    kind: ResultKind[Any]
    label: str
    work: Callable[[], evidence_job.Work]


def look_ahead(workspace: Workspace, open_questions: Callable[[], Iterable[Ahead]]) -> None:
    """Keep what was found without being asked for, and begin the next that is open.

    Parameters
    ----------
    open_questions : what is not known yet about the current step, in order.
    """
    _take_ahead(workspace)
    if workspace.ahead is not None or workspace.job is not None:
        return
    if not unasked.unasked().wanted:
        return
    step_id = workspace.step.id
    under_way = workspace.evidence
    for one in open_questions():
        if under_way is not None and under_way.is_about(step_id, one.kind):
            continue
        # Where too many wait, the page asks again when it is next looked at.
        with suppress(ServerBusy):
            workspace.ahead = unasked.unasked().begin(
                one.work(),
                presence(),
                step_id=step_id,
                kind=one.kind,
                label=one.label,
                project=workspace.token or "",
            )
        return


def _take_ahead(workspace: Workspace) -> None:
    job = workspace.ahead
    if job is None:
        return
    if not job.done:
        if job.step_id != workspace.step.id:
            workspace.stop_ahead()
        return
    workspace.ahead = None
    try:
        workspace.journey = workspace.journey.found(job.step_id, job.result(), now())
    except Exception as error:
        foreseen = error if isinstance(error, ConditionalMappingError) else None
        workspace.in_vain[job.asked] = foreseen or messages.unexpected(error)
        return
    # What cannot be kept is there all the same; whatever is done next tells of it.
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
    if workspace.token and workspace.may_change:
        workspace.keep()
