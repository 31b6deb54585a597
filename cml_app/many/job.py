"""A map of very many objects in the making: one at a time on a server, with progress and Stop."""

from __future__ import annotations

import os
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from cml_app import compute
from cml_app.background import SOME_TABS, Background, Presence, Queue, StoppedEarly
from cml_app.many.held import Held, held
from cml_app.settings import Settings
from cml_core import Progress
from cml_core.many.arriving import Arriving
from cml_core.many.loop import Loop
from cml_core.many.maps import ManyMap, make_map, told
from cml_core.many.opened import Opened
from cml_core.values.words import percent


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
    arriving : places on the map of `step`, from when the landmarks are there.
    """

    loop: Loop
    step: str
    at_hand: Held
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
        before = self._before(step)
        self.latest = None

        def on_places(arriving: Arriving) -> None:
            if step == self.step:
                self.arriving = arriving

        # What a step needs is made first, and tells its own progress.
        return make_map(
            opened,
            self.loop,
            step,
            lambda other: self._map_of(opened, other),
            before,
            on_step=self._on_step,
            on_places=on_places,
        )

    def _before(self, step: str) -> ManyMap | None:
        """The map of the step before, where it is at hand; it is not made for this alone."""
        parent = self.loop.at(step).parent
        return self.at_hand.map_of(self.loop, parent) if parent else None

    def _on_step(self, reached: Progress) -> bool:
        self.latest = reached
        compute.places().courtesy.let_others_go_first()
        return self._must_stop()

    def result(self) -> Made:
        """What was made; raises what went wrong."""
        assert self._future is not None
        try:
            return self._future.result()
        except CancelledError:
            raise StoppedEarly(
                "The map was stopped before there was anything to see of it.",
                remedy="Ask again when you like; everything else is as it was.",
            ) from None

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        if self.began is None:
            return 0.0, "Waiting for the map of someone else"
        reached = self.latest
        if reached is None:
            return 0.0, "Reading the table"
        if reached.placed:
            share = reached.placed / max(self.n_objects, 1)
            return 0.3 + 0.7 * share, f"Placed {reached.placed:,} of {self.n_objects:,} objects"
        share = min((reached.start - 1 + reached.iteration / 150) / reached.n_starts, 1.0)
        words = f"Fitting landmarks, {percent(reached.stress)} unexplained"
        return 0.3 * share, words


class ManyPlaces:
    """Where the maps of all visitors are made, in the order in which they were asked for.

    Parameters
    ----------
    settings : how many wait, and for how long one may take.
    """

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.job_seconds
        # One takes all processors by itself, and a gigabyte.
        waiting = settings.jobs_waiting
        self._queue = Queue[ManyJob](1, waiting, "maps of many objects", each=SOME_TABS)

    def begin(
        self, loop: Loop, step: str, presence: Presence, replacing: ManyJob | None = None
    ) -> ManyJob:
        """Begin or wait; the one it replaces is stopped.

        Raises
        ------
        ServerBusy : too many are waiting; the one to be replaced goes on.
        """
        job = ManyJob(
            loop=loop,
            step=step,
            at_hand=held(),
            presences=(presence,),
            seconds=self._seconds,
        )
        return self._queue.begin(job, replacing)


@st.cache_resource(show_spinner=False)
def places() -> ManyPlaces:
    """The places of this server."""
    return ManyPlaces(Settings.from_environment(os.environ))
