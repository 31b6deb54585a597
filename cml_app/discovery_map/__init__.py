"""The map: objects by name on a plane, to be looked at, selected and drawn upon.

state = discovery_map(Scene("map 1", labels, x, y), key="map")
if state.drawing: state.drawing.feature("Discovery", places)
"""

from __future__ import annotations

import streamlit as st

from cml_app.discovery_map import assets
from cml_app.discovery_map.scene import Colouring, MapState, Scene, encoded
from cml_app.discovery_map.state import parse_state

__all__ = ["Colouring", "MapState", "Scene", "discovery_map", "parse_state"]

_mount = st.components.v2.component(
    "discovery_map", html=assets.html(), css=assets.css(), js=assets.javascript()
)


def discovery_map(scene: Scene, *, key: str, height: int = 640) -> MapState:
    """Show `scene`, and tell what the visitor has selected and drawn on it.

    Parameters
    ----------
    scene : what to show. A scene with another `map_id` moves the objects to their new places;
        other changes leave the view, the tool, the selection and the drawing as they are.
    key : names the map, and the entry of the session state where its state is kept.
    height : in pixels, of the whole map with its tools; it takes the width there is, and is
        less high where that is narrow.
    """
    # A map that is mounted anew must begin where the visitor left it, not where the scene began.
    before = parse_state(st.session_state.get(key), scene)
    result = _mount(key=key, data=encoded(scene, before) | {"height": height})
    return parse_state(result, scene)
