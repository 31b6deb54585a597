"""Known: a tick for each feature, and the progress of a map under way."""

from __future__ import annotations

import time

import streamlit as st

from cml_app import background, messages
from cml_app.many.job import ManyJob
from cml_app.many.visit import Visit
from cml_app.panels.many.steps import other_columns

# How often the page looks how far the map is, in seconds.
LOOK_EVERY = 0.5
# Objects that have been placed are shown in so many goes at most, and so many seconds apart at
# least: while a page is drawn, placing waits.
GOES, APART = 10, 1.0


def show(visit: Visit) -> None:
    """The ticks; a tick makes a further map."""
    st.header("Known")
    if visit.trouble:
        messages.show(visit.trouble)
        with st.container(horizontal=True):
            st.button("Try again", on_click=visit.attempt, args=(visit.again,))
            if visit.loop is not None and visit.map is None:
                other_columns(visit, "trouble")
    loop = visit.loop
    assert loop is not None
    if not loop.names:
        st.caption("Nothing is known of them yet. Draw what you see.")
    known = list(loop.step.known)
    with st.container(key="known-ticks"):
        for number, name in enumerate(loop.names):
            key = f"many-known-{number}-{visit.revision}"
            drawn = loop.discovery(name) is not None
            st.checkbox(
                messages.plain(f"{name} (drawn)" if drawn else name),
                name in known,
                key=key,
                on_change=_tick,
                args=(visit, name, key),
            )
    if visit.job is not None:
        _progress(visit, _there(visit.job), time.monotonic())


def _tick(visit: Visit, name: str, key: str) -> None:
    assert visit.loop is not None
    others = [one for one in visit.loop.step.known if one != name]
    visit.attempt(visit.know, (*others, name) if st.session_state[key] else tuple(others))


def _there(job: ManyJob) -> int:
    """How many objects are placed, from when there is anything to see; -1 before."""
    return -1 if job.arriving is None else job.arriving.placed


@st.fragment(run_every=LOOK_EVERY)
def _progress(visit: Visit, shown: int, moment: float) -> None:
    job = visit.job
    if job is None:
        return
    if job.done or worth_showing(job, shown, time.monotonic() - moment):
        st.rerun()
    job.seen_by(background.presence())
    share, words = job.progress
    st.progress(min(share, 1.0), messages.plain(words))
    st.button(
        "Stop",
        key="many-stop",
        on_click=visit.attempt_quietly,
        args=(job.stop,),
        help="What is there by then stays.",
    )


def worth_showing(job: ManyJob, shown: int, seconds: float) -> bool:
    """Whether enough more objects are placed than are shown since so many seconds."""
    there = _there(job)
    if shown < 0:
        return there >= 0
    return seconds >= APART and there - shown >= job.n_objects / GOES
