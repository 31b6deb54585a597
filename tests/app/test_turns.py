"""What a visitor does takes turns, on a server that really runs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running import Running, start, stop
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSessionState
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from visiting import visit

from cml_app import turns

ROOT = Path(__file__).parents[2]

# What is done takes long enough for something else to be done meanwhile.
SLOW = """
import time
import streamlit as st
from cml_app import server

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
    if st.checkbox("With a name", value=True):
        st.text_input("Name", on_change=done.append, args=("named",))
    if st.button("Begin again"):
        done.append("again")
        st.rerun()
        done.append("never")
    if st.button("Stop here"):
        done.append("stop")
        st.stop()
        done.append("never")
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
@pytest.mark.parametrize(("label", "more"), [("Begin again", "again"), ("Stop here", "stop")])
def test_a_page_may_still_end_itself(slow: Running, label: str, more: str) -> None:
    async def pressed() -> str:
        async with visit(slow.address) as visitor:
            await visitor.press(label)
            await visitor.look_again()
            return visitor.headline

    assert asyncio.run(pressed()) == more


@pytest.mark.slow
def test_what_has_left_the_page_is_chosen_only_by_whoever_changed_it(slow: Running) -> None:
    async def chosen() -> str:
        async with visit(slow.address) as visitor:
            await visitor.write("Name", "Kinship")
            await visitor.tick("With a name")
            # A browser that has not yet been told still sends it.
            assert "Name" in visitor.written
            await visitor.look_again()
            once = visitor.headline
            await visitor.write("Name", "Kin")
            return f"{once}; {visitor.headline}"

    assert asyncio.run(chosen()) == "named; named, named"


class Session:
    """Stands for a visitor's, with a run under way."""

    def __init__(self) -> None:
        self._scriptrunner: Any = "the first run"
        self._state = AppSessionState.APP_NOT_RUNNING
        self.begun: list[RerunData] = []

    def _create_scriptrunner(self, wanted: RerunData) -> None:
        self._scriptrunner = "another run"
        self.begun.append(wanted)

    def ask(self, box: str) -> None:
        states = WidgetStates(widgets=[WidgetState(id=box, trigger_value=True)])
        wanted = RerunData(widget_states=states, cached_message_hashes=frozenset(["map"]))
        turns._ask_after_the_one_before(self, wanted)

    def hear(self, event: ScriptRunnerEvent) -> None:
        turns._hear_and_go_on(self, None, event)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    def hear(session: Session, sender: object, event: ScriptRunnerEvent, *told: object) -> None:
        if event == ScriptRunnerEvent.SHUTDOWN:
            session._scriptrunner = None

    monkeypatch.setattr(turns, "_hear", hear)
    monkeypatch.setattr(
        turns, "_ask", lambda session, wanted: session._scriptrunner.request_rerun(wanted)
    )
    return Session()


def test_a_run_begins_once_all_that_the_last_one_said_was_passed_on(session: Session) -> None:
    session.ask("one")
    session.ask("two")
    session.hear(ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS)
    assert session.begun == []
    session.hear(ScriptRunnerEvent.SHUTDOWN)
    (wanted,) = session.begun
    assert wanted.widget_states is not None
    assert {state.id for state in wanted.widget_states.widgets} == {"one", "two"}
    # By then the browser may have let go of what it had.
    assert not wanted.cached_message_hashes
    session.hear(ScriptRunnerEvent.SHUTDOWN)
    assert len(session.begun) == 1


def test_nothing_begins_for_a_visitor_who_has_left(session: Session) -> None:
    session.ask("too late")
    session._state = AppSessionState.SHUTDOWN_REQUESTED
    session.hear(ScriptRunnerEvent.SHUTDOWN)
    assert session.begun == []


def test_streamlit_has_its_turns_where_they_are_looked_for() -> None:
    streamlits_own = turns._ask.__code__.co_names
    assert "_scriptrunner" in streamlits_own
    assert "_create_scriptrunner" in streamlits_own
