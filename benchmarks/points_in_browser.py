"""The map of very many objects: until it is there, while it is moved, and what it takes."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from benchmarks.in_browser import BROWSER_TESTS, browser, served
from benchmarks.report import Section, Table, duration
from benchmarks.timing import FULL, Effort

ABOUT = """\
Headless Chromium without a graphics processor (SwiftShader paints on the processor), a stage of \
about 980 by 670 pixels, clusters coloured by topic. *Whole* is the time from going to the address \
until every object has been painted and can be pointed at; *moved* tells of two seconds in which \
the map is dragged: the median time between frames, and how many objects a frame adds, the rest \
following as soon as the map rests. *Processor* is the time that the tab and the process that \
paints took of it, until the map was whole, and for each frame while it moved; where the machine \
is busy with other things it says more than seconds do. *Longest* is the longest time in which the \
tab did nothing else, the opening of Streamlit's page included. *Memory* is that of the tab's \
process and of the one that paints, beyond the same page with a hundred objects."""

SIZES = (100_000, 1_000_000)
BASE = 100
SECONDS_TO_MOVE = 2.0
WAIT = 300_000
_WATCH = """
window.longest_ = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) {
    window.longest_ = Math.max(window.longest_, duration);
  }
}).observe({ type: "longtask", buffered: true });
"""
_COUNT_FRAMES = """
(element) => {
  window.gaps_ = []; window.added_ = [];
  let last = performance.now();
  let frame = element.dataset.frame;
  const tick = (now) => {
    if (element.dataset.frame !== frame) {
      window.gaps_.push(now - last);
      window.added_.push(element.pointsDebug().painted);
      frame = element.dataset.frame;
      last = now;
    }
    if (window.counting_) requestAnimationFrame(tick);
  };
  window.counting_ = true;
  requestAnimationFrame(tick);
}
"""


class Used(NamedTuple):
    """Processor seconds and bytes of the processes of one browser, by what they do."""

    seconds: dict[str, float]
    memory: dict[str, float]


class Seen(NamedTuple):
    """What one map took."""

    whole: float
    fetched: int
    longest: float
    gap: float
    added: int
    processor: tuple[float, float]
    processor_moving: tuple[float, float]
    memory: tuple[float, float]


def points_in_browser(effort: Effort) -> Section:
    """A hundred thousand objects and a million."""
    sizes = SIZES if effort is FULL else SIZES[:1]
    with (
        tempfile.TemporaryDirectory() as folder,
        served(BROWSER_TESTS / "point_page.py", {}, Path(folder)) as address,
    ):
        base, *seen = [_seen(address, size) for size in (BASE, *sizes)]
    rows = tuple(_row(size, one, base) for size, one in zip(sizes, seen, strict=True))
    heads = (
        "objects", "whole", "fetched", "longest", "frame while moved", "objects in it",
        "processor until whole: tab, painting", "per frame: tab, painting",
        "memory: tab, painting",
    )  # fmt: skip
    return Section("Very many points in the browser", ABOUT, (Table(heads, rows),), {})


def _row(size: int, one: Seen, base: Seen) -> tuple[str, ...]:
    memory = (f"{(a - b) / 1e6:.0f} MB" for a, b in zip(one.memory, base.memory, strict=True))
    return (
        f"{size:,}",
        duration(one.whole),
        f"{one.fetched / 1e6:.1f} MB",
        duration(one.longest),
        duration(one.gap),
        f"{one.added:,}",
        ", ".join(map(duration, one.processor)),
        ", ".join(map(duration, one.processor_moving)),
        ", ".join(memory),
    )


def _seen(address: str, size: int) -> Seen:
    """A browser of its own, so that its processes belong to this map alone."""
    with browser() as chromium:
        # The server makes the data once; that is no part of what a visitor waits for.
        _opened(chromium, address, size).context.close()
        session = chromium.new_browser_cdp_session()
        before = used(session)
        began = time.perf_counter()
        page = _opened(chromium, address, size)
        whole = time.perf_counter() - began
        after = used(session)
        root = page.locator(".st-key-points .points")
        longest: float = page.evaluate("window.longest_") / 1000
        fetched: int = _debug(root)["bytes"]
        gaps, added = moved(page, root)
        moving = used(session)
        frames = max(1, len(gaps))
        return Seen(
            whole,
            fetched,
            longest,
            _median(gaps) / 1000,
            int(_median(added)),
            _spent(before, after),
            tuple(one / frames for one in _spent(after, moving)),  # type: ignore[arg-type]
            (after.memory["renderer"], after.memory["GPU"]),
        )


def _opened(chromium: Browser, address: str, size: int) -> Page:
    page = chromium.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(_WATCH)
    page.goto(f"{address}/?n={size}&colour=categorical")
    root = page.locator(".st-key-points .points")
    for what in ("complete", "settled"):
        expect(root).to_have_attribute(f"data-{what}", "true", timeout=WAIT)
    return page


def moved(page: Page, root: Locator) -> tuple[list[float], list[float]]:
    """The times between frames while the map is dragged, and how many objects each added."""
    box = page.get_by_role("application").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    root.evaluate(_COUNT_FRAMES)
    ends = time.monotonic() + SECONDS_TO_MOVE
    step = 0
    while time.monotonic() < ends:
        step += 1
        page.mouse.move(x + 150 * ((step % 40) / 40 - 0.5), y + 2 * (step % 50))
    page.mouse.up()
    told: list[list[float]] = page.evaluate(
        "() => { window.counting_ = false; return [window.gaps_.slice(1), window.added_]; }"
    )
    return told[0], told[1]


def used(session: CDPSession) -> Used:
    told = session.send("SystemInfo.getProcessInfo")["processInfo"]
    seconds: dict[str, float] = {}
    memory: dict[str, float] = {}
    for process in told:
        kind = process["type"]
        seconds[kind] = seconds.get(kind, 0.0) + process["cpuTime"]
        memory[kind] = max(memory.get(kind, 0.0), _resident(process["id"]))
    return Used(seconds, memory)


def _resident(process: int) -> float:
    """Bytes of memory, or 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    told = next((line for line in lines if line.startswith("VmRSS:")), "VmRSS: 0 kB")
    return float(told.split()[1]) * 1024


def _spent(before: Used, after: Used) -> tuple[float, float]:
    tab, painting = (
        after.seconds.get(kind, 0.0) - before.seconds.get(kind, 0.0) for kind in ("renderer", "GPU")
    )
    return tab, painting


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] if values else float("nan")


def _debug(root: Locator) -> dict[str, Any]:
    found: dict[str, Any] = root.evaluate("element => element.pointsDebug()")
    return found
