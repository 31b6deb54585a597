"""Streamlit's own page and its scripts: under this app's name, from memory, all named at once.

Streamlit tells a browser its scripts one after another, each when a page first needs it, and does
not compress them. Here the first answer names all that the first map takes, shows a frame while
they come, and every script comes compressed.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import mimetypes
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

NAME = "What is left?"
MARK = Path(__file__).with_name("mark.svg")
STATIC = Path(st.__file__).with_name("static")
# Streamlit's names of what the Discover page consists of.
ELEMENTS = (
    "BidiComponent", "Button", "Checkbox", "DownloadButton", "Html", "ImageList", "PageLink",
    "Radio", "Selectbox", "TextArea", "TextInput",
)  # fmt: skip
# Names of pages, as addresses have them; the first stands under the address itself as well.
PAGES = ("Discover", "Data", "Evidence", "Compare", "Many", "About", "Learn")
# Fonts and pictures are compressed as they are.
_WORTH_COMPRESSING = {".css", ".js", ".json", ".svg"}
# Each file of Streamlit's page that was asked for, by its path.
_compressed: dict[str, bytes] = {}
_FOR_A_YEAR = "public, immutable, max-age=31536000"


class Frontend:
    """Answers for the pages of the app and the files of Streamlit's page; hands on all else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await _answer(scope) if scope["type"] == "http" else None
        await (response or self._app)(scope, receive, send)


async def _answer(scope: Scope) -> Response | None:
    headers = Headers(scope=scope)
    path = _within_the_app(scope["path"])
    if scope["method"] not in {"GET", "HEAD"} or path is None or "range" in headers:
        return None
    if path in ("", *PAGES):
        return HTMLResponse(page(path or PAGES[0]), headers={"Cache-Control": "no-cache"})
    if path == MARK.name:
        return _file(MARK.read_bytes(), path, {"Cache-Control": "no-cache"})
    if path not in _files() or "gzip" not in headers.get("accept-encoding", ""):
        return None
    told = {"Cache-Control": _FOR_A_YEAR, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    # A thread of its own only for what takes long: to change threads takes longer than the rest.
    if path not in _compressed:
        _compressed[path] = await asyncio.to_thread(_compress, path)
    return _file(_compressed[path], path, told)


def _file(content: bytes, name: str, headers: dict[str, str]) -> Response:
    kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
    return Response(content, headers=headers, media_type=kind)


def _within_the_app(path: str) -> str | None:
    """The address without the path that the whole app stands under."""
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    start = f"/{base}/" if base else "/"
    return f"{path}/"[len(start) :].rstrip("/") if f"{path}/".startswith(start) else None


@cache
def _files() -> frozenset[str]:
    """Files whose names change with their content, as far as they are worth compressing."""
    found = (path for path in (STATIC / "static").rglob("*") if path.suffix in _WORTH_COMPRESSING)
    return frozenset(path.relative_to(STATIC).as_posix() for path in found)


def _compress(path: str) -> bytes:
    return gzip.compress((STATIC / path).read_bytes(), compresslevel=6, mtime=0)


@cache
def page(name: str) -> str:
    """Streamlit's page as the first answer: title, mark, a frame, and the scripts it will need."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    scripts = "".join(f'<link rel="modulepreload" href="./{path}" />\n' for path in scripts_of())
    for pattern, new in (
        (r"<title>.*?</title>", f"<title>{escape(name)} · {NAME}</title>"),
        (r'<link rel="shortcut icon"[^>]*>', f'<link rel="icon" href="./{MARK.name}" />'),
        (r"</head>", f"{scripts}</head>"),
        (r'<div id="root"></div>', f'<div id="root">{_frame()}</div>'),
    ):
        text = re.sub(pattern, lambda _, new=new: new, text, count=1)  # type: ignore[misc]
    return text


def scripts_of(elements: tuple[str, ...] = ELEMENTS) -> tuple[str, ...]:
    """The scripts that these elements take beside those that Streamlit's page names itself."""
    parts = json.loads((STATIC / "manifest.json").read_text(encoding="utf-8"))
    own = set(_imports(parts, "index.html"))
    entries = [key for key, part in parts.items() if part.get("name") in elements and "src" in part]
    named = dict.fromkeys(key for entry in entries for key in _imports(parts, entry))
    return tuple(parts[key]["file"] for key in named if key not in own)


def _imports(parts: dict[str, dict[str, list[str]]], first: str) -> Iterator[str]:
    """A part and all that it imports, directly or not, each once."""
    seen, ahead = {first}, [first]
    while ahead:
        part = ahead.pop()
        yield part
        new = [name for name in parts[part].get("imports", ()) if name not in seen]
        seen.update(new)
        ahead += new


@cache
def wordmark(*, dark: bool) -> str:
    """The mark with the name beside it, for a light page or a dark one."""
    ink = "#fafafa" if dark else "#31333f"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 268 64" role="img">'
        f"<title>{NAME}</title>"
        f'<svg width="64" height="64" viewBox="0 0 64 64">{_shapes()}</svg>'
        f'<text x="78" y="44" fill="{ink}" font-family="system-ui, sans-serif" font-size="32" '
        # As wide as this in whatever font there is.
        f'font-weight="600" textLength="186" lengthAdjust="spacingAndGlyphs">{NAME}</text></svg>'
    )


def _shapes() -> str:
    """What the mark is made of."""
    mark = re.sub(r"\s*\n\s*", "", MARK.read_text(encoding="utf-8"))
    return mark.partition(">")[2].removesuffix("</svg>")


def _frame() -> str:
    """What stands there until Streamlit's page takes over, on a light screen or a dark one."""
    return (
        "<style>"
        ":root{color-scheme:light dark}"
        ".opening{font:1rem system-ui,sans-serif;display:flex;gap:.6rem;align-items:center;"
        "padding:1.2rem 1.5rem;color:light-dark(#31333f,#fafafa)}"
        ".opening svg{width:2rem;height:2rem}"
        "body{margin:0;background:light-dark(#fff,#171614)}"
        "</style>"
        f'<div class="opening" role="status"><svg viewBox="0 0 64 64" aria-hidden="true">'
        f"{_shapes()}</svg><span><b>{NAME}</b> opens …</span></div>"
    )
