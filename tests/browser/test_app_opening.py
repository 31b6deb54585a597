"""From the first byte to the first map: what is asked for, what stands there meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from app_driver import AppDriver
from conftest import OpenPage
from playwright.sync_api import Page, expect
from serving import APP

# Where nothing is compiled, and the machine may be busy.
MILLISECONDS_TO_COMPILE = 300_000


def test_name_and_mark_stand_there_before_any_script_runs(
    open_page: OpenPage, address: str
) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(f"{address}/Data")
    expect(page).to_have_title("Data · What is left?")
    expect(page.get_by_role("status")).to_contain_text("What is left? opens")


def test_the_first_answer_names_every_script_of_the_first_map_and_all_come_compressed(
    page: Page, address: str
) -> None:
    scripts, large = [], []
    page.on("request", lambda request: scripts.append(request.url))

    def look(response: object) -> None:
        headers = response.headers  # type: ignore[attr-defined]
        if response.url.endswith(".js") and "content-encoding" not in headers:  # type: ignore[attr-defined]
            large.append(response.url)  # type: ignore[attr-defined]

    page.on("response", look)
    app = AppDriver(page, address)
    app.settled()
    first = page.request.get(address).text()
    named = set(re.findall(r'(?:src|href)="\./([^"]+\.js)"', first))
    needed = {url.removeprefix(f"{address}/") for url in scripts if url.endswith(".js")}
    assert len(needed) > 50
    assert needed - named == set()
    assert large == []
    assert not [url for url in scripts if "Plotly" in url or "Italic" in url]
    expect(page).to_have_title("Discover · What is left?")
    marks = page.locator("link[rel~='icon']")
    assert [link.get_attribute("href") for link in marks.all()] == ["./mark.svg"]


def test_a_server_that_has_compiled_nothing_says_so_and_goes_on_by_itself(
    page: Page, serve: Callable[..., str], tmp_path: Path
) -> None:
    app = AppDriver(page, serve(APP, {"NUMBA_CACHE_DIR": str(tmp_path)}))
    expect(app.headline).to_have_text("Preparing, once")
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text("Getting ready: the first map")).to_be_visible()
    expect(app.headline).to_have_text(
        "Kinship terms, with nothing known yet", timeout=MILLISECONDS_TO_COMPILE
    )
    app.settled()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    # What is ticked next has been made ready as well.
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
