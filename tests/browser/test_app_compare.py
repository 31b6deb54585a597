"""The same data through other eyes, in a real browser: one selection, and drawing on a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app_driver import AppDriver
from playwright.sync_api import Locator, Page, expect
from runs import answered

MILLISECONDS_TO_DRAW = 300_000
FIRST = ("classical-plain", "mds-plain", "sammon-plain", "isomap-plain")


def picture(page: Page, key: str) -> Locator:
    """A picture once it has been drawn."""
    found = page.locator(f'.panels .small[data-key="{key}"]')
    expect(found.locator(".scores b").first).to_be_visible(timeout=MILLISECONDS_TO_DRAW)
    found.scroll_into_view_if_needed()
    expect(found).to_have_attribute("data-settled", "true")
    return found


def debug(root: Locator) -> dict[str, Any]:
    found: dict[str, Any] = root.evaluate("element => element.mapDebug()")
    return found


def places(root: Locator) -> dict[str, tuple[float, float]]:
    found = debug(root)
    left, top = found["stage"]["left"], found["stage"]["top"]
    return {one["label"]: (one["x"] + left, one["y"] + top) for one in found["objects"]}


def names(root: Locator, objects: list[int]) -> list[str]:
    told = debug(root)["objects"]
    return [told[i]["label"] for i in objects]


def selected(root: Locator) -> list[str]:
    return names(root, debug(root)["selected"])


def all_drawn(page: Page) -> None:
    expect(page.get_by_text("chosen by held-out pairs")).to_be_visible(timeout=MILLISECONDS_TO_DRAW)
    for key in FIRST:
        picture(page, key.replace("plain", "conditioned"))
    answered(page)


def lasso_around(page: Page, at: tuple[float, float], reach: float) -> None:
    x, y = at
    corners = [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach)]
    page.mouse.move(*corners[0])
    page.mouse.down()
    for corner in [*corners[1:], (x - reach, y + reach), corners[0]]:
        page.mouse.move(*corner, steps=4)
    page.mouse.up()


def test_a_lasso_in_one_picture_selects_in_all_and_what_is_drawn_on_a_view_enters_the_journey(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/Compare")
    all_drawn(page)
    mds, isomap = picture(page, "mds-plain"), picture(page, "isomap-conditioned")
    mds.scroll_into_view_if_needed()
    page.mouse.move(*places(mds)["Uncle"])
    # Whoever is pointed at is marked, and joined to its nearest, in every picture.
    expect(page.locator(".top .status")).to_contain_text("Uncle")
    assert names(isomap, [debug(isomap)["pointed"]]) == ["Uncle"]
    lasso_around(page, places(mds)["Uncle"], 12)
    assert selected(mds) == selected(isomap) == ["Uncle"]

    isomap.get_by_role("button", name="Draw on this view").click()
    app = AppDriver.__new__(AppDriver)
    app.page, app.map = page, page.locator(".st-key-map .map")
    app.headline = page.get_by_role("heading", level=1)
    expect(page.get_by_text("Isomap view of the hidden distances").first).to_be_visible()
    app.idle()
    assert selected(app.map) == ["Uncle"]
    app.draw_arrow(("Brother", "Sister"), ("Grandson", "Granddaughter"))
    app.name_and_add("Steps away")
    app.shows("Kinship terms, with Gender, Degree and Steps away taken out")
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Compare").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("through other eyes")


def test_with_the_keyboard_one_walks_from_object_to_object_in_all_pictures(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/Compare")
    first, second = picture(page, "classical-plain"), picture(page, "mds-plain")
    first.get_by_role("application").focus()
    page.keyboard.press("n")
    page.keyboard.press("n")
    looked_at = names(first, [debug(first)["current"]])
    assert names(second, [debug(second)["current"]]) == looked_at
    expect(page.locator(".grid > [aria-live]")).to_contain_text(looked_at[0])
    page.keyboard.press("Enter")
    assert selected(second) == looked_at


def test_on_a_phone_one_picture_stands_below_the_other_and_a_finger_scrolls_past(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    page.goto(f"{address}/Compare")
    boxes = [picture(page, key).bounding_box() for key in FIRST[:2]]
    lefts = {box["x"] for box in boxes if box}
    assert len(lefts) == 1
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
    stage = picture(page, FIRST[0]).get_by_role("application")
    assert stage.evaluate("element => getComputedStyle(element).touchAction") == "pan-x pan-y"
    # Who looks at what is further down can choose another tool.
    page.locator(".stMain").evaluate("main => main.scrollTo(0, 1200)")
    tool = page.get_by_role("button", name="Move", exact=True).bounding_box()
    head = page.get_by_test_id("stHeader").bounding_box()
    assert tool
    assert head
    assert tool["y"] >= head["y"] + head["height"]
