"""Asking for a computation, watching it, stopping it, and having what it found.

Every part of the page goes this way:

    count, seed = running.choices(
        workspace, "Structure", "Shuffled data sets", usual=20, least=5, most=200
    )
    found = running.run(
        workspace,
        "Compare with data without structure",
        "Structure",
        partial(without_structure, workspace.step.fit, shuffles=count, seed=seed),
        about="Shuffles the dissimilarities 20 times and fits each. "
        + running.how_long(workspace, (1, 3, 15), share=count / 20),
    )
    if found is not None:
        st.markdown(messages.plain(found.verdict))

What takes less than a second needs no button:

    weights = running.at_once(workspace, "KnownWeights", partial(known_weights, fit))

How far the computation of this project is, stands in one place of the page (`under_way`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import numpy as np
import streamlit as st

from cml_app import evidence_job, evidence_requests, messages
from cml_app.evidence_job import Chosen
from cml_app.workspace import Workspace
from cml_core.journey.findings import Result

# For so many objects a part of the page knows how long it takes.
SIZES = (30, 100, 300)
# For the processes to begin, in seconds.
GETTING_READY = 3.0
MINUTE, HOUR = 60, 3600
LARGEST_SEED = 2**31 - 1

_Result = TypeVar("_Result", bound=Result)


def run(
    workspace: Workspace,
    label: str,
    kind: str,
    work: Callable[..., _Result],
    *,
    about: str = "",
) -> _Result | None:
    """A button that begins a long computation about the current step; what it has found, if so.

    While one is under way, the button waits, and an earlier result stays in sight. What is found
    is kept with the step it was asked of, whatever is looked at meanwhile, and shown on this and
    every later visit until it is asked again.

    Parameters
    ----------
    label : what the button does; a word or a few, beginning with a verb.
    kind : of the result, as `cml_core.journey.findings.kind_of` says: the name of its class, or
        "Stability/pairs" and "Stability/objects".
    work : is called as `work(workers=..., on_step=...)` in a thread of its own: a partial of a
        function of cml_core.evidence over plain values. It may not use Streamlit.
    about : what will be done and how long it takes, roughly; a sentence or two.
    """
    found = workspace.step.finding(kind)
    if about:
        st.caption(messages.plain(about))
    job = workspace.evidence
    st.button(
        f"{label} again" if found is not None else label,
        key=f"run-{kind}",
        type="secondary" if found is not None else "primary",
        disabled=job is not None,
        on_click=workspace.attempt,
        args=(evidence_requests.begin, workspace, kind, label, work),
    )
    if _is_asked(workspace, kind):
        before = " Below is what was found before." if found is not None else ""
        st.caption(f"Under way, see above.{before}")
    elif job is not None:
        st.caption(messages.plain(f"One computation at a time; “{job.label}” is under way above."))
    return cast("_Result | None", found)


def at_once(
    workspace: Workspace,
    kind: str,
    work: Callable[[], _Result],
    *,
    of: Hashable = None,
    keep: bool = True,
) -> _Result:
    """What a quick computation finds about the current step; computed once for each step.

    Parameters
    ----------
    of : what else it depends on, such as the candidates; another value computes it again.
    keep : whether it goes into the project and the report; not for large results.
    """
    return evidence_requests.look_up(workspace, kind, work, of, keep=keep)


def choices(
    workspace: Workspace, kind: str, what: str, *, usual: int, least: int, most: int
) -> tuple[int, int]:
    """A small popover: how many of what, and the seed; as chosen before, or as under way.

    Returns
    -------
    count, seed
    """
    held = workspace.chosen.get(kind, Chosen(usual))
    if not _is_asked(workspace, kind):
        held = workspace.chosen[kind] = _settings(kind, what, held, least, most)
    elif workspace.evidence is not None and workspace.evidence.chosen is not None:
        # Fields of their own: what is asked next stays as it was.
        held = _settings(f"{kind}-asked", what, workspace.evidence.chosen, least, most, fixed=True)
    return held.count, held.seed


def _settings(
    kind: str, what: str, held: Chosen, least: int, most: int, *, fixed: bool = False
) -> Chosen:
    with st.popover("Settings", type="tertiary", key=f"settings-{kind}"):
        count = st.number_input(what, least, most, held.count, key=f"count-{kind}", disabled=fixed)
        seed = st.number_input(
            "Seed",
            0,
            LARGEST_SEED,
            held.seed,
            key=f"seed-{kind}",
            disabled=fixed,
            help="The same seed draws the same, so that a result can be had again.",
        )
    return Chosen(int(count), int(seed))


def _is_asked(workspace: Workspace, kind: str) -> bool:
    """Whether the computation under way is this one, about the current step."""
    job = workspace.evidence
    return job is not None and job.asked == (workspace.step.id, kind)


def how_long(
    workspace: Workspace, seconds: tuple[float, float, float], *, share: float = 1.0
) -> str:
    """A sentence on how long it takes, roughly; two where it may be stopped before its end.

    Parameters
    ----------
    seconds : in one process, with 30, 100 and 300 objects; others lie between or beyond.
    share : how many times as much is asked for.
    """
    n_objects = workspace.journey.dissimilarities.n_objects
    place = evidence_job.computations()
    likely = GETTING_READY + share * _between(n_objects, seconds) / place.workers
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
        return _of(seconds, "second")
    if seconds < HOUR - 5 * MINUTE:
        return _of(seconds / MINUTE, "minute")
    return _of(seconds / HOUR, "hour")


def _of(count: float, what: str) -> str:
    whole = round(count)
    return f"{whole} {what}" if whole == 1 else f"{whole} {what}s"


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
