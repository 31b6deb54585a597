"""The Discover page, run without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from page_tools import field, name_and_add, page_of, press, said, tick, workspace_of
from scipy.spatial.distance import pdist
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput, Selectbox

from cml_app import messages
from cml_app.draft import Draft
from cml_app.panels import headline
from cml_app.panels.map_view import MAP_KEY
from cml_app.workspace import Workspace
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit, load_dataset
from cml_core.drawing.levels import rounded
from cml_core.drawing.likeness import predictability
from cml_core.errors import UnknownOption
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.lowered import left_by_chance
from cml_core.journey.journey import Journey
from cml_core.values.arrays import frozen
from cml_core.values.words import unbroken

# Together they take longer than `make quick` has.
pytestmark = pytest.mark.slow


def draw_arrow(app: AppTest, start: list[float], end: list[float]) -> AppTest:
    held = workspace_of(app)
    app.session_state[MAP_KEY] = {
        "map": {
            "map_id": held.map_id,
            "revision": held.map_revision,
            "tool": "arrow",
            "selected": [],
            "drawing": {"kind": "arrow", "start": start, "end": end},
        }
    }
    return app.run()


def select(app: AppTest, *names: str) -> AppTest:
    held = workspace_of(app)
    labels = held.step.fit.labels
    app.session_state[MAP_KEY] = {
        "map": {
            "map_id": held.map_id,
            "revision": held.map_revision,
            "tool": "select",
            "selected": [labels.index(name) for name in names],
            "drawing": None,
        }
    }
    return app.run()


def draft_of(app: AppTest) -> Draft:
    draft = workspace_of(app).draft
    assert draft is not None
    return draft


def group_called(app: AppTest, name: str) -> AppTest:
    field(app, "Name of the group").set_value(name)
    return press(app, "Name group")


def draw_generations_apart(app: AppTest) -> AppTest:
    held = workspace_of(app)
    labels, points = held.step.fit.labels, held.shown
    place = {label: points[i] for i, label in enumerate(labels)}
    tail = (place["Brother"] + place["Sister"]) / 2
    far = ["Granddaughter", "Grandson", "Grandfather", "Grandmother"]
    tip = np.mean([place[name] for name in far], axis=0)
    return draw_arrow(app, tail.tolist(), tip.tolist())


def level_of(app: AppTest) -> dict[str, object]:
    return dict(zip(workspace_of(app).step.fit.labels, draft_of(app).edited.shown(), strict=True))


def test_what_is_selected_stands_against_the_rest_at_once(app: AppTest) -> None:
    select(app, "Aunt", "Niece")
    assert any("2 selected" in one.value for one in app.caption)
    levels = level_of(app)
    assert [name for name, level in levels.items() if level == "these"] == ["Aunt", "Niece"]
    assert set(levels.values()) == {"these", "the rest"}
    group_called(app, "Far women")
    assert level_of(app)["Niece"] == "Far women"
    assert field(app, "Name").value == "Far women"
    select(app, "Niece", "Uncle")
    assert draft_of(app).edited.levels == ("Far women", "these", "the rest")
    assert level_of(app)["Niece"] == "these"
    # What is only selected leaves the groups as they are.
    select(app)
    assert level_of(app)["Niece"] == "Far women"
    select(app, "Uncle", "Nephew")
    group_called(app, "Far men")
    assert set(level_of(app).values()) == {"Far women", "Far men", "the rest"}
    app.checkbox(key="rest-unsure").set_value(True).run()
    assert level_of(app)["Mother"] is None
    name_and_add(app, "Far kin")
    assert not app.error
    feature = workspace_of(app).journey.features["Far kin"]
    assert feature.levels == ("Far women", "Far men")
    assert workspace_of(app).groups == ()


def test_what_is_all_there_is_has_no_rest_and_says_so(app: AppTest) -> None:
    select(app, *workspace_of(app).step.fit.labels)
    assert workspace_of(app).draft is None
    assert any("Leave some out" in one.value for one in app.caption)
    select(app)
    assert any("Draw an arrow" in one.value for one in app.caption)


def test_a_selection_replaces_what_was_typed_only_when_that_is_asked_for(app: AppTest) -> None:
    labels = workspace_of(app).step.fit.labels
    app.text_area[0].set_value("\n".join(f"{a}\t{k}" for k, a in enumerate(labels))).run()
    press(app, "Use these")
    typed = draft_of(app)
    select(app, "Aunt")
    assert draft_of(app).edited.identity() == typed.edited.identity()
    press(app, "Make these a group")
    assert level_of(app)["Aunt"] == "these"


def levels_field(app: AppTest) -> NumberInput:
    return next(one for one in app.number_input if one.label == "Levels")


def test_other_levels_are_counted_from_the_values_before_they_were_rounded(app: AppTest) -> None:
    draw_generations_apart(app)
    drawn = draft_of(app).original
    most = levels_field(app).max
    for levels in (3, 6, 2):
        levels_field(app).set_value(levels)
        press(app, "Round")
        assert draft_of(app).edited.identity() == rounded(drawn, levels).identity()
        assert (levels_field(app).value, levels_field(app).max) == (levels, most)
    press(app, "Reset")
    assert draft_of(app).edited is drawn


def colour_field(app: AppTest) -> Selectbox:
    return next(one for one in app.selectbox if one.label == "Colour")


def test_the_map_has_the_colours_of_what_is_made_on_it_and_then_its_own(app: AppTest) -> None:
    colour_field(app).set_value("Gender").run()
    draw_generations_apart(app)
    assert "Your discovery" in colour_field(app).options[0]
    assert colour_field(app).index == 0
    colour_field(app).set_value("Degree").run()
    assert colour_field(app).value == "Degree"
    name_and_add(app, "Apart")
    assert not any("Your discovery" in one for one in colour_field(app).options)
    assert colour_field(app).value == "Degree"


def test_an_arrow_that_tells_nothing_apart_says_so_as_long_as_it_is_there(app: AppTest) -> None:
    next(one for one in app.number_input if one.label.startswith("Hidden dim")).set_value(1).run()
    for _ in range(2):
        draw_arrow(app, [0.0, 0.0], [0.0, 1.0])
        assert any("same place along the arrow" in one.value for one in app.error)
        assert workspace_of(app).draft is None


@pytest.mark.slow
def test_a_newcomer_sees_a_map_with_nothing_known_and_an_invitation(app: AppTest) -> None:
    assert not app.exception
    assert app.title[0].value == "Kinship terms, with nothing known yet"
    assert any(
        "7.1\u00a0%" in one.value and "Tick what you know" in one.value for one in app.markdown
    )
    assert "project" not in app.query_params


@pytest.mark.slow
def test_a_tick_takes_the_feature_out_and_adds_a_step(app: AppTest) -> None:
    tick(app, "Gender")
    assert app.title[0].value == "Kinship terms, with Gender taken out"
    held = workspace_of(app)
    assert [row.name for row in held.journey.as_rows()] == ["Nothing known", "\\+ Gender"] or [
        row.name for row in held.journey.as_rows()
    ] == ["Nothing known", "+ Gender"]
    assert held.step.fit.stress == pytest.approx(0.026087, rel=1e-4)
    assert not app.error


def chance(app: AppTest) -> list[str]:
    return [one.value for one in app.caption if "would have left" in one.value]


def test_beside_what_is_left_stands_what_a_shuffled_feature_would_have_left(app: AppTest) -> None:
    assert chance(app) == []
    tick(app, "Gender")
    held = workspace_of(app)
    found = left_by_chance(held.journey.steps[0].fit, held.step.fit)
    assert chance(app) == [unbroken(messages.plain(found.verdict))]
    assert found.after < found.dealt_out
    tick(app, "Gender")
    assert chance(app) == []


def test_a_computed_caveat_that_fails_takes_nothing_from_the_map(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise UnknownOption("No.", remedy="None.")

    monkeypatch.setattr(headline, "left_by_chance", fails)
    tick(app, "Gender")
    assert chance(app) == []
    assert not app.exception
    assert not app.error


def test_a_new_map_is_turned_to_match_the_one_before(app: AppTest) -> None:
    tick(app, "Gender")
    before = workspace_of(app).shown
    tick(app, "Degree")
    after = workspace_of(app).shown
    own = np.abs(np.linalg.svd(after.T @ before)[1]).sum()
    assert np.trace(after.T @ before) == pytest.approx(own, rel=1e-9)


@pytest.mark.slow
def test_the_kinship_journey_ends_with_generation_in_sight(app: AppTest) -> None:
    tick(app, "Gender")
    tick(app, "Degree")
    draw_generations_apart(app)
    held = workspace_of(app)
    assert held.draft is not None
    truth = np.abs(load_dataset("kinship14").features["Generation"].to_numpy())
    assert np.corrcoef(held.draft.edited.values, truth)[0, 1] >= 0.88
    assert any("No levels stand out" in one.value for one in app.caption)
    press(app, "Round")
    leveled = workspace_of(app).draft
    assert leveled is not None
    assert np.unique(leveled.edited.values).size == 3
    press(app, "Equal steps")
    assert set(workspace_of(app).draft.edited.values) == {0.0, 1.0, 2.0}  # type: ignore[union-attr]
    correct(app, ["Daughter", "Son", "Nephew", "Niece"], 1.0)
    name_and_add(app, "Generations apart")
    assert not app.error
    held = workspace_of(app)
    assert held.step.problem.known.names == ("Gender", "Degree", "Generations apart")
    assert "an arrow in no particular direction would have left" in chance(app)[0]
    generation = load_dataset("kinship14").feature_table()["Generation"]
    assert predictability(generation, held.step.embedding) >= 0.93
    assert "arrow" in held.journey.features["Generations apart"].origin


def correct(app: AppTest, names: list[str], value: float) -> None:
    draft = workspace_of(app).draft
    assert draft is not None
    labels = workspace_of(app).step.fit.labels
    order = sorted(range(len(labels)), key=lambda i: (draft.base.missing[i], draft.base.values[i]))
    rows = {labels[i]: place for place, i in enumerate(order)}
    key = f"table-{draft.source}-{draft.number}"
    app.session_state[key] = {
        "edited_rows": {rows[name]: {"Value": value} for name in names},
        "added_rows": [],
        "deleted_rows": [],
    }
    app.run()
    edited = workspace_of(app).draft
    assert edited is not None
    assert all(edited.edited.values[labels.index(name)] == value for name in names)


def test_values_can_be_typed_instead_of_drawn(app: AppTest) -> None:
    features = load_dataset("kinship14").features
    text = "\n".join(f"{name}\t{abs(value)}" for name, value in features["Generation"].items())
    app.text_area[0].set_value(text).run()
    press(app, "Use these")
    name_and_add(app, "Apart")
    assert workspace_of(app).step.problem.known.names == ("Apart",)


def test_levels_that_the_values_show_are_suggested_and_stay_where_they_are(app: AppTest) -> None:
    labels = workspace_of(app).step.fit.labels
    values = [(0.0, 1.0, 10.0)[k % 3] for k in range(len(labels))]
    text = "\n".join(f"{name}\t{value}" for name, value in zip(labels, values, strict=True))
    app.text_area[0].set_value(text).run()
    press(app, "Use these")
    assert not any("No levels stand out" in one.value for one in app.caption)
    assert levels_field(app).value == 3
    press(app, "Round")
    draft = workspace_of(app).draft
    assert draft is not None
    assert draft.edited.values.tolist() == values


def test_a_discovery_without_a_name_is_asked_for_one_and_kept(app: AppTest) -> None:
    draw_generations_apart(app)
    press(app, "Add to known")
    assert any("no name" in error.value for error in app.error)
    assert workspace_of(app).draft is not None
    assert not workspace_of(app).step.problem.known.names


@pytest.mark.parametrize("button", ["Add to known", "Flip"])
def test_what_is_asked_of_a_drawing_that_is_gone_meanwhile_is_told_so(
    app: AppTest, button: str
) -> None:
    draw_generations_apart(app)
    next(field for field in app.text_input if field.label == "Name").set_value("Generation")
    # A fit has ended since the page was shown: another map, without the drawing.
    workspace_of(app).draft = None
    press(app, button)
    (said,) = app.error
    assert "What you drew is not there any more" in said.value
    assert not workspace_of(app).step.problem.known.names


@pytest.mark.usefixtures("begun_anew")
def test_a_known_feature_that_is_still_on_the_map_leads_to_one_dimension_fewer() -> None:
    # Two features are all there is to sixteen points of a plane, but for a little noise.
    across, down = np.divmod(np.arange(16), 4)
    noise = np.random.default_rng(5).normal(scale=0.05, size=(16, 2))
    places = np.column_stack([across, 1.3 * down]) + noise
    labels = [f"r{k}" for k in range(16)]
    features = FeatureTable(
        labels, (Feature.numeric("across", across), Feature.numeric("down", down))
    )
    made = Dissimilarities.from_condensed(pdist(places), labels)
    begun = Journey.begun("Plane", made, features, "2026-01-31T12:00:00Z")
    first = fit(Problem(made, features.select([]), n_components=2))
    page = page_of("pages/2_Discover.py")
    page.session_state["workspace"] = Workspace(
        begun.after(first, first.embedding, "2026-01-31T12:00:00Z")
    )
    app = press(page.run(), "All")
    assert "still seen on the map" in said(app)
    held = workspace_of(app)
    for chosen, offered in ((2, False), (1, True)):
        # Never against what pairs held out of the fit choose.
        errors = np.where(np.arange(3) < chosen, 0.5, 0.1)[:, None] + 0.01 * np.arange(3)
        told = Dimensions((0, 1, 2), errors.mean(axis=1), frozen(errors), 0)
        held.journey = held.journey.found(held.step.id, told, "2026-01-31T12:00:00Z")
        app.run()
        assert ("Show with 1 dimension" in {one.label for one in app.button}) is offered
    app = press(app, "Show with 1 dimension")
    assert workspace_of(app).step.problem.n_components == 1


def test_returning_to_a_step_shows_exactly_its_map_and_ticks(app: AppTest) -> None:
    tick(app, "Gender")
    first = workspace_of(app).step
    tick(app, "Degree")
    app.button(key=f"step-{first.id}").click().run()
    assert workspace_of(app).step.id == first.id
    np.testing.assert_array_equal(workspace_of(app).shown, first.embedding)
    ticked = {box.label: box.value for box in app.checkbox}
    assert ticked["Gender"]
    assert not ticked["Degree"]


def test_what_was_made_is_found_again_under_the_address(app: AppTest) -> None:
    tick(app, "Gender")
    token = app.query_params["project"]
    again = page_of()
    again.query_params["project"] = token
    again.run()
    assert again.title[0].value == "Kinship terms, with Gender taken out"
    np.testing.assert_array_equal(workspace_of(again).shown, workspace_of(app).shown)


def test_a_token_that_opens_nothing_is_explained_and_shows_no_data(app: AppTest) -> None:
    tick(app, "Gender")
    stranger = page_of()
    stranger.query_params["project"] = "A" * 32
    stranger.run()
    assert not stranger.exception
    assert any("No project is kept" in error.value for error in stranger.error)
    assert not stranger.checkbox
    press(stranger, "Begin anew")
    assert stranger.title[0].value == "Kinship terms, with nothing known yet"


@pytest.mark.slow
def test_each_page_opens_by_itself(app: AppTest) -> None:
    for page in ("1_Data.py", "2_Discover.py"):
        alone = page_of(f"pages/{page}").run()
        assert not alone.exception, page
        assert alone.title


def test_a_discovered_feature_can_be_renamed_corrected_and_removed(app: AppTest) -> None:
    values = load_dataset("kinship14").features["Generation"].abs()
    app.text_area[0].set_value("\n".join(f"{a}\t{b}" for a, b in values.items())).run()
    press(app, "Use these")
    name_and_add(app, "Apart")
    app.selectbox(key="feature-chosen").set_value("Apart").run()
    app.text_input(key="feature-new-name").set_value("Generations apart").run()
    press(app, "Rename")
    assert workspace_of(app).step.problem.known.names == ("Generations apart",)
    assert workspace_of(app).question.known_names == ("Generations apart",)
    press(app, "Correct values")
    press(app, "Flip")
    press(app, "Save the changes")
    assert not app.error
    assert workspace_of(app).journey.features["Generations apart"].values[1] == 2.0
    assert len(workspace_of(app).journey.steps) == 3
    app.selectbox(key="feature-chosen").set_value("Generations apart").run()
    press(app, "Remove")
    assert "Generations apart" not in workspace_of(app).journey.features
    assert app.title[0].value == "Kinship terms, with nothing known yet"


def test_two_steps_can_be_seen_side_by_side(app: AppTest) -> None:
    first = workspace_of(app).step.id
    tick(app, "Gender")
    now = workspace_of(app).step.id
    app.selectbox(key=f"beside-{now}").set_value(first).run()
    assert not app.exception
    assert not app.error
    assert any("with nothing known yet" in one.value for one in app.caption)
    assert any("with Gender taken out" in one.value for one in app.caption)


def test_a_question_that_makes_no_sense_is_explained_and_the_map_stays(app: AppTest) -> None:
    tick(app, "Gender")
    before = workspace_of(app).step.id
    next(one for one in app.number_input if one.label.startswith("Hidden dim")).set_value(13).run()
    assert any("too many" in error.value for error in app.error)
    assert workspace_of(app).step.id == before
    assert workspace_of(app).question.n_components == 2


def test_an_arrow_is_read_in_the_dimensions_that_are_looked_at(app: AppTest) -> None:
    next(one for one in app.number_input if one.label.startswith("Hidden dim")).set_value(3).run()
    app.selectbox(key="view").set_value("1 × 3").run()
    held = workspace_of(draw_arrow(app, [0.0, 0.0], [0.0, 1.0]))
    draft = held.draft
    assert draft is not None
    np.testing.assert_allclose(draft.edited.values, held.shown[:, 2], rtol=0, atol=1e-9)
