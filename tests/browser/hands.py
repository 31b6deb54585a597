"""Gestures as people make them: typing with pauses, one click, a line drawn by hand."""

from __future__ import annotations

from app_driver import AppDriver, Place
from playwright.sync_api import Locator, Page, expect

# Between two keys, and between a look and the hand's next move.
KEY, LOOK = 90, 350
MOST_TABS = 150
_FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const labels = [...(element.labels ?? [])].map((label) => label.innerText);
  const name = element.getAttribute('aria-label') || labels.join(' ') || element.innerText || '';
  // What an icon is called stands on lines of its own before the words.
  return name.trim().split('\\n').at(-1);
}"""


def look(page: Page) -> None:
    """People look before they go on."""
    page.wait_for_timeout(LOOK)


def type_over(field: Locator, text: str) -> None:
    """Click into a field and type in place of what is there; the field keeps the focus."""
    field.click()
    look(field.page)
    field.press("Control+a")
    type_slowly(field.page, text)


def type_slowly(page: Page, text: str) -> None:
    page.keyboard.type(text, delay=KEY)
    look(page)


def click_once(button: Locator) -> None:
    """Move there, press, and let go a moment later; what comes of it is not waited for."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    mouse = button.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    mouse.down()
    button.page.wait_for_timeout(KEY)
    mouse.up()


def tap(control: Locator) -> None:
    """Scroll there, as far as is needed, and touch it once."""
    control.tap()
    look(control.page)


def drag(page: Page, *places: Place) -> None:
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=8)
    look(page)
    page.mouse.up()


def lasso(app: AppDriver, *labels: str) -> None:
    """A line with the hand around these objects."""
    drag(app.page, *around(app, *labels))


def around(app: AppDriver, *labels: str, room: float = 16) -> tuple[Place, ...]:
    places = app.places()
    across, down = zip(*(places[label] for label in labels), strict=True)
    left, right = min(across) - room, max(across) + room
    top, bottom = min(down) - room, max(down) + room
    return (left, top), (right, top), (right, bottom), (left, bottom), (left, top + 3)


def tab_to(page: Page, name: str) -> None:
    """Tab until the control of this name has the focus, as one does without a mouse."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(_FOCUSED) == name:
            look(page)
            return
    raise AssertionError(f"Tab never came to {name!r}.")


def press_enter_on(button: Locator) -> None:
    """Tab until this very button has the focus, and press Enter."""
    expect(button).to_be_visible()
    for _ in range(MOST_TABS):
        if button.evaluate("element => element === document.activeElement"):
            look(button.page)
            button.page.keyboard.press("Enter")
            return
        button.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {button}.")


def finger_drag(page: Page, *places: Place) -> None:
    """Draw with one finger, which Playwright's own touchscreen cannot."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *at: Place) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", places[0])
    before = places[0]
    for place in places[1:]:
        for share in (0.25, 0.5, 0.75, 1.0):
            touch(
                "touchMove", tuple(a + share * (b - a) for a, b in zip(before, place, strict=True))
            )
        before = place
    look(page)
    touch("touchEnd")
    session.detach()
