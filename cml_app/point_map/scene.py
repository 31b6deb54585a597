"""What the map of very many objects shows and what comes back: plain values, no Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_app.discovery_map import Colouring
from cml_app.point_map.addresses import Names
from cml_core.drawing.drawing import Drawing
from cml_core.errors import LengthMismatch, UnknownOption, check_option
from cml_core.many.arriving import Arriving
from cml_core.values.arrays import BoolArray, FloatArray, Value, settled

TOOLS = ("move", "lasso", "arrow", "curve")
# Pictures of a million objects could not be told from one another, nor be sent.
UNPAINTED = "picture"


@dataclass(frozen=True, eq=False)
class NewPoints(Value):
    """New objects on a map that was made without them.

    Parameters
    ----------
    places : (n, 2), finite, in the units of the map.
    far : (n,) which of them nothing on the map is like.
    names : what they are called.
    """

    places: FloatArray
    far: BoolArray
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", settled(np.asarray(self.places, dtype=np.float64)))
        shape = self.places.shape
        if shape != (len(self.names), 2) or self.far.shape != shape[:1]:
            raise LengthMismatch(
                f"There are {len(self.names)} new objects, with places of the shape {shape}.",
                remedy="Give each of them a name and a place.",
            )
        if not np.isfinite(self.places).all():
            raise UnknownOption(
                "A new object is nowhere.", remedy="Give every one of them a finite place."
            )


@dataclass(frozen=True, eq=False)
class PointScene(Value):
    """One map of very many objects as it is to be shown.

    Parameters
    ----------
    map_id : names this arrangement of the objects; when it changes, the objects glide.
    places : (N, 2), in the units of the map; NaN of objects that are not placed yet. With the same
        `map_id` more places may be known each time. An array that no one can write to
        (`cml_core.values.arrays.frozen`) is not copied. Or places that arrive, of which only the
        news are looked at.
    title : what the map shows, for screen readers and file names.
    colour : what the colours tell of the N objects, in any palette but pictures; None paints all
        alike, by how close they lie.
    labels : (object, text) of a few objects, such as landmarks or centres, counted from 0.
    names : where the browser asks what objects are called: some of those in view are labelled;
        None where they have no names. The same value keeps what has been asked.
    newcomers : new objects, which are looked at and not drawn upon; None for none. The same value
        is sent once.
    noun : what an object without a name is called, with its number: "Buyer 123,456".
    tool, drawing, region : what the map starts with; `region` is what a lasso would have drawn.
        From then on they are the visitor's.
    revision : another number makes the map take `tool`, `drawing` and `region` from here again;
        `drawing` and `region` are also taken whenever `map_id` changes.
    """

    map_id: str
    places: FloatArray | Arriving
    title: str = ""
    colour: Colouring | None = None
    labels: tuple[tuple[int, str], ...] = ()
    names: Names | None = None
    newcomers: NewPoints | None = None
    noun: str = "Object"
    tool: str = "move"
    drawing: Drawing | None = None
    region: FloatArray | None = None
    revision: int = 0

    def __post_init__(self) -> None:
        check_option("tool", self.tool, TOOLS)
        if not isinstance(self.places, Arriving):
            self._settle(self.places)
        if self.region is not None:
            object.__setattr__(self, "region", settled(np.asarray(self.region, dtype=np.float64)))
        self._check_colour()
        self._check_labels()

    def _settle(self, given: FloatArray) -> None:
        places = settled(np.asarray(given, dtype=np.float64))
        if places.ndim != 2 or places.shape[1] != 2:
            raise LengthMismatch(
                f"The places have the shape {places.shape}.",
                remedy="Give an (N, 2) array, one row for each object.",
            )
        object.__setattr__(self, "places", places)
        if np.isinf(places).any():
            where = int(np.argmax(np.isinf(places).any(axis=1)))
            raise UnknownOption(
                f"The place of object {where} is infinite.",
                remedy="Give a finite place, or NaN where there is none yet.",
            )

    def _check_colour(self) -> None:
        if self.colour is None:
            return
        if self.colour.kind == UNPAINTED:
            raise UnknownOption(
                "A map of points cannot show pictures.", remedy="Choose another palette."
            )
        if self.colour.values.size != len(self.places):
            raise LengthMismatch(
                f"There are places of {len(self.places)} objects, but colours of "
                f"{self.colour.values.size}.",
                remedy="Give one value for each object, NaN where it is not known.",
            )

    def _check_labels(self) -> None:
        told = tuple((int(i), str(text)) for i, text in self.labels)
        object.__setattr__(self, "labels", told)
        strange = [i for i, _ in told if not 0 <= i < len(self.places)]
        if strange:
            raise UnknownOption(
                f"There is no object number {strange[0]} on a map of {len(self.places)}.",
                remedy="Count the objects from 0, in the order of the places.",
            )


@dataclass(frozen=True, eq=False)
class PointMapState(Value):
    """What the visitor has on the map now.

    `drawing`, `region` and `pointed` always belong to the map `map_id`: what was drawn on an
    earlier map is left out.

    Parameters
    ----------
    drawing : an arrow or a curve, in the units of the map: `drawing.feature(name, places)`.
    region : (K, 2) corners of what the lasso encircled, in the units of the map; `inside` tells
        which objects lie in it.
    pointed : the object that was clicked last; None where the last click met none.
    """

    map_id: str
    tool: str
    drawing: Drawing | None = None
    region: FloatArray | None = None
    pointed: int | None = None
