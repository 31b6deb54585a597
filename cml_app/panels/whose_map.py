"""Whose map is shown: that of the mean, or the one shared by people with weights of their own."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cml_app.views_job import Through
from cml_app.workspace import Workspace
from cml_core.evidence.individuals import Individuals
from cml_core.evidence.result import ResultKind
from cml_core.values.words import percent

_KEY = "weighted-people"
_ON_AVERAGE = "Map: people on average"


def show(workspace: Workspace, row: DeltaGenerator) -> None:
    """The choice, once people were weighed."""
    found = _weighed(workspace)
    if found is None or not found.places.shape[1]:
        return
    weighted = is_of_weighted(workspace)
    if workspace.through is not None and not weighted:
        return
    key = f"whose-{workspace.map_id}-{workspace.map_revision}"
    row.selectbox(
        "Whose map",
        (_ON_AVERAGE, "Map: weighted people"),
        index=int(weighted),
        key=key,
        on_change=_chosen,
        args=(workspace, key),
        label_visibility="collapsed",
        help="People on average: the map of their mean answers. Weighted people: the map that all "
        "share where each stretches its axes by weights of their own.",
    )


def is_of_weighted(workspace: Workspace) -> bool:
    """Whether the map of weighted people is the one that is shown."""
    return workspace.through is not None and workspace.through.key == _KEY


def look_at_weighted(workspace: Workspace) -> None:
    """Show, and draw on, the map that weighted people share."""
    found = _weighed(workspace)
    assert found is not None, "people were weighed before their map is asked for"
    left, alike = (
        percent(float(shares.mean())) for shares in (found.unexplained, found.unexplained_alike)
    )
    workspace.look_through(
        Through(
            _KEY,
            f"map that {len(found.people)} people share, each with weights of their own",
            found.places,
            "They stretch its axes, which cannot be turned. It leaves "
            f"{left} of their answers unexplained, and {alike} where all weigh alike.",
        )
    )


def _weighed(workspace: Workspace) -> Individuals | None:
    return workspace.step.result(ResultKind(Individuals))


def _chosen(workspace: Workspace, key: str) -> None:
    if st.session_state[key] == _ON_AVERAGE:
        workspace.look_through(None)
    else:
        look_at_weighted(workspace)
