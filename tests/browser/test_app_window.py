"""The window is used: the map grows with it, stays where it is, and leaves a phone its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app_driver import FAR, AppDriver
from playwright.sync_api import CDPSession, Page, expect

OPENING = "Kinship terms, with nothing known yet"
PHONE = {"width": 390, "height": 844}
SCROLLED = "() => document.querySelector('.stMain').scrollTop"


def opened(page: Page, address: str) -> AppDriver:
    app = AppDriver(page, address)
    app.shows(OPENING)
    app.idle()
    return app


def swiped(touch: CDPSession, start: tuple[float, float], rise: float, *fingers: float) -> None:
    """Fingers beside one another go up the screen, as fast as a hand does."""

    def send(kind: str, up: float) -> None:
        points = [
            {"x": start[0] + gap, "y": start[1] - up, "id": k} for k, gap in enumerate(fingers)
        ]
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [] if kind == "touchEnd" else points},
        )

    send("touchStart", 0)
    for step in range(1, 11):
        send("touchMove", rise * step / 10)
    send("touchEnd", rise)


def test_the_map_grows_with_the_window_and_the_side_panel_stays(
    open_page: Callable[..., Page], address: str
) -> None:
    sizes: dict[int, dict[str, Any]] = {}
    for width, height in ((1440, 900), (2560, 1440)):
        page = open_page(viewport={"width": width, "height": height})
        sizes[height] = opened(page, address).debug()["stage"]
        assert page.evaluate("() => document.querySelector('.stMain').scrollHeight") <= height
        aside = page.locator(".st-key-aside").bounding_box()
        assert aside is not None
        assert 270 <= aside["width"] <= 450
    # What the window is larger, but for a wider panel, is the map's.
    assert sizes[1440]["height"] - sizes[900]["height"] >= 530
    assert sizes[1440]["width"] - sizes[900]["width"] > 900


def test_drawing_leaves_the_map_where_it_is(page: Page, address: str) -> None:
    app = opened(page, address)
    before, places = app.debug()["stage"], app.places()
    app.draw_arrow(("Mother",), FAR)
    app.idle()
    expect(app.button("Round")).to_be_visible()
    assert app.debug()["stage"] == before
    assert app.places() == places
    # What the discovery needs more room for is reached within the panel.
    app.button("Add to known").scroll_into_view_if_needed()
    assert page.evaluate(SCROLLED) == 0
    assert app.debug()["stage"] == before


def test_ekmans_colours_look_like_their_colours(page: Page, address: str) -> None:
    app = AppDriver(page, address, "Data")
    page.locator(".st-key-example-ekman").get_by_role("button", name="Open").click()
    app.settled()
    fills = {one["label"]: one["style"]["fill"] for one in app.debug()["objects"]}
    assert (fills["537"], fills["674"]) == ("#00ff00", "#ff0000")
    expect(page.get_by_role("combobox", name="Colour")).to_have_value("Colour: Wavelength")


def test_on_a_phone_the_ticks_come_before_the_map(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    opened(page, address)
    blocks = [".st-key-heading", ".st-key-ticks", ".st-key-map", ".st-key-discovery"]
    tops = []
    for block in blocks:
        box = page.locator(block).bounding_box()
        assert box is not None
        tops.append(box["y"])
    assert tops == sorted(tops)
    # The ticks can be read and reached as the page opens.
    assert tops[2] < PHONE["height"]
    assert page.evaluate("() => document.querySelector('.stMain').scrollWidth") <= PHONE["width"]


def test_on_a_phone_one_finger_scrolls_and_two_move_the_map(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    app = opened(page, address)
    app.map.get_by_role("application").scroll_into_view_if_needed()
    touch = page.context.new_cdp_session(page)

    def middle() -> tuple[float, float]:
        stage = app.debug()["stage"]
        return stage["left"] + stage["width"] / 2, stage["top"] + stage["height"] * 0.6

    view, scrolled = app.debug()["view"], page.evaluate(SCROLLED)
    swiped(touch, middle(), 150, 0)
    page.wait_for_function(f"before => ({SCROLLED})() > before + 60", arg=scrolled)
    assert app.debug()["view"] == view
    app.map.get_by_role("application").scroll_into_view_if_needed()
    scrolled = page.evaluate(SCROLLED)
    swiped(touch, middle(), 60, -40, 40)
    app.settled()
    assert app.debug()["view"]["cy"] < view["cy"]
    assert page.evaluate(SCROLLED) == scrolled
    # A tool that draws has the finger for itself.
    app.map.get_by_role("button", name="Arrow").tap()
    app.settled()
    swiped(touch, middle(), 120, 0)
    expect(app.button("Add to known")).to_be_attached()
    assert app.debug()["drawing"]["kind"] == "arrow"
