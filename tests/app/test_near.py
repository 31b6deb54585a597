"""Who is near whom, among the settings: near, mutual, within a distance, and in pieces."""

from __future__ import annotations

import numpy as np
import pytest
from page_tools import said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_core import ConditionalIsomap, Neighbourhood
from cml_core.fitting.geodesics import least_reach
from cml_core.peers import radviz


@pytest.fixture
def discover(app: AppTest) -> AppTest:
    return app.switch_page("pages/2_Discover.py").run()


def choose(app: AppTest, how: str) -> AppTest:
    box = next(one for one in app.selectbox if one.label == "Distances")
    return box.set_value(how).run()


def number(app: AppTest, label: str):
    return next(one for one in app.number_input if one.label == label)


def test_mutual_neighbours_and_those_within_a_distance_are_fitted(discover: AppTest) -> None:
    choose(discover, "nearest")
    assert workspace_of(discover).step.problem.neighbourhood == Neighbourhood(5)
    choose(discover, "mutual")
    held = workspace_of(discover)
    assert held.step.problem.neighbourhood == Neighbourhood(5, mutual=True)
    assert "Through 5 mutual neighbours" in said(discover)
    data = held.journey.dissimilarities
    mutual = ConditionalIsomap(n_neighbors=5, mutual=True, random_state=0).fit(data)
    assert held.step.fit.stress == pytest.approx(mutual.stress_, rel=1e-6)

    choose(discover, "within")
    least = least_reach(data)
    assert held.step.problem.neighbourhood == Neighbourhood(epsilon=least)
    number(discover, "At most so dissimilar").set_value(1.2 * least).run()
    within = ConditionalIsomap(epsilon=1.2 * least, random_state=0).fit(data)
    assert held.step.fit.stress == pytest.approx(within.stress_, rel=1e-6)
    choose(discover, "given")
    assert held.step.problem.neighbourhood is None


def test_a_graph_in_pieces_is_refused_in_words_and_the_map_stays(discover: AppTest) -> None:
    choose(discover, "within")
    held = workspace_of(discover)
    before, least = held.step.id, least_reach(held.journey.dissimilarities)
    number(discover, "At most so dissimilar").set_value(0.9 * least).run()
    told = " ".join(one.value for one in discover.error).replace("\\", "")
    assert "the neighbourhood graph falls into" in told
    assert "that joins all 14 objects" in told
    assert held.step.id == before
    assert number(discover, "At most so dissimilar").value == pytest.approx(least)
    number(discover, "At most so dissimilar").set_value(0.0).run()
    assert "give a larger one" in said(discover)
    assert held.step.id == before


def test_the_least_reach_joins_all_and_hardly_less_does_not(discover: AppTest) -> None:
    data = workspace_of(discover).journey.dissimilarities
    least = least_reach(data)
    ConditionalIsomap(epsilon=least, random_state=0, n_init=1).fit(data)
    with pytest.raises(ValueError, match="falls into"):
        ConditionalIsomap(epsilon=np.nextafter(least * (1 - 1e-9), 0)).fit(data)


def test_of_three_dimensions_all_can_be_seen_round_a_circle(discover: AppTest) -> None:
    number(discover, "Hidden dimensions (0 to 13)").set_value(3).run()
    view = next(one for one in discover.selectbox if one.label == "View")
    assert "All, RadViz" in view.options
    view.set_value("All, RadViz").run()
    assert not discover.exception
    told = said(discover)
    assert "near an anchor" in told.lower()
    held = workspace_of(discover)
    gender = held.journey.features["Gender"].columns()
    share = radviz(held.shown).tells(gender)
    assert f"by chance about 0.15: Gender {share:.2f}" in told
    next(one for one in discover.selectbox if one.label == "View").set_value(
        "All, Star coordinates"
    ).run()
    assert "pulls towards its anchor" in said(discover)
