"""What a person draws on a map, selects, orders or types becomes a proposed Feature."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cml_core.drawing.levels import rows_of
from cml_core.errors import (
    LabelMismatch,
    LengthMismatch,
    UnsuitableFeature,
    listing,
)
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.features import Feature

FULL_TURN = 360.0
TYPED = "typed in"
ALONG_ARROW = "place along an arrow"
ALONG_CURVE = "place along a curve"
AROUND_CURVE = "angle around a closed curve"
SELECTED = "groups selected"
# A drawn line trembles: steps shorter than this share of it are no steps.
SHORTEST_STEP = 1e-9
CONSTANT_TOLERANCE = 1e-12
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True)
class Arrow:
    """A straight line on the map, from its tail to its tip.

    Parameters
    ----------
    start, end : (2,) map coordinates of tail and tip.
    """

    start: tuple[float, float]
    end: tuple[float, float]

    def __post_init__(self) -> None:
        tail, tip = _on_map([self.start, self.end], "The arrow").tolist()
        object.__setattr__(self, "start", tuple(tail))
        object.__setattr__(self, "end", tuple(tip))
        if tail == tip:
            raise UnsuitableFeature(
                "The arrow has no length.", remedy="Draw it from one place to another."
            )


@dataclass(frozen=True, eq=False)
class Curve(Value):
    """A line drawn on the map through points; a closed one returns to where it began.

    Parameters
    ----------
    points : (M, 2) map coordinates in the order of drawing.
    closed : whether the last point is joined to the first.
    """

    points: FloatArray
    closed: bool = False

    def __post_init__(self) -> None:
        points = _on_map(self.points, "The curve")
        steps = np.hypot(*np.diff(points, axis=0, prepend=np.nan).T)
        points = points[~(steps <= SHORTEST_STEP * np.nansum(steps))]
        if self.closed and len(points) > 1 and (points[0] == points[-1]).all():
            points = points[:-1]
        object.__setattr__(self, "points", frozen(points))
        least = 3 if self.closed else 2
        if len(np.unique(points, axis=0)) < least:
            shape = "closed curve" if self.closed else "curve"
            raise UnsuitableFeature(
                f"The {shape} has fewer than {least} different points.",
                remedy="Draw a longer line.",
            )

    def corners(self) -> FloatArray:
        """The points from beginning to end; those of a closed curve end where they began."""
        return np.vstack([self.points, self.points[:1]]) if self.closed else self.points


def along_arrow(points: FloatArray, arrow: Arrow) -> FloatArray:
    """Each object's place along an arrow: 0 at its tail, 1 at its tip, and beyond them.

    Parameters
    ----------
    points : (N, 2) places on the map.
    """
    direction = np.subtract(arrow.end, arrow.start)
    length = np.hypot(*direction)
    place: FloatArray = (_on_map(points) - arrow.start) @ (direction / length) / length
    return place


def along_curve(points: FloatArray, curve: Curve) -> FloatArray:
    """Where on a curve the nearest point to each object lies, measured along the curve.

    Open: the share of its length, 0 to 1. Closed: an angle, 0 up to 360, such that equal
    lengths are equal angles. The direction is that of drawing.

    Parameters
    ----------
    points : (N, 2) places on the map.
    """
    places, corners = _on_map(points), curve.corners()
    steps = np.diff(corners, axis=0)
    lengths = np.hypot(*steps.T)
    nearest, travelled = np.full(len(places), np.inf), np.zeros(len(places))
    before = 0.0
    for corner, step, length in zip(corners, steps, lengths, strict=False):
        along = np.clip((places - corner) @ (step / length), 0.0, length)
        gap = ((places - corner - along[:, None] * (step / length)) ** 2).sum(axis=1)
        closer = gap < nearest
        nearest[closer], travelled[closer] = gap[closer], before + along[closer]
        before += float(length)
    share: FloatArray = np.minimum(travelled / before, 1.0)
    return np.mod(FULL_TURN * share, FULL_TURN) if curve.closed else share


def from_arrow(name: str, points: FloatArray, arrow: Arrow, known: Sequence[str] = ()) -> Feature:
    """A quantity: the place along an arrow on the map drawn with these features known."""
    values = along_arrow(points, arrow)
    _check_varies(values, "All objects have the same place along the arrow.")
    return _read_off(Feature.numeric(name, values, f"{ALONG_ARROW} {_on_which_map(known)}"))


def from_curve(name: str, points: FloatArray, curve: Curve, known: Sequence[str] = ()) -> Feature:
    """A quantity, or with a closed curve an angle, read off a curve on the map."""
    values = along_curve(points, curve)
    _check_varies(values, "All objects are nearest to the same point of the curve.")
    where = _on_which_map(known)
    if curve.closed:
        return _read_off(Feature.circular(name, values, FULL_TURN, f"{AROUND_CURVE} {where}"))
    return _read_off(Feature.numeric(name, values, f"{ALONG_CURVE} {where}"))


def from_groups(
    name: str,
    labels: Sequence[str],
    groups: Mapping[str, Sequence[str]],
    known: Sequence[str] = (),
) -> Feature:
    """Categories: which named selection an object is in; missing where it is in none.

    Parameters
    ----------
    labels : the N objects, in the order of the map.
    groups : the objects of each group, by the group's name.
    """
    home: dict[str, str] = {}
    for group, members in groups.items():
        rows_of(labels, members)
        for label in members:
            if home.setdefault(label, group) != group:
                raise UnsuitableFeature(
                    f"{label} is in two groups, {home[label]} and {group}.",
                    remedy="Take it out of one of them.",
                )
    used = [group for group, members in groups.items() if members]
    if len(used) < 2:
        raise UnsuitableFeature(
            "There are fewer than two groups with objects in them.",
            remedy="Make another group of objects that differ from the first.",
        )
    values = [home.get(label) for label in labels]
    origin = f"{SELECTED} {_on_which_map(known)}"
    return _read_off(Feature.categorical(name, values, used, origin))


def from_order(name: str, labels: Sequence[str], ranking: Sequence[str | Sequence[str]]) -> Feature:
    """An order: the first object of the ranking is lowest; those not in it are missing.

    Parameters
    ----------
    labels : the N objects, in the order of the map.
    ranking : labels, lowest first; several labels in one place are tied.
    """
    places = [[place] if isinstance(place, str) else list(place) for place in ranking]
    places = [place for place in places if place]
    if len(places) < 2:
        raise UnsuitableFeature(
            "The order has fewer than two places.", remedy="Put at least two objects in order."
        )
    values = np.full(len(labels), np.nan)
    for rank, place in enumerate(places):
        for label, row in zip(place, rows_of(labels, place), strict=True):
            if not np.isnan(values[row]):
                raise UnsuitableFeature(
                    f"{label} stands in the order twice.", remedy="Name every object once."
                )
            values[row] = rank
    levels = tuple(str(rank + 1) for rank in range(len(places)))
    return Feature(name, "ordinal", values, levels, origin="order given by hand")


def from_text(name: str, labels: Sequence[str], text: str) -> Feature:
    """What was typed or pasted: a value a line, or a label, a tab and a value.

    An empty value, or "?", is missing; so is an object whose label does not occur. It is
    numeric where all values are numbers, and categorical where none is.

    Parameters
    ----------
    labels : the N objects; values without labels are in this order.
    """
    entries = _entries(labels, text)
    if any(_looks_numeric(entry[1]) for entry in entries if entry):
        numbers = [np.nan if entry is None else _number_in(*entry) for entry in entries]
        return Feature.numeric(name, numbers, TYPED)
    return Feature.categorical(name, [entry and entry[1] for entry in entries], origin=TYPED)


def _on_map(points: object, what: str = "The map") -> FloatArray:
    """(N, 2) finite coordinates; a map of one dimension lies on the first axis."""
    places = np.asarray(points, dtype=np.float64)
    if places.ndim == 2 and places.shape[1] == 1:
        places = np.pad(places, ((0, 0), (0, 1)))
    if places.ndim != 2 or places.shape[1] != 2:
        shape = " x ".join(str(size) for size in places.shape)
        raise UnsuitableFeature(
            f"{what} has coordinates of shape {shape}.",
            remedy="Give the two coordinates that are shown for each point.",
        )
    if not np.isfinite(places).all():
        raise UnsuitableFeature(
            f"{what} has a point that is nowhere.", remedy="Give finite coordinates."
        )
    return places


def _read_off(feature: Feature) -> Feature:
    return replace(feature, read_off_map=True)


def _on_which_map(known: Sequence[str]) -> str:
    if not known:
        return "on the map with nothing known"
    names = known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}"
    return f"on the map with {names} known"


def _check_varies(values: FloatArray, fact: str) -> None:
    if np.ptp(values) <= CONSTANT_TOLERANCE * np.abs(values).max():
        raise UnsuitableFeature(fact, remedy="Draw it along a direction in which they differ.")


def _entries(labels: Sequence[str], text: str) -> list[tuple[int, str] | None]:
    """For each object the line number and the text of its value, None where missing."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and len(lines) > len(labels) and not lines[-1].strip():
        lines.pop()
    labelled = any("\t" in line for line in lines)
    pairs = _by_label(labels, lines) if labelled else _in_turn(labels, lines)
    entries: list[tuple[int, str] | None] = [None] * len(labels)
    for row, number, value in pairs:
        entries[row] = None if value.strip() in ("", "?") else (number, value.strip())
    present = {entry[1] for entry in entries if entry is not None}
    if len(present) == 1:
        raise UnsuitableFeature(
            f"Every value is {present.pop()[:40]!r}, which tells no objects apart.",
            remedy="Give some objects another value.",
        )
    return entries


