"""Schematic faces drawn from scales."""

from __future__ import annotations

import base64
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from cml_app.own_faces import face, faces, scales_of_faces
from cml_core import Feature, FeatureTable, load_dataset


def test_the_facial_expressions_are_drawn_each_from_its_own_scales() -> None:
    table = load_dataset("faces").feature_table()
    scales = scales_of_faces(table)
    index, addresses, words = faces(scales)
    np.testing.assert_array_equal(index, np.arange(13))
    assert len(set(addresses)) == 13
    assert words == (
        "Mouth: Pleasantness (PU)",
        "Brows: Attention (AR)",
        "Eyes: Tension (TS)",
    )
    for address in addresses:
        kind, _, content = address.partition(",")
        assert kind == "data:image/svg+xml;base64"
        assert ET.fromstring(base64.b64decode(content)).tag.endswith("svg")


def test_whoever_lacks_a_value_has_no_face() -> None:
    scales = [Feature.numeric(name, [1, 5, 9]) for name in ("Pleasant", "Tension")]
    table = FeatureTable(("a", "b", "c"), (*scales, Feature.numeric("Attention", [1, None, 9])))
    index, addresses, _ = faces(scales_of_faces(table))
    np.testing.assert_array_equal(index, [0, np.nan, 1])
    assert addresses[0] != addresses[1]


@pytest.mark.parametrize("pleasant", [0.0, 1.0])
def test_the_corners_of_a_pleasant_mouth_are_above_its_middle(pleasant: float) -> None:
    mouth = face(pleasant, 0.5, 0.5).partition("M15 ")[2]
    corner, _, rest = mouth.partition("Q24 ")
    middle = rest.partition(" ")[0]
    assert (float(corner) < float(middle)) == bool(pleasant)


@pytest.mark.parametrize("name", ["kinship14", "ekman", "morse"])
def test_nothing_else_is_taken_for_a_face(name: str) -> None:
    assert scales_of_faces(load_dataset(name).feature_table()) == ()
