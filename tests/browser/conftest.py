"""A real browser and a real server, for every test that clicks.

`address` is where the app is served; `serve(script)` starts Streamlit on a free port, for what
needs a server of its own, and returns its address; `page` is a new tab in
a new context that fails its test on any error of ours; `open_page(**options)` makes further
ones, say with `color_scheme="dark"` or another `viewport`.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from runs import watch
from serving import APP, started

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LAUNCH = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
MILLISECONDS_TO_WAIT = 60_000

# The machine may be busy; an expectation that is met returns at once.
expect.set_options(timeout=MILLISECONDS_TO_WAIT)

Serve = Callable[..., str]
OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Browser]]:
    """Start a browser; a machine without one fails the tests, rather than skip them."""
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if found is None:
        pytest.fail(f"No browser found. Install one of: {', '.join(BROWSERS)}.", pytrace=False)
    with sync_playwright() as playwright:
        yield lambda *options: playwright.chromium.launch(
            executable_path=found, args=[*LAUNCH, *options]
        )


@pytest.fixture(scope="session")
def chromium(launch: Callable[..., Browser]) -> Iterator[Browser]:
    """One browser for all tests."""
    browser = launch()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Start `streamlit run script_path` with these variables; the address it is served at.

    The same script with the same variables is started once a session.
    """
    running: dict[tuple[object, ...], tuple[subprocess.Popen[bytes], str]] = {}

    def start(script_path: str | Path, env: Mapping[str, str] | None = None) -> str:
        key = (str(script_path), *sorted((env or {}).items()))
        if key not in running:
            folder = tmp_path_factory.mktemp("server")
            running[key] = started(Path(script_path), env or {}, folder)
        return running[key][1]

    yield start
    for process, _ in running.values():
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the projects of all visitors are kept."""
    return f"sqlite:///{tmp_path_factory.mktemp('projects')}/projects.sqlite3"


@pytest.fixture(scope="session")
def address(serve: Serve, database: str) -> str:
    """The app; one server for all visitors, where only what they ask for is computed."""
    return serve(APP, {"CML_DATABASE_URL": database})


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Open a tab in a new context; what goes wrong in any of them fails the test."""
    errors: list[str] = []
    contexts = []

    def make(**options: Any) -> Page:
        options.setdefault("viewport", {"width": 1440, "height": 900})
        context = chromium.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(MILLISECONDS_TO_WAIT)
        page = context.new_page()
        watch(page)
        page.on("pageerror", lambda error: errors.append(f"uncaught: {error}"))
        page.on("console", lambda message: errors.extend(_complaints(message)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors, "\n".join(errors)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A tab of 1440 by 900."""
    return open_page()


GONE = (
    "Failed to load resource",
    "Cannot send rerun backMessage when disconnected",
    "Client Error in reaching server endpoint",
    "Client error: DoInitPings timed out",
    "Connection timed out",
    "Streamlit server is not responding",
)


def _complaints(message: ConsoleMessage) -> list[str]:
    """Errors in the console, except of files that cannot be loaded, and of a server that is gone.

    The page itself tells visitors of both.
    """
    if message.type != "error" or message.text.startswith(GONE):
        return []
    return [f"console: {message.text}"]
