"""The sketches of a report: shares with errors, one value beside many, points, and a curve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, log10

import numpy as np

from cml_core.evidence.sketches import Cloud, Scree, Sketch, Strip, Trace, Whiskers
from cml_core.report.map_svg import escaped
from cml_core.report.parts import safe_words
from cml_core.values.words import percent

WIDTH, HEIGHT = 560.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 14.0, 44.0
STRIP_HEIGHT = 110.0
CLOUD = 300.0
ROW = 24.0
# More are not told apart in print; these are spread evenly over what is across.
MOST_DOTS = 1500
FONT = 12.0
POINT, SINGLED_OUT = "#1098ad", "#d55e00"
STRONG, FAINT = 0.6, 0.2


def svg_of(sketch: Sketch) -> str:
    """A sketch as SVG."""
    match sketch:
        case Scree():
            return _scree(sketch)
        case Strip():
            return _strip(sketch)
        case Cloud():
            return _cloud(sketch)
        case Whiskers():
            return _whiskers(sketch)
        case Trace():
            return _trace(sketch)


def _scree(sketch: Scree) -> str:
    """Rings for what was fitted; dots with standard errors for what was held out."""
    counts, fitted, held_out = sketch.counts, sketch.fitted, sketch.held_out
    errors = sketch.errors
    top = float(np.nanmax(np.concatenate([fitted, held_out + errors]))) or 1.0
    across = _scale(min(counts), max(counts), LEFT, WIDTH - RIGHT)
    down = _scale(0.0, top, HEIGHT - BOTTOM, TOP)
    marks = []
    for x, low, high, error in zip(counts, fitted, held_out, errors, strict=True):
        marks.append(_line(across(x), down(high - error), across(x), down(high + error), POINT))
        marks.append(_dot(across(x), down(high), POINT))
        marks.append(_ring(across(x), down(low)))
    numbers = [_text(across(x), HEIGHT - BOTTOM + 18, str(x)) for x in counts]
    rounded = round_levels(top)
    # As many decimals as tell the levels apart.
    decimals = max(ceil(-log10(100 * rounded[1])), 0)
    levels = [_text(LEFT - 8, down(y) + 4, percent(y, decimals), "end") for y in rounded]
    name = _text((LEFT + WIDTH) / 2, HEIGHT - 6, "Hidden dimensions; filled: held out")
    grid = [_line(LEFT, down(y), WIDTH - RIGHT, down(y), opacity=FAINT) for y in rounded]
    return _picture(HEIGHT, sketch.title, [*grid, *marks, *numbers, *levels, name])


def round_levels(top: float) -> list[float]:
    """From 0 up to `top`, four to seven in round steps."""
    # Steps of 1, 2 or 5 times a power of ten are what people read without thinking.
    coarse = 10.0 ** np.floor(np.log10(top))
    step = next(part * coarse for part in (2.0, 1.0, 0.5, 0.2) if top / (part * coarse) >= 3)
    return [float(step * k) for k in range(int(top / step * (1 + 1e-9)) + 1)]


def _strip(sketch: Strip) -> str:
    """What these data gave, filled, beside what chance gave."""
    values = np.append(sketch.by_chance[np.isfinite(sketch.by_chance)], sketch.observed)
    across = _scale(float(values.min()), float(values.max()), LEFT, WIDTH - LEFT)
    middle = STRIP_HEIGHT / 2 - 8
    marks = [_line(across(x), middle - 9, across(x), middle + 9) for x in values[:-1]]
    ends = sorted({float(values.min()), float(values.max())})
    numbers = [_text(across(x), STRIP_HEIGHT - 26, percent(x, 1)) for x in ends]
    name = _text(WIDTH / 2, STRIP_HEIGHT - 6, "Lines: by chance; dot: these data")
    dot = _dot(across(sketch.observed), middle, SINGLED_OUT)
    return _picture(STRIP_HEIGHT, sketch.title, [*marks, dot, *numbers, name])


def _whiskers(sketch: Whiskers) -> str:
    """A row for each name: its share as a dot, with a bar for its standard error."""
    top = float(np.max(sketch.shares + sketch.errors)) or 1.0
    across = _scale(0.0, top, LEFT, WIDTH - RIGHT)
    height = TOP + ROW * len(sketch.names) + BOTTOM
    marks = []
    for k, (name, share, error) in enumerate(
        zip(sketch.names, sketch.shares, sketch.errors, strict=True)
    ):
        y = TOP + ROW * (k + 0.5)
        colour = SINGLED_OUT if k == sketch.chosen else POINT
        marks.append(_text(LEFT - 8, y + 4, name, "end"))
        marks.append(_line(across(share - error), y, across(share + error), y, colour))
        marks.append(_dot(across(share), y, colour))
    ends = [_text(across(end), height - 26, percent(end, 0)) for end in (0.0, top)]
    name = _text(
        WIDTH / 2,
        height - 6,
        f"{sketch.title}; bars: standard errors of the difference from the least",
    )
    return _picture(height, sketch.title, [*marks, *ends, name])


def _cloud(sketch: Cloud) -> str:
    """A dot for each thing, and the line on which its two measures agree."""
    across, up, names = sketch.across, sketch.up, sketch.names
    right, top = (float(measure.max()) or 1.0 for measure in (across, up))
    if sketch.curve is None:
        right = top = max(right, top)
    line = sketch.curve or (np.array([0.0, right]), np.array([0.0, top]))
    top = max(top, float(line[1].max()))
    x = _scale(0.0, right, LEFT, LEFT + CLOUD)
    y = _scale(0.0, top, TOP + CLOUD, TOP)
    shown = np.linspace(0, across.size - 1, min(across.size, MOST_DOTS)).astype(np.int64)
    order = np.argsort(across, kind="stable")[shown]
    dots = [_dot(x(across[k]), y(up[k]), POINT, 2) for k in order]
    agreed = _curve([(x(a), y(b)) for a, b in zip(*line, strict=True)])
    ends = [_text(x(end), TOP + CLOUD + 18, f"{end:.3g}") for end in (0.0, right)]
    ends += [_text(LEFT - 8, y(end) + 4, f"{end:.3g}", "end") for end in (0.0, top)]
    below = _text(LEFT + CLOUD / 2, TOP + CLOUD + 36, f"{names[0]}; upwards: {names[1].lower()}")
    return _picture(TOP + CLOUD + BOTTOM, sketch.title, [agreed, *dots, *ends, below])


def _trace(sketch: Trace) -> str:
    """The curve as a line, and a dot for each thing on it."""
    heights = np.concatenate([sketch.up, sketch.dots_up])
    low, high = float(heights.min()), float(heights.max())
    x = _scale(float(sketch.across[0]), float(sketch.across[-1]), LEFT, LEFT + CLOUD)
    y = _scale(low, high, HEIGHT - BOTTOM, TOP)
    points = " ".join(
        f"{x(a):.1f},{y(b):.1f}" for a, b in zip(sketch.across, sketch.up, strict=True)
    )
    line = f'<polyline points="{points}" fill="none" stroke="{SINGLED_OUT}" stroke-width="2"/>'
    shown = np.linspace(0, sketch.dots_up.size - 1, min(sketch.dots_up.size, MOST_DOTS))
    order = np.argsort(sketch.dots_across, kind="stable")[shown.astype(np.int64)]
    dots = [_dot(x(sketch.dots_across[k]), y(sketch.dots_up[k]), POINT, 3) for k in order]
    ends = [
        _text(x(end), HEIGHT - BOTTOM + 18, f"{end:.3g}") for end in sketch.across[[0, -1]].tolist()
    ]
    ends += [_text(LEFT - 8, y(end) + 4, f"{end:.3g}", "end") for end in sorted({low, high})]
    name = f"{sketch.names[0]}; upwards: {sketch.names[1].lower()}"
    below = _text(LEFT + CLOUD / 2, HEIGHT - 6, name)
    return _picture(HEIGHT, sketch.title, [line, *dots, *ends, below])


def _scale(low: float, high: float, first: float, last: float) -> Callable[[float], float]:
    """From values to pixels; a single value stands in the middle."""
    if low == high:
        return lambda _: (first + last) / 2
    return lambda value: first + (value - low) / (high - low) * (last - first)


def _line(
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    colour: str = "currentColor",
    opacity: float = STRONG,
) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="1.5" stroke-opacity="{opacity:g}"/>'
    )


def _curve(points: Sequence[tuple[float, float]]) -> str:
    # Of many points, as many as can be told apart.
    kept = np.linspace(0, len(points) - 1, min(len(points), MOST_DOTS)).astype(np.int64)
    corners = " ".join(f"{points[k][0]:.1f},{points[k][1]:.1f}" for k in kept)
    return (
        f'<polyline points="{corners}" fill="none" stroke="currentColor" stroke-width="1.5" '
        f'stroke-opacity="{STRONG:g}"/>'
    )


def _dot(x: float, y: float, colour: str, radius: float = 5) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}"/>'


def _ring(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="none" stroke="currentColor"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">'
        f"{safe_words(text)}</text>"
    )


def _picture(height: float, title: str, marks: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="{FONT:g}">'
        f"<title>{escaped(title)}</title>{''.join(marks)}</svg>"
    )
