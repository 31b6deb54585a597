"""All lessons as pictures, and the way to puzzles."""

from __future__ import annotations

from base64 import b64encode

import streamlit as st

from cml_app import help_pages
from cml_app.panels.learn import checks, frame
from cml_app.panels.learn.panel import AnyLessonPanel
from cml_app.panels.learn.registry import PANELS
from cml_app.pictures.lesson_sketches import svg
from cml_app.workspace import Workspace


def show(_: Workspace) -> None:
    """A card for each lesson; the whole card opens it."""
    done = sum(checks.is_done(panel.lesson) for panel in PANELS.values())
    st.markdown(
        "Short lessons on maps of dissimilarities: something to move, a picture that answers, and "
        "a question at the end. Nothing to install, nothing to read first."
        + (f" **{done} of {len(PANELS)} done.**" if done else "")
    )
    with st.container(horizontal=True, gap="small", key="lessons"):
        for number, panel in enumerate(PANELS.values(), 1):
            _card(number, panel)
    if papers := help_pages.link(help_pages.PAPERS, "The papers, run again"):
        st.markdown(f"{papers}: every table and figure of theirs, with a verdict.")


def _card(number: int, panel: AnyLessonPanel) -> None:
    lesson = panel.lesson
    with st.container(border=True, key=f"lesson-card-{lesson.name}"):
        st.html(_sketch(lesson.name))
        tick = " :material/check_circle:" if checks.is_done(lesson) else ""
        st.button(
            f"{number} · {lesson.title}{tick}",
            key=f"open-{lesson.name}",
            type="tertiary",
            on_click=frame.open_lesson,
            args=(lesson.name,),
        )


@st.cache_data(show_spinner=False)
def _sketch(name: str) -> str:
    """Without words of its own, because what stands below it says what it is."""
    picture = b64encode(svg(PANELS[name].sketch()).encode()).decode()
    return f'<img alt="" src="data:image/svg+xml;base64,{picture}">'
