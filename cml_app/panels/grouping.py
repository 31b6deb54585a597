"""What is selected on the map becomes a group: against the rest, or beside other groups."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.panels import drafting
from cml_app.panels.drafting import REST, REST_UNSURE, THESE, Groups
from cml_app.workspace import Workspace
from cml_core.errors import UnsuitableFeature

FEATURE_NAME = "feature-name"
_GROUP_NAME = "group-name"
MOST_NAMED = 6


def show(workspace: Workspace, selected: tuple[str, ...]) -> None:
    """How many are selected, a name for them, and the groups there are."""
    draft = workspace.draft
    if selected:
        st.caption(_selected_words(workspace, selected))
        if draft is not None and not drafting.is_of_groups(draft):
            st.button(
                "Make these a group",
                help="In place of what you have drawn or typed.",
                on_click=_begin,
                args=(workspace,),
            )
            return
        if not drafting.is_group(workspace.groups, selected):
            _naming(workspace, selected)
    if workspace.groups:
        _groups(workspace)


def _selected_words(workspace: Workspace, selected: tuple[str, ...]) -> str:
    count, more = len(selected), len(selected) - MOST_NAMED
    names = ", ".join(selected[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    words = f"**{count} selected**: {messages.plain(names)}."
    if count == len(workspace.step.fit.labels):
        return f"{words} Leave some out, so that there is a rest to compare with."
    return words


def _naming(workspace: Workspace, selected: tuple[str, ...]) -> None:
    form = st.form("group", border=False)
    row = form.container(horizontal=True, vertical_alignment="bottom", gap="xsmall")
    row.text_input(
        "Name of the group", key=_GROUP_NAME, placeholder=THESE, label_visibility="collapsed"
    )
    row.form_submit_button(
        "Name group",
        help="Then select others, for another group.",
        on_click=workspace.attempt,
        args=(_name_group, workspace, selected),
    )


def _groups(workspace: Workspace) -> None:
    made = ", ".join(f"{name} ({len(members)})" for name, members in workspace.groups)
    st.caption(f"Groups: {messages.plain(made)}. Select others for another one.")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.button("Forget the groups", on_click=_forget, args=(workspace,))
        if len(workspace.groups) > 1:
            st.checkbox(
                "The rest is unsure",
                key=REST_UNSURE,
                help=f"Objects in no group have no value then, rather than “{REST}”.",
            )


def _name_group(workspace: Workspace, members: tuple[str, ...]) -> None:
    name = st.session_state[_GROUP_NAME].strip()
    if not name:
        raise UnsuitableFeature("The group has no name.", remedy="Say what its objects share.")
    before = workspace.groups
    workspace.groups = drafting.with_group(before, name, members)
    st.session_state[_GROUP_NAME] = ""
    # Until another name is typed, one group and the rest are called what the group is called.
    if st.session_state.get(FEATURE_NAME, "") == _suggested(before):
        st.session_state[FEATURE_NAME] = _suggested(workspace.groups)


def _suggested(groups: Groups) -> str:
    return groups[0][0] if len(groups) == 1 else ""


def _begin(workspace: Workspace) -> None:
    workspace.draft = None


def _forget(workspace: Workspace) -> None:
    workspace.groups = ()
