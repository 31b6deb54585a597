"""Small pictures for a report: a curve with its errors, and one value beside many by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from cml_core.report.map_svg import escaped
from cml_core.report.parts import as_percent
from cml_core.values.arrays import FloatArray

WIDTH, HEIGHT = 560.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 14.0, 44.0
STRIP_HEIGHT = 110.0
CLOUD = 300.0
# More are not told apart in print; these are spread evenly over what is across.
MOST_DOTS = 1500
FONT = 12.0
POINT, SINGLED_OUT = "#1098ad", "#d55e00"
STRONG, FAINT = 0.6, 0.2


def curve_svg(
    counts: Sequence[int], fitted: FloatArray, held_out: FloatArray, errors: FloatArray, title: str
) -> str:
    """Two shares by a count; the second with its standard errors."""
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
    levels = [_text(LEFT - 8, down(y) + 4, as_percent(y), "end") for y in rounded]
    name = _text((LEFT + WIDTH) / 2, HEIGHT - 6, "Hidden dimensions; filled: held out")
    grid = [_line(LEFT, down(y), WIDTH - RIGHT, down(y), opacity=FAINT) for y in rounded]
    return _picture(HEIGHT, title, [*grid, *marks, *numbers, *levels, name])


def round_levels(top: float) -> list[float]:
    """From 0 up to `top`, four to seven in round steps."""
    coarse = 10.0 ** np.floor(np.log10(top))
    step = next(part * coarse for part in (2.0, 1.0, 0.5, 0.2) if top / (part * coarse) >= 3)
    return [float(step * k) for k in range(int(top / step * (1 + 1e-9)) + 1)]


def strip_svg(observed: float, by_chance: FloatArray, title: str) -> str:
    """What these data gave, filled, beside what chance gave."""
    values = np.append(by_chance[np.isfinite(by_chance)], observed)
    across = _scale(float(values.min()), float(values.max()), LEFT, WIDTH - LEFT)
    middle = STRIP_HEIGHT / 2 - 8
    marks = [_line(across(x), middle - 9, across(x), middle + 9) for x in values[:-1]]
    ends = sorted({float(values.min()), float(values.max())})
    numbers = [_text(across(x), STRIP_HEIGHT - 26, as_percent(x)) for x in ends]
    name = _text(WIDTH / 2, STRIP_HEIGHT - 6, "Lines: by chance; dot: these data")
    dot = _dot(across(observed), middle, SINGLED_OUT)
    return _picture(STRIP_HEIGHT, title, [*marks, dot, *numbers, name])


def cloud_svg(across: FloatArray, up: FloatArray, names: tuple[str, str], title: str) -> str:
    """Two measures of the same things in the same unit, and the line on which they agree."""
    top = float(max(across.max(), up.max())) or 1.0
    x = _scale(0.0, top, LEFT, LEFT + CLOUD)
    y = _scale(0.0, top, TOP + CLOUD, TOP)
    shown = np.linspace(0, across.size - 1, min(across.size, MOST_DOTS)).astype(np.int64)
    order = np.argsort(across, kind="stable")[shown]
    dots = [_dot(x(across[k]), y(up[k]), POINT, 2) for k in order]
    agreed = _line(x(0.0), y(0.0), x(top), y(top))
    ends = [_text(x(end), TOP + CLOUD + 18, f"{end:.3g}") for end in (0.0, top)]
    ends += [_text(LEFT - 8, y(end) + 4, f"{end:.3g}", "end") for end in (0.0, top)]
    below = _text(LEFT + CLOUD / 2, TOP + CLOUD + 36, f"{names[0]}; upwards: {names[1].lower()}")
    return _picture(TOP + CLOUD + BOTTOM, title, [agreed, *dots, *ends, below])


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


def _dot(x: float, y: float, colour: str, radius: float = 5) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}"/>'


def _ring(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="none" stroke="currentColor"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">'
        f"{escaped(text)}</text>"
    )


def _picture(height: float, title: str, marks: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="{FONT:g}">'
        f"<title>{escaped(title)}</title>{''.join(marks)}</svg>"
    )
