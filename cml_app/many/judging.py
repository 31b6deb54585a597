"""Evidence about a map of very many objects, in the background: one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field

import streamlit as st

from cml_app import compute, messages
from cml_app.background import Background, Presence, Queue
from cml_app.settings import Settings
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.large.baseline import OF_EUCLIDEAN, baseline
from cml_core.evidence.large.columns_told import columns_told
from cml_core.evidence.large.one_more import sample_help
from cml_core.evidence.large.unseen_pairs import unseen_pairs
from cml_core.evidence.result import Result
from cml_core.evidence.work import Cancelled, Stage
from cml_core.many.loop import Loop
from cml_core.many.maps import ManyMap, MapOf, feature
from cml_core.many.opened import Opened
from cml_core.values.features import Feature


@dataclass(eq=False, kw_only=True)
class Judging(Background[None]):
    """What is found of a map, each thing as soon as it is.

    Parameters
    ----------
    about : names the map, that of the current step of `loop`.
    loop, opened, map : what is judged; `map_of` finds the maps that features were drawn on.
    found : results, or why there is none, in their order; the page has `taken` so many of them.
    """

    about: str
    loop: Loop
    opened: Opened
    map: ManyMap
    map_of: MapOf
    found: list[Result | ConditionalMappingError] = field(default_factory=list)
    taken: int = 0

    def _work(self) -> None:
        for one in self._questions:
            if self._must_stop():
                return
            try:
                self.found.append(one())
            except (Cancelled, CancelledError):
                return
            except ConditionalMappingError as error:
                self.found.append(error)
            except Exception as error:
                self.found.append(messages.unexpected(error))

    @property
    def _questions(self) -> tuple[Callable[[], Result], ...]:
        fit = self.map.fit
        questions: list[Callable[[], Result]] = [lambda: unseen_pairs(fit)]
        if self.loop.measure == OF_EUCLIDEAN:
            questions.append(lambda: baseline(fit))
        if self.loop.names:
            questions.append(lambda: columns_told(fit, self._columns()))
        return (*questions, lambda: sample_help(fit.problem, on_step=self._on_step))

    def _columns(self) -> list[Feature]:
        return [
            feature(self.opened, self.loop, name, self.map_of)
            for name in self.loop.names
            if self.loop.discovery(name) is None or name in self.loop.step.known
        ]

    def _on_step(self, _: Stage) -> bool:
        compute.places().courtesy.let_others_go_first()
        return self._must_stop()

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        if self.began is None:
            return 0.0, "Waiting for the evidence of someone else"
        total = len(self._questions)
        return len(self.found) / total, f"{len(self.found)} of {total} questions answered"


class Judgements:
    """Where evidence about the maps of all visitors is found.

    Parameters
    ----------
    settings : how many wait, and for how long one may take.
    """

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.evidence_seconds
        self._queue = Queue[Judging](1, settings.evidence_waiting, "judgements of many objects")

    def begin(
        self,
        about: str,
        loop: Loop,
        opened: Opened,
        found: ManyMap,
        map_of: MapOf,
        presence: Presence,
        replacing: Judging | None = None,
    ) -> Judging:
        """Begin or wait; what it replaces is stopped.

        Raises
        ------
        ServerBusy : too many are waiting.
        """
        job = Judging(
            about=about,
            loop=loop,
            opened=opened,
            map=found,
            map_of=map_of,
            presences=(presence,),
            seconds=self._seconds,
        )
        return self._queue.begin(job, replacing)


@st.cache_resource(show_spinner=False)
def judgements() -> Judgements:
    """Those of this server."""
    return Judgements(Settings.from_environment(os.environ))
