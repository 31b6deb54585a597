"""Simulated brands in a real browser: chosen, looked at all round, and their truth uncovered."""

from __future__ import annotations

from app_driver import AppDriver
from playwright.sync_api import Page, expect


def test_a_newcomer_makes_brands_looks_for_what_is_hidden_and_uncovers_it(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/Data")
    page.get_by_role("button", name="Choose").click()
    page.get_by_role("spinbutton", name="Noise in the dissimilarities").fill("5")
    page.get_by_role("button", name="Simulate").click()
    app = AppDriver.__new__(AppDriver)
    app.page, app.map = page, page.locator(".st-key-map .map")
    app.headline = page.get_by_role("heading", level=1)
    app.shows("Simulated car brands, with nothing known yet")
    app.tick("Quality")
    app.shows("Simulated car brands, with Quality taken out")
    expect(page.get_by_text("Economy")).to_have_count(0)
    page.get_by_role("button", name="Uncover the truth").click()
    expect(page.get_by_text("map and hidden features agree by")).to_be_visible()
    expect(page.get_by_role("checkbox", name="True Economy")).not_to_be_checked()
    app.idle()

    page.get_by_role("button", name="Settings").first.click()
    page.get_by_role("spinbutton", name="Hidden dimensions").fill("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("3 dimensions").first).to_be_visible()
    app.idle()
    page.keyboard.press("Escape")
    page.get_by_role("combobox", name="View").click()
    page.get_by_role("option", name="All, RadViz").click()
    expect(page.get_by_text("straight lines over the picture tell")).to_contain_text("Economy")
    expect(page.locator(".st-key-map-round-a-circle .js-plotly-plot")).to_be_visible()

    page.get_by_role("link", name="Feature by feature").click()
    expect(page.get_by_role("heading", name="Was it found?")).to_be_visible()
    expect(page.get_by_text("which the papers call ACC")).to_be_visible()
