"""Lesson 3 on the page: starts, the way that each goes, and all ends so far."""

from __future__ import annotations

from base64 import b64encode

import streamlit as st

from cml_app.drag_map import DragScene, drag_map
from cml_app.panels.learn.panel import EVIDENCE, LessonPanel, Own, Stage
from cml_app.pictures.figures import ink
from cml_app.pictures.lesson_figures import strip
from cml_app.pictures.lesson_sketches import Dots, svg
from cml_app.shell import is_dark
from cml_core.lessons import kin, traps
from cml_core.lessons.traps import DIMENSIONS, MOST, Search
from cml_core.values.arrays import FloatArray

# In the address: how many starts were made in 1, 2 and 3 dimensions.
STARTS = "starts"
_GALLERY = 6


def show(stage: Stage) -> Search:
    """The last start on its way; beside it where all of them ended."""
    with stage.numbers:
        dimensions = st.segmented_control(
            "Dimensions", list(DIMENSIONS), default=2, required=True, key="dimensions",
            bind="query-params",
        )  # fmt: skip
        with st.container(horizontal=True):
            for words, count in (("One more start", 1), ("100 more", 100)):
                st.button(
                    words,
                    type="primary" if count == 1 else "secondary",
                    on_click=_more,
                    args=(dimensions, count),
                )
    state = traps.search(dimensions, starts())
    count = state.starts[dimensions - 1]
    last = count - 1
    scene = DragScene(
        f"start {dimensions}-{last}",
        kin.terms().labels,
        traps.flat(traps.end(dimensions, last).places),
        "Kinship terms",
        movable=False,
        lines=kin.pairs(),
        way=traps.way(dimensions, last),
    )
    with stage.picture:
        drag_map(scene, key="lesson-map", on_move=lambda _: None)
        if count > 1:
            _others(state)
    with stage.numbers:
        stresses = [one.stress for one in state.ends(dimensions)]
        st.plotly_chart(
            strip(stresses, ink(is_dark())),
            theme=None,
            config={"displayModeBar": False},
            key="ends",
        )
    return state


def starts() -> dict[int, int]:
    """How many the address has; whatever of it is no number counts as none."""
    told = st.query_params.get(STARTS, "").split("-")
    return {p: int(one) for p, one in zip(DIMENSIONS, told, strict=False) if one.isdecimal()}


def _more(dimensions: int, count: int) -> None:
    had = traps.search(dimensions, starts()).starts
    new = [min(n + count * (p == dimensions), MOST) for p, n in zip(DIMENSIONS, had, strict=True)]
    st.query_params[STARTS] = "-".join(map(str, new))


def _others(state: Search) -> None:
    """The best of the different maps, small."""
    st.caption("The best of the different maps, turned to match the first:")
    figures = "".join(
        f'<figure><img alt="" src="data:image/svg+xml;base64,{_picture(one.places)}">'
        f"<figcaption>{one.stress:.4f}</figcaption></figure>"
        for one in traps.gallery(state, _GALLERY)
    )
    st.html(f'<div class="lesson-gallery">{figures}</div>')


def _picture(places: FloatArray) -> str:
    codes = [int(value) for value in kin.gender().values]
    return b64encode(svg(Dots(traps.flat(places), codes, kin.pairs())).encode()).decode()


def _sketch() -> Dots:
    places = traps.flat(traps.end(2, 0).places)
    return Dots(places, [int(value) for value in kin.gender().values], kin.pairs())


PANEL = LessonPanel[Search](
    traps.LESSON,
    show,
    Own("Other maps of your own data", EVIDENCE, {"question": "Can I trust this map?"}),
    _sketch,
    (STARTS,),
)
