"""The first answer of the server, and the files of Streamlit's page, as a browser gets them."""

from __future__ import annotations

import asyncio
import gzip
import re
from dataclasses import dataclass, field

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit import config

from cml_app import frontend
from cml_app.frontend import Frontend

HANDED_ON = 418


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


async def _behind(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": HANDED_ON, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def asked(path: str, method: str = "GET", **headers: str) -> Answer:
    answer = Answer()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {k.decode(): v.decode() for k, v in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    named = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": named}
    asyncio.run(Frontend(_behind)(scope, receive, send))
    return answer


@pytest.mark.parametrize("path", ["/", *(f"/{name}" for name in frontend.PAGES)])
def test_a_page_has_its_name_and_the_mark_from_the_first_byte(path: str) -> None:
    answer = asked(path)
    text = answer.body.decode()
    assert answer.status == 200
    assert f"<title>{path[1:] or 'Discover'} · {frontend.NAME}</title>" in text
    assert "<title>Streamlit" not in text
    assert re.findall(r'<link rel="[^"]*icon"[^>]*>', text) == [
        '<link rel="icon" href="./mark.svg" />'
    ]
    assert answer.headers["cache-control"] == "no-cache"


def test_there_is_something_to_see_before_any_script_has_come() -> None:
    root = re.search(r'<div id="root">(.*)</div>\s*</body>', asked("/").body.decode(), re.DOTALL)
    assert root
    assert "What is left?" in root[1]
    assert "<svg" in root[1]
    # The style sheet and the policy allow no script here.
    assert "<script" not in root[1]


def test_the_mark_is_a_picture_that_no_one_keeps_for_ever() -> None:
    answer = asked("/mark.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["cache-control"] == "no-cache"


def test_every_script_that_the_map_takes_is_there_and_none_that_draws_charts() -> None:
    named = frontend.scripts_of()
    assert any("BidiComponent" in path for path in named)
    assert not [path for path in named if "Plotly" in path or "DataFrame" in path]
    assert len(set(named)) == len(named)
    text = asked("/").body.decode()
    for path in named:
        assert (frontend.STATIC / path).is_file()
        assert text.count(path) == 1


def test_a_script_comes_compressed_and_is_what_streamlit_would_have_sent() -> None:
    path = frontend.scripts_of(("BidiComponent",))[0]
    answer = asked(f"/{path}", accept_encoding="gzip, br")
    original = (frontend.STATIC / path).read_bytes()
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert int(answer.headers["content-length"]) == len(answer.body) < len(original)
    assert gzip.decompress(answer.body) == original


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        ("/static/../index.html", "GET", {"accept_encoding": "gzip"}),
        ("/static/js/nothing.js", "GET", {"accept_encoding": "gzip"}),
        ("/_stcore/health", "GET", {"accept_encoding": "gzip"}),
        ("/Discover", "POST", {}),
        ("/docs/index.html", "GET", {"accept_encoding": "gzip"}),
        ("/static/media/MaterialSymbols-Rounded.woff2", "GET", {"accept_encoding": "gzip"}),
    ],
)
def test_all_else_is_streamlits_to_answer(path: str, method: str, headers: dict[str, str]) -> None:
    assert asked(path, method, **headers).status == HANDED_ON


def test_without_compression_or_in_parts_a_script_is_streamlits_to_answer() -> None:
    path = frontend.scripts_of(("BidiComponent",))[0]
    assert asked(f"/{path}").status == HANDED_ON
    assert asked(f"/{path}", accept_encoding="gzip", range="bytes=0-9").status == HANDED_ON


def test_below_a_path_of_another_site_only_what_lies_below_it_is_ours() -> None:
    before = config.get_option("server.baseUrlPath")
    config.set_option("server.baseUrlPath", "maps")
    try:
        assert asked("/maps").status == asked("/maps/Data").status == 200
        assert asked("/Data").status == asked("/mapsData").status == HANDED_ON
    finally:
        config.set_option("server.baseUrlPath", before)
