"""Lesson 9 on the page: one real map among maps of nothing."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cml_app.panels.evidence.pictures import page_ink, picture
from cml_app.panels.learn.panel import EVIDENCE, LessonPanel, Own, Stage
from cml_app.pictures import later_lessons
from cml_app.pictures.lesson_sketches import Dots
from cml_app.pictures.small_maps import SmallMap, small_maps
from cml_core.lessons import not_proof
from cml_core.lessons.not_proof import KNOWN, PERPLEXITIES, RANDOM_SIZES, LineUp

# In the address: which line-up.
WHICH = "lineup"
_UNCOVER = "uncover-real"
_CHECK = f"check-{not_proof.LESSON.name}-{not_proof.LESSON.checks[0].name}"


def show(stage: Stage) -> LineUp:
    """Twenty maps; once there is a guess they can be uncovered."""
    with stage.numbers:
        known = st.toggle(f"{KNOWN} is known", key="gender", bind="query-params", on_change=_cover)
        st.button("Another line-up", icon=":material/casino:", on_click=_another)
    guessed = st.session_state.get(_CHECK) is not None
    with stage.picture:
        with st.spinner("Drawing twenty maps …", show_time=True):
            state = not_proof.line_up(_which(), known=known)
        # Whoever has guessed may look, and sees the real one marked among the others.
        uncovered = st.toggle(
            "Uncover the real one", key=_UNCOVER, disabled=not guessed,
            help=None if guessed else "First say which it is, under *Check yourself*.",
        )  # fmt: skip
        uncovered = uncovered and guessed
        _maps(state, uncovered)
        if uncovered:
            _told(state)
    return state


def _maps(state: LineUp, uncovered: bool) -> None:
    maps = [
        SmallMap(
            f"{k + 1}" + (" · real" if uncovered and k == state.real else ""),
            places,
            says=f"Map {k + 1}: {places.shape[0]} points.",
            marked=uncovered and k == state.real,
        )
        for k, places in enumerate(state.places)
    ]
    st.html(small_maps(maps, page_ink(), 125, across=4))


def _told(state: LineUp) -> None:
    st.markdown(not_proof.uncovered(state))
    picture(
        later_lessons.stress_strip(state, page_ink()),
        "stresses",
        "The stresses of all maps on one line, the real one marked.",
    )
    st.markdown(
        "**The same with t-SNE**: points of pure noise, in which there is nothing to be found. "
        "The fewer count as neighbours, the more it clumps."
    )
    noise = [
        SmallMap(f"perplexity {p:g}", not_proof.noise_by_tsne(p), says="Noise by t-SNE.")
        for p in PERPLEXITIES
    ]
    st.html(small_maps(noise, page_ink(), 150, across=3))
    st.markdown("**Stress of random numbers** in the plane: it grows with the number of things.")
    table = pd.DataFrame(
        {str(n): [f"{not_proof.stress_of_random(n):.2f}"] for n in RANDOM_SIZES}, index=["Stress"]
    )
    st.table(table.rename_axis("Things", axis=1))


def _which() -> int:
    told = st.query_params.get(WHICH, "")
    return int(told) if told.isdecimal() and len(told) < 6 else 0


def _another() -> None:
    st.query_params[WHICH] = str(_which() + 1)
    _cover()


def _cover() -> None:
    """Other maps, another guess."""
    st.session_state[_CHECK] = None
    st.session_state[_UNCOVER] = False


def _sketch() -> Dots:
    return Dots(not_proof.noise_by_tsne(PERPLEXITIES[0]))


PANEL = LessonPanel[LineUp](
    not_proof.LESSON,
    show,
    Own("Is anything left in your own data?", EVIDENCE, {"question": "Is anything left?"}),
    _sketch,
    (WHICH,),
)
