"""The map, what has been taken out, and what to look at."""

from __future__ import annotations

import streamlit as st

from cml_app import figures, messages
from cml_app.discovery_map import MapState, discovery_map
from cml_app.question import offered_features
from cml_app.scenes import scene_beside, scene_of, sentence
from cml_app.workspace import Workspace
from cml_core import Feature, Fit

MAP_KEY = "map"
MAP_HEIGHT = 590
NEARLY_AS_GOOD = 0.05
_SOLID = "In space"


def show(workspace: Workspace) -> MapState | None:
    """Headline, controls and map; what is on the map now."""
    step = workspace.step
    st.title(f"{messages.plain(workspace.journey.title)}, {messages.plain(sentence(step))}")
    st.markdown(_unexplained(workspace))
    colour, view = _controls(workspace)
    if not step.embedding.shape[1]:
        st.info("No hidden dimension was asked for, so there is no map; the fit is of B alone.")
        return None
    if view == _SOLID:
        st.plotly_chart(
            figures.solid_map(step.fit.labels, workspace.shown, colour), key="map-3d", theme=None
        )
        return None
    axes = (int(view[0]) - 1, int(view[-1]) - 1)
    state = discovery_map(scene_of(workspace, colour, axes), key=MAP_KEY, height=MAP_HEIGHT)
    _beside(workspace, colour)
    return state


def _beside(workspace: Workspace, colour: Feature | None) -> None:
    """Another step's map, turned to match this one."""
    journey = workspace.journey
    others = [step.id for step in journey.steps if step.id != workspace.step.id]
    if not others:
        return
    chosen = st.selectbox(
        "Compare with another step",
        [None, *others],
        format_func=lambda step_id: journey.name_of(step_id) if step_id else "No comparison",
        key=f"beside-{workspace.step.id}",
    )
    if chosen is None:
        return
    other = journey.step(chosen)
    st.markdown(f"**{other.fit.stress:.1%}** unexplained {messages.plain(sentence(other))}:")
    discovery_map(scene_beside(workspace, other, colour), key="map-beside", height=MAP_HEIGHT)


def _unexplained(workspace: Workspace) -> str:
    step = workspace.step
    parent = workspace.journey.step(step.parent) if step.parent else None
    before = f" (was {parent.fit.stress:.1%} at the step before)" if parent else ""
    worst = int(step.fit.object_stress().argmax())
    invitation = (
        "Do you see a direction, a circle, groups? Draw what you see."
        if step.known
        else "Tick what you know already, and see what is left."
    )
    certain = "" if step.fit.converged else " **This map stopped early and may not be the best.**"
    return (
        f"**{step.fit.stress:.1%}** of the dissimilarity is unexplained{before}. "
        f"{messages.plain(step.fit.labels[worst])} fits worst.{certain} {invitation}"
    )


def _controls(workspace: Workspace) -> tuple[Feature | None, str]:
    table = offered_features(workspace.journey)
    left, middle, right = st.columns([1.3, 1, 1.6], vertical_alignment="bottom")
    name = left.selectbox(
        "Colour",
        ["", *table.names],
        format_func=lambda choice: f"Colour: {choice}" if choice else "Colour: none",
        key="colour",
        label_visibility="collapsed",
    )
    view = middle.selectbox(
        "View",
        _views(workspace.step.embedding.shape[1]),
        format_func=lambda view: view if view == _SOLID else f"Dimensions {view}",
        key="view",
        label_visibility="collapsed",
    )
    with right:
        _optima(workspace)
    return (table[name] if name else None), view


def _views(hidden: int) -> list[str]:
    pairs = [f"{a} × {b}" for a in range(1, hidden + 1) for b in range(a + 1, hidden + 1)]
    return [*(pairs or ["1 × 2"])[:15], *([_SOLID] if hidden >= 3 else [])]


def _optimum_name(k: int, fit: Fit) -> str:
    if k == 0:
        return f"Best map, {fit.stress:.2%} unexplained"
    return f"Nearly as good {k}, {fit.alternatives[k - 1].stress:.2%}"


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
