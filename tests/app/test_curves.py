"""A known quantity acts along a curve: ticked, advised, drawn and refused, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from page_tools import button, computed, press, said, tick, unguided, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app.pictures import evidence_figures, figures
from cml_app.workspace import Workspace
from cml_core.evidence.fitted_curve import FittedCurve, fitted_curve

pytestmark = pytest.mark.slow
ALONG_A_CURVE = "Acts along a curve"


def bend(app: AppTest, name: str) -> AppTest:
    """The tick in the list of features."""
    next(one for one in app.selectbox if one.label == "Feature").set_value(name).run()
    return tick(app, ALONG_A_CURVE)


def names_of_steps(app: AppTest) -> list[str]:
    return [row.name for row in workspace_of(app).journey.as_rows()]


def known(workspace: Workspace, name: str) -> str:
    return workspace.step.problem.known[name].kind


def weights(app: AppTest) -> AppTest:
    """The Evidence page about the same map, on what weighs how much."""
    app.switch_page("pages/3_Evidence.py").run()
    return app.button_group(key="question").set_value("What weighs how much?").run()


def test_a_tick_bends_a_known_feature_in_one_step_and_another_makes_it_straight(
    app: AppTest,
) -> None:
    tick(app, "Degree")
    bend(app, "Degree")
    held = workspace_of(app)
    assert names_of_steps(app)[-1] == "Degree as curved"
    assert len(held.journey.steps) == 3
    assert known(held, "Degree") == "curved"
    # One tick before it is known, and the same one after.
    assert held.question.known_names == ("Degree",)
    tick(app, ALONG_A_CURVE)
    assert known(workspace_of(app), "Degree") == "numeric"
    assert not app.error


def test_groups_have_no_curve(app: AppTest) -> None:
    next(one for one in app.selectbox if one.label == "Feature").set_value("Gender").run()
    kind = workspace_of(app).journey.features["Gender"].kind
    assert (ALONG_A_CURVE in [box.label for box in app.checkbox]) == (kind == "numeric")


def test_with_one_weight_for_each_feature_a_curve_is_refused_and_nothing_changes(
    app: AppTest,
) -> None:
    tick(app, "Degree")
    next(one for one in app.radio if one.label == "Known features act").set_value("diagonal").run()
    bend(app, "Degree")
    held = workspace_of(app)
    assert any("one weight for each feature" in one.value for one in app.error)
    assert held.journey.features["Degree"].kind == "numeric"
    assert known(held, "Degree") == "numeric"


def test_the_curve_of_a_known_feature_is_drawn_where_weights_are(app: AppTest) -> None:
    tick(app, "Degree")
    bend(app, "Degree")
    page = weights(app)
    assert not page.exception
    found = fitted_curve(workspace_of(page).step.fit, "Degree")
    assert found.verdict in said(page)
    charts = [one.proto.alt for one in page.get("plotly_chart")]
    assert any(alt.startswith("How Degree acts") for alt in charts)


def test_a_curve_that_is_advised_is_one_click_away(app: AppTest) -> None:
    # Generations count whichever way they go, so pairs speak clearly for a curve of them.
    tick(unguided(app), "Generation")
    page = weights(app)
    press(page, "Try curves")
    page = computed(page)
    page.run()
    assert "Generation acts along a curve" in said(page)
    button(page, "Let Generation act along a curve").click()
    page.run()
    assert names_of_steps(page)[-1] == "Generation as curved"
    assert known(workspace_of(page), "Generation") == "curved"


def test_every_object_is_a_dot_beside_the_line(begun_anew: None) -> None:
    up = np.array([0.0, 1.0, 0.5])
    found = FittedCurve("Age <b>", np.arange(3.0), up, np.arange(5.0), np.arange(5.0), 1.0)
    figure = evidence_figures.fitted_curve(found, figures.ink(dark=False))
    line, dots = figure.data
    assert (line.mode, dots.mode) == ("lines", "markers")
    np.testing.assert_array_equal(line.y, found.places)
    np.testing.assert_array_equal(dots.x, found.given)
    assert "<b>" not in figure.layout.xaxis.title.text
