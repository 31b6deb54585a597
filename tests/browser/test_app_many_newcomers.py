"""New objects on the page of many in a real browser: brought, told apart, taken home, taken off."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from cml_core.values.rows.buyers import BuyersRows

N = 10_000


def new_buyers() -> pd.DataFrame:
    """Two buyers of those on the map, one that was never seen, and one unlike all."""
    rows = BuyersRows(N + 8192)
    blocks = list(rows.blocks(8192))
    frame = pd.DataFrame([*blocks[0][:2], blocks[2][5], blocks[0][2]])
    frame.columns = [column.name for column in rows.columns]
    for column in rows.columns[51:]:
        assert column.levels
        frame[column.name] = [column.levels[int(code)] for code in frame[column.name]]
    things = [column.name for column in rows.columns[:50]]
    frame.loc[3, things] += 60
    return frame


def brought(page: Page, table: pd.DataFrame, name: str) -> None:
    page.locator(".st-key-many-newcomers input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": table.to_csv(index=False).encode()}
    )


def debug(page: Page) -> dict[str, Any]:
    points = page.locator(".st-key-points .points")
    for what in ("complete", "settled"):
        expect(points).to_have_attribute(f"data-{what}", "true")
    found: dict[str, Any] = points.evaluate("element => element.pointsDebug()")
    return found


def test_new_buyers_are_placed_told_apart_taken_home_and_taken_off(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/Many")
    page.get_by_role("button", name="10,000 simulated buyers").click()
    page.get_by_role("button", name="Make the map").click()
    told, stage = page.locator(".st-key-summary"), page.get_by_role("application")
    expect(told).to_contain_text("With nothing taken out, this map leaves")
    block = page.locator(".st-key-many-newcomers")
    block.get_by_text("Place new objects").click()
    expect(block).to_contain_text("the map stays as it is")

    brought(page, new_buyers().drop(columns=["thing 7"]), "short.csv")
    expect(block).to_contain_text("has no column 'thing 7'")
    assert debug(page)["newcomers"] == []

    brought(page, new_buyers(), "new.csv")
    expect(block).to_contain_text("4 new objects of new.csv on the map")
    expect(block).to_contain_text("1 with a broken outline")
    expect(block).to_contain_text("a guess: new object 4")
    expect(block).to_contain_text("Not used on this map: Age, Region, Channel.")
    expect(stage).to_have_accessible_name(re.compile("10,000 objects, and 4 new"))
    found = {one["label"]: one for one in debug(page)["newcomers"]}
    near, far = (f"new object {k}" for k in (1, 4))
    assert not found[near]["far"]
    assert found[f"{far}, further off"]["far"]
    expect(block).to_contain_text("1 lies further off than is drawn")

    page.get_by_text("Channel", exact=True).click()
    expect(told).to_contain_text("With Channel taken out")
    expect(block).to_contain_text("Not used on this map: Age, Region.")
    expect(stage).to_have_accessible_name(re.compile("10,000 objects, and 4 new"))
    with page.expect_download() as download:
        block.get_by_role("button", name="Their places (CSV)").click()
    home = pd.read_csv(Path(download.value.path()))
    assert home["object"].tolist() == [f"new object {k + 1}" for k in range(4)]
    assert home["far outside"].tolist() == [False, False, False, True]
    with page.expect_download() as everyone:
        page.locator(".stSidebar").get_by_role("button", name="CSV", exact=True).click()
    places = pd.read_csv(Path(everyone.value.path()), nrows=2)
    for name in ("dimension 1", "dimension 2"):
        assert home[name][:2].tolist() == pytest.approx(places[name].tolist(), abs=1e-3)

    block.get_by_role("button", name="Take them off").click()
    expect(block).not_to_contain_text("as hollow diamonds")
    expect(stage).to_have_accessible_name(re.compile("10,000 objects$"))
    assert debug(page)["newcomers"] == []
