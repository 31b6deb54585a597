"""The features there are: correct, rename or remove one."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.workspace import Draft, Workspace
from cml_core.errors import UnsuitableFeature

_CHOSEN, _NEW_NAME = "feature-chosen", "feature-new-name"


def show(workspace: Workspace) -> None:
    """One feature at a time, with what can be done to it."""
    table = workspace.journey.features
    if not len(table):
        st.caption("There are no features yet.")
        return
    name = st.selectbox("Feature", table.names, key=_CHOSEN)
    feature = table[name]
    st.caption(messages.plain(f"{feature.kind.capitalize()}; {feature.origin}."))
    st.text_input("New name", key=_NEW_NAME, placeholder=name)
    with st.container(horizontal=True, gap="small"):
        for label, action, meaning in (
            ("Rename", _rename, "In the steps that know it as well."),
            ("Correct values", _correct, "Opens its values under Your discovery."),
            ("Remove", _remove, "Steps that know it still do."),
        ):
            st.button(
                label, help=meaning, on_click=workspace.attempt, args=(action, workspace, name)
            )


def _rename(workspace: Workspace, name: str) -> None:
    to = st.session_state[_NEW_NAME].strip()
    if not to:
        raise UnsuitableFeature(f"{name} has no new name.", remedy="Type one first.")
    workspace.rename(name, to)
    st.session_state[_NEW_NAME] = ""
    st.session_state[_CHOSEN] = to


def _correct(workspace: Workspace, name: str) -> None:
    workspace.draft = Draft.editing(workspace.journey.features[name])


def _remove(workspace: Workspace, name: str) -> None:
    workspace.remove(name)
