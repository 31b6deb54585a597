"""What a visitor sees of a server that has just been started."""

from __future__ import annotations

import streamlit as st

from cml_app.readiness import Readiness

TITLE = "Preparing, once"
WHY = (
    "This server has just been started. Where its solvers have never been compiled it does that "
    "now, which takes about half a minute, and keeps them. The page goes on by itself."
)
# In seconds; most servers are ready sooner, and a page that says so would only flicker.
PATIENCE = 1.0
LOOK_EVERY = 0.3


def wait(readiness: Readiness) -> None:
    """Go on once pages can be shown; say meanwhile how far it is."""
    if readiness.wait(PATIENCE):
        return
    place = st.empty()
    with place.container(key="preparing"):
        st.title(TITLE)
        st.markdown(WHY)
        bar = st.progress(0.0)
    while not readiness.wait(LOOK_EVERY):
        share, words = readiness.progress
        bar.progress(share, f"Getting ready: {words}")
    # All that follows then stands where it stands in every later run of the page.
    place.empty()
    st.rerun()
