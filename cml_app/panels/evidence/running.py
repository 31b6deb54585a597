"""Asking for a computation, watching it, stopping it, and having what it found.

Every part of the page goes this way:

    count, seed = running.choices("Structure", "Shuffled data sets", usual=20, least=5, most=200)
    found = running.run(
        workspace,
        "Compare with data without structure",
        "Structure",
        partial(without_structure, workspace.step.fit, shuffles=count, seed=seed),
        about="Shuffles the dissimilarities 20 times and fits each. About half a minute.",
    )
    if found is not None:
        st.markdown(messages.plain(found.verdict))

What takes less than a second needs no button:

    weights = running.at_once(workspace, "KnownWeights", partial(known_weights, fit))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import streamlit as st

from cml_app import asking, compute, messages
from cml_app.workspace import Workspace
from cml_core.evidence.record import Result

FEW, SOME = 30, 100

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

    While the visitor has a computation under way, its progress and Stop stand in the button's
    place. What it finds is kept with the step it was asked of, whatever is looked at meanwhile,
    and shown on this and every later visit until it is asked again.

    Parameters
    ----------
    label : what the button does; a word or a few, beginning with a verb.
    kind : of the result, as `cml_core.evidence.record.kind_of` says: the name of its class, or
        "Stability/pairs" and "Stability/objects".
    work : is called as `work(workers=..., on_step=...)` in a thread of its own: a partial of a
        function of cml_core.evidence over plain values. It may not use Streamlit.
    about : what will be done and how long it takes, roughly; a sentence or two.
    """
    found = workspace.step.finding(kind)
    if about:
        st.caption(messages.plain(about))
    job = workspace.evidence
    if job is not None and job.asked == (workspace.step.id, kind):
        _progress(workspace)
        return None
    st.button(
        f"{label} again" if found is not None else label,
        key=f"run-{kind}",
        type="secondary" if found is not None else "primary",
        disabled=job is not None,
        on_click=workspace.attempt,
        args=(asking.begin, workspace, kind, label, work),
    )
    if job is not None:
        _meanwhile(workspace, kind)
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
    return asking.look_up(workspace, kind, work, of, keep=keep)


def choices(kind: str, what: str, *, usual: int, least: int, most: int) -> tuple[int, int]:
    """A small popover: how many of what, and the seed.

    Returns
    -------
    count, seed
    """
    with st.popover("Settings", type="tertiary", key=f"settings-{kind}"):
        count = st.number_input(what, least, most, usual, key=f"count-{kind}")
        seed = st.number_input(
            "Seed",
            0,
            2**31 - 1,
            0,
            key=f"seed-{kind}",
            help="The same seed draws the same, so that a result can be had again.",
        )
    return int(count), int(seed)


def how_long(workspace: Workspace, few: str, some: str, many: str) -> str:
    """Of three durations in words the one for so many objects: up to 30, up to 100, or more."""
    n_objects = workspace.journey.dissimilarities.n_objects
    return few if n_objects <= FEW else some if n_objects <= SOME else many


@st.fragment(run_every=0.5)
def _progress(workspace: Workspace) -> None:
    """The computation under way; without one, the page shows what there is instead."""
    if asking.take_if_done(workspace) or workspace.evidence is None:
        st.rerun()
    job = workspace.evidence
    job.seen_by(compute.presence())
    share, words = job.progress
    st.progress(share, messages.plain(words))
    _stop(workspace, "stop-evidence")


@st.fragment(run_every=0.5)
def _meanwhile(workspace: Workspace, kind: str) -> None:
    """That another computation of the visitor's is under way."""
    if asking.take_if_done(workspace) or workspace.evidence is None:
        st.rerun()
    job = workspace.evidence
    job.seen_by(compute.presence())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"One at a time. {messages.plain(job.progress[1])}", width="content")
        if job.step_id != workspace.step.id:
            _stop(workspace, f"stop-evidence-before-{kind}")


def _stop(workspace: Workspace, key: str) -> None:
    st.button(
        "Stop",
        key=key,
        help="Nothing of it is kept.",
        on_click=workspace.attempt,
        args=(asking.stop, workspace),
    )
