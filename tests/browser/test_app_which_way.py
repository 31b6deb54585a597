"""A map is never inside out: what is not certain is asked, and can be answered again later."""

from __future__ import annotations

from itertools import combinations

import pytest
from app_driver import AppDriver
from evidence_driver import kept
from playwright.sync_api import Locator, Page, expect

from cml_core import load_dataset
from cml_core.files import writing

# How alike eight nations were found, from 1 to 7; the same nation was not compared.
NATIONS = """nation,Brazil,China,Congo,Cuba,Egypt,France,India,Israel
Brazil,0,4.8,5.3,5.0,3.4,4.7,4.5,3.8
China,4.8,0,2.4,4.5,4.2,2.7,4.1,2.7
Congo,5.3,2.4,0,4.6,5.0,4.0,4.8,3.4
Cuba,5.0,4.5,4.6,0,5.2,4.1,4.0,3.2
Egypt,3.4,4.2,5.0,5.2,0,4.8,5.8,4.7
France,4.7,2.7,4.0,4.1,4.8,0,3.4,4.0
India,4.5,4.1,4.8,4.0,5.8,3.4,0,4.1
Israel,3.8,2.7,3.4,3.2,4.7,4.0,4.1,0
"""
FACTS = "nation,poor\n" + "".join(
    f"{name},{k % 2}\n" for k, name in enumerate(NATIONS.splitlines()[0].split(",")[1:])
)
LIKE_HANDS = 120


@pytest.fixture
def data(page: Page, address: str) -> AppDriver:
    return AppDriver(page, address, "Data")


def bring(page: Page, name: str, content: bytes | str, field: int = 0) -> None:
    content = content.encode() if isinstance(content, str) else content
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4, timeout=60_000)
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    fields.nth(field).set_input_files(files=[file])


def doctor(page: Page) -> Locator:
    return page.locator(".st-key-doctor")


def make(page: Page) -> Locator:
    return page.get_by_role("button", name="Make a map", exact=True)


def apart(app: AppDriver, first: str, second: str) -> float:
    """How far apart two objects are on the map, as a share of the farthest two."""
    places = app.coordinates()

    def between(one: str, other: str) -> float:
        (x, y), (u, v) = places[one], places[other]
        return ((x - u) ** 2 + (y - v) ** 2) ** 0.5

    return between(first, second) / max(between(*pair) for pair in combinations(places, 2))


def test_ratings_of_nations_are_asked_about_and_lie_as_they_are_alike(
    page: Page, data: AppDriver, database: str
) -> None:
    bring(page, "nations.csv", NATIONS)
    asked = doctor(page).locator(".st-key-finding-which_way")
    expect(asked).to_contain_text("Most alike: ")
    expect(asked).to_contain_text("Is that right?")
    expect(doctor(page)).not_to_contain_text("Nothing speaks for similarities")
    expect(make(page)).to_be_disabled()
    right = "Most alike: Egypt and India. Is that right?" in asked.inner_text()
    answer = asked.get_by_text("Right" if right else "The other way round", exact=True)
    answer.click(delay=LIKE_HANDS)
    expect(doctor(page)).to_contain_text("Most alike: Egypt and India.")
    bring(page, "facts.csv", FACTS, field=1)
    expect(doctor(page)).to_contain_text("8 of 8 objects")
    make(page).click(delay=LIKE_HANDS)
    data.shows("nations, with nothing known yet")
    assert apart(data, "Egypt", "India") < 0.4
    assert apart(data, "China", "Congo") > 0.6
    data.tick("poor")
    data.shows("nations, with poor taken out")
    assert kept(database, page.url).source.preparation.conversion == "from_max"

    page.get_by_role("button", name="Most alike: Egypt and India").click(delay=LIKE_HANDS)
    page.get_by_role("button", name="The other way round").click(delay=LIKE_HANDS)
    expect(page.get_by_role("button", name="Most alike: China and Congo")).to_be_visible()
    data.shows("nations, with poor taken out")
    expect(page.get_by_role("checkbox", name="poor", exact=True)).to_be_checked()
    assert apart(data, "China", "Congo") < 0.4
    assert kept(database, page.url).source.preparation.conversion == "dissimilarities"


def test_the_question_is_answered_by_keyboard(page: Page, data: AppDriver) -> None:
    bring(page, "nations.csv", NATIONS)
    choices = doctor(page).locator(".st-key-finding-which_way").get_by_role("radio")
    choices.first.focus()
    page.keyboard.press("Space", delay=LIKE_HANDS)
    expect(make(page)).to_be_enabled()
    expect(doctor(page).locator(".st-key-finding-which_way")).to_have_count(0)


@pytest.mark.parametrize("name", ["kinship14", "faces"])
def test_examples_brought_as_files_are_not_asked_about(
    page: Page, data: AppDriver, name: str
) -> None:
    bring(page, "table.csv", writing.written(load_dataset(name).values(), "csv"))
    expect(make(page)).to_be_enabled()
    expect(doctor(page)).to_contain_text("Taken as dissimilarities")
    expect(doctor(page)).not_to_contain_text("Is that right?")
