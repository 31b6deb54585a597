"""Small pictures of lessons, to be looked at rather than read: dots, lines, no words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_app.pictures.figures import OKABE_ITO
from cml_core.values.arrays import FloatArray, Value

WIDTH, HEIGHT, EDGE = 240.0, 130.0, 14.0
# Fewer dots can be larger.
_RADII = ((12, 5.0), (60, 3.6), (300, 2.2))
_SMALLEST = 1.5


@dataclass(frozen=True, eq=False)
class Dots(Value):
    """Places, what colour each has, and lines between them.

    Parameters
    ----------
    places : (N, 2).
    colours : (N,) which of a few colours; none where all are alike.
    lines : pairs of places.
    stretched : whether across and upwards are measured apart, as in a diagram.
    """

    places: FloatArray
    colours: Sequence[int] = ()
    lines: Sequence[tuple[int, int]] = ()
    stretched: bool = False


def svg(dots: Dots) -> str:
    """The picture, on light and dark alike."""
    x, y = _fitted(dots)
    radius = next((r for most, r in _RADII if len(x) <= most), _SMALLEST)
    lines = "".join(
        f'<line x1="{x[i]:.1f}" y1="{y[i]:.1f}" x2="{x[j]:.1f}" y2="{y[j]:.1f}"/>'
        for i, j in dots.lines
    )
    colours = dots.colours or [4] * len(x)
    circles = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius:g}" fill="{OKABE_ITO[c % len(OKABE_ITO)]}"/>'
        for a, b, c in zip(x, y, colours, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}">'
        f'<g stroke="#8a8a8a" stroke-opacity=".6" stroke-width="1.5">{lines}</g>'
        f"{circles}</svg>"
    )


def _fitted(dots: Dots) -> tuple[FloatArray, FloatArray]:
    low, high = dots.places.min(axis=0), dots.places.max(axis=0)
    room = np.array([WIDTH, HEIGHT]) - 2 * EDGE
    scale = room / np.where(high > low, high - low, 1.0)
    if not dots.stretched:
        scale = np.full(2, scale.min())
    middle = (dots.places - (low + high) / 2) * scale
    return WIDTH / 2 + middle[:, 0], HEIGHT / 2 - middle[:, 1]
