"""Lesson 1 on the page: ten cities to be moved about."""

from __future__ import annotations

import streamlit as st

from cml_app.discovery_map import Scene, discovery_map
from cml_app.panels.learn.panel import EVIDENCE, LessonPanel, Own, Stage
from cml_app.pictures.lesson_sketches import Dots
from cml_core.lessons import stress
from cml_core.lessons.stress import CITIES, CityMap


def show(stage: Stage) -> CityMap:
    """The map, and what turns it."""
    with stage.numbers, st.container(horizontal=True, vertical_alignment="bottom"):
        mirrored = st.toggle("Mirror", key="mirror", bind="query-params")
        turn = st.slider("Turn", 0, 355, 0, 5, format="%d°", key="turn", bind="query-params")
    state = stress.city_map({}, turn, mirrored)
    with stage.picture:
        scene = Scene(
            "cities",
            tuple(CITIES),
            state.places[:, 0],
            state.places[:, 1],
            "Cities",
            tools=("move",),
        )
        discovery_map(scene, key="lesson-map")
    return state


def _sketch() -> Dots:
    places = stress.best_map().embedding
    return Dots(places, lines=[(stress.ROME, j) for j in range(len(places)) if j != stress.ROME])


PANEL = LessonPanel[CityMap](
    stress.LESSON,
    show,
    Own(
        "The same diagram of your own map",
        EVIDENCE,
        {"question": "Can I trust this map?"},
    ),
    _sketch,
)
