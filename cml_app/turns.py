"""What a visitor does takes turns: one run of the page ends before the next begins.

Streamlit leaves a run wherever it shows or remembers something, as soon as another is asked for:
then a click whose callback is under way is done by half, and one whose callback has not begun is
not done at all. And a run that is asked for just as another ends begins before what that one said
has been passed on, and the rest of it never reaches the browser. A machine that has much to do
showed both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from streamlit import config
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

_unhurried: ContextVar[bool] = ContextVar("unhurried", default=False)

# There is no public way to them.
_leave = ScriptRunner._maybe_handle_execution_control_request
_ask = AppSession.request_rerun
_hear = AppSession._handle_scriptrunner_event_on_event_loop
_WAITING = "_asked_while_another_ended"


def take() -> None:
    """See to it for all visitors of this server."""
    # Otherwise a second click is answered beside the first, and whichever is answered last is
    # where the visitor stands.
    config.set_option("runner.fastReruns", False)
    setattr(ScriptRunner, _leave.__name__, _leave_where_nothing_is_lost)
    setattr(AppSession, _ask.__name__, _ask_once_the_last_has_ended)
    setattr(AppSession, _hear.__name__, _hear_and_go_on)


@contextmanager
def may_be_left() -> Iterator[None]:
    """Where a page takes long, and nothing is lost: what the visitor does next goes first."""
    token = _unhurried.set(True)
    try:
        yield
    finally:
        _unhurried.reset(token)


def _leave_where_nothing_is_lost(runner: Any) -> None:
    if _unhurried.get():
        _leave(runner)


def _ask_once_the_last_has_ended(session: Any, wanted: Any) -> None:
    if _ends(session):
        vars(session).setdefault(_WAITING, []).append(wanted)
    else:
        _ask(session, wanted)


def _ends(session: Any) -> bool:
    """Whether the visitor's run takes no more requests, and has not been heard to the end."""
    runner = session._scriptrunner
    return runner is not None and runner._requests._state == ScriptRequestType.STOP


def _hear_and_go_on(session: Any, sender: Any, event: ScriptRunnerEvent, *told: Any) -> None:
    _hear(session, sender, event, *told)
    if event == ScriptRunnerEvent.SHUTDOWN and session._state != AppSessionState.SHUTDOWN_REQUESTED:
        for wanted in vars(session).pop(_WAITING, ()):
            session.request_rerun(wanted)
