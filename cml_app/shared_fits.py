"""Long fits belong to their project: whoever opens it finds them, here or on another server.

Nothing is told of quick ones, which are over sooner than anyone could look. What a long one found
while no page was there to take it is kept by the server itself, as the page that asked would.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from cml_app import compute, elsewhere
from cml_app.compute import Job
from cml_app.elsewhere import Elsewhere, Uncollected
from cml_app.keeping.database import StoreUnavailable
from cml_app.keeping.schema import MAPS
from cml_app.this_server import moment, now, store
from cml_core import Fit
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.journey.step import question_of
from cml_core.journey.undoing import recorded
from cml_core.values.words import counted

KIND = "map"


def share(
    job: Job | Elsewhere, project: str | None, journey: Journey, as_kept: Journey
) -> Elsewhere | None:
    """Have a long fit found by others; that of another server, if it was asked the same before.

    Parameters
    ----------
    journey : that it was asked in, and `as_kept` what of it is kept.
    """
    if isinstance(job, Elsewhere) or not project or not compute.places().share(project, job):
        return None

    def added(text: str, fit: Fit) -> str:
        return to_json(united(text, recorded(as_kept, after(journey, fit))))

    known = counted(len(job.problem.known), "feature")
    about = asked(job), KIND, f"A map with {known} taken out"
    # It is fitted whether or not the others can be told.
    with suppress(StoreUnavailable):
        first = elsewhere.tell(job, project, about, Uncollected(job, compute.places(), added), MAPS)
        # What is asked beside another question is not told, and answered all the same.
        if first is not None and asked(first) == about[0]:
            return first
    return None


def of(project: str | None) -> Job | Elsewhere | None:
    """The long fit of a project that is under way, or was not collected."""
    held = compute.places().of(project or "")
    if held is None or held.was_left:
        with suppress(StoreUnavailable):
            return elsewhere.of(project, MAPS)
        return None
    return held


def asked(job: Job | Elsewhere) -> str:
    """The question that it answers, as steps have it."""
    return job.step_id if isinstance(job, Elsewhere) else question_of(job.problem)


def answered_by(journey: Journey, job: Job | Elsewhere) -> str | None:
    """The step that has its map."""
    answers = [step for step in journey.steps if step.question == asked(job)]
    return min(answers, key=lambda step: step.fit.stress).id if answers else None


def after(journey: Journey, fit: Fit) -> Journey:
    """The journey one step on, its map turned so that what moved is what changed."""
    before = journey.current
    shown = compute.turned_to_match(fit.embedding, before.embedding if before else None)
    return journey.after(fit, shown, now())


def caught_up(project: str | None, mine: Journey) -> Journey:
    """A journey with what others have added meanwhile."""
    return united(store().load(project or "", moment()).document, mine)


def united(kept: str, mine: Journey) -> Journey:
    """A journey with what others have added where it is kept, standing where it stood."""
    both = from_json(kept).merged(mine)
    return replace(both, current_id=mine.current_id, history=mine.history)
