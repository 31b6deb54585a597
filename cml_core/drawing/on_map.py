"""What every drawing needs: places on a map, and features that say where they were read off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cml_core.errors import UnsuitableFeature
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import is_constant
from cml_core.values.drawn_line import DrawnLine
from cml_core.values.features import Feature
from cml_core.values.words import enumerated

Point = tuple[float, float]

# Far more than is ever sent of one line.
MOST_POINTS = 5000
_ON_THE_MAP = "on the map"


def places_on_map(points: object, what: str = "The map") -> FloatArray:
    """(N, 2) finite coordinates; a map of one dimension lies on the first axis."""
    places = np.asarray(points, dtype=np.float64)
    if places.ndim == 2 and places.shape[1] == 1:
        places = np.pad(places, ((0, 0), (0, 1)))
    if places.ndim != 2 or places.shape[1] != 2:
        shape = " x ".join(str(size) for size in places.shape)
        raise UnsuitableFeature(
            f"{what} has coordinates of shape {shape}.",
            remedy="Give the two coordinates that are shown for each point.",
        )
    if not np.isfinite(places).all():
        raise UnsuitableFeature(
            f"{what} has a point that is nowhere.", remedy="Give finite coordinates."
        )
    return places


def wire_points(raw: object) -> tuple[Point, ...]:
    """The points of a line as the map sends them."""
    if not isinstance(raw, list | tuple) or len(raw) > MOST_POINTS:
        raise _no_drawing()
    return tuple(wire_point(point) for point in raw)


def wire_point(raw: object) -> Point:
    """A point as the map sends it: two finite numbers."""
    if not isinstance(raw, list | tuple) or len(raw) != 2:
        raise _no_drawing()
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in raw):
        raise _no_drawing()
    # A whole number may be too large for a float.
    x, y = (float(v) if abs(v) < 1e300 else math.inf for v in raw)
    if not (math.isfinite(x) and math.isfinite(y)):
        raise _no_drawing()
    return x, y


def read_off(
    feature: Feature, how: str, known_names: Sequence[str], line: DrawnLine | None = None
) -> Feature:
    """The feature, which says how it was read off the map with these features known."""
    names = enumerated(known_names or ["nothing"])
    origin = f"{how} {_ON_THE_MAP} with {names} known"
    return replace(feature, origin=origin, read_off_map=True, line=line)


def read_off_view(feature: Feature, view: str) -> Feature:
    """The same feature, which says that it was read off a view; its line is not on the map.

    Parameters
    ----------
    view : what was drawn on, such as "Isomap view of the hidden distances".
    """
    return replace(feature, origin=feature.origin.replace(_ON_THE_MAP, f"on the {view}"), line=None)


def check_varies(values: FloatArray, fact: str) -> None:
    """Refuse a drawing that tells no objects apart."""
    if is_constant(values):
        raise UnsuitableFeature(fact, remedy="Draw it along a direction in which they differ.")


def _no_drawing() -> UnsuitableFeature:
    return UnsuitableFeature("This is no drawing on a map.", remedy="Draw it again.")
