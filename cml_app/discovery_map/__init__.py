"""The map: objects by name on a plane, to be looked at, selected and drawn upon.

state = discovery_map(Scene("map 1", labels, x, y), key="map")
if state.drawing: state.drawing.feature("Discovery", places)
"""

from __future__ import annotations

import streamlit as st

from cml_app.discovery_map import assets
from cml_app.discovery_map.scene import TOOLS, Colouring, MapState, Newcomer, Scene, encoded
from cml_app.discovery_map.state import parse_state

__all__ = [
    "TOOLS",
    "Colouring",
    "MapState",
    "Newcomer",
    "Scene",
    "discovery_map",
    "parse_state",
    "state_before",
]

_mount = st.components.v2.component(
    "discovery_map", html=assets.html(), css=assets.css(), js=assets.javascript()
)


def state_before(scene: Scene, *, key: str) -> MapState:
    """What the visitor has on the map as the page begins to be drawn anew."""
    return parse_state(st.session_state.get(key), scene)


def discovery_map(scene: Scene, *, key: str) -> MapState:
    """Show `scene`, and tell what the visitor has selected and drawn on it.

    Parameters
    ----------
    scene : what to show. A scene with another `map_id` moves the objects to their new places;
        other changes leave the view, the tool, the selection and the drawing as they are.
    key : names the map, and the entry of the session state where its state is kept. The map
        takes the width there is, and the height that the page gives to `.st-key-…`; without one
        it is about square, and no higher than the window.
    """
    # A map that is mounted anew must begin where the visitor left it, not where the scene began.
    before = state_before(scene, key=key)
    result = _mount(key=key, data=encoded(scene, before))
    return parse_state(result, scene)
