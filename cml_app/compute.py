"""Fits in the background, with progress and cancel: quick ones beside large ones, by their cost.

Everything here has a bound: how many fits of either kind run, how many wait, and for how long. A
visitor has one job; a new question takes the place of the old one. Who has left stops costing.
Large fits let quick ones and pages go first, which are over before anyone notices; a fit that was
taken for quick and is not begins anew among the large.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import streamlit as st

from cml_app import background
from cml_app.background import Background, Presence, Queue, ServerBusy, StoppedEarly
from cml_app.by_project import ByProject
from cml_app.settings import Settings
from cml_core import Fit, Problem, Progress, fit
from cml_core.fitting.cost import expected_seconds
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.threads import worked
from cml_core.journey.step import question_of
from cml_core.values.arrays import FloatArray
from cml_core.values.words import percent

SEED = 0
# Up to so many expected seconds of one processor a fit is quick.
QUICK_SECONDS = 0.5
# One that has taken so many of all processors after all is not.
OUTGROWN_AFTER = 2.0
# So many quick fits may wait; visitors have one in each tab, and so many at most in all of them.
QUICK_WAITING, QUICK_EACH = 500, 10
# So long, in seconds, a page waits for the answer before it shows how far the fit is.
PATIENCE = 1.0
# At each of its steps a large fit lets quick ones go first, for so many seconds at most; and for
# as long as what follows a fit or a page may take: it is kept, the page begins, and is sent.
COURTESY = 0.2
LINGERING = 0.02


class Courtesy:
    """Whether anything quick is being done, which large fits let go first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._ended = -LINGERING
        self._quiet = threading.Event()
        self._quiet.set()

    @property
    def quiet(self) -> bool:
        """Whether nothing quick is being done."""
        return self._quiet.is_set()

    def let_others_go_first(self) -> None:
        """Wait a little, while anything quick is being done or was just now."""
        until = time.monotonic() + COURTESY
        while self._quiet.wait(max(until - time.monotonic(), 0.0)):
            lingering = min(self._ended + LINGERING, until) - time.monotonic()
            if lingering <= 0:
                return
            time.sleep(lingering)

    @contextmanager
    def going_first(self) -> Iterator[None]:
        """What is done meanwhile is quick."""
        self._add(1)
        try:
            yield
        finally:
            self._add(-1)

    def _add(self, change: int) -> None:
        with self._lock:
            self._count += change
            if self._count:
                self._quiet.clear()
            else:
                self._ended = time.monotonic()
                self._quiet.set()


