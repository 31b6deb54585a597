"""Objects as pictures: brought beside the features, joined by name, kept, and shown on the map."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from app_driver import AppDriver
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from test_map_looks import PICTURES_READ, PIXEL

TREES = """,oak,ash,elm,fir
oak,0,2,3,7
ash,2,0,2.5,7.5
elm,3,2.5,0,7
fir,7,7.5,7,0
"""
COLOURS = {"oak": (192, 0, 0), "ash": (0, 160, 0), "elm": (0, 0, 192)}


def png(colour: tuple[int, int, int]) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (400, 400), colour).save(file, "PNG")
    return file.getvalue()


def packed() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, colour in COLOURS.items():
            archive.writestr(f"trees/{name}.png", png(colour))
    return file.getvalue()


def bring(page: Page, field: Locator, name: str, content: bytes) -> None:
    """Choose a file as a person does: by the button of the field."""
    with page.expect_file_chooser() as waiting:
        field.get_by_test_id("stBaseButton-secondary").first.click()
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    waiting.value.set_files(files=[file])


def uploader(page: Page, label: str) -> Locator:
    return page.get_by_test_id("stFileUploader").filter(has_text=label)


def test_pictures_come_in_a_zip_stand_on_the_map_and_stay(page: Page, address: str) -> None:
    app = AppDriver(page, address, "Data")
    bring(page, uploader(page, "Dissimilarities"), "trees.csv", TREES.encode())
    doctor = page.locator(".st-key-doctor")
    expect(doctor).to_contain_text("trees.csv")
    page.get_by_text("… and pictures of the objects").click()
    pictures = page.locator(".st-key-pictures")
    # What is no picture is refused with a reason, and nothing else is lost.
    bring(page, pictures, "oak.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    expect(pictures).to_contain_text("'oak.png' is no picture")
    pictures.get_by_role("button", name="Remove").first.click()
    expect(pictures).not_to_contain_text("is no picture")
    bring(page, pictures, "trees.zip", packed())
    expect(doctor).to_contain_text("3 of 4 objects have a picture.")
    doctor.get_by_text("Right", exact=True).click()
    page.get_by_role("button", name="Make a map", exact=True).click()
    app.shows("trees, with nothing known yet")
    expect(page.get_by_role("combobox", name="Colour")).to_have_value("Shown as pictures")
    looks_like_its_pictures(app)
    page.reload()
    app.shows("trees, with nothing known yet")
    looks_like_its_pictures(app)


def looks_like_its_pictures(app: AppDriver) -> None:
    app.map.evaluate(PICTURES_READ)
    app.at_rest()
    for one in app.debug()["objects"]:
        seen = app.map.evaluate(PIXEL, [one["x"], one["y"]])
        if one["label"] in COLOURS:
            assert seen == pytest.approx(COLOURS[one["label"]], abs=4), one["label"]
        else:
            assert one["style"]["hollow"]
