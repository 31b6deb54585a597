"""What a visitor does is undone and done again, by buttons, keys and fingers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from app_driver import BOTH_ORDERS, FAR, AppDriver
from playwright.sync_api import Locator, Page, expect
from runs import answered

OPENING = "Kinship terms, with nothing known yet"
GENDER = "Kinship terms, with Gender taken out"
# In milliseconds: how fast people type, and wait before they press a key again.
TYPING, BETWEEN_PRESSES = 60, 150


def undo(page: Page, what: str) -> Locator:
    return page.get_by_role("button", name=f"Undo: {what}", exact=True)


def redo(page: Page, what: str) -> Locator:
    return page.get_by_role("button", name=f"Redo: {what}", exact=True)


def summary(app: AppDriver) -> str:
    app.idle()
    return app.page.locator(".st-key-summary").inner_text()


def test_a_tick_is_undone_and_done_again_with_the_very_numbers(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows(OPENING)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    before, places = summary(app), app.coordinates()
    app.tick("Gender")
    app.shows(GENDER)
    after = summary(app)
    undo(page, "tick Gender").click()
    app.shows(OPENING)
    expect(page.get_by_role("checkbox", name="Gender", exact=True)).not_to_be_checked()
    assert summary(app) == before
    assert all(app.coordinates()[name] == pytest.approx(places[name]) for name in places)
    redo(page, "tick Gender").click()
    app.shows(GENDER)
    assert summary(app) == after
    # The step was there all the time, once.
    expect(page.get_by_role("button", name=re.compile(r"^\+ Gender"))).to_have_count(1)


def test_keys_undo_as_often_as_they_are_pressed_and_a_reload_forgets_nothing(
    page: Page, address: str
) -> None:
    app = AppDriver(page, address)
    app.shows(OPENING)
    for name, headline in (("Gender", GENDER), ("Degree", "Kinship terms, with Gender and Degree")):
        app.tick(name)
        expect(app.headline).to_contain_text(headline)
        app.idle()
    page.reload()
    app.shows("Kinship terms, with Gender and Degree taken out")
    expect(undo(page, "tick Degree")).to_be_enabled()
    for _ in range(2):
        page.keyboard.press("Control+z", delay=TYPING)
        page.wait_for_timeout(BETWEEN_PRESSES)
    app.shows(OPENING)
    page.keyboard.press("Control+Shift+Z", delay=TYPING)
    app.shows(GENDER)
    page.keyboard.press("Control+y", delay=TYPING)
    app.shows("Kinship terms, with Gender and Degree taken out")


def test_keys_that_are_pressed_faster_than_the_page_is_drawn_all_count(
    page: Page, address: str
) -> None:
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.tick("Gender")
    app.shows(GENDER)
    for _ in range(10):
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+y")
    page.keyboard.press("Control+z")
    app.shows(OPENING)
    app.idle()
    expect(redo(page, "tick Gender")).to_be_enabled()
    app.tick("Degree")
    app.shows("Kinship terms, with Degree taken out")


def test_in_a_field_the_keys_are_the_browsers_own(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.tick("Gender")
    app.shows(GENDER)
    app.button("Name and note").click()
    note = page.get_by_label("Note", exact=True)
    note.press_sequentially("Women left", delay=TYPING)
    note.press("Control+z")
    expect(note).not_to_have_value("Women left")
    app.shows(GENDER)
    note.fill("Men right")
    note.press("Control+Enter")
    expect(undo(page, "write a note")).to_be_enabled()
    page.keyboard.press("Escape")
    undo(page, "write a note").click()
    expect(redo(page, "write a note")).to_be_enabled()
    app.button("Name and note").click()
    expect(note).to_have_value("")
    app.shows(GENDER)


def test_a_drawing_goes_before_the_last_move_does(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.tick("Gender")
    app.shows(GENDER)
    app.draw_arrow(("Brother", "Sister"), FAR)
    app.idle()
    page.keyboard.press("Control+z")
    expect(app.button("Add to known")).to_have_count(0)
    app.shows(GENDER)
    assert app.debug()["drawing"] is None
    page.keyboard.press("Control+z")
    app.shows(OPENING)


def test_a_discovery_and_what_is_done_to_features_are_undone(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.draw_arrow(("Brother", "Sister"), FAR)
    app.name_and_add("Far")
    app.shows("Kinship terms, with Far taken out")
    left = summary(app)
    undo(page, "add Far").click()
    app.shows(OPENING)
    expect(page.get_by_role("checkbox", name="Far", exact=True)).to_have_count(0)
    redo(page, "add Far").click()
    app.shows("Kinship terms, with Far taken out")
    assert summary(app) == left
    app.button("Features").click()
    page.get_by_label("New name").press_sequentially("Sex", delay=TYPING)
    page.get_by_label("New name").press("Enter")
    app.idle()
    app.button("Rename").click()
    expect(undo(page, "rename Gender to Sex")).to_be_enabled()
    app.idle()
    app.button("Remove").click()
    expect(undo(page, "remove Sex")).to_be_enabled()
    page.keyboard.press("Escape")
    undo(page, "remove Sex").click()
    expect(page.get_by_role("checkbox", name="Sex", exact=True)).to_be_visible()
    undo(page, "rename Gender to Sex").click()
    expect(page.get_by_role("checkbox", name="Gender", exact=True)).to_be_visible()
    app.shows("Kinship terms, with Far taken out")


def test_choices_about_data_on_their_way_in_are_undone(page: Page, address: str) -> None:
    app = AppDriver(page, address, "Data")
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4)
    file = {"name": "tree distances.csv", "mimeType": "text/csv", "buffer": BOTH_ORDERS.encode()}
    fields.nth(0).set_input_files(files=[file])
    average = page.get_by_role("radio", name=re.compile("average", re.IGNORECASE))
    expect(average).not_to_be_checked()
    expect(app.button("Make a map")).to_be_disabled()
    answered(page)
    page.locator("label", has=average).click()
    expect(app.button("Make a map")).to_be_enabled()
    title = page.get_by_label("Title", exact=True)
    title.fill("")
    title.press_sequentially("Six trees", delay=TYPING)
    title.press("Enter")
    undo(page, "name the project").click()
    expect(redo(page, "name the project")).to_be_enabled()
    answered(page)
    expect(title).to_have_value("tree distances")
    page.keyboard.press("Control+z")
    expect(app.button("Make a map")).to_be_disabled()
    undo(page, "bring files").click()
    expect(app.button("Make a map")).to_have_count(0)
    for what in ("bring files", "choose between the two directions", "name the project"):
        redo(page, what).click()
        expect(undo(page, what)).to_be_enabled()
        answered(page)
    expect(title).to_have_value("Six trees")
    app.button("Make a map").click()
    app.shows("Six trees, with nothing known yet")


def test_undo_is_at_hand_on_a_phone(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    app = AppDriver(page, address)
    app.shows(OPENING)
    page.locator("label", has=page.get_by_role("checkbox", name="Gender", exact=True)).tap()
    app.shows(GENDER)
    button = undo(page, "tick Gender")
    box = button.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    button.tap()
    app.shows(OPENING)
