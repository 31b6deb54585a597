"""All of it without a mouse, and told to those who do not see it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Page, expect


@pytest.fixture
def square(page: Page, serve: Callable[..., str]) -> MapDriver:
    driver = MapDriver(page, serve(SCRIPT), "square")
    page.get_by_role("button", name="Save as SVG").focus()
    page.keyboard.press("Tab")
    expect(driver.stage).to_be_focused()
    return driver


def spoken(square: MapDriver) -> object:
    return expect(square.root.locator("[aria-live]"))


def test_an_arrow_is_drawn_with_keys_alone(square: MapDriver) -> None:
    keys = square.page.keyboard
    keys.press("n")
    spoken(square).to_have_text("A, Corner A. 1 of 5.")
    keys.press("Enter")
    spoken(square).to_have_text("1 selected: A.")
    # One is not enough for an arrow.
    keys.press("x")
    assert square.debug()["drawing"] is None
    keys.press("n")
    keys.press("n")
    keys.press(" ")
    square.expect_selected(0, 2)
    keys.press("x")
    square.expect_drawing("arrow")
    drawing = square.returned()["drawing"]
    assert (drawing["start"], drawing["end"]) == ([-10, -5], [10, 5])
    spoken(square).to_contain_text("Arrow drawn.")
    expect(square.stage).to_be_focused()


def test_a_curve_goes_through_the_selected_objects_in_order(square: MapDriver) -> None:
    keys = square.page.keyboard
    for key in ("n", "Enter", "p", "Enter", "p", "p", "p", "Enter"):
        keys.press(key)
    square.expect_selected(0, 4, 1)
    keys.press("v")
    square.expect_drawing("curve")
    points = square.returned()["drawing"]["points"]
    assert points[0] == pytest.approx([-10, -5])
    assert points[-1] == pytest.approx([10, -5])
    assert min(abs(x) + abs(y) for x, y in points) < 0.01
    keys.press("Delete")
    square.expect_drawing(None)
    square.expect_selected(0, 4, 1)


def test_shift_and_an_arrow_key_go_to_the_neighbour_in_that_direction(square: MapDriver) -> None:
    keys = square.page.keyboard
    view = square.debug()["view"]
    keys.press("n")
    keys.press("Shift+ArrowRight")
    assert square.debug()["current"] == 4
    keys.press("Shift+ArrowUp")
    keys.press("Shift+ArrowRight")
    assert square.debug()["current"] in (2, 3)
    # The card goes along; the map does not.
    expect(square.root.locator(".card")).to_be_visible()
    assert square.debug()["view"] == view


def test_letters_choose_tools_and_do_nothing_to_the_page(square: MapDriver) -> None:
    tools = square.page.get_by_role("group", name="Tools")
    for key, name in (("s", "Select"), ("a", "Arrow"), ("c", "Curve"), ("m", "Move")):
        square.page.keyboard.press(key)
        expect(tools.get_by_role("button", pressed=True)).to_have_text(name)
        expect(square.answer).to_contain_text(f'"tool": "{name.lower()}"')
    # On the page itself, c offers to clear the caches.
    expect(square.page.get_by_role("dialog")).to_have_count(0)
    square.expect_runs(5)


def test_the_map_says_what_it_is_and_what_can_be_done(square: MapDriver) -> None:
    expect(square.stage).to_have_accessible_name("Square: 5 objects")
    description = square.root.locator("#map-help").inner_text()
    assert "X draws an arrow from the first to the second" in description
    expect(square.stage).to_have_accessible_description(description.replace("\n", " "))
    for button in square.root.get_by_role("button").all():
        assert button.get_attribute("title")
    # Tab leads on; the map does not keep the focus.
    square.page.keyboard.press("Tab")
    expect(square.stage).not_to_be_focused()


def test_leaving_the_map_hides_the_card_and_the_ring(square: MapDriver) -> None:
    square.page.keyboard.press("n")
    card = square.root.locator(".card")
    expect(card).to_be_visible()
    square.page.keyboard.press("Shift+Tab")
    expect(card).to_be_hidden()
    square.page.keyboard.press("Tab")
    expect(card).to_be_visible()
    expect(card).to_contain_text("A")
