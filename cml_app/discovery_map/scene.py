"""What the map shows and what comes back from it: plain values, no Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cml_app.discovery_map import assets
from cml_app.palettes import PALETTES
from cml_core.drawing.directions import Direction
from cml_core.drawing.drawing import Drawing
from cml_core.errors import LengthMismatch, UnknownOption, UnsuitableFeature, check_option
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.nearest import Ends
from cml_core.values.words import percent, unbroken

TOOLS = assets.tools()

Card = tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Colouring(Value):
    """What the colours of the objects tell.

    Parameters
    ----------
    name : shown above the legend.
    kind : one of `PALETTES`.
    values : (N,) numbers; where each level has a colour, the index into `levels`; NaN is missing.
    levels : the names of the levels; the colours or the addresses of pictures, if those are
        shown themselves.
    period : where the last colour is the first again, 360 for degrees.
    more : so many levels have no colour of their own; the last of `levels` stands for them.
    words : lines of the legend, where pictures tell something.
    """

    name: str
    kind: str
    values: FloatArray
    levels: tuple[str, ...] = ()
    period: float | None = None
    more: int = 0
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        palette = PALETTES[check_option("kind", self.kind, tuple(PALETTES))]
        object.__setattr__(self, "values", frozen(np.asarray(self.values, dtype=float).ravel()))
        object.__setattr__(self, "levels", tuple(str(level) for level in self.levels))
        if palette.has_period and not (self.period and self.period > 0):
            raise UnsuitableFeature(
                f"{self.name} is {palette.name} with period {self.period}.",
                remedy="Give a positive period, such as 360 for degrees.",
            )
        if palette.has_levels:
            self._check_levels()

    def _check_levels(self) -> None:
        present = self.values[np.isfinite(self.values)]
        if ((present < 0) | (present >= len(self.levels)) | (present % 1 != 0)).any():
            raise UnsuitableFeature(
                f"{self.name} has values beyond its {len(self.levels)} levels.",
                remedy="Give each value the index of its level.",
            )


class Newcomer(NamedTuple):
    """A new object, placed on a map that was made without it; `far` where nothing is like it."""

    label: str
    x: float
    y: float
    far: bool


@dataclass(frozen=True, eq=False)
class Scene(Value):
    """One map as it is to be shown.

    Parameters
    ----------
    map_id : names this arrangement of the objects; when it changes, the objects glide.
    labels, x, y : the N objects and where they are.
    title : what the map shows, for screen readers and file names.
    colour : what the colours tell; None paints all objects alike.
    cards : for each object, the (name, value) pairs that its card tells; or nothing.
    tools : those that do something with this map.
    tool, selected, drawing : what the map starts with. From then on they are the visitor's,
        who changes them on the map; `selected` is in the order of picking.
    lines : pairs of objects to be joined by a line.
    ends : for each object, those nearest and farthest by the data, which a click on it shows;
        or nothing.
    directions : where features rise; the visitor may have them drawn as arrows.
    newcomers : new objects, placed on the map; they are looked at, and not selected.
    unit : what is written behind the number on the scale bar; without one there is no bar.
    revision : another number makes the map take `tool`, `selected` and `drawing` from here
        again; `selected` and `drawing` are also taken whenever `map_id` changes.
    """

    map_id: str
    labels: tuple[str, ...]
    x: FloatArray
    y: FloatArray
    title: str = ""
    colour: Colouring | None = None
    cards: tuple[Card, ...] = ()
    tools: tuple[str, ...] = TOOLS
    tool: str = "move"
    selected: tuple[int, ...] = ()
    drawing: Drawing | None = None
    lines: tuple[tuple[int, int], ...] = ()
    ends: tuple[Ends, ...] = ()
    directions: tuple[Direction, ...] = ()
    newcomers: tuple[Newcomer, ...] = ()
    unit: str = ""
    revision: int = 0

    def __post_init__(self) -> None:
        for tool in self.tools:
            check_option("tools", tool, TOOLS)
        check_option("tool", self.tool, self.tools)
        object.__setattr__(self, "labels", tuple(str(label) for label in self.labels))
        for axis in ("x", "y"):
            places = frozen(np.asarray(getattr(self, axis), dtype=float).ravel())
            object.__setattr__(self, axis, places)
            self._check_length(axis, places.size)
            if not np.isfinite(places).all():
                raise UnknownOption(
                    f"{axis} is not finite for {self.labels[int(np.argmin(np.isfinite(places)))]}.",
                    remedy="Give every object a finite place on the map.",
                )
        if self.colour is not None:
            self._check_length("colour", self.colour.values.size)
        for what in ("cards", "ends"):
            if told := getattr(self, what):
                self._check_length(what, len(told))
        self._check_members()

    def _check_length(self, what: str, size: int) -> None:
        if size != len(self.labels):
            raise LengthMismatch(
                f"The map has {len(self.labels)} labels, but {what} speaks of {size} objects.",
                remedy="Give one entry for each label.",
            )

    def _check_members(self) -> None:
        named = [*self.selected, *(i for line in self.lines for i in line)]
        strange = [i for i in named if not 0 <= i < len(self.labels)]
        if strange:
            raise UnknownOption(
                f"There is no object number {strange[0]} on a map of {len(self.labels)}.",
                remedy="Count the objects from 0, in the order of the labels.",
            )


@dataclass(frozen=True)
class MapState:
    """What the visitor has on the map now.

    `selected` and `drawing` always belong to the map `map_id`: what was picked or drawn on an
    earlier map is left out.
    """

    map_id: str
    tool: str
    selected: tuple[int, ...] = ()
    drawing: Drawing | None = None


def encoded(scene: Scene, state: MapState) -> dict[str, Any]:
    """What the browser is sent: `scene`, with the `state` that a newly opened map begins in."""
    return {
        "map_id": scene.map_id,
        "revision": scene.revision,
        "title": scene.title,
        "labels": list(scene.labels),
        "x": scene.x.tolist(),
        "y": scene.y.tolist(),
        "colour": encoded_colouring(scene.colour),
        "cards": encoded_cards(scene.cards),
        "lines": [list(line) for line in scene.lines],
        "ends": [_encoded_ends(ends) for ends in scene.ends],
        "directions": [_encoded_direction(one) for one in scene.directions],
        "newcomers": [one._asdict() for one in scene.newcomers],
        "unit": scene.unit,
        "tools": list(scene.tools),
        "tool": state.tool,
        "selected": list(state.selected),
        "drawing": state.drawing.to_wire() if state.drawing else None,
    }


def encoded_colouring(colour: Colouring | None) -> dict[str, Any] | None:
    """Colours as the browser is sent them."""
    if colour is None:
        return None
    # JSON knows no NaN: a browser refuses the whole message.
    values = [value if np.isfinite(value) else None for value in colour.values.tolist()]
    return {
        "name": colour.name,
        "kind": colour.kind,
        "values": values,
        "levels": list(colour.levels),
        "period": colour.period,
        "more": colour.more,
        "words": list(colour.words),
    }


def _encoded_ends(ends: Ends) -> list[list[list[float]]]:
    """As many digits as are shown."""
    return [[[i, float(f"{value:.4g}")] for i, value in side] for side in ends]


def _encoded_direction(one: Direction) -> dict[str, Any]:
    towards = f": {one.towards}" if one.towards else ""
    words = f"{one.name}{towards} {unbroken(percent(one.share))}"
    return {"words": words, "x": one.x, "y": one.y, "share": one.share}


def encoded_cards(cards: tuple[Card, ...]) -> dict[str, Any]:
    """Each name once: with thousands of objects they would be most of the message."""
    names: dict[str, int] = {}
    rows = [
        [[names.setdefault(str(name), len(names)), str(value)] for name, value in card]
        for card in cards
    ]
    return {"names": list(names), "rows": rows}
