"""Where labels go on a picture that cannot move them: those that find no room are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_app.pictures.figures import ONE_SPOT
from cml_core.values.arrays import FloatArray

# For each position, where a label's box begins: in its own widths and heights from the point,
# and to which side of it, so that it keeps off the point.
_POSITIONS = {
    "top center": (-0.5, 0.0, 0, 1),
    "bottom center": (-0.5, -1.0, 0, -1),
    "middle right": (0.0, -0.5, 1, 0),
    "middle left": (-1.0, -0.5, -1, 0),
    "top right": (0.0, 0.0, 1, 1),
    "top left": (-1.0, 0.0, -1, 1),
    "bottom right": (0.0, -1.0, 1, -1),
    "bottom left": (-1.0, -1.0, -1, -1),
}
MOST_LABELS = 100
MOST_LETTERS = 28
# A picture may be as narrow as on a telephone; its size is not known when it is drawn.
PIXELS = 330.0
LETTER_WIDTH, LINE_HEIGHT = 6.2, 15.0
# Half the width of a point.
POINT = 4.5
# Between a point and a label beside it.
GAP = 3.0
# Nearer than this, a label seems to name a point.
BESIDE = 8.0
# How far from its point a label may lie that finds no room there; a line then leads to it.
FARTHER = (20.0, 32.0, 46.0, 62.0, 80.0, 100.0, 125.0)
# In how many directions it may lie, which of them are called straight, and at how many places its
# line is looked at.
TURNS, ALMOST_STRAIGHT, STOPS = 16, 0.3, 24

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Label:
    """A text beside the object at `place`, or farther `away`, in units of the map."""

    place: int
    text: str
    position: str
    away: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class _Candidate:
    """A place for a label: how many objects it would hide, and how many it might seem to name."""

    position: str
    box: Box
    hides: int
    beside: int
    away: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class _Wish:
    """A label, the first object that it names, and where it may lie."""

    place: int
    text: str
    candidates: list[_Candidate]


def thinned_labels(
    labels: Sequence[str],
    places: FloatArray,
    middle: FloatArray,
    half: float,
    *,
    side: float = PIXELS,
    point: float = POINT,
    unnamed: FloatArray | None = None,
    farther: Sequence[float] = (),
) -> list[Label]:
    """As many labels as have room; of many objects, those of earlier ones first.

    A label lies where it hides the fewest objects, and of such places where the fewest others are
    beside it. Of few objects those go first that have the least choice.

    Parameters
    ----------
    places : (N, 2).
    middle, half : of the square that is shown.
    side : of that square in pixels, at least.
    point : half the width of what is drawn at each place, in pixels.
    unnamed : (K, 2), objects without a label.
    farther : how many pixels away a label may lie that finds no room beside its object.
    """
    scale = side / (2 * half)
    pixels = (places - middle) * scale
    everything = pixels if unnamed is None else np.vstack([pixels, (unnamed - middle) * scale])
    crowded = len(labels) > MOST_LABELS
    spots = {spot[0]: spot for spot in _spots(pixels, ONE_SPOT * side / 2)}
    texts = {first: _said_of([labels[i] for i in spot]) for first, spot in spots.items()}
    wishes = [_wish(spots[one], texts[one], everything, side, point) for one in spots]
    found: list[Label] = []
    taken: list[Box] = []
    for wish in wishes if crowded else sorted(wishes, key=_choice):
        free = [one for one in wish.candidates if not _meets(one.box, taken)]
        best = min(free, key=lambda one: (one.hides, one.beside), default=None)
        # Of many objects, those are named whose label hides no other.
        if best and not (crowded and best.hides):
            found.append(Label(wish.place, wish.text, best.position))
            taken.append(best.box)
        if len(found) == MOST_LABELS:
            break
    unsaid = [] if crowded else [one for one in spots if one not in {had.place for had in found}]
    for one in unsaid:
        best = _far_away(everything, one, texts[one], taken, side / 2, farther)
        if best:
            away = (best.away[0] / scale, best.away[1] / scale)
            found.append(Label(one, texts[one], best.position, away))
            taken.append(best.box)
    return found


def _wish(spot: list[int], text: str, pixels: FloatArray, side: float, point: float) -> _Wish:
    """Where the label of a spot may lie: inside the square."""
    boxes = {name: _box(pixels[spot[0]], text, name, point) for name in _POSITIONS}
    others = np.delete(pixels, spot, axis=0)
    candidates = [
        _Candidate(name, box, _hidden(box, pixels, point), _hidden(box, others, point + BESIDE))
        for name, box in boxes.items()
        if _inside(box, side / 2)
    ]
    return _Wish(spot[0], text, candidates)


def _far_away(
    pixels: FloatArray,
    place: int,
    text: str,
    taken: Sequence[Box],
    edge: float,
    farther: Sequence[float],
) -> _Candidate | None:
    """The nearest place away from its object where a label hides nothing and crosses no other."""
    here: FloatArray = pixels[place]
    found: list[tuple[int, _Candidate]] = []
    for distance in farther:
        for turn in np.linspace(0.0, 2 * np.pi, TURNS, endpoint=False):
            along = distance * np.array([np.cos(turn), np.sin(turn)])
            name = _towards(along / distance)
            box = _box(here + along, text, name, 0.0)
            if _inside(box, edge) and not _meets(box, taken) and not _hidden(box, pixels, POINT):
                crossed = sum(_crosses(here, along, other) for other in taken)
                away = (float(along[0]), float(along[1]))
                found.append((crossed, _Candidate(name, box, 0, 0, away)))
    return min(found, key=lambda one: one[0])[1] if found else None


def _towards(way: FloatArray) -> str:
    """The position of a text at the end of a line that goes this way."""
    sides = ["" if abs(part) < ALMOST_STRAIGHT else "-+"[int(part > 0)] for part in way]
    across = {"": "center", "+": "right", "-": "left"}[sides[0]]
    return f"{ {'': 'middle', '+': 'top', '-': 'bottom'}[sides[1]] } {across}"


def _crosses(here: FloatArray, along: FloatArray, box: Box) -> bool:
    """Whether a line runs through a box."""
    left, bottom, width, height = box
    places = here + np.linspace(0.1, 1.0, STOPS)[:, None] * along - [left, bottom]
    return bool(((places > 0) & (places < [width, height])).all(axis=1).any())


def _choice(wish: _Wish) -> int:
    """Among how many good places a label can choose."""
    return sum(not (one.hides or one.beside) for one in wish.candidates)


def _said_of(labels: Sequence[str]) -> str:
    """One text for objects at one place."""
    together = " · ".join(labels)
    if len(together) <= MOST_LETTERS:
        return together
    more = f" +{len(labels) - 1}" if len(labels) > 1 else ""
    room = MOST_LETTERS - len(more)
    first = labels[0] if len(labels[0]) <= room else f"{labels[0][: room - 1]}…"
    return f"{first}{more}"


def _spots(pixels: FloatArray, near: float) -> list[list[int]]:
    """Objects that coincide to the eye share one label."""
    spots: list[list[int]] = []
    firsts = np.empty_like(pixels)
    for i, place in enumerate(pixels):
        apart = np.linalg.norm(firsts[: len(spots)] - place, axis=1)
        if apart.size and apart.min() <= near:
            spots[int(apart.argmin())].append(i)
        else:
            firsts[len(spots)] = place
            spots.append([i])
    return spots


def _box(place: FloatArray, text: str, position: str, reach: float) -> Box:
    """Left, bottom, width, height, in pixels."""
    width, height = LETTER_WIDTH * len(text), LINE_HEIGHT
    across, up, aside, above = _POSITIONS[position]
    left = float(place[0]) + across * width + aside * (reach + GAP)
    bottom = float(place[1]) + up * height + above * reach
    return left, bottom, width, height


def _hidden(box: Box, pixels: FloatArray, reach: float) -> int:
    """How many objects a label would hide."""
    left, bottom, width, height = box
    beside = (pixels[:, 0] + reach > left) & (pixels[:, 0] - reach < left + width)
    within = (pixels[:, 1] + reach > bottom) & (pixels[:, 1] - reach < bottom + height)
    return int((beside & within).sum())


def _inside(box: Box, edge: float) -> bool:
    left, bottom, width, height = box
    return -edge <= left and left + width <= edge and -edge <= bottom and bottom + height <= edge


def _meets(box: Box, others: Sequence[Box]) -> bool:
    return any(_overlap(box, other) for other in others)


def _overlap(one: Box, other: Box) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )
