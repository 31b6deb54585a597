"""A curve on a map: each object gets its place along it, or around it where it is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from cml_core.drawing.on_map import Point, check_varies, places_on_map, read_off, wire_points
from cml_core.errors import UnsuitableFeature
from cml_core.values.arrays import FloatArray
from cml_core.values.drawn_line import DrawnLine
from cml_core.values.features import Feature

# All around a closed curve, as around a compass or a circle of colours.
FULL_TURN = 360.0
BLOCK = 1 << 13
# A drawn line trembles: steps shorter than this share of it are no steps.
SHORTEST_STEP = 1e-9


@dataclass(frozen=True)
class Curve:
    """A line drawn on the map through points; a closed one returns to where it began.

    Parameters
    ----------
    points : (M, 2) map coordinates in the order of drawing.
    closed : whether the last point is joined to the first.
    """

    kind: ClassVar[str] = "curve"

    points: tuple[Point, ...]
    closed: bool = False

    def __post_init__(self) -> None:
        points = places_on_map(self.points, "The curve")
        steps = np.hypot(*np.diff(points, axis=0, prepend=np.nan).T)
        points = points[~(steps <= SHORTEST_STEP * np.nansum(steps))]
        if self.closed and len(points) > 1 and (points[0] == points[-1]).all():
            points = points[:-1]
        object.__setattr__(self, "points", tuple((x, y) for x, y in points.tolist()))
        least = 3 if self.closed else 2
        if len(set(self.points)) < least:
            shape = "closed curve" if self.closed else "curve"
            raise UnsuitableFeature(
                f"The {shape} has fewer than {least} different points.",
                remedy="Draw a longer line.",
            )

    @classmethod
    def from_wire(cls, sent: Mapping[str, object]) -> Self:
        """A curve as the map sends it; without an inside it is open."""
        points = wire_points(sent.get("points"))
        return cls(points, sent.get("closed") is True and len(set(points)) > 2)

    def to_wire(self) -> dict[str, Any]:
        """The curve as the map is sent it."""
        points = [list(point) for point in self.points]
        return {"kind": self.kind, "points": points, "closed": self.closed}

    def corners(self) -> FloatArray:
        """The points from beginning to end; those of a closed curve end where they began."""
        return np.array(self.points + self.points[:1] if self.closed else self.points)

    def along(self, points: FloatArray) -> FloatArray:
        """Where on the curve the nearest point to each object lies, measured along the curve.

        Open: the share of its length, 0 to 1. Closed: 360 times that share, so that after 360 it
        begins again. The direction is that of drawing.

        Parameters
        ----------
        points : (N, 2) places on the map.
        """
        places = places_on_map(points)
        # A million places at a time took nearly twice as long as blocks that a cache holds.
        blocks = [self._travelled(places[k : k + BLOCK]) for k in range(0, len(places), BLOCK)]
        share: FloatArray = np.concatenate([np.zeros(0), *blocks])
        return np.mod(FULL_TURN * share, FULL_TURN) if self.closed else share

    def _travelled(self, places: FloatArray) -> FloatArray:
        """The share of the curve's length before the point that is nearest to each place."""
        corners = self.corners()
        steps = np.diff(corners, axis=0)
        lengths = np.hypot(*steps.T)
        # By the polygon that was drawn, without smoothing: what one sees is what one gets. And by
        # length, not by the angle about a centre (on an ellipse of 3 to 1 up to 20 degrees off):
        # equal steps on the map stand for equal dissimilarities, and a curve that bends inwards has
        # no centre from which each of its points is seen once.
        nearest, travelled = np.full(len(places), np.inf), np.zeros(len(places))
        before = 0.0
        for corner, step, length in zip(corners, steps, lengths, strict=False):
            along = np.clip((places - corner) @ (step / length), 0.0, length)
            gap = ((places - corner - along[:, None] * (step / length)) ** 2).sum(axis=1)
            closer = gap < nearest
            nearest[closer], travelled[closer] = gap[closer], before + along[closer]
            before += float(length)
        share: FloatArray = np.minimum(travelled / before, 1.0)
        return share

    def feature(self, name: str, points: FloatArray, known_names: Sequence[str] = ()) -> Feature:
        """A quantity, circular on a closed curve, read off the map with these known."""
        values = self.along(points)
        check_varies(values, "All objects are nearest to the same point of the curve.")
        line = DrawnLine(self.points, self.closed)
        if self.closed:
            around = Feature.circular(name, values, FULL_TURN)
            return read_off(around, "place around a closed curve", known_names, line)
        return read_off(Feature.numeric(name, values), "place along a curve", known_names, line)
