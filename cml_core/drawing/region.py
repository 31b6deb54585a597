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
        places, corners = places_on_map(points), np.array(self.corners)
        found = np.zeros(len(places), dtype=bool)
        low, high = corners.min(axis=0), corners.max(axis=0)
        near = np.flatnonzero(((places >= low) & (places <= high)).all(axis=1))
        x, y = places[near].T
        within = np.zeros(near.size, dtype=bool)
        # A ray from an inner place crosses the line an odd number of times.
        for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            if y0 == y1:
                continue
            beside = (y0 > y) != (y1 > y)
            within ^= beside & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
        found[near] = within
        return found

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
