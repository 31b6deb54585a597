"""A list is read by what its columns are said to be, and letters as somebody sees them right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import AppDriver
from playwright.sync_api import Page, expect

APP = Path(__file__).parents[2] / "app.py"
JUDGED = "trial;mood;what one;what other;how\n" + "".join(
    f"{k};{who};{a};{b};{(3 * i + k) % 7 + 1}\n"
    for k, who in enumerate(("calm", "glad", "cross"))
    for i, (a, b) in enumerate((x, y) for x in "pqrstu" for y in "pqrstu" if x < y)
)
# Saved by a program in Russian, and read as if it were Greek or anything else by others.
TOWNS = "Расстояния;Омск;Пермь;Тверь;Уфа\n" + "".join(
    ";".join([town, *(str(abs(i - j) * 5) for j in range(4))]) + "\n"
    for i, town in enumerate(("Омск", "Пермь", "Тверь", "Уфа"))
)


@pytest.fixture
def data(page: Page, serve: Callable[..., str], tmp_path: Path) -> AppDriver:
    address = serve(APP, {"CML_DATABASE_URL": f"sqlite:///{tmp_path}/projects.sqlite3"})
    return AppDriver(page, address, "Data")


def bring(page: Page, name: str, content: bytes) -> None:
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4, timeout=60_000)
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    fields.first.set_input_files(files=[file])


def take(page: Page, column: str, role: str) -> None:
    """Choose a role for a column, as it is typed."""
    box = page.get_by_role("combobox", name=f"{column} —")
    if box.input_value() != role:
        box.fill(role)
        page.keyboard.press("Enter")
        expect(box).to_have_value(role)


@pytest.mark.slow
def test_a_list_of_ratings_is_read_by_what_its_columns_are_said_to_be(data: AppDriver) -> None:
    page = data.page
    bring(page, "distances judged.csv", JUDGED.encode())
    page.get_by_text("Say what the columns are").click()
    take(page, "mood", "Who judged")
    take(page, "what one", "Object, or the first of two")
    take(page, "what other", "Second object")
    expect(page.get_by_role("combobox", name="how —")).to_have_value("How far apart, or how alike")
    expect(page.get_by_text("6 objects (p, q, r and 3 more), 3 people")).to_be_visible()
    page.get_by_role("button", name="Read it so").click()
    page.locator(".st-key-finding-which_way").get_by_text("Right", exact=True).click()
    make = page.get_by_role("button", name="Make a map", exact=True)
    expect(make).to_be_enabled()
    make.click()
    data.settled()
    assert {each["label"] for each in data.debug()["objects"]} == set("pqrstu")


@pytest.mark.slow
def test_letters_that_look_wrong_are_put_right(data: AppDriver) -> None:
    page = data.page
    bring(page, "distances.csv", TOWNS.encode("mac_cyrillic"))
    told = page.locator(".st-key-finding-encoding")
    expect(told).to_contain_text("Cyrillic", timeout=30_000)
    told.get_by_role("button", name="Change").click()
    ways = page.get_by_test_id("stPopoverBody").get_by_role("radio")
    expect(ways.first).to_be_checked()
    ways.nth(1).click(force=True)
    expect(told).to_contain_text("As you said")
    expect(page.locator(".st-key-finding-read")).not_to_contain_text("Омск")
    data.has_run()
    if not ways.first.is_visible():
        told.get_by_role("button", name="Change").click()
        data.has_run()
    ways.and_(page.get_by_role("radio", name="Расстояния, Омск, Пермь")).click(force=True)
    expect(page.locator(".st-key-finding-read")).to_contain_text("Омск")
