"""Evidence about a map of very many objects, in the background: one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field

import streamlit as st

from cml_app import compute, messages
from cml_app.background import SOME_TABS, Background, Presence, Queue
from cml_app.by_project import ByProject
from cml_app.evidence_job import one_at_a_time
from cml_app.keeping.store import Store
from cml_app.many.kept_maps import named
from cml_app.settings import Settings
from cml_app.this_server import moment
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

KIND, LABEL = "judgement of many objects", "Judge this map"


def with_news(loop: Loop, question: str, news: Sequence[Result | ConditionalMappingError]) -> Loop:
    """With what was found about the map of a question, where the loop still has it."""
    for step in loop.steps:
        if loop.question(step.id) == question:
            for one in news:
                loop = loop.judged(step.id, one) if isinstance(one, Result) else loop
            break
    return loop


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

    @property
    def step_id(self) -> str:
        """Names the map."""
        return named(self.about)

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


@dataclass(frozen=True)
class Findings:
    """What was found of a map, until a page takes it."""

    job: Judging

    @property
    def taken(self) -> bool:
        return self.job.taken == len(self.job.found)

    def keep(self, keeper: Store, project: str) -> None:
        job = self.job

        def told(text: str) -> str:
            return with_news(Loop.from_json(text), job.about, job.found).to_json()

        keeper.update(project, told, moment())
        job.taken = len(job.found)


class Judgements(ByProject[Judging]):
    """Where evidence about the maps of all visitors is found.

    Parameters
    ----------
    settings : how many wait, and for how long one may take.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        what, waiting = "judgements of many objects", settings.evidence_waiting
        self._queue = Queue[Judging](
            1, waiting, what, each=SOME_TABS, seconds=settings.evidence_seconds
        )

    def begin(
        self,
        about: str,
        loop: Loop,
        opened: Opened,
        found: ManyMap,
        map_of: MapOf,
        presence: Presence,
        replacing: Judging | None = None,
        project: str = "",
    ) -> Judging:
        """Begin or wait, unless it is under way; what it replaces is stopped.

        Parameters
        ----------
        project : names the one it belongs to; empty for one that cannot be found again.

        Raises
        ------
        OneAtATime : the project has evidence about another map under way.
        ServerBusy : too many are waiting.
        """
        with self._lock:
            held = self._of.get(project)
            if held is not None and held.wanted:
                if held.about == about:
                    held.seen_by(presence)
                    return held
                if held is not replacing:
                    raise one_at_a_time(LABEL)
            job = Judging(
                about=about,
                loop=loop,
                opened=opened,
                map=found,
                map_of=map_of,
                presences=(presence,),
            )
            self._queue.begin(job, replacing)
            if project:
                self._hold(project, job)
                job.when_ended(lambda _: self.let_go(job))
            return job


@st.cache_resource(show_spinner=False)
def judgements() -> Judgements:
    """Those of this server."""
    return Judgements(Settings.from_environment(os.environ))