def _in_turn(labels: Sequence[str], lines: list[str]) -> list[tuple[int, int, str]]:
    if len(lines) != len(labels):
        raise LengthMismatch(
            f"There are {len(lines)} lines for {len(labels)} objects.",
            remedy="Give one value a line, empty where unknown; or a label, a tab and a value.",
        )
    return [(row, row + 1, value) for row, value in enumerate(lines)]


def _by_label(labels: Sequence[str], lines: list[str]) -> list[tuple[int, int, str]]:
    row_of = {label.strip(): row for row, label in enumerate(labels)}
    first: dict[int, int] = {}
    pairs = []
    for number, line in enumerate(lines, 1):
        label, *values = line.split("\t")
        if not line.strip():
            continue
        if len(values) != 1:
            raise UnsuitableFeature(
                f"Line {number} has {len(values)} tabs.",
                remedy="Give a label, one tab and a value on every line.",
            )
        row = row_of.get(label.strip())
        if row is None:
            raise LabelMismatch(
                f"Line {number} names {label.strip()[:40]!r}, which is no object of this map.",
                remedy=f"Use the names of the map, such as {listing(list(labels), 3)}.",
            )
        if first.setdefault(row, number) != number:
            raise UnsuitableFeature(
                f"Line {number} names {label.strip()[:40]!r} again, after line {first[row]}.",
                remedy="Give every object one value.",
            )
        pairs.append((row, number, values[0]))
    return pairs


def _number_in(line: int, value: str) -> float:
    """The number on a line."""
    try:
        number = float(value)
    except ValueError:
        number = np.inf
    if np.isinf(number):
        decimal_comma = DECIMAL_COMMA.fullmatch(value)
        raise UnsuitableFeature(
            f"Line {line} is {value[:40]!r}: no finite number.",
            remedy="Write decimals with a point."
            if decimal_comma
            else "Correct it, or make the feature categorical.",
        )
    return number


def _looks_numeric(value: str) -> bool:
    """Whether a person would call this a number: "1,5" is one, the name "Nan" is not."""
    try:
        float(value.replace(",", "."))
    except ValueError:
        return False
    return any(character.isdigit() for character in value)
