"""New objects placed on a map of very many, in the background; the visit alone keeps them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass

import streamlit as st

from cml_app import background, compute, messages, this_server
from cml_app.background import SOME_TABS, Background, Queue, StoppedEarly
from cml_app.many import uploads
from cml_app.many.held import held
from cml_app.settings import Settings
from cml_core.errors import ConditionalMappingError
from cml_core.many.loop import Loop
from cml_core.many.maps import MapOf
from cml_core.many.newcomers import PlacedNewcomers, place_newcomers
from cml_core.many.origins import Whence


@dataclass(eq=False, kw_only=True)
class Placing(Background[PlacedNewcomers]):
    """New objects on their way to the map of the current step of a loop.

    Parameters
    ----------
    about : names the map and the table.
    loop, whence : whose current map, and where the new objects are.
    map_of : finds it, and those that its features were drawn on.
    done_so_far : how many are placed on the map that they are being placed on.
    """

    about: str
    loop: Loop
    whence: Whence
    map_of: MapOf
    done_so_far: int = 0

    def _work(self) -> PlacedNewcomers:
        rows = self.whence.rows(uploads.folder())
        opened = held().opened(self.loop)
        return place_newcomers(
            opened, self.loop, self.loop.current, rows, self.map_of, on_block=self._on_block
        )

    def _on_block(self, done: int) -> None:
        self.done_so_far = done
        compute.places().courtesy.let_others_go_first()
        if self._must_stop():
            raise CancelledError

    def ended(self) -> StoppedEarly:
        """What to know of it where not all have a place."""
        return StoppedEarly(
            "The new objects were not placed to the end.",
            remedy="Bring them again when you like; the map is as it was.",
        )

    @property
    def words(self) -> str:
        """Where it stands."""
        if self.began is None:
            return "Waiting for the new objects of someone else"
        return f"Placed {self.done_so_far:,} new objects" if self.done_so_far else "Reading them"


def queue(settings: Settings) -> Queue[Placing]:
    """Where the new objects of all visitors are placed."""
    what, waiting = "placings of new objects", settings.jobs_waiting
    return Queue(1, waiting, what, each=SOME_TABS, seconds=settings.job_seconds)


@st.cache_resource(show_spinner=False)
def placings() -> Queue[Placing]:
    """That of this server."""
    return queue(this_server.settings())


@dataclass
class Newcomers:
    """New objects that a visitor brought, and what became of them on the map that is shown.

    Parameters
    ----------
    whence : where they are; None where none were brought.
    job : under way for the map that is shown.
    found : where they lie on it, or why they do not.
    about : the map and the table that `found` is about.
    number : raising it has the field forget its file.
    """

    whence: Whence | None = None
    job: Placing | None = None
    found: PlacedNewcomers | ConditionalMappingError | None = None
    about: str = ""
    number: int = 0

    def bring(self, brought: Callable[[], Whence]) -> None:
        """Take others; a file that cannot be read is told, and nothing else changes."""
        self.take_off()
        try:
            self.whence = brought()
        except ConditionalMappingError as error:
            self.found = error
        except Exception as error:
            self.found = messages.unexpected(error)

    def take_off(self) -> None:
        """There are none any more."""
        if self.job is not None:
            self.job.cancel()
        self.whence, self.job, self.found, self.about = None, None, None, ""
        self.number += 1

    def on_map(self, loop: Loop, map_of: MapOf) -> None:
        """Have them placed on the current map of the loop, unless they are."""
        if self.whence is None:
            return
        about = f"{loop.question(loop.current)} {loop.step.turn} {self.whence}"
        if about != self.about:
            self.found, self.about = None, about
            self._begin(about, loop, map_of)
        elif self.job is not None and self.job.done:
            self._take()

    def _begin(self, about: str, loop: Loop, map_of: MapOf) -> None:
        assert self.whence is not None
        try:
            job = Placing(
                about=about,
                loop=loop,
                whence=self.whence,
                map_of=map_of,
                presences=(background.presence(),),
            )
            self.job = placings().begin(job, self.job)
        except ConditionalMappingError as error:
            self.job, self.found = None, error
            return
        if self.job.ends_within(compute.PATIENCE):
            self._take()

    def _take(self) -> None:
        job, self.job = self.job, None
        assert job is not None
        try:
            self.found = job.result()
        except ConditionalMappingError as error:
            self.found = error
        except Exception as error:
            self.found = messages.unexpected(error)
