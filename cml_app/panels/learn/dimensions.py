"""Lesson 8 on the page: how many features were hidden?"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from cml_app.panels.evidence.pictures import page_ink, picture
from cml_app.panels.learn.panel import EVIDENCE, LessonPanel, Own, Stage
from cml_app.pictures import evidence_figures
from cml_app.pictures.lesson_sketches import Dots
from cml_core.lessons import dimensions
from cml_core.lessons.dimensions import Covered

# In the address: which draw of the lot.
LOT = "lot"
_UNCOVER = "uncover-hidden"
FEWEST, MOST, USUAL = 20, 60, 30
MOST_NOISE, USUAL_NOISE = 30, 5


def show(stage: Stage) -> Covered:
    """Stress and held-out error, and what changes them."""
    with stage.numbers:
        noise = st.slider(
            "Noise", 0, MOST_NOISE, USUAL_NOISE, format="%d %%", key="noise", bind="query-params"
        )
        count = st.slider("Brands", FEWEST, MOST, USUAL, 5, key="brands", bind="query-params")
        st.button("Draw another lot", icon=":material/casino:", on_click=_another)
    with stage.picture:
        with st.spinner("Fitting with more and more dimensions …", show_time=True):
            state = dimensions.covered(_lot(), noise / 100, count)
        figure = evidence_figures.scree(state.found, page_ink())
        picture(
            # What held-out pairs choose is marked only afterwards.
            figure if _is_uncovered() else go.Figure(figure.data[:2], figure.layout),
            "scree",
            "The unexplained share by dimensions, for pairs that were fitted and pairs held out.",
        )
        _hidden(state)
    return state


def _hidden(state: Covered) -> None:
    """Covered until there is a guess, and then told whenever it is asked for."""
    guessed = _has_guessed()
    st.toggle(
        "Uncover what was hidden", key=_UNCOVER, disabled=not guessed,
        help=None if guessed else "First guess, under *Check yourself*.",
    )  # fmt: skip
    st.markdown(dimensions.uncovered(state) if _is_uncovered() else "Hidden features: **?**")


def _has_guessed() -> bool:
    return st.session_state.get(_guess()) is not None


def _is_uncovered() -> bool:
    return _has_guessed() and bool(st.session_state.get(_UNCOVER))


def _guess() -> str:
    return f"check-{dimensions.LESSON.name}-{dimensions.LESSON.checks[0].name}"


def _lot() -> int:
    told = st.query_params.get(LOT, "")
    return int(told) if told.isdecimal() and len(told) < 6 else 0


def _another() -> None:
    st.query_params[LOT] = str(_lot() + 1)
    st.session_state[_guess()] = None
    st.session_state[_UNCOVER] = False


def _sketch() -> Dots:
    left = dimensions.covered(0, USUAL_NOISE / 100, USUAL).found.unexplained
    places = [[p, share] for p, share in enumerate(left)]
    lines = [(p, p + 1) for p in range(len(left) - 1)]
    return Dots(np.array(places), lines=lines, stretched=True)


PANEL = LessonPanel[Covered](
    dimensions.LESSON,
    show,
    Own(
        "How many dimensions are left in your own data?",
        EVIDENCE,
        {"question": "Is anything left?"},
    ),
    _sketch,
    (LOT,),
)
