"""Lesson 10 on the page: points to be dragged, and who fills in the distances."""

from __future__ import annotations

import streamlit as st

from cml_app.drag_map import DragScene, Moved, drag_map
from cml_app.panels.evidence.pictures import page_ink, picture
from cml_app.panels.learn import moved
from cml_app.panels.learn.panel import COMPARE, LessonPanel, Own, Stage
from cml_app.pictures import figures, later_lessons
from cml_app.pictures.lesson_sketches import Dots
from cml_app.pictures.small_maps import THIN, SmallMap, small_maps
from cml_core.lessons import filling_in
from cml_core.lessons.filling_in import CHAIN, FEWEST, GRID, MEU, MOST, RING, TITLES, FilledIn

USUAL, FAR = 9, 100.0
# A certain edge is so wide.
SURE = 6.0


def show(stage: Stage) -> FilledIn:
    """The points, the table, its axes and the map."""
    with stage.numbers:
        method = st.radio(
            "Who fills in the distances?",
            list(TITLES.values()),
            key="who",
            bind="query-params",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            kind = st.pills(
                "Points on a",
                (CHAIN, RING, GRID),
                default=CHAIN,
                required=True,
                key="kind",
                bind="query-params",
                on_change=moved.forget,
            )
            st.button("Begin anew", on_click=moved.forget)
        count = st.slider(
            "Points",
            FEWEST,
            MOST,
            USUAL,
            key="count",
            bind="query-params",
            on_change=moved.forget,
        )
    labels = tuple(str(k + 1) for k in range(count))
    at = {labels.index(name): place for name, place in moved.places(labels, FAR).items()}
    state = filling_in.filled_in(filling_in.figure(kind, count, at), filling_in.called(method))
    _pictures(stage, state)
    return state


def _pictures(stage: Stage, state: FilledIn) -> None:
    linked = state.linked
    labels = tuple(str(k + 1) for k in range(len(linked.places)))
    edges = tuple((int(i), int(j)) for i, j in linked.edges)

    def put_down(one: Moved) -> None:
        moved.put(moved.places(labels, FAR) | {labels[one.object]: one.place})

    with stage.picture:
        left, right = st.columns(2)
        with left:
            st.markdown("**The points**: drag them; lines join neighbours")
            scene = DragScene(
                f"{linked.kind} of {len(labels)}",
                labels,
                linked.places,
                f"A {linked.kind} of {len(labels)} points",
                lines=edges,
            )
            drag_map(scene, key="lesson-points", on_move=put_down)
        with right:
            st.markdown("**The filled-in table** of all distances")
            table = figures.heat_map(labels, state.table, page_ink(), "Distance")
            picture(
                table.update_layout(height=330, margin_l=26), "table", "All distances as colours."
            )
            st.markdown("**The map** from the table")
            with st.container(width=260):
                st.html(small_maps([_map(state)], page_ink(), 240, across=1))
        with left:
            st.markdown("**Its main axes**: the map has the first two")
            says = f"The first two axes show {100 * state.axes[:2].sum():.0f} % of the table."
            picture(later_lessons.main_axes(state, page_ink()), "axes", says)


def _map(state: FilledIn) -> SmallMap:
    widths = SURE * state.sure if state.method == MEU else [THIN] * len(state.linked.edges)
    lines = [
        (state.map[i], state.map[j], float(width))
        for (i, j), width in zip(state.linked.edges, widths, strict=True)
    ]
    title = "the thicker an edge, the surer" if state.method == MEU else TITLES[state.method]
    return SmallMap(title, state.map, lines=lines, says=f"The map by {TITLES[state.method]}.")


def _sketch() -> Dots:
    linked = filling_in.figure(GRID, 12)
    return Dots(linked.places, lines=[(int(i), int(j)) for i, j in linked.edges])


PANEL = LessonPanel[FilledIn](
    filling_in.LESSON,
    show,
    Own("All of these methods on your own data", COMPARE),
    _sketch,
    (moved.AT,),
)
