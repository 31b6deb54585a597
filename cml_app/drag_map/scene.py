"""A map whose objects can be moved, and what comes back from it: plain values, no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from cml_app.discovery_map import Colouring
from cml_app.discovery_map.scene import encoded_colouring
from cml_app.discovery_map.state import mapping
from cml_core.values.arrays import FloatArray, Value


@dataclass(frozen=True, eq=False)
class DragScene(Value):
    """Objects on a plane that can be moved.

    Parameters
    ----------
    map_id : names this arrangement; when it changes, the objects glide to their places.
    places : (N, 2).
    title : what the map shows, for screen readers.
    dissimilarities : condensed; then stress and Shepard diagram stand beside the map and follow
        the hand. None for a map alone.
    springs : whether lines lead from the object that was moved last to all others, in a colour
        where they are longer than in the data.
    movable : whether objects can be moved.
    lines : pairs of objects to be joined by a line.
    way : (steps, N, 2) places to be shown one after the other before the objects come to rest.
    """

    map_id: str
    labels: tuple[str, ...]
    places: FloatArray
    title: str = ""
    dissimilarities: FloatArray | None = None
    springs: bool = False
    movable: bool = True
    lines: tuple[tuple[int, int], ...] = ()
    colour: Colouring | None = None
    way: FloatArray | None = None


@dataclass(frozen=True)
class Moved:
    """What somebody moved: an object, to where, and the stress that the page showed then."""

    press: str
    map_id: str
    object: int
    place: tuple[float, float]
    stress: float | None


def encoded(scene: DragScene) -> dict[str, Any]:
    """What the browser is sent."""
    return {
        "map_id": scene.map_id,
        "title": scene.title,
        "labels": list(scene.labels),
        "x": scene.places[:, 0].tolist(),
        "y": scene.places[:, 1].tolist(),
        "dissimilarities": _list(scene.dissimilarities),
        "springs": scene.springs,
        "movable": scene.movable,
        "lines": [list(line) for line in scene.lines],
        "colour": encoded_colouring(scene.colour),
        "way": [] if scene.way is None else np.swapaxes(scene.way, 1, 2).tolist(),
    }


def _list(values: FloatArray | None) -> list[float] | None:
    return None if values is None else values.tolist()


def parse_moved(raw: object, labels: Sequence[str]) -> Moved | None:
    """What was moved last; None where nothing was, or nothing that makes sense."""
    told = mapping(mapping(raw).get("moved"))
    press, place, which = told.get("press"), told.get("place"), told.get("object")
    if not isinstance(press, str) or not isinstance(place, list | tuple):
        return None
    if not isinstance(which, int) or isinstance(which, bool) or not 0 <= which < len(labels):
        return None
    if len(place) != 2 or not all(_is_number(value) for value in place):
        return None
    stress: Any = told.get("stress")
    shown = float(stress) if _is_number(stress) else None
    x, y = map(float, place)
    return Moved(press, str(told.get("map_id")), which, (x, y), shown)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
