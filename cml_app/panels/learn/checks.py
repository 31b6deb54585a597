"""Questions of a lesson, answered on the page; any number of tries, and who was right is kept."""

from __future__ import annotations

import streamlit as st

from cml_core.lessons.lesson import AnyLesson, Check
from cml_core.values.words import unbroken

# In the session alone: (lesson, check) that were answered right.
_ANSWERED = "answered"


def answered() -> set[tuple[str, str]]:
    """Which checks this visitor has answered; gone when they go."""
    held: set[tuple[str, str]] = st.session_state.setdefault(_ANSWERED, set())
    return held


def is_done(lesson: AnyLesson) -> bool:
    """Whether all checks of a lesson were answered right."""
    return all((lesson.name, check.name) in answered() for check in lesson.checks)


def show(lesson: AnyLesson, state: object) -> None:
    """Each question with what is said to the last answer."""
    for check in lesson.checks:
        said = _asked(lesson, check)
        if said is None:
            continue
        verdict = check.right(state, said)
        words = unbroken(verdict.words)
        if verdict.right:
            answered().add((lesson.name, check.name))
            st.success(f"Right. {words}", icon=":material/check:")
        else:
            st.info(f"Not yet. {words}", icon=":material/replay:")


def _asked(lesson: AnyLesson, check: Check[object]) -> str | float | None:
    key = f"check-{lesson.name}-{check.name}"
    if check.choices:
        return st.radio(check.ask, check.choices, index=None, key=key, horizontal=True)
    return st.number_input(
        check.ask,
        value=None,
        step=check.tolerance or 1.0,
        format="%g",
        key=key,
        width=320,
        help=f"What is off by {check.tolerance:g} at most counts as right."
        if check.tolerance
        else None,
    )
