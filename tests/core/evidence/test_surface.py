"""A feature as a landscape over the map."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from cml_core import Feature
from cml_core.errors import LengthMismatch, UnsuitableFeature
from cml_core.evidence.surface import GRID, MARGIN, REACH, Surface, surface

N = 40
RANDOM = np.random.default_rng(2)
MAP = RANDOM.uniform(-1, 1, size=(N, 2))
BOWL = Feature.numeric("Bowl", (MAP**2).sum(axis=1))
SLOPE = Feature.numeric("Slope", 3 * MAP[:, 0] - MAP[:, 1] + 100)


def sites(found: Surface) -> np.ndarray:
    """(G, G, 2), the place of every height."""
    return np.stack(np.meshgrid(found.x, found.y), axis=-1)


def test_a_straight_feature_is_a_slope() -> None:
    found = surface(SLOPE, MAP)
    places = sites(found)
    seen = np.isfinite(found.height)
    expected = np.clip(3 * places[..., 0] - places[..., 1] + 100, *np.sort(SLOPE.values)[[0, -1]])
    # The plane's penalty is a billionth.
    np.testing.assert_allclose(found.height[seen], expected[seen], atol=1e-6)
    assert found.predicted == pytest.approx(1)


def test_a_bowl_is_lowest_in_its_middle() -> None:
    found = surface(BOWL, MAP)
    lowest = sites(found)[np.unravel_index(np.nanargmin(found.height), (GRID, GRID))]
    # A third of the map's width is 0.7.
    assert np.hypot(*lowest) < 0.35
    assert found.predicted > 0.7
    assert "predict" in found.verdict
    assert "of Bowl" in found.verdict


def test_nothing_is_drawn_far_from_every_object() -> None:
    found = surface(BOWL, MAP)
    gaps = cdist(sites(found).reshape(-1, 2), MAP).min(axis=1).reshape(GRID, GRID)
    far = gaps > REACH * np.ptp(found.x)
    np.testing.assert_array_equal(np.isnan(found.height), far)
    assert 0 < far.sum() < far.size / 2


def test_objects_without_a_value_make_no_ground() -> None:
    values = BOWL.values.copy()
    values[MAP[:, 0] > 0] = np.nan
    found = surface(BOWL.with_values(values), MAP)
    assert np.isnan(found.height[:, found.x > 0.8]).all()
    assert np.isfinite(found.height[:, found.x < -0.2]).any()


def test_the_grid_is_square_and_holds_every_object() -> None:
    found = surface(BOWL, MAP * [3, 1])
    assert np.ptp(found.x) == pytest.approx(np.ptp(found.y))
    assert np.ptp(found.x) == pytest.approx((1 + 2 * MARGIN) * 3 * np.ptp(MAP[:, 0]))
    assert found.y.min() < MAP[:, 1].min()


def test_two_categories_are_the_share_of_the_second() -> None:
    sides = Feature.categorical("Side", np.where(MAP[:, 0] > 0, "right", "left"), ["left", "right"])
    found = surface(sides, MAP)
    assert np.nanmin(found.height) >= 0
    assert np.nanmax(found.height) <= 1
    right = found.height[:, found.x > 0.5]
    left = found.height[:, found.x < -0.5]
    assert np.nanmean(right) > 0.8
    assert np.nanmean(left) < 0.2


def test_levels_are_ranks() -> None:
    codes = np.digitize(MAP[:, 1], [-0.3, 0.3])
    levels = Feature.ordinal(
        "Level", [["low", "mid", "high"][c] for c in codes], ["low", "mid", "high"]
    )
    found = surface(levels, MAP)
    assert np.nanmean(found.height[found.y > 0.6]) > 1.5 > np.nanmean(found.height)


def test_only_the_first_two_dimensions_are_drawn() -> None:
    deep = np.column_stack([MAP, RANDOM.normal(size=N)])
    np.testing.assert_array_equal(surface(BOWL, deep).height, surface(BOWL, MAP).height)


def test_a_map_of_one_dimension_lies_on_the_first_axis() -> None:
    found = surface(SLOPE, MAP[:, :1])
    middle = found.height[GRID // 2]
    assert np.isfinite(middle).any()
    seen = np.isfinite(found.height).sum(axis=0) > 1
    # The same height all along the second axis.
    spread = np.nanmax(found.height[:, seen], axis=0) - np.nanmin(found.height[:, seen], axis=0)
    assert spread[found.x[seen] < MAP[:, 0].max()].max() < np.ptp(SLOPE.values) / 10


def test_a_constant_feature_is_flat_and_says_nothing() -> None:
    found = surface(Feature.numeric("Planet", [3.0] * N), MAP)
    assert np.nanmin(found.height) == np.nanmax(found.height) == 3
    assert found.predicted == 0
    assert found.verdict.startswith("The contours of Planet say nothing")


def test_values_of_any_size_can_be_drawn() -> None:
    for unit in (1e-300, 1e300):
        found = surface(SLOPE.with_values(unit * SLOPE.values), MAP)
        expected = surface(SLOPE, MAP).height
        np.testing.assert_allclose(found.height / unit, expected, rtol=1e-9)
    zeros = surface(Feature.numeric("Zero", [0.0] * N), MAP)
    assert np.nanmax(np.abs(zeros.height)) == 0


@pytest.mark.parametrize(
    ("feature", "fact"),
    [
        (Feature.circular("x", np.arange(N)), "an angle"),
        (Feature.categorical("x", list("abcd") * 10), "more than two categories"),
        (Feature.numeric("x", [1.0, 2, 3, 4] + [np.nan] * (N - 4)), "Fewer than 5"),
    ],
    ids=["angle", "categories", "few values"],
)
def test_what_has_no_height_is_refused(feature: Feature, fact: str) -> None:
    with pytest.raises(UnsuitableFeature, match=fact):
        surface(feature, MAP)


@pytest.mark.parametrize(
    ("embedding", "error"),
    [
        (np.zeros((N, 2)), UnsuitableFeature),
        (np.zeros((N, 0)), UnsuitableFeature),
        (MAP[1:], LengthMismatch),
        (MAP[:, 0], LengthMismatch),
        (np.where(MAP > 0.9, np.nan, MAP), UnsuitableFeature),
    ],
    ids=["one place", "no dimension", "too short", "a list", "a gap"],
)
def test_a_map_that_cannot_be_drawn_is_refused(embedding: np.ndarray, error: type) -> None:
    with pytest.raises(error):
        surface(BOWL, embedding)


def test_results_are_read_only_and_speak_for_themselves() -> None:
    found = surface(BOWL, MAP)
    again = pickle.loads(pickle.dumps(found))
    for held in (again, found):
        assert not any(array.flags.writeable for array in (held.x, held.y, held.height))
    assert repr(found) == f"Surface({found.verdict})"
