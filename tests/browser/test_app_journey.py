"""The guided kinship journey, played in a real browser."""

from __future__ import annotations

import re

import pytest
from app_driver import FAR, AppDriver
from playwright.sync_api import FloatRect, Locator, Page, expect

from cml_app.keeping.store import Store
from cml_core import load_dataset
from cml_core.drawing.likeness import predictability
from cml_core.journey.file import from_json
from cml_core.journey.journey import Journey

ENDED = "Kinship terms, with Gender, Degree and Generations apart taken out"
GENERATION = load_dataset("kinship14").feature_table()["Generation"]


def kept(database: str, url: str) -> Journey:
    """What the store has under the token of an address."""
    from datetime import UTC, datetime

    store = Store(database, keep_days=1)
    document = store.load(url.split("project=")[1], datetime.now(UTC)).document
    store.close()
    return from_json(document)


def test_the_journey_with_the_mouse_ends_with_generation_in_sight(
    page: Page, address: str, database: str
) -> None:
    app = AppDriver(page, address)
    app.shows("Kinship terms, with nothing known yet")
    expect(page.get_by_text("1 of 5")).to_be_visible()
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    app.tick("Degree")
    app.shows("Kinship terms, with Gender and Degree taken out")
    expect(page.get_by_text("3 of 5")).to_be_visible()
    app.draw_arrow(("Brother", "Sister"), FAR)
    app.button("Round").click()
    app.button("Equal steps").click()
    for label in ("Daughter", "Nephew", "Niece", "Son"):
        app.correct(label, before="0", after="1")
    app.name_and_add("Generations apart")
    app.shows(ENDED)
    expect(page.get_by_text("5 of 5")).to_be_visible()
    journey = kept(database, page.url)
    assert journey.current is not None
    assert predictability(GENERATION, journey.current.embedding) >= 0.93
    before = app.coordinates()
    page.reload()
    app.shows(ENDED)
    after = app.coordinates()
    assert all(after[name] == pytest.approx(place, abs=1e-6) for name, place in before.items())
    expect(page.get_by_text("5 of 5")).to_be_visible()
    page.get_by_role("button", name="✕").click()
    expect(page).to_have_url(re.compile("tour=off"))
    page.reload()
    app.shows(ENDED)
    expect(page.get_by_text("5 of 5")).to_have_count(0)


def test_branches_of_the_journey_stand_further_in_than_its_line(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows("Kinship terms, with nothing known yet")
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    page.get_by_role("button", name=re.compile("Nothing known")).click()
    app.shows("Kinship terms, with nothing known yet")
    app.tick("Degree")
    app.shows("Kinship terms, with Degree taken out")
    steps = page.get_by_test_id("stSidebar").get_by_role("button", name="unexplained")
    expect(steps).to_have_count(3)
    expect(steps).to_contain_text(["Nothing known", "+ Degree", "+ Gender"])
    first, branch, onward = map(rectangle, steps.all())
    assert first["x"] == onward["x"] < branch["x"]
    assert len({box["x"] + box["width"] for box in (first, branch, onward)}) == 1
    # Whichever stand in the line, they are as far apart.
    between = [branch["y"] - first["y"] - first["height"]]
    between += [onward["y"] - branch["y"] - branch["height"]]
    assert between[0] == pytest.approx(between[1], abs=0.5)


def rectangle(found: Locator) -> FloatRect:
    """Where it is."""
    box = found.bounding_box()
    assert box is not None
    return box


def test_the_journey_with_the_keyboard_and_typed_values_alone(
    page: Page, address: str, database: str
) -> None:
    app = AppDriver(page, address)
    app.shows("Kinship terms, with nothing known yet")
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    app.tick("Degree")
    app.shows("Kinship terms, with Gender and Degree taken out")
    values = load_dataset("kinship14").features["Generation"].abs()
    app.typed("\n".join(f"{label}\t{value}" for label, value in values.items()))
    app.name_and_add("Generations apart")
    app.shows(ENDED)
    journey = kept(database, page.url)
    assert journey.current is not None
    assert predictability(GENERATION, journey.current.embedding) >= 0.93
    assert journey.features["Generations apart"].origin == "typed in"
