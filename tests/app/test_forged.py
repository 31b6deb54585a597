"""Messages that no page of ours sends: a sentence or silence, never a trace or others' data."""

from __future__ import annotations

import asyncio
import random
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest
from running import Running, stop
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from test_server import ROOT, answer, served
from visiting import Visitor, visit
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

pytestmark = pytest.mark.slow

# In seconds; no run of a page here takes so long.
SILENCE = 1.5
# What no visitor is ever to read, whatever they send.
TRACES = re.compile(rb"Traceback|site-packages|\.py:\d+|StreamlitAPIException|File \"")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = served(ROOT / "app.py", tmp_path_factory.mktemp("forged"))
    yield running
    stop(running)


async def heard(visitor: Visitor, message: BackMsg | bytes) -> bytes:
    """All that is answered to a message, until the page has run, the door is shut, or silence."""
    told = b""
    data = message if isinstance(message, bytes) else message.SerializeToString()
    # Whoever was shut out before has to knock again: this one would be heard by nobody.
    await visitor.socket.send(data)
    with suppress(TimeoutError, ConnectionClosed):
        while True:
            part = await asyncio.wait_for(visitor.socket.recv(), SILENCE)
            assert isinstance(part, bytes)
            told += part
            if ForwardMsg.FromString(part).WhichOneof("type") == "script_finished":
                return told
    return told


async def all_heard(
    address: str,
    query: str,
    messages: Callable[[Visitor], Iterator[BackMsg | bytes | None]],
    page: str = "",
) -> bytes:
    """What is answered to each of them, by a door that is open when it is sent.

    In place of a message None goes and comes anew, where what was sent before would answer all.
    """
    told, left = b"", deque[BackMsg | bytes | None]()
    begun = False
    while left or not begun:
        async with visit(address, query) as visitor:
            if page:
                await visitor.go(page)
            if not begun:
                left.extend(messages(visitor))
                begun = True
            while left and visitor.socket.state is State.OPEN:
                if (message := left.popleft()) is None:
                    break
                told += await heard(visitor, message)
    return told


def widget(name: str, **value: object) -> BackMsg:
    message = BackMsg()
    state = message.rerun_script.widget_states.widgets.add()
    state.id = name
    for field, content in value.items():
        part = getattr(state, field)
        if isinstance(content, list):
            part.data.extend(content)
        else:
            setattr(state, field, content)
    return message


def forged(visitor: Visitor, session: str) -> Iterator[BackMsg | bytes]:
    """Wrong names, wrong kinds of values, wrong texts; of what stands on the page."""
    names = [*visitor.boxes.values(), *visitor.buttons.values()]
    yield widget("no-such-widget", bool_value=True)
    yield widget("$$ID-0123456789abcdef-None", json_value="{")
    for name in random.Random(1).sample(names, min(6, len(names))):
        yield widget(name, string_value="x" * 1000)
        yield widget(name, int_value=-(2**53))
        yield widget(name, double_array_value=[float("nan"), float("inf")])
        yield widget(name, json_value='{"a": [[[[')
        yield widget(name, bytes_value=b"\xff" * 100)
    for name in list(visitor.boxes.values())[:1]:
        yield widget(name.replace("-", "\x00"), bool_value=True)
    for query in (
        "project=",
        "project=%00%ff",
        "project=../../etc/passwd",
        "puzzle='--",
        "x" * 9999,
    ):
        message = BackMsg()
        message.rerun_script.query_string = query
        yield message
    message = BackMsg()
    message.rerun_script.page_script_hash = "0" * 32
    yield message
    message = BackMsg()
    message.rerun_script.fragment_id = "not-a-fragment"
    yield message
    message = BackMsg()
    message.rerun_script.page_name = "../../../etc/passwd"
    yield message
    message = BackMsg()
    message.file_urls_request.request_id = "x"
    message.file_urls_request.session_id = session
    message.file_urls_request.file_names.append("../x")
    yield message
    for kind in ("stop_script", "clear_cache", "load_git_info", "app_heartbeat"):
        message = BackMsg()
        if kind in message.DESCRIPTOR.fields_by_name:
            setattr(message, kind, True)
            yield message


def test_forged_messages_are_answered_by_a_sentence_or_silence(app: Running) -> None:
    async def go() -> bytes:
        async with visit(app.address) as owner:
            await owner.tick("Gender")
            assert await owner.sees("Kinship terms, with Gender taken out")
            token = owner.query.partition("project=")[2]
            told = await all_heard(app.address, "", partial(forged, session=owner.session))
            assert token.encode() not in told
            assert owner.session.encode() not in told
            # The other visitor noticed nothing.
            await owner.tick("Degree")
            assert await owner.sees("Kinship terms, with Gender and Degree taken out")
            assert not owner.troubles
            return told

    told = asyncio.run(go())
    assert len(told) > 10_000
    assert not TRACES.findall(told)


def test_frames_that_are_cut_made_up_or_huge_end_in_silence(app: Running) -> None:
    chance = random.Random(2)
    whole = widget("$$ID-0-None", string_value="x" * 200).SerializeToString()
    frames = [
        whole[: len(whole) // 2],
        b"",
        b"\xff" * 10_000,
        *(chance.randbytes(chance.randrange(1, 400)) for _ in range(20)),
        bytes(30 * 2**20),
    ]

    async def go() -> bytes:
        told = b""
        for frame in frames:
            async with visit(app.address) as visitor:
                told += await heard(visitor, frame)
        return told

    assert not TRACES.findall(asyncio.run(go()))
    assert answer(app, "GET", "/healthz")[0] == 200


def test_of_another_visitors_session_nothing_can_be_had(app: Running) -> None:
    async def go() -> None:
        async with visit(app.address) as owner:
            await owner.tick("Gender")
            paths = [
                f"/_stcore/upload_file/{owner.session}/a-file",
                f"/media/{owner.session}",
                "/media/../../../etc/passwd",
                "/component/../../app.py",
                "/_stcore/script-health-check",
            ]
            for path in paths:
                _, _, body = await asyncio.to_thread(answer, app, "GET", path)
                assert b"Kinship" not in body
                assert not TRACES.findall(body)
                assert b"root:" not in body

    asyncio.run(go())


def test_the_log_tells_nothing_of_what_was_forged(app: Running) -> None:
    told = app.written()
    for word in ("Gender", "Kinship", "project=", "etc/passwd", "no-such-widget"):
        assert word not in told
