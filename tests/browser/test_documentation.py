"""The documentation as a visitor comes to it: from the app, by keyboard, under its policy."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from app_driver import AppDriver
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from test_app_accessibility import BAD, PHONE, THEMES

ROOT = Path(__file__).parents[2]
SITE = "cml_app/documentation/index.html"
READ = ("index", "tutorial", "bring-data", "mathematics", "settings", "reference/evidence")


@pytest.fixture(scope="module")
def address(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The app with its documentation, built where it is not up to date."""
    subprocess.run(["make", "--silent", SITE], cwd=ROOT, check=True)
    folder = tmp_path_factory.mktemp("projects")
    return serve(ROOT / "app.py", {"CML_DATABASE_URL": f"sqlite:///{folder}/projects.sqlite3"})


def test_help_is_reached_by_keyboard_opens_beside_the_app_and_can_be_searched(
    page: Page, address: str
) -> None:
    app = AppDriver(page, address)
    app.shows("Kinship terms, with nothing known yet")
    link = page.get_by_test_id("stSidebar").get_by_role("link", name="A tutorial")
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="About").focus()
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    with page.context.expect_page() as opened:
        page.keyboard.press("Enter")
    beside = opened.value
    complaints: list[str] = []
    beside.on("console", lambda message: complaints.append(message.text))
    # What went wrong while it was opening was said before anyone listened. A tab that is still
    # opening cannot be loaded anew.
    beside.wait_for_load_state()
    beside.reload()
    expect(beside.get_by_role("heading", level=1)).to_contain_text("Tutorial: kinship terms")
    pictures = "() => [...document.images].every((one) => one.complete && one.naturalWidth > 0)"
    beside.wait_for_function(pictures)
    field = beside.get_by_placeholder("Search")
    field.fill("trustworthiness")
    field.press("Enter")
    beside.locator("#search-results").get_by_role("link", name="Read the evidence").click()
    expect(beside.get_by_role("heading", level=1)).to_contain_text("Read the evidence")
    assert complaints == []


def test_axe_finds_nothing_serious_and_a_telephone_shows_all_of_every_page(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(viewport=PHONE)
    for name, theme in product(READ, THEMES):
        page.emulate_media(color_scheme=theme)
        if theme == THEMES[0]:
            page.goto(f"{address}/docs/{name}.html")
        expect(page.locator("body")).to_have_attribute("data-theme", "auto")
        found = [
            f"{name} in {theme}, {violation['id']}: {node['html'][:300]}"
            for violation in Axe().run(page).response["violations"]
            if violation["impact"] in BAD
            for node in violation["nodes"]
        ]
        assert found == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
