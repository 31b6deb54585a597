"""Which map is judged, and another one to be judged instead."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.background import StoppedEarly
from cml_app.panels.evidence import running
from cml_app.panels.share_left import meaning, stress_1, unexplained
from cml_app.scenes import sentence
from cml_app.workspace import Workspace
from cml_core.values.words import counted

_CHOICE = "judged"


def show(workspace: Workspace) -> None:
    """What is judged, in a sentence; what is under way, and what went wrong, if anything did."""
    step = workspace.step
    st.title(f"Evidence: {messages.plain(workspace.journey.title)}")
    known = messages.plain(sentence(step))
    hidden = step.problem.n_components
    certain = "" if step.fit.converged else " **It stopped early and may not be the best.**"
    st.container(key="summary").markdown(
        f"This judges the map {known}, of {counted(hidden, 'hidden dimension')}: "
        f"{unexplained(step.fit)} ({stress_1(step.fit)}).{certain}",
        help=meaning(step.fit),
    )
    _another(workspace)
    if isinstance(workspace.trouble, StoppedEarly):
        st.info(messages.plain(workspace.trouble))
    elif workspace.trouble:
        messages.show(workspace.trouble)
    running.under_way(workspace)


def _another(workspace: Workspace) -> None:
    steps = [row.step.id for row in workspace.journey.as_rows()]
    if len(steps) < 2:
        return
    key = f"{_CHOICE}-{workspace.step.id}"
    st.selectbox(
        "Judge the map of another step",
        steps,
        index=steps.index(workspace.step.id),
        format_func=lambda step_id: f"Step: {workspace.journey.name_of(step_id)}",
        key=key,
        on_change=_visit,
        args=(workspace, key),
        label_visibility="collapsed",
        width=320,
    )


def _visit(workspace: Workspace, key: str) -> None:
    workspace.attempt(workspace.visit, st.session_state[key])