@dataclass(eq=False)
class Job(Background[Fit]):
    """A fit under way; cancelling it yields the best map so far.

    Parameters
    ----------
    problem : what is fitted.
    courtesy : between quick fits and large ones.
    larger : for a quick fit, where it begins anew once it has turned out not to be quick. Where
        it is refused, the best map so far is what comes of it.
    shared : whether others may find it by its project.
    """

    problem: Problem
    courtesy: Courtesy = field(default_factory=Courtesy)
    larger: Queue[Job] | None = None
    latest: Progress | None = None
    shared: bool = False
    _worked_before: float = 0.0
    _outgrown: bool = False
    _refused: ServerBusy | None = None

    def _work(self) -> Fit:
        if self.larger is None:
            return fit(self.problem, seed=SEED, on_step=self._on_step)
        self._worked_before = worked()
        with self.courtesy.going_first():
            found = fit(self.problem, seed=SEED, on_step=self._on_step)
        if self._outgrown and not self._must_stop():
            larger, began = self.larger, self.began
            self.larger = self.began = None
            try:
                larger.begin(self)
            except ServerBusy as error:
                self._refused, self.began = error, began
        return found

    def _on_step(self, reached: Progress) -> bool:
        self.latest = reached
        if self.larger is None:
            self.courtesy.let_others_go_first()
        elif worked() - self._worked_before > OUTGROWN_AFTER:
            self._outgrown = True
        return self._must_stop() or (self._outgrown and self.larger is not None)

    def ended(self) -> StoppedEarly:
        """What to know of a fit that found nothing."""
        return StoppedEarly(
            "The fit was stopped before it began, so there is no new map.",
            remedy="Ask again when you like; everything else is as it was.",
        )

    @property
    def remark(self) -> StoppedEarly | None:
        """What the visitor should know of how it ended."""
        if not (self._out_of_time or self._refused) or self.result().converged:
            return None
        if self._refused is not None:
            return StoppedEarly(
                "The fit takes longer than it was expected to, and could not go on. "
                f"{self._refused.fact} This is the best map it had found.",
                remedy=self._refused.remedy,
            )
        return StoppedEarly(
            f"The fit was stopped after {self.seconds:g} seconds, the most that is allowed here; "
            "this is the best map it had found.",
            remedy="It may not be the best there is. Go on with it, try fewer objects, or fit on "
            "a computer of your own.",
        )

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where the fit stands in words."""
        reached = self.latest
        if self.began is None:
            return 0.0, "Waiting for another fit to end"
        if reached is None:
            return 0.0, "Getting ready"
        share = (reached.start - 1 + min(reached.iteration / 150, 0.95)) / reached.n_starts
        words = f"Start {reached.start} of {reached.n_starts}"
        return share, f"{words}, {percent(reached.stress)} unexplained"


class Places(ByProject[Job]):
    """Where the fits of all visitors run; each kind in the order in which it was asked for.

    Parameters
    ----------
    settings : how many run and wait, and for how long.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        seconds = settings.job_seconds
        quick = settings.quick_at_once, QUICK_WAITING
        self._quick = Queue[Job](*quick, "quick fits", each=QUICK_EACH, seconds=seconds)
        large = settings.jobs_at_once, settings.jobs_waiting
        self._large = Queue[Job](*large, "large fits", each=1, seconds=seconds)
        self.courtesy = Courtesy()

    def begin(
        self,
        problem: Problem,
        presence: Presence,
        replacing: Job | None = None,
        project: str = "",
    ) -> Job:
        """A job, begun or waiting, and in place of another; the one that others of the project
        asked, if it is the same.

        Raises
        ------
        ServerBusy : too many are waiting; the one to be replaced goes on.
        """

        def is_same(held: Job) -> bool:
            return question_of(held.problem) == question_of(problem)

        def begun(instead_of: Job | None) -> Job:
            quick = expected_seconds(problem) <= QUICK_SECONDS
            job = Job(
                problem,
                presences=(presence,),
                courtesy=self.courtesy,
                larger=self._large if quick else None,
            )
            return (self._quick if quick else self._large).begin(job, instead_of)

        return self._joined_or_begun(project, is_same, begun, presence, replacing)

    def share(self, project: str, job: Job) -> bool:
        """Have a fit found by its project, once; not a quick one, nor before another is taken."""
        with self._lock:
            held = self.of(project)
            if job.shared or job.larger is not None:
                return False
            if held is not None and not held.was_left:
                return False
            self._hold(project, job)
            job.shared = True
        return True

    def was_taken(self, job: Job) -> bool:
        """Whether someone else who found it has what came of it."""
        return job.shared and not self.holds(job)


@st.cache_resource(show_spinner=False)
def places() -> Places:
    """The places of this server."""
    return Places(Settings.from_environment(os.environ))


def fitted(problem: Problem) -> Fit:
    """The fit, for whoever cannot go on without it."""
    return begin(problem).result()


@st.cache_resource(show_spinner=False, max_entries=32, hash_funcs={Problem: Problem.fingerprint})
def first_fit(problem: Problem) -> Fit:
    """The fit of an example, for all visitors who open it."""
    return places().begin(problem, Presence()).result()


def begin(problem: Problem, replacing: Job | None = None, project: str = "") -> Job:
    """The fit as this visitor's job, in place of the one they had."""
    return places().begin(problem, background.presence(), replacing, project)


def turned_to_match(embedding: FloatArray, before: FloatArray | None) -> FloatArray:
    """The map turned so that what moved is what changed; on its own axes if it is the first."""
    if before is None or not embedding.shape[1] or not before.shape[1]:
        return embedding
    shared = min(embedding.shape[1], before.shape[1])
    return procrustes(embedding, before[:, :shared]).points[:, : embedding.shape[1]]
