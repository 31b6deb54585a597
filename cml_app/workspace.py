"""What one visitor has before them; the only user of the session's state.

A workspace is found in the session, or else by the token in the page's address. Everything
that is made goes into the store as it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from cml_app import compute, messages
from cml_app.compute import Job
from cml_app.evidence_job import Chosen, EvidenceJob
from cml_app.intake import Intake, LastResults
from cml_app.keeping.store import NoStore, NoSuchProject, Saved, Store, open_store
from cml_app.question import Question
from cml_app.settings import Settings
from cml_core import Feature, Fit, load_dataset
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.result import ResultKind
from cml_core.files.reading.raw import Limits
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.journey.step import JourneyStep
from cml_core.values.arrays import FloatArray

OPENING_EXAMPLE = "kinship14"
TOKEN = "project"
_STATE = "workspace"
_INTAKE = "intake"
_MEMORY = "memory"
_VISIT = "visit"


@dataclass(frozen=True)
class Draft:
    """A feature being made.

    `original` is what was read off the map or typed, `base` what buttons have made of it,
    `edited` that with the corrections in the table; `number` tells one table from the next.
    """

    original: Feature
    base: Feature
    edited: Feature
    source: str
    number: int = 0
    replaces: str = ""

    @classmethod
    def of(cls, feature: Feature, source: str) -> Draft:
        """A feature as it was read or typed."""
        return cls(feature, feature, feature, source)

    @classmethod
    def editing(cls, feature: Feature) -> Draft:
        """A feature there is already, to be changed."""
        return cls(feature, feature, feature, f"editing {feature.name}", replaces=feature.name)

    def remade(self, feature: Feature) -> Draft:
        """The feature changed as a whole, in a table of its own."""
        return replace(self, base=feature, edited=feature, number=self.number + 1)


@dataclass
class Workspace:
    """One visitor's project and where they are in it.

    `question` is what was asked last. Raising `revision` makes every widget take its value
    from here again; the map takes up its drawing again with `map_revision`. `job` is a fit and
    `evidence` a computation under way; by kind of result, `looked_up` holds what was quick to
    compute and `chosen` with which settings the next computation is asked for.
    """

    journey: Journey
    question: Question = field(default_factory=Question)
    token: str | None = None
    revision: int = 0
    map_revision: int = 0
    optimum: int = 0
    axes: tuple[int, int] = (0, 1)
    draft: Draft | None = None
    drawn: str = ""
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    job: Job | None = None
    evidence: EvidenceJob | None = None
    looked_up: dict[Hashable, tuple[object, Any]] = field(default_factory=dict)
    chosen: dict[ResultKind[Any], Chosen] = field(default_factory=dict)
    saved: Saved | None = None
    trouble: ConditionalMappingError | None = None

    @property
    def step(self) -> JourneyStep:
        """The step that is shown."""
        assert self.journey.current is not None
        return self.journey.current

    @property
    def shown(self) -> FloatArray:
        """The map that is shown: the step's own, or another optimum of it."""
        others = self.step.fit.alternatives
        return others[self.optimum - 1].embedding if self.optimum else self.step.embedding

    @property
    def map_id(self) -> str:
        """Names what is shown: another step, optimum or pair of dimensions is another map."""
        return f"{self.step.id}/{self.optimum}/{self.axes[0]}-{self.axes[1]}"

    def attempt(self, action: Callable[..., None], *arguments: object) -> None:
        """Do what a control says; what goes wrong is shown, and the controls show what holds."""
        self.trouble = None
        before = self.journey, self.question, self.draft
        try:
            action(*arguments)
        except Exception as error:
            if isinstance(error, compute.ServerBusy):
                # Nothing was fitted, so that what was to be fitted can be asked again.
                self.journey, self.question, self.draft = before
            foreseen = error if isinstance(error, ConditionalMappingError) else None
            self.trouble = foreseen or messages.unexpected(error)
            self.revision += 1

    def ask(self, question: Question) -> None:
        """Answer a question at once, or begin to; the map shown stays until there is one."""
        problem = question.about(self.journey)
        if compute.is_quick(problem):
            fit = compute.quick_fit(problem)
            self.question = question
            self.answer(fit)
        else:
            self.job = compute.begin(problem, replacing=self.job)
            self.question = question

    def take_answer(self) -> None:
        """The answer of a fit in the background that has ended, and what to know of it."""
        job, self.job = self.job, None
        assert job is not None
        try:
            fit = job.result()
        except Exception:
            self.question = Question.of(self.step.problem)
            raise
        self.answer(fit)
        self.trouble = job.remark

    def answer(self, fit: Fit) -> None:
        """Take the next step of the journey."""
        self.job = None
        before = self.journey.current
        shown = compute.turned_to_match(fit.embedding, before.embedding if before else None)
        self.journey = self.journey.after(fit, shown, now())
        self._look_again()
        self.keep()

    def visit(self, step_id: str) -> None:
        """Return to a step exactly."""
        if self.job:
            self.job.cancel()
            self.job = None
        self.journey = self.journey.visiting(step_id)
        self.question = Question.of(self.step.problem)
        self._look_again()
        self.revision += 1
        self.keep()

    def _look_again(self) -> None:
        self.optimum = 0
        self.draft = None
        self.drawn = ""
        self.groups = ()

    def add(self, feature: Feature) -> None:
        """Make a feature one of the known, and look at what is left."""
        self.journey = self.journey.with_feature(feature, now())
        self.revision += 1
        self.ask(self.question.knowing(feature.name))

    def replace(self, name: str, feature: Feature) -> None:
        """Change a feature; where it is known, look again at what is left."""
        journey = self.journey.renamed_feature(name, feature.name, now())
        journey = journey.with_feature(feature, now())
        if name in self.question.known_names:
            # What cannot be asked is refused before anything has changed.
            self.question.renamed(name, feature.name).about(journey)
        self.journey = journey
        self._ask_as_known(name, feature.name)

    def rename(self, name: str, to: str) -> None:
        """Call a feature something else."""
        self.journey = self.journey.renamed_feature(name, to, now())
        self.question = self.question.renamed(name, to)
        self.revision += 1
        self.keep()

    def remove(self, name: str) -> None:
        """Do without a feature; steps that know it still do."""
        self.journey = self.journey.without_feature(name, now())
        self.revision += 1
        if name in self.question.known_names:
            self.ask(self.question.without(name))
        else:
            self.keep()

    def _ask_as_known(self, name: str, new: str) -> None:
        self.question = self.question.renamed(name, new)
        self.draft = None
        self.revision += 1
        if new in self.question.known_names:
            self.ask(self.question)
        else:
            self.keep()

    def change(self, journey: Journey) -> None:
        """The same place in a changed journey: a note, a name, a feature."""
        self.journey = journey
        self.keep()

    def keep(self) -> None:
        """Store the project; what another tab has added meanwhile is kept as well."""
        keeper = store()
        if self.token is None:
            self.token = keeper.create(to_json(self.journey), _moment())
            self.saved = keeper.load(self.token, _moment()) if self.token else None
        else:
            self.saved = keeper.update(self.token, self._united, _moment(), self.saved)
        _show_token(self.token)

    def _united(self, stored: str) -> str:
        if self.saved is None or stored != self.saved.document:
            self.journey = replace(
                from_json(stored).merged(self.journey), current_id=self.journey.current_id
            )
        return to_json(self.journey)

    def forget(self) -> None:
        """Delete the project from the store, and begin anew."""
        if self.evidence:
            self.evidence.cancel()
        if self.token:
            store().delete(self.token)
        st.query_params.pop(TOKEN, None)
        st.session_state.pop(_STATE, None)


