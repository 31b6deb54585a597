"""Forged values of every kind of field, readers who edit, and teachers who are none."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from running import Running, stop
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import UploadedFileInfo
from test_forged import TRACES, all_heard, widget
from test_server import ROOT, answer, served
from visiting import Visitor, visit

from cml_app.class_mode import Task
from cml_app.keeping.store import Store
from cml_app.keeping.tokens import new_token, reading_token
from cml_core.puzzles.puzzle import Puzzle

pytestmark = pytest.mark.slow

PAGES = ("", "Data", "Evidence", "Compare", "Learn", "Many")
HIDDEN = ("secret-study", "Aunt-Bea")
VALUES: tuple[dict[str, object], ...] = (
    {"string_value": "../../etc/passwd\x00<script>"},
    {"int_value": -(2**53)},
    {"double_value": float("nan")},
    {"string_array_value": ["Aunt-Bea", "x" * 5000]},
    {"int_array_value": [10**9, -1]},
    {"double_array_value": [float("inf"), float("nan")]},
    # No run of the page gets past this one.
    {"json_value": '{"map": {"a": [[[['},
)
DRAWINGS: tuple[Any, ...] = (
    {"kind": "arrow", "start": [1e308, -1e308], "end": ["1", None]},
    {"kind": "curve", "points": [[0, 0]] * 5000},
    {"kind": "groups", "groups": [{"name": "x" * 9999, "members": [-1, 10**9, "0"]}]},
    {"kind": "__class__", "start": {"__proto__": 1}},
    [[[[[[[[]]]]]]]],
    "arrow",
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "projects.sqlite3"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, database: Path) -> Iterator[Running]:
    running = served(
        ROOT / "app.py",
        tmp_path_factory.mktemp("forged"),
        CML_DATABASE_URL=f"sqlite:///{database}",
        CML_EVIDENCE_UNASKED="off",
    )
    yield running
    stop(running)


@pytest.fixture(scope="module")
def store(app: Running, database: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{database}", 90)
    yield store
    store.close()


def on_page(visitor: Visitor, message: BackMsg) -> BackMsg:
    message.rerun_script.page_script_hash = visitor.page
    message.rerun_script.query_string = visitor.query
    return message


def wrong_values(visitor: Visitor) -> Iterator[BackMsg | None]:
    """For one field of each kind on the page, what it never sends."""
    for names in list(visitor.widgets.values()):
        for value in VALUES:
            yield on_page(visitor, widget(names[0], **value))
        yield None


def drawings(visitor: Visitor) -> Iterator[BackMsg]:
    """On the map as it stands, and on others."""
    scene = visitor.scene
    told = {"map_id": scene["map_id"], "revision": scene["revision"], "tool": "move"}
    wholes: list[Any] = [{"map": {**told, "drawing": one}} for one in DRAWINGS]
    wholes += [{"map": {**told, "selected": [None, -1, 10**30, "x"]}}, {"map": 7}, [], None]
    wholes += [{"map": {**told, "tool": ["move"]}}, {"map": {"revision": {"a": 1}}}]
    for whole in wholes:
        yield on_page(
            visitor, widget(visitor.components["discovery_map"], json_value=json.dumps(whole))
        )


def uploads(visitor: Visitor, session: str) -> Iterator[BackMsg]:
    """Files that were never brought, of other visitors, and of no visitor."""
    for name in visitor.widgets["file_uploader"]:
        for file_id in ("", "../../etc/passwd", f"{session}/a-file", "\x00"):
            message = on_page(visitor, BackMsg())
            state = message.rerun_script.widget_states.widgets.add()
            state.id = name
            info = UploadedFileInfo(name="../x.csv", size=2**60, file_id=file_id)
            info.file_urls.upload_url = f"/_stcore/upload_file/{session}/a-file"
            state.file_uploader_state_value.uploaded_file_info.append(info)
            yield message


def everything(visitor: Visitor) -> Iterator[BackMsg]:
    """Each box ticked, each button pressed, each text written."""
    for label, name in visitor.boxes.items():
        yield on_page(visitor, widget(name, bool_value=not visitor.ticked[label]))
    for name in visitor.buttons.values():
        yield on_page(visitor, widget(name, trigger_value=True))
    for name in visitor.texts.values():
        yield on_page(visitor, widget(name, string_value="I was here"))
    if visitor.scene:
        yield from drawings(visitor)


async def owned(app: Running) -> tuple[str, str, str]:
    """A visitor's project that others may look at: its session, its token, its readers' token."""
    async with visit(app.address) as owner:
        await owner.tick("Gender")
        await owner.write("Note", " ".join(HIDDEN))
        await owner.tick("Others may look at it")
        token = owner.query.partition("project=")[2]
        return owner.session, token, reading_token(token)


@pytest.mark.parametrize("page", PAGES)
def test_wrong_values_of_every_kind_of_field_end_in_a_sentence_or_silence(
    page: str, app: Running
) -> None:
    session, token, reading = asyncio.run(owned(app))
    told = asyncio.run(all_heard(app.address, "", wrong_values, page))
    if page == "":
        told += asyncio.run(all_heard(app.address, "", drawings, page))
    if page in ("Data", "Many"):
        told += asyncio.run(all_heard(app.address, "", partial(uploads, session=session), page))
    assert len(told) > 10_000
    assert not TRACES.findall(told)
    for secret in (session, token, reading, *HIDDEN, "root:"):
        assert secret.encode() not in told
    assert answer(app, "GET", "/healthz")[0] == 200


@pytest.mark.parametrize("page", ["", "Data", "Evidence"])
def test_a_reader_changes_nothing_whatever_they_send(page: str, app: Running, store: Store) -> None:
    _, token, reading = asyncio.run(owned(app))
    before = store.load(token, datetime.now(UTC))
    told = asyncio.run(all_heard(app.address, f"project={reading}", everything, page))
    # What is on the page is theirs to see.
    assert page or HIDDEN[0].encode() in told
    assert token.encode() not in told
    assert not TRACES.findall(told)
    assert store.load(token, datetime.now(UTC)) == before
    assert store.load(reading, datetime.now(UTC)).document == before.document


def test_a_made_up_secret_of_a_teacher_shows_no_class(app: Running, store: Store) -> None:
    task = Task(Puzzle.at("easy", 271_828))
    keys = store.puzzles().make(task.to_json(), datetime.now(UTC), 1, 20)
    tries = ("", keys.puzzle, new_token(), keys.teacher[:-1], keys.teacher[::-1], "%00", "' OR 1=1")

    async def go() -> bytes:
        told = b""
        for secret in tries:
            query = f"puzzle={keys.puzzle}&teacher={secret}"
            told += await all_heard(app.address, query, everything, "Learn")
        return told

    told = asyncio.run(go())
    assert not TRACES.findall(told)
    assert b"Check that the link is complete" in told
    assert keys.teacher.encode() not in told
    assert task.to_json().encode() not in told
    assert b"Close it now" not in told


def test_the_log_tells_nothing_of_it(app: Running) -> None:
    told = app.written()
    # What no page of ours would send may go wrong, but in no place of ours.
    innermost = re.findall(r"(?m)^  \S*/(cml_(?:app|core)/\S+:\d+) .*\n(?!  )", told)
    assert innermost == []
    for word in (*HIDDEN, "Gender", "Kinship", "project=", "etc/passwd", "I was here"):
        assert word not in told
