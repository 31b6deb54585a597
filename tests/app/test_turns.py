"""What a visitor does takes turns, on a server that really runs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from running import Running, start, stop
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from visiting import visit

from cml_app import turns

ROOT = Path(__file__).parents[2]

# What is done takes long enough for something else to be done meanwhile.
SLOW = """
import time
import streamlit as st
from cml_app import server, turns

if __name__ == "__main__":
    done = st.session_state.setdefault("done", [])

    def slowly(what):
        st.session_state["doing"] = what
        time.sleep(0.5)
        st.session_state["done"].append(what)

    st.button("In a callback", on_click=slowly, args=("callback",))
    if st.button("In the page"):
        slowly("page")
    if st.checkbox("Something else"):
        st.session_state["done"].append("else")
    if st.button("Look for long"):
        with turns.may_be_left():
            for second in range(100):
                time.sleep(0.1)
                st.caption("Still looking")
    st.title(", ".join(done))
else:
    app = st.App(__file__, **server.options())
"""


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("slow")
    (folder / "app.py").write_text(SLOW, encoding="utf-8")
    command = [sys.executable, "-m", "streamlit", "run", str(folder / "app.py")]
    running = start(command, folder, cwd=ROOT, PYTHONPATH=str(ROOT))
    yield running
    stop(running)


async def pressed_and_more(address: str, label: str) -> str:
    """What a page says was done after a button, and something else while that was under way."""
    async with visit(address) as visitor:
        pressing = asyncio.create_task(visitor.press(label))
        await asyncio.sleep(0.2)
        visitor.ticked["Something else"] = True
        message = visitor._as_it_stands()
        message.rerun_script.page_script_hash = visitor.page
        await visitor.socket.send(message.SerializeToString())
        await pressing
        while "else" not in visitor.headline:
            await visitor.look_again()
        return visitor.headline


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "what"), [("In a callback", "callback"), ("In the page", "page")]
)
def test_what_is_under_way_is_done_though_something_else_is_asked_for(
    slow: Running, label: str, what: str
) -> None:
    done = asyncio.run(pressed_and_more(slow.address, label)).split(", ")
    assert done.count(what) == 1


@pytest.mark.slow
def test_where_a_page_takes_long_what_is_done_next_goes_first(slow: Running) -> None:
    done = asyncio.run(pressed_and_more(slow.address, "Look for long"))
    assert done.startswith("else")


class Session:
    """Stands for a visitor's, with a run that ends."""

    def __init__(self) -> None:
        self.requests = ScriptRequests()
        self._scriptrunner: Any = SimpleNamespace(_requests=self.requests)
        self._state = AppSessionState.APP_NOT_RUNNING
        self.asked: list[str] = []

    def request_rerun(self, wanted: Any) -> None:
        turns._ask_once_the_last_has_ended(self, wanted)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    def hear(session: Session, sender: object, event: ScriptRunnerEvent, *told: object) -> None:
        if event == ScriptRunnerEvent.SHUTDOWN:
            session._scriptrunner = None

    monkeypatch.setattr(turns, "_ask", lambda session, wanted: session.asked.append(wanted))
    monkeypatch.setattr(turns, "_hear", hear)
    return Session()


def test_a_run_begins_once_all_that_the_last_said_was_passed_on(session: Session) -> None:
    session.requests.request_rerun(RerunData())
    session.requests.on_scriptrunner_ready()
    session.request_rerun("while it runs")
    assert session.asked == ["while it runs"]
    session.requests.on_scriptrunner_ready()
    session.request_rerun("as it ends")
    session.request_rerun("soon after")
    turns._hear_and_go_on(session, None, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
    assert session.asked == ["while it runs"]
    turns._hear_and_go_on(session, None, ScriptRunnerEvent.SHUTDOWN)
    assert session.asked == ["while it runs", "as it ends", "soon after"]


def test_nothing_begins_for_a_visitor_who_has_left(session: Session) -> None:
    session.requests.request_stop()
    session.request_rerun("too late")
    session._state = AppSessionState.SHUTDOWN_REQUESTED
    turns._hear_and_go_on(session, None, ScriptRunnerEvent.SHUTDOWN)
    assert session.asked == []


def test_streamlit_has_its_turns_where_they_are_looked_for() -> None:
    assert "_maybe_handle_execution_control_request" in ScriptRunner.__init__.__code__.co_names
    assert "_scriptrunner" in AppSession.request_rerun.__code__.co_names
