"""The app as a test uses it: ticks, drawings, names."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect
from runs import answered

Place = tuple[float, float]
FAR = ("Granddaughter", "Grandson", "Grandfather", "Grandmother")
ROW_HEIGHT = 35
# One judge compared every pair twice, once in each order.
BOTH_ORDERS = """;oak;ash;elm;fir;yew;juniper
oak;0;2,5;3;7;8;6
ash;2;0;2,5;7,5;8;6,5
elm;3;3,5;0;7;7,5;6
fir;7;7;7,5;0;2;3
yew;8;8,5;7;2;0;2,5
juniper;6;6;6,5;3,5;2;0
"""
_AT_REST = """element => new Promise((resolve) => {
  let before = '', still = 0;
  const look = () => {
    const now = JSON.stringify(element.mapDebug().objects);
    still = now === before ? still + 1 : 0;
    before = now;
    if (still > 30) resolve(); else requestAnimationFrame(look);
  };
  look();
})"""


class AppDriver:
    """A tab with the Discover page in it."""

    def __init__(self, page: Page, address: str, path: str = "") -> None:
        self.page = page
        self.headline = page.get_by_role("heading", level=1)
        self.map = page.locator(".st-key-map .map")
        page.goto(f"{address}/{path}")

    def settled(self) -> None:
        expect(self.map).to_have_attribute("data-settled", "true", timeout=60_000)

    def shows(self, words: str) -> None:
        expect(self.headline).to_have_text(words, timeout=60_000)
        self.settled()

    def debug(self) -> dict[str, Any]:
        found: dict[str, Any] = self.map.evaluate("element => element.mapDebug()")
        return found

    def tick(self, name: str) -> None:
        box = self.page.get_by_role("checkbox", name=name, exact=True)
        wanted = not box.is_checked()
        box.focus()
        self.page.keyboard.press("Space")
        expect(box).to_be_checked(checked=wanted)

    def places(self) -> dict[str, Place]:
        """Where objects are, in pixels of the page."""
        found = self.debug()
        left, top = found["stage"]["left"], found["stage"]["top"]
        return {one["label"]: (one["x"] + left, one["y"] + top) for one in found["objects"]}

    def at_rest(self) -> None:
        """Objects stand where they stood for half a second's worth of frames."""
        self.idle()
        self.map.evaluate(_AT_REST)

    def coordinates(self) -> dict[str, Place]:
        """Where objects are, in the units of the map."""
        self.at_rest()
        found = self.debug()
        view = found["view"]
        return {
            one["label"]: (
                view["cx"] + (one["x"] - view["width"] / 2) / view["scale"],
                view["cy"] - (one["y"] - view["height"] / 2) / view["scale"],
            )
            for one in found["objects"]
        }

    def between(self, *labels: str) -> Place:
        places = [self.places()[label] for label in labels]
        return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)

    def draw_arrow(self, start: tuple[str, ...], end: tuple[str, ...]) -> None:
        """Drag from the middle of some objects to the middle of others."""
        tool = self.page.get_by_role("group", name="Tools").get_by_role("button", name="Arrow")
        tool.click()
        expect(tool).to_have_attribute("aria-pressed", "true")
        self.at_rest()
        mouse = self.page.mouse
        mouse.move(*self.between(*start))
        mouse.down()
        mouse.move(*self.between(*end), steps=10)
        mouse.up()
        expect(self.button("Add to known")).to_be_visible()

    def idle(self) -> None:
        """No run of the page is under way, and the map stands still."""
        self.has_run()
        self.settled()

    def has_run(self) -> None:
        """All that was asked of the server is answered."""
        answered(self.page)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def correct(self, label: str, before: str, after: str) -> None:
        """Type another value for an object into the table, with the keyboard."""
        resembles = self.page.get_by_text(re.compile("^Correlates"))
        said = resembles.inner_text()
        grid = self.page.get_by_test_id("stDataFrame").first
        row = grid.locator("tr").filter(has=self.page.locator(f'td:text-is("{label}")'))
        value = row.locator("td").nth(1)
        expect(value).to_have_text(before)
        self.idle()
        place = int((row.get_attribute("aria-rowindex")) or 0) - 1
        box = grid.bounding_box()
        assert box
        self.page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + ROW_HEIGHT * (place + 0.5))
        expect(value).to_have_attribute("aria-selected", "true")
        self.page.keyboard.type(after)
        # A click on the cell that is selected already has opened it with its value.
        cell = self.page.locator("#portal input")
        cell.fill(after)
        cell.press("Enter")
        expect(value).to_have_text(after)
        # The page has taken the correction in once it speaks of other correlations.
        expect(resembles).not_to_have_text(said)
        self.idle()

    def name_and_add(self, name: str) -> None:
        field = self.page.get_by_label("Name", exact=True)
        field.fill(name)
        field.press("Tab")
        self.button("Add to known").click()

    def typed(self, text: str) -> None:
        self.page.get_by_text("Type or paste values instead").click()
        area = self.page.get_by_label(re.compile("One object a line"))
        area.fill(text)
        area.press("Control+Enter")
        self.button("Use these").click()
        expect(self.button("Add to known")).to_be_visible()
