"""Known: a tick for each feature, and the progress of a map under way."""

from __future__ import annotations

import streamlit as st

from cml_app import background, messages
from cml_app.many.visit import Visit

# How often the page looks how far the map is, in seconds.
LOOK_EVERY = 0.5


def show(visit: Visit) -> None:
    """The ticks; a tick makes a further map."""
    st.header("Known")
    if visit.trouble:
        messages.show(visit.trouble)
        st.button("Try again", on_click=visit.attempt, args=(visit.again,))
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
        _progress(visit, visit.job.first is not None)


def _tick(visit: Visit, name: str, key: str) -> None:
    assert visit.loop is not None
    others = [one for one in visit.loop.step.known if one != name]
    visit.attempt(visit.know, (*others, name) if st.session_state[key] else tuple(others))


@st.fragment(run_every=LOOK_EVERY)
def _progress(visit: Visit, landmarks_shown: bool) -> None:
    job = visit.job
    if job is None:
        return
    if job.done or (job.first is not None) != landmarks_shown:
        st.rerun()
    job.seen_by(background.presence())
    share, words = job.progress
    st.progress(min(share, 1.0), messages.plain(words))
    st.button("Stop", key="many-stop", on_click=job.cancel, help="What is there by then stays.")
