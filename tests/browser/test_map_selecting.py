"""Objects are selected by lasso and by click, in the order of picking."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Page, expect

A, B, C, D, E = range(5)


@pytest.fixture
def square(page: Page, serve: Callable[..., str]) -> MapDriver:
    driver = MapDriver(page, serve(SCRIPT), "square")
    driver.tool("Select")
    return driver


def test_a_lasso_selects_what_it_encloses_and_nothing_else(square: MapDriver) -> None:
    view = square.debug()["view"]
    around = [(-12, -7), (12, -7), (12, -3), (-12, -3), (-12, -6.5)]
    square.drag(*(square.from_map(*place) for place in around))
    square.expect_selected(A, B)
    square.expect_runs(3)
    assert square.debug()["view"] == view


def test_with_shift_a_lasso_adds(square: MapDriver) -> None:
    square.click(square.on_page("C"))
    square.expect_selected(C)
    square.page.keyboard.down("Shift")
    around = [(-12, -7), (-8, -7), (-8, 7), (-12, 7), (-12, -6.5)]
    square.drag(*(square.from_map(*place) for place in around))
    square.page.keyboard.up("Shift")
    square.expect_selected(C, A, D)


def test_clicks_select_one_shift_adds_and_removes_and_empty_ground_clears(
    square: MapDriver,
) -> None:
    square.click(square.on_page("E"))
    square.expect_selected(E)
    square.click(square.on_page("B"))
    square.expect_selected(B)
    square.click(square.on_page("A"), shift=True)
    square.expect_selected(B, A)
    square.click(square.on_page("B"), shift=True)
    square.expect_selected(A)
    # With Shift, a click beside the objects was meant for one of them.
    square.click(square.from_map(5, 0), shift=True)
    square.click(square.from_map(5, 0.5))
    square.expect_selected()
    square.expect_runs(7)


def test_objects_in_exactly_one_place_are_picked_together(
    page: Page, serve: Callable[..., str]
) -> None:
    coinciding = MapDriver(page, serve(SCRIPT), "coinciding")
    coinciding.tool("Select")
    coinciding.click(coinciding.on_page("Twin one"))
    coinciding.expect_selected(5, 6)
    coinciding.click(coinciding.on_page("Lone"))
    coinciding.expect_selected(7)


def test_the_card_tells_of_the_object_under_the_pointer_only(square: MapDriver) -> None:
    card = square.root.locator(".card")
    expect(card).to_be_hidden()
    square.page.mouse.move(*square.on_page("B"))
    expect(card).to_be_visible()
    expect(card).to_contain_text("Corner")
    assert card.locator("dd").inner_text() == "B"
    square.page.mouse.move(*square.from_map(5, 0))
    expect(card).to_be_hidden()
    # Looking is not selecting.
    square.expect_runs(2)


def test_a_selection_belongs_to_its_map(square: MapDriver) -> None:
    square.click(square.on_page("B"))
    square.expect_selected(B)
    square.second_map("square second")
    square.expect_selected()
    assert square.debug()["selected"] == []
