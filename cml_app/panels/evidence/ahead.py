"""What is looked into after each map without being asked for: what is cheap, in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from cml_app import evidence_requests
from cml_app.evidence_job import Chosen, Work
from cml_app.evidence_requests import Ahead
from cml_app.panels.evidence import (
    dimensions,
    hidden_feature,
    importance,
    importance_as_chosen,
    individuals,
    structure,
)
from cml_app.panels.evidence.running import OnRequest, how_long
from cml_app.workspace import Workspace
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.importance import Helped
from cml_core.evidence.result import ResultKind

# What takes longer in one process, in seconds, waits until somebody asks for it.
CHEAP = 60.0
# How often a page looks whether there is something new, in seconds.
LOOK_EVERY = 1.0


@dataclass(frozen=True)
class Unasked:
    """One question about the current step.

    Parameters
    ----------
    request : the same as it is asked on the Evidence page.
    work : with the settings that it usually has.
    share : of all that the page asks for.
    makes_sense : whether it can be asked.
    is_answered : whether what was found answers it.
    """

    request: OnRequest[Any]
    work: Callable[[Workspace, Chosen], Work]
    share: Callable[[Workspace], float] = lambda _: 1.0
    makes_sense: Callable[[Workspace], bool] = lambda _: True
    is_answered: Callable[[Workspace, Any], bool] = lambda *_: True

    @property
    def kind(self) -> ResultKind[Any]:
        """Of what it finds."""
        return self.request.kind

    def usual(self) -> Chosen:
        """How often, where nobody has said so."""
        return Chosen(self.request.repeats.usual)

    def found(self, workspace: Workspace) -> Any | None:
        """Its answer, if there is one."""
        found = workspace.step.result(self.kind)
        return found if found is not None and self.is_answered(workspace, found) else None

    def why_in_vain(self, workspace: Workspace) -> ConditionalMappingError | None:
        """Why it found nothing, if it was tried."""
        return workspace.in_vain.get((workspace.step.id, self.kind))

    def is_under_way(self, workspace: Workspace) -> bool:
        """Whether it runs or waits, asked for or not."""
        jobs = [job for job in (workspace.evidence, workspace.ahead) if job is not None]
        # Each of those that are open has its turn, as long as one of them runs.
        coming = workspace.ahead is not None and self._is_open(workspace)
        return coming or any(job.is_about(workspace.step.id, self.kind) for job in jobs)

    def _is_open(self, workspace: Workspace) -> bool:
        return (
            self.makes_sense(workspace)
            and self.found(workspace) is None
            and self.why_in_vain(workspace) is None
            and self.seconds(workspace) <= CHEAP
        )

    def open(self, workspace: Workspace) -> Ahead | None:
        """It as it may be looked into without being asked for; None where it may not."""
        if not self._is_open(workspace):
            return None
        work = partial(self.work, workspace, self.usual())
        return Ahead(self.kind, self.request.button, work)

    def seconds(self, workspace: Workspace) -> float:
        """How long it takes in one process, roughly."""
        return self.share(workspace) * self.request.seconds(workspace, self.usual().count)

    def how_long(self, workspace: Workspace) -> str:
        """The same in a sentence, where it is asked for."""
        return how_long(self.seconds(workspace))

    def ask(self, workspace: Workspace) -> None:
        """Ask for it, as on the Evidence page."""
        work = self.work(workspace, self.usual())
        evidence_requests.begin(workspace, self.kind, self.request.button, work)


def newest(workspace: Workspace) -> tuple[str, ...]:
    """The known features that were added last, on the way to the current step."""
    journey, step = workspace.journey, workspace.step
    known = step.problem.known.names
    while step.parent is not None:
        before = journey.step(step.parent)
        new = tuple(
            name
            for name in known
            if name in step.problem.known and name not in before.problem.known
        )
        if new:
            return new
        step = before
    return known


def _newest_judged(workspace: Workspace, found: Helped) -> bool:
    return {one.name for one in found.features} >= set(newest(workspace))


def _share_of_newest(workspace: Workspace) -> float:
    return len(newest(workspace)) / max(len(workspace.step.problem.known), 1)


def _helps(request: OnRequest[Any], work: Callable[..., Work], **options: Any) -> Unasked:
    return Unasked(
        request,
        lambda workspace, chosen: work(workspace, chosen, newest(workspace)),
        share=_share_of_newest,
        is_answered=_newest_judged,
        **options,
    )


def _knows(workspace: Workspace) -> bool:
    return bool(workspace.step.problem.known.names)


STRUCTURE = Unasked(structure.ASKED, structure.ASKED.work)
HIDDEN = Unasked(hidden_feature.ASKED, hidden_feature.ASKED.work)
DIMENSIONS = Unasked(dimensions.ASKED, dimensions.ASKED.work)
HELPED = _helps(importance.ASKED, importance.work, makes_sense=_knows)
AS_CHOSEN = _helps(
    importance_as_chosen.ASKED,
    importance_as_chosen.work,
    makes_sense=lambda workspace: _knows(workspace) and importance_as_chosen.differs(workspace),
)
PEOPLE = Unasked(
    individuals.ASKED,
    individuals.ASKED.work,
    makes_sense=lambda workspace: not individuals.why_not(workspace),
)
QUESTIONS = (STRUCTURE, HIDDEN, DIMENSIONS, HELPED, AS_CHOSEN, PEOPLE)


def go_on(workspace: Workspace) -> None:
    """Keep what was found, and look into the next question that is open."""
    if workspace.may_change:
        evidence_requests.look_ahead(workspace, partial(_open_questions, workspace))


def _open_questions(workspace: Workspace) -> Iterator[Ahead]:
    # Whoever only came to look has asked nothing yet.
    if workspace.step.parent is None and not workspace.token:
        return
    yield from filter(None, (one.open(workspace) for one in QUESTIONS))
