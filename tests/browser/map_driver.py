"""The map as a test sees it: where objects are on the page, and what comes back from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

SCRIPT = Path(__file__).with_name("map_page.py")
Place = tuple[float, float]


class MapDriver:
    """`page` with the map of one scene of `map_page.py` on it."""

    def __init__(self, page: Page, address: str, scene: str, **query: object) -> None:
        self.page = page
        page.goto(f"{address}/?{urlencode({'scene': scene, **query})}")
        self.root = page.locator(".st-key-map .map")
        self.stage = page.get_by_role("application")
        self.answer = page.locator(".st-key-answer")
        self.runs = page.locator(".st-key-runs")
        self.settled()

    def settled(self) -> None:
        expect(self.root).to_have_attribute("data-settled", "true", timeout=60_000)

    def debug(self) -> dict[str, Any]:
        found: dict[str, Any] = self.root.evaluate("element => element.mapDebug()")
        return found

    def returned(self) -> dict[str, Any]:
        """What Python last got."""
        found: dict[str, Any] = json.loads(self.answer.inner_text())
        return found

    def tool(self, name: str) -> None:
        button = self.page.get_by_role("group", name="Tools").get_by_role("button", name=name)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(self.answer).to_contain_text(f'"tool": "{name.lower()}"')

    def draw_arrow(self) -> None:
        """An arrow that passes by all objects, drawn with its tool."""
        self.tool("Arrow")
        self.drag(self.from_map(-8, -2), self.from_map(6, 3))
        self.expect_drawing("arrow")

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name)

    def second_map(self, settled: str = "second") -> None:
        self.page.get_by_role("radio", name="second").check(force=True)
        expect(self.root).to_have_attribute("data-map-id", settled)
        self.settled()

    def on_page(self, label: str) -> Place:
        """Where an object is, in pixels of the page."""
        found = self.debug()
        place = next(one for one in found["objects"] if one["label"] == label)
        return place["x"] + found["stage"]["left"], place["y"] + found["stage"]["top"]

    def from_map(self, x: float, y: float) -> Place:
        """Where a place of the map is, in pixels of the page."""
        found = self.debug()
        view, stage = found["view"], found["stage"]
        return (
            stage["left"] + view["width"] / 2 + (x - view["cx"]) * view["scale"],
            stage["top"] + view["height"] / 2 - (y - view["cy"]) * view["scale"],
        )

    def wheel(self, place: Place, turn: float) -> None:
        """Turn the wheel at a place of the page; negative zooms in."""
        frame = self.root.get_attribute("data-frame")
        turned = expect(self.root).not_to_have_attribute
        self.page.mouse.move(*place)
        self.page.mouse.wheel(0, turn)
        try:
            turned("data-frame", frame or "", timeout=5000)
        except AssertionError:
            # A busy browser may drop a turn of the wheel that comes while it saves a file.
            self.page.mouse.wheel(0, turn)
            turned("data-frame", frame or "")
        self.settled()

    def drag(self, *places: Place, release: bool = True) -> None:
        mouse = self.page.mouse
        mouse.move(*places[0])
        mouse.down()
        for place in places[1:]:
            mouse.move(*place, steps=6)
        if release:
            mouse.up()

    def click(self, place: Place, *, shift: bool = False) -> None:
        if shift:
            self.page.keyboard.down("Shift")
        self.page.mouse.click(*place)
        if shift:
            self.page.keyboard.up("Shift")

    def expect_selected(self, *objects: int) -> None:
        expect(self.answer).to_contain_text(f'"selected": {json.dumps(list(objects))}')

    def expect_drawing(self, kind: str | None) -> None:
        expect(self.answer).to_contain_text(f'"drawing_kind": {json.dumps(kind)}')

    def expect_runs(self, count: int) -> None:
        expect(self.runs).to_have_text(f"run {count}")
