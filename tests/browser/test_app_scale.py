"""What the numbers mean, changed in a real browser on the Morse codes."""

from __future__ import annotations

import re
from pathlib import Path

from app_driver import AppDriver
from playwright.sync_api import Page, expect

TITLE = "Morse codes, with nothing known yet"


def open_morse(page: Page, address: str) -> AppDriver:
    app = AppDriver(page, address, "Data")
    page.locator(".st-key-example-morse").get_by_role("button", name="Open").click()
    app.shows(TITLE)
    return app


def choose_scale(page: Page, title: str) -> None:
    block = page.locator(".st-key-scale-block")
    block.get_by_role("combobox").first.click()
    page.get_by_role("option", name=title, exact=True).click()


def test_the_scale_is_changed_its_curve_seen_the_step_compared_and_taken_home(
    page: Page, address: str
) -> None:
    app = open_morse(page, address)
    block = page.locator(".st-key-scale-block")
    expect(block).to_contain_text("Twice the number is twice as far.")
    line = block.get_by_role("img")
    expect(line).to_have_attribute("alt", re.compile("count as: distances"))
    straight = line.get_attribute("src")
    summary = page.locator(".st-key-summary")
    on_ratio = summary.inner_text()

    choose_scale(page, "Only the order")
    expect(block).to_contain_text("Which of two pairs is more alike counts")
    expect(line).to_have_attribute("alt", re.compile("count as: only the order"))
    app.idle()
    assert line.get_attribute("src") != straight
    expect(summary).to_contain_text("the shares cannot be compared")
    assert summary.inner_text() != on_ratio
    journey = page.get_by_test_id("stSidebar")
    expect(journey).to_contain_text("Only the order")

    page.get_by_role("combobox", name=re.compile("Compare with another map")).click()
    page.get_by_role("option", name=re.compile("Nothing known")).click()
    expect(page.get_by_text("The two maps are on different scales")).to_be_visible()

    with page.expect_download() as download:
        app.button("Report").click()
    report = Path(download.value.path()).read_text("utf-8")
    assert "ordinal scale" in report
    assert "count as: only the order" in report
    with page.expect_download() as download:
        app.button("Python").click()
    assert download.value.suggested_filename.endswith(".zip")
