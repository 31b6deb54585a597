"""What a visitor does with very many objects; kept as a recipe under a token of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from cml_app import background, elsewhere, messages
from cml_app.background import StoppedEarly
from cml_app.elsewhere import Elsewhere
from cml_app.evidence_job import one_at_a_time
from cml_app.keeping.database import StoreUnavailable
from cml_app.keeping.saved import Saved
from cml_app.keeping.store import ReadOnlyProject
from cml_app.many import job as jobs
from cml_app.many import uploads
from cml_app.many.held import held
from cml_app.many.job import ManyJob
from cml_app.many.judging import (
    KIND,
    LABEL,
    Findings,
    Judging,
    judgements,
    with_news,
)
from cml_app.many.kept_maps import named
from cml_app.many.placing import Newcomers
from cml_app.this_server import moment, store
from cml_app.tries import counted
from cml_core.errors import ConditionalMappingError
from cml_core.many.loop import Loop
from cml_core.many.maps import ManyMap, MapOf
from cml_core.many.merging import merged
from cml_core.many.origins import Whence
from cml_core.many.sight import Sight

# In the address: what was made of many objects.
TOKEN = "many"
_STATE = "many"


@dataclass
class Visit:
    """Where a visitor is.

    Parameters
    ----------
    choosing : a table that is being looked at, before its columns are chosen.
    loop : what was made so far.
    token, saved : where it is kept.
    job : a map under way.
    judging : evidence about a map, under way or found; perhaps on another server.
    partial : the map of a question, where someone stopped before every object had its place.
    colour : by which feature the objects are coloured; empty for none.
    revision : raising it has all controls take their values from here again.
    revision_of_map : the same of what is drawn on the map.
    newcomers : new objects that are placed on the map; no part of what is kept.
    uncovered : whether what is hidden in simulated objects may be looked at.
    looked_up : what was computed for this page, by what it was computed of.
    """

    choosing: tuple[Whence, Sight] | None = None
    loop: Loop | None = None
    token: str | None = None
    saved: Saved | None = None
    job: ManyJob | None = None
    judging: Judging | Elsewhere | None = None
    partial: tuple[str, ManyMap] | None = None
    colour: str = ""
    revision: int = 0
    revision_of_map: int = 0
    newcomers: Newcomers = field(default_factory=Newcomers)
    uncovered: bool = False
    trouble: ConditionalMappingError | None = None
    looked_up: dict[str, tuple[str, Any]] = field(default_factory=dict)

    def attempt(self, action: Callable[..., None], *arguments: object) -> None:
        """Do what a control says; what goes wrong is shown, and all else stays."""
        self.trouble = None
        self.revision += 1
        self.attempt_quietly(action, *arguments)

    def attempt_quietly(self, action: Callable[..., object], *arguments: object) -> None:
        """The same of what the page does by itself; controls stay as they are."""
        try:
            action(*arguments)
        except ConditionalMappingError as error:
            self.trouble = error
        except Exception as error:
            self.trouble = messages.unexpected(error)

    def begin(self, loop: Loop) -> None:
        """Make the first map of a table."""
        held().forget(loop)
        self.token, self.saved, self.choosing = None, None, None
        self._at(loop)

    def know(self, names: tuple[str, ...]) -> None:
        """Take these out."""
        self._at(self.made.knowing(names))

    def visit(self, step: str) -> None:
        """Return to a step."""
        self._at(self.made.visiting(step))

    def add(self, name: str, drawn: Mapping[str, Any]) -> None:
        """What was drawn on the current map is known from now on."""
        self._at(self.made.with_discovery(name, drawn))

    def again(self) -> None:
        """Make the map of the current step, whatever there is of it."""
        self.partial = None
        self._at(self.made)

    @property
    def made(self) -> Loop:
        """What was made so far, of a visitor who has begun."""
        assert self.loop is not None
        return self.loop

    def _at(self, loop: Loop) -> None:
        """Show this step: begin its map, unless it is at hand."""
        if self.token is None:
            # Before its first map begins, so that other servers can be told whose it is.
            self.loop = loop
            self._keep()
        if held().map_of(loop, loop.current) is None:
            job = ManyJob(
                loop=loop,
                step=loop.current,
                at_hand=held(),
                project=self.token or "",
                presences=(background.presence(),),
            )
            self.job = jobs.places().begin(job, background.presence(), replacing=self.job)
        else:
            self._leave_job()
        self.loop = loop
        self._keep()

    def _leave_job(self) -> None:
        if self.job is not None:
            jobs.places().leave(self.job, background.presence())
            self.job = None

    @property
    def map(self) -> ManyMap | None:
        """The map of the current step, as far as it is there."""
        loop = self.made
        if self.partial is not None and self.partial[0] == loop.question(loop.current):
            return self.partial[1]
        return held().map_of(loop, loop.current)

    @property
    def map_at(self) -> MapOf:
        """Finds the map of a step that something was drawn on, as steps are numbered now.

        Raises
        ------
        StoppedEarly : it is not at hand any more.
        """
        return functools.partial(_map_at, self.made)

    def take(self) -> bool:
        """Take what the job has made; whether there was anything to take."""
        job = self.job
        if job is None or not job.done:
            return False
        self.job = None
        made = job.result()
        question = made.loop.question(job.step)
        self.partial = None if made.map.whole else (question, made.map)
        # Steps may have been added since it began.
        self.loop = merged(self.made, made.loop.without_findings())
        self._keep()
        return True

    def take_findings(self) -> None:
        """Keep what was found about a map so far with its step."""
        job = self.judging
        if isinstance(job, Elsewhere):
            self._take_from_elsewhere(job)
        elif job is not None and self.loop is not None and job.taken < len(job.found):
            news = job.found[job.taken :]
            job.taken += len(news)
            self.loop = with_news(self.loop, job.about, news)
            self._keep()

    def _take_from_elsewhere(self, job: Elsewhere) -> None:
        """Have what another server has kept, once it has ended."""
        if not job.done or self.token is None:
            return
        self.judging = None
        self.saved = store().load(self.token, moment())
        self.loop = merged(Loop.from_json(self.saved.document), self.made)
        judged = next((one for one in self.loop.steps if self._names(one.id) == job.step_id), None)
        if judged is None or not judged.found:
            raise job.found_nothing()

    def _names(self, step: str) -> str:
        return named(self.made.question(step))

    @property
    def shown(self) -> str:
        """Names the map that is shown."""
        return self._names(self.made.current)

    def watch(self) -> None:
        """Find what is under way about this map in another tab, or on another server."""
        if self.loop is None or self.token is None:
            return
        if self.judging is not None and self.judging.step_id == self.shown:
            return
        job: Judging | Elsewhere | None = judgements().of(self.token)
        if job is None:
            with suppress(StoreUnavailable):
                job = elsewhere.of(self.token)
        if job is not None and job.step_id == self.shown:
            self.judging = job

    def judge(self) -> None:
        """Ask what is to be believed of this map.

        Raises
        ------
        OneAtATime : evidence about another map of the loop is under way.
        ServerBusy : too many are waiting.
        """
        loop, found = self.made, self.map
        if found is None:
            return
        before = self.judging if isinstance(self.judging, Judging) else None
        self.judging = job = judgements().begin(
            loop.question(loop.current),
            loop,
            held().opened(loop),
            found,
            self.map_at,
            background.presence(),
            before,
            self.token or "",
        )
        # It is computed whether or not the others can be told.
        with suppress(StoreUnavailable):
            first = elsewhere.tell(job, self.token, (job.step_id, KIND, LABEL), Findings(job))
            if first is not None:
                job.cancel()
                self.judging = first
                if first.step_id != job.step_id:
                    raise one_at_a_time(first.label)

    def ensure(self) -> None:
        """Have the current map under way where it is neither at hand nor asked for.

        Raises
        ------
        ServerBusy : too many are waiting.
        """
        if self.loop is not None and self.job is None and self.map is None and not self.trouble:
            self._at(self.loop)

    def place_newcomers(self) -> None:
        """Have new objects placed on the map that is shown, where it is whole."""
        found = self.map if self.loop is not None else None
        if found is not None and found.whole:
            self.newcomers.on_map(self.made, self.map_at)

    def _keep(self) -> None:
        document = self.made.to_json()
        if self.token is None:
            self.token = store().create(document, moment())
        elif self.saved is None or self.saved.document != document:
            self.saved = store().update(self.token, self._united, moment(), self.saved)
        show_token(self.token)

    def _united(self, stored: str) -> str:
        """What another tab has made meanwhile is kept as well."""
        if self.saved is None or stored != self.saved.document:
            self.loop = merged(Loop.from_json(stored), self.made)
        return self.made.to_json()

    def leave(self) -> None:
        """Begin with other objects; what was made stays under its address."""
        self._leave_job()
        self.newcomers.take_off()
        st.query_params.pop(TOKEN, None)
        st.session_state.pop(_STATE, None)

    def forget(self) -> None:
        """Delete what was made, and begin anew."""
        if self.token:
            store().delete(self.token)
        self.leave()

    def once(self, what: str, of: str, found: Callable[[], Any]) -> Any:
        """What this page computes, once for what it is computed of."""
        before = self.looked_up.get(what)
        if before is None or before[0] != of:
            self.looked_up[what] = before = (of, found())
        return before[1]


def _map_at(loop: Loop, step: str) -> ManyMap:
    found = held().map_of(loop, step)
    if found is None:
        raise StoppedEarly(
            "The map that this was drawn on is not at hand any more.",
            remedy="Go back to its step, which makes it again.",
        )
    return found


def current() -> Visit:
    """What the session holds, or else what the address names."""
    held_by: Visit | None = st.session_state.get(_STATE)
    token = st.query_params.get(TOKEN)
    if held_by is not None and token in (None, held_by.token):
        show_token(held_by.token)
        return held_by
    visit = Visit()
    st.session_state[_STATE] = visit
    if token:
        _take_up(visit, token)
    return visit


def _take_up(visit: Visit, token: str) -> None:
    """What was kept under a token, where it was left."""
    try:
        with counted():
            saved = store().load(token, moment())
        if not saved.may_change:
            raise ReadOnlyProject(
                "What was made of many objects has no link for readers.",
                remedy="Ask for the address of whoever made it.",
            )
        visit.loop = Loop.from_json(saved.document)
    except ConditionalMappingError as error:
        visit.trouble = error
        st.query_params.pop(TOKEN, None)
        return
    visit.token, visit.saved = token, saved
    uploads.used(visit.loop.whence)


def show_token(token: str | None) -> None:
    """Have the page's address name what was made."""
    if token and st.query_params.get(TOKEN) != token:
        st.query_params[TOKEN] = token
