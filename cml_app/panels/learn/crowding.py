"""Lesson 7 on the page: things that have no room, and clusters by four methods."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cml_app.panels.evidence.pictures import page_ink
from cml_app.panels.learn.panel import COMPARE, LessonPanel, Own, Stage
from cml_app.pictures.lesson_sketches import Dots
from cml_app.pictures.small_maps import THICK, THIN, SmallMap, small_maps
from cml_core.lessons import crowding
from cml_core.lessons.crowding import FRAMES, Clusters, Drawing, Equal, State
from cml_core.values.arrays import FloatArray

EQUAL, CLUSTERS = "All equally different", "Three clusters"
SECONDS_A_FRAME = 0.4
# In the session: whether the way is being shown.
_PLAYING = "crowding-playing"


def show(stage: Stage) -> State:
    """Either of the two, with what changes it."""
    with stage.numbers:
        what = st.pills(
            "What is drawn",
            (EQUAL, CLUSTERS),
            default=EQUAL,
            required=True,
            key="what",
            bind="query-params",
        )
    return _equal(stage) if what == EQUAL else _clusters(stage)


def _equal(stage: Stage) -> Equal:
    with stage.numbers:
        count = st.slider("How many", 3, 50, 7, key="many", bind="query-params")
    state = crowding.equally_different(count)
    one = SmallMap(
        f"{count} things on the best map",
        state.places,
        rings=state.radii,
        says=f"{count} points on {len(state.rings)} rings.",
    )
    with stage.picture, st.container(key="equal-map", width=460):
        st.html(small_maps([one], page_ink(), 300, across=1))
    return state


def _clusters(stage: Stage) -> Clusters:
    with stage.numbers:
        perplexity = st.slider(
            "Perplexity (t-SNE)", 2, 49, 15, key="perplexity", bind="query-params"
        )
        neighbours = st.slider("Neighbours (UMAP)", 5, 100, 15, key="umap", bind="query-params")
        with st.container(horizontal=True, vertical_alignment="center"):
            wide = st.toggle("Third cluster ten times as wide", key="wide", bind="query-params")
            another = st.number_input(
                "Start", 0, 99, 0, key="start", bind="query-params", width=120,
                help="0 is where the methods usually begin; others are drawn by lot.",
            )  # fmt: skip
        uncovered = st.toggle("Uncover the numbers", key="uncovered", bind="query-params")
    with stage.picture:
        with st.spinner("Drawing by four methods …", show_time=True):
            state = crowding.three_clusters(perplexity, neighbours, wide=wide, another=another)
        playing = st.session_state.get(_PLAYING, False)
        st.fragment(_drawn, run_every=SECONDS_A_FRAME if playing else None)(state)
    if uncovered:
        stage.numbers.dataframe(_numbers(state), hide_index=True)
    return state


def _drawn(state: Clusters) -> None:
    if st.session_state.get(_PLAYING):
        st.session_state["step"] = min(st.session_state.get("step", FRAMES) + 1, FRAMES)
        if st.session_state["step"] == FRAMES:
            st.session_state[_PLAYING] = False
            st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        last = None if "step" in st.session_state else FRAMES
        step = st.slider("Step (t-SNE and UMAP)", 1, FRAMES, last, key="step", bind="query-params")
        if st.button("Play", icon=":material/play_arrow:", on_click=_play):
            # From within, only this part of the page would run, and only once.
            st.rerun()
    maps = [_small(state, state.truth, state.truth.places)]
    for drawing in state.drawings.values():
        places = drawing.frames[step - 1] if drawing.frames else drawing.places
        maps.append(_small(state, drawing, places))
    st.html(small_maps(maps, page_ink(), 210))


def _play() -> None:
    st.session_state["step"] = 1
    st.session_state[_PLAYING] = True


def _small(state: Clusters, drawing: Drawing, places: FloatArray) -> SmallMap:
    first, second, third = (places[state.cluster == k].mean(axis=0) for k in range(3))
    return SmallMap(
        drawing.title,
        places,
        [(0, 2, 5)[k] for k in state.cluster],
        ((first, third, THICK), (first, second, THIN)),
        says=f"Three clusters by {drawing.title}.",
    )


def _numbers(state: Clusters) -> pd.DataFrame:
    drawings = (state.truth, *state.drawings.values())
    rows = [(one.title, f"{one.far:.1f}", f"{one.size:.1f}") for one in drawings]
    return pd.DataFrame(rows, columns=["Drawn by", "Thick to thin", "Width of the third"])


PANEL = LessonPanel[State](
    crowding.LESSON,
    show,
    Own("The same methods on your own data", COMPARE),
    lambda: Dots(crowding.equally_different(20).places),
)
