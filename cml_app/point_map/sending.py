"""What a session has been told of a map, so that nothing travels twice.

The places of a map are a list of parts. A scene in which more objects are placed than before adds
a part with those; a scene in which an object stands elsewhere begins the list anew. Of places that
arrive only what is new is looked at, up to the whole map, which they become.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cml_app.discovery_map import Colouring
from cml_app.point_map.addresses import Held, held
from cml_app.point_map.packing import (
    order_of,
    packed_colour,
    packed_newcomers,
    packed_places,
    slots_of,
    stride_of,
)
from cml_app.point_map.scene import NewPoints, PointMapState, PointScene
from cml_core.many.arriving import Arriving
from cml_core.values.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Part:
    """Some bytes, and what the browser must know to read them."""

    held: Held
    told: dict[str, object]

    @property
    def encoded(self) -> dict[str, object]:
        """As the browser is told of it."""
        return self.told | {"address": self.held.address}


@dataclass(frozen=True)
class Sent:
    """What a map of one key has been sent; of places that arrive, so many pieces."""

    map_id: str | None = None
    places: FloatArray | Arriving | None = None
    parts: tuple[Part, ...] = ()
    pieces: int = 0
    colouring: Colouring | None = None
    colour: Part | None = None
    newcomers: NewPoints | None = None
    new: Part | None = None

    def after(self, scene: PointScene) -> Sent:
        """With what `scene` shows."""
        return self._with_places(scene)._with_colour(scene.colour)._with_new(scene.newcomers)

    def _with_places(self, scene: PointScene) -> Sent:
        places, same_map = scene.places, self.map_id == scene.map_id
        if isinstance(places, Arriving):
            return self._with_arrivals(scene.map_id, places)
        if same_map and self.places is places:
            return self
        if same_map and isinstance(self.places, Arriving) and self.places.places is places:
            return replace(self._with_arrivals(scene.map_id, self.places), places=places)
        placed = _placed(places)
        before = self._still_there(places) if same_map else None
        parts = self.parts if before is not None else ()
        new = np.flatnonzero(placed if before is None else placed & ~before)
        if new.size:
            parts = (*parts, _part(places, new))
        return replace(self, map_id=scene.map_id, places=places, parts=parts)

    def _with_arrivals(self, map_id: str, arriving: Arriving) -> Sent:
        goes_on = self.map_id == map_id and self.places is arriving
        parts, pieces = (self.parts, self.pieces) if goes_on else ((), 0)
        now = arriving.pieces
        new = arriving.since(pieces, now)
        if new.size:
            parts = (*parts, _part(arriving.places, new))
        return replace(self, map_id=map_id, places=arriving, parts=parts, pieces=now)

    def _still_there(self, places: FloatArray) -> BoolArray | None:
        """Which objects have been sent, if none of them stands elsewhere now."""
        before = self.places
        if before is None or isinstance(before, Arriving) or len(before) != len(places):
            return None
        placed = _placed(before)
        return placed if np.array_equal(before[placed], places[placed]) else None

    def _with_colour(self, colour: Colouring | None) -> Sent:
        if colour is None:
            return replace(self, colouring=None, colour=None)
        if self.colouring is colour:
            return self
        packed = packed_colour(colour)
        return replace(self, colouring=colour, colour=Part(held(packed.content), packed.told))

    def _with_new(self, newcomers: NewPoints | None) -> Sent:
        if newcomers is None:
            return replace(self, newcomers=None, new=None)
        if self.newcomers is newcomers:
            return self
        packed = packed_newcomers(newcomers)
        return replace(self, newcomers=newcomers, new=Part(held(packed.content), packed.told))


def _placed(places: FloatArray) -> BoolArray:
    known: BoolArray = ~np.isnan(places[:, 0] + places[:, 1])
    return known


def _part(places: FloatArray, objects: IntArray) -> Part:
    """Where these objects are."""
    count = len(places)
    if objects.size == count:
        packed = packed_places(places[order_of(count)])
    else:
        packed = packed_places(places[objects], slots_of(objects, count))
    return Part(held(packed.content), packed.told)


def encoded(scene: PointScene, state: PointMapState, sent: Sent) -> dict[str, Any]:
    """What the browser is sent: where the rest is found, and the `state` it begins in."""
    n_objects = len(scene.places)
    return {
        "map_id": scene.map_id,
        "revision": scene.revision,
        "title": scene.title,
        "noun": scene.noun,
        "count": n_objects,
        "arriving": isinstance(scene.places, Arriving),
        "stride": stride_of(n_objects),
        "parts": [part.encoded for part in sent.parts],
        "colour": sent.colour.encoded if sent.colour else None,
        "names": scene.names.address if scene.names else None,
        "newcomers": sent.new.encoded if sent.new else None,
        "landmarks": [list(label) for label in scene.labels],
        "tool": state.tool,
        "drawing": state.drawing.to_wire() if state.drawing else None,
        "region": None if state.region is None else state.region.tolist(),
    }
