"""What the browser sent back, read with care: it may be stale, partial or nonsense."""

from __future__ import annotations

import numpy as np

from cml_app.discovery_map.state import mapping
from cml_app.point_map.scene import TOOLS, PointMapState, PointScene
from cml_core.drawing.registry import drawing_from_wire
from cml_core.values.arrays import FloatArray, frozen

# The one entry of the component's state that the browser writes.
ENTRY = "points"
# What a hand draws is thinned to far fewer corners before it is sent.
MOST_CORNERS = 5000


def parse_state(raw: object, scene: PointScene) -> PointMapState:
    """What is on the map of `scene` now.

    Parameters
    ----------
    raw : the component's state, `{"points": {"map_id": …, "revision": …, "tool": …,
        "drawing": {…}, "region": [[x, y], …], "pointed": …}}`. Whatever of it is missing,
        malformed, or belongs to another map or revision counts as not said.
    """
    sent = mapping(mapping(raw).get(ENTRY))
    begun = PointMapState(scene.map_id, scene.tool, scene.drawing, scene.region)
    if not sent or sent.get("revision") != scene.revision:
        return begun
    tool = sent.get("tool")
    tool = tool if tool in TOOLS else scene.tool
    if sent.get("map_id") != scene.map_id:
        return PointMapState(scene.map_id, tool, scene.drawing, scene.region)
    return PointMapState(
        scene.map_id,
        tool,
        drawing_from_wire(sent.get("drawing")),
        _region(sent.get("region")),
        _object(sent.get("pointed"), len(scene.places)),
    )


def _region(raw: object) -> FloatArray | None:
    if not isinstance(raw, list | tuple) or not 3 <= len(raw) <= MOST_CORNERS:
        return None
    try:
        corners = np.array(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    whole = corners.shape == (len(raw), 2) and np.isfinite(corners).all()
    return frozen(corners) if whole else None


def _object(raw: object, n_objects: int) -> int | None:
    whole = isinstance(raw, int) and not isinstance(raw, bool)
    return raw if whole and 0 <= raw < n_objects else None  # type: ignore[operator, return-value]
