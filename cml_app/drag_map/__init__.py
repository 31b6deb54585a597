"""A map whose objects can be moved, with stress and Shepard diagram that follow the hand.

moved = drag_map(DragScene("cities", labels, places, dissimilarities=d), key="lesson-map")
if moved: ...
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from cml_app.drag_map import assets
from cml_app.drag_map.scene import DragScene, Moved, encoded, parse_moved

__all__ = ["DragScene", "Moved", "drag_map", "parse_moved"]

_mount = st.components.v2.component(
    "drag_map", html=assets.html(), css=assets.css(), js=assets.javascript()
)


def drag_map(scene: DragScene, *, key: str, on_move: Callable[[Moved], None]) -> None:
    """Show `scene`; `on_move` is told once of each object that is put down somewhere.

    It is called before the page runs, so that the page can begin with the new places.
    """

    def heard() -> None:
        moved = parse_moved(st.session_state.get(key), scene.labels)
        if moved is not None and moved.map_id == scene.map_id:
            on_move(moved)

    _mount(key=key, data=encoded(scene), on_moved_change=heard)
