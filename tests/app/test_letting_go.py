"""What visitors leave behind is given back."""

from __future__ import annotations

import gc
import weakref
from types import SimpleNamespace
from typing import Any, cast

import pytest
import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from cml_app import bringing, letting_go
from cml_app.intake import Intake
from cml_core.files.source import RawFile


class Session:
    """Stands for a visitor's, with all that they had."""

    id = "one"

    def __init__(self) -> None:
        self._session_state = {"workspace": "with all that was brought"}
        self._scriptrunner: object = None
        self._state = AppSessionState.APP_NOT_RUNNING

    def shutdown(self) -> None:
        self._state = AppSessionState.SHUTDOWN_REQUESTED


def remembered(seconds: int) -> tuple[Any, weakref.ref[Session]]:
    """A runtime whose only visitor has left, and that visitor's session."""
    storage = MemorySessionStorage(ttl_seconds=seconds)
    manager = WebsocketSessionManager(
        storage, cast(Any, None), cast(Any, None), message_enqueued_callback=None
    )
    session = Session()
    storage.save(SessionInfo(None, cast(AppSession, session), 1))
    return SimpleNamespace(_session_mgr=manager), weakref.ref(session)


def test_the_last_visitor_to_leave_is_forgotten_though_nobody_leaves_after_them() -> None:
    runtime, session = remembered(0)
    gc.collect()
    assert session() is not None
    letting_go.forget_sessions(runtime)
    gc.collect()
    assert session() is None


def test_the_last_session_that_the_runtime_had_to_do_with_is_emptied() -> None:
    runtime, session = remembered(0)
    still_there = session()
    assert still_there is not None
    letting_go.forget_sessions(runtime)
    assert vars(still_there) == {"_state": AppSessionState.SHUTDOWN_REQUESTED}


def test_a_page_that_still_runs_keeps_what_it_needs() -> None:
    runtime, session = remembered(0)
    still_there = session()
    assert still_there is not None
    still_there._scriptrunner = "at work"
    letting_go.forget_sessions(runtime)
    assert still_there._session_state


def test_a_visitor_who_may_come_back_is_not_forgotten() -> None:
    runtime, session = remembered(600)
    letting_go.forget_sessions(runtime)
    gc.collect()
    still_there = session()
    assert still_there is not None
    assert still_there._session_state


def test_streamlit_keeps_its_sessions_where_they_are_looked_for() -> None:
    assert "_session_mgr" in Runtime.__init__.__code__.co_names
    assert callable(AppSession.shutdown)
    assert "_scriptrunner" in AppSession.shutdown.__code__.co_names
    assert "_state" in AppSession.shutdown.__code__.co_names


def test_what_is_free_goes_back_to_the_system_after_the_rubbish(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    monkeypatch.setattr(letting_go.gc, "collect", lambda: done.append("rubbish"))
    monkeypatch.setattr(letting_go, "trim", lambda kept: done.append(f"all but {kept}"))
    letting_go.of_memory()
    assert done == ["rubbish", "all but 0"]
    monkeypatch.setattr(letting_go, "trim", None)
    letting_go.of_memory()
    assert done[2:] == ["rubbish"]


def test_of_what_was_brought_nothing_is_held_once_it_is_let_go() -> None:
    bringing.take_in(Intake((RawFile("a.csv", b",a\na,0\n"),)))
    bringing.memory().of("look", 1, lambda: "a large table")
    assert {"intake", "memory"} <= set(st.session_state)
    bringing.let_go()
    assert not {"intake", "memory"} & set(st.session_state)
