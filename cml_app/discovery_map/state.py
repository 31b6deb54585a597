"""What the browser sent back, read with care: it may be stale, partial or nonsense."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cml_app.discovery_map.scene import TOOLS, Arrow, Curve, Drawing, MapState, Point, Scene

# The one entry of the component's state that the browser writes.
ENTRY = "map"
# Far more than the browser ever sends of one curve.
MOST_POINTS = 5000


def parse_state(raw: object, scene: Scene) -> MapState:
    """What is on the map of `scene` now.

    Parameters
    ----------
    raw : the component's state, `{"map": {"map_id": …, "revision": …, "tool": …,
        "selected": […], "drawing": {…}}}`. Whatever of it is missing, malformed, or belongs to
        another map or revision counts as not said, and the scene's own value stands.
    """
    sent = _mapping(_mapping(raw).get(ENTRY))
    if not sent or sent.get("revision") != scene.revision:
        return MapState(scene.map_id, scene.tool, scene.selected, scene.drawing)
    tool = sent.get("tool")
    tool = tool if tool in TOOLS else scene.tool
    if sent.get("map_id") != scene.map_id:
        return MapState(scene.map_id, tool, scene.selected, scene.drawing)
    selected = _selected(sent.get("selected"), len(scene.labels))
    return MapState(scene.map_id, tool, selected, parse_drawing(sent.get("drawing")))


def parse_drawing(raw: object) -> Drawing | None:
    """An arrow or a curve as the browser writes it; anything else is no drawing."""
    sent = _mapping(raw)
    if sent.get("kind") == "arrow":
        start, end = _point(sent.get("start")), _point(sent.get("end"))
        return Arrow(start, end) if start and end and start != end else None
    if sent.get("kind") == "curve":
        return _curve(sent.get("points"), sent.get("closed") is True)
    return None


def _curve(raw: object, closed: bool) -> Curve | None:
    if not isinstance(raw, list | tuple) or not 2 <= len(raw) <= MOST_POINTS:
        return None
    points = tuple(point for point in map(_point, raw) if point is not None)
    if len(points) != len(raw) or len(set(points)) < 2:
        return None
    return Curve(points, closed and len(set(points)) > 2)


def _selected(raw: object, n_objects: int) -> tuple[int, ...]:
    if not isinstance(raw, list | tuple):
        return ()
    whole = [i for i in raw if isinstance(i, int) and not isinstance(i, bool)]
    return tuple(dict.fromkeys(i for i in whole if 0 <= i < n_objects))


def _point(raw: object) -> Point | None:
    if not isinstance(raw, list | tuple) or len(raw) != 2:
        return None
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in raw):
        return None
    # A whole number may be too large for a float.
    x, y = (float(v) if abs(v) < 1e300 else math.inf for v in raw)
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _mapping(raw: object) -> Mapping[str, Any]:
    return raw if isinstance(raw, Mapping) else {}
