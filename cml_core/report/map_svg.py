"""A labelled map as SVG: equal axes, escaped text, labels that do not overlap."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cml_core.values.arrays import FloatArray

SIDE = 560.0
MARGIN = 28.0
DOT = 4.0
FONT = 12.0
# Dots that touch share one label.
COINCIDENT = 2 * DOT
LONGEST_LABEL = 24
MOST_SHARED = 3
MOST_LABELLED = 300
# Lines of text by which a label may be moved away from its dot.
LINES = (0, -1, 1, -2, 2, -3, 3)

# What XML does not allow, lone surrogates among it.
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


class Drawing(NamedTuple):
    """An SVG, and how many places have no label because there was no room."""

    svg: str
    without_label: int


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def is_free(self, taken: FloatArray) -> bool:
        """Whether it meets none of the (M, 4) boxes that are taken."""
        left, top, right, bottom = taken.T
        across = (left <= self.right) & (self.left <= right)
        return not (across & (top <= self.bottom) & (self.top <= bottom)).any()


def escaped(text: str) -> str:
    """Text that is safe in HTML and XML, within elements and quoted attributes."""
    return html.escape(_UNPRINTABLE.sub("�", text), quote=True)


def scatter_svg(points: FloatArray, labels: Sequence[str], title: str) -> Drawing:
    """A map of labelled points; lengths are the same in both directions.

    Parameters
    ----------
    points : (N, 2) coordinates.
    labels : N names; long ones are shortened, and given in full where the pointer rests.
    title : what the map shows, for those who cannot see it.
    """
    scale, places = _on_paper(points)
    groups = _coincident(places)
    dots = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT:g}"><title>{escaped(label)}</title></circle>'
        for (x, y), label in zip(places.tolist(), labels, strict=True)
    ]
    taken = np.hstack([places - DOT, places + DOT])
    texts = []
    for group in groups[:MOST_LABELLED]:
        x, y = places[group].mean(axis=0).tolist()
        text = _label([labels[i] for i in group])
        box = next((box for box in _candidates(x, y, text) if box.is_free(taken)), None)
        if box is not None:
            taken = np.vstack([taken, box])
            texts.append(_placed(x, y, box, text))
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
    return Drawing(svg, len(groups) - len(texts))


def _on_paper(points: FloatArray) -> tuple[float, FloatArray]:
    """Pixels a unit, and where the points stand in pixels."""
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max())
    scale = (SIDE - 4 * MARGIN) / extent if extent > np.finfo(np.float64).tiny * SIDE else 1.0
    places: FloatArray = SIDE / 2 + (points - (low + high) / 2) * scale * [1.0, -1.0]
    return scale, places


def _coincident(places: FloatArray) -> list[list[int]]:
    """Objects that stand in one place, each place in the order of its first object."""
    groups: list[list[int]] = []
    anchors = np.empty_like(places)
    for i, place in enumerate(places):
        gaps = np.hypot(*(anchors[: len(groups)] - place).T)
        near = np.flatnonzero(gaps <= COINCIDENT)
        if near.size:
            groups[int(near[0])].append(i)
        else:
            anchors[len(groups)] = place
            groups.append([i])
    return groups


def _label(names: list[str]) -> str:
    shown = " · ".join(_shortened(name) for name in names[:MOST_SHARED])
    more = len(names) - MOST_SHARED
    return f"{shown} + {more}" if more > 0 else shown


def _shortened(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= LONGEST_LABEL else line[: LONGEST_LABEL - 1] + "…"


def _width(text: str) -> float:
    """About how wide the text is, wide characters counted as such."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return FONT * (0.62 * len(text) + 0.5 * wide)


def _candidates(x: float, y: float, text: str) -> Iterator[_Box]:
    """Boxes for a label within the frame: right, left, above and below its dot, then farther."""
    width, gap = _width(text), DOT + 2
    for line in LINES:
        middle = y + line * FONT
        for left in (x + gap, x - gap - width, x - width / 2):
            box = _Box(left, middle - FONT / 2, left + width, middle + FONT / 2)
            if min(box.left, box.top) > 0 and box.right < SIDE and box.bottom < SIDE - MARGIN:
                yield box


def _placed(x: float, y: float, box: _Box, text: str) -> str:
    """A label in its box, joined to its dot where it is not right beside it."""
    middle = (box.top + box.bottom) / 2
    line = ""
    if abs(middle - y) > FONT:
        edge = min(max(x, box.left), box.right)
        nearest = box.top if middle > y else box.bottom
        line = (
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{edge:.1f}" y2="{nearest:.1f}" '
            'stroke="currentColor" stroke-opacity="0.4"/>'
        )
    anchor, edge = "middle", (box.left + box.right) / 2
    if box.left > x:
        anchor, edge = "start", box.left
    elif box.right < x:
        anchor, edge = "end", box.right
    place = f'x="{edge:.1f}" y="{middle + 0.35 * FONT:.1f}" text-anchor="{anchor}"'
    return f"{line}<text {place}>{escaped(text)}</text>"


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
