"""A map of very many objects in the making: one at a time on a server, with progress and Stop."""

from __future__ import annotations

import time
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from cml_app import compute, elsewhere, this_server
from cml_app.background import SOME_TABS, Background, Presence, Queue, StoppedEarly
from cml_app.by_project import ByProject
from cml_app.elsewhere import Elsewhere
from cml_app.keeping.database import StoreUnavailable
from cml_app.keeping.schema import MAPS
from cml_app.keeping.store import Store
from cml_app.many import kept_maps
from cml_app.many.held import Held, as_turned
from cml_app.many.kept_maps import named
from cml_app.settings import Settings
from cml_core import Progress
from cml_core.many.arriving import Arriving
from cml_core.many.loop import Loop
from cml_core.many.maps import ManyMap, make_map, told
from cml_core.many.opened import Opened
from cml_core.values.words import percent

KIND, LABEL = "map of many objects", "The map"
# Fewer objects have their places within a second, sooner than anyone could look.
TOLD_FROM = 50_000
# So often it is looked whether another server has made it, in seconds.
LOOK_EVERY = 0.2


class Made(NamedTuple):
    """The map of a step, and the loop, which says what was found of it."""

    loop: Loop
    map: ManyMap


@dataclass(eq=False, kw_only=True)
class ManyJob(Background[Made]):
    """The map of a step under way; before it, those that its features were drawn on.

    Parameters
    ----------
    loop : what is asked; `step` of it is made.
    at_hand : where maps are kept.
    project : under which it is kept; other servers are told of it.
    made_there : by another server, whose map is waited for.
    arriving : places on the map of `step`, from when the landmarks are there.
    """

    loop: Loop
    step: str
    at_hand: Held
    project: str = ""
    made_there: Elsewhere | None = None
    latest: Progress | None = None
    arriving: Arriving | None = None
    n_objects: int = 0

    def _work(self) -> Made:
        opened = self.at_hand.opened(self.loop)
        self.n_objects = opened.n_objects
        made = self._map_of(opened, self.step)
        return Made(self.loop, made)

    def _map_of(self, opened: Opened, step: str) -> ManyMap:
        found = self.at_hand.map_of(self.loop, step)
        if found is None:
            found = self._made(opened, step)
        self.loop = told(self.loop, step, found)
        if found.whole:
            self.at_hand.keep(self.loop, step, found)
        elif step != self.step:
            raise CancelledError
        return found

    def _made(self, opened: Opened, step: str) -> ManyMap:
        if step == self.step and self.n_objects >= TOLD_FROM:
            self._wait_for_others()
        before, again = self._before(step), kept_maps.of(self.loop, step)
        self.latest = None

        def on_places(arriving: Arriving) -> None:
            if step == self.step:
                self.arriving = arriving

        # What a step needs is made first, and tells its own progress.
        made = make_map(
            opened,
            self.loop,
            step,
            lambda other: self._map_of(opened, other),
            before,
            on_step=self._on_step,
            on_places=on_places,
            again=again,
        )
        if made.whole and again is None:
            kept_maps.keep(self.loop, step, made.fit.everyone)
        return made

    def _wait_for_others(self) -> None:
        """Where another server makes this map, have its file; else the others are told of it."""
        about = named(self.loop.question(self.step)), KIND, LABEL
        # It is made whether or not the others can be told.
        with suppress(StoreUnavailable):
            while kept_maps.may_come(self.loop, self.step):
                first = elsewhere.tell(self, self.project, about, _InAFile(), MAPS)
                if first is None or first.step_id != about[0]:
                    return
                self.made_there = first
                while not (self._must_stop() or first.done):
                    time.sleep(LOOK_EVERY)
                if self._must_stop():
                    raise CancelledError
                self.made_there = None

    def stop(self) -> None:
        """Someone wants no more of it, wherever it is made."""
        self.cancel()
        if self.made_there is not None:
            self.made_there.cancel()

    def is_like(self, other: ManyJob) -> bool:
        """Whether the same map comes of it."""
        return as_turned(self.loop, self.step) == as_turned(other.loop, other.step)

    def _before(self, step: str) -> ManyMap | None:
        """The map of the step before, where it is at hand; it is not made for this alone."""
        parent = self.loop.at(step).parent
        return self.at_hand.map_of(self.loop, parent) if parent else None

    def _on_step(self, reached: Progress) -> bool:
        self.latest = reached
        compute.places().courtesy.let_others_go_first()
        return self._must_stop()

    def ended(self) -> StoppedEarly:
        """What to know of it where there is nothing to see."""
        return StoppedEarly(
            "The map was stopped before there was anything to see of it.",
            remedy="Ask again when you like; everything else is as it was.",
        )

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        if self.began is None:
            return 0.0, "Waiting for the map of someone else"
        if self.made_there is not None:
            share, words = self.made_there.progress
            return share, f"{words} (asked for on another page)"
        reached = self.latest
        if reached is None:
            return 0.0, "Reading the table"
        if reached.placed:
            share = reached.placed / max(self.n_objects, 1)
            return 0.3 + 0.7 * share, f"Placed {reached.placed:,} of {self.n_objects:,} objects"
        share = min((reached.start - 1 + reached.iteration / 150) / reached.n_starts, 1.0)
        words = f"Fitting landmarks, {percent(reached.stress)} unexplained"
        return 0.3 * share, words


class _InAFile:
    """What was found is where every server finds it."""

    taken = True

    def keep(self, keeper: Store, project: str) -> None:
        """It is kept already."""


class ManyPlaces(ByProject[ManyJob]):
    """Where the maps of all visitors are made, in the order in which they were asked for.

    Parameters
    ----------
    settings : how many wait, and for how long one may take.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        # One takes all processors by itself, and a gigabyte.
        what, waiting = "maps of many objects", settings.jobs_waiting
        self._queue = Queue[ManyJob](1, waiting, what, each=SOME_TABS, seconds=settings.job_seconds)

    def begin(self, job: ManyJob, presence: Presence, replacing: ManyJob | None = None) -> ManyJob:
        """Begin or wait, and in place of another; the one under way, if the project asked the same.

        Raises
        ------
        ServerBusy : too many are waiting; the one to be replaced goes on.
        """

        def begun(instead_of: ManyJob | None) -> ManyJob:
            self._queue.begin(job, instead_of)
            held = self.of(job.project)
            if job.project and (held is None or not held.wanted):
                self._hold(job.project, job)
            job.when_ended(lambda _: self.let_go(job))
            return job

        return self._joined_or_begun(job.project, job.is_like, begun, presence, replacing)


@st.cache_resource(show_spinner=False)
def places() -> ManyPlaces:
    """Those of this server."""
    return ManyPlaces(this_server.settings())
