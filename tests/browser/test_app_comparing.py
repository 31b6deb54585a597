"""Two maps beside one another: what one points at, looks at or selects on one shows on both."""

from __future__ import annotations

from typing import Any

from app_driver import AppDriver
from playwright.sync_api import Locator, Page, expect


def debug(root: Locator) -> dict[str, Any]:
    expect(root).to_have_attribute("data-settled", "true")
    found: dict[str, Any] = root.evaluate("element => element.mapDebug()")
    return found


def place(root: Locator, label: str) -> tuple[float, float]:
    found = debug(root)
    one = next(one for one in found["objects"] if one["label"] == label)
    return one["x"] + found["stage"]["left"], one["y"] + found["stage"]["top"]


def labels_of(found: dict[str, Any], objects: list[int]) -> list[str]:
    return [found["objects"][i]["label"] for i in objects]


def test_pointing_looking_and_selecting_are_linked_and_no_tool_does_nothing(
    page: Page, address: str
) -> None:
    app = AppDriver(page, address, "?tour=off")
    app.shows("Kinship terms, with nothing known yet")
    app.tick("Generation")
    app.shows("Kinship terms, with Generation taken out")
    app.idle()
    page.get_by_role("combobox", name="Compare with another map").click()
    page.get_by_role("option", name="Nothing known").click()
    beside = page.locator(".st-key-map-beside .map")
    expect(beside).to_be_visible()
    app.idle()
    # Both maps take what the window leaves.
    heights = [debug(root)["stage"]["height"] for root in (app.map, beside)]
    assert heights[0] == heights[1] > 400
    tools = beside.get_by_role("group", name="Tools").get_by_role("button")
    expect(tools).to_have_text(["Move", "Select"])

    page.mouse.move(*place(app.map, "Aunt"), steps=5)
    expect(app.map.locator(".card strong")).to_have_text("Aunt")
    found = debug(beside)
    assert labels_of(found, [found["pointed"]]) == ["Aunt"]
    page.mouse.click(*place(beside, "Niece"))
    for root in (app.map, beside):
        found = debug(root)
        assert labels_of(found, [found["current"]]) == ["Niece"]
        expect(root.locator(".card")).to_contain_text("Nearest by the data")

    tools.nth(1).click()
    app.idle()
    page.mouse.click(*place(beside, "Mother"))
    app.idle()
    for root in (app.map, beside):
        found = debug(root)
        assert labels_of(found, found["selected"]) == ["Mother"]
    # What was selected beside can be named as a group.
    expect(page.locator(".st-key-discovery")).to_contain_text("Mother")
    beside.get_by_role("application").focus()
    page.keyboard.press("a")
    assert debug(beside)["tool"] == "select"


def test_another_optimum_can_stand_beside_the_best_map(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows("Kinship terms, with nothing known yet")
    app.idle()
    page.get_by_role("combobox", name="Compare with another map").click()
    page.get_by_role("option", name="Next best 1,").click()
    beside = page.locator(".st-key-map-beside .map")
    expect(beside).to_be_visible()
    app.idle()
    places = [[(one["x"], one["y"]) for one in debug(m)["objects"]] for m in (app.map, beside)]
    assert places[0] != places[1]
