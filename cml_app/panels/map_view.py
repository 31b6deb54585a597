"""The map, and what to look at."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cml_app import messages
from cml_app.discovery_map import MapState, discovery_map
from cml_app.pictures import figures
from cml_app.question import offered_features
from cml_app.scenes import scene_beside, scene_of, sentence, share_left
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core import Feature, Fit
from cml_core.journey.step import JourneyStep
from cml_core.values.words import percent, unbroken

MAP_KEY = "map"
# At most; a map also leaves room in the window for what stands above it.
MAP_HEIGHT = 760
SOLID_HEIGHT = 600
NEARLY_AS_GOOD = 0.05
_SOLID = "In space"


def show(workspace: Workspace) -> MapState | None:
    """Controls and map; what is on the map now."""
    step = workspace.step
    row = st.container(horizontal=True, gap="xsmall", key="map-controls")
    colour, view = _controls(workspace, row)
    if not step.embedding.shape[1]:
        st.info("There is no map of no dimensions: this is what the known features explain alone.")
        return None
    if view == _SOLID:
        st.plotly_chart(
            figures.solid_map(
                step.fit.labels, workspace.shown, colour, figures.ink(is_dark()), SOLID_HEIGHT
            ),
            key="map-3d",
            theme=None,
        )
        st.caption("Drag to turn. To draw, choose a pair of dimensions above.")
        return None
    workspace.axes = (int(view[0]) - 1, int(view[-1]) - 1)
    other = _compared(workspace, row)
    if other is None:
        return discovery_map(scene_of(workspace, colour), key=MAP_KEY, height=MAP_HEIGHT)
    if other.problem.scale != step.problem.scale:
        st.caption(
            "The two maps are on different scales: compare what they show, not the shares "
            "unexplained."
        )
    left, right = st.columns(2, gap="small")
    with left:
        st.caption(_short(step))
        state = discovery_map(scene_of(workspace, colour), key=MAP_KEY, height=MAP_HEIGHT)
    with right:
        st.caption(_short(other))
        scene = scene_beside(workspace, other, colour)
        discovery_map(scene, key="map-beside", height=MAP_HEIGHT)
    return state


def _compared(workspace: Workspace, row: DeltaGenerator) -> JourneyStep | None:
    """Another step to be looked at beside this one."""
    journey = workspace.journey
    others = [step.id for step in journey.steps if step.id != workspace.step.id]
    if not others:
        return None
    chosen = row.selectbox(
        "Compare with another step",
        ["", *others],
        format_func=lambda step_id: (
            f"Compare: {journey.name_of(step_id)}" if step_id else "Compare: no other step"
        ),
        key=f"beside-{workspace.step.id}",
        label_visibility="collapsed",
    )
    return journey.step(chosen) if chosen else None


def _short(step: JourneyStep) -> str:
    return messages.plain(f"{share_left(step)}, {sentence(step)}")


def _controls(workspace: Workspace, row: DeltaGenerator) -> tuple[Feature | None, str]:
    table = offered_features(workspace.journey)
    name = row.selectbox(
        "Colour",
        ["", *table.names],
        format_func=lambda choice: f"Colour: {choice}" if choice else "Colour: none",
        key="colour",
        label_visibility="collapsed",
    )
    view = row.selectbox(
        "View",
        _views(workspace.step.embedding.shape[1]),
        format_func=lambda view: view if view == _SOLID else f"Dimensions {view}",
        key="view",
        label_visibility="collapsed",
    )
    with row:
        _optima(workspace)
    return (table[name] if name else None), view


def _views(hidden: int) -> list[str]:
    pairs = [f"{a} × {b}" for a in range(1, hidden + 1) for b in range(a + 1, hidden + 1)]
    return [*(pairs or ["1 × 2"])[:15], *([_SOLID] if hidden >= 3 else [])]


def _optimum_name(k: int, fit: Fit) -> str:
    if k == 0:
        return unbroken(f"Best map, {percent(fit.stress, decimals=2)} unexplained")
    return unbroken(f"Nearly as good {k}, {percent(fit.alternatives[k - 1].stress, decimals=2)}")


def _optima(workspace: Workspace) -> None:
    """A switch between maps that fit nearly equally well."""
    fit = workspace.step.fit
    near = [
        k
        for k, other in enumerate(fit.alternatives, 1)
        if other.stress <= fit.stress * (1 + NEARLY_AS_GOOD)
    ]
    if not near:
        return
    chosen = st.selectbox(
        "Maps that fit nearly as well",
        [0, *near],
        index=[0, *near].index(workspace.optimum) if workspace.optimum in near else 0,
        format_func=lambda k: _optimum_name(k, fit),
        key=f"optimum-{workspace.step.id}",
        label_visibility="collapsed",
    )
    workspace.optimum = chosen
