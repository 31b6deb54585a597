"""What surrounds the pages: headers, a health check, help, limits, a log without visitors.

`streamlit run app.py` finds the `App` that app.py makes of these.
"""

from __future__ import annotations

import asyncio
import base64
import gc
import hashlib
import importlib
import os
import pkgutil
import re
import sys
import threading
import time
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager
from threadpoolctl import threadpool_limits

import cml_app
from cml_app import (
    first_maps,
    frontend,
    help_pages,
    letting_go,
    lighter_runs,
    log,
    messages,
    metrics,
    off_the_page,
    readiness,
    this_server,
    turns,
)
from cml_app.many import uploads
from cml_app.point_map import addresses
from cml_app.settings import Settings, UnsuitableSetting
from cml_core.fitting import beforehand

HEALTH, METRICS = "/healthz", "/metrics"
# A database that takes longer, in seconds, is of no use to a visitor either.
HEALTH_PATIENCE = 5.0

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    # The address holds the token of the visitor's project: no other page or log learns it.
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
# In seconds; Python's own 5 ms add up where many visitors' pages and fits take turns.
SWITCH_AFTER = 0.001
# In seconds.
FORGET_EVERY = 3600.0
STRICT_TRANSPORT = "max-age=31536000"


def options() -> dict[str, Any]:
    """How Streamlit's `App` is to run these pages; what is set wrongly ends the program."""
    try:
        settings = Settings.from_environment(os.environ)
    except UnsuitableSetting as error:
        sys.exit(str(error))
    log.install()
    # One setting for the page, which refuses a larger file, and the server, which does too.
    config.set_option("server.maxUploadSize", settings.max_upload_mb)
    config.set_option("logger.enableRich", False)
    config.set_option("runner.postScriptGC", False)
    turns.take()
    lighter_runs.take()
    off_the_page.remember()
    # app.py alone says which pages there are, also before it has run for the first time.
    PagesManager.uses_pages_directory = False
    # A fit needs the interpreter for a moment between compiled passes, and gets it this soon.
    sys.setswitchinterval(SWITCH_AFTER)
    # Fits ask for more where that helps; elsewhere such threads only hinder one another.
    threadpool_limits(limits=1, user_api="blas")
    return {
        "routes": [
            Route(HEALTH, health, methods=["GET"]),
            Route(METRICS, watched, methods=["GET"]),
            addresses.route(),
            *help_pages.routes(),
        ],
        "middleware": [Middleware(SecurityHeaders), Middleware(frontend.Frontend)],
        "lifespan": lifespan,
        "on_script_error": messages.explain,
    }


async def health(_request: Request) -> JSONResponse:
    """Whether projects can be kept; nothing more is told."""
    try:
        ping = asyncio.to_thread(lambda: this_server.store().ping())
        await asyncio.wait_for(ping, HEALTH_PATIENCE)
    except Exception as error:
        messages.log.error("the health check failed", exc_info=error)
        return JSONResponse({"status": "unavailable"}, 503, {"Cache-Control": "no-store"})
    return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})


async def watched(_request: Request) -> Response:
    """How much the server has to do; what visitors do is not told."""
    told = await asyncio.to_thread(metrics.exposition)
    return Response(told, media_type=metrics.TYPE, headers={"Cache-Control": "no-store"})


class SecurityHeaders:
    """Adds to every answer what tells a browser to be careful."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = HEADERS | {"Content-Security-Policy": content_policy()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def careful(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                if scope["scheme"] == "https":
                    headers["Strict-Transport-Security"] = STRICT_TRANSPORT
            await send(message)

        await self._app(scope, receive, careful if scope["type"] == "http" else send)


def content_policy() -> str:
    """What a page may load: only from here, and only the scripts that Streamlit comes with."""
    return "; ".join(
        (
            "default-src 'self'",
            # Streamlit loads the map's own script from a blob.
            f"script-src 'self' blob: 'wasm-unsafe-eval' {' '.join(_inline_scripts())}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        )
    )


def _inline_scripts() -> list[str]:
    """The scripts that Streamlit's page holds within itself, by their digests."""
    page = Path(st.__file__).with_name("static") / "index.html"
    scripts = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[None]:
    """Get ready in the background; show the page to whoever started this on their own screen."""
    threading.Thread(target=get_ready, name="getting ready", daemon=True).start()
    if not st.get_option("server.headless"):
        scheme = "https" if st.get_option("server.sslCertFile") else "http"
        base = (st.get_option("server.baseUrlPath") or "").strip("/")
        address = f"{scheme}://localhost:{st.get_option('server.port')}/{base}"
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)
    sessions = asyncio.create_task(letting_go.of_sessions())
    yield
    sessions.cancel()


def get_ready() -> None:
    """Load and compile what visitors would wait for; keep it out of the rubbish collection.

    Streamlit would look through everything after each run of a page, the compiled code and the
    libraries included, which takes longer than all the rest of a tick.
    """
    first, ticks, *others = beforehand.STAGES
    opening = replace(first, run=_open)
    made = readiness.Readiness((opening, ticks))
    readiness.begin(made)
    made.work()
    _keep_what_is_loaded()
    # The first visitor's page goes first.
    time.sleep(letting_go.EVERY)
    readiness.Readiness(others).work()
    _keep_what_is_loaded()
    threading.Thread(target=look_through_projects, name="looking through", daemon=True).start()
    forgotten = time.monotonic()
    while True:
        time.sleep(letting_go.EVERY)
        letting_go.of_memory()
        if time.monotonic() - forgotten > FORGET_EVERY:
            forgotten = time.monotonic()
            forget_what_expired()


def forget_what_expired() -> None:
    """Projects and puzzles go when their days are over, also while the server runs for long."""
    try:
        this_server.store().expire(this_server.moment())
        uploads.expire()
    except Exception as error:
        messages.log.error("what has expired could not be forgotten", exc_info=error)


def look_through_projects() -> None:
    """Damage is told before a visitor comes upon it; by the health check until it is mended."""
    try:
        this_server.store().look_through()
    except Exception as error:
        messages.log.error("the database of projects was not found to be whole", exc_info=error)


def _keep_what_is_loaded() -> None:
    gc.collect()
    gc.freeze()


def _open() -> None:
    """Load all panels, and draw the map that every newcomer sees first."""
    for module in pkgutil.walk_packages(cml_app.__path__, f"{cml_app.__name__}."):
        importlib.import_module(module.name)
    first_maps.opening()
