"""Takes the pictures of these pages from the running app: `make pictures`."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = Path(__file__).with_name("pictures")
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

from app_driver import BOTH_ORDERS, FAR, AppDriver  # noqa: E402
from conftest import BROWSERS, LAUNCH  # noqa: E402
from evidence_driver import ASKED, MILLISECONDS_TO_COMPUTE, EvidenceDriver  # noqa: E402
from serving import started  # noqa: E402

# A window in which the text of the app can still be read on a page of the documentation.
WINDOW = {"width": 1240, "height": 820}
WHOLE_APP = {"width": 1440, "height": 900}
LONG = {"width": 1240, "height": 1060}
ABOVE = 2
COLOURS = 128
MOST_BYTES = 150_000


def main() -> None:
    """All pictures, from one server."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, _browser() as browser:
        process, address = started(ROOT / "app.py", {}, Path(folder))
        try:
            _opening(browser, address)
            _kinship(browser, address)
            _trees(browser, address)
        finally:
            process.kill()
            process.wait()


def _opening(browser: Browser, address: str) -> None:
    """The app as it opens, all of it."""
    app = AppDriver(_tab(browser, WHOLE_APP), address)
    app.shows("Kinship terms, with nothing known yet")
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    app.tick("Degree")
    app.shows("Kinship terms, with Gender and Degree taken out")
    app.draw_arrow(("Brother", "Sister"), FAR)
    app.at_rest()
    _take("discover", app.page, height=WHOLE_APP["height"])


def _kinship(browser: Browser, address: str) -> None:
    """The tutorial, and then the evidence of its second map."""
    app = AppDriver(_tab(browser), address)
    app.shows("Kinship terms, with nothing known yet")
    app.at_rest()
    _take("nothing-known", _main(app.page))
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    app.at_rest()
    _take("gender", _main(app.page))
    _evidence(EvidenceDriver(app.page))
    app.page.get_by_test_id("stSidebarNav").get_by_role("link", name="Discover").click()
    app.shows("Kinship terms, with Gender taken out")
    app.tick("Degree")
    app.shows("Kinship terms, with Gender and Degree taken out")
    app.at_rest()
    _take("degree", _main(app.page))
    app.draw_arrow(("Brother", "Sister"), FAR)
    app.button("Round").click()
    app.button("Equal steps").click()
    for label in ("Daughter", "Nephew", "Niece", "Son"):
        app.correct(label, before="0", after="1")
    app.at_rest()
    _take("arrow", _main(app.page))
    app.name_and_add("Generations apart")
    app.shows("Kinship terms, with Gender, Degree and Generations apart taken out")
    app.at_rest()
    _to_top(app.page.get_by_text("5 of 5"))
    _take("generation", _main(app.page))
    _take("journey", app.page.get_by_test_id("stSidebarContent"), height=476)


def _evidence(evidence: EvidenceDriver) -> None:
    page = evidence.page
    evidence.comes_from_discover()
    evidence.open("Is anything left?")
    _computed(evidence, "HiddenFeature")
    _take("hidden-feature", _main(page))
    _computed(evidence, "Dimensions")
    _take_from(page.get_by_role("heading", name="How many dimensions"), "dimensions")
    page.set_viewport_size(LONG)  # type: ignore[arg-type]
    evidence.open("What might it be?")
    _take_from(page.get_by_role("heading", name="What might it be?"), "candidates")
    page.set_viewport_size(WINDOW)  # type: ignore[arg-type]


def _computed(evidence: EvidenceDriver, kind: str) -> None:
    """As a visitor would have it: nothing set, the button pressed."""
    button = ASKED[kind].button
    evidence.button(button).click()
    expect(evidence.button(f"{button} again")).to_be_visible(timeout=MILLISECONDS_TO_COMPUTE)
    evidence.idle()
    # A chart is drawn by a script of its own, which comes when it is first needed.
    expect(evidence.page.get_by_test_id("stPlotlyChart").locator(".main-svg").first).to_be_visible()
    expect(evidence.page.get_by_test_id("stSkeleton")).to_have_count(0)


def _trees(browser: Browser, address: str) -> None:
    """A file that needs a choice."""
    app = AppDriver(_tab(browser), address, "Data")
    fields = app.page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4)
    file = {"name": "tree-distances.csv", "mimeType": "text/csv", "buffer": BOTH_ORDERS.encode()}
    fields.first.set_input_files(files=[file])  # type: ignore[list-item]
    doctor = app.page.locator(".st-key-doctor")
    expect(doctor).to_contain_text("Needs a choice")
    EvidenceDriver(app.page).idle()
    _take("doctor", doctor, height=732)


def _tab(browser: Browser, window: dict[str, int] = WINDOW) -> Page:
    context = browser.new_context(
        viewport=window,  # type: ignore[arg-type]
        color_scheme="light",
        reduced_motion="reduce",
    )
    return context.new_page()


def _main(page: Page) -> Locator:
    return page.get_by_test_id("stMain")


def _to_top(what: Locator) -> None:
    what.evaluate("element => element.scrollIntoView()")


def _take_from(heading: Locator, name: str) -> None:
    """What stands below a heading, and the heading."""
    _to_top(heading)
    box = heading.bounding_box()
    assert box
    _take(name, _main(heading.page), top=int(box["y"]) - ABOVE, height=LONG["height"])


def _take(name: str, what: Page | Locator, top: int = 0, height: int = WINDOW["height"]) -> None:
    """A picture, cut to a part, in few colours so that it is small."""
    shot = Image.open(io.BytesIO(what.screenshot(animations="disabled"))).convert("RGB")
    shot = shot.crop((0, top, shot.width, min(top + height, shot.height)))
    path = PICTURES / f"{name}.png"
    shot.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    if size > MOST_BYTES:
        sys.exit(f"{path.name} has {size} bytes; at most {MOST_BYTES} are wanted.")


@contextmanager
def _browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)))
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(LAUNCH))
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
