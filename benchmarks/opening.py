"""What a visitor waits for before there is a first map: on a server just started, and later."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.in_browser import ROOT, browser, new_page, served
from benchmarks.report import COLD, WARM, Section, Table, duration
from benchmarks.timing import FULL, Effort

ABOUT = """\
Headless Chromium, the median of {rounds} servers. From going to the address to the last painted \
frame of the first map, by a browser that has been there never before. *Cold* is the first visitor \
of a server that has just said that it is healthy, its solvers compiled beforehand; *warm* the \
next one, {pause:g} s later. *First paint* is when anything is to be seen at all; bytes are those \
that come over the network."""

ROUNDS = 10
PAUSE = 8.0
_FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


def opening(effort: Effort) -> Section:
    """Servers started one after another; two visitors to each."""
    rounds = ROUNDS if effort is FULL else 2
    visits: dict[str, list[tuple[float, float, int, int]]] = {"cold": [], "warm": []}
    with browser() as chromium:
        for _ in range(rounds):
            with (
                tempfile.TemporaryDirectory() as folder,
                served(ROOT / "app.py", _compiled(), Path(folder)) as address,
            ):
                for kind, found in visits.items():
                    found.append(_visit(chromium, address))
                    time.sleep(PAUSE if kind == "cold" else 0.0)
    medians = {
        kind: [statistics.median(one) for one in zip(*found, strict=True)]
        for kind, found in visits.items()
    }
    rows = tuple(
        (kind, duration(first_map), duration(paint), f"{requests:.0f}", f"{size / 1e6:.2f} MB")
        for kind, (first_map, paint, requests, size) in medians.items()
    )
    heads = ("server", "first map", "first paint", "requests", "received")
    about = ABOUT.format(rounds=rounds, pause=PAUSE)
    figures = {COLD: medians["cold"][0], WARM: medians["warm"][0]}
    return Section("Opening", about, (Table(heads, rows),), figures)


def _compiled() -> dict[str, str]:
    """Where machine code is kept on this machine, if somewhere else than usual."""
    return {name: os.environ[name] for name in ("NUMBA_CACHE_DIR",) if name in os.environ}


def _visit(chromium: Browser, address: str) -> tuple[float, float, int, int]:
    """Seconds to the first map and to the first paint, requests, and bytes received."""
    page = new_page(chromium)
    sizes = _counted(page)
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(".st-key-map .map[data-settled='true']").wait_for(timeout=60_000)
    first_map = time.perf_counter() - began
    counted = len(sizes), sum(sizes)
    paint: float = page.evaluate(_FIRST_PAINT)
    page.context.close()
    return first_map, paint, *counted


def _counted(page: Page) -> list[int]:
    """The bytes of each request that has ended, as they come."""
    sizes: list[int] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    return sizes
