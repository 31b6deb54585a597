"""The guided journey: what it hides, what it corrects, and where it leads."""

from __future__ import annotations

import numpy as np
import pytest
from page_tools import name_and_add, press, said, tick, unguided, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app.draft import Draft
from cml_core import Feature, load_dataset

TRUTH = load_dataset("kinship14").feature_table()["Generation"]
NEXT = ["Is it real?", "Colour by Generation", "Your own data", "Learn"]


def ticks(app: AppTest) -> set[str]:
    return {box.label for box in app.checkbox}


def drafted(app: AppTest, values: np.ndarray) -> AppTest:
    """As if these values had been read off the map and rounded."""
    held = workspace_of(app)
    held.draft = Draft.of(Feature.numeric("Drawn", values), "an arrow")
    return app.run()


@pytest.fixture
def taken_out(app: AppTest) -> AppTest:
    tick(app, "Gender")
    return tick(app, "Degree")


def found(app: AppTest) -> AppTest:
    return name_and_add(drafted(app, np.abs(TRUTH.values)), "Apart")


def test_a_newcomer_cannot_tick_what_is_to_be_found_and_is_led_to_learn(app: AppTest) -> None:
    assert ticks(app) >= {"Gender", "Degree"}
    assert "Generation" not in ticks(app)
    assert "](Learn)" in said(app)
    assert "Generation" in ticks(unguided(app))


def test_who_sends_the_guide_away_has_all_features(app: AppTest) -> None:
    press(app, "Close ✕")
    assert "Generation" in ticks(app)
    assert "1 of 5" not in said(app)


def test_the_end_says_what_was_found_and_where_to_go(taken_out: AppTest) -> None:
    app = found(taken_out)
    assert "5 of 5 · You found Generation" in said(app)
    assert [one.label for one in app.button if one.label in NEXT] == NEXT
    assert "Generation" not in ticks(app)
    press(app, "Colour by Generation")
    assert not app.exception
    held = workspace_of(app)
    assert held.colour == "Generation"
    assert np.array_equal(held.journey.features["Generation"].values, TRUTH.values)
    assert "5 of 5" in said(app)


def test_what_was_not_found_is_not_called_found(taken_out: AppTest) -> None:
    values = np.random.default_rng(0).normal(size=14)
    app = name_and_add(drafted(taken_out, values), "Apart")
    assert "Not quite yet" in said(app)
    assert not [one for one in app.button if one.label in NEXT]


@pytest.mark.parametrize("flipped", [False, True])
def test_terms_that_fell_short_are_corrected_by_one_press(
    taken_out: AppTest, flipped: bool
) -> None:
    apart = np.abs(TRUTH.values)
    right = 2 - apart if flipped else apart
    wrong = right.copy()
    short = np.flatnonzero(apart == 1)[:4]
    wrong[short] = 2.0 if flipped else 0.0
    app = drafted(taken_out, wrong)
    press(app, "Correct 4 terms for me")
    draft = workspace_of(app).draft
    assert draft is not None
    assert np.array_equal(draft.edited.values, right)
    assert not [one for one in app.button if one.label.startswith("Correct 4")]
    name_and_add(app, "Apart")
    assert np.array_equal(workspace_of(app).journey.features["Apart"].values, right)
    assert "You found Generation" in said(app)


def test_an_arrow_that_was_not_rounded_is_left_alone(taken_out: AppTest) -> None:
    app = drafted(taken_out, np.linspace(0, 1, 14))
    assert not [one for one in app.button if one.label.endswith("for me")]