def current() -> Workspace:
    """The visitor's workspace; a newcomer's begins with an example.

    Raises
    ------
    NoSuchProject : the address has a token that opens nothing.
    """
    token = st.query_params.get(TOKEN)
    held: Workspace | None = st.session_state.get(_STATE)
    if held and token in (None, held.token):
        _show_token(held.token)
        return held
    if token:
        return take_up(store().load(token, _moment()), token)
    return begin_example(OPENING_EXAMPLE)


def begin_example(name: str) -> Workspace:
    """A new project with an example; it is stored once something is made of it."""
    data = load_dataset(name)
    journey = Journey.begun(
        data.title, data.values(), data.feature_table(), now(), origin=data.origin
    )
    return begin(journey, keep=False)


def begin(journey: Journey, *, keep: bool = True) -> Workspace:
    """A new project; its first map has nothing known."""
    st.query_params.pop(TOKEN, None)
    workspace = Workspace(journey)
    st.session_state[_STATE] = workspace
    if journey.current is None:
        _first_map(workspace, keep=keep)
    else:
        workspace.question = Question.of(workspace.step.problem)
        workspace.keep()
    return workspace


def _first_map(workspace: Workspace, *, keep: bool) -> None:
    most = min(2, workspace.journey.dissimilarities.n_objects - 1)
    own = workspace.journey.pair_weights is not None
    question = Question(n_components=most, weights="own" if own else None)
    problem = question.about(workspace.journey)
    fit = compute.quick_fit(problem)
    workspace.question = question
    workspace.journey = workspace.journey.after(fit, fit.embedding, now())
    if keep:
        workspace.keep()


