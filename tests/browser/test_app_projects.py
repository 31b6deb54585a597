"""Coming back to one's projects, showing them to others, and working on copies."""

from __future__ import annotations

import re
from collections.abc import Callable

from app_driver import AppDriver
from playwright.sync_api import Page, expect
from runs import answered

OPENING = "Kinship terms, with nothing known yet"
TYPING = 60


def begun(page: Page, address: str) -> AppDriver:
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    expect(page).to_have_url(re.compile("project="))
    app.idle()
    return app


def test_a_project_is_found_again_in_this_browsers_list_and_taken_off_it(
    page: Page, address: str
) -> None:
    app = begun(page, address)
    first = page.url
    app.button("Project: name, share, duplicate").click()
    title = page.get_by_label("Title of the project")
    title.fill("")
    title.press_sequentially("Families", delay=TYPING)
    title.press("Enter")
    app.shows("Families, with Gender taken out")
    page.keyboard.press("Escape")
    page.goto(address)
    app.shows(OPENING)
    page.get_by_text("My projects", exact=True).click()
    link = page.get_by_role("link", name=re.compile("^Families"))
    expect(link).to_contain_text("today")
    link.click()
    app.shows("Families, with Gender taken out")
    assert page.url.split("project=")[1] == first.split("project=")[1]
    page.goto(address)
    app.shows(OPENING)
    page.get_by_text("My projects", exact=True).click()
    page.get_by_role("button", name="Take Families off the list").click()
    expect(link).to_have_count(0)
    page.reload()
    app.shows(OPENING)
    page.get_by_text("My projects", exact=True).click()
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    expect(link).to_have_count(0)


def test_a_reader_elsewhere_sees_the_project_and_works_on_a_copy(
    open_page: Callable[..., Page], address: str
) -> None:
    owner = begun(open_page(), address)
    owner.button("Project: name, share, duplicate").click()
    owner.page.locator("label", has_text="Others may look at it").click()
    code = owner.page.get_by_test_id("stCode")
    expect(code).to_contain_text("project=")
    link = code.inner_text().strip()
    assert owner.page.url.split("project=")[1] not in link

    reader = open_page()
    assert link.startswith(address)
    app = AppDriver(reader, address, link.removeprefix(address).lstrip("/"))
    app.shows("Kinship terms, with Gender taken out")
    sentence = "You are looking at someone's project. Duplicate it to work on it."
    expect(reader.get_by_test_id("stMainBlockContainer").get_by_text(sentence)).to_be_visible()
    gender = reader.get_by_role("checkbox", name="Gender", exact=True)
    expect(gender).to_be_checked()
    expect(gender).to_be_disabled()
    reader.get_by_role("button", name=re.compile("^Nothing known")).click()
    app.shows(OPENING)
    app.button("Duplicate").click()
    app.shows("Kinship terms (copy), with nothing known yet")
    app.tick("Degree")
    app.shows("Kinship terms (copy), with Degree taken out")
    owner.page.reload()
    owner.shows("Kinship terms, with Gender taken out")


def test_the_token_stands_in_the_address_alone_and_what_history_holds_can_be_made_worthless(
    page: Page, address: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.headers.get("referer", "")))
    app = begun(page, address)
    old = page.url.split("project=")[1]
    page.get_by_role("link", name="Data").click()
    expect(page).to_have_url(re.compile(f"/Data.*{old}"))
    assert old not in page.title()
    page.get_by_role("button", name="New address").click()
    page.get_by_role("button", name="Give it a new address").click()
    expect(page).not_to_have_url(re.compile(old))
    answered(page)
    new = page.url.split("project=")[1]
    # One who sits down at the same browser and goes back through its history.
    page.go_back()
    expect(page).to_have_url(re.compile(old))
    page.reload()
    expect(page.get_by_text("No project is kept under this address")).to_be_visible()
    page.goto(f"{address}/?project={new}")
    app.shows("Kinship terms, with Gender taken out")
    # No address of a page went along with what it asked for, also not to this server.
    assert len(asked) > 10
    assert [one for one in asked if "project" in one] == []
