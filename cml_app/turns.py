"""What a visitor does takes turns: one run of the page ends before the next begins.

Streamlit leaves a run wherever it shows or remembers something, as soon as another is asked for:
then a click whose callback is under way is done by half, and one whose callback has not begun is
not done at all. And a run that is asked for just as another ends begins before what that one said
has been passed on, and the rest of it never reaches the browser. A machine that has much to do
showed both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from streamlit import config
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

# There is no public way to them.
_ask = AppSession.request_rerun
_hear = AppSession._handle_scriptrunner_event_on_event_loop
_WAITING = "_asked_for_meanwhile"


def take() -> None:
    """See to it for all visitors of this server."""
    # Otherwise a second run goes on beside the first.
    config.set_option("runner.fastReruns", False)
    setattr(AppSession, _ask.__name__, _ask_after_the_one_before)
    setattr(AppSession, _hear.__name__, _hear_and_go_on)


def _ask_after_the_one_before(session: Any, wanted: Any) -> None:
    runs = session._scriptrunner
    if runs is None:
        _ask(session, wanted)
        return
    # It takes what is asked for in place of the run, and makes one request of several.
    session._scriptrunner = vars(session).setdefault(_WAITING, ScriptRequests())
    try:
        _ask(session, wanted)
    finally:
        session._scriptrunner = runs


def _hear_and_go_on(session: Any, sender: Any, event: ScriptRunnerEvent, *told: Any) -> None:
    """A run says last of all that it has ended."""
    _hear(session, sender, event, *told)
    if event != ScriptRunnerEvent.SHUTDOWN or session._scriptrunner is not None:
        return
    waiting = vars(session).pop(_WAITING, None)
    if waiting is None or session._state == AppSessionState.SHUTDOWN_REQUESTED:
        return
    asked = waiting.on_scriptrunner_ready()
    if asked.type == ScriptRequestType.RERUN:
        # What the browser kept as it asked may be let go by now, after the run that went before;
        # a page that is sent something by name alone that it no longer has ends.
        wanted = replace(asked.rerun_data, cached_message_hashes=frozenset())
        session._create_scriptrunner(wanted)
