"""A labelled map as SVG: equal axes, escaped text, labels that do not overlap."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cml_core.report.label_places import FARTHER, Label, Paper, placed_labels, spots_of
from cml_core.values.arrays import FloatArray

SIDE = 560.0
MARGIN = 28.0
DOT = 4.0
FONT = 12.0
# The font is that of whoever reads it; dots that touch share one label.
PAPER = Paper(
    side=SIDE,
    point=DOT,
    spot=2 * DOT,
    letter=0.62 * FONT,
    most_letters=42,
    # Longer lines would lead through a crowd.
    farther=FARTHER[:5],
    # The scale bar is below.
    blocked=((-SIDE / 2, -SIDE / 2, SIDE / 2, MARGIN - SIDE / 2),),
)

# What XML does not allow, lone surrogates among it.
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


class MapPicture(NamedTuple):
    """An SVG, and how many places have no label because there was no room."""

    svg: str
    without_label: int


def escaped(text: str) -> str:
    """Text that is safe in HTML and XML, within elements and quoted attributes."""
    return html.escape(_UNPRINTABLE.sub("�", text), quote=True)


def map_svg(points: FloatArray, labels: Sequence[str], title: str) -> MapPicture:
    """A map of labelled points; lengths are the same in both directions.

    Parameters
    ----------
    points : (N, 2) coordinates.
    labels : N names; long ones are shortened, and given in full where the pointer rests.
    title : what the map shows, for those who cannot see it.
    """
    scale, places = _on_paper(points)
    dots = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT:g}"><title>{escaped(label)}</title></circle>'
        for (x, y), label in zip(places.tolist(), labels, strict=True)
    ]
    middle = np.array([SIDE / 2, SIDE / 2])
    found = placed_labels(labels, (places - middle) * [1.0, -1.0], PAPER)
    texts = [_placed(label, places[label.place]) for label in found]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE:g} {SIDE:g}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="{FONT:g}">'
        f"<title>{escaped(title)}</title>"
        f'<rect x="0.5" y="0.5" width="{SIDE - 1:g}" height="{SIDE - 1:g}" rx="8" fill="none" '
        'stroke="currentColor" stroke-opacity="0.25"/>'
        f"{_scale_bar(scale)}"
        f'<g fill="#1098ad">{"".join(dots)}</g>'
        f'<g fill="currentColor">{"".join(texts)}</g></svg>'
    )
    return MapPicture(svg, len(spots_of(places, PAPER.spot)) - len(texts))


def _on_paper(points: FloatArray) -> tuple[float, FloatArray]:
    """Pixels a unit, and where the points stand in pixels."""
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max())
    scale = (SIDE - 4 * MARGIN) / extent if extent > np.finfo(np.float64).tiny * SIDE else 1.0
    places: FloatArray = SIDE / 2 + (points - (low + high) / 2) * scale * [1.0, -1.0]
    return scale, places


def _placed(label: Label, place: FloatArray) -> str:
    """A label in its box, joined to its dot where it is not right beside it."""
    left, bottom, right, top = label.box
    anchor, edge = {
        "right": ("start", left),
        "left": ("end", right),
        "center": ("middle", (left + right) / 2),
    }[label.position.split()[1]]
    x, y = SIDE / 2 + edge, (SIDE - bottom - top) / 2
    text = (
        f'<text x="{x:.1f}" y="{y + 0.35 * FONT:.1f}" text-anchor="{anchor}">'
        f"{escaped(label.text)}</text>"
    )
    if not any(label.away):
        return text
    (x1, y1), (x2, y2) = place, place + np.multiply(label.away, [1.0, -1.0])
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="currentColor" stroke-opacity="0.4"/>{text}'
    )


def _scale_bar(scale: float) -> str:
    """A line of a round length, and the length."""
    longest = (SIDE / 4) / scale
    power = 10.0 ** np.floor(np.log10(longest))
    length = max(step * power for step in (1, 2, 5) if step * power <= longest)
    y, end = SIDE - MARGIN / 2, SIDE - MARGIN / 2
    start = end - length * scale
    return (
        f'<g fill="currentColor" stroke="currentColor" opacity="0.7">'
        f'<line x1="{start:.1f}" y1="{y:.1f}" x2="{end:.1f}" y2="{y:.1f}"/>'
        f'<text x="{start - 4:.1f}" y="{y + 4:.1f}" text-anchor="end" stroke="none">'
        f"{length:g}</text></g>"
    )
