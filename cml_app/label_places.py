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

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Label:
    """A text beside the object at `place`."""

    place: int
    text: str
    position: str


def thinned_labels(
    labels: Sequence[str],
    places: FloatArray,
    middle: FloatArray,
    half: float,
    *,
    side: float = PIXELS,
    point: float = POINT,
) -> list[Label]:
    """As many labels as have room, those of earlier objects first.

    Parameters
    ----------
    places : (N, 2).
    middle, half : of the square that is shown.
    side : of that square in pixels, at least.
    point : half the width of what is drawn at each place, in pixels.
    """
    pixels = (places - middle) * (side / (2 * half))
    crowded = len(labels) > MOST_LABELS
    found: list[Label] = []
    taken: list[Box] = []
    for spot in _spots(pixels, ONE_SPOT * side / 2):
        text = _said_of([labels[i] for i in spot])
        boxes = {name: _box(pixels[spot[0]], text, name, point) for name in _POSITIONS}
        free = [
            name for name, box in boxes.items() if _inside(box, side / 2) and not _meets(box, taken)
        ]
        hidden = {name: _hidden(boxes[name], pixels, point) for name in free}
        position = min(free, key=hidden.__getitem__, default="")
        # Of many objects, those are named whose label hides no other.
        if position and not (crowded and hidden[position]):
            found.append(Label(spot[0], text, position))
            taken.append(boxes[position])
        if len(found) == MOST_LABELS:
            break
    return found


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
