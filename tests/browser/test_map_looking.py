"""Looking at one object: found by typing, by a click or by keys, with who is near and far."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Locator, Page, expect

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def kinship(page: Page, serve: Callable[..., str]) -> MapDriver:
    return MapDriver(page, serve(SCRIPT), "kinship", ends=1)


def finder(driver: MapDriver) -> Locator:
    return driver.root.get_by_role("combobox", name="Find an object")


def middle_of(driver: MapDriver) -> tuple[float, float]:
    stage = driver.debug()["stage"]
    return stage["left"] + stage["width"] / 2, stage["top"] + stage["height"] / 2


def test_an_object_is_found_by_typing_a_part_of_its_name(kinship: MapDriver) -> None:
    field = finder(kinship)
    field.click()
    field.press_sequentially("gran", delay=120)
    offered = kinship.root.get_by_role("option")
    assert offered.all_inner_texts() == [
        "Granddaughter",
        "Grandfather",
        "Grandmother",
        "Grandson",
    ]
    field.press_sequentially("dm", delay=120)
    expect(offered).to_have_text(["Grandmother"])
    field.press("Enter")
    expect(offered).to_have_count(0)
    expect(kinship.root.locator(".card strong")).to_have_text("Grandmother")
    kinship.settled()
    assert kinship.on_page("Grandmother") == pytest.approx(middle_of(kinship), abs=1)
    expect(kinship.root.locator("[aria-live]")).to_have_text(
        re.compile(r"Grandmother.*Nearest by the data Granddaughter")
    )
    # Letters that are typed choose no tool, and shortcuts of the page stay quiet.
    assert kinship.debug()["tool"] == "move"
    kinship.expect_runs(1)


def test_what_was_found_can_be_chosen_with_arrow_keys_or_a_click(kinship: MapDriver) -> None:
    field = finder(kinship)
    field.press_sequentially("so", delay=100)
    # What begins so comes before what holds it.
    expect(kinship.root.get_by_role("option")).to_have_text(["Son", "Grandson"])
    field.press("ArrowDown")
    field.press("Enter")
    expect(kinship.root.locator(".card strong")).to_have_text("Grandson")
    field.fill("")
    field.press_sequentially("UN", delay=100)
    kinship.root.get_by_role("option", name="Uncle").click()
    expect(kinship.root.locator(".card strong")).to_have_text("Uncle")
    expect(field).to_have_value("Uncle")
    field.press("Escape")
    expect(field).to_have_value("")
    expect(kinship.root.locator(".card")).to_be_hidden()


def test_of_a_crowd_one_is_found_near_by_and_what_is_not_there_is_said(
    page: Page, serve: Callable[..., str]
) -> None:
    many = MapDriver(page, serve(SCRIPT), "many")
    before = many.debug()["view"]["scale"]
    field = finder(many)
    field.press_sequentially("object 77", delay=60)
    assert many.root.get_by_role("option").first.inner_text() == "Object 77"
    field.press("Enter")
    many.settled()
    assert many.debug()["view"]["scale"] > 2 * before
    field.fill("Nobody")
    expect(many.root.get_by_role("option")).to_have_text(["No object is called so."])
    field.press("Enter")
    assert many.debug()["current"] == 76


def test_a_click_shows_the_nearest_and_the_farthest_by_the_data(kinship: MapDriver) -> None:
    kinship.click(kinship.on_page("Mother"))
    card = kinship.root.locator(".card")
    expect(card).to_contain_text("Nearest by the data")
    expect(card).to_contain_text("Farthest by the data")
    kinship.settled()
    with kinship.page.expect_download() as waiting:
        kinship.button("Save as SVG").click()
    primary = kinship.debug()["theme"]["primary"]
    lines = [
        one.get("d", "").count("M")
        for one in ET.parse(waiting.value.path()).getroot().iter(f"{SVG}path")
        if one.get("stroke") == primary and one.get("stroke-width") == "2"
    ]
    assert lines == [2]
    # The focus has left the map, and the card stays; a click beside all objects ends it.
    expect(card).to_be_visible()
    kinship.click(kinship.from_map(0, 0))
    expect(card).to_be_hidden()
    assert kinship.debug()["current"] == -1
    kinship.expect_runs(1)


def test_who_is_looked_at_stays_so_where_the_objects_move(kinship: MapDriver) -> None:
    kinship.click(kinship.on_page("Niece"))
    current = kinship.debug()["current"]
    kinship.second_map()
    assert kinship.debug()["current"] == current
    assert kinship.debug()["looking"]


def test_the_bar_tells_how_long_a_distance_is_in_the_data(kinship: MapDriver) -> None:
    for _ in range(2):
        found = kinship.debug()
        bar = found["scaleBar"]
        number = float(bar["text"].removesuffix(" in the data").replace(",", ""))
        assert bar["length"] == pytest.approx(number * found["view"]["scale"])
        assert 60 < bar["right"] - bar["left"] < 260
        assert 0 < bar["left"] < bar["right"] < found["view"]["width"]
        kinship.button("Zoom in").click()
        kinship.settled()
    with kinship.page.expect_download() as waiting:
        kinship.button("Save as SVG").click()
    texts = {one.text for one in ET.parse(waiting.value.path()).getroot().iter(f"{SVG}text")}
    assert kinship.debug()["scaleBar"]["text"] in texts


def test_a_finger_that_taps_an_object_looks_at_it(
    open_page: Callable[..., Page], serve: Callable[..., str]
) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    kinship = MapDriver(page, serve(SCRIPT), "kinship", ends=1)
    kinship.stage.scroll_into_view_if_needed()
    x, y = kinship.on_page("Aunt")
    page.touchscreen.tap(x, y)
    card = kinship.root.locator(".card")
    expect(card.locator("strong")).to_have_text("Aunt")
    # The card does not lie on what it tells of.
    box = card.bounding_box()
    assert box is not None
    assert not box["y"] <= y <= box["y"] + box["height"]
    for field in (finder(kinship), kinship.button("Full screen")):
        size = field.bounding_box()
        assert size is not None
        assert size["height"] >= 44


def test_arrows_show_where_features_rise_and_can_be_hidden(kinship: MapDriver) -> None:
    def texts() -> set[str | None]:
        with kinship.page.expect_download() as waiting:
            kinship.button("Save as SVG").click()
        drawn = ET.parse(waiting.value.path()).getroot()
        return {one.text for one in drawn.iter(f"{SVG}text")}

    names = {"East 81\N{NO-BREAK SPACE}%", "Side: low 25\N{NO-BREAK SPACE}%"}
    assert not names & texts()
    button = kinship.button("Directions of features")
    button.focus()
    kinship.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(kinship.root.locator("[aria-live]")).to_contain_text("East 81")
    assert names <= texts()
    # Their names hide no objects.
    found = kinship.debug()
    assert len(found["directions"]) == 2
    for box in found["directions"]:
        for one in found["objects"]:
            beside = not box["left"] < one["x"] < box["right"]
            assert beside or not box["top"] < one["y"] < box["bottom"]
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert not names & texts()
    kinship.expect_runs(1)


def test_objects_with_colours_of_their_own_look_like_them(
    page: Page, serve: Callable[..., str]
) -> None:
    plain = MapDriver(page, serve(SCRIPT), "square")
    radius = plain.debug()["radius"]
    painted = MapDriver(page, serve(SCRIPT), "square", colour="swatch")
    found = painted.debug()
    fills = [one["style"]["fill"] for one in found["objects"]]
    assert fills[:4] == ["#d00000", "rgb(0, 160, 0)", "#00f", "#d00000"]
    assert found["objects"][4]["style"]["hollow"]
    assert found["radius"] > 1.5 * radius
    # Colours that speak for themselves need no legend.
    expect(painted.root.locator(".legend")).to_be_hidden()
