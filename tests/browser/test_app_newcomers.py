"""New objects are placed on a map in a real browser, told apart, taken home and taken off."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from app_driver import AppDriver
from playwright.sync_api import Page, expect

from cml_core import load_dataset

STRANGER = "Someone else's robot"


def table_of_newcomers() -> pd.DataFrame:
    """Two terms under other names, and one that is unlike all of them."""
    kin = load_dataset("kinship14")
    table = kin.dissimilarities.loc[["Aunt", "Sister"]]
    strange = pd.DataFrame(500 + table[:1].to_numpy(), columns=table.columns)
    known = kin.feature_table()["Gender"].shown()
    genders = dict(zip(kin.dissimilarities.index, known, strict=True))
    both = pd.concat([table, strange]).set_axis(["Tante", "Schwester", STRANGER])
    return both.assign(Gender=[genders["Aunt"], genders["Sister"], None])


def brought(page: Page, table: pd.DataFrame, name: str) -> None:
    page.locator(".st-key-newcomers input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": table.to_csv().encode()}
    )


def test_new_objects_are_placed_told_apart_taken_home_and_taken_off(
    page: Page, address: str
) -> None:
    app = AppDriver(page, address, "Discover")
    app.settled()
    block = page.locator(".st-key-newcomers")
    block.get_by_text("Place new objects").click()
    expect(block).to_contain_text("the map stays as it is")
    with page.expect_download() as download:
        block.get_by_role("button", name="An empty table").click()
    heads = Path(download.value.path()).read_text("utf-8").strip().split(",")
    assert heads[1:15] == list(load_dataset("kinship14").dissimilarities.index)

    broken = table_of_newcomers().assign(Aunt=["near", "far", "?"])
    brought(page, broken, "broken.csv")
    expect(block).to_contain_text("The column 'Aunt' holds")
    before = app.coordinates()
    assert app.debug()["newcomers"] == []

    block.get_by_role("button", name="Remove").click()
    expect(block).not_to_contain_text("The column 'Aunt' holds")
    brought(page, table_of_newcomers(), "new.csv")
    expect(block).to_contain_text("3 new objects on the map")
    expect(block).to_contain_text("1 with a broken outline")
    after = app.coordinates()
    assert after == {name: pytest.approx(place) for name, place in before.items()}
    where, far = lying(app)
    assert where["Tante"] == pytest.approx(app.places()["Aunt"], abs=0.1)
    assert where["Schwester"] == pytest.approx(app.places()["Sister"], abs=0.1)
    assert far == {"Tante": False, "Schwester": False, STRANGER: True}

    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    app.idle()
    where, _ = lying(app)
    assert where["Tante"] == pytest.approx(app.places()["Aunt"], abs=0.1)
    with page.expect_download() as download:
        block.get_by_role("button", name="Their places").click()
    home = pd.read_csv(download.value.path(), index_col=0)
    assert list(home.index) == ["Tante", "Schwester", STRANGER]
    assert home["outside"].idxmax() == STRANGER

    block.get_by_role("button", name="Take them off").click()
    expect(block).not_to_contain_text("on the map, as hollow diamonds")
    app.idle()
    assert app.debug()["newcomers"] == []


def lying(app: AppDriver) -> tuple[dict[str, tuple[float, float]], dict[str, bool]]:
    """Where new objects are, in pixels of the page, and which of them lie far outside."""
    app.at_rest()
    found = app.debug()
    left, top = found["stage"]["left"], found["stage"]["top"]
    where = {one["label"]: (one["x"] + left, one["y"] + top) for one in found["newcomers"]}
    return where, {one["label"]: one["far"] for one in found["newcomers"]}
