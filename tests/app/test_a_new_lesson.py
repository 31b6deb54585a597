"""A lesson of one's own is a module in the core, one on the page and a line for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import streamlit as st
from page_tools import page_of, said

from cml_app.panels.learn.panel import DISCOVER, LessonPanel, Own, Stage
from cml_app.panels.learn.registry import PANELS
from cml_app.pictures.lesson_sketches import Dots
from cml_core.lessons.lesson import Check, Lesson
from cml_core.values.arrays import Value

# The lesson.


@dataclass(frozen=True, eq=False)
class Detour(Value):
    """Two towns two miles apart, and a third so far off the middle of the road."""

    off: float

    @property
    def longer(self) -> float:
        return float(np.hypot(1.0, self.off))


LESSON = Lesson[Detour](
    name="detour",
    title="A detour",
    words="A third town lies **off** the road. How much longer is the way through it?",
    cures=("Distances may be whatever they like.",),
    told=lambda state: f"The way through it is **{state.longer:.2f}** times as long.",
    checks=(
        Check(
            "longer",
            "How many times as long is it now?",
            lambda state: state.longer,
            lambda _state, _said: "It is two sides of a triangle, beside the third.",
            tolerance=0.01,
        ),
    ),
    mathematics=r"$\sqrt{1 + h^2}$ for a town that lies $h$ miles off.",
    minutes=5,
    asks="Can the way through a third town be shorter?",
    goes_wrong="Some take the detour for the sum of both ways.",
)

# The panel.


def show(stage: Stage) -> Detour:
    with stage.numbers:
        off = st.slider("Miles off the road", 0.0, 3.0, 0.0, 0.25, key="off", bind="query-params")
    with stage.picture:
        st.line_chart({"miles off": [0.0, off, 0.0]})
    return Detour(off)


PANEL = LessonPanel[Detour](
    LESSON,
    show,
    Own("Your own distances", DISCOVER),
    lambda: Dots(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]), lines=[(0, 1), (1, 2)]),
)

# It works as the others do.


def test_a_new_lesson_stands_among_the_others_and_is_opened_and_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(PANELS, LESSON.name, PANEL)
    page = page_of("pages/5_Learn.py").run()
    page.button(key="open-detour").click().run()
    assert page.title[0].value == "A detour"
    page.slider(key="off").set_value(0.75).run()
    assert "**1.25** times" in said(page)
    question = page.number_input(key="check-detour-longer")
    question.set_value(1.5).run()
    assert "Not yet." in page.info[0].value
    page.number_input(key="check-detour-longer").set_value(1.25).run()
    assert "Right." in page.success[0].value
