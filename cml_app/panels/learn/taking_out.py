"""Lesson 4 on the page: a distance for gender, and what the map shows of the rest."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cml_app.discovery_map import Colouring
from cml_app.drag_map import DragScene, drag_map
from cml_app.panels.learn.panel import DISCOVER, LessonPanel, Own, Stage, ticking
from cml_app.pictures.figures import ink
from cml_app.pictures.lesson_figures import valley
from cml_app.pictures.lesson_sketches import Dots
from cml_app.shell import is_dark
from cml_core.lessons import kin, taking_out
from cml_core.lessons.taking_out import FURTHEST, TakenOut

_APART = "apart"


def show(stage: Stage) -> TakenOut:
    """The slider, the map, and the curve with its valley."""
    with stage.numbers:
        apart = st.slider(
            "How far apart women and men are",
            0.0,
            FURTHEST,
            0.0,
            0.1,
            format="%.1f",
            key=_APART,
            bind="query-params",
        )
        st.button("Find it", type="primary", icon=":material/search:", on_click=_find)
    state = taking_out.taken_out(round(apart, 1))
    labels = tuple(kin.known("Gender")["Gender"].levels)
    scene = DragScene(
        f"apart {apart}",
        kin.terms().labels,
        state.places,
        "Kinship terms",
        movable=False,
        lines=kin.pairs(),
        colour=Colouring("Gender", "categorical", kin.gender().values, labels),
    )
    with stage.picture:
        drag_map(scene, key="lesson-map", on_move=lambda _: None)
        st.caption("Lines join terms that differ in nothing but gender.")
    with stage.numbers:
        st.plotly_chart(
            valley(
                *taking_out.curve(),
                (state.apart, state.stress),
                "how far apart women and men are",
                ink(is_dark()),
            ),
            theme=None,
            config={"displayModeBar": False},
            key="valley",
        )
    return state


def _find() -> None:
    st.session_state[_APART] = float(np.round(taking_out.best_apart(), 1))


def _sketch() -> Dots:
    places = taking_out.taken_out(30.0).places
    return Dots(places, [int(value) for value in kin.gender().values], kin.pairs())


PANEL = LessonPanel[TakenOut](
    taking_out.LESSON,
    show,
    Own("Tick what is known of your own data", DISCOVER, prepare=ticking("Gender")),
    _sketch,
)
