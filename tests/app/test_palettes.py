"""Every kind of feature has colours, on the map of the browser and in Plotly's figures."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cml_app.discovery_map import assets
from cml_app.palettes import PALETTES, palette_of
from cml_app.pictures.figures import clouds, ink
from cml_app.scenes import MOST_CATEGORIES, colouring
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


def test_many_levels_share_the_last_colour() -> None:
    told = colouring(Feature.categorical("Name", [str(k) for k in range(30)]))
    assert len(told.levels) == MOST_CATEGORIES
    assert told.levels[-1] == "others"
    assert told.values.max() == MOST_CATEGORIES - 1


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
