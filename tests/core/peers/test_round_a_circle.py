"""RadViz and star coordinates: places by hand, published values, and what no picture may change."""

import numpy as np
import pytest

from cml_core import FeatureTable, Problem, fit, load_dataset
from cml_core.errors import LengthMismatch
from cml_core.peers import CIRCLES, radviz, star_coordinates

CORNERS = np.array([[0.0, 0, 0], [4, 0, 0], [0, 2, 0], [0, 0, 1], [4, 2, 1]])
TURN = 2 * np.pi / 3
ANCHORS = np.array([[np.cos(k * TURN), np.sin(k * TURN)] for k in range(3)])


def test_radviz_of_the_kinship_terms_shows_gender_and_degree_but_no_generation() -> None:
    data = load_dataset("kinship14")
    found = fit(Problem(data.values(), FeatureTable(data.values().labels), 3), seed=0)
    assert found.stress == pytest.approx(0.0253995, rel=1e-5)
    seen = radviz(found.embedding)
    told = {name: seen.tells(data.features[name].to_numpy(float)) for name in data.features}
    expected = {"Gender": 0.525, "Degree": 0.730, "Generation": 0.047}
    assert told == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize("draw", [radviz, star_coordinates])
def test_what_is_high_on_one_dimension_alone_lies_at_its_anchor(draw) -> None:
    seen = draw(CORNERS)
    np.testing.assert_allclose(seen.anchors, ANCHORS, atol=1e-15)
    # What is low on all dimensions, or high on all, lies in the middle.
    middle = np.zeros((1, 2))
    np.testing.assert_allclose(seen.places, np.vstack([middle, ANCHORS, middle]), atol=1e-15)


def test_radviz_weighs_the_anchors_and_star_coordinates_add_them_up() -> None:
    between = np.vstack([CORNERS, [4, 2, 0]])
    np.testing.assert_allclose(radviz(between).places[-1], (ANCHORS[0] + ANCHORS[1]) / 2)
    np.testing.assert_allclose(star_coordinates(between).places[-1], ANCHORS[0] + ANCHORS[1])


@pytest.mark.parametrize("name", CIRCLES)
def test_neither_unit_nor_offset_of_a_dimension_matters(name: str) -> None:
    places = np.random.default_rng(0).normal(size=(20, 5))
    moved = places * [1, 1e9, 1e-9, 3, 7] + [5, -1e9, 0, 2, 1]
    draw = CIRCLES[name].draw
    np.testing.assert_allclose(draw(moved).places, draw(places).places, atol=1e-9)


def test_a_dimension_that_does_not_vary_pulls_nobody() -> None:
    flat = np.column_stack([CORNERS, np.full(len(CORNERS), 0.3)])
    assert np.isfinite(radviz(flat).places).all()
    np.testing.assert_allclose(radviz(flat).places[1], [1, 0], atol=1e-15)


def test_two_dimensions_are_refused_with_what_to_do() -> None:
    with pytest.raises(LengthMismatch, match=r"has 2 dimensions.*map of 3 or more"):
        radviz(CORNERS[:, :2])
