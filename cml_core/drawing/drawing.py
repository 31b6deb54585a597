"""What a drawing is: a value in a module of its own, and one line in `registry.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature


class Drawing(Protocol):
    """What a person draws on a map, in the units of the map.

    Its kind is the name of the tool that draws it.
    """

    kind: ClassVar[str]

    @classmethod
    def from_wire(cls, sent: Mapping[str, object]) -> Self:
        """A drawing as the map sends it; it may be stale, partial or nonsense.

        Raises
        ------
        UnsuitableFeature : it is no drawing.
        """
        ...

    def to_wire(self) -> dict[str, Any]:
        """The drawing as the map is sent it, its kind included."""
        ...

    def feature(self, name: str, points: FloatArray, known_names: Sequence[str] = ()) -> Feature:
        """What it tells of objects at these (N, 2) places, on the map with these known."""
        ...
