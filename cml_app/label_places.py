"""Where labels go on a picture that cannot move them: those that find no room are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_app.figures import ONE_SPOT
from cml_core.arrays import FloatArray

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

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Label:
    """A text beside the object at `place`."""

    place: int
    text: str
    position: str


@dataclass(frozen=True)
class _Candidate:
    """A place for a label: how many objects it would hide, and how many it might seem to name."""

    position: str
    box: Box
    hides: int
    beside: int


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
    """
    scale = side / (2 * half)
    pixels = (places - middle) * scale
    rest = np.empty((0, 2)) if unnamed is None else (unnamed - middle) * scale
    crowded = len(labels) > MOST_LABELS
    wishes = []
    for spot in _spots(pixels, ONE_SPOT * side / 2):
        text = _said_of([labels[i] for i in spot])
        wishes.append(_wish(spot, text, np.vstack([pixels, rest]), side, point))
    if not crowded:
        wishes.sort(key=_choice)
    found: list[Label] = []
    taken: list[Box] = []
    for wish in wishes:
        free = [one for one in wish.candidates if not _meets(one.box, taken)]
        best = min(free, key=lambda one: (one.hides, one.beside), default=None)
        # Of many objects, those are named whose label hides no other.
        if best and not (crowded and best.hides):
            found.append(Label(wish.place, wish.text, best.position))
            taken.append(best.box)
        if len(found) == MOST_LABELS:
            break
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
