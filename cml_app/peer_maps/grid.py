"""What the small maps show and what comes back from them: plain values, no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cml_app.discovery_map.scene import Card, Colouring, encoded_cards, encoded_colouring
from cml_app.discovery_map.state import mapping, objects_in
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.nearest import Ends

# What can be asked of a picture.
DRAW, AGAIN, BY_LOT = "draw", "again", "lot"


class Score(NamedTuple):
    """One number that judges a picture, and what it means."""

    name: str
    value: str
    meaning: str


class Bar(NamedTuple):
    """How well neighbours tell a feature, beside the band where chance lies."""

    name: str
    share: float
    words: str
    low: float
    high: float
    beyond: bool


@dataclass(frozen=True, eq=False)
class Try(Value):
    """A picture drawn with one seed.

    Parameters
    ----------
    places : (N, 2), turned and scaled to match the map; NaN of objects that are not drawn.
    grid : whether lines at equal distances are drawn, which speak of distances.
    objective : what the method made small or large, and how far it came.
    groups : headings, with the features below each.
    details : further sentences.
    """

    seed: int
    places: FloatArray
    grid: bool
    objective: str
    scores: tuple[Score, ...]
    verdict: str
    groups: tuple[tuple[str, tuple[Bar, ...]], ...] = ()
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Panel:
    """The place of one picture.

    Parameters
    ----------
    key : names it.
    title, which : of the method, and what it draws.
    row : panels of different rows stand above one another, in the order within their rows.
    in_words, caution : what the method does, and what its pictures may be used for.
    tries : empty as long as there is no picture.
    trouble : why there is none.
    lot : how many objects may be drawn by lot instead of all; 0 where that is not needed.
    again, draw : whether other seeds can be tried, and whether it can be drawn on.
    lesson : an address where more is told of it, or nothing.
    """

    key: str
    title: str
    which: str
    row: int
    in_words: str
    caution: str
    tries: tuple[Try, ...] = ()
    trouble: str = ""
    lot: int = 0
    again: bool = False
    draw: bool = False
    lesson: str = ""


@dataclass(frozen=True, eq=False)
class Grid:
    """All panels and what they share.

    Parameters
    ----------
    step : names what they are pictures of.
    labels : of the N objects.
    title : for screen readers and file names.
    cards : for each object, the (name, value) pairs that are told of it.
    ends : for each object, its nearest by the data, to which lines are drawn.
    selected : what the grid starts with; from then on it is the visitor's.
    revision : another one makes the grid take `selected` from here again.
    """

    step: str
    labels: tuple[str, ...]
    panels: tuple[Panel, ...]
    title: str = ""
    colour: Colouring | None = None
    cards: tuple[Card, ...] = ()
    ends: tuple[Ends, ...] = ()
    selected: tuple[int, ...] = ()
    revision: str = ""


class Asked(NamedTuple):
    """What was asked of which picture, by which press of a button."""

    what: str
    key: str
    seed: int
    press: str


class GridState(NamedTuple):
    """What is selected now, and what was asked just now."""

    selected: tuple[int, ...]
    asked: Asked | None = None


def encoded(grid: Grid, selected: tuple[int, ...]) -> dict[str, Any]:
    """What the browser is sent."""
    return {
        "title": grid.title,
        "revision": grid.revision,
        "selected": list(selected),
        "map": {
            "step": grid.step,
            "labels": list(grid.labels),
            "colour": encoded_colouring(grid.colour),
            "cards": encoded_cards(grid.cards),
            "ends": [[[[i, _short(v)] for i, v in one.nearest], []] for one in grid.ends],
        },
        "panels": [_panel(one) for one in grid.panels],
    }


def _panel(one: Panel) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in one.__dataclass_fields__ if name != "tries"}
    return told | {"tries": [_try(picture) for picture in one.tries]}


def _try(one: Try) -> dict[str, Any]:
    return {
        "seed": one.seed,
        "x": _or_none(one.places[:, 0]),
        "y": _or_none(one.places[:, 1]),
        "grid": one.grid,
        "objective": one.objective,
        "scores": [score._asdict() for score in one.scores],
        "verdict": one.verdict,
        "groups": [
            {"name": name, "features": [bar._asdict() for bar in bars]} for name, bars in one.groups
        ],
        "details": list(one.details),
    }


def _or_none(places: FloatArray) -> list[float | None]:
    """As JSON has it, which knows no NaN."""
    return [None if np.isnan(place) else place for place in places.tolist()]


def _short(value: float) -> float:
    return float(np.format_float_positional(value, precision=4, fractional=False))


def parse_state(raw: object, grid: Grid) -> GridState:
    """What is selected in the grid now; it may be stale, partial or nonsense.

    Parameters
    ----------
    raw : the component's state, `{"grid": {"revision": …, "selected": […]}, "asked": …}`.
    """
    told = mapping(raw)
    sent = mapping(told.get("grid"))
    selected = grid.selected
    if sent and sent.get("revision") == grid.revision:
        selected = objects_in(sent.get("selected"), len(grid.labels))
    return GridState(selected, parse_asked(told.get("asked"), grid))


def parse_asked(raw: object, grid: Grid) -> Asked | None:
    """What was asked of a picture that is there; all else counts as nothing.

    Parameters
    ----------
    raw : `{"what": …, "key": …, "seed": …, "press": …}`.
    """
    sent: Mapping[str, Any] = mapping(raw)
    panel = next((one for one in grid.panels if one.key == sent.get("key")), None)
    if panel is None or sent.get("what") not in (DRAW, AGAIN, BY_LOT):
        return None
    if sent["what"] == BY_LOT:
        return Asked(BY_LOT, panel.key, 0, str(sent.get("press"))) if panel.lot else None
    seed = next((one.seed for one in panel.tries if one.seed == sent.get("seed")), None)
    if seed is None:
        return None
    return Asked(sent["what"], panel.key, seed, str(sent.get("press")))
