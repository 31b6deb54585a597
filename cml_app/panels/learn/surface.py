"""Lesson 6 on the page: a roll to be unrolled."""

from __future__ import annotations

import streamlit as st

from cml_app.panels.evidence.pictures import page_ink, picture
from cml_app.panels.learn.panel import COMPARE, LessonPanel, Own, Stage
from cml_app.pictures import later_lessons
from cml_app.pictures.lesson_sketches import Dots
from cml_core.lessons import surface
from cml_core.lessons.surface import FEWEST, MOST, Unrolled
from cml_core.values.words import counted

# In the address: how many of the worst edges were removed.
REMOVED = "removed"
POINTS, USUAL_K, MOST_NOISE = (300, 600), 5, 1.0


def show(stage: Stage) -> Unrolled:
    """The roll with its graph, the map beside it, and what changes them."""
    with stage.numbers:
        k = st.slider(
            "Neighbours",
            FEWEST,
            MOST,
            USUAL_K,
            key="k",
            bind="query-params",
            on_change=_with_all_edges,
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            points = st.pills(
                "Points",
                POINTS,
                default=POINTS[-1],
                required=True,
                key="points",
                bind="query-params",
                on_change=_with_all_edges,
            )
            noise = st.slider(
                "Pushed off the sheet",
                0.0,
                MOST_NOISE,
                0.0,
                0.1,
                key="pushed",
                bind="query-params",
                on_change=_with_all_edges,
            )
    with stage.picture, st.spinner("Walking from neighbour to neighbour …", show_time=True):
        state = surface.unrolled(k, points, noise, _removed())
        _pictures(state)
    with stage.numbers:
        st.button(
            "Remove the worst edge",
            icon=":material/content_cut:",
            disabled=not state.shortcuts,
            help="The red edge that skips most of the roll; there is none to remove now."
            if not state.shortcuts
            else "The red edge that skips most of the roll.",
            on_click=_remove,
            args=(state.removed + 1,),
        )
    return state


def _pictures(state: Unrolled) -> None:
    left, right = st.columns(2)
    cuts = counted(state.shortcuts, "red edge jumps", "red edges jump")
    with left:
        st.markdown("**The roll and its edges**: drag to turn it")
        picture(
            later_lessons.roll(state, page_ink()),
            "roll",
            f"A rolled sheet of {len(state.roll.points)} points in space; {cuts} to another layer.",
        )
    with right:
        st.markdown("**The map**: colours as along the roll")
        if len(state.places):
            picture(
                later_lessons.flat_sheet(state, page_ink()),
                "sheet",
                f"The map of Isomap. It has R² = {state.right:.3f} of the true sheet right.",
            )
        else:
            st.info(f"No map: the graph is in {len(state.sizes)} pieces.")


def _removed() -> int:
    told = st.query_params.get(REMOVED, "")
    return int(told) if told.isdecimal() and len(told) < 6 else 0


def _remove(count: int) -> None:
    st.query_params[REMOVED] = str(count)


def _with_all_edges() -> None:
    st.query_params.pop(REMOVED, None)


def _sketch() -> Dots:
    points = surface.swiss_roll(POINTS[0]).points
    angle = surface.swiss_roll(POINTS[0]).angle
    return Dots(points[:, [0, 2]], [int(turn // 1.6) % 7 for turn in angle])


PANEL = LessonPanel[Unrolled](
    surface.LESSON,
    show,
    Own("Isomap of your own data, beside other methods", COMPARE),
    _sketch,
    (REMOVED,),
)
