"""What weighs how much, what might it be, can I trust this map: the panels, without a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from page_tools import SECONDS, said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app.panels.evidence.running import Repeats
from cml_app.panels.evidence.stability import ASKED
from cml_core import Dissimilarities, fit
from cml_core.evidence.known_weights import FeatureWeight, KnownWeights, known_weights
from cml_core.evidence.neighbourhoods import neighbourhoods
from cml_core.evidence.ranking import Ranking, candidates_among, what_might_it_be
from cml_core.evidence.redundancy import Redundancy, redundancy
from cml_core.evidence.result import ResultKind
from cml_core.evidence.shepard import WORST, shepard
from cml_core.evidence.stability import stability
from cml_core.evidence.structure import without_structure
from cml_core.journey.journey import Journey
from cml_core.values.words import percent

pytestmark = pytest.mark.slow

Look = Callable[..., AppTest]
HELPED = "Did it help?"
NOW = "2026-01-31T12:00:00+00:00"
WEIGHTS = "What weighs how much?"
CANDIDATES = "What might it be?"
TRUST = "Can I trust this map?"


def page(topic: str, known: tuple[str, ...], example: str, hidden: int) -> None:
    """The script of a page with one topic about a map of an example."""
    import streamlit as st

    from cml_app import visits
    from cml_app.panels.evidence import topics
    from cml_app.question import Question
    from cml_app.shell import open_page

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        visits.begin_example(example).ask(Question(known_names=known, n_components=hidden))
    with open_page("Evidence") as workspace:
        topics.show(workspace, topic)


@pytest.fixture
def look(begun_anew: None) -> Look:
    def at(topic: str, *known: str, example: str = "kinship14", hidden: int = 2) -> AppTest:
        arguments = (topic, known, example, hidden)
        return AppTest.from_function(page, default_timeout=SECONDS, args=arguments).run()

    return at


def figure_of(app: AppTest, says: str) -> dict[str, Any]:
    """The picture whose description for those who cannot see it begins so."""
    charts = [one.proto for one in app.get("plotly_chart")]
    (found,) = (chart for chart in charts if chart.alt.startswith(says))
    return json.loads(found.spec)


def table_with(app: AppTest, column: str) -> Any:
    return next(one.value for one in app.dataframe if column in one.value.columns)


def test_below_did_it_help_known_features_are_asked_without_a_map(look: Look) -> None:
    app = look(HELPED, "Gender", "Degree")
    assert not app.exception
    step = workspace_of(app).step
    found = redundancy(step.fit)
    assert Redundancy.heading in [one.value for one in app.subheader]
    assert found.verdict in said(app)
    assert found.remarks in said(app)
    rows = table_with(app, "Pseudo-F")
    assert list(rows["Feature"]) == ["Gender", "Degree"]
    np.testing.assert_allclose(rows["Explains"], [100 * one.share for one in found.features])
    assert step.result(ResultKind(Redundancy)) is not None


def test_without_every_pair_it_is_said_that_there_is_no_regression(look: Look) -> None:
    app = look(HELPED, "Gender")
    held = workspace_of(app)
    values = held.step.problem.dissimilarities.condensed.copy()
    values[0] = np.nan
    gap = Dissimilarities(held.step.fit.labels, values)
    fitted = fit(replace(held.step.problem, dissimilarities=gap), n_init=1, seed=0)
    held.journey = Journey.begun("Gap", gap, held.journey.features, NOW).after(
        fitted, fitted.embedding, NOW
    )
    app.run()
    assert not app.exception
    assert "need the dissimilarity of every pair" in said(app)


def test_with_nothing_known_there_is_nothing_to_weigh_and_the_way_on_is_said(look: Look) -> None:
    app = look(WEIGHTS)
    assert "Tick a feature on the Discover page" in said(app)
    assert not app.dataframe
    assert not app.error


def test_the_weights_shown_are_those_of_the_core_largest_first(look: Look) -> None:
    app = look(WEIGHTS, "Gender", "Degree")
    assert not app.exception
    found = known_weights(workspace_of(app).step.fit)
    assert found.verdict in said(app)
    rows = table_with(app, "Known feature")
    shares = {one.feature: one.share for one in found.features}
    assert list(rows["Known feature"]) == sorted(shares, key=shares.__getitem__, reverse=True)
    row = rows.set_index("Known feature").loc["Degree"]
    degree = next(one for one in found.features if one.feature == "Degree")
    assert row["One step adds"] == degree.per_step
    # The terms are seven couples, and what a couple shares counts once.
    assert not degree.leaks
    assert row["Still on the map"] == f"{percent(degree.leak, 1)}, no more than chance"
    assert "adds to the squared fitted distance" in said(app)


def test_both_pictures_of_the_weights_have_their_numbers_in_a_table(look: Look) -> None:
    app = look(WEIGHTS, "Gender", "Degree")
    found = known_weights(workspace_of(app).step.fit)
    assert len(app.get("plotly_chart")) == 2
    gram = table_with(app, found.columns[0])
    np.testing.assert_array_equal(gram[list(found.columns)].to_numpy(), found.gram)
    directions = table_with(app, "Direction 1")
    np.testing.assert_array_equal(directions["Direction 1"], found.directions[0].loadings)


def test_what_was_found_at_once_is_kept_with_the_step(look: Look) -> None:
    step = workspace_of(look(WEIGHTS, "Gender")).step
    assert step.result(ResultKind(KnownWeights)) is not None
    assert step.result(ResultKind(Ranking)) is None


def test_generations_apart_come_first_for_the_kinship_terms(look: Look) -> None:
    app = look(CANDIDATES, "Gender", "Degree")
    assert not app.exception
    rows = table_with(app, "Predicted")
    held = workspace_of(app)
    candidates = candidates_among(held.journey.features, ["Gender", "Degree"])
    found = what_might_it_be(held.step.fit, candidates)
    assert list(rows["Feature"]) == ["|Generation|", "Generation"]
    assert list(rows["Feature"]) == [one.feature for one in found.candidates]
    adjusted = [100 * one.adjusted for one in found.candidates]
    assert list(rows["By chance"]) == pytest.approx(adjusted)
    alone = [100 * one.p_value for one in found.candidates]
    assert list(rows["By chance, judged alone"]) == pytest.approx(alone)
    assert found.verdict in said(app)


def test_every_feature_that_is_not_ticked_is_offered_and_no_other(look: Look) -> None:
    app = look(CANDIDATES, "Gender")
    held = workspace_of(app)
    offered = {*held.journey.features.names, "|Generation|"} - {"Gender"}
    assert set(table_with(app, "Predicted")["Feature"]) == offered
    assert set(app.selectbox(key="candidate").options) == offered


def test_a_candidate_is_drawn_as_direction_contours_or_colours(look: Look) -> None:
    app = look(CANDIDATES, "Gender", "Degree")
    assert set(app.radio[0].options) == {"Direction", "Contours", "Colours only"}
    app.radio[0].set_value("Direction").run()
    assert figure_of(app, "The map")["layout"]["annotations"]
    app.radio[0].set_value("Contours").run()
    drawn = figure_of(app, "The map")
    assert "annotations" not in drawn["layout"]
    assert drawn["data"][0]["type"] == "contour"
    app.radio[0].set_value("Colours only").run()
    assert all(trace["type"] == "scatter" for trace in figure_of(app, "The map")["data"])
    assert not app.exception


def test_where_all_is_ticked_the_way_to_more_candidates_is_said(look: Look) -> None:
    names = workspace_of(look(WEIGHTS)).journey.features.names
    app = look(CANDIDATES, *names)
    assert "Every feature there is has been ticked" in said(app)
    assert not app.dataframe
    assert not app.exception


NO_MAP = "No hidden dimension was asked for, so there is no map."


def test_without_a_map_nothing_but_that_is_said_of_candidates(look: Look) -> None:
    app = look(CANDIDATES, "Gender", hidden=0)
    assert not app.exception
    assert not app.error
    assert NO_MAP in said(app)
    assert not app.dataframe
    assert not app.get("plotly_chart")


def test_without_a_map_no_feature_is_said_to_be_still_on_it(look: Look) -> None:
    app = look(WEIGHTS, "Gender", hidden=0)
    assert not app.exception
    assert "Still on the map" not in table_with(app, "One step adds").columns


def test_of_a_single_column_there_is_a_table_and_no_picture_of_what_columns_do_together(
    look: Look,
) -> None:
    app = look(WEIGHTS, "Degree")
    assert not app.get("plotly_chart")
    assert len(app.dataframe) == 1
    assert "With more features known" in said(app)


def test_what_chance_would_give_as_well_is_not_called_a_leak() -> None:
    one = FeatureWeight("Size", "numeric", "one unit", 1.0, 1.0, 1.0, 0.5, 0.0, 0.155, leaks=False)
    assert one.leak_in_words == "15.5 %, no more than chance"
    assert replace(one, leaks=True).leak_in_words == "15.5 %, more than chance"
    assert replace(one, leak_smooth=0.04).leak_in_words == "4.0 %"
    assert replace(one, leak_linear=-0.0001, leak_smooth=-0.0001).leak_in_words == "0.0 %"


def test_on_a_line_there_are_directions_but_no_contours(look: Look) -> None:
    app = look(CANDIDATES, "Gender", "Degree", hidden=1)
    assert not app.exception
    assert "Contours" not in app.radio[0].options


def test_the_worst_pairs_stand_in_the_table_and_on_the_map(look: Look) -> None:
    app = look(TRUST, "Gender", "Degree")
    assert not app.exception
    assert not app.error
    found = shepard(workspace_of(app).step.fit)
    worst = found.worst(WORST)
    rows = table_with(app, "Off by")
    assert list(rows["One"]) == [found.labels[i] for i in found.first[worst]]
    assert list(rows["Given"]) == list(found.given[worst])
    places = workspace_of(app).step.fit.embedding
    apart = np.linalg.norm(places[found.first[worst]] - places[found.second[worst]], axis=1)
    np.testing.assert_allclose(rows["On the map"], apart, atol=0.005 * apart.max())
    assert "by the map and by what is known together" in said(app)
    lines = [one for one in figure_of(app, "The map; lines")["data"] if one["mode"] == "lines"]
    assert lines


def choose_object(app: AppTest, name: str) -> AppTest:
    box = next(one for one in app.selectbox if one.label == "Pairs to look at")
    return box.set_value(name).run()


def test_choosing_an_object_shows_its_pairs_in_both_pictures(look: Look) -> None:
    app = choose_object(look(TRUST, "Gender"), "Aunt")
    rows = table_with(app, "Off by")
    assert len(rows) == 13
    assert ((rows["One"] == "Aunt") | (rows["Other"] == "Aunt")).all()
    marked = next(
        one for one in figure_of(app, "Every pair")["data"] if one["name"] == "Chosen above"
    )
    assert len(marked["customdata"]) == 13
    assert all("Aunt" in text for text in marked["text"])


def select_in_diagram(app: AppTest, places: list[int]) -> AppTest:
    key = f"shepard-{workspace_of(app).step.id}"
    points = [{"customdata": str(place)} for place in places]
    app.session_state[key] = {
        "selection": {"points": points, "point_indices": [], "box": [], "lasso": []}
    }
    return app.run()


def test_points_that_are_selected_in_the_diagram_become_lines_on_the_map(look: Look) -> None:
    app = look(TRUST, "Gender")
    before = figure_of(app, "Every pair")
    select_in_diagram(app, [3, 40])
    found = shepard(workspace_of(app).step.fit)
    rows = table_with(app, "Off by")
    assert set(zip(rows["One"], rows["Other"], strict=True)) == {
        (found.labels[found.first[k]], found.labels[found.second[k]]) for k in (3, 40)
    }
    # A diagram that changed would lose its selection.
    assert figure_of(app, "Every pair") == before


def test_without_picking_the_diagram_is_a_picture_that_leaves_fingers_alone(look: Look) -> None:
    app = look(TRUST, "Gender")
    assert figure_of(app, "Every pair")["layout"]["dragmode"] == "select"
    select_in_diagram(app, [3, 40])
    next(one for one in app.toggle if one.label.startswith("Pick pairs")).set_value(False).run()
    assert figure_of(app, "Every pair")["layout"]["dragmode"] is False
    # What was picked is let go: the worst are listed again.
    assert len(table_with(app, "Off by")) == 10


def test_a_selection_of_nothing_that_is_a_pair_changes_nothing(look: Look) -> None:
    app = look(TRUST, "Gender")
    before = table_with(app, "Off by")
    select_in_diagram(app, [10**9])
    assert table_with(app, "Off by").equals(before)
    assert not app.exception


def test_neighbours_and_objects_have_the_numbers_of_the_core(look: Look) -> None:
    app = look(TRUST, "Gender", "Degree")
    fit = workspace_of(app).step.fit
    near = neighbourhoods(fit)
    assert near.verdict in said(app)
    rows = table_with(app, "Trustworthiness")
    np.testing.assert_array_equal(rows["Continuity"], near.continuity)
    objects = table_with(app, "Object")
    assert objects["Unexplained"].is_monotonic_decreasing
    assert objects["Unexplained"].iloc[0] == 100 * fit.object_stress().max()


def test_other_maps_are_a_gallery_with_a_row_for_each(look: Look) -> None:
    app = look(TRUST, "Gender")
    alternatives = workspace_of(app).step.fit.alternatives
    assert alternatives
    rows = table_with(app, "Starts that led to it")
    assert len(rows) == len(alternatives) + 1
    shares = [100 * other.stress for other in alternatives]
    assert list(rows["Unexplained"])[1:] == pytest.approx(shares)
    charts = [one.proto.alt for one in app.get("plotly_chart")]
    assert sum(text.startswith(("Other ", "The best map")) for text in charts) >= 2


def keep(app: AppTest, result: Any) -> AppTest:
    """As if a long computation had found this."""
    held = workspace_of(app)
    held.journey = held.journey.found(held.step.id, result, held.journey.changed)
    return app.run()


@pytest.mark.parametrize("hidden", [1, 2])
def test_ellipses_are_drawn_once_they_were_computed(look: Look, hidden: int) -> None:
    app = look(TRUST, "Gender", "Degree", hidden=hidden)
    assert "An outline holds" not in said(app)
    steady = stability(workspace_of(app).step.fit, refits=20, seed=4)
    # Around couples none is drawn, and it is said why.
    keep(app, steady)
    assert "No outlines are drawn" in said(app)
    found = replace(steady, why_no_outlines="")
    keep(app, found)
    assert not app.exception
    assert found.verdict in said(app)
    rows = table_with(app, "Wanders").set_index("Object")
    wandered = rows.loc[list(found.labels), "Wanders"]
    np.testing.assert_allclose(wandered, 100 * found.spreads())
    outlines = figure_of(app, "The map with an outline")["data"][0]
    assert outlines["fill"] == "toself"


def test_leaving_out_objects_tells_which_of_them_moves_the_others(look: Look) -> None:
    app = look(TRUST, "Gender", "Degree")
    keep(app, stability(workspace_of(app).step.fit, refits=14, left_out="objects"))
    assert "Moves others" not in table_with(app, "Object").columns
    app.radio(key="steady-what").set_value("objects").run()
    assert table_with(app, "Moves others")["Moves others"].is_monotonic_decreasing
    assert "how far its own place would stray" in said(app)


def test_how_many_objects_are_left_out_is_asked_only_where_not_all_are(look: Look) -> None:
    app = look(TRUST, "Gender", "Degree")
    assert "count-Stability/pairs" in {one.key for one in app.number_input}
    app.radio(key="steady-what").set_value("objects").run()
    assert "Fits the map 14 times" in said(app)
    assert not {one.key for one in app.number_input if "Stability" in one.key}


def test_of_more_objects_than_are_left_out_the_number_can_be_chosen(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = Repeats("Objects to leave out", 12, 10, 2000, (1.0, 2.0, 5.0))
    monkeypatch.setitem(ASKED, "objects", replace(ASKED["objects"], repeats=fewer))
    app = look(TRUST, "Gender", "Degree")
    app.radio(key="steady-what").set_value("objects").run()
    assert app.number_input(key="count-Stability/objects").label == "Objects to leave out"
    assert "which of the 14 is drawn by lot" in said(app)


def test_shuffled_data_stand_beside_the_map(look: Look) -> None:
    app = look(TRUST, "Gender", "Degree")
    found = without_structure(workspace_of(app).step.fit, shuffles=5)
    keep(app, found)
    rows = table_with(app, "Data")
    shares = 100 * np.array([found.unexplained, *np.sort(found.shuffled)])
    assert list(rows["Unexplained"]) == pytest.approx(shares.tolist())
    assert found.verdict in said(app)


def test_without_a_map_pairs_are_still_shown_and_the_rest_is_left_out(look: Look) -> None:
    app = look(TRUST, "Gender", "Degree", hidden=0)
    assert not app.exception
    assert not app.error
    assert NO_MAP in said(app)
    assert "On the map" not in table_with(app, "Off by").columns
    assert len(table_with(app, "Off by")) == WORST


@pytest.mark.parametrize("topic", [WEIGHTS, CANDIDATES, TRUST])
def test_every_picture_speaks_to_those_who_do_not_see_it_and_formulas_are_a_click_away(
    look: Look, topic: str
) -> None:
    app = look(topic, "Gender", "Degree")
    charts = app.get("plotly_chart")
    assert charts
    assert all(chart.proto.alt for chart in charts)
    hidden = [one for one in app.expander if one.label == "How this is computed"]
    assert hidden
    assert not any("$" in one.value for one in app.caption)
