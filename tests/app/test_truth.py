"""Simulated data: chosen on the Data page, their truth kept back until it is asked for."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from page_tools import button, press, said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import this_server, views_job
from cml_app.background import ServerBusy
from cml_app.views_job import Subject
from cml_core.datasets import simulate_car_brands
from cml_core.evidence.result import ResultKind
from cml_core.evidence.uncovered import Uncovered
from cml_core.fitting.geometry import canonical_correlations
from cml_core.journey.file import from_json
from cml_core.report.report import report_html
from cml_core.values.simulation import Simulation

HIDDEN = ("Economy", "Design", "Technology")


@pytest.fixture
def simulated(app: AppTest) -> AppTest:
    app.switch_page("pages/1_Data.py").run()
    numbers = {one.label: one for one in app.number_input}
    numbers["Brands"].set_value(20)
    numbers["Noise in the dissimilarities, in %"].set_value(10.0)
    numbers["Seed"].set_value(7)
    next(one for one in app.multiselect if one.label == "Known features").set_value(
        ["Performance", "Quality", "Value", "Safety"]
    )
    press(app, "Simulate")
    # A page that runs by itself is not left by it.
    return app.switch_page("pages/2_Discover.py").run()


def test_brands_are_made_as_they_were_chosen_and_kept(simulated: AppTest) -> None:
    journey = workspace_of(simulated).journey
    made = simulate_car_brands(20, noise=0.1, seed=7)
    np.testing.assert_array_equal(journey.dissimilarities.condensed, made.values().condensed)
    assert journey.features.names == ("Quality", "Safety", "Value", "Performance")
    given = ("Quality", "Safety", "Value", "Performance")
    assert journey.origin.simulation == Simulation(20, 0.1, 0.05, given, 7)
    simulated.switch_page("pages/1_Data.py").run()
    assert "They were simulated: 20 brands, 10.0 % noise" in said(simulated)


def test_the_truth_is_nowhere_before_it_is_uncovered_and_undo_covers_it_again(
    simulated: AppTest,
) -> None:
    held = workspace_of(simulated)
    assert not [name for name in held.journey.features.names if name.endswith(HIDDEN)]
    assert "agree by" not in said(simulated)
    assert "kept back" in said(simulated)
    assert not any(name in report_html(held.journey) for name in HIDDEN)
    press(simulated, "Uncover the truth")
    assert "kept back" not in said(simulated)
    table = workspace_of(simulated).journey.features
    truth = simulate_car_brands(20, noise=0.1, seed=7).raw
    for name in HIDDEN:
        np.testing.assert_array_equal(table[f"True {name}"].values, truth[name].to_numpy())
    assert workspace_of(simulated).question.known_names == ()
    held.undo()
    simulated.run()
    assert button(simulated, "Uncover the truth")
    assert not [name for name in held.journey.features.names if name.endswith(HIDDEN)]


def test_on_the_compare_page_the_truth_is_uncovered_for_the_pictures_to_be_judged_by(
    simulated: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Subject] = []

    def begin(subject: Subject, *_: object, **__: object) -> None:
        asked.append(subject)
        raise ServerBusy("The server is busy.", remedy="Look again.")

    place = SimpleNamespace(get_ready=lambda: None, begin=begin)
    monkeypatch.setattr(views_job, "views", lambda: place)
    simulated.switch_page("pages/4_Compare.py").run()
    assert not [name for name in asked[-1].features.names if name.endswith(HIDDEN)]
    press(simulated, "Uncover the truth")
    assert {f"True {name}" for name in HIDDEN} <= set(asked[-1].features.names)
    assert "kept back" not in said(simulated)


def test_what_was_uncovered_is_told_beside_the_map_and_on_the_evidence_page(
    simulated: AppTest,
) -> None:
    press(simulated, "Uncover the truth")
    held = workspace_of(simulated)
    truth = simulate_car_brands(20, noise=0.1, seed=7).raw.to_numpy()
    agreement = canonical_correlations(held.step.embedding, truth).mean()
    # Nothing is ticked yet: all seven are hidden.
    words = f"map and hidden features agree by {agreement:.2f} on average"
    assert words in said(simulated)
    simulated.query_params["question"] = "What might it be?"
    simulated.switch_page("pages/3_Evidence.py").run()
    assert words in said(simulated)
    stored = from_json(this_server.store().load(held.token, this_server.moment()).document)
    found = stored.current.result(ResultKind(Uncovered))
    assert found.agreement == pytest.approx(agreement)
    assert "Was it found?" in report_html(stored)


def test_of_observed_data_there_is_no_truth_to_uncover(app: AppTest) -> None:
    app.switch_page("pages/2_Discover.py").run()
    assert "Uncover the truth" not in [one.label for one in app.button]
    assert "Was it found?" not in [one.value for one in app.header]
