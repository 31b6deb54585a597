"""Bytes under an address that no one can guess, for as long as a visitor's session holds them.

A component's own data travel anew whenever a page is drawn, as text or whole. What is large
therefore has an address of its own, made of its content and a secret of this server: the same
bytes are fetched once, kept by the browser, and found only by whoever was told where.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import secrets
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit import config

PATH = "points"
_FOR_A_YEAR = "private, immutable, max-age=31536000"
# Compression must spare at least this share to be worth the browser's time.
_WORTH = 0.1
_TRIED = 1 << 16
_secret = secrets.token_bytes(32)


class Held:
    """Bytes that can be fetched while someone holds this."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.name = hashlib.blake2b(content, digest_size=20, key=_secret).hexdigest()
        self._compressed: bytes | None = None

    @property
    def address(self) -> str:
        """Where a browser finds them."""
        return f"{_root()}/{self.name}"

    def compressed(self) -> bytes:
        """As they travel, where that is much less."""
        if self._compressed is None:
            start = self.content[:_TRIED]
            worth = len(gzip.compress(start, 1)) < (1 - _WORTH) * len(start)
            packed = gzip.compress(self.content, 4, mtime=0) if worth else b""
            self._compressed = packed
        return self._compressed


_held: WeakValueDictionary[str, Held] = WeakValueDictionary()


def held(content: bytes) -> Held:
    """The bytes under their address; visitors who have the same share them."""
    made = Held(content)
    return _held.setdefault(made.name, made)


def route() -> Route:
    """For the server's routes."""
    return Route(f"{_root()}/{{name}}", _answer, methods=["GET"])


async def _answer(request: Request) -> Response:
    found = _held.get(request.path_params["name"])
    if found is None:
        return Response("Nothing is held here.", 404, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": _FOR_A_YEAR, "Vary": "Accept-Encoding"}
    content = found.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        packed = await asyncio.to_thread(found.compressed)
        if packed:
            content, headers["Content-Encoding"] = packed, "gzip"
    return Response(content, headers=headers, media_type="application/octet-stream")


def _root() -> str:
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}/{PATH}" if base else f"/{PATH}"
