"""The loop on data that no one prepared: by mouse, by keyboard alone, and by touch on a phone.

Upload, map, tick, arrow, round to 4, name, add; ask what is left, read the answer; undo, redo.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app_driver import AppDriver
from evidence_driver import MILLISECONDS_TO_COMPUTE, kept
from hands import (
    click_once,
    drag,
    finger_drag,
    look,
    press_enter_on,
    tab_to,
    tap,
    type_over,
    type_slowly,
)
from playwright.sync_api import Locator, Page, expect
from rectangles import NAMES, WIDTHS, bring, distances, features
from runs import answered

from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.result import ResultKind

PHONE = {"width": 390, "height": 844}
LEVELS = 4
NARROW = tuple(name for name in NAMES if WIDTHS[name] == 1)
BROAD = tuple(name for name in NAMES if WIDTHS[name] == LEVELS)
OPENED = "rectangles, with nothing known yet"
TICKED = "rectangles, with height taken out"
ENDED = "rectangles, with height and width taken out"


@dataclass(frozen=True)
class Way:
    """How a visitor presses a button, and takes back and brings again."""

    press: Callable[[Locator], None]
    undo: Callable[[], None]
    redo: Callable[[], None]


def goes_on(app: AppDriver, database: str, way: Way, before: str) -> None:
    """From a discovery that was added, after `before` was said of the map, to the end."""
    app.shows(ENDED)
    was_read_off_and_rounded(app, database)
    after = summary(app)
    answer = asked_what_is_left(app, database, way)
    assert " unexplained" in after
    assert after != before
    way.undo()
    app.shows(TICKED)
    assert summary(app) == before
    width = app.page.get_by_role("checkbox", name="width", exact=True)
    expect(width).to_have_count(0)
    way.redo()
    app.shows(ENDED)
    assert summary(app) == after
    expect(width).to_be_checked()
    # What was found is there again, without being asked for.
    expect(chip(app)).to_contain_text(answer)


def was_read_off_and_rounded(app: AppDriver, database: str) -> None:
    width = kept(database, app.page.url).features["width"]
    assert width.origin.startswith("place along an arrow")
    assert f"rounded to {LEVELS} levels" in width.origin
    found = dict(zip(NAMES, width.values, strict=True))
    # Each of the four levels is one of the four widths.
    pairs = {(WIDTHS[name], value) for name, value in found.items()}
    assert len(pairs) == LEVELS
    assert len({value for _, value in pairs}) == LEVELS


def asked_what_is_left(app: AppDriver, database: str, way: Way) -> str:
    """Open a line below the map, ask, and read the answer; what the line then says."""
    expect(chip(app)).to_contain_text("How many dimensions? Ask")
    way.press(chip(app))
    way.press(app.button("Try 0, 1, 2, …"))
    # Height and width is all there is.
    brief = "No dimension left"
    expect(chip(app)).to_contain_text(brief, timeout=MILLISECONDS_TO_COMPUTE)
    found = kept(database, app.page.url).current.result(ResultKind(Dimensions))
    assert found is not None
    assert found.brief == brief
    answer = app.page.get_by_text(found.verdict, exact=True)
    expect(answer).to_be_visible()
    look(app.page)
    app.page.keyboard.press("Escape")
    expect(answer).to_be_hidden()
    return brief


def chip(app: AppDriver) -> Locator:
    return app.page.locator(".st-key-chip-dimensions").get_by_role("button")


def summary(app: AppDriver) -> str:
    """What is said above the map, with all its numbers."""
    app.idle()
    return app.page.locator(".st-key-summary").inner_text()


def by_buttons(app: AppDriver, press: Callable[[Locator], None]) -> Way:
    return Way(
        press,
        lambda: press(app.button("Undo: add width")),
        lambda: press(app.button("Redo: add width")),
    )


def test_by_mouse(page: Page, address: str, database: str) -> None:
    app = AppDriver(page, address, "Data")
    bring(page, "rectangles.csv", distances())
    bring(page, "sides.csv", features(), field=1)
    click_once(app.button("Make a map"))
    app.shows(OPENED)
    app.idle()
    click_once(page.locator("label").filter(has=app.page.get_by_role("checkbox", name="height")))
    app.shows(TICKED)
    before = summary(app)
    look(page)
    click_once(page.get_by_role("group", name="Tools").get_by_role("button", name="Arrow"))
    app.at_rest()
    drag(page, app.between(*NARROW), app.between(*BROAD))
    levels = page.get_by_role("spinbutton", name="Levels")
    type_over(levels, str(LEVELS))
    click_once(app.button("Round"))
    look(page)
    type_over(page.get_by_role("textbox", name="Name", exact=True), "width")
    click_once(app.button("Add to known"))
    goes_on(app, database, by_buttons(app, click_once), before)


def test_by_keyboard_alone(page: Page, address: str, database: str) -> None:
    app = AppDriver(page, address, "Data")
    keys = page.keyboard
    # Somebody listens all the time, so that the browser never shows a dialogue of its own.
    page.on("filechooser", lambda _: None)
    for name, content in (("rectangles.csv", distances()), ("sides.csv", features())):
        choose_file(page, name, content)
        expect(page.locator(".st-key-doctor")).to_contain_text(name)
    tab_to(page, "Make a map")
    keys.press("Enter")
    app.shows(OPENED)
    app.idle()
    tab_to(page, "height")
    keys.press("Space")
    app.shows(TICKED)
    before = summary(app)
    page.evaluate("() => document.activeElement.blur()")
    tab_to(page, "rectangles, with height taken out: 16 objects")
    # From one end to the other: the narrowest and the broadest rectangle of a height.
    for name in (NARROW[1], BROAD[1]):
        walk_to(app, name)
        keys.press("Enter")
        look(page)
    keys.press("x")
    expect(app.button("Add to known")).to_be_visible()
    app.idle()
    tab_to(page, "Levels")
    keys.press("Control+a")
    type_slowly(page, str(LEVELS))
    keys.press("Enter")
    expect(page.get_by_role("spinbutton", name="Levels")).to_have_value(str(LEVELS))
    app.idle()
    tab_to(page, "Name")
    type_slowly(page, "width")
    keys.press("Enter")
    goes_on(
        app,
        database,
        Way(
            press_enter_on,
            lambda: keys.press("Control+z"),
            lambda: keys.press("Control+Shift+Z"),
        ),
        before,
    )


def choose_file(page: Page, name: str, content: str) -> None:
    """Open the dialogue of the first field without a file by Enter, and choose a file in it."""
    file = {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    answered(page)
    look(page)
    page.evaluate("() => document.activeElement.blur()")
    tab_to(page, "Upload")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(files=[file])


def walk_to(app: AppDriver, name: str) -> None:
    """N goes from object to object."""
    for _ in NAMES:
        app.page.keyboard.press("n")
        if NAMES[app.debug()["current"]] == name:
            return
    raise AssertionError(f"N never came to {name}.")


def test_by_touch_on_a_phone(open_page: Callable[..., Page], address: str, database: str) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    app = AppDriver(page, address, "Data")
    bring(page, "rectangles.csv", distances())
    bring(page, "sides.csv", features(), field=1)
    tap(app.button("Make a map"))
    app.shows(OPENED)
    app.idle()
    tap(page.locator("label").filter(has=page.get_by_role("checkbox", name="height")))
    app.shows(TICKED)
    before = summary(app)
    tap(page.get_by_role("group", name="Tools").get_by_role("button", name="Arrow"))
    app.map.scroll_into_view_if_needed()
    app.at_rest()
    finger_drag(page, app.between(*NARROW), app.between(*BROAD))
    levels = page.get_by_role("spinbutton", name="Levels")
    tap(levels)
    levels.press("Control+a")
    type_slowly(page, str(LEVELS))
    tap(app.button("Round"))
    look(page)
    tap(page.get_by_role("textbox", name="Name", exact=True))
    type_slowly(page, "width")
    tap(app.button("Add to known"))
    goes_on(app, database, by_buttons(app, tap), before)
