"""Nobody is shut out of the page of many objects: axe, a keyboard, and the width of a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from runs import answered
from test_app_accessibility import FOCUSED, PHONE, THEMES, found
from test_app_many import drag

# Every name that Tab must come to on a map of buyers, whatever else it meets.
REACHED = (
    "Data", "Nothing known", "Other objects", "Other columns", "Delete this", "Report", "Parquet",
    "CSV", "Python", "Colour by", "Move", "Lasso", "Arrow", "Curve", "Zoom in", "Fit to view",
    "objects", "Age", "Region", "Channel", "Judge this map", "Place new objects",
)  # fmt: skip


def choosing(page: Page, address: str) -> None:
    """The columns of ten thousand buyers."""
    page.goto(f"{address}/Many")
    expect(page.get_by_role("button", name="100,000 simulated buyers")).to_be_visible()
    answered(page)
    page.get_by_role("button", name="10,000 simulated buyers").click()
    expect(page.get_by_role("button", name="Make the map")).to_be_visible()
    answered(page)


def on_the_map(page: Page, address: str) -> None:
    choosing(page, address)
    page.get_by_role("button", name="Make the map").click()
    settled(page, "With nothing taken out")


def settled(page: Page, words: str) -> None:
    expect(page.locator(".st-key-summary")).to_contain_text(words)
    expect(page.locator(".st-key-points .points")).to_have_attribute("data-settled", "true")
    answered(page)


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious_on_many_objects(
    open_page: Callable[..., Page], address: str, theme: str
) -> None:
    page = open_page(color_scheme=theme)
    page.goto(f"{address}/Many")
    expect(page.get_by_role("button", name="100,000 simulated buyers")).to_be_visible()
    answered(page)
    assert found(page) == []
    choosing(page, address)
    assert found(page) == []
    page.get_by_role("button", name="Make the map").click()
    settled(page, "With nothing taken out")
    assert found(page) == []
    page.get_by_text("Region", exact=True).click()
    settled(page, "With Region taken out")
    page.get_by_role("button", name="Lasso").click()
    drag(
        page,
        page.get_by_role("application"),
        (0.5, 0.1), (0.9, 0.1), (0.9, 0.9), (0.5, 0.9), (0.5, 0.1),
    )  # fmt: skip
    expect(page.get_by_text("objects lie inside")).to_be_visible()
    page.get_by_text("Place new objects").click()
    expect(page.get_by_text("A table of new objects")).to_be_visible()
    page.get_by_role("button", name="Judge this map").click()
    expect(page.get_by_text("Is one more hidden, and did the known help?")).to_be_visible()
    answered(page)
    assert found(page) == []


def test_nothing_of_many_objects_is_wider_than_a_phone(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(viewport=PHONE)
    main = page.get_by_test_id("stMain")
    choosing(page, address)
    assert main.evaluate("element => element.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Make the map").click()
    settled(page, "With nothing taken out")
    assert main.evaluate("element => element.scrollWidth") <= PHONE["width"]
    assert found(page) == []


def test_tab_reaches_every_control_of_many_objects(page: Page, address: str) -> None:
    on_the_map(page, address)
    # From the top of the page, and not from the button that was there last.
    page.reload()
    settled(page, "With nothing taken out")
    names = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(FOCUSED)
        if name is None:
            break
        names.append(re.sub(r"\s+", " ", name))
    assert [wanted for wanted in REACHED if not any(wanted in name for name in names)] == []
    assert [name for name in names if not name] == []
