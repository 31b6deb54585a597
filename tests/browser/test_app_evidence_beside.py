"""Evidence comes to the map by itself, in a line for each question that opens to the answer."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from app_driver import AppDriver
from evidence_driver import MILLISECONDS_TO_COMPUTE, EvidenceDriver, kept
from playwright.sync_api import Locator, Page, expect
from serving import APP

from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import Helped
from cml_core.evidence.result import ResultKind

QUESTIONS = ("Anything left?", "How many dimensions?", "Did it help?")
# At the speed of someone who reads what they are about to press.
HUMAN = 400


@pytest.fixture
def looking_ahead(serve: Callable[..., str], database: str) -> str:
    """The app where what is cheap is computed without being asked for."""
    return serve(APP, {"CML_DATABASE_URL": database, "CML_EVIDENCE_UNASKED": "on"})


def chips(page: Page) -> Locator:
    return page.locator(".st-key-chips").get_by_role("button")


def filled(page: Page, number: int) -> None:
    """So many chips have their answer."""
    for k in range(number):
        words = re.compile("|".join(map(re.escape, QUESTIONS)))
        expect(chips(page).nth(k)).not_to_have_text(words, timeout=MILLISECONDS_TO_COMPUTE)


def where(page: Page) -> tuple[float, float, float, float]:
    """Where the map is in the window, and how large."""
    box = page.locator(".st-key-map .map").bounding_box()
    assert box
    return box["x"], box["y"], box["width"], box["height"]


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=str)
def test_after_a_tick_the_lines_fill_by_themselves_and_nothing_moves(
    open_page: Callable[..., Page], looking_ahead: str, size: tuple[int, int]
) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]})
    app = AppDriver(page, looking_ahead)
    app.shows("Kinship terms, with nothing known yet")
    expect(chips(page).first).to_contain_text("Anything left? Ask")
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    beside = page.locator(".st-key-by-chance")
    expect(beside).to_contain_text("A shuffled Gender would have left")
    before = where(page)
    filled(page, 2)
    expect(beside).to_contain_text(re.compile(r"Data without any structure would leave \d"))
    expect(chips(page).nth(0)).to_contain_text("One more feature? Cannot be told")
    expect(chips(page).nth(1)).to_contain_text("3 dimensions left")
    assert where(page) == before
    # Whatever a line says can be read to its end.
    cut = "lines => lines.filter((line) => line.scrollWidth > line.clientWidth).map(String)"
    assert chips(page).locator("p").evaluate_all(cut) == []


def test_a_line_opens_to_the_answer_and_what_to_do_and_the_evidence_page_has_it_too(
    page: Page, looking_ahead: str, database: str
) -> None:
    app = AppDriver(page, looking_ahead)
    app.shows("Kinship terms, with nothing known yet")
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    # Someone goes on before anything was found: the map that is left behind is not looked into.
    app.tick("Degree")
    app.shows("Kinship terms, with Gender and Degree taken out")
    app.tick("Degree")
    app.shows("Kinship terms, with Gender taken out")
    filled(page, 2)
    journey = kept(database, page.url)
    left_behind = journey.steps[-1]
    assert left_behind.problem.known.names == ("Gender", "Degree")
    assert left_behind.result(ResultKind(Helped)) is None
    found = journey.current.result(ResultKind(Dimensions))
    assert found is not None

    evidence = EvidenceDriver(page)
    page.wait_for_timeout(HUMAN)
    chips(page).nth(1).click()
    expect(page.get_by_text(found.verdict, exact=True)).to_be_visible()
    page.wait_for_timeout(HUMAN)
    page.get_by_role("link", name="Numbers and pictures").click()
    expect(app.headline).to_have_text("Evidence: Kinship terms")
    expect(page.get_by_role("radio", name="Is anything left?", exact=True)).to_be_checked()
    evidence.says(found.verdict)
    hidden = journey.current.result(ResultKind(HiddenFeature))
    assert hidden is not None
    evidence.says(hidden.verdict)
    expect(evidence.button("Try 0, 1, 2, … again")).to_be_enabled()
    expect(evidence.button("Stop")).to_have_count(0)

    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Discover").click()
    app.shows("Kinship terms, with Gender taken out")
    page.wait_for_timeout(HUMAN)
    chips(page).nth(1).click()
    page.wait_for_timeout(HUMAN)
    app.button("Show with 3 dimensions").click()
    step = page.get_by_test_id("stSidebar").get_by_role("button", name=re.compile("^3 dimensions"))
    expect(step).to_be_visible()
    app.shows("Kinship terms, with Gender taken out")
    assert kept(database, page.url).current.embedding.shape == (14, 3)


def test_the_keyboard_opens_a_line_and_asks_for_what_nobody_looks_into(
    page: Page, address: str
) -> None:
    app = AppDriver(page, address)
    app.shows("Kinship terms, with nothing known yet")
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    chip = chips(page).nth(1)
    expect(chip).to_contain_text("How many dimensions? Ask")
    chip.focus()
    page.keyboard.press("Enter")
    ask = app.button("Try 0, 1, 2, …")
    expect(ask).to_be_visible()
    page.wait_for_timeout(HUMAN)
    ask.focus()
    page.keyboard.press("Enter")
    expect(chip).to_contain_text("3 dimensions left", timeout=MILLISECONDS_TO_COMPUTE)
    expect(chips(page).nth(0)).to_contain_text("Ask")
