"""Nobody is shut out: axe finds nothing serious, and the keyboard reaches every control."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from app_driver import FAR, AppDriver
from axe_playwright_python.sync_playwright import Axe
from evidence_driver import QUESTIONS, EvidenceDriver, stored
from playwright.sync_api import Page, expect

OPENING = "Kinship terms, with nothing known yet"
BAD = ("serious", "critical")
THEMES = ("light", "dark")
PHONE = {"width": 390, "height": 844}

# Every name that Tab must come to on the opening page, whatever else it meets.
REACHED = (
    "Data", "Report", "Project", "Name and note", "Close", "Move", "Select", "Arrow", "Curve",
    "Zoom in", "Fit to view", "Map", "Gender", "Degree", "All", "Settings", "Features",
    "Type or paste values instead",
)  # fmt: skip

# The element with the focus, its name, and how it and what is around it look.
FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  window.focusedNow = element;
  if (!element || element === document.body) return null;
  const labels = [...(element.labels ?? [])].map((label) => label.innerText);
  return (element.getAttribute("aria-label") || labels.join(" ") || element.innerText).trim();
}"""
LOOK = """() => {
  const looks = [];
  let element = window.focusedNow;
  for (let level = 0; element && level < 5; level += 1) {
    for (const part of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, part);
      looks.push(style.outline, style.boxShadow, style.border, style.backgroundColor);
    }
    for (const child of level ? [] : element.parentElement?.children ?? []) {
      const style = getComputedStyle(child);
      looks.push(style.outline, style.boxShadow, style.border);
    }
    element = element.parentElement;
  }
  return looks.join("|");
}"""

STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"


def found(page: Page) -> list[str]:
    """What axe holds to be serious, with the markup that it means."""
    # What is still fading in is faint, and a tooltip under the mouse comes and goes.
    page.mouse.move(0, 0)
    expect(page.get_by_test_id("stTooltipContent")).to_have_count(0)
    page.wait_for_function(STILL)
    violations: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:300]}"
        for violation in violations
        if violation["impact"] in BAD
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious_on_discover(
    open_page: Callable[..., Page], address: str, theme: str
) -> None:
    page = open_page(color_scheme=theme)
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.idle()
    assert found(page) == []
    app.draw_arrow(("Mother",), FAR)
    app.button("Round").click()
    app.idle()
    expect(page.get_by_label("Name", exact=True)).to_be_visible()
    page.get_by_text("Type or paste values instead").click()
    expect(app.button("Use these")).to_be_visible()
    assert found(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious_in_the_popovers(
    open_page: Callable[..., Page], address: str, theme: str
) -> None:
    page = open_page(color_scheme=theme)
    app = AppDriver(page, address)
    app.shows(OPENING)
    for name, content in (("Settings", "Hidden dimensions"), ("Features", "New name")):
        app.button(name).click()
        field = page.get_by_label(re.compile(f"^{content}")).first
        expect(field).to_be_visible()
        app.idle()
        assert found(page) == []
        page.keyboard.press("Escape")
        expect(field).to_be_hidden()


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious_on_data(
    open_page: Callable[..., Page], address: str, theme: str
) -> None:
    page = open_page(color_scheme=theme)
    app = AppDriver(page, address, "Data")
    expect(app.headline).to_have_text("Data", timeout=60_000)
    expect(page.get_by_test_id("stFileUploaderDropzoneInput")).to_have_count(4)
    assert found(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious_on_about(
    open_page: Callable[..., Page], address: str, theme: str
) -> None:
    page = open_page(color_scheme=theme)
    app = AppDriver(page, address, "About")
    expect(app.headline).to_have_text("About “What is left?”", timeout=60_000)
    expect(page.get_by_role("link", name="doi.org/10.1109/TPAMI.2023.3346212")).to_be_visible()
    assert found(page) == []


def test_axe_finds_nothing_serious_on_evidence(
    open_page: Callable[..., Page], address: str, database: str
) -> None:
    # All that can be found out has been, so that all there is to see is there at once.
    project = f"{address}/Evidence?project={stored(database)}"
    for theme in THEMES:
        page = open_page(color_scheme=theme)
        page.goto(project)
        evidence = EvidenceDriver(page)
        for question in QUESTIONS:
            evidence.open(question)
            assert found(page) == [], (question, theme)
    page = open_page(viewport=PHONE)
    page.goto(project)
    evidence = EvidenceDriver(page)
    for question in QUESTIONS:
        evidence.open(question)
        assert evidence.main.evaluate("element => element.scrollWidth") <= PHONE["width"]
    assert found(page) == []


def test_tab_reaches_every_control_and_the_eye_sees_where_it_is(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.idle()
    names, unseen = [], []
    for _ in range(80):
        page.keyboard.press("Tab")
        name = page.evaluate(FOCUSED)
        if name is None:
            break
        names.append(name)
        focused = page.evaluate(LOOK)
        page.evaluate("() => window.focusedNow.blur()")
        if not _differs(page, focused):
            unseen.append(name)
        page.evaluate("() => window.focusedNow.focus()")
    assert [wanted for wanted in REACHED if not any(wanted in name for name in names)] == []
    assert [name for name in names if not name] == []
    assert unseen == []


def _differs(page: Page, focused: str) -> bool:
    return bool(page.evaluate(LOOK) != focused)


@pytest.mark.parametrize("path", ["", "Data", "About"])
def test_nothing_is_wider_than_a_phone(
    open_page: Callable[..., Page], address: str, path: str
) -> None:
    page = open_page(viewport=PHONE)
    app = AppDriver(page, address, path)
    expect(app.headline).to_be_visible(timeout=60_000)
    if not path:
        app.shows(OPENING)
        app.idle()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth") <= PHONE["width"]


def test_a_proposal_and_the_map_fit_on_one_screen(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    app.tick("Degree")
    app.shows("Kinship terms, with Gender and Degree taken out")
    app.draw_arrow(("Brother", "Sister"), FAR)
    app.button("Round").click()
    app.idle()
    for shown in (app.headline, app.map, app.button("Add to known")):
        box = shown.bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 900
