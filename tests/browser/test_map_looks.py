"""Colours, legend, themes, small screens and pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from app_driver import AppDriver
from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Download, Page, expect
from serving import APP

SVG = "{http://www.w3.org/2000/svg}"
PIXEL = """(element, [x, y]) => {
  const canvas = element.querySelector("canvas");
  const scale = canvas.width / canvas.clientWidth;
  return Array.from(canvas.getContext("2d").getImageData(x * scale, y * scale, 1, 1).data)
    .slice(0, 3);
}"""
PICTURES_READ = """element => new Promise((resolve) => {
  const look = () => {
    const { picture } = element.mapDebug().objects[0].style;
    if (picture?.naturalWidth) requestAnimationFrame(() => requestAnimationFrame(resolve));
    else requestAnimationFrame(look);
  };
  look();
})"""


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


DARKEST = """href => new Promise((resolve) => {
  const image = new Image();
  image.onload = () => {
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let at = 3;
    for (let k = 3; k < data.length; k += 4) if (data[k] > data[at]) at = k;
    const cell = (at - 3) / 4;
    const [column, row] = [cell % image.width, Math.floor(cell / image.width)];
    resolve([(column + 0.5) / image.width, (row + 0.5) / image.height, data[3]]);
  };
  image.src = href;
})"""


def test_a_crowd_is_shaded_where_it_is_densest_and_few_objects_are_not(
    page: Page, serve: Callable[..., str]
) -> None:
    many = MapDriver(page, serve(SCRIPT), "many")
    (shading,) = ET.parse(saved(many, "Save as SVG").path()).iter(f"{SVG}image")
    left, top, width, height = (float(shading.get(k, 0)) for k in ("x", "y", "width", "height"))
    across, down, corner = page.evaluate(DARKEST, shading.get("href"))
    assert corner == 0
    x, y = left + across * width, top + down * height

    def near(x: float, y: float) -> int:
        return sum((one["x"] - x) ** 2 + (one["y"] - y) ** 2 < 900 for one in objects)

    objects = many.debug()["objects"]
    most = max(near(one["x"], one["y"]) for one in objects[::50])
    assert near(x, y) > 0.8 * most
    few = MapDriver(page, serve(SCRIPT), "square")
    assert not list(ET.parse(saved(few, "Save as SVG").path()).iter(f"{SVG}image"))


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


def test_pictures_stand_where_objects_are_and_what_cannot_be_read_stays_a_dot(
    page: Page, serve: Callable[..., str]
) -> None:
    square = MapDriver(page, serve(SCRIPT), "square", colour="picture")
    expect(square.root.locator(".legend")).to_contain_text("Red and green")
    square.root.evaluate(PICTURES_READ)
    square.settled()
    found = square.debug()
    green, red, broken = found["objects"][:3]
    reach = 0.8 * found["radius"]

    def pixel(one: dict[str, float], dx: float, dy: float) -> list[int]:
        seen: list[int] = square.root.evaluate(PIXEL, [one["x"] + dx, one["y"] + dy])
        return seen

    assert pixel(green, reach, reach) == [0, 192, 0]
    # Wide pictures keep their shape.
    assert pixel(red, reach, 0) == [192, 0, 0]
    assert pixel(red, 0, reach) != [192, 0, 0]
    assert pixel(broken, 0, 0) not in ([0, 192, 0], [192, 0, 0])
    drawing = ET.parse(saved(square, "Save as SVG").path()).getroot()
    pictures = drawing.findall(f"{SVG}image")
    assert len(pictures) == 3
    assert all(one.get("href", "").startswith("data:image/svg+xml;base64,") for one in pictures)
    square.expect_runs(1)


def test_facial_expressions_are_faces_that_the_legend_covers_nothing_of(
    page: Page, serve: Callable[..., str]
) -> None:
    app = AppDriver(page, serve(APP), "Data")
    page.locator(".st-key-example-faces").get_by_role("button", name="Open").click()
    app.shows("Facial expressions, with nothing known yet")
    app.map.evaluate(PICTURES_READ)
    expect(app.map.locator(".legend")).to_contain_text("Mouth: Pleasantness (PU)")
    found = app.debug()
    box, reach = found["legend"], found["radius"]
    for one in found["objects"]:
        across = max(box["left"] - one["x"], one["x"] - box["right"])
        down = max(box["top"] - one["y"], one["y"] - box["bottom"])
        assert max(across, down) > reach, one["label"]
        skin = app.map.evaluate(PIXEL, [one["x"], one["y"] + 0.15 * reach])
        assert skin == [244, 201, 93], one["label"]
    # A colour is chosen in the same place, and takes the faces away.
    chosen = page.get_by_role("combobox", name="Colour")
    expect(chosen).to_have_value("Shown as faces")
    chosen.click()
    page.get_by_role("option", name="Colour: Tension (TS)").click()
    expect(app.map.locator(".legend")).not_to_contain_text("Mouth")
    app.idle()
    assert app.debug()["radius"] < reach / 2
