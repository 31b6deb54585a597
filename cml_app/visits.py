"""Which workspace a visitor has: found in the session, or by the token in the page's address."""

from __future__ import annotations

import streamlit as st

from cml_app import first_maps
from cml_app.keeping.saved import Saved
from cml_app.question import Question
from cml_app.this_server import moment, now, store
from cml_app.tries import counted
from cml_app.workspace import TOKEN, Workspace, show_token
from cml_core.journey.file import from_json
from cml_core.journey.journey import Journey
from cml_core.journey.undoing import without_history

# In the address, so that a guide who was sent away stays away after a refresh.
TOUR, OFF = "tour", "off"
_STATE = "workspace"


def current(known: tuple[str, ...] = ()) -> Workspace:
    """The visitor's workspace; a newcomer's begins with an example.

    Parameters
    ----------
    known : features of the example that are taken out in a second step.

    Raises
    ------
    NoSuchProject : the address has a token that opens nothing, or no longer.
    TooManyTries : from where the visitor is, too many were named that do.
    """
    token = st.query_params.get(TOKEN)
    held: Workspace | None = st.session_state.get(_STATE)
    if held and token in (None, held.token):
        if held.token and not held.may_change:
            store().check_is_there(held.token, moment())
        show_token(held.token)
        return held
    if token:
        with counted():
            saved = store().load(token, moment())
        return take_up(saved, token)
    return begin_example(first_maps.OPENING_EXAMPLE, known, guided=not known)


def begin_example(name: str, known: tuple[str, ...] = (), *, guided: bool = False) -> Workspace:
    """A new project with an example; it is stored once something is made of it.

    Parameters
    ----------
    guided : whether what the guided journey leads to is hidden; for those who sent the guide away
        nothing is.
    """
    guided = guided and st.query_params.get(TOUR) != OFF
    return begin(first_maps.of_example(name, known, guided=guided), keep=False)


def begin(journey: Journey, *, keep: bool = True) -> Workspace:
    """A new project; its first map has nothing known."""
    workspace = Workspace(journey if journey.steps else first_maps.added(journey))
    workspace.question = Question.of(workspace.step.problem)
    leave()
    st.session_state[_STATE] = workspace
    if keep:
        workspace.keep()
    return workspace


def take_up(saved: Saved, token: str) -> Workspace:
    """A stored project, where it was left."""
    journey = from_json(saved.document)
    # What was taken back is the business of whoever took it back.
    journey = journey if saved.may_change else without_history(journey)
    workspace = Workspace(journey, token=token, saved=saved.bare)
    workspace.question = Question.of(workspace.step.problem)
    workspace.find_job()
    st.session_state[_STATE] = workspace
    return workspace


def duplicate(held: Workspace) -> None:
    """A project of the visitor's own that begins where this one stands."""
    begin(held.journey.titled(f"{held.journey.title} (copy)", now()))


def leave() -> None:
    """Let go of whatever the address names, and begin anew."""
    st.query_params.pop(TOKEN, None)
    st.session_state.pop(_STATE, None)


def forget(held: Workspace) -> None:
    """Delete a project, and begin anew."""
    held.forget()
    leave()
