"""Computations that nobody asked for: in one process that goes last, and after all that is asked.

A visitor has one; what is looked at next takes its place. One begins while nothing that somebody
asked for runs or waits, and makes way for what is asked meanwhile.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st

from cml_app import evidence_job
from cml_app.background import SOME_TABS, Presence, Queue
from cml_app.evidence_job import EvidenceJob, Work
from cml_app.settings import Settings
from cml_core.evidence.result import Result, ResultKind
from cml_core.evidence.work import Cancelled
from cml_core.evidence.worker import OneProcess

# How often one that waits looks whether it may go on, in seconds.
LOOK_EVERY = 0.1

# Does the work, and asks again and again whether to stop.
Run = Callable[[Work, Callable[[], bool]], Result]


@dataclass(eq=False, kw_only=True)
class UnaskedJob(EvidenceJob):
    """A computation that nobody asked for.

    Parameters
    ----------
    run : where its work is done.
    busy : whether something that was asked for runs or waits.
    """

    run: Run
    busy: Callable[[], bool]

    def _work(self) -> Result:
        while True:
            self._wait()
            made_way = threading.Event()
            try:
                return self.run(self.work, partial(self._stops, made_way))
            except Cancelled:
                # Unless it only made way, it or the program is to end.
                if self._must_stop() or not made_way.is_set():
                    raise

    def _stops(self, made_way: threading.Event) -> bool:
        if self.busy():
            made_way.set()
        return made_way.is_set() or self._must_stop()

    def _wait(self) -> None:
        while self.busy():
            if self._must_stop():
                raise CancelledError
            time.sleep(LOOK_EVERY)
        self.began = time.monotonic()


class Unasked:
    """Where they run, in the order in which visitors came to look.

    Parameters
    ----------
    settings : how many wait, for how long each may run, and whether there are any.
    busy : whether something that was asked for runs or waits.
    run : where their work is done.
    """

    def __init__(self, settings: Settings, busy: Callable[[], bool], run: Run) -> None:
        self.wanted = settings.evidence_unasked
        self._seconds = settings.evidence_seconds
        self._busy, self._run = busy, run
        waiting = settings.evidence_waiting
        self._queue = Queue[UnaskedJob](1, waiting, "computations", each=SOME_TABS)
        # Held by the queue for as long as they are wanted, and by whoever shows them.
        self._of: WeakValueDictionary[tuple[str, str, ResultKind[Any]], UnaskedJob] = (
            WeakValueDictionary()
        )
        self._lock = threading.Lock()

    def begin(
        self,
        work: Work,
        presence: Presence,
        *,
        step_id: str,
        kind: ResultKind[Any],
        label: str,
        project: str = "",
    ) -> UnaskedJob:
        """A computation, begun or waiting; the same, if another tab of the project looks at it.

        Raises
        ------
        ServerBusy : too many are waiting.
        """
        asked = (project, step_id, kind)
        with self._lock:
            held = self._of.get(asked)
            if project and held is not None and held.wanted:
                held.seen_by(presence)
                return held
            job = UnaskedJob(
                work,
                step_id,
                kind,
                label,
                presences=(presence,),
                seconds=self._seconds,
                run=self._run,
                busy=self._busy,
            )
            self._queue.begin(job)
            self._of[asked] = job
        return job


@st.cache_resource(show_spinner=False)
def unasked() -> Unasked:
    """Those of this server."""
    settings = Settings.from_environment(os.environ)
    return Unasked(settings, lambda: evidence_job.computations().busy, OneProcess().run)
