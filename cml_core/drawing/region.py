"""A region of a map: objects inside of a line that was drawn around them, and those outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.drawing.on_map import Point, places_on_map, read_off
from cml_core.errors import UnsuitableFeature
from cml_core.values.arrays import BoolArray, FloatArray
from cml_core.values.features import Feature

FEWEST_CORNERS = 3
# So many places at a time stay in the processor's cache.
BLOCK = 1 << 15


@dataclass(frozen=True)
class Region:
    """What a closed line goes around.

    Parameters
    ----------
    corners : (K, 2) map coordinates; the last is joined to the first.
    """

    corners: tuple[Point, ...]

    def __post_init__(self) -> None:
        corners = places_on_map(self.corners, "The line")
        object.__setattr__(self, "corners", tuple((x, y) for x, y in corners.tolist()))
        if len(set(self.corners)) < FEWEST_CORNERS:
            raise UnsuitableFeature(
                "The line goes around nothing.", remedy="Draw it around some objects."
            )

    def inside(self, points: FloatArray) -> BoolArray:
        """(N,) which of these (N, 2) places lie inside."""
        return inside(np.array(self.corners), points)

    def feature(self, name: str, points: FloatArray, known_names: Sequence[str] = ()) -> Feature:
        """Two groups: those inside, and the rest."""
        inside = self.inside(points)
        if inside.all() or not inside.any():
            raise UnsuitableFeature(
                f"{'All' if inside.all() else 'No'} objects lie inside of the line.",
                remedy="Draw it around some of them, and leave others out.",
            )
        feature = Feature(name, "categorical", (~inside).astype(np.float64), ("inside", "outside"))
        return read_off(feature, "inside of a line drawn", known_names)


def inside(region: FloatArray, places: FloatArray) -> BoolArray:
    """Which places lie within a region, by the even-odd rule that the map itself follows.

    Parameters
    ----------
    region : (K, 2) corners; the line may cross itself.
    places : (N, 2); one that is NaN lies nowhere.
    """
    within = np.zeros(len(places), dtype=np.bool_)
    low, high = region.min(axis=0), region.max(axis=0)
    for start in range(0, len(places), BLOCK):
        block = places[start : start + BLOCK]
        near = np.flatnonzero(((block >= low) & (block <= high)).all(axis=1))
        within[start + near] = _even_odd(region, block[near])
    return within


def _even_odd(region: FloatArray, places: FloatArray) -> BoolArray:
    x, y = places.T
    odd = np.zeros(len(places), dtype=np.bool_)
    for (xi, yi), (xj, yj) in zip(region, np.roll(region, 1, axis=0), strict=True):
        if yi == yj:
            continue
        crosses = (yi > y) != (yj > y)
        odd ^= crosses & (x < (xj - xi) * (y - yi) / (yj - yi) + xi)
    return odd
