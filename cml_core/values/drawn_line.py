"""The line on a map from which a feature was read off, to be shown again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DrawnLine:
    """An arrow has two points, a curve more.

    Parameters
    ----------
    points : (M, 2) in the units of the map, in the order of drawing.
    closed : whether the last point is joined to the first.
    axes : which two dimensions of the map were shown, counted from 0.
    """

    points: tuple[tuple[float, float], ...]
    closed: bool = False
    axes: tuple[int, int] = (0, 1)
