"""The features there are: correct, bend, rename or remove one, or bring more."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.draft import Draft
from cml_app.panels import further_features
from cml_app.question import offered_features
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.errors import UnsuitableFeature
from cml_core.evidence.curvature import CURVED, is_quantity, shaped

_CHOSEN, _NEW_NAME = "feature-chosen", "feature-new-name"
_CURVE_HELP = (
    "The same difference may then count more in one part of its scale than in another; the curve "
    "is found with the map. It takes up to three columns in place of one, which is worth it only "
    "where held-out pairs speak for it: see What weighs how much? on the Evidence page."
)


def show(workspace: Workspace) -> None:
    """What can be done to one of the features, and where more come from."""
    if len(workspace.journey.features):
        _one(workspace)
    further_features.show(workspace)


def _one(workspace: Workspace) -> None:
    table = workspace.journey.features
    name = st.selectbox("Feature", table.names, key=_CHOSEN)
    feature = table[name]
    st.caption(messages.plain(f"{feature.kind.capitalize()}; {feature.origin}."))
    if is_quantity(feature):
        _shape(workspace, feature)
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


def _shape(workspace: Workspace, feature: Feature) -> None:
    """Whether a quantity acts along a curve."""
    key = f"feature-curve-{feature.name}-{workspace.revision}"
    st.checkbox(
        "Acts along a curve",
        value=feature.kind == CURVED,
        key=key,
        help=_CURVE_HELP,
        on_change=workspace.hear,
        args=(key, _bend, workspace, feature.name, key),
    )


def _bend(workspace: Workspace, name: str, key: str) -> None:
    bend(workspace, name, bent=st.session_state[key])


def bend(workspace: Workspace, name: str, *, bent: bool) -> None:
    """Let a quantity act along a curve, or along a straight line again, as the next step."""
    feature = offered_features(workspace.journey)[name]
    workspace.replace(name, shaped(feature, bent=bent))


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
