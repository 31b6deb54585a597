"""Where on a map features rise."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core import Feature, FeatureTable
from cml_core.drawing.directions import directions

RANDOM = np.random.default_rng(1)
PLACES = RANDOM.normal(size=(40, 2)) + np.array([5, -2])
LABELS = tuple(f"o{i}" for i in range(40))


def table(*features: Feature) -> FeatureTable:
    return FeatureTable(LABELS, features)


def test_a_feature_that_the_map_tells_points_where_it_rises() -> None:
    exact = Feature.numeric("Exact", PLACES @ [3, -4])
    noisy = Feature.numeric("Noisy", PLACES[:, 1] + RANDOM.normal(size=40))
    first, second = directions(table(noisy, exact), PLACES)
    assert first.name == "Exact"
    assert (first.x, first.y, first.share) == pytest.approx((0.6, -0.8, 1))
    assert second.y > 0.9
    # The adjusted share of variance, by another way.
    design = np.column_stack([np.ones(40), PLACES])
    values = noisy.values
    left = values - design @ np.linalg.solve(design.T @ design, design.T @ values)
    assert second.share == pytest.approx(1 - (left @ left / 37) / values.var(ddof=1))


def test_random_numbers_tell_nothing_on_average() -> None:
    random = [Feature.numeric(f"f{k}", RANDOM.normal(size=40)) for k in range(200)]
    shares = [one.share for one in directions(table(*random), PLACES)]
    assert np.mean(shares) == pytest.approx(0, abs=0.015)


def test_two_groups_have_a_direction_and_several_have_none() -> None:
    side = ["left" if x < 5 else "right" for x in PLACES[:, 0]]
    found = directions(
        table(
            Feature.categorical("Side", side),
            Feature.categorical("Third", [str(k % 3) for k in range(40)]),
            Feature.circular("Hour", np.arange(40) % 24, 24),
            Feature.numeric("Same", np.ones(40)),
        ),
        PLACES,
    )
    assert [one.name for one in found] == ["Side"]
    assert found[0].towards in {"left", "right"}
    assert (found[0].x > 0) == (found[0].towards == "right")


def test_gaps_are_left_out_and_a_map_of_one_dimension_is_enough() -> None:
    flat = PLACES * [1, 0]
    values = PLACES[:, 0].copy()
    values[:5] = np.nan
    (one,) = directions(table(Feature.numeric("Gaps", values)), flat)
    assert (one.x, one.y, one.share) == pytest.approx((1, 0, 1))
