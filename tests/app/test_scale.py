"""What the numbers mean, on the Discover page, run without a browser."""

from __future__ import annotations

import json

import pytest
from page_tools import tick, workspace_of
from streamlit.testing.v1 import AppTest
from test_evidence_scales import of_errors

from cml_core.journey.file import from_json, to_json
from cml_core.values.origin import Origin


def choose_scale(app: AppTest, name: str) -> AppTest:
    return app.selectbox(key=f"scale-{workspace_of(app).revision}").set_value(name).run()


def captions(app: AppTest) -> str:
    return " ".join(one.value for one in app.caption)


def test_another_scale_is_one_step_and_says_what_is_believed(app: AppTest) -> None:
    before = len(workspace_of(app).journey.steps)
    choose_scale(app, "ordinal")
    held = workspace_of(app)
    assert not app.exception
    assert not app.error
    assert len(held.journey.steps) == before + 1
    assert held.step.problem.scale == "ordinal"
    assert held.journey.name_of(held.step.id) == "Only the order"
    assert "Which of two pairs is more alike counts" in captions(app)


@pytest.mark.slow
def test_shares_on_different_scales_are_not_compared(app: AppTest) -> None:
    first = workspace_of(app).step.id
    choose_scale(app, "interval")
    text = " ".join(one.value for one in app.markdown)
    assert "the shares cannot be compared" in text
    assert "at the step before)" not in text
    app.selectbox(key=f"beside-{workspace_of(app).step.id}").set_value(first).run()
    assert "The two maps are on different scales" in captions(app)
    tick(app, "Gender")
    assert "at the step before)" in " ".join(one.value for one in app.markdown)


@pytest.mark.slow
def test_a_tick_keeps_the_scale_and_a_step_before_brings_its_own(app: AppTest) -> None:
    first = workspace_of(app).step.id
    choose_scale(app, "spline")
    tick(app, "Gender")
    assert workspace_of(app).step.problem.scale == "spline"
    held = workspace_of(app)
    held.visit(first)
    app.run()
    assert workspace_of(app).question.scale == "ratio"


@pytest.mark.slow
def test_ties_are_asked_for_only_where_the_order_alone_counts(app: AppTest) -> None:
    assert not [one for one in app.selectbox if one.label == "Equal numbers"]
    choose_scale(app, "ordinal")
    [ties] = [one for one in app.selectbox if one.label == "Equal numbers"]
    ties.set_value("secondary").run()
    held = workspace_of(app)
    assert held.step.problem.ties == "secondary"
    assert held.journey.name_of(held.step.id) == "Ties stay ties"


@pytest.mark.parametrize("scale", ["interval", "power", "spline", "ordinal"])
@pytest.mark.slow
def test_a_project_keeps_scale_and_curve_to_the_last_digit(app: AppTest, scale: str) -> None:
    choose_scale(app, scale)
    journey = workspace_of(app).journey
    again = from_json(to_json(journey))
    assert json.loads(to_json(again)) == json.loads(to_json(journey))
    assert journey.current is not None
    assert again.current is not None
    assert again.current.problem.scale == scale
    assert again.current.fit.scaled.tolist() == journey.current.fit.scaled.tolist()


@pytest.mark.parametrize(
    ("kind", "errors", "told"),
    [
        ("ratings", (0.5, 0.4, 0.1, 0.2, 0.3), True),
        ("ratings", (0.5, 0.4, 0.4, 0.4, 0.1), False),
        ("pairs", (0.5, 0.4, 0.1, 0.2, 0.3), False),
    ],
)
def test_of_ratings_it_is_said_what_cannot_be_told_on_the_scale_that_is_advised(
    app: AppTest, kind: str, errors: tuple[float, ...], told: bool
) -> None:
    held = workspace_of(app)
    journey = held.journey.with_origin(Origin(kind), "2026-01-01T12:00")
    held.journey = journey.found(held.step.id, of_errors(*errors), "2026-01-01T12:00")
    app.run()
    assert "which leaves 50" in captions(app)
    assert ('can be told of ratings by "Only the order" alone' in captions(app)) is told
