"""The map of very many objects: up to a million and more on a plane, painted by the graphics card.

scene = PointScene("map 1", places, title="A million buyers", colour=Colouring(…))
state = point_map(scene, key="points")
if state.drawing: state.drawing.feature("Discovery", places)
if state.region is not None: chosen = inside(state.region, places)

What travels: places, colours and new objects as bytes under addresses of their own
(`addresses.py`), each once; a page that is drawn again sends a few hundred bytes. Places may come
in parts: show a scene whose `places` are NaN where nothing is placed yet, and show it again, with
the same `map_id`, whenever more are: only those that are new travel. Of very many give an
`Arriving`, which tells by itself what is new, and in the end the places that it settled. Another
`map_id` lets the objects glide to where they are now; an object whose new place is NaN leaves, and
appears at its place once that is known.

The server that shows it must have `addresses.route()` among its routes, as `server.py` has.
"""

from __future__ import annotations

from typing import Literal

import streamlit as st

from cml_app.discovery_map import Colouring
from cml_app.point_map import assets
from cml_app.point_map.addresses import Names
from cml_app.point_map.packing import MOST_MARKS
from cml_app.point_map.scene import TOOLS, NewPoints, PointMapState, PointScene
from cml_app.point_map.sending import Sent, encoded
from cml_app.point_map.state import parse_state
from cml_core.drawing.region import inside

__all__ = [
    "MOST_MARKS",
    "TOOLS",
    "Colouring",
    "Names",
    "NewPoints",
    "PointMapState",
    "PointScene",
    "inside",
    "parse_state",
    "point_map",
    "state_before",
]

_mount = st.components.v2.component(
    "point_map", html=assets.html(), css=assets.css(), js=assets.javascript()
)


def state_before(scene: PointScene, *, key: str) -> PointMapState:
    """What the visitor has on the map as the page begins to be drawn anew."""
    return parse_state(st.session_state.get(key), scene)


def point_map(
    scene: PointScene, *, key: str, height: int | Literal["stretch", "content"] = "content"
) -> PointMapState:
    """Show `scene`, and tell what the visitor has drawn, encircled and clicked on it.

    Parameters
    ----------
    scene : what to show. With another `map_id` the objects glide to their new places; other
        changes leave the view, the tool and what is drawn as they are.
    key : names the map, and the entry of the session state where its state is kept.
    height : in pixels, or "stretch" to that of the container, or as the page's style has it for
        `.st-key-…`; without one the map is about square, and no higher than the window.
    """
    before = state_before(scene, key=key)
    sent = st.session_state.get(f"{key}-sent") or Sent()
    # Whoever holds this keeps what it names alive: with the session it is gone.
    st.session_state[f"{key}-sent"] = sent = sent.after(scene)
    result = _mount(key=key, data=encoded(scene, before, sent), height=height)
    return parse_state(result, scene)
