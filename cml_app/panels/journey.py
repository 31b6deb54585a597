"""The journey: every step so far, to be returned to, branched from, named and noted."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.scenes import share_left
from cml_app.this_server import now
from cml_app.workspace import Workspace

DEEPEST = 4


def show(workspace: Workspace) -> None:
    """The steps as a list, branches indented, and the note of the current one."""
    st.header("Journey")
    for row in workspace.journey.as_rows():
        share = messages.plain(share_left(row.step.fit))
        here = " · you are here" if row.is_current else ""
        depth = f"depth-{min(row.depth, DEEPEST)}-{row.step.id}"
        # Most stand in the line, and need no room of their own.
        button = st.container(key=depth).button if row.depth else st.button
        button(
            f"**{messages.plain(row.name)}**  \n:small[{share}{here}]",
            key=f"step-{row.step.id}",
            type="secondary" if row.is_current else "tertiary",
            width="stretch",
            help=messages.plain(row.step.note) or "Return to this step.",
            on_click=workspace.attempt,
            args=(workspace.visit, row.step.id),
        )
    with st.popover("Name and note", width="stretch"):
        _words(workspace)


def _words(workspace: Workspace) -> None:
    step = workspace.step
    # With the revision, so that what was undone is seen to be.
    name, note = (f"step-{what}-{step.id}-{workspace.revision}" for what in ("name", "note"))
    st.text_input(
        "Name of this step",
        step.given_name,
        key=name,
        placeholder=workspace.journey.name_of(step.id),
        on_change=_rename,
        args=(workspace, step.id, name),
        disabled=not workspace.may_change,
    )
    st.text_area(
        "Note",
        step.note,
        key=note,
        on_change=_note,
        args=(workspace, step.id, note),
        disabled=not workspace.may_change,
    )


def _rename(workspace: Workspace, step_id: str, key: str) -> None:
    name = st.session_state[key].strip()
    workspace.hear(key, workspace.change, workspace.journey.renamed(step_id, name, now()))


def _note(workspace: Workspace, step_id: str, key: str) -> None:
    note = st.session_state[key]
    workspace.hear(key, workspace.change, workspace.journey.noted(step_id, note, now()))
