"""A line on a map: each object gets its distance from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from cml_core.drawing.on_map import Point, check_varies, places_on_map, read_off, wire_point
from cml_core.errors import UnsuitableFeature
from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature


@dataclass(frozen=True)
class Line:
    """A straight line that parts the map; what lies to the left of it is above zero."""

    kind: ClassVar[str] = "line"

    start: Point
    end: Point

    def __post_init__(self) -> None:
        if self.start == self.end:
            raise UnsuitableFeature("The line has no length.", remedy="Draw a longer one.")

    @classmethod
    def from_wire(cls, sent: Mapping[str, object]) -> Self:
        """A line as the map sends it."""
        return cls(wire_point(sent.get("start")), wire_point(sent.get("end")))

    def to_wire(self) -> dict[str, Any]:
        """The line as the map is sent it."""
        return {"kind": self.kind, "start": list(self.start), "end": list(self.end)}

    def feature(self, name: str, points: FloatArray, known_names: Sequence[str] = ()) -> Feature:
        """A quantity: the distance from the line, in units of the map."""
        dx, dy = np.subtract(self.end, self.start)
        across = np.array([-dy, dx]) / np.hypot(dx, dy)
        values = (places_on_map(points) - self.start) @ across
        check_varies(values, "All objects are as far from the line.")
        return read_off(Feature.numeric(name, values), "distance from a line", known_names)
