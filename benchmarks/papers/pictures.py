"""Pictures of rows: maps as the program draws them, and lines over what was varied."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from benchmarks.papers.row import Picture
from cml_core import Fit
from cml_core.datasets import Dataset
from cml_core.journey.file import to_json
from cml_core.journey.journey import Journey
from cml_core.report.map_svg import escaped, map_svg
from cml_core.report.pictures import round_levels
from cml_core.values.arrays import FloatArray

# Blue to yellow by way of green: in order of lightness, and told apart by the colour-blind.
COLOURS = ("#3b0f70", "#2c5fa8", "#1b8a8f", "#57a83a", "#c9a400")
LINES = ("#1098ad", "#d55e00", "#6a3d9a", "#33803b", "#8c564b", "#b8860b", "#444444")
# A page may be dark, and a picture in it knows nothing of that.
INK, PAPER = "#1c1c1c", "#ffffff"
# So that the same map is the same file whenever it is made.
MADE = "2026-01-01T00:00:00+00:00"
WIDTH, HEIGHT = 560.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 150.0, 16.0, 44.0
FONT = 12.0


def map_picture(
    places: FloatArray,
    labels: Sequence[str],
    caption: str,
    values: FloatArray | None = None,
    project: str = "",
) -> Picture:
    """A map in two dimensions, coloured from the lowest value (dark) to the highest (light)."""
    colours = [] if values is None else _coloured(values)
    drawn = map_svg(places[:, :2], labels, caption, colours=colours)
    return Picture(caption, on_paper(drawn.svg), project)


def fit_picture(
    found: Fit, data: Dataset, caption: str, values: FloatArray | None = None
) -> Picture:
    """The map of a fit, and the project that opens as this map."""
    return map_picture(found.embedding, found.labels, caption, values, project_of(found, data))


def project_of(found: Fit, data: Dataset) -> str:
    """The project file of one map."""
    table = data.feature_table()
    for feature in found.problem.known.features:
        table = table if feature.name in table else table.with_feature(feature)
    begun = Journey.begun(data.title, data.values(), table, MADE, origin=data.origin)
    return to_json(begun.after(found, found.embedding, MADE))


def lines_picture(
    caption: str,
    across: tuple[str, Sequence[float]],
    up: str,
    curves: Mapping[str, Sequence[float]],
    *,
    logarithmic: bool = False,
) -> Picture:
    """Curves over what was varied, each with its name where it ends."""
    name, x = across
    values = {one: np.asarray(curve, dtype=np.float64) for one, curve in curves.items()}
    every = np.concatenate(list(values.values()))
    every = every[np.isfinite(every)]
    levels = _powers(every) if logarithmic else _levels(every)
    scale = np.log10 if logarithmic else np.asarray
    low, high = (float(scale(end)) for end in (levels[0], levels[-1]))
    first, last = float(min(x)), float(max(x))

    def place(a: float, b: float) -> tuple[float, float]:
        right = LEFT + (a - first) / (last - first or 1.0) * (WIDTH - LEFT - RIGHT)
        down = HEIGHT - BOTTOM - (float(scale(b)) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)
        return right, down

    parts = [_level(level, place(first, level)[1]) for level in levels]
    parts += [_text(place(a, levels[0])[0], HEIGHT - BOTTOM + 16, f"{a:g}") for a in _few(x)]
    ends = _apart([place(last, float(curve[-1]))[1] for curve in values.values()])
    for (one, curve), colour, end in zip(values.items(), LINES * len(values), ends, strict=False):
        corners = " ".join(
            "{:.1f},{:.1f}".format(*place(a, b)) for a, b in zip(x, curve, strict=True)
        )
        parts.append(
            f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(_text(WIDTH - RIGHT + 8, end + 4, one, "start", colour))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, f"{name}; upwards: {up}"))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="{FONT:g}">'
        f"<title>{escaped(caption)}</title>{''.join(parts)}</svg>"
    )
    return Picture(caption, on_paper(svg))


def on_paper(svg: str) -> str:
    """With ink and paper of its own."""
    inked = re.sub("<svg ", f'<svg color="{INK}" ', svg, count=1)
    paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    return inked.replace("</title>", f"</title>{paper}", 1) + "\n"


def _coloured(values: FloatArray) -> list[str]:
    _, level = np.unique(values, return_inverse=True)
    steps = np.round(level / max(level.max(), 1) * (len(COLOURS) - 1)).astype(int)
    return [COLOURS[step] for step in steps]


def _levels(values: FloatArray) -> list[float]:
    low, high = min(float(values.min()), 0.0), float(values.max())
    step = round_levels(high - low)[1]
    return [step * k for k in range(int(np.floor(low / step)), int(np.ceil(high / step)) + 1)]


def _powers(values: FloatArray) -> list[float]:
    low, high = (
        int(f(np.log10(end))) for f, end in ((np.floor, values.min()), (np.ceil, values.max()))
    )
    return [10.0**power for power in range(low, max(high, low + 1) + 1)]


def _few(x: Sequence[float]) -> list[float]:
    """Not more numbers than there is room for."""
    every = max(len(x) // 8, 1)
    return list(x)[::every]


def _apart(ends: list[float]) -> list[float]:
    """Names below one another where curves end close together."""
    order = np.argsort(ends)
    placed = np.array(ends)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + FONT + 2)
    over = max(float(placed.max(initial=0.0)) - (HEIGHT - BOTTOM), 0.0)
    return [float(end) - over for end in placed]


def _level(level: float, y: float) -> str:
    line = (
        f'<line x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}" '
        'stroke="currentColor" stroke-opacity="0.2"/>'
    )
    return line + _text(LEFT - 8, y + 4, f"{level:g}", "end")


def _text(
    x: float, y: float, text: str, anchor: str = "middle", colour: str = "currentColor"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escaped(text)}</text>"
    )
