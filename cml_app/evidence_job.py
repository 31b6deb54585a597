"""Computations about a map, in processes of their own: who may ask, how long, and how they end.

One runs at a time, spread over all processes of the pool; others wait. A computation that ends
early keeps nothing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass

import streamlit as st

from cml_app.compute import Background, Presence, Queue, StoppedEarly, presence
from cml_app.settings import Settings
from cml_core.evidence import worker
from cml_core.evidence.record import Result
from cml_core.evidence.work import Cancelled, Stage
from cml_core.threads import thread_count

MOST_WORKERS = 4
# Sooner, what is left cannot be told from what is done.
SHARE_TO_JUDGE_BY = 0.1

# Is called with `workers` and `on_step`.
Work = Callable[..., Result]


@dataclass(eq=False)
class EvidenceJob(Background[Result]):
    """A computation under way; cancelling it keeps nothing.

    Parameters
    ----------
    work : what is computed; in this thread, which hands its parts to processes.
    step_id, kind : the step it is about, and of what kind the result is.
    label : what it does, in words.
    workers : over how many processes it is spread.
    """

    work: Work
    step_id: str
    kind: str
    label: str
    workers: int = 1
    latest: Stage | None = None

    def _work(self) -> Result:
        with worker.pool():
            return self.work(workers=self.workers, on_step=self._on_step)

    def _on_step(self, stage: Stage) -> bool:
        self.latest = stage
        return self._must_stop()

    @property
    def asked(self) -> tuple[str, str]:
        """About which step, and what."""
        return self.step_id, self.kind

    def result(self) -> Result:
        """What was found; raises what went wrong."""
        assert self._future is not None
        try:
            return self._future.result()
        except (CancelledError, Cancelled):
            raise self.ended() from None

    def ended(self) -> StoppedEarly:
        """What to know of a computation that found nothing."""
        if self._out_of_time:
            return StoppedEarly(
                f"{self.label}: stopped after {self.seconds:g} seconds, the most that is allowed "
                "here; nothing of it was kept.",
                remedy="Ask for less under Settings, such as fewer repetitions, or use cml_core "
                "on a computer of your own.",
            )
        return StoppedEarly(
            f"{self.label}: stopped; nothing of it was kept.",
            remedy="Start it again when you like; everything else is as it was.",
        )

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        if self._began is None:
            return 0.0, f"{self.label}: waiting for other visitors' computations"
        stage = self.latest
        if stage is None:
            return 0.0, f"{self.label}: getting ready"
        share = stage.done / max(stage.total, 1)
        words = f"{self.label}: {stage.doing}, {stage.done} of {stage.total}"
        if share >= SHARE_TO_JUDGE_BY:
            words += f", {_duration((time.monotonic() - self._began) * (1 / share - 1))} left"
        return share, words


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


class Computations:
    """Where the computations of all visitors run, in the order in which they were asked for.

    Parameters
    ----------
    settings : how many wait, for how long each may run, and over how many processes.
    """

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.evidence_seconds
        self._workers = settings.evidence_workers or min(thread_count(), MOST_WORKERS)
        self._queue = Queue[EvidenceJob](1, settings.evidence_waiting, "computations")

    def begin(
        self,
        work: Work,
        presence: Presence,
        *,
        step_id: str,
        kind: str,
        label: str,
        replacing: EvidenceJob | None = None,
    ) -> EvidenceJob:
        """A computation, begun or waiting; the one it replaces is cancelled.

        Raises
        ------
        ServerBusy : too many are waiting.
        """
        job = EvidenceJob(
            work,
            step_id,
            kind,
            label,
            self._workers,
            presence=presence,
            seconds=self._seconds,
        )
        return self._queue.begin(job, replacing)


@st.cache_resource(show_spinner=False)
def computations() -> Computations:
    """The computations of this server."""
    return Computations(Settings.from_environment(os.environ))


def begin(
    work: Work, *, step_id: str, kind: str, label: str, replacing: EvidenceJob | None = None
) -> EvidenceJob:
    """A computation of this visitor, in place of the one they had."""
    return computations().begin(
        work, presence(), step_id=step_id, kind=kind, label=label, replacing=replacing
    )
