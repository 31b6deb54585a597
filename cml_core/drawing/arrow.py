"""An arrow on a map: each object gets its place along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from cml_core.drawing.on_map import Point, check_varies, places_on_map, read_off, wire_point
from cml_core.errors import UnsuitableFeature
from cml_core.values.arrays import FloatArray
from cml_core.values.drawn_line import DrawnLine
from cml_core.values.features import Feature


@dataclass(frozen=True)
class Arrow:
    """A straight line on the map, from its tail to its tip.

    Parameters
    ----------
    start, end : (2,) map coordinates of tail and tip.
    """

    kind: ClassVar[str] = "arrow"

    start: Point
    end: Point

    def __post_init__(self) -> None:
        tail, tip = places_on_map([self.start, self.end], "The arrow").tolist()
        object.__setattr__(self, "start", tuple(tail))
        object.__setattr__(self, "end", tuple(tip))
        if tail == tip:
            raise UnsuitableFeature(
                "The arrow has no length.", remedy="Draw it from one place to another."
            )

    @classmethod
    def from_wire(cls, sent: Mapping[str, object]) -> Self:
        """An arrow as the map sends it."""
        return cls(wire_point(sent.get("start")), wire_point(sent.get("end")))

    def to_wire(self) -> dict[str, Any]:
        """The arrow as the map is sent it."""
        return {"kind": self.kind, "start": list(self.start), "end": list(self.end)}

    def along(self, points: FloatArray) -> FloatArray:
        """Each object's place along the arrow: 0 at its tail, 1 at its tip, and beyond them.

        Parameters
        ----------
        points : (N, 2) places on the map.
        """
        direction = np.subtract(self.end, self.start)
        # Divided out twice, by the length: its square may be less than the smallest float.
        length = np.hypot(*direction)
        place: FloatArray = (places_on_map(points) - self.start) @ (direction / length) / length
        return place

    def feature(self, name: str, points: FloatArray, known_names: Sequence[str] = ()) -> Feature:
        """A quantity: the place along the arrow on the map with these features known."""
        values = self.along(points)
        check_varies(values, "All objects have the same place along the arrow.")
        line = DrawnLine((self.start, self.end))
        return read_off(Feature.numeric(name, values), "place along an arrow", known_names, line)
