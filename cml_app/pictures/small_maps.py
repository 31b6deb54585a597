"""Many small maps side by side, as many in a row as there is room for; no axes, no library."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from cml_app.pictures.figures import OKABE_ITO, Ink
from cml_core.values.arrays import FloatArray, Value

SIZE, EDGE = 200.0, 12.0
THIN, THICK = 2.0, 6.0
FEW, LARGE_DOT, SMALL_DOT = 60, 6.0, 3.2


@dataclass(frozen=True, eq=False)
class SmallMap(Value):
    """One map.

    Parameters
    ----------
    title : stands below it.
    places : (N, 2).
    colours : (N,) which of a few colours; none where all are alike.
    lines : pairs of places, each with a width.
    rings : radii of circles round the middle.
    says : what it shows, for those who do not see it.
    marked : whether it has a frame.
    """

    title: str
    places: FloatArray
    colours: Sequence[int] = ()
    lines: Sequence[tuple[FloatArray, FloatArray, float]] = ()
    rings: Sequence[float] = ()
    says: str = ""
    marked: bool = False


def small_maps(maps: Sequence[SmallMap], ink: Ink, least: int, across: int = 2) -> str:
    """All of them, each so many pixels wide at least, but so many in a row on a telephone."""
    cells = "".join(
        f'<figure style="margin:0;text-align:center;border-radius:6px;'
        f'border:2px solid {OKABE_ITO[5] if one.marked else ink.line}">'
        f'<img alt="{escape(one.says or one.title)}" style="display:block;width:100%" '
        f'src="data:image/svg+xml;base64,{b64encode(_svg(one, ink).encode()).decode()}">'
        f'<figcaption style="padding:0 .2rem .15rem">{escape(one.title)}</figcaption></figure>'
        for one in maps
    )
    columns = f"repeat(auto-fit,minmax(min({least}px,{100 / across - 4:.0f}%),1fr))"
    return f'<div style="display:grid;gap:.5rem;grid-template-columns:{columns}">{cells}</div>'


def _svg(one: SmallMap, ink: Ink) -> str:
    ends = [end for first, second, _ in one.lines for end in (first, second)]
    reached = np.vstack([one.places, *ends]) if ends else one.places
    low, high = reached.min(axis=0), reached.max(axis=0)
    if one.rings:
        low, high = np.minimum(low, -max(one.rings)), np.maximum(high, max(one.rings))
    scale = (SIZE - 2 * EDGE) / max(float((high - low).max()), np.finfo(float).tiny)

    def at(place: FloatArray) -> tuple[float, float]:
        across, up = (place - (low + high) / 2) * scale
        return SIZE / 2 + float(across), SIZE / 2 - float(up)

    radius = LARGE_DOT if len(one.places) <= FEW else SMALL_DOT
    colours = one.colours or [4] * len(one.places)
    x, y = at(np.zeros(2))
    rings = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r * scale:.1f}" fill="none" stroke="{ink.line}"/>'
        for r in one.rings
    )
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius:g}" fill="{_fill(c, ink)}"/>'
        for (a, b), c in zip(map(at, one.places), colours, strict=True)
    )
    lines = "".join(
        '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" '.format(*at(first), *at(second))
        + f'stroke="{ink.text}" stroke-width="{width:g}" stroke-opacity=".75"/>'
        for first, second, width in one.lines
    )
    box = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE:g} {SIZE:g}"'
    return f"<svg {box}>{rings}{lines}{dots}</svg>"


def _fill(colour: int, ink: Ink) -> str:
    """Blue on a dark page would hardly be seen."""
    return ink.point if colour == 4 else OKABE_ITO[colour % len(OKABE_ITO)]
