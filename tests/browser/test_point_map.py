"""The map of very many objects: painted, moved, drawn upon; what travels, and what does not."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

import pytest
from conftest import MILLISECONDS_TO_WAIT
from hands import finger_drag
from PIL import Image
from playwright.sync_api import Page, Response, expect

from cml_core.drawing.registry import drawing_from_wire

SCRIPT = Path(__file__).with_name("point_page.py")
Place = tuple[float, float]
MANY, FEW = 100_000, 3_000
NO_WEBGL = """
const real = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind === "webgl2" ? null : real.call(this, kind, ...more);
};
"""
LOSE = """element => {
  const canvas = element.querySelector(".crowd");
  const loss = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
  canvas.addEventListener("webglcontextlost", () => setTimeout(() => loss.restoreContext(), 50));
  loss.loseContext();
}"""


class Points:
    """`page` with the map of `point_page.py` on it, and what its bytes were fetched for."""

    def __init__(
        self, page: Page, address: str, n: int = MANY, *, settles: bool = True, **query: object
    ) -> None:
        self.page = page
        self.fetched: list[int] = []
        self.asked: list[list[int]] = []
        page.on("response", self._note)
        page.goto(f"{address}/?{urlencode({'n': n, **query})}")
        self.root = page.locator(".st-key-points .points")
        self.stage = page.get_by_role("application")
        self.answer = page.locator(".st-key-answer")
        self.status = self.root.locator(".status")
        if settles:
            self.settled()

    def _note(self, response: Response) -> None:
        address, _, objects = response.url.partition("?of=")
        if objects:
            self.asked.append([int(one) for one in unquote(objects).split(",")])
        elif "/points/" in address and response.ok:
            self.fetched.append(int(response.headers["content-length"]))

    def settled(self) -> None:
        for what in ("complete", "settled"):
            expect(self.root).to_have_attribute(f"data-{what}", "true")

    def debug(self) -> dict[str, Any]:
        found: dict[str, Any] = self.root.evaluate("element => element.pointsDebug()")
        return found

    def named(self, least: int = 5) -> list[dict[str, Any]]:
        """Labels that are seen whole, once there are some of objects with names."""
        for _ in range(MILLISECONDS_TO_WAIT // 50):
            found, view = self.debug()["labels"], self.debug()["view"]
            seen = [
                one for one in found
                if 0 <= one["at"][0] <= view["width"] and 0 <= one["at"][1] <= view["height"]
            ]  # fmt: skip
            if len(seen) >= least and self.root.get_attribute("data-settled") == "true":
                return seen
            self.page.wait_for_timeout(50)
        raise AssertionError(f"There are only {len(seen)} labels: {seen}")

    def returned(self) -> dict[str, Any]:
        """What Python last got."""
        found: dict[str, Any] = json.loads(self.answer.inner_text())
        return found

    def tool(self, name: str) -> None:
        self.page.get_by_role("group", name="Tools").get_by_role("button", name=name).click()
        expect(self.answer).to_contain_text(f'"tool": "{name.lower()}"')

    def show(self, which: str) -> None:
        self.page.get_by_role("radio", name=which).check(force=True)

    def on_page(self, at: Place) -> Place:
        box = self.stage.bounding_box()
        assert box
        return box["x"] + at[0], box["y"] + at[1]

    def drag(self, *places: Place) -> None:
        mouse = self.page.mouse
        mouse.move(*self.on_page(places[0]))
        mouse.down()
        for place in places[1:]:
            mouse.move(*self.on_page(place), steps=4)
        mouse.up()

    def seen(self) -> Image.Image:
        return Image.open(io.BytesIO(self.stage.screenshot())).convert("RGB")


@pytest.fixture
def address(serve: Callable[..., str]) -> str:
    return serve(SCRIPT)


def colours(picture: Image.Image, around: Place, reach: int = 12) -> list[tuple[int, ...]]:
    """Those near a place that are not paper."""
    x, y = (round(v) for v in around)
    patch = picture.crop((x - reach, y - reach, x + reach, y + reach))
    return [colour for _, colour in patch.getcolors(10_000) if min(colour) < 235]


def difference(a: Image.Image, b: Image.Image) -> float:
    """Of the brightness of a pixel, on average."""
    pairs = list(zip(a.tobytes(), b.tobytes(), strict=True))
    return sum(abs(x - y) for x, y in pairs) / len(pairs)


def test_a_hundred_thousand_objects_are_painted_in_their_colours_and_move_with_the_map(
    page: Page, address: str
) -> None:
    points = Points(page, address, colour="categorical")
    expect(points.stage).to_have_accessible_name("Points: 100,000 objects")
    expect(points.root.locator(".legend")).to_contain_text("Topic 12")
    found = points.debug()
    assert (found["painted"], found["placed"], found["painter"]) == (MANY, MANY, "webgl2")
    x, y = next(one["at"] for one in found["labels"] if one["text"] == "Topic 1")
    before = points.seen()
    # Orange, in whatever tone: more red than green, more green than blue.
    near = colours(before, (x - 14, y))
    assert len(near) > 50
    assert sum(red > green > blue for red, green, blue in near) > 0.95 * len(near)
    assert colours(before, (found["view"]["width"] - 20, 20)) == []
    points.drag((200, 100), (260, 60))
    points.settled()
    moved, view = points.debug()["view"], found["view"]
    assert moved["cx"] == pytest.approx(view["cx"] - 60 / view["scale"])
    assert moved["cy"] == pytest.approx(view["cy"] - 40 / view["scale"])
    after, box = points.seen(), (300, 250, 700, 550)
    shifted = (360, 210, 760, 510)
    still, gone = (difference(before.crop(box), after.crop(other)) for other in (shifted, box))
    assert still < gone / 4


def test_an_order_is_painted_as_a_ramp_whose_ends_have_names(page: Page, address: str) -> None:
    points = Points(page, address, FEW, colour="ordinal", data="uniform", labels="no")
    expect(points.root.locator(".ramp-ends")).to_have_text("Topic 1Topic 2")
    view, picture = points.debug()["view"], points.seen()
    middle = view["width"] / 2
    # Violet is lowest, with more blue than green; yellow highest.
    for x, brighter in ((middle - 150, -1), (middle + 150, 1)):
        near = [(g - b) * brighter for _, g, b in colours(picture, (x, view["height"] / 2), 30)]
        assert len(near) > 5
        assert sum(more > 0 for more in near) > 0.8 * len(near)
    points.stage.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(points.root.locator(".card")).to_contain_text("GradeTopic")


def test_what_is_drawn_comes_back_and_python_finds_who_is_inside(page: Page, address: str) -> None:
    points = Points(page, address, colour="categorical")
    x, y = next(one["at"] for one in points.debug()["labels"] if one["text"] == "Topic 1")
    points.tool("Lasso")
    around = [(x - 90, y - 80), (x + 90, y - 80), (x + 90, y + 80), (x - 90, y + 80)]
    points.drag(*around, (x - 90, y - 70))
    expect(points.answer).to_contain_text('"inside": 8')
    told = points.returned()
    assert 8000 < told["inside"] < 8999
    assert 4 <= told["corners"] <= 12
    points.tool("Arrow")
    points.drag((200, 500), (600, 200))
    expect(points.answer).to_contain_text('"kind": "arrow"')
    # One thing is drawn at a time.
    assert points.returned()["inside"] is None
    arrow = drawing_from_wire(points.returned()["drawing"])
    assert arrow is not None
    points.tool("Move")
    points.page.mouse.click(*points.on_page((x, y)))
    expect(points.root.locator(".card")).to_contain_text("Topic 1")
    expect(points.answer).not_to_contain_text('"pointed": null')
    with page.expect_download() as waiting:
        points.root.get_by_role("button", name="Save as PNG").click()
    view = points.debug()["view"]
    with Image.open(waiting.value.path()) as saved:
        assert saved.size == (2 * view["width"], 2 * view["height"])
        assert len(colours(saved.convert("RGB"), (2 * x - 30, 2 * y))) > 50


def test_places_and_colours_travel_once_each(page: Page, address: str) -> None:
    points = Points(page, address)
    # Two times two bytes an object; noise cannot be compressed.
    assert len(points.fetched) == 1
    assert points.fetched[0] <= 4 * MANY
    runs = page.locator(".st-key-runs")
    page.get_by_role("button", name="Run again").click()
    expect(runs).to_have_text("run 2")
    assert len(points.fetched) == 1
    page.get_by_test_id("stSelectbox").click()
    page.get_by_role("option", name="categorical").click()
    expect(points.root.locator(".legend")).to_contain_text("Topic 12")
    points.settled()
    assert len(points.fetched) == 2
    assert points.fetched[1] <= MANY
    points.show("landmarks")
    expect(points.status).to_contain_text("2,000 of 100,000 objects have a place")
    points.settled()
    points.show("half")
    expect(points.status).to_contain_text("52,000 of 100,000 objects have a place")
    points.settled()
    # Of those that came later each has its place and its number.
    assert sum(points.fetched[2:]) <= 8 * 52_000
    points.show("second")
    expect(points.status).to_contain_text("100,000 objects.")
    points.settled()
    assert len(points.fetched) == 5
    assert points.debug()["painted"] == MANY


def overlap(a: dict[str, float], b: dict[str, float]) -> bool:
    across = a["left"] < b["left"] + b["width"] and b["left"] < a["left"] + a["width"]
    return across and a["top"] < b["top"] + b["height"] and b["top"] < a["top"] + a["height"]


def test_some_objects_in_view_show_their_names_and_no_others_are_sent(
    page: Page, address: str
) -> None:
    points = Points(page, address, names="yes", labels="no", data="uniform")
    first = points.named()
    boxes = [one["box"] for one in first]
    assert len(first) <= 30
    assert not any(overlap(a, b) for k, a in enumerate(boxes) for b in boxes[:k])
    # Each stands with its own object, which the card and Python call by the same name.
    one = min(first, key=lambda one: abs(one["at"][0] - 500) + abs(one["at"][1] - 350))
    page.mouse.click(*points.on_page(tuple(one["at"])))
    expect(points.root.locator(".card")).to_have_text(one["text"])
    number = one["text"].split()[1]
    expect(points.answer).to_contain_text(f'"pointed": {number}')
    points.stage.focus()
    for _ in range(6):
        page.keyboard.press("+")
    points.settled()
    zoomed = points.named()
    assert {one["text"] for one in zoomed} - {one["text"] for one in first}
    assert len(zoomed) <= 30
    assert sum(map(len, points.asked)) < 300
    names = points.root.get_by_role("button", name="Names")
    expect(names).to_have_attribute("aria-pressed", "true")
    names.click()
    points.settled()
    assert points.debug()["labels"] == []
    points.stage.focus()
    page.keyboard.press("l")
    points.named()


def test_those_that_are_encircled_show_their_names_first(page: Page, address: str) -> None:
    points = Points(page, address, names="yes", labels="no", data="uniform")
    points.named()
    points.tool("Lasso")
    left, top, right, bottom = 300, 200, 560, 440
    around = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top + 10)]
    before = {one["text"] for one in points.named()}
    points.drag(*around)
    expect(points.answer).to_contain_text('"corners": ')
    for _ in range(MILLISECONDS_TO_WAIT // 50):
        inside = [
            one for one in points.named()
            if left < one["at"][0] < right and top < one["at"][1] < bottom
        ]  # fmt: skip
        if any(one["text"] not in before for one in inside):
            break
        page.wait_for_timeout(50)
    assert any(one["text"] not in before for one in inside)


def test_everything_can_be_done_without_a_mouse(page: Page, address: str) -> None:
    points = Points(page, address, FEW)
    keys = page.keyboard
    points.stage.focus()
    view = points.debug()["view"]
    keys.press("+")
    keys.press("ArrowRight")
    zoomed = points.debug()["view"]
    assert zoomed["scale"] == pytest.approx(1.4 * view["scale"])
    assert zoomed["cx"] == pytest.approx(view["cx"] + 60 / zoomed["scale"])
    keys.press("0")
    points.settled()
    keys.press("Shift+ArrowRight")
    expect(points.root.locator(".card")).to_contain_text("Object")
    keys.press("Enter")
    expect(points.answer).not_to_contain_text('"pointed": null')
    keys.press("a")
    keys.press("Space")
    for _ in range(3):
        keys.press("ArrowUp")
    keys.press("Space")
    expect(points.answer).to_contain_text('"kind": "arrow"')
    drawn = points.returned()["drawing"]
    # The line below the map may have grown by a pixel meanwhile.
    scale = points.debug()["view"]["scale"]
    assert drawn["end"][1] - drawn["start"][1] == pytest.approx(180 / scale, rel=0.01)
    keys.press("s")
    for arrow in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        keys.press("Space")
        for _ in range(4):
            keys.press(arrow)
    keys.press("Enter")
    expect(points.answer).to_contain_text('"corners": 3')
    keys.press("Delete")
    expect(points.answer).to_contain_text('"corners": null')


def test_a_finger_draws_on_a_small_bright_screen(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
        has_touch=True,
        color_scheme="dark",
    )
    points = Points(page, address, FEW, height=500)
    width = points.root.evaluate("e => document.documentElement.scrollWidth")
    assert width <= 390
    assert points.seen().getpixel((6, 6)) < (60, 60, 60)
    points.tool("Lasso")
    corners = [(60, 60), (280, 60), (280, 280), (60, 280), (60, 70)]
    finger_drag(page, *map(points.on_page, corners))
    expect(points.answer).not_to_contain_text('"inside": null')
    assert points.returned()["inside"] > 0


def test_without_the_graphics_card_a_sample_is_painted_and_said_to_be_one(
    page: Page, address: str
) -> None:
    page.add_init_script(NO_WEBGL)
    points = Points(page, address, 30_000)
    expect(points.status).to_contain_text("Without WebGL2 20,000 of them are painted.")
    x, y = points.debug()["labels"][0]["at"]
    assert len(colours(points.seen(), (x - 14, y))) > 3


def test_a_graphics_card_that_was_taken_away_gets_everything_again(
    page: Page, address: str
) -> None:
    points = Points(page, address, FEW)
    before = points.seen()
    fetched = list(points.fetched)
    points.root.evaluate(LOSE)
    expect(points.root).to_have_attribute("data-losses", "1")
    points.settled()
    assert difference(before, points.seen()) < 0.5
    assert points.fetched == fetched


def test_places_that_do_not_come_are_told_of_and_asked_for_again(page: Page, address: str) -> None:
    page.route("**/points/*", lambda route: route.fulfill(status=404))
    points = Points(page, address, FEW, settles=False)
    expect(points.status).to_contain_text("The places could not be fetched")
    page.unroute_all()
    points.settled()
    assert points.debug()["painted"] == FEW
