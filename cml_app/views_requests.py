"""What a visitor sees through other eyes: pictures are asked for, watched, stopped, and held."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from cml_app import evidence_requests, views_job
from cml_app.background import ServerBusy, presence
from cml_app.question import offered_features
from cml_app.views_job import HeldViews, Seen, Subject, ViewsJob, is_whole
from cml_app.views_work import Wanted
from cml_app.workspace import Workspace
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.result import ResultKind
from cml_core.peers import METHODS, KeptView, Views

DIMENSIONS = ResultKind(Dimensions)
MOST_TRIES = 8
# Up to here the usual pictures take a second of one processor, and may be drawn unasked.
AHEAD_UP_TO = 300
USUAL = tuple(Wanted(name) for name, method in METHODS.items() if method.at_first)


def take(workspace: Workspace) -> HeldViews:
    """What was seen of the current step so far; of another step, nothing is held any more."""
    _turn_to_step(workspace)
    _collect(workspace)
    return workspace.views


def look_ahead(workspace: Workspace) -> None:
    """Draw what a comparison begins with, while nobody waits for it; it is kept once it is seen.

    Plain pictures hold for every step about the same data, so there is something to do for the
    first of them alone.
    """
    views = views_job.views()
    views.get_ready()
    if not views.unasked or workspace.journey.dissimilarities.n_objects > AHEAD_UP_TO:
        return
    _turn_to_step(workspace)
    missing = tuple(one for one in USUAL if one not in workspace.views.seen)
    if missing and workspace.views.job is None:
        # Where too many wait, they are drawn when somebody asks for them.
        with suppress(ServerBusy):
            begin(workspace, missing, chooses=False)


def _turn_to_step(workspace: Workspace) -> None:
    subject = _subject(workspace)
    before = workspace.views.subject
    if before is None or not before.is_same(subject):
        if workspace.views.job is not None:
            workspace.views.job.cancel()
        workspace.views = HeldViews(subject, seen=_drawn_of_the_same_data(workspace.views, subject))


def _drawn_of_the_same_data(
    before: HeldViews, subject: Subject
) -> dict[Wanted, Seen | ConditionalMappingError]:
    """Plain pictures are the same for every step; what they show is judged anew."""
    if before.subject is None:
        return {}
    data, other = (one.fit.problem.dissimilarities for one in (before.subject, subject))
    if data.fingerprint != other.fingerprint:
        return {}
    drawn = {**(before.job.found if before.job is not None else {}), **before.seen}
    return {
        one: seen._replace(quality=None)
        for one, seen in drawn.items()
        if one.hidden is None and isinstance(seen, Seen)
    }


def _subject(workspace: Workspace) -> Subject:
    journey, step = workspace.journey, workspace.step
    return Subject(step.id, step.fit, offered_features(journey), journey.answers, journey.origin)


def _collect(workspace: Workspace) -> None:
    """Take what the job has found up to now."""
    views = workspace.views
    if views.job is None:
        return
    ended = views.job.done
    views.seen.update(dict(views.job.found))
    views.likely = views.job.likely or views.likely
    told, views.job.told_by = views.job.told_by, None
    if isinstance(told, Dimensions):
        evidence_requests.keep(workspace, told)
    elif isinstance(told, ConditionalMappingError):
        workspace.in_vain[(views.job.subject.step_id, DIMENSIONS)] = told
    if ended and not views.job.is_kept:
        views.job.is_kept = True
        _keep(workspace, views.job)


def _keep(workspace: Workspace, job: ViewsJob) -> None:
    """The pictures that were drawn become one of the step's findings."""
    before = workspace.step.result(ResultKind(Views)) or Views(())
    kept = before
    for wanted, seen in job.found.items():
        # A step keeps pictures of all its objects.
        if isinstance(seen, Seen) and seen.quality is not None and not wanted.lot:
            kept = kept.with_view(KeptView.of(seen.view, seen.quality, wanted.hidden or 0))
    if kept is not before:
        evidence_requests.keep(workspace, kept)


def see(workspace: Workspace, wanted: Sequence[Wanted], *, chooses: bool) -> ViewsJob | None:
    """Have these pictures drawn, as far as they are not there; the job, while it is under way.

    What was stopped is not begun again by itself.

    Parameters
    ----------
    chooses : whether held-out pairs are to choose the number of hidden dimensions as well.

    Raises
    ------
    ServerBusy : too many are waiting.
    """
    views = workspace.views
    missing = tuple(one for one in wanted if not is_whole(views.seen.get(one)))
    if not missing and not chooses:
        return None
    job = views.job
    if job is None or not job.covers(missing, chooses=chooses):
        begin(workspace, missing, chooses=chooses)
        job = views.job
    assert job is not None
    job.seen_by(presence())
    return job


def begin(workspace: Workspace, missing: tuple[Wanted, ...], *, chooses: bool) -> None:
    """Ask for these pictures, in place of those under way.

    Raises
    ------
    ServerBusy : too many are waiting.
    """
    views = workspace.views
    assert views.subject is not None
    views.job = views_job.views().begin(
        views.subject,
        missing,
        presence(),
        chooses=chooses,
        held=views.hidden,
        drawn={one: seen for one in missing if isinstance(seen := views.seen.get(one), Seen)},
        replacing=views.job,
    )


def stop(workspace: Workspace) -> None:
    """Draw no more; what is drawn stays."""
    if workspace.views.job is not None:
        workspace.views.job.cancel()


def try_again(workspace: Workspace, key: str) -> None:
    """One more picture of the same, with the next seed."""
    tries = workspace.views.tries
    tries[key] = min(tries.get(key, 0) + 1, MOST_TRIES)


def by_lot(workspace: Workspace, key: str) -> None:
    """Draw some objects, where the method cannot draw them all."""
    workspace.views.lots.add(key)
