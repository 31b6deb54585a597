"""What all lessons have in common on the page: words, picture, numbers, checks, and where to go."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cml_app import help_pages
from cml_app.first_maps import OPENING_EXAMPLE
from cml_app.panels.learn import checks
from cml_app.panels.learn.panel import AnyLessonPanel, Own, Stage
from cml_app.panels.learn.registry import PANELS
from cml_app.workspace import Workspace
from cml_core import load_dataset
from cml_core.lessons.lesson import AnyLesson
from cml_core.values.words import unbroken

# In the address: which lesson.
LESSON = "lesson"


def show(workspace: Workspace, panel: AnyLessonPanel) -> None:
    """One lesson from top to bottom."""
    lesson = panel.lesson
    names = list(PANELS)
    place = names.index(lesson.name)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-head"):
        st.button("All lessons", icon=":material/apps:", type="tertiary", on_click=leave)
        st.caption(f"Lesson {place + 1} of {len(names)}")
    st.title(lesson.title)
    st.container(key="lesson-words").markdown(lesson.words)
    left, right = st.columns([2, 1], gap="medium")
    stage = Stage(left.container(key="lesson-picture"), right.container(key="lesson-numbers"))
    state = panel.show(stage)
    with stage.numbers:
        st.markdown(unbroken(lesson.told(state)))
        st.header("Check yourself")
        checks.show(lesson, state)
    _own(workspace, panel.own)
    _folded(lesson)
    with st.container(horizontal=True, horizontal_alignment="distribute", key="lesson-ways"):
        for step, words in ((-1, "Before: {}"), (1, "Next: {}")):
            if 0 <= place + step < len(names):
                other = names[place + step]
                st.button(
                    words.format(PANELS[other].lesson.title),
                    key=f"go-{other}",
                    type="primary" if step > 0 else "secondary",
                    on_click=open_lesson,
                    args=(other,),
                )


def open_lesson(name: str) -> None:
    """Go to a lesson as it begins; what controls are bound to leaves the address by itself."""
    leave()
    st.query_params[LESSON] = name


def leave() -> None:
    """Back to all lessons."""
    for entry in (LESSON, *(one for panel in PANELS.values() for one in panel.entries)):
        st.query_params.pop(entry, None)


def _own(workspace: Workspace, own: Own) -> None:
    st.header("Try it on your own data")
    example = workspace.journey.title == load_dataset(OPENING_EXAMPLE).title
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(own.words, key="lesson-own", icon=":material/arrow_forward:"):
            workspace.attempt(own.prepare, workspace)
            st.switch_page(own.page, query_params=dict(own.query))
        if example:
            st.caption("You have brought none yet, so this opens the kinship terms.")


def _folded(lesson: AnyLesson) -> None:
    if lesson.review:
        with st.expander(f"To end with: {lesson.review.ask}"):
            st.markdown(lesson.review.answer)
    with st.expander("The mathematics"):
        st.markdown(lesson.mathematics)
        if more := help_pages.link(help_pages.MATHEMATICS, "All of it, with numbered equations"):
            st.markdown(more)
    with st.expander("For teachers"):
        st.markdown(_for_teachers(lesson))


def _for_teachers(lesson: Any) -> str:
    cures = "\n".join(f"- {one}" for one in lesson.cures)
    parts = [
        f"**Takes** about {lesson.minutes} minutes. The address of this page opens exactly what "
        "is on your screen.",
        f"**Cures**\n\n{cures}",
        f"**To ask** {lesson.asks}",
        f"**What goes wrong** {lesson.goes_wrong}",
    ]
    return "\n\n".join(parts)
