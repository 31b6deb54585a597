"""Undo and redo on every page: of choices about data on their way in, or else of the journey."""

from __future__ import annotations

import streamlit as st

from cml_app import bringing
from cml_app.undo_bar import UNDO, undo_bar
from cml_app.workspace import Workspace
from cml_core.journey.undoing import redo_in_words, undo_in_words

KEY = "undo-bar"


def show(workspace: Workspace, *, of_data: bool) -> None:
    """The buttons; on the page that brings data they are about those while there are some."""
    with st.container(key="undo"):
        if of_data and bringing.trail().has_moves:
            undo_bar(*bringing.in_words(), _of_data, key=f"{KEY}-data")
        else:
            undo_bar(
                "leave what you began" if workspace.is_busy else undo_in_words(workspace.journey),
                redo_in_words(workspace.journey),
                lambda press: workspace.attempt(
                    workspace.undo if press == UNDO else workspace.redo
                ),
                key=KEY,
            )


def _of_data(press: str) -> None:
    bringing.undo() if press == UNDO else bringing.redo()
