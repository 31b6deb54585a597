"""Where labels go on a picture that cannot move them: those that find no room are left out.

The map in the browser places its labels itself (`labels.js`): it measures each text in the font of
the page, anew while one zooms, and leaves a label where it was. A picture that is made here is made
once, for a font and a size that are only known where it is seen; so letters have a usual width.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.values.arrays import BoolArray, FloatArray, IntArray

# For each position, where a label's box begins: in its own widths and heights from the point,
# and to which side of it, so that it keeps off the point.
_POSITIONS = {
    "top center": (-0.5, 0.0, 0.0, 1.0),
    "bottom center": (-0.5, -1.0, 0.0, -1.0),
    "middle right": (0.0, -0.5, 1.0, 0.0),
    "middle left": (-1.0, -0.5, -1.0, 0.0),
    "top right": (0.0, 0.0, 1.0, 1.0),
    "top left": (-1.0, 0.0, -1.0, 1.0),
    "bottom right": (0.0, -1.0, 1.0, -1.0),
    "bottom left": (-1.0, -1.0, -1.0, -1.0),
}
MOST_LABELS = 100
# Of more objects, the room is gone before the last are looked at.
MOST_TRIED = 1000
MOST_NAMES = 3
LINE_HEIGHT = 15.0
# Wide characters are wider than others by this share.
WIDER = 0.8
# Between a point and a label beside it.
GAP = 3.0
# Nearer than this, a label seems to name a point.
BESIDE = 8.0
# How far from its point a label may lie that finds no room there; a line then leads to it.
FARTHER = (20.0, 32.0, 46.0, 62.0, 80.0, 100.0, 125.0)
# In how many directions it may lie, which of them are called straight, and at how many places its
# line is looked at.
TURNS, ALMOST_STRAIGHT, STOPS = 16, 0.3, 24

# Left, bottom, right, top, in pixels from the middle.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Paper:
    """A square picture and how it is lettered, in pixels.

    Parameters
    ----------
    side : of the picture, at least.
    point : half the width of what is drawn at each place.
    spot : objects as near as this share a label.
    letter : the usual width of a letter.
    most_letters : of a label.
    farther : how far away a label may lie that finds no room beside its object.
    may_cover : whether one of few labels covers an object rather than go farther.
    blocked : boxes to be left free.
    """

    side: float
    point: float
    spot: float
    letter: float
    most_letters: int
    farther: tuple[float, ...] = ()
    may_cover: bool = False
    blocked: tuple[Box, ...] = ()


@dataclass(frozen=True)
class Label:
    """A text beside the object at `place`, or `away` from it by so many pixels, in its box."""

    place: int
    text: str
    position: str
    box: Box
    away: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class _Wish:
    """A label, and the places beside the first object that it names where it may lie.

    Of each: its position, its box, how many objects it would hide, and how many others it might
    seem to name.
    """

    place: int
    text: str
    positions: list[str]
    boxes: FloatArray
    hides: IntArray
    beside: IntArray

    def choice(self) -> int:
        """Among how many good places it can choose."""
        return int(((self.hides == 0) & (self.beside == 0)).sum())

    def best(self, taken: FloatArray, *, may_cover: bool) -> Label | None:
        """The place that hides the fewest objects, and of such the one beside the fewest."""
        free = ~_overlaps(self.boxes, taken).any(axis=1) & (may_cover | (self.hides == 0))
        order = [k for k in np.lexsort((self.beside, self.hides)) if free[k]]
        return self._at(order[0]) if order else None

    def _at(self, k: int) -> Label:
        return Label(self.place, self.text, self.positions[k], _as_box(self.boxes[k]))


def placed_labels(
    labels: Sequence[str],
    pixels: FloatArray,
    paper: Paper,
    unnamed: FloatArray | None = None,
) -> list[Label]:
    """As many labels as have room; of many objects, those of earlier ones first.

    A label lies where it hides the fewest objects, and of such places where the fewest others are
    beside it. Of few objects those go first that have the least choice.

    Parameters
    ----------
    labels : N texts.
    pixels : (N, 2) places, to the right of and above the middle of the picture.
    unnamed : (K, 2), objects without a label.
    """
    everything = pixels if unnamed is None else np.vstack([pixels, unnamed])
    crowded = len(labels) > MOST_LABELS
    spots = spots_of(pixels, paper.spot)[:MOST_TRIED]
    texts = {spot[0]: _said_of([labels[i] for i in spot], paper.most_letters) for spot in spots}
    wishes: Iterable[_Wish] = (_wish(spot, texts[spot[0]], everything, paper) for spot in spots)
    taken = np.array(paper.blocked).reshape(-1, 4)
    found: dict[int, Label] = {}
    for wish in wishes if crowded else sorted(wishes, key=_Wish.choice):
        label = wish.best(taken, may_cover=paper.may_cover and not crowded)
        if label:
            found[label.place] = label
            taken = np.vstack([taken, label.box])
        if len(found) == MOST_LABELS:
            break
    for place in (spot[0] for spot in spots if paper.farther and spot[0] not in found):
        label = _far_away(place, texts[place], everything, taken, paper)
        if label:
            found[place] = label
            taken = np.vstack([taken, label.box])
    return list(found.values())


def spots_of(places: FloatArray, near: float) -> list[list[int]]:
    """Objects that are no farther than this from the first of them; they coincide to the eye."""
    spots: list[list[int]] = []
    firsts = np.empty_like(places)
    for i, place in enumerate(places):
        apart = np.linalg.norm(firsts[: len(spots)] - place, axis=1)
        if apart.size and apart.min() <= near:
            spots[int(apart.argmin())].append(i)
        else:
            firsts[len(spots)] = place
            spots.append([i])
    return spots


def _said_of(labels: Sequence[str], most_letters: int) -> str:
    """One text for objects at one place: as many names as there is room for."""
    names = [" ".join(label.split()) for label in labels]
    for count in range(min(MOST_NAMES, len(names)), 0, -1):
        more = f" +{len(names) - count}" if count < len(names) else ""
        text = " · ".join(names[:count]) + more
        if len(text) <= most_letters:
            return text
    return f"{names[0][: most_letters - len(more) - 1]}…{more}"


def _wish(spot: list[int], text: str, pixels: FloatArray, paper: Paper) -> _Wish:
    """Where the label of a spot may lie: inside the picture."""
    boxes = _boxes(pixels[spot[0]], text, list(_POSITIONS), paper, paper.point)
    inside = _inside(boxes, paper)
    boxes, others = boxes[inside], np.delete(pixels, spot, axis=0)
    return _Wish(
        spot[0],
        text,
        [name for name, there in zip(_POSITIONS, inside, strict=True) if there],
        boxes,
        _overlaps(boxes, _around(pixels, paper.point)).sum(axis=1),
        _overlaps(boxes, _around(others, paper.point + BESIDE)).sum(axis=1),
    )


def _far_away(
    place: int, text: str, pixels: FloatArray, taken: FloatArray, paper: Paper
) -> Label | None:
    """The nearest place away from its object where a label hides nothing and crosses no other."""
    here: FloatArray = pixels[place]
    turns = np.linspace(0.0, 2 * np.pi, TURNS, endpoint=False)
    directions = np.column_stack([np.cos(turns), np.sin(turns)])
    names = [_towards(way) for way in directions] * len(paper.farther)
    ways = np.vstack([distance * directions for distance in paper.farther])
    boxes = _boxes(here + ways, text, names, paper, 0.0)
    open_to_it = np.flatnonzero(_inside(boxes, paper) & ~_overlaps(boxes, taken).any(axis=1))
    covered = _overlaps(boxes[open_to_it], _around(pixels, paper.point)).any(axis=1)
    free = open_to_it[~covered]
    if not free.size:
        return None
    best = free[np.argmin(_crossed(here, ways[free], taken))]
    x, y = ways[best].tolist()
    return Label(place, text, names[best], _as_box(boxes[best]), (x, y))


def _towards(way: FloatArray) -> str:
    """The position of a text at the end of a line that goes this way."""
    sides = ["" if abs(part) < ALMOST_STRAIGHT else "-+"[int(part > 0)] for part in way]
    across = {"": "center", "+": "right", "-": "left"}[sides[0]]
    return f"{ {'': 'middle', '+': 'top', '-': 'bottom'}[sides[1]] } {across}"


def _crossed(here: FloatArray, ways: FloatArray, taken: FloatArray) -> IntArray:
    """Through how many boxes a line would run that goes from here each of these ways."""
    stops = here + np.linspace(0.1, 1.0, STOPS)[:, None] * ways[:, None, :]
    points = np.concatenate([stops, stops], axis=2)
    through = _overlaps(points.reshape(-1, 4), taken).reshape(len(ways), STOPS, len(taken))
    crossed: IntArray = through.any(axis=1).sum(axis=1)
    return crossed


def _boxes(
    places: FloatArray, text: str, positions: Sequence[str], paper: Paper, reach: float
) -> FloatArray:
    """(M, 4) boxes of a text in each of these positions."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    size = [paper.letter * (len(text) + WIDER * wide), LINE_HEIGHT]
    shapes = np.array([_POSITIONS[name] for name in positions])
    corners = places + shapes[:, :2] * size + shapes[:, 2:] * [reach + GAP, reach]
    return np.hstack([corners, corners + size])


def _around(pixels: FloatArray, reach: float) -> FloatArray:
    """(N, 4) boxes around places."""
    return np.hstack([pixels - reach, pixels + reach])


def _overlaps(boxes: FloatArray, others: FloatArray) -> BoolArray:
    """(M, K) whether a box and another have some room in common."""
    left, bottom, right, top = others.T
    across = (boxes[:, :1] < right) & (left < boxes[:, 2:3])
    upwards = (boxes[:, 1:2] < top) & (bottom < boxes[:, 3:])
    overlaps: BoolArray = across & upwards
    return overlaps


def _inside(boxes: FloatArray, paper: Paper) -> BoolArray:
    inside: BoolArray = np.abs(boxes).max(axis=1) <= paper.side / 2
    return inside


def _as_box(box: FloatArray) -> Box:
    left, bottom, right, top = box.tolist()
    return left, bottom, right, top
