"""The loop with a million objects in the browser: a table by its path, painted, drawn on, known."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from playwright.sync_api import CDPSession, Locator, Page, expect

from benchmarks.in_browser import ROOT, browser
from benchmarks.points_in_browser import WAIT, moved, used
from benchmarks.report import Section, Table, duration, megabytes
from benchmarks.timing import FULL, Effort
from benchmarks.visitors import from_tests, memory_of
from cml_core.values.rows.buyers import BuyersRows

ABOUT = """\
The page of many objects of an app on the visitor's own computer: a Parquet file of {n:,} \
simulated buyers (a list of 50 numbers, age, region, channel and a name each), by its path, in \
headless Chromium without a graphics processor. Each line is what a visitor does, from the click \
until it is shown; a map is shown once every object is painted. *Processor* is that of the server \
in all threads, *server* its resident memory then, and at most so far; *tab* and *painting* that \
of the tab's process and of the one that paints in place of a graphics processor. Where the \
machine is busy with other things, processor time says more than seconds do."""
HEADS = ("what", "seconds", "processor", "server", "at most", "tab", "painting")
SIZE, FEWER = 1_000_000, 100_000
BLOCK = 50_000
AGE, REGION, CHANNEL = 50, 51, 52
TICKS = os.sysconf("SC_CLK_TCK")


class _Line(NamedTuple):
    """What one thing took."""

    what: str
    seconds: float
    processor: float
    server: tuple[int, int]
    tab: float
    painting: float


def loop_by_path(effort: Effort) -> Section:
    """From the path to the map without what was drawn."""
    size = SIZE if effort is FULL else FEWER
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "buyers.parquet"
        _write(path, size)
        with _app(folder) as (process, address), browser() as chromium:
            context = chromium.new_context(viewport={"width": 1440, "height": 900})
            watch = _Watch(process, chromium.new_browser_cdp_session())
            _walk(context.new_page(), address, path, size, watch)
    lines = tuple(_row(one) for one in watch.lines)
    about = ABOUT.format(n=size)
    return Section("A million objects by path, in the browser", about, (Table(HEADS, lines),), {})


class _Watch:
    """Lines of what was done, one by one."""

    def __init__(self, process: int, session: CDPSession) -> None:
        self.lines: list[_Line] = []
        self._process, self._session = process, session

    def __call__(self, what: str, act: Callable[[], object]) -> None:
        began, before = time.perf_counter(), _processor(self._process)
        act()
        seconds, spent = time.perf_counter() - began, _processor(self._process) - before
        memory = used(self._session).memory
        tab, painting = (memory.get(kind, 0.0) for kind in ("renderer", "GPU"))
        held = memory_of(self._process)
        self.lines.append(_Line(what, seconds, spent, held, tab, painting))


def _walk(page: Page, address: str, path: Path, size: int, watch: _Watch) -> None:
    expect.set_options(timeout=WAIT)
    told, stage = page.locator(".st-key-summary"), page.get_by_role("application")
    points = page.locator(".st-key-points .points")

    def made(words: str) -> None:
        expect(told).to_contain_text(words)
        expect(stage).to_have_accessible_name(re.compile(f"{size:,} objects$"))
        for what in ("complete", "settled"):
            expect(points).to_have_attribute(f"data-{what}", "true")

    def look() -> None:
        page.goto(f"{address}/Many")
        field = page.get_by_role("textbox", name=re.compile("file or folder on this computer"))
        field.fill(str(path))
        field.press("Enter")
        page.get_by_role("button", name="Look at it").click()
        expect(page.get_by_role("button", name="Make the map")).to_be_visible()

    def landmarks() -> None:
        page.get_by_role("button", name="Make the map").click()
        expect(stage).to_have_accessible_name(re.compile("objects have a place"))

    watch("the page, and its columns", look)
    watch("landmarks are shown", landmarks)
    watch("the whole map, painted", lambda: made("With nothing taken out"))
    watch("dragged for two seconds", lambda: moved(page, points))
    page.get_by_role("button", name="Fit to view").click()
    watch("encircled, and counted who is inside", lambda: _lasso(page, stage))
    watch("an arrow", lambda: _arrow(page, stage))
    watch("added to known, and the map without it", lambda: _known(page, made))


def _lasso(page: Page, stage: Locator) -> None:
    page.get_by_role("button", name="Lasso").click()
    _drag(page, stage, (0.5, 0.05), (0.97, 0.05), (0.97, 0.95), (0.5, 0.95), (0.5, 0.05))
    expect(page.get_by_text(re.compile(r"objects lie inside"))).to_be_visible()


def _arrow(page: Page, stage: Locator) -> None:
    page.get_by_role("button", name="Arrow").click()
    _drag(page, stage, (0.3, 0.5), (0.7, 0.45))
    expect(page.get_by_text("objects gets its place along it.")).to_be_visible()


def _known(page: Page, made: Callable[[str], None]) -> None:
    page.get_by_role("textbox", name="Name").fill("What I saw")
    page.get_by_role("button", name="Add to known").click()
    made("With What I saw taken out")


def _drag(page: Page, stage: Locator, *shares: tuple[float, float]) -> None:
    box = stage.bounding_box()
    assert box
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in shares]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


@contextmanager
def _app(folder: Path) -> Iterator[tuple[int, str]]:
    """A server of the app that reads paths; its process, and its address."""
    env = {
        "CML_DATABASE_URL": f"sqlite:///{folder}/projects.sqlite3",
        "CML_LOCAL_FILES": "on",
        "CML_JOB_SECONDS": "900",
    }
    process, address = from_tests("browser", "serving").started(ROOT / "app.py", env, folder)
    try:
        yield process.pid, address
    finally:
        process.kill()
        process.wait()


def _write(path: Path, size: int) -> None:
    """Buyers as somebody keeps them, a block at a time."""
    rows, writer, first = BuyersRows(size), None, 0
    region, channel = (np.array(rows.columns[k].levels) for k in (REGION, CHANNEL))
    for block in rows.blocks(BLOCK):
        spent = pa.array(block[:, :AGE].astype("f4").ravel())
        held = pa.table(
            {
                "spent": pa.FixedSizeListArray.from_arrays(spent, AGE),
                "Age": block[:, AGE],
                "Region": region[block[:, REGION].astype(int)],
                "Channel": channel[block[:, CHANNEL].astype(int)],
                "Name": [f"Buyer {first + k}" for k in range(len(block))],
            }
        )
        writer = writer or parquet.ParquetWriter(path, held.schema)
        writer.write_table(held)
        first += len(block)
    assert writer
    writer.close()


def _processor(process: int) -> float:
    """Seconds of processor that a process has taken, in all threads."""
    told = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / TICKS


def _row(one: _Line) -> tuple[str, ...]:
    now, most = one.server
    memory = (now, most, one.tab, one.painting)
    return (one.what, duration(one.seconds), duration(one.processor), *map(megabytes, memory))
