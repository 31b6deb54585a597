"""Fits: at once where they are quick, elsewhere in the background with progress and cancel."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import streamlit as st

from cml_core import Fit, Problem, Step, fit
from cml_core.arrays import FloatArray
from cml_core.geometry import procrustes

# A fit of so many objects takes less than about a second.
QUICK_UP_TO = 1000
SEED = 0
JOBS_AT_ONCE = 2


@dataclass
class Job:
    """A fit under way; cancelling it yields the best map so far."""

    problem: Problem
    latest: Step | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _future: Future[Fit] | None = None

    def start(self) -> Job:
        """Wait for a place among the jobs at once, then fit."""
        self._future = _pool().submit(fit, self.problem, seed=SEED, on_step=self._on_step)
        return self

    def _on_step(self, step: Step) -> bool:
        self.latest = step
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask it to stop at its next step."""
        self._stop.set()

    @property
    def done(self) -> bool:
        return self._future is not None and self._future.done()

    def result(self) -> Fit:
        """The fit; raises what went wrong with it."""
        assert self._future is not None
        return self._future.result()

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where the fit stands in words."""
        step = self.latest
        if step is None:
            return 0.0, "Getting ready"
        share = (step.start - 1 + min(step.iteration / 150, 0.95)) / step.n_starts
        return share, f"Start {step.start} of {step.n_starts}, {step.stress:.1%} unexplained"


@st.cache_resource
def _pool() -> ThreadPoolExecutor:
    """The places for jobs of all visitors."""
    return ThreadPoolExecutor(JOBS_AT_ONCE, thread_name_prefix="job")


def is_quick(problem: Problem) -> bool:
    """Whether a visitor can wait for the fit without being told."""
    return problem.dissimilarities.n_objects <= QUICK_UP_TO


def quick_fit(problem: Problem) -> Fit:
    """The fit, at once."""
    return fit(problem, seed=SEED)


def turned_to_match(embedding: FloatArray, before: FloatArray | None) -> FloatArray:
    """The map turned so that what moved is what changed; on its own axes if it is the first."""
    if before is None or not embedding.shape[1] or not before.shape[1]:
        return embedding
    shared = min(embedding.shape[1], before.shape[1])
    return procrustes(embedding, before[:, :shared]).points[:, : embedding.shape[1]]
