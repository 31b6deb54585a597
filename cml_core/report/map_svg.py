"""A labelled map as SVG: equal axes, escaped text, labels that do not overlap."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cml_core.report.label_places import FARTHER, Label, Paper, placed_labels, spots_of
from cml_core.values.arrays import FloatArray
from cml_core.values.drawn_line import DrawnLine

SIDE = 560.0
MARGIN = 28.0
DOT = 4.0
FONT = 12.0
TIP = 14.0
POINT, LINE = "#1098ad", "#d55e00"
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


class NamedLine(NamedTuple):
    """A line that was drawn on a map, and the feature that was read off it."""

    name: str
    line: DrawnLine


def map_svg(
    points: FloatArray,
    labels: Sequence[str],
    title: str,
    lines: Sequence[NamedLine] = (),
    colours: Sequence[str] = (),
) -> MapPicture:
    """A map of labelled points; lengths are the same in both directions.

    Parameters
    ----------
    points : (N, 2) coordinates.
    labels : N names; long ones are shortened, and given in full where the pointer rests.
    title : what the map shows, for those who cannot see it.
    lines : what was drawn on it.
    colours : N colours of the points; one for all without.
    """
    paper = _paper_for(points)
    places = paper.places(points)
    fills = colours or [POINT] * len(labels)
    dots = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT:g}" fill="{fill}">'
        f"<title>{escaped(label)}</title></circle>"
        for (x, y), label, fill in zip(places.tolist(), labels, fills, strict=True)
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
        f"{_scale_bar(paper.scale)}"
        f"{''.join(_drawn(one, paper) for one in lines)}"
        f"<g>{''.join(dots)}</g>"
        f'<g fill="currentColor">{"".join(texts)}</g></svg>'
    )
    return MapPicture(svg, len(spots_of(places, PAPER.spot)) - len(texts))


class _Units(NamedTuple):
    """Pixels a unit of the map, and what lies in the middle of the paper."""

    scale: float
    middle: FloatArray

    def places(self, points: FloatArray) -> FloatArray:
        """Where points of the map stand in pixels."""
        found: FloatArray = SIDE / 2 + (points - self.middle) * self.scale * [1.0, -1.0]
        return found


def _paper_for(points: FloatArray) -> _Units:
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max())
    scale = (SIDE - 4 * MARGIN) / extent if extent > np.finfo(np.float64).tiny * SIDE else 1.0
    return _Units(scale, (low + high) / 2)


def _drawn(drawn: NamedLine, paper: _Units) -> str:
    """The line with its direction and its name, behind the points."""
    places = paper.places(np.array(drawn.line.points))
    shape = "polygon" if drawn.line.closed else "polyline"
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places.tolist())
    x, y = np.clip(places[-1], MARGIN, SIDE - MARGIN).tolist()
    return (
        f'<{shape} points="{corners}" fill="none" stroke="{LINE}" stroke-width="3" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
        f"{_tip(places)}"
        f'<text x="{x:.1f}" y="{y - FONT:.1f}" text-anchor="middle" font-weight="bold" '
        f'fill="{LINE}">{escaped(drawn.name[: PAPER.most_letters])}</text>'
    )


def _tip(places: FloatArray) -> str:
    """The head of an arrow where a line ends, along its last stretch."""
    ahead = places[-1] - places[:-1]
    lengths = np.hypot(*ahead.T)
    far = np.flatnonzero(lengths >= TIP)
    last = int(far[-1]) if far.size else int(lengths.argmax())
    along = ahead[last] / max(float(lengths[last]), 1e-9) * TIP
    across = np.array([-along[1], along[0]]) / 2
    corners = (places[-1] + 0.3 * along, places[-1] - along + across, places[-1] - along - across)
    return f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)}" fill="{LINE}"/>'


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
