"""Moving and zooming: one scale for both axes, and only when the visitor asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Page, expect


@pytest.fixture
def square(page: Page, serve: Callable[..., str]) -> MapDriver:
    return MapDriver(page, serve(SCRIPT), "square")


def view(driver: MapDriver) -> dict[str, Any]:
    driver.settled()
    found: dict[str, Any] = driver.debug()["view"]
    return found


def test_the_map_shows_every_object_at_one_scale_and_fills_the_width(square: MapDriver) -> None:
    (ax, ay), (bx, _), (_, dy) = (square.on_page(label) for label in "ABD")
    # The corners are 20 units apart from left to right and 10 from top to bottom.
    assert bx - ax == pytest.approx(2 * (ay - dy), abs=0.01)
    box = square.root.bounding_box()
    around = square.page.locator(".st-key-map").bounding_box()
    assert box is not None
    assert around is not None
    assert box["width"] == pytest.approx(around["width"], abs=1)
    assert box["height"] <= 900
    stage = square.debug()["stage"]
    assert stage["left"] < ax < bx < stage["left"] + stage["width"]
    assert stage["top"] < dy < ay < stage["top"] + stage["height"]


def test_the_wheel_zooms_about_the_pointer_and_does_not_scroll_the_page(
    square: MapDriver,
) -> None:
    before = view(square)
    place = square.on_page("B")
    square.wheel(place, -400)
    assert view(square)["scale"] > 1.5 * before["scale"]
    # A wheel tells its place in whole pixels.
    assert square.on_page("B") == pytest.approx(place, abs=1)
    assert square.page.evaluate("() => document.querySelector('.stMain').scrollTop") == 0
    square.expect_runs(1)


def test_dragging_moves_the_map_with_the_pointer(square: MapDriver) -> None:
    before, (x, y) = view(square), square.on_page("E")
    square.drag((x + 50, y + 20), (x + 170, y - 40))
    assert square.on_page("E") == pytest.approx((x + 120, y - 60), abs=0.01)
    assert view(square)["scale"] == before["scale"]
    square.expect_runs(1)


def test_keys_move_zoom_and_fit_but_only_with_the_focus_on_the_map(square: MapDriver) -> None:
    before = view(square)
    square.page.keyboard.press("ArrowRight")
    square.page.keyboard.press("+")
    assert view(square) == before
    square.stage.focus()
    square.page.keyboard.press("ArrowRight")
    assert view(square)["cx"] > before["cx"]
    square.page.keyboard.press("+")
    square.page.keyboard.press("+")
    assert view(square)["scale"] == pytest.approx(before["scale"] * 1.4**2)
    square.page.keyboard.press("-")
    assert view(square)["scale"] == pytest.approx(before["scale"] * 1.4)
    square.page.keyboard.press("0")
    assert view(square) == pytest.approx(before)


def test_buttons_zoom_and_fit(square: MapDriver) -> None:
    before = view(square)
    square.button("Zoom in").click()
    assert view(square)["scale"] > before["scale"]
    square.button("Zoom out").click()
    square.button("Zoom out").click()
    assert view(square)["scale"] < before["scale"]
    square.button("Fit to view").click()
    assert view(square) == pytest.approx(before)
    square.expect_runs(1)


def test_other_colours_and_reruns_leave_the_view_as_it_is(square: MapDriver) -> None:
    square.button("Zoom in").click()
    square.drag(square.from_map(3, 3), square.from_map(5, 1))
    moved = view(square)
    square.page.get_by_role("combobox", name="Colour").click()
    square.page.get_by_role("option", name="categorical").click()
    expect(square.root.locator(".legend")).to_contain_text("Level")
    assert view(square) == moved
    square.page.get_by_role("button", name="Run again").click()
    square.expect_runs(3)
    assert view(square) == moved


def test_two_fingers_pinch(open_page: Callable[..., Page], serve: Callable[..., str]) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    square = MapDriver(page, serve(SCRIPT), "square")
    square.tool("Arrow")
    before, (x, y) = view(square), square.from_map(0, 0)
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *gaps: float) -> None:
        points = [{"x": x + gap, "y": y, "id": k} for k, gap in enumerate(gaps)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", -20)
    fingers("touchStart", -20, 20)
    for gap in (25, 30, 40):
        fingers("touchMove", -gap, gap)
    fingers("touchEnd")
    assert view(square)["scale"] == pytest.approx(before["scale"] * 2, rel=0.02)
    # The first finger did not begin an arrow.
    assert square.debug()["drawing"] is None
    square.expect_drawing(None)


def test_the_map_cannot_be_lost_and_a_double_click_brings_all_of_it_back(
    square: MapDriver,
) -> None:
    before, stage = view(square), square.debug()["stage"]
    place = square.from_map(3, -3)
    for _ in range(4):
        square.drag(place, (place[0] + 480, place[1] - 200))
        square.settled()
    objects = square.debug()["objects"]
    assert view(square)["cx"] < before["cx"]
    assert any(0 < one["x"] < stage["width"] and 0 < one["y"] < stage["height"] for one in objects)
    square.page.mouse.dblclick(stage["left"] + 300, stage["top"] + 15)
    square.settled()
    assert view(square) == pytest.approx(before)
    square.expect_runs(1)


def test_the_map_fills_the_screen_and_comes_back(square: MapDriver) -> None:
    before = square.debug()["stage"]
    button = square.button("Full screen")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    box = square.root.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == pytest.approx((1440, 900), abs=2)
    square.settled()
    assert square.debug()["stage"]["height"] > before["height"]
    square.stage.focus()
    square.page.keyboard.press("f")
    expect(button).to_have_attribute("aria-pressed", "false")
    square.settled()
    assert square.debug()["stage"] == before
    square.expect_runs(1)
