"""The Data page leads: what comes next is in sight, and what hardly matters is folded away."""

from __future__ import annotations

import pytest
from app_driver import AppDriver
from playwright.sync_api import Page, expect

from cml_core import load_dataset
from cml_core.files import writing

LIKE_HANDS = 120


@pytest.fixture
def data(page: Page, address: str) -> AppDriver:
    page.set_viewport_size({"width": 1440, "height": 900})
    return AppDriver(page, address, "Data")


def test_after_a_clean_file_the_map_is_one_click_away_in_sight(page: Page, data: AppDriver) -> None:
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4, timeout=60_000)
    table = writing.written(load_dataset("car_brands").values(), "csv")
    fields.first.set_input_files(
        files=[{"name": "cars.csv", "mimeType": "text/csv", "buffer": table}]
    )
    make = page.get_by_role("button", name="Make a map", exact=True)
    expect(make).to_be_enabled()
    box = make.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 900
    expect(make).to_be_in_viewport(ratio=1)
    doctor = page.locator(".st-key-doctor")
    curiosity = doctor.get_by_text("the triangle inequality does not hold")
    expect(curiosity).not_to_be_visible()
    doctor.get_by_text("Also looked at").click(delay=LIKE_HANDS)
    expect(curiosity).to_be_visible()
    make.click(delay=LIKE_HANDS)
    data.shows("cars, with nothing known yet")


def test_a_column_of_names_calls_the_objects_and_is_no_tick(page: Page, data: AppDriver) -> None:
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4, timeout=60_000)
    values = load_dataset("kinship14").values()
    table = writing.written(values, "csv")
    facts = "term,in German,sex\n" + "".join(
        f"{label},Wort {k},{'mf'[k % 2]}\n" for k, label in enumerate(values.labels)
    )
    brought = {"terms.csv": table, "facts.csv": facts.encode()}
    for place, (name, content) in enumerate(brought.items()):
        fields.nth(place).set_input_files(
            files=[{"name": name, "mimeType": "text/csv", "buffer": content}]
        )
        expect(page.locator(".st-key-doctor")).to_contain_text(name)
    page.get_by_text("Call the objects by in German").click(delay=LIKE_HANDS)
    expect(page.locator(".st-key-doctor")).to_contain_text("14 of 14 objects")
    page.get_by_role("button", name="Make a map", exact=True).click(delay=LIKE_HANDS)
    data.shows("terms, with nothing known yet")
    assert set(data.places()) == {f"Wort {k}" for k in range(14)}
    expect(page.get_by_role("checkbox", name="sex", exact=True)).to_be_visible()
    expect(page.get_by_role("checkbox", name="in German")).to_have_count(0)
