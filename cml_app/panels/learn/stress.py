"""Lesson 1 on the page: ten cities to be moved about."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cml_app.drag_map import DragScene, Moved, drag_map
from cml_app.panels.learn import moved
from cml_app.panels.learn.panel import EVIDENCE, LessonPanel, Own, Stage
from cml_app.pictures.lesson_sketches import Dots
from cml_core.lessons import stress
from cml_core.lessons.stress import CITIES, CityMap
from cml_core.values.arrays import FloatArray

# In the session: how often the map was relaxed, and the way that it went last.
_WAY = "relaxed"


def show(stage: Stage) -> CityMap:
    """The map, and what turns it."""
    with stage.numbers:
        with st.container(horizontal=True, vertical_alignment="center"):
            relax = st.button("Relax", type="primary", icon=":material/south:")
            st.button("Begin anew", on_click=moved.forget)
            mirrored = st.toggle("Mirror", key="mirror", bind="query-params")
        turn = st.slider("Turn", 0, 355, 0, 5, format="%d°", key="turn", bind="query-params")
    motion = stress.motion(turn, mirrored)
    if relax:
        _relax()
    times, way = st.session_state.get(_WAY, (0, None))
    state = stress.city_map(_moved(), turn, mirrored)
    scene = DragScene(
        f"cities#{times}",
        tuple(CITIES),
        state.places,
        "Ten cities",
        np.asarray(stress.flights().condensed, dtype=np.float64),
        springs=True,
        way=None if way is None else way @ motion,
    )

    def put_down(one: Moved) -> None:
        x, y = np.array(one.place) @ motion.T
        moved.put(_moved() | {scene.labels[one.object]: (float(x), float(y))})

    with stage.picture:
        drag_map(scene, key="lesson-map", on_move=put_down)
    return state


def _moved() -> dict[str, tuple[float, float]]:
    """Where the address has cities, in kilometres."""
    return moved.places(tuple(CITIES), stress.FAR)


def _relax() -> None:
    way = stress.relaxed(stress.city_map(_moved(), 0, False).places)
    times, _ = st.session_state.get(_WAY, (0, None))
    st.session_state[_WAY] = times + 1, way
    end: FloatArray = way[-1]
    moved.put({name: (float(x), float(y)) for name, (x, y) in zip(CITIES, end, strict=True)})


def _sketch() -> Dots:
    places = stress.best_map().embedding
    return Dots(places, lines=[(stress.ROME, j) for j in range(len(places)) if j != stress.ROME])


PANEL = LessonPanel[CityMap](
    stress.LESSON,
    show,
    Own("The same diagram of your own map", EVIDENCE, {"question": "Can I trust this map?"}),
    _sketch,
    (moved.AT,),
)
