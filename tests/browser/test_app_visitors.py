"""Visitors come straight to a page, bring files, lose their server, and never meet."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import AppDriver
from playwright.sync_api import Page, expect
from serving import APP, started

OPENING = "Kinship terms, with nothing known yet"

CITIES = """,Oslo,Rome,Paris,Cairo,"Quito, EC"
Oslo,0,2005,1343,3650,10300
Rome,2005,0,1106,2135,9990
Paris,1343,1106,0,3210,9620
Cairo,3650,2135,3210,0,11900
"Quito, EC",10300,9990,9620,11900,0
"""
FACTS = """city;continent;warm
Rome;Europe;2
Oslo;Europe;1
Cairo;Africa;3
Paris;Europe;2
Quito, EC;America;
"""
HOSTILE = ["<img src=x onerror=alert(1)>", "=1+1", "🌋 emoji", "שלום", "x" * 300]


def bring(page: Page, name: str, table: str, features: str | None = None) -> None:
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4)
    if features is not None:
        file = {"name": "features.csv", "mimeType": "text/csv", "buffer": features.encode()}
        fields.nth(1).set_input_files(files=[file])
    file = {"name": name, "mimeType": "text/csv", "buffer": table.encode()}
    fields.nth(0).set_input_files(files=[file])


def upload(page: Page, name: str, table: str, features: str | None = None) -> None:
    bring(page, name, table, features)
    page.get_by_role("button", name="Make a map", exact=True).click()


@pytest.mark.parametrize(("path", "words"), [("Data", "Data"), ("Discover", OPENING)])
def test_a_first_visit_straight_to_a_page_works_on_a_fresh_server(
    page: Page, serve: Callable[..., str], tmp_path: Path, path: str, words: str
) -> None:
    fresh = serve(APP, {"CML_DATABASE_URL": f"sqlite:///{tmp_path}/projects.sqlite3"})
    app = AppDriver(page, fresh, path)
    expect(app.headline).to_have_text(words, timeout=60_000)
    expect(page.get_by_text("Something went wrong")).to_have_count(0)
    # Nor does Streamlit say that there is no such page, or name its files in the navigation.
    expect(page.get_by_role("dialog")).to_have_count(0)
    links = page.get_by_test_id("stSidebarNav").get_by_role("link")
    expect(links).to_have_text(
        ["Data", "Discover", "Evidence", "Compare", "Many objects", "Learn", "About"]
    )


def test_files_that_no_one_prepared_become_a_map(page: Page, address: str) -> None:
    app = AppDriver(page, address, "Data")
    bring(page, "cities.csv", CITIES, FACTS)
    # Five are too few to tell distances from similarities.
    page.get_by_text("Right", exact=True).click()
    page.get_by_role("button", name="Make a map", exact=True).click()
    app.shows("cities, with nothing known yet")
    assert set(app.places()) == {"Oslo", "Rome", "Paris", "Cairo", "Quito, EC"}
    app.tick("continent")
    app.shows("cities, with continent taken out")
    expect(page.get_by_role("checkbox", name="Gender")).to_have_count(0)


def test_a_wrong_file_is_explained_and_the_old_map_stays(page: Page, address: str) -> None:
    app = AppDriver(page, address, "Data")
    bring(page, "cities.csv", CITIES.replace("1343", "far", 1))
    place = "Line 2, cell 4 (row Oslo, column Paris)"
    expect(page.get_by_role("alert")).to_contain_text(f"{place} is 'far'")
    expect(page.get_by_role("alert")).to_contain_text("Put a number there")
    expect(page.get_by_role("button", name="Make a map", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Discover").click()
    app.shows(OPENING)


def test_a_second_visitor_sees_nothing_of_the_first(
    open_page: Callable[..., Page], address: str
) -> None:
    first = AppDriver(open_page(), address)
    first.shows(OPENING)
    first.tick("Gender")
    first.shows("Kinship terms, with Gender taken out")
    second = AppDriver(open_page(), address)
    second.shows(OPENING)
    expect(second.page.get_by_role("checkbox", name="Gender")).not_to_be_checked()
    assert "project=" not in second.page.url
    second.tick("Degree")
    second.shows("Kinship terms, with Degree taken out")
    first.shows("Kinship terms, with Gender taken out")


def test_a_stale_token_is_explained_and_opens_nothing(page: Page, address: str) -> None:
    app = AppDriver(page, address, "?project=" + "A" * 32)
    expect(page.get_by_role("alert")).to_contain_text("No project is kept under this address")
    expect(page.get_by_role("checkbox")).to_have_count(0)
    app.button("Begin anew").click()
    app.shows(OPENING)


def test_a_killed_server_loses_nothing_that_was_finished(page: Page, tmp_path: Path) -> None:
    env = {"CML_DATABASE_URL": f"sqlite:///{tmp_path}/projects.sqlite3"}
    server, address = started(APP, env, tmp_path)
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    before = app.coordinates()
    server.send_signal(signal.SIGKILL)
    server.wait()
    server, _ = started(APP, env, tmp_path, port=int(address.rsplit(":", 1)[1]))
    page.reload()
    app.shows("Kinship terms, with Gender taken out")
    after = app.coordinates()
    # The map spans some 80 units; what is left is rounding in the browser.
    assert all(after[name] == pytest.approx(place, abs=1e-6) for name, place in before.items())
    assert after.keys() == before.keys()
    server.kill()
    server.wait()


def test_names_of_any_kind_are_shown_as_text(page: Page, address: str) -> None:
    rows = [",".join(["", *HOSTILE])]
    for i, name in enumerate(HOSTILE):
        rows.append(",".join([name, *(str(abs(i - j)) for j in range(len(HOSTILE)))]))
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    app = AppDriver(page, address, "Data")
    upload(page, "<b>names</b>.csv", "\n".join(rows), None)
    app.shows("<b>names</b>, with nothing known yet")
    assert set(app.places()) == set(HOSTILE)
    page.get_by_role("group", name="Tools").get_by_role("button", name="Select").click()
    page.keyboard.press("Escape")
    expect(page.locator("img[src=x]")).to_have_count(0)
    assert not dialogs
