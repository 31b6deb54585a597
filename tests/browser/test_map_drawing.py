"""What is drawn on the map reaches Python, in the units of the map and once."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import pytest
from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Page, expect

# A pixel of the square's map is about 0.025 units.
PIXEL = 0.05


@pytest.fixture
def square(page: Page, serve: Callable[..., str]) -> MapDriver:
    return MapDriver(page, serve(SCRIPT), "square")


def near(*place: float) -> object:
    return pytest.approx(place, abs=PIXEL)


def ellipse(square: MapDriver, share: float = 1.0, steps: int = 24) -> list[tuple[float, float]]:
    turns = [2 * pi * share * k / steps for k in range(steps + 1)]
    return [square.from_map(6 * cos(turn), 3 * sin(turn)) for turn in turns]


def test_a_dragged_arrow_comes_back_in_the_units_of_the_map_after_one_run(
    square: MapDriver,
) -> None:
    square.tool("Arrow")
    before = square.debug()["view"]
    square.drag(square.from_map(-8, -2), square.from_map(6, 3))
    square.expect_drawing("arrow")
    drawing = square.returned()["drawing"]
    assert drawing["start"] == near(-8, -2)
    assert drawing["end"] == near(6, 3)
    # The first run, the tool, the arrow; nothing was sent while the pointer moved.
    square.expect_runs(3)
    assert square.debug()["view"] == before


def test_either_end_of_an_arrow_can_be_dragged_and_the_other_stays(square: MapDriver) -> None:
    square.draw_arrow()
    start = square.returned()["drawing"]["start"]
    square.drag(square.from_map(6, 3), square.from_map(2, -4))
    square.expect_runs(4)
    drawing = square.returned()["drawing"]
    assert drawing["end"] == near(2, -4)
    assert drawing["start"] == start
    square.drag(square.from_map(-8, -2), square.from_map(-3, 4))
    square.expect_runs(5)
    assert square.returned()["drawing"]["start"] == near(-3, 4)


def test_escape_leaves_the_earlier_arrow_and_sends_nothing(square: MapDriver) -> None:
    square.tool("Arrow")
    square.drag(square.from_map(-8, -2), square.from_map(6, 3))
    square.expect_runs(3)
    kept = square.returned()["drawing"]
    square.drag(square.from_map(-5, 4), square.from_map(5, -4), release=False)
    assert square.debug()["drafting"]
    square.page.keyboard.press("Escape")
    square.page.mouse.up()
    assert not square.debug()["drafting"]
    # A tool is told next, and with it whatever would have been told before.
    square.tool("Move")
    square.expect_runs(4)
    assert square.returned()["drawing"] == kept


def test_a_click_with_the_arrow_tool_draws_nothing(square: MapDriver) -> None:
    square.tool("Arrow")
    square.click(square.from_map(3, 3))
    assert square.debug()["drawing"] is None
    square.tool("Move")
    square.expect_runs(3)
    square.expect_drawing(None)


def test_a_line_drawn_freehand_is_open_and_follows_the_hand(square: MapDriver) -> None:
    square.tool("Curve")
    square.drag(*ellipse(square, share=0.7))
    square.expect_drawing("curve")
    drawing = square.returned()["drawing"]
    assert drawing["closed"] is False
    assert drawing["points"][0] == near(6, 0)
    assert drawing["points"][-1] == near(6 * cos(1.4 * pi), 3 * sin(1.4 * pi))
    # Smoothing may cut corners by a few pixels, no more.
    assert all(0.94 < (x / 6) ** 2 + (y / 3) ** 2 < 1.06 for x, y in drawing["points"])
    square.expect_runs(3)


def test_a_line_that_returns_to_its_start_is_closed(square: MapDriver) -> None:
    square.tool("Curve")
    square.drag(*ellipse(square, share=0.985))
    square.expect_drawing("curve")
    drawing = square.returned()["drawing"]
    assert drawing["closed"] is True
    assert drawing["points"][0] != drawing["points"][-1]


def test_clicked_points_become_a_curve_with_enter_or_a_double_click(square: MapDriver) -> None:
    square.tool("Curve")
    for place in ((-6, -3), (0, 3), (6, -3)):
        square.click(square.from_map(*place))
    # Not before the end is told.
    assert square.debug()["drawing"] is None
    square.page.keyboard.press("Enter")
    square.expect_drawing("curve")
    points = square.returned()["drawing"]["points"]
    assert points[0] == near(-6, -3)
    assert points[-1] == near(6, -3)
    assert min(abs(x) + abs(y - 3) for x, y in points) < 2 * PIXEL
    square.expect_runs(3)
    square.click(square.from_map(-4, 0))
    square.page.mouse.dblclick(*square.from_map(4, 0))
    square.expect_runs(4)
    assert square.returned()["drawing"]["points"][-1] == near(4, 0)
    assert not square.debug()["drafting"]


def test_a_click_on_the_first_point_closes_the_curve(square: MapDriver) -> None:
    square.tool("Curve")
    for place in ((-6, -3), (0, 4), (6, -3), (-6, -3)):
        square.click(square.from_map(*place))
    square.expect_drawing("curve")
    assert square.returned()["drawing"]["closed"] is True
    assert not square.debug()["drafting"]


def test_the_drawing_can_be_cleared(square: MapDriver) -> None:
    square.draw_arrow()
    square.page.keyboard.press("Delete")
    square.expect_drawing(None)
    expect(square.button("Clear drawing")).to_be_hidden()
    square.drag(square.from_map(-8, -2), square.from_map(6, 3))
    square.expect_drawing("arrow")
    square.button("Clear drawing").click()
    square.expect_drawing(None)
    # The button is gone; the focus is not.
    expect(square.stage).to_be_focused()


def test_a_drawing_belongs_to_the_map_it_was_drawn_on(square: MapDriver) -> None:
    square.draw_arrow()
    square.second_map("square second")
    square.expect_drawing(None)
    assert square.debug()["drawing"] is None
    # The tool is the visitor's, and stays.
    assert square.returned()["tool"] == "arrow"


def test_a_new_revision_brings_its_own_drawing_and_selection(square: MapDriver) -> None:
    square.draw_arrow()
    more = square.page.get_by_role("button", name="Increment Revision", exact=False)
    plus = more if more.count() else square.page.get_by_test_id("stNumberInputStepUp")
    plus.click()
    expect(square.answer).to_contain_text('"start": [-10.0, -5.0]')
    plus.click()
    square.expect_drawing("curve")
    square.expect_selected(1, 2)
    square.settled()
    shown = square.debug()
    assert shown["drawing"]["closed"] is True
    assert shown["selected"] == [1, 2]
    # What the visitor draws then counts again.
    square.tool("Arrow")
    square.drag(square.from_map(-8, 2), square.from_map(6, 3))
    square.expect_drawing("arrow")
    square.expect_selected(1, 2)


def test_text_of_the_page_is_not_selected_by_drawing_over_it(square: MapDriver) -> None:
    square.tool("Arrow")
    x, y = square.from_map(0, 0)
    square.drag((x, y), (x + 100, y + 600))
    square.expect_drawing("arrow")
    assert square.page.evaluate("() => String(getSelection())") == ""
