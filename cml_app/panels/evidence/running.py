"""Asking for a computation, watching it, stopping it, and having what it found.

A panel says how its question is answered: `AtOnce`, or `OnRequest` with a button. How far the
computation of this project is, stands in one place of the page (`under_way`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
import streamlit as st

from cml_app import evidence_job, evidence_requests, messages
from cml_app.evidence_job import Chosen
from cml_app.workspace import Workspace
from cml_core.evidence.result import Found, ResultKind
from cml_core.values.words import counted

# For so many objects it is known how long a computation takes.
SIZES = (30, 100, 300)
# For the processes to begin, in seconds.
GETTING_READY = 3.0
MINUTE, HOUR = 60, 3600
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class AtOnce(Generic[Found]):
    """A computation that needs no button, for it takes less than a second.

    Parameters
    ----------
    kind : of its result.
    work : what is computed about the current step.
    of : what else it depends on, such as the candidates; another value computes it again.
    keep : whether its result goes into the project and the report; not where it is large.
    """

    kind: ResultKind[Found]
    work: Callable[[Workspace], Found]
    of: Callable[[Workspace], Hashable] = lambda _: None
    keep: bool = True

    def found(self, workspace: Workspace) -> Found:
        """What it finds about the current step; computed once for each step."""

        def found() -> Found:
            result = self.work(workspace)
            if self.keep:
                evidence_requests.keep(workspace, result)
            return result

        return evidence_requests.look_up(workspace, self.kind, found, of=self.of(workspace))


@dataclass(frozen=True)
class Repeats:
    """How often something is done again.

    Parameters
    ----------
    what : is done again, in words.
    usual, least, most : how often.
    seconds : how long the usual number takes in one process, with 30, 100 and 300 objects;
        others lie between or beyond.
    """

    what: str
    usual: int
    least: int
    most: int
    seconds: tuple[float, float, float]


@dataclass(frozen=True)
class OnRequest(Generic[Found]):
    """A computation that a visitor asks for by a button, with settings of their own.

    While one is under way, the button waits, and an earlier result stays in sight. What is found
    is kept with the step it was asked of, whatever is looked at meanwhile, and shown on this and
    every later visit until it is asked again.

    Parameters
    ----------
    kind : of its result.
    button : what it does; a word or a few, beginning with a verb.
    repeats : what can be set, besides the seed.
    work : gives what is called as `(workers=..., on_step=...)` in a thread of its own: a partial
        of a function of `cml_core.evidence` over plain values. It may not use Streamlit.
    about : what will be done with so many repeats; a sentence or two.
    times : how many times the work of `repeats` is done.
    all_there_are : how many repeats there can be, where that has an end; where it is not more
        than usual, nothing can be set.
    is_whole : whether what was found is all that the button would find.
    """

    kind: ResultKind[Found]
    button: str
    repeats: Repeats
    work: Callable[[Workspace, Chosen], Callable[..., Found]]
    about: Callable[[Workspace, int], str]
    times: Callable[[Workspace], int] = lambda _: 1
    all_there_are: Callable[[Workspace], int] | None = None
    is_whole: Callable[[Workspace, Found], bool] = lambda *_: True

    def seconds(self, workspace: Workspace, count: int) -> float:
        """How long so many repeats take in one process, roughly."""
        much = self.times(workspace) * count / self.repeats.usual
        n_objects = workspace.journey.dissimilarities.n_objects
        return much * _between(n_objects, self.repeats.seconds)

    def found(self, workspace: Workspace) -> Found | None:
        """Settings and a button that begins it; what it has found, if so."""
        chosen = self._chosen(workspace)
        found = workspace.step.result(self.kind)
        again = found is not None and self.is_whole(workspace, found)
        long = how_long(self.seconds(workspace, chosen.count))
        st.caption(messages.plain(f"{self.about(workspace, chosen.count)} {long}"))
        job = workspace.evidence
        st.button(
            f"{self.button} again" if again else self.button,
            key=f"run-{self.kind}",
            type="secondary" if again else "primary",
            disabled=job is not None or not workspace.may_change,
            on_click=workspace.attempt,
            args=(
                evidence_requests.begin,
                workspace,
                self.kind,
                self.button,
                self.work(workspace, chosen),
            ),
        )
        if _is_asked(workspace, self.kind):
            before = "" if found is None else " Below is what was found before."
            st.caption(f"Under way, see above.{before}")
        elif job is not None:
            waits = f"One computation at a time; “{job.label}” is under way above."
            st.caption(messages.plain(waits))
        return found

    def _chosen(self, workspace: Workspace) -> Chosen:
        """In a small popover: how many of what, and the seed; as before, or as under way."""
        if self.all_there_are and self.all_there_are(workspace) <= self.repeats.usual:
            return Chosen(self.all_there_are(workspace))
        held = workspace.chosen.get(self.kind, Chosen(self.repeats.usual))
        if not _is_asked(workspace, self.kind):
            held = workspace.chosen[self.kind] = _settings(self.repeats, held, str(self.kind))
        elif workspace.evidence is not None and workspace.evidence.chosen is not None:
            # Fields of their own: what is asked next stays as it was.
            asked = workspace.evidence.chosen
            held = _settings(self.repeats, asked, f"{self.kind}-asked", fixed=True)
        return held


def _settings(repeats: Repeats, held: Chosen, key: str, *, fixed: bool = False) -> Chosen:
    with st.popover("Settings", type="tertiary", key=f"settings-{key}"):
        count = st.number_input(
            repeats.what,
            repeats.least,
            repeats.most,
            held.count,
            key=f"count-{key}",
            disabled=fixed,
        )
        seed = st.number_input(
            "Seed",
            0,
            LARGEST_SEED,
            held.seed,
            key=f"seed-{key}",
            disabled=fixed,
            help="The same seed draws the same, so that a result can be had again.",
        )
    return Chosen(int(count), int(seed))


def _is_asked(workspace: Workspace, kind: ResultKind[Any]) -> bool:
    """Whether the computation under way is this one, about the current step."""
    job = workspace.evidence
    return job is not None and job.is_about(workspace.step.id, kind)


def how_long(seconds: float) -> str:
    """A sentence on how long it takes, roughly; two where it may be stopped before its end.

    Parameters
    ----------
    seconds : that it takes in one process.
    """
    place = evidence_job.computations()
    likely = GETTING_READY + seconds / place.workers
    # Nobody knows it better than that.
    if likely < place.seconds / 2:
        return f"{_about(likely)}."
    return f"{_about(likely)}. It is stopped after {_span(place.seconds)} at the latest."


def _between(n_objects: int, seconds: tuple[float, float, float]) -> float:
    """By a power of the number of objects, from one known size to the next and beyond the last."""
    sizes, times = np.log(SIZES), np.log(seconds)
    n = np.log(n_objects)
    if n <= sizes[-1]:
        return float(np.exp(np.interp(n, sizes, times)))
    power = (times[-1] - times[-2]) / (sizes[-1] - sizes[-2])
    return float(np.exp(times[-1] + power * (n - sizes[-1])))


def _about(seconds: float) -> str:
    if seconds < 10:
        return "Some seconds"
    if seconds < MINUTE - 5:
        return f"About {10 * round(seconds / 10)} seconds"
    return f"About {_span(seconds)}"


def _span(seconds: float) -> str:
    if seconds < MINUTE - 5:
        return counted(round(seconds), "second")
    if seconds < HOUR - 5 * MINUTE:
        return counted(round(seconds / MINUTE), "minute")
    return counted(round(seconds / HOUR), "hour")


def under_way(workspace: Workspace) -> None:
    """How far the computation of this project is, and Stop; in sight wherever one scrolls to."""
    if workspace.evidence is not None:
        with st.container(key="under-way"):
            _progress(workspace)


@st.fragment(run_every=0.5)
def _progress(workspace: Workspace) -> None:
    """The computation under way; without one, the page shows what there is instead."""
    if evidence_requests.take_if_done(workspace) or workspace.evidence is None:
        st.rerun()
    job = workspace.evidence
    share, words = job.progress
    about = "" if job.step_id == workspace.step.id else " (about the map of another step)"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.progress(share, messages.plain(f"{words}{about}"))
        st.button(
            "Stop",
            key="stop-evidence",
            help="Nothing of it is kept.",
            on_click=workspace.attempt,
            args=(evidence_requests.stop, workspace),
        )
