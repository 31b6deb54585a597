"""The drawings that can be made on a map, and how one that the map sends is understood."""

from __future__ import annotations

from collections.abc import Mapping

from cml_core.drawing import arrow, curve
from cml_core.drawing.drawing import Drawing
from cml_core.errors import ConditionalMappingError

DRAWINGS: Mapping[str, type[Drawing]] = {
    drawing.kind: drawing for drawing in (arrow.Arrow, curve.Curve)
}


def drawing_from_wire(raw: object) -> Drawing | None:
    """A drawing as the map sends it; anything else is none."""
    if not isinstance(raw, Mapping):
        return None
    drawing = DRAWINGS.get(str(raw.get("kind")))
    try:
        return drawing.from_wire(raw) if drawing else None
    except ConditionalMappingError:
        return None
