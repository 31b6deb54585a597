"""Labels: none lies on another or on an object, and whatever they say is only text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Page, expect


def overlapping(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return (
        one["left"] < other["left"] + other["width"]
        and other["left"] < one["left"] + one["width"]
        and one["top"] < other["top"] + other["height"]
        and other["top"] < one["top"] + one["height"]
    )


def assert_tidy(found: dict[str, Any]) -> None:
    labels, view = found["labels"], found["view"]
    assert not [pair for pair in combinations(labels, 2) if overlapping(*pair)]
    for label in labels:
        middles = [
            one["label"]
            for i, one in enumerate(found["objects"])
            if i not in label["objects"]
            and label["left"] < one["x"] < label["left"] + label["width"]
            and label["top"] < one["y"] < label["top"] + label["height"]
        ]
        assert not middles, (label["text"], middles)
    for label in labels:
        assert label["left"] >= 0
        assert label["left"] + label["width"] <= view["width"]


@pytest.mark.parametrize("width", [1440, 390])
def test_every_kinship_term_is_named_and_no_label_lies_on_another(
    open_page: Callable[..., Page], serve: Callable[..., str], width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 844})
    kinship = MapDriver(page, serve(SCRIPT), "kinship")
    first = kinship.debug()
    assert_tidy(first)
    assert sorted(i for label in first["labels"] for i in label["objects"]) == list(range(14))
    if width > 1000:
        kinship.second_map()
        second = kinship.debug()
        assert_tidy(second)
        assert "Aunt · Uncle" in [label["text"] for label in second["labels"]]


def test_labels_thin_out_in_a_crowd_and_return_when_zooming_in(
    page: Page, serve: Callable[..., str]
) -> None:
    many = MapDriver(page, serve(SCRIPT), "many")
    far = many.debug()
    assert_tidy(far)
    assert 10 < len(far["labels"]) < 300
    named = {i for label in far["labels"] for i in label["objects"]}
    middle = (far["view"]["cx"], far["view"]["cy"])
    many.wheel(many.from_map(*middle), -2200)
    near = many.debug()
    assert_tidy(near)
    assert {i for label in near["labels"] for i in label["objects"]} - named


def test_moving_about_does_not_change_which_labels_are_shown(
    page: Page, serve: Callable[..., str]
) -> None:
    kinship = MapDriver(page, serve(SCRIPT), "kinship")
    before = {label["text"] for label in kinship.debug()["labels"]}
    x, y = kinship.on_page("Daughter")
    kinship.drag((x + 30, y + 40), (x + 42, y + 31))
    kinship.settled()
    assert {label["text"] for label in kinship.debug()["labels"]} == before


def test_coinciding_objects_share_one_label_of_at_most_three_names(
    page: Page, serve: Callable[..., str]
) -> None:
    coinciding = MapDriver(page, serve(SCRIPT), "coinciding")
    texts = [label["text"] for label in coinciding.debug()["labels"]]
    assert sorted(texts) == ["Aunt · Uncle · Niece +2", "Lone", "Twin one · Twin two"]
    # The card has what the label leaves out, but only of the very same place.
    page.mouse.move(*coinciding.on_page("Twin one"))
    card = coinciding.root.locator(".card")
    expect(card).to_contain_text("In the same place: Twin two")
    expect(card).not_to_contain_text("Aunt")


def test_labels_are_only_ever_text(page: Page, serve: Callable[..., str]) -> None:
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    hostile = MapDriver(page, serve(SCRIPT), "hostile", colour="categorical")
    card = hostile.root.locator(".card")
    for one in hostile.debug()["objects"]:
        page.mouse.move(*hostile.on_page(one["label"]))
        expect(card.locator("strong")).to_have_text(one["label"].strip())
    with page.expect_download() as saved:
        hostile.button("Save as SVG").click()
    svg = saved.value.path().read_text(encoding="utf-8")
    assert "<script" not in svg
    assert "<img" not in svg
    for tag in ("img", "script", "b"):
        expect(hostile.root.locator(tag)).to_have_count(0)
    assert page.evaluate("() => window.hacked") is None
    assert dialogs == []
    # 300 characters are cut on the map, and whole on the card.
    longest = max(label["width"] for label in hostile.debug()["labels"])
    assert longest < 240
