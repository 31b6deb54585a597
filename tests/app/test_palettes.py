"""Every kind of feature has colours, on the map of the browser and in Plotly's figures."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cml_app.discovery_map import assets
from cml_app.palettes import MOST_CATEGORIES, PALETTES, palette_of
from cml_app.pictures.figures import clouds, ink
from cml_app.scenes import colouring
from cml_core import Feature
from cml_core.values.kinds.kind import Kind
from cml_core.values.kinds.registry import KINDS

FEATURES = (
    Feature.numeric("Size", [1, None, 3]),
    Feature.of("curved", "Price", [1, None, 3]),
    Feature.ordinal("Rank", ["low", "high", None], ["low", "high"]),
    Feature.categorical("Team", ["red", "blue", None]),
    Feature.circular("Hour", [0, 6, None], 24),
)


def test_there_is_a_feature_of_every_kind_here() -> None:
    assert [feature.kind for feature in FEATURES] == list(KINDS)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.kind)
def test_the_map_is_told_how_to_colour_a_feature(feature: Feature) -> None:
    told = colouring(feature)
    assert told.kind == KINDS[feature.kind].colouring
    np.testing.assert_array_equal(told.values, feature.values)
    assert (told.levels, told.period) == (feature.levels, feature.period)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.kind)
def test_plotly_draws_levels_one_by_one_and_all_else_by_a_scale(feature: Feature) -> None:
    drawn = list(clouds(3, feature, ink(dark=False)))
    names = [name for name, _, _ in drawn]
    own = palette_of(feature).has_levels
    assert names == (["red", "blue", "not known"] if own else [""])


def test_of_many_levels_the_commonest_keep_a_colour_and_the_others_are_counted() -> None:
    names = [f"code {k}" for k in range(36)]
    told = colouring(Feature.categorical("Code", [*names, "code 35", None], names))
    assert len(told.levels) == MOST_CATEGORIES
    assert (told.levels[-1], told.more) == ("24 more", 24)
    assert "code 35" in told.levels
    assert told.levels[told.values[35].astype(int)] == "code 35"
    assert told.values[34] == MOST_CATEGORIES - 1
    assert np.isnan(told.values[-1])


def test_no_colour_is_used_twice_in_space_either() -> None:
    names = [f"code {k}" for k in range(36)]
    drawn = list(clouds(36, Feature.categorical("Code", names, names), ink(dark=False)))
    looks = [(marker["color"], marker["symbol"]) for _, _, marker in drawn]
    assert len(set(looks)) == len(looks) == MOST_CATEGORIES
    assert sum(these.size for _, these, _ in drawn) == 36


def test_a_feature_of_few_levels_keeps_them_all_as_they_stand() -> None:
    names = [f"code {k}" for k in range(MOST_CATEGORIES)]
    told = colouring(Feature.categorical("Code", names, names))
    assert (told.levels, told.more) == (tuple(names), 0)


def test_the_browser_has_a_module_for_every_palette() -> None:
    assert set(re.findall(r"addColouring\(\{\s*name: \"(\w+)\"", assets.javascript())) == set(
        PALETTES
    )


def test_a_new_kind_is_coloured_by_the_palette_that_it_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gradians = Kind(
        "gradians", meaning="a bearing", step="a turn", colouring="circular", has_period=True
    )
    monkeypatch.setitem(KINDS, gradians.name, gradians)  # type: ignore[arg-type]
    bearing = Feature.of("gradians", "Bearing", [0, 100, 399], period=400)
    told = colouring(bearing)
    assert (told.kind, told.period) == ("circular", 400)
    assert palette_of(bearing).scale == palette_of(FEATURES[-1]).scale
