"""Computations about a map, in processes of their own: who may ask, how long, and how they end.

One runs at a time, spread over all processes of the pool; others wait. A computation that ends
early keeps nothing. Each belongs to a project, so that whoever opens the project again finds it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from cml_app.background import ABSENT_AFTER, Background, Presence, Queue, StoppedEarly
from cml_app.by_project import ByProject
from cml_app.settings import Settings
from cml_core.errors import ConditionalMappingError
from cml_core.evidence import worker
from cml_core.evidence.result import Result, ResultKind
from cml_core.evidence.work import Stage
from cml_core.fitting.threads import thread_count

MOST_WORKERS = 4
# Sooner, what is left cannot be told from what is done.
SHARE_TO_JUDGE_BY = 0.1
LEAST_PARTS, ENOUGH_PARTS = 3, 30

# Is called with `workers` and `on_step`.
Work = Callable[..., Result]


class OneAtATime(ConditionalMappingError):
    """A project has one computation under way at a time."""


@dataclass(frozen=True)
class Chosen:
    """How many of what a computation is asked for, and from which seed."""

    count: int
    seed: int = 0


@dataclass(eq=False)
class EvidenceJob(Background[Result]):
    """A computation under way; cancelling it keeps nothing.

    Parameters
    ----------
    work : what is computed; in this thread, which hands its parts to processes.
    step_id, kind : the step it is about, and of what kind the result is.
    label : what it does, in words.
    workers : over how many processes it is spread.
    chosen : the settings it was asked with.
    """

    work: Work
    step_id: str
    kind: ResultKind[Any]
    label: str
    workers: int = 1
    chosen: Chosen | None = None
    latest: Stage | None = None
    _told: float = 0.0
    _stage_began: float | None = None

    def _work(self) -> Result:
        with worker.own_processes():
            return self.work(workers=self.workers, on_step=self._on_step)

    def _on_step(self, stage: Stage) -> bool:
        if self.latest is not None and stage.doing != self.latest.doing:
            self._stage_began = self._told
        self.latest, self._told = stage, time.monotonic()
        return self._must_stop()

    def is_about(self, step_id: str, kind: ResultKind[Any]) -> bool:
        """Whether it is asked the same."""
        return self.asked == (step_id, kind)

    @property
    def asked(self) -> tuple[str, ResultKind[Any]]:
        """About which step, and what."""
        return self.step_id, self.kind

    def check_is(self, step_id: str, kind: ResultKind[Any]) -> None:
        """Refuse whatever else is asked meanwhile.

        Raises
        ------
        OneAtATime : it is about another step, or finds something else.
        """
        if not self.is_about(step_id, kind):
            raise one_at_a_time(self.label)

    def ended(self) -> StoppedEarly:
        """What to know of a computation that found nothing."""
        if self._out_of_time:
            return StoppedEarly(
                f"{self.label}: stopped after {self.seconds:g} seconds, the most that is allowed "
                "here; nothing of it was kept.",
                remedy="Ask for less under Settings, such as fewer repetitions, or use cml_core "
                "on a computer of your own.",
            )
        because = (
            f" because nobody had this project open for {ABSENT_AFTER:g} seconds"
            if self._left_alone
            else ""
        )
        return StoppedEarly(
            f"{self.label}: stopped{because}; nothing of it was kept.",
            remedy="Start it again when you like; everything else is as it was.",
        )

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        if self.began is None:
            return 0.0, f"{self.label}: waiting for another computation to end"
        stage = self.latest
        if stage is None:
            return 0.0, f"{self.label}: getting ready"
        words = f"{self.label}: {stage.doing}, {stage.done} of {stage.total}"
        left = self._left(stage, self._stage_began or self.began)
        return stage.done / max(stage.total, 1), words if left is None else f"{words}, {left} left"

    def _left(self, stage: Stage, began: float) -> str | None:
        """How long its stage still takes, once that can be told."""
        enough = min(max(LEAST_PARTS, SHARE_TO_JUDGE_BY * stage.total), ENOUGH_PARTS)
        if not enough <= stage.done < stage.total:
            return None
        each = (self._told - began) / stage.done
        since = time.monotonic() - self._told
        return _duration(max(each * (stage.total - stage.done) - since, 1.0))


def one_at_a_time(label: str) -> OneAtATime:
    """What whoever asks for another computation meanwhile is told."""
    return OneAtATime(
        f"“{label}” is under way for this project, perhaps in another tab.",
        remedy="Wait until it has ended, or stop it first.",
    )


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


class Computations(ByProject[EvidenceJob]):
    """Where the computations of all visitors run, in the order in which they were asked for.

    Parameters
    ----------
    settings : how many wait, for how long each may run, and over how many processes.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.seconds = settings.evidence_seconds
        at_hand = thread_count() if settings.cluster is None else MOST_WORKERS
        self.workers = settings.evidence_workers or min(at_hand, MOST_WORKERS)
        waiting = settings.evidence_waiting
        self._queue = Queue[EvidenceJob](1, waiting, "computations", each=1, seconds=self.seconds)

    def begin(
        self,
        work: Work,
        presence: Presence,
        *,
        step_id: str,
        kind: ResultKind[Any],
        label: str,
        chosen: Chosen | None = None,
        project: str = "",
    ) -> EvidenceJob:
        """A computation, begun or waiting; the one under way, if the project asked the same.

        Parameters
        ----------
        project : names the one it belongs to; empty for one that cannot be found again.

        Raises
        ------
        OneAtATime : the project has another one under way.
        ServerBusy : too many are waiting.
        """
        with self._lock:
            held = self._of.get(project)
            if held is not None and held.wanted:
                held.check_is(step_id, kind)
                held.seen_by(presence)
                return held
            job = EvidenceJob(
                work,
                step_id,
                kind,
                label,
                self.workers,
                chosen,
                presences=(presence,),
            )
            self._queue.begin(job)
            if project:
                self._hold(project, job)
        return job

    @property
    def busy(self) -> bool:
        """Whether one is under way, or waits."""
        return self._queue.busy


@st.cache_resource(show_spinner=False)
def computations() -> Computations:
    """The computations of this server."""
    return Computations(Settings.from_environment(os.environ))
