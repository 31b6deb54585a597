"""Colours, legend, themes, small screens and pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Download, Page, expect

SVG = "{http://www.w3.org/2000/svg}"
PIXEL = """(element, [x, y]) => {
  const canvas = element.querySelector("canvas");
  const scale = canvas.width / canvas.clientWidth;
  return Array.from(canvas.getContext("2d").getImageData(x * scale, y * scale, 1, 1).data)
    .slice(0, 3);
}"""


def saved(driver: MapDriver, name: str) -> Download:
    with driver.page.expect_download() as waiting:
        driver.button(name).click()
    return waiting.value


def brightness(driver: MapDriver, x: float = 3, y: float = 3) -> float:
    return sum(driver.root.evaluate(PIXEL, [x, y])) / 3


def test_an_object_has_the_colour_that_the_legend_gives_its_level(
    page: Page, serve: Callable[..., str]
) -> None:
    square = MapDriver(page, serve(SCRIPT), "square", colour="categorical")
    legend = square.root.locator(".legend")
    expect(legend).to_contain_text("Level")
    entries = legend.locator(".entry")
    assert entries.all_inner_texts() == ["A", "B", "C", "missing"]
    objects = square.debug()["objects"]
    # Orange, sky blue, bluish green: the order of Okabe and Ito.
    fills = [one["style"]["fill"] for one in objects[:4]]
    assert fills == ["#e69f00", "#56b4e9", "#009e73", "#e69f00"]
    assert square.root.evaluate(PIXEL, [objects[1]["x"], objects[1]["y"]]) == [86, 180, 233]
    assert objects[4]["style"]["hollow"]
    assert not objects[0]["style"]["hollow"]


def test_a_crowd_is_painted_where_it_is_while_it_is_dragged(
    page: Page, serve: Callable[..., str]
) -> None:
    many = MapDriver(page, serve(SCRIPT), "many", colour="categorical")
    found = many.debug()
    # Of an object that stands alone, the pixel in its middle is its own.
    lone = next(label["objects"][0] for label in found["labels"] if len(label["objects"]) == 1)
    before = found["objects"][lone]
    fill = [int(before["style"]["fill"][k : k + 2], 16) for k in (1, 3, 5)]
    assert many.root.evaluate(PIXEL, [before["x"], before["y"]]) == fill
    x, y = many.from_map(found["view"]["cx"], found["view"]["cy"])
    # Further than the painted sheet reaches, to and fro.
    many.drag((x, y), (x + 300, y + 30), (x + 37, y + 11))
    many.settled()
    after = many.debug()["objects"][lone]
    assert (after["x"], after["y"]) == pytest.approx((before["x"] + 37, before["y"] + 11), abs=0.6)
    assert many.root.evaluate(PIXEL, [after["x"], after["y"]]) == fill
    assert many.root.evaluate(PIXEL, [before["x"], before["y"]]) != fill


def test_more_levels_than_colours_differ_in_shape(page: Page, serve: Callable[..., str]) -> None:
    many = MapDriver(page, serve(SCRIPT), "many", colour="twenty levels")
    styles = [one["style"] for one in many.debug()["objects"][:20]]
    looks = {(style["fill"], style["shape"]) for style in styles}
    assert len(looks) == 20
    assert {style["shape"] for style in styles[:8]} == {"circle"}


def test_the_map_follows_the_theme_of_the_page(
    open_page: Callable[..., Page], serve: Callable[..., str]
) -> None:
    page = open_page(color_scheme="dark")
    square = MapDriver(page, serve(SCRIPT), "square", colour="circular")
    assert square.debug()["theme"]["dark"]
    assert brightness(square) < 60
    square.root.evaluate("element => { element.mark = 'the same'; }")
    page.emulate_media(color_scheme="light")
    page.wait_for_function(
        "() => !document.querySelector('.st-key-map [data-testid=stBidiComponentIsolated]')"
        ".shadowRoot.querySelector('.map').mapDebug().theme.dark"
    )
    square.settled()
    assert brightness(square) > 240
    # Another theme is no reason to begin anew.
    assert square.root.evaluate("element => element.mark") == "the same"
    square.expect_runs(1)


def test_the_svg_shows_what_is_seen_and_no_more(page: Page, serve: Callable[..., str]) -> None:
    square = MapDriver(page, serve(SCRIPT), "square", colour="sequential")
    square.draw_arrow()
    square.settled()
    file = saved(square, "Save as SVG")
    assert file.suggested_filename == "Square.svg"
    drawing = ET.parse(file.path()).getroot()
    found = square.debug()
    assert float(drawing.get("width", 0)) == found["view"]["width"]
    texts = {element.text for element in drawing.iter(f"{SVG}text")}
    assert texts >= {"A", "B", "C", "D", "E", "Height <b>", "missing"}
    circles = {
        (round(float(one.get("cx", 0))), round(float(one.get("cy", 0))))
        for one in drawing.iter(f"{SVG}circle")
    }
    assert circles >= {(round(one["x"]), round(one["y"])) for one in found["objects"]}
    ink = found["theme"]["ink"]
    assert [one for one in drawing.iter(f"{SVG}path") if one.get("stroke") == ink]
    # Zoomed to one corner, the others are not written about.
    square.wheel(square.on_page("A"), -2500)
    close = ET.parse(saved(square, "Save as SVG").path()).getroot()
    texts = {element.text for element in close.iter(f"{SVG}text")}
    assert "A" in texts
    assert "C" not in texts


def test_the_png_is_a_picture_of_the_stage_at_twice_its_size(
    page: Page, serve: Callable[..., str]
) -> None:
    square = MapDriver(page, serve(SCRIPT), "square", colour="categorical")
    picture = Path(saved(square, "Save as PNG").path()).read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(picture[k : k + 4]) for k in (16, 20))
    view = square.debug()["view"]
    assert (width, height) == (round(2 * view["width"]), round(2 * view["height"]))
    # An empty sheet of this size would compress to far less.
    assert len(picture) > 8000
    square.expect_runs(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_telephone_nothing_is_cut_off(
    open_page: Callable[..., Page], serve: Callable[..., str], scheme: str
) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme=scheme)
    kinship = MapDriver(page, serve(SCRIPT), "kinship", colour="categorical")
    kinship.tool("Select")
    kinship.click(kinship.on_page("Aunt"))
    kinship.click(kinship.on_page("Father"), shift=True)
    expect(kinship.button("Arrow from first to second selected")).to_be_visible()
    for button in kinship.root.get_by_role("button").all():
        if button.is_visible():
            box = button.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390
    # The legend waits until it is asked for.
    legend = kinship.root.locator(".legend")
    assert legend.get_attribute("open") is None
    legend.locator("summary").click()
    expect(legend.locator(".entry").first).to_be_visible()