def take_up(saved: Saved, token: str) -> Workspace:
    """A stored project, where it was left."""
    workspace = Workspace(from_json(saved.document), token=token, saved=saved)
    workspace.question = Question.of(workspace.step.problem)
    st.session_state[_STATE] = workspace
    return workspace


def leave() -> None:
    """Let go of whatever the address names, and begin anew."""
    st.query_params.pop(TOKEN, None)
    st.session_state.pop(_STATE, None)


def _show_token(token: str | None) -> None:
    if token and st.query_params.get(TOKEN) != token:
        st.query_params[TOKEN] = token


def intake() -> Intake | None:
    """What this visitor is bringing, until it becomes a project."""
    held: Intake | None = st.session_state.get(_INTAKE)
    return held


def take_in(brought: Intake) -> None:
    """Hold what is being brought, with the choices made so far."""
    st.session_state[_INTAKE] = brought


def change_intake(change: Callable[[Intake], Intake]) -> None:
    """Change what is held now; several controls may speak in one run of the page."""
    held = intake()
    if held is not None:
        take_in(change(held))


def let_go() -> None:
    """Forget what was being brought; the fields are empty again."""
    st.session_state.pop(_INTAKE, None)
    st.session_state[_VISIT] = visit() + 1


def visit() -> int:
    """How often something was brought and became a project, or was let go of."""
    return int(st.session_state.get(_VISIT, 0))


def memory() -> LastResults:
    """What was worked out for the intake."""
    held: LastResults = st.session_state.setdefault(_MEMORY, LastResults())
    return held


def limits() -> Limits:
    """How much of a file is read."""
    return settings().limits()


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """How this server is run."""
    import os

    return Settings.from_environment(os.environ)


@st.cache_resource(show_spinner=False)
def store() -> Store | NoStore:
    """Where projects are kept."""
    return open_store(settings(), _moment())


def _moment() -> datetime:
    return datetime.now(UTC)


def now() -> str:
    """The time as journeys write it."""
    return _moment().isoformat(timespec="milliseconds")


__all__ = [
    "Draft",
    "NoSuchProject",
    "Workspace",
    "begin",
    "begin_example",
    "change_intake",
    "current",
    "intake",
    "leave",
    "let_go",
    "limits",
    "memory",
    "now",
    "settings",
    "store",
    "take_in",
    "visit",
]
