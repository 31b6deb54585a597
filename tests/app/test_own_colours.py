"""Features that are colours themselves."""

from __future__ import annotations

import colorsys

import numpy as np
import pytest

from cml_app.own_colours import of_light, own_colours
from cml_app.scenes import colouring
from cml_core import Feature, load_dataset


def hue(colour: str) -> float:
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return 360 * colorsys.rgb_to_hsv(red, green, blue)[0]


@pytest.mark.parametrize(
    ("wavelength", "between"),
    [(445, (225, 290)), (490, (150, 215)), (530, (90, 160)), (580, (25, 65)), (650, (0, 20))],
)
def test_light_looks_as_people_call_it(wavelength: float, between: tuple[float, float]) -> None:
    """Violet-blue, blue-green, green, yellow-orange, red."""
    assert between[0] <= hue(of_light(wavelength)) <= between[1]


def test_ekmans_colours_look_like_their_colours() -> None:
    told = colouring(load_dataset("ekman").feature_table()["Wavelength"])
    assert told.kind == "swatch"
    assert told.levels[0] == of_light(434)
    assert told.levels[int(told.values[-1])] == of_light(674)


def test_written_colours_are_taken_as_they_are_and_gaps_stay() -> None:
    told = colouring(Feature.categorical("Paint", ["#F00", "rgb(0, 128, 255)", "#00ff00", None]))
    assert told.kind == "swatch"
    assert [told.levels[int(k)] for k in told.values[:3]] == ["#f00", "rgb(0, 128, 255)", "#00ff00"]
    assert np.isnan(told.values[3])
    named = own_colours(Feature.categorical("Colour of the fur", ["brown", "White", "brown"]))
    assert named is not None


@pytest.mark.parametrize(
    "feature",
    [
        Feature.categorical("Team", ["red", "blue", "red"]),
        Feature.categorical("Colour", ["red", "url(javascript:alert(1))", "blue"]),
        Feature.categorical("Code", ["#12", "#12345g", "#fff"]),
        Feature.numeric("Wavelength", [434, 500, 900]),
        Feature.numeric("Length", [434, 500, 600]),
    ],
    ids=lambda feature: feature.name,
)
def test_what_is_no_colour_is_not_taken_for_one(feature: Feature) -> None:
    assert own_colours(feature) is None
    assert colouring(feature).kind != "swatch"
