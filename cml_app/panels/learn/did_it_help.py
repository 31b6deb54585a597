"""Lesson 5 on the page: one thing more is known, and pairs are asked that were not fitted."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cml_app.discovery_map import Colouring, MapState, Scene, discovery_map
from cml_app.panels.learn import asking
from cml_app.panels.learn.panel import EVIDENCE, LessonPanel, Own, Stage, ticking
from cml_app.pictures.figures import ink
from cml_app.pictures.lesson_figures import before_and_after
from cml_app.pictures.lesson_sketches import Dots
from cml_app.shell import is_dark
from cml_core.drawing.arrow import Arrow
from cml_core.lessons import did_it_help, kin
from cml_core.lessons.did_it_help import ARROW, CHOICES, DEGREE, RANDOM, Added, Choice

# In the address: where the arrow points, and which random numbers.
DEGREES, ROLL = "degrees", "roll"


def show(stage: Stage) -> Added:
    """What is added, the map that it is drawn on, and what the stress makes of it."""
    with stage.numbers:
        name = st.radio("Add", CHOICES, key="add", bind="query-params")
        if name == RANDOM:
            st.button("Roll again", icon=":material/casino:", on_click=_roll)
    with stage.picture:
        state = _map(name)
        if name == ARROW and isinstance(state.drawing, Arrow):
            _point(state.drawing)
    choice = Choice(name, _whole(ROLL), _whole(DEGREES))
    with stage.numbers:
        helped = asking.asked(choice)
        seen = did_it_help.added(choice, helped)
        st.plotly_chart(
            before_and_after(seen.before, seen.after, helped.get(choice), ink(is_dark())),
            theme=None,
            config={"displayModeBar": False},
            key="before-and-after",
        )
    return seen


def _map(name: str) -> MapState:
    choice = Choice(name, _whole(ROLL), _whole(DEGREES))
    feature = did_it_help.feature_of(choice)
    places = kin.best_fit("Gender").embedding
    scene = Scene(
        "gender known",
        kin.terms().labels,
        places[:, 0],
        places[:, 1],
        "Kinship terms with Gender known",
        colour=Colouring(feature.name, "sequential", feature.values),
        tools=("move", "arrow") if name == ARROW else ("move",),
        tool="arrow" if name == ARROW else "move",
        drawing=did_it_help.arrow_of(choice) if name == ARROW else None,
        # Whatever is chosen, the map begins with its tool and its arrow.
        revision=CHOICES.index(name),
    )
    with st.container(key="lesson-drawing"):
        return discovery_map(scene, key="lesson-arrow")


def _point(arrow: Arrow) -> None:
    across, up = np.subtract(arrow.end, arrow.start)
    degrees = str(round(float(np.degrees(np.arctan2(up, across)))) % 360)
    if st.query_params.get(DEGREES, "0") != degrees:
        st.query_params[DEGREES] = degrees


def _roll() -> None:
    st.query_params[ROLL] = str(_whole(ROLL) + 1)


def _whole(name: str) -> int:
    told = st.query_params.get(name, "")
    return int(told) % 10**6 if told.isdecimal() and len(told) < 10 else 0


def _sketch() -> Dots:
    places = kin.best_fit("Gender").embedding
    degree = kin.known("Degree")[DEGREE].values
    return Dots(places, [int(value) % 7 for value in degree])


PANEL = LessonPanel[Added](
    did_it_help.LESSON,
    show,
    Own(
        "Ask this of your own features",
        EVIDENCE,
        {"question": "Did it help?"},
        ticking("Gender", DEGREE),
    ),
    _sketch,
    (DEGREES, ROLL),
)
