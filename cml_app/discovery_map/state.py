"""What the browser sent back, read with care: it may be stale, partial or nonsense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cml_app.discovery_map.scene import MapState, Scene
from cml_core.drawing.registry import drawing_from_wire

# The one entry of the component's state that the browser writes.
ENTRY = "map"


def parse_state(raw: object, scene: Scene) -> MapState:
    """What is on the map of `scene` now.

    Parameters
    ----------
    raw : the component's state, `{"map": {"map_id": …, "revision": …, "tool": …,
        "selected": […], "drawing": {…}}}`. Whatever of it is missing, malformed, or belongs to
        another map or revision counts as not said, and the scene's own value stands.
    """
    sent = mapping(mapping(raw).get(ENTRY))
    if not sent or sent.get("revision") != scene.revision:
        return MapState(scene.map_id, scene.tool, scene.selected, scene.drawing)
    tool = sent.get("tool")
    tool = tool if tool in scene.tools else scene.tool
    if sent.get("map_id") != scene.map_id:
        return MapState(scene.map_id, tool, scene.selected, scene.drawing)
    selected = objects_in(sent.get("selected"), len(scene.labels))
    return MapState(scene.map_id, tool, selected, drawing_from_wire(sent.get("drawing")))


def objects_in(raw: object, n_objects: int) -> tuple[int, ...]:
    """Numbers of objects, each once; whatever is none is left out."""
    if not isinstance(raw, list | tuple):
        return ()
    whole = [i for i in raw if isinstance(i, int) and not isinstance(i, bool)]
    return tuple(dict.fromkeys(i for i in whole if 0 <= i < n_objects))


def mapping(raw: object) -> Mapping[str, Any]:
    """What was sent, where it has names."""
    return raw if isinstance(raw, Mapping) else {}
