"""What one visitor has before them; everything that is made goes into the store as it is made."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from cml_app import background, compute, messages, shared_fits
from cml_app.compute import Job
from cml_app.draft import Draft
from cml_app.elsewhere import Elsewhere
from cml_app.evidence_job import Chosen, EvidenceJob, computations
from cml_app.keeping.saved import Saved
from cml_app.keeping.store import ReadOnlyProject, read_only_project
from cml_app.question import Question
from cml_app.this_server import moment, now, store
from cml_app.unasked import UnaskedJob
from cml_app.views_job import HeldViews, Through
from cml_core import Feature, Fit
from cml_core.drawing.drawing import Drawing
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.result import ResultKind
from cml_core.files.source import RawFile
from cml_core.journey.file import lines_of, to_json
from cml_core.journey.journey import Journey
from cml_core.journey.lines import Line
from cml_core.journey.step import JourneyStep
from cml_core.journey.undoing import recorded, redone, undone
from cml_core.values.arrays import FloatArray

TOKEN = "project"
# The address that opens nothing any more, for the browser's own list.
FORGOTTEN = "forgotten"


@dataclass
class Workspace:
    """One visitor's project and where they are in it.

    `question` is what was asked last. Raising `revision` makes every widget take its value
    from here again; the map takes up `proposed` as its drawing again with `map_revision`. `job` is
    a fit and `evidence` a computation under way, `ahead` one that nobody asked for, and `in_vain`
    says which of those found nothing, and why; `views` are pictures by other methods, one of which
    may be looked `through` in place of the map; `newcomers` is a file of new objects to be placed
    on it; what differs from `_as_kept` is the move that is being made. By kind of result,
    `looked_up` holds what was quick to compute and `chosen` with which settings the next
    computation is asked for.
    """

    journey: Journey
    question: Question = field(default_factory=Question)
    token: str | None = None
    revision: int = 0
    map_revision: int = 0
    optimum: int = 0
    through: Through | None = None
    axes: tuple[int, int] = (0, 1)
    draft: Draft | None = None
    drawn: str = ""
    colour: str | None = None
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    job: Job | Elsewhere | None = None
    evidence: EvidenceJob | Elsewhere | None = None
    ahead: UnaskedJob | None = None
    in_vain: dict[tuple[str, ResultKind[Any]], ConditionalMappingError] = field(
        default_factory=dict
    )
    proposed: Drawing | None = None
    looked_up: dict[Hashable, tuple[object, Any]] = field(default_factory=dict)
    chosen: dict[ResultKind[Any], Chosen] = field(default_factory=dict)
    saved: Saved | None = None
    trouble: ConditionalMappingError | None = None
    newcomers: RawFile | None = None
    views: HeldViews = field(default_factory=HeldViews)
    _selection: tuple[tuple[str, int], tuple[int, ...]] = (("", 0), ())
    _as_kept: Journey = field(init=False)

    def __post_init__(self) -> None:
        self._as_kept = self.journey

    @property
    def may_change(self) -> bool:
        """Whether this is the visitor's own project; others only look at it."""
        return self.saved is None or self.saved.may_change

    def check_may_change(self) -> None:
        """Whatever would change the project asks here first.

        Raises
        ------
        ReadOnlyProject : the visitor came by a link for readers.
        """
        if not self.may_change:
            raise read_only_project()

    @property
    def step(self) -> JourneyStep:
        """The step that is shown."""
        assert self.journey.current is not None
        return self.journey.current

    @property
    def shown(self) -> FloatArray:
        """What is shown: the step's own map, another optimum of it, or the view of a method."""
        if self.through is not None:
            return self.through.places
        others = self.step.fit.alternatives
        return others[self.optimum - 1].embedding if self.optimum else self.step.embedding

    @property
    def map_id(self) -> str:
        """Names what is shown: another step, optimum, view or pair of dimensions is another."""
        which = self.optimum if self.through is None else self.through.key
        return f"{self.step.id}/{which}/{self.axes[0]}-{self.axes[1]}"

    @property
    def selected(self) -> tuple[int, ...]:
        """The objects that are selected on what is shown, in the order of picking."""
        where, objects = self._selection
        return objects if where == (self.map_id, self.map_revision) else ()

    def select(self, objects: tuple[int, ...]) -> None:
        """What a visitor selects on one page is selected on the others."""
        self._selection = (self.map_id, self.map_revision), objects

    def look_through(self, through: Through | None) -> None:
        """Show, and draw on, the view of a method; None shows the step's own map again."""
        selected = self.selected
        self._look_again()
        self.through, self.axes = through, (0, 1)
        self.map_revision += 1
        self.select(selected)

    def attempt(self, action: Callable[..., None], *arguments: object) -> None:
        """Do what a control says; what goes wrong is shown, and the controls show what holds."""
        self.trouble = None
        before = self.journey, self.question, self.draft
        try:
            action(*arguments)
        except Exception as error:
            if isinstance(error, background.ServerBusy | ReadOnlyProject):
                # Nothing was done, so that what was to be done can be asked again.
                self.journey, self.question, self.draft = before
            foreseen = error if isinstance(error, ConditionalMappingError) else None
            self.trouble = foreseen or messages.unexpected(error)
            self.revision += 1

    def hear(self, key: str, action: Callable[..., None], *arguments: object) -> None:
        """Attempt what a control says, unless its key is of an earlier revision.

        A browser that is told of the new page a moment later says once more what stood on the old
        one, and for Streamlit that is news.
        """
        if key.endswith(f"-{self.revision}"):
            self.attempt(action, *arguments)

    def ask(self, question: Question) -> None:
        """Answer a question at once, or begin to; the map shown stays until there is one."""
        self.check_may_change()
        problem = question.about(self.journey)
        self.stop_ahead()
        mine = self.job if isinstance(self.job, Job) else None
        self.job = job = compute.begin(problem, replacing=mine, project=self.token or "")
        self.question = question
        if job.ends_within(compute.PATIENCE):
            self.take_answer()
        else:
            self.share_job()

    def stop_ahead(self) -> None:
        """What nobody asked for is not wanted any more."""
        if self.ahead is not None:
            self.ahead.left_by(background.presence())
            self.ahead = None

    def share_job(self) -> None:
        """Whoever opens the project finds its long fit; that of another server, if it was first."""
        if self.job is None:
            return
        first = shared_fits.share(self.job, self.token, self.journey, self._as_kept)
        if first is not None:
            self._leave_job()
            self.job = first

    def find_job(self) -> None:
        """Wait for what others who opened the project have asked, wherever it is made."""
        if self.may_change:
            self.job = shared_fits.of(self.token)
        if isinstance(self.job, Job):
            self.question = Question.of(self.job.problem)

    def _leave_job(self) -> None:
        if isinstance(self.job, Job):
            compute.places().leave(self.job, background.presence())
        self.job = None

    def take_answer(self) -> None:
        """The answer of a fit in the background that has ended, and what to know of it."""
        job, self.job = self.job, None
        assert job is not None
        if isinstance(job, Elsewhere) or compute.places().was_taken(job):
            self._take_kept(job)
            return
        try:
            fit = job.result()
        except Exception:
            compute.places().let_go(job)
            self.question = Question.of(self.step.problem)
            raise
        self.answer(fit)
        compute.places().let_go(job)
        self.trouble = job.remark

    def _take_kept(self, job: Job | Elsewhere) -> None:
        """Go where a fit led whose map others, or another server, have kept."""
        self.question = Question.of(self.step.problem)
        self.journey = shared_fits.caught_up(self.token, self.journey)
        if (step_id := shared_fits.answered_by(self.journey, job)) is not None:
            self.visit(step_id)
        elif isinstance(job, Elsewhere):
            raise job.found_nothing()
        else:
            self.answer(job.result())

    def answer(self, fit: Fit) -> None:
        """Take the next step of the journey."""
        self.job = None
        self.journey = shared_fits.after(self.journey, fit)
        self._look_again()
        self.keep()

    def visit(self, step_id: str) -> None:
        """Return to a step exactly."""
        self._stand(self.journey.visiting(step_id))
        if self.may_change:
            self.keep()

    @property
    def is_busy(self) -> bool:
        """Whether something is being made that is no move yet: a fit, a drawing, a proposal."""
        return bool(self.job or self.draft or self.groups or self.drawn)

    def undo(self) -> None:
        """Take back what was done last: what is being made, or else the last move."""
        if self.is_busy:
            self.draft, self.drawn, self.groups = None, "", ()
            self.map_revision += 1
            self._stand(self._as_kept)
        elif self.journey.history.past:
            self._stand(undone(self.journey, now()))
            self._store()

    def redo(self) -> None:
        """Do again what was undone last."""
        if self.journey.history.future and not self.job:
            self._stand(redone(self.journey, now()))
            self._store()

    def _stand(self, journey: Journey) -> None:
        """Look at a journey where it stands; what was being asked is asked no more."""
        self._leave_job()
        elsewhere = journey.current_id != self.journey.current_id
        self.journey = journey
        self.question = Question.of(self.step.problem)
        if elsewhere:
            self._look_again()
        self.revision += 1

    def _look_again(self) -> None:
        self.optimum = 0
        self.through = None
        self.draft = None
        self.drawn = ""
        self.groups = ()
        self.proposed = None

    def add(self, feature: Feature) -> None:
        """Make a feature one of the known, and look at what is left."""
        self.check_may_change()
        self.journey = self.journey.with_feature(self._with_its_line(feature), now())
        self.revision += 1
        self.ask(self.question.knowing(feature.name))

    def bring(self, features: Sequence[Feature]) -> None:
        """Have further features to choose from; none of them is known yet."""
        self.check_may_change()
        journey = self.journey
        for feature in features:
            journey = journey.with_feature(feature, now())
        self.revision += 1
        self.change(journey)

    def _with_its_line(self, feature: Feature) -> Feature:
        """The feature and what was drawn, where that can be shown again: on the step's best map."""
        if feature.line is None:
            return feature
        return replace(
            feature, line=None if self.optimum else replace(feature.line, axes=self.axes)
        )

    def replace(self, name: str, feature: Feature) -> None:
        """Change a feature; where it is known, look again at what is left."""
        self.check_may_change()
        journey = self.journey.renamed_feature(name, feature.name, now())
        journey = journey.with_feature(feature, now())
        if name in self.question.known_names:
            # What cannot be asked is refused before anything has changed.
            self.question.renamed(name, feature.name).about(journey)
        self.journey = journey
        self.question = self.question.renamed(name, feature.name)
        self.draft = None
        self.revision += 1
        if feature.name in self.question.known_names:
            self.ask(self.question)
        else:
            self.keep()

    def rename(self, name: str, to: str) -> None:
        """Call a feature something else."""
        self.check_may_change()
        self.journey = self.journey.renamed_feature(name, to, now())
        self.question = self.question.renamed(name, to)
        self.revision += 1
        self.keep()

    def remove(self, name: str) -> None:
        """Do without a feature; steps that know it still do."""
        self.check_may_change()
        self.journey = self.journey.without_feature(name, now())
        self.revision += 1
        if name in self.question.known_names:
            self.ask(self.question.without(name))
        else:
            self.keep()

    def change(self, journey: Journey) -> None:
        """The same place in a changed journey: a note, a name, a feature."""
        self.check_may_change()
        self.journey = journey
        self.keep()

    def keep(self) -> None:
        """Store what was done, which can be undone from now on."""
        self.check_may_change()
        self.journey = recorded(self._as_kept, self.journey)
        self._store()

    def _store(self) -> None:
        """Store the project; what another tab has added meanwhile is kept as well."""
        self._as_kept = self.journey
        keeper = store()
        if self.token is None:
            self.token = keeper.create(to_json(self.journey), moment())
            self.saved = keeper.load(self.token, moment()).bare if self.token else None
        else:
            self.saved = keeper.update_lines(self.token, self._united, moment(), self.saved).bare
            self._as_kept = self.journey
        show_token(self.token)

    def _united(self, stored: Saved) -> list[str | Line]:
        if self.saved is None or stored.names != self.saved.names:
            self.journey = shared_fits.united(stored.document, self.journey)
        return lines_of(self.journey)

    def share(self, *, shared: bool) -> None:
        """Let whoever has the link for readers look at the project, or no longer."""
        self.check_may_change()
        if self.token is None:
            self.keep()
        if self.token is not None and self.saved is not None:
            store().share(self.token, moment(), shared=shared)
            self.saved = replace(self.saved, shared=shared)

    def renew(self) -> None:
        """Have the project found under a new address, and under none of those it had."""
        self.check_may_change()
        if self.token is not None:
            old, self.token = self.token, store().renew(self.token, moment())
            computations().move(old, self.token)
            compute.places().move(old, self.token)
            st.session_state[FORGOTTEN] = old
            show_token(self.token)

    def forget(self) -> None:
        """Delete the project from the store."""
        self.check_may_change()
        if self.evidence:
            self.evidence.cancel()
        if self.token:
            store().delete(self.token)
            st.session_state[FORGOTTEN] = self.token


def show_token(token: str | None) -> None:
    """Have the page's address name a project."""
    if token and st.query_params.get(TOKEN) != token:
        st.query_params[TOKEN] = token
