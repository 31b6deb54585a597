"""What a person waits for: from a tick to the new map, and frames while moving many points."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.report import FRAMES, TICKS, Section, Table, duration
from benchmarks.timing import FULL, Effort
from cml_app.keeping.store import Store
from cml_core import fit
from cml_core.datasets import simulate_car_brands
from cml_core.fitting.problem import Problem
from cml_core.journey.file import to_json
from cml_core.journey.journey import Journey
from cml_core.values.words import percent

ROOT = Path(__file__).parents[1]
BROWSER_TESTS = ROOT / "tests" / "browser"

ABOUT = """\
Headless Chromium. *Tick to map* is the time from ticking a feature of simulated car brands (seven \
of them, 2 hidden dimensions) to the last painted frame of the new map, where motion is reduced; \
otherwise the points then glide for 0.6 s. Every tick asks something new, so every time is that of \
a fit, and evidence about the map before is being computed. *Frames* are the times between frames \
while a map of 5,000 points is dragged."""

TICKS_PER_SIZE = 20

_TICKED = """
([box, map]) => new Promise((resolve) => {
  const before = map.dataset.mapId;
  const start = performance.now();
  box.click();
  const look = () => {
    const there = map.dataset.mapId !== before && map.dataset.settled === 'true';
    if (there) resolve((performance.now() - start) / 1000);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})
"""
_COUNT_FRAMES = """
() => {
  window.frames_ = [];
  let last = performance.now();
  const tick = (now) => { window.frames_.push(now - last); last = now;
    if (window.counting_) requestAnimationFrame(tick); };
  window.counting_ = true;
  requestAnimationFrame(tick);
}
"""


def in_browser(effort: Effort) -> Section:
    """Ticks at three sizes, and panning."""
    ticks = TICKS_PER_SIZE if effort is FULL else 4
    rows, figures = [], {}
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        page = new_page(chromium)
        database = f"sqlite:///{folder}/projects.sqlite3"
        env = {"CML_DATABASE_URL": database, "CML_EVIDENCE_UNASKED": "on"}
        with served(ROOT / "app.py", env, Path(folder)) as address:
            for n_objects, target in TICKS.items():
                times = _ticks(page, address, _project(database, n_objects), ticks)
                figures[target] = statistics.median(times)
                rows.append((f"{n_objects}", duration(figures[target]), duration(max(times))))
        with served(BROWSER_TESTS / "map_page.py", {}, Path(folder)) as address:
            shares = _panning(page, address)
        figures[FRAMES] = 100 * shares
    table = Table(("objects", f"tick to map, median of {ticks}", "longest"), tuple(rows))
    frames = Table(("5,000 points", "share"), (("frames under 33 ms", percent(shares, 1)),))
    return Section("In the browser", ABOUT, (table, frames), figures)


@contextmanager
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        expect.set_options(timeout=60_000)
        yield chromium
        chromium.close()


def new_page(chromium: Browser) -> Page:
    """A tab of a visitor who has never been here, and does not like motion."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    return context.new_page()


@contextmanager
def served(script: Path, env: dict[str, str], folder: Path) -> Iterator[str]:
    """A server of a script, at its address."""
    sys.path.insert(0, str(BROWSER_TESTS))
    from serving import started

    process, address = started(script, env, folder)
    try:
        yield address
    finally:
        process.kill()
        process.wait()


def _project(database: str, n_objects: int) -> str:
    """A project with seven features and nothing known; its token."""
    data = simulate_car_brands(n_objects, noise=0.1, known=7)
    values, features = data.values(), data.feature_table()
    now = datetime.now(UTC)
    journey = Journey.begun(data.title, values, features, now.isoformat())
    first = fit(Problem(values, features.select([])), seed=0)
    store = Store(database, keep_days=1)
    token = store.create(to_json(journey.after(first, first.embedding, now.isoformat())), now)
    store.close()
    return token


def _ticks(page: Page, address: str, token: str, count: int) -> list[float]:
    """Seconds from each tick to its map; no set of known features is asked for twice."""
    page.goto(f"{address}/?project={token}")
    map_ = page.locator(".st-key-map .map")
    expect(map_).to_have_attribute("data-settled", "true")
    times = []
    # A Gray code walks through the sets of features one tick at a time.
    for step in range(1, count + 2):
        changed = (step & -step).bit_length() - 1
        box = page.locator("[data-testid='stCheckbox'] input").nth(changed)
        idle = page.get_by_test_id("stApp")
        expect(idle).to_have_attribute("data-test-script-state", "notRunning")
        handles = [box.element_handle(), map_.element_handle()]
        times.append(page.evaluate(_TICKED, handles))
    return times[1:]


def _panning(page: Page, address: str) -> float:
    """The share of frames under 33 ms."""
    page.goto(f"{address}/?scene=many")
    expect(page.locator(".st-key-map .map")).to_have_attribute("data-settled", "true")
    box = page.get_by_role("application").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(_COUNT_FRAMES)
    for step in range(200):
        page.mouse.move(x + 150 * ((step % 40) / 40 - 0.5), y + 2 * (step % 50))
    page.mouse.up()
    frames: list[float] = page.evaluate(
        "() => { window.counting_ = false; return window.frames_.slice(1); }"
    )
    return sum(frame < 33 for frame in frames) / len(frames)
