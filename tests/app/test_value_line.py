"""The line on which a draft's values stand, as a small picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
from figure_tools import INK

from cml_app.pictures.value_line import DOT, HEIGHT, LINE, MOST_TICKS, value_line
from cml_core import Feature

NAN = float("nan")


def drawn(labels: list[str], feature: Feature) -> ET.Element:
    return ET.fromstring(value_line(labels, feature, INK).partition("</style>")[2])


def place(element: ET.Element, which: str) -> float:
    found = re.search(rf"{which}:(-?[\d.]+)", element.get("style") or "")
    assert found
    return float(found[1])


def ticks(picture: ET.Element) -> list[tuple[str | None, float]]:
    return [(tick.text, place(tick, "left")) for tick in picture.findall("b")]


def test_each_object_with_a_value_stands_at_it_and_says_so() -> None:
    picture = drawn(["a", "b", "c", "d"], Feature.numeric("x", [0.0, 3.0, NAN, 1.5]))
    dots = picture.findall("i")
    assert [dot.get("title") for dot in dots] == ["a: 0.0", "b: 3.0", "d: 1.5"]
    assert [place(dot, "left") for dot in dots] == [0, 100, 50]
    assert ticks(picture) == [("0.0", 0), ("1.5", 50), ("3.0", 100)]
    assert picture.get("aria-label") == (
        "3 objects along a line, from 0.0 (a) to 3.0 (b); 1 object without a value."
    )


def test_equal_values_stand_above_one_another_within_the_picture() -> None:
    few = drawn(["a", "b", "c"], Feature.numeric("x", [1, 1, 2]))
    low, above, alone = (place(dot, "bottom") for dot in few.findall("i"))
    assert low == alone < above
    labels = [str(k) for k in range(40)]
    many = drawn(labels, Feature.numeric("x", [1] * 39 + [2])).findall("i")
    heights = [place(dot, "bottom") for dot in many]
    assert len(set(heights)) == 39
    assert LINE < min(heights) < max(heights) <= HEIGHT - DOT


def test_levels_are_named_below_the_line_as_far_as_there_is_room() -> None:
    feature = Feature.ordinal("size", ["S", "L", "M"], levels=["S", "M", "L"])
    assert ticks(drawn(["a", "b", "c"], feature)) == [("S", 0), ("M", 50), ("L", 100)]
    many = [f"level {k}" for k in range(12)]
    shown = ticks(drawn(many, Feature.ordinal("many", many, levels=many)))
    assert [text for text, _ in shown] == ["level 0", "level 6", "level 11"]
    assert len(shown) <= MOST_TICKS


def test_numbers_that_would_run_into_each_other_are_left_out() -> None:
    picture = drawn(["a", "b", "c"], Feature.numeric("x", [0, 0.01, 1]))
    assert ticks(picture) == [("0", 0), ("1", 100)]
    fine = drawn(list("abcdefghijk"), Feature.numeric("x", np.linspace(-1, 1, 11)))
    assert ticks(fine) == [("-1", 0), ("0", 50), ("1", 100)]


def test_a_feature_that_does_not_vary_is_drawn_too() -> None:
    picture = drawn(["a", "b"], Feature.numeric("x", [2.0, 2.0]))
    assert picture.get("aria-label") == "2 objects along a line, from 2 (a) to 2 (a)."
    assert [place(dot, "left") for dot in picture.findall("i")] == [0, 0]
    assert ticks(picture) == [("2", 0)]


def test_names_are_text_and_nothing_else() -> None:
    label = '<script>"&'
    picture = drawn([label, "b"], Feature.numeric("x", [0, 1]))
    assert picture.findall("i")[0].get("title") == f"{label}: 0"
    assert label in (picture.get("aria-label") or "")
    assert not list(picture.iter("script"))
