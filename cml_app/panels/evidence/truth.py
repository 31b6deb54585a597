"""Was it found: of simulated data the truth is kept back, and shown when it is asked for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from cml_app import messages
from cml_app.panels.evidence.panel import Panel, numbers
from cml_app.panels.evidence.running import AtOnce
from cml_app.this_server import now
from cml_app.workspace import Workspace
from cml_core.evidence.result import ResultKind
from cml_core.evidence.uncovered import Uncovered, kept_back, uncovered
from cml_core.values.simulation import Simulation

EVIDENCE = "pages/3_Evidence.py"
TOPIC = "What might it be?"
_KEPT_BACK = (
    "These data are simulated, and what is hidden in them is kept back. Look for it first: once "
    "you know, you will see it."
)
_HOW = r"""
The true values of all features are made again from the seed of the simulation.

- **Mean canonical correlation**: over the pairs of directions, one through the hidden dimensions
  $U$ and one through the hidden features $F$, that correlate most, each new one free of those
  before: the singular values of $Q_U^\top Q_F$, where $Q$ are orthonormal bases of the centred
  columns. Their mean is 1 where the smaller of the two can be made of the other. The papers take
  it between $[U, VB]$ and all features, and call it ACC; there the known features are on both
  sides.
- **Correlation**: the multiple correlation $R$ of one feature with $U$. By chance it is about
  $\sqrt{p/(N-1)}$.
- **Predicted**: $1 - \sum (v_i - \hat v_{-i})^2 / \sum (v_i - \bar v_{-i})^2$, each object told by
  a plane through the others.
"""


def simulation_of(workspace: Workspace) -> Simulation | None:
    """How the data were made up; None of data that were observed."""
    return workspace.journey.origin.simulation


def beside_map(workspace: Workspace) -> None:
    """In a few words, on the page where one looks for it."""
    if simulation_of(workspace) is None:
        return
    with st.container(border=True, key="truth-block", gap="xsmall"):
        st.header(Uncovered.heading)
        with messages.explained():
            found = _found(workspace)
            if found is not None:
                st.markdown(messages.plain(found.verdict))
                # A page that runs by itself has no other to lead to.
                with suppress(StreamlitPageNotFoundError):
                    st.page_link(
                        EVIDENCE,
                        label="Feature by feature",
                        icon=":material/query_stats:",
                        query_params={"question": TOPIC},
                    )


def _found(workspace: Workspace) -> Uncovered | None:
    """The map beside the truth; before it was asked for, a button."""
    made = simulation_of(workspace)
    if made is None:
        return None
    if made.uncovered:
        return _ASKED.found(workspace)
    st.caption(_KEPT_BACK)
    st.button(
        "Uncover the truth",
        key="uncover",
        help="The hidden features join the others, to colour by; nothing is ticked.",
        disabled=not workspace.may_change,
        on_click=workspace.attempt,
        args=(_uncover, workspace, made),
    )
    return None


def _uncover(workspace: Workspace, made: Simulation) -> None:
    journey = workspace.journey
    truth = kept_back(journey.dissimilarities.labels, made)
    origin = replace(journey.origin, simulation=replace(made, uncovered=True))
    journey = journey.with_origin(origin, now())
    for feature in truth:
        journey = journey.with_feature(feature, now())
    workspace.revision += 1
    workspace.change(journey)


def _work(workspace: Workspace) -> Uncovered:
    made = simulation_of(workspace)
    assert made is not None
    return uncovered(workspace.step.fit, made)


_ASKED = AtOnce(ResultKind(Uncovered), _work)
PANEL = Panel(
    Uncovered,
    _found,
    arises=lambda workspace: simulation_of(workspace) is not None,
    body=lambda _, found: numbers(found),
    how=_HOW,
)
