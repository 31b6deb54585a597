"""What is under an address that no one can guess, for as long as a visitor's session holds it.

A component's own data travel anew whenever a page is drawn, as text or whole. What is large
therefore has an address of its own, made of its content and a secret of this server: the same
bytes are fetched once, kept by the browser, and found only by whoever was told where. What
objects are called would be larger still: a browser asks for the names that it shows.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import secrets
from collections.abc import Callable
from weakref import WeakValueDictionary

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from streamlit import config

from cml_core.errors import ConditionalMappingError
from cml_core.values.arrays import IntArray

PATH = "points"
_FOR_A_YEAR = "private, immutable, max-age=31536000"
# Compression must spare at least this share to be worth the browser's time.
_WORTH = 0.1
_TRIED = 1 << 16
# A browser asks for as many names at a time, and labels fewer.
MOST_NAMES = 64
_NOT_KEPT = {"Cache-Control": "no-store"}
# What some objects are called, by their numbers from 0.
Called = Callable[[IntArray], list[str]]
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

    async def answer(self, request: Request) -> Response:
        """All of them."""
        headers = {"Cache-Control": _FOR_A_YEAR, "Vary": "Accept-Encoding"}
        content = self.content
        if "gzip" in request.headers.get("accept-encoding", ""):
            packed = await asyncio.to_thread(self.compressed)
            if packed:
                content, headers["Content-Encoding"] = packed, "gzip"
        return Response(content, headers=headers, media_type="application/octet-stream")


class Names:
    """What N objects are called, told of a few at a time while someone holds this."""

    def __init__(self, called: Called, n_objects: int) -> None:
        self._called, self._n_objects = called, n_objects
        self.address = f"{_root()}/{secrets.token_hex(20)}"
        _held[self.address.rpartition("/")[2]] = self

    async def answer(self, request: Request) -> Response:
        """Those of the objects that are asked for, `?of=3,12,7`."""
        try:
            places = np.array(request.query_params.get("of", "").split(","), dtype=np.int64)
        except (ValueError, OverflowError):
            return Response("These are no numbers of objects.", 400, _NOT_KEPT)
        if places.size > MOST_NAMES or not ((places >= 0) & (places < self._n_objects)).all():
            return Response("There are no such objects.", 400, _NOT_KEPT)
        try:
            told = await asyncio.to_thread(self._called, places)
        except ConditionalMappingError as error:
            return Response(str(error), 404, _NOT_KEPT)
        return JSONResponse(told, headers=_NOT_KEPT)


_held: WeakValueDictionary[str, Held | Names] = WeakValueDictionary()


def held(content: bytes) -> Held:
    """The bytes under their address; visitors who have the same share them."""
    made = Held(content)
    found = _held.setdefault(made.name, made)
    assert isinstance(found, Held)
    return found


def route() -> Route:
    """For the server's routes."""
    return Route(f"{_root()}/{{name}}", _answer, methods=["GET"])


async def _answer(request: Request) -> Response:
    found = _held.get(request.path_params["name"])
    if found is None:
        return Response("Nothing is held here.", 404, _NOT_KEPT)
    return await found.answer(request)


def _root() -> str:
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}/{PATH}" if base else f"/{PATH}"
