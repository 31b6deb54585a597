"""Undo and redo in a workspace: moves, fits under way, other tabs, and presses of the buttons."""

from __future__ import annotations

import pytest
from page_tools import page_of, press, tick, unguided, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import background, compute
from cml_app.this_server import now
from cml_app.undo_bar import presses_in
from cml_core import Feature
from cml_core.journey.undoing import redo_in_words, undo_in_words


def headline(app: AppTest) -> str:
    assert not app.exception
    return str(app.title[0].value)


def undo(app: AppTest) -> AppTest:
    held = workspace_of(app)
    held.attempt(held.undo)
    return app.run()


def redo(app: AppTest) -> AppTest:
    held = workspace_of(app)
    held.attempt(held.redo)
    return app.run()


@pytest.fixture
def outside_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked between two runs of a page is asked by somebody, too."""
    here = background.Presence()
    monkeypatch.setattr(background, "presence", lambda: here)


def test_ticks_are_undone_and_done_again_without_a_fit(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    tick(app, "Gender")
    tick(app, "Degree")
    monkeypatch.setattr(compute, "begin", lambda *_, **__: pytest.fail("it was fitted again"))
    undo(undo(app))
    assert headline(app).endswith("with nothing known yet")
    assert not any(box.value for box in app.checkbox if box.label in ("Gender", "Degree"))
    undo(app)
    assert len(workspace_of(app).journey.steps) == 3
    redo(redo(redo(app)))
    assert headline(app).endswith("with Gender and Degree taken out")


def test_a_fit_under_way_is_left_with_all_that_was_to_come_of_it(
    app: AppTest, outside_a_run: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = workspace_of(app)
    tick(app, "Gender")
    stopped: list[bool] = []

    class Fitting(compute.Job):
        def ends_within(self, _: float) -> bool:
            return False

        def cancel(self) -> None:
            stopped.append(True)

    fitting = Fitting(held.step.problem, larger=compute.places()._large)
    monkeypatch.setattr(compute, "begin", lambda *_, **__: fitting)
    held.attempt(held.add, Feature.numeric("Drawn", range(14)))
    assert "Drawn" in held.journey.features
    undo(app)
    assert stopped
    assert held.job is None
    assert "Drawn" not in held.journey.features
    assert held.question.known_names == ("Gender",)
    assert undo_in_words(held.journey) == "tick Gender"


@pytest.mark.usefixtures("outside_a_run")
def test_a_renamed_and_removed_feature_comes_back_with_its_tick(app: AppTest) -> None:
    tick(app, "Gender")
    held = workspace_of(app)
    held.attempt(held.rename, "Gender", "Sex")
    held.attempt(held.remove, "Sex")
    app.run()
    assert headline(app).endswith("with nothing known yet")
    undo(undo(app))
    assert headline(app).endswith("with Gender taken out")
    assert next(box for box in app.checkbox if box.label == "Gender").value
    assert redo_in_words(held.journey) == "rename Gender to Sex"


def test_each_tab_undoes_its_own_and_keeps_what_the_other_did(app: AppTest) -> None:
    tick(unguided(app), "Gender")
    token = workspace_of(app).token
    assert token
    other = page_of()
    other.query_params["project"] = token
    other.run()
    tick(other, "Degree")
    tick(app, "Generation")
    assert len(workspace_of(app).journey.steps) == 4
    undo(app)
    assert headline(app).endswith("with Gender taken out")
    undo(other)
    assert headline(other).endswith("with Gender taken out")
    assert len(workspace_of(other).journey.steps) == 4


def test_a_reload_knows_what_can_be_undone(app: AppTest) -> None:
    tick(app, "Gender")
    held = workspace_of(app)
    held.attempt(held.change, held.journey.titled("Kin", now()))
    again = page_of()
    again.query_params["project"] = str(held.token)
    again.run()
    assert undo_in_words(workspace_of(again).journey) == "name the project"
    undo(undo(again))
    assert headline(again) == "Kinship terms, with nothing known yet"


def test_each_press_is_done_once_however_often_it_is_told() -> None:
    script = """
import streamlit as st
from cml_app.undo_bar import undo_bar
heard = st.session_state.setdefault("heard", [])
undo_bar("this", "", heard.append, key="bar")
"""
    page = AppTest.from_string(script).run()
    told = (["undo"], ["undo"], ["undo", "undo", "redo"], ["undo", "undo", "redo"])
    for moves in told:
        page.session_state["bar"] = {"pressed": {"bar": "a", "moves": moves}}
        page.run()
    assert page.session_state["heard"] == ["undo", "undo", "redo"]
    page.session_state["bar"] = {"pressed": {"bar": "b", "moves": ["undo"]}}
    page.run()
    assert page.session_state["heard"] == ["undo", "undo", "redo", "undo"]


@pytest.mark.parametrize("sent", [None, 3, {}, {"bar": "a", "moves": 7}, {"moves": ["jump", 3]}])
def test_nonsense_is_no_press(sent: object) -> None:
    assert presses_in(sent)[1] == ()


@pytest.mark.usefixtures("outside_a_run")
def test_a_control_that_was_on_the_page_before_is_not_heard_again(app: AppTest) -> None:
    tick(app, "Gender")
    held = workspace_of(app)
    key = f"known-Gender-{held.revision}"
    undo(app)
    held.hear(key, held.ask, held.question.knowing("Gender"))
    assert headline(app.run()).endswith("with nothing known yet")
    held.hear(f"known-Gender-{held.revision}", held.ask, held.question.knowing("Gender"))
    assert headline(app.run()).endswith("with Gender taken out")


def test_an_undone_step_keeps_what_all_and_none_do(app: AppTest) -> None:
    press(unguided(app), "All")
    assert undo_in_words(workspace_of(app).journey) == "tick Gender, Generation, Degree"
    undo(app)
    assert headline(app).endswith("with nothing known yet")
