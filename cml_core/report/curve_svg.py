"""Every pair as it was given and as it is drawn, with the curve between them: a small picture."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from cml_core.fitting.result import Fit
from cml_core.fitting.scales import ordinal
from cml_core.fitting.scales.registry import SCALES
from cml_core.report.map_svg import escaped
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, RealArray
from cml_core.values.dissimilarities import Dissimilarities

WIDTH, HEIGHT = 280.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 18.0, 8.0, 8.0, 34.0
# More dots are a blot; these are spread evenly over the dissimilarities.
MOST_DOTS = 400
# As many corners as a curve of this width can show.
MOST_CORNERS = 300
POINT, CURVE = "#1098ad", "#d55e00"

# Pairs for dots, and for corners of the curve.
_Spread = tuple[IntArray, IntArray]
# For which pairs that count they were found, by what was given.
_SPREAD: WeakKeyDictionary[Dissimilarities, tuple[BoolArray, _Spread]] = WeakKeyDictionary()


def curve_svg(fit: Fit, ink: str = "currentColor") -> str:
    """The dissimilarities across, the fitted distances upwards, and what stands for the former.

    Where only the order counts the curve is a staircase; on a ratio scale it is a straight line
    through nought. Lines and words are drawn in `ink`.
    """
    given, scaled, fitted = fit.problem.targets.condensed, fit.scaled, fit.distances()
    counting = fit.problem.counting
    # Millions of pairs that all count need not be copied.
    pairs = slice(None) if counting.all() else counting
    alike = bool(np.array_equal(given[pairs], scaled[pairs]))
    across = _Axis([given[pairs]], LEFT, WIDTH - RIGHT, from_nought=alike)
    up = _Axis([scaled[pairs], fitted[pairs]], HEIGHT - BOTTOM, TOP, from_nought=True)
    some, corners = _spread(fit)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2"/>'
        for x, y in zip(across(given[some]), up(fitted[some]), strict=True)
    )
    line = " ".join(
        f"{x:.1f},{y:.1f}" for x, y in zip(across(given[corners]), up(scaled[corners]), strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'width="100%" font-family="system-ui, sans-serif" font-size="11">'
        f"<title>{escaped(curve_in_words(fit))}</title>"
        f'<path d="M{LEFT:g},{TOP:g}V{HEIGHT - BOTTOM:g}H{WIDTH - RIGHT:g}" fill="none" '
        f'stroke="{ink}" stroke-opacity=".35"/>'
        f'<g fill="{POINT}" fill-opacity=".55">{dots}</g>'
        f'<polyline points="{line}" fill="none" stroke="{CURVE}" stroke-width="2"/>'
        f'<g fill="{ink}">{_ends(across)}'
        f'<text x="{(LEFT + WIDTH) / 2:g}" y="{HEIGHT - 5:g}" text-anchor="middle">'
        f"as given</text>"
        f'<text transform="translate(11 {(TOP + HEIGHT - BOTTOM) / 2:g}) rotate(-90)" '
        f'text-anchor="middle">as drawn</text></g></svg>'
    )


class _Axis:
    """From values to places between two ends."""

    def __init__(
        self, values: Sequence[RealArray], first: float, last: float, *, from_nought: bool
    ) -> None:
        low = min(float(some.min()) for some in values)
        high = max(float(some.max()) for some in values)
        self.low = min(low, 0.0) if from_nought else low
        self.high = high if high > self.low else self.low + 1.0
        self.first, self.last = first, last

    def __call__(self, values: RealArray) -> FloatArray:
        share = (values.astype(np.float64) - self.low) / (self.high - self.low)
        return self.first + share * (self.last - self.first)


def _ends(axis: _Axis) -> str:
    y = HEIGHT - BOTTOM + 13
    return (
        f'<text x="{axis.first:g}" y="{y:g}">{_as_written(axis.low)}</text>'
        f'<text x="{axis.last:g}" y="{y:g}" text-anchor="end">{_as_written(axis.high)}</text>'
    )


def _as_written(value: float) -> str:
    """Three digits, and no powers of ten where people write thousands."""
    return f"{value:,.0f}" if 1e3 <= value < 1e7 else f"{value:.3g}"


def _spread(fit: Fit) -> _Spread:
    """Pairs that are spread evenly in the order of what was given, and of what stands for it.

    Where that follows from what was given, all fits of the same data share them: to put millions
    of pairs in order takes longer than many a fit.
    """
    targets, counting = fit.problem.targets, fit.problem.counting
    if fit.problem.scale == ordinal.SCALE.name:
        return _evenly(_in_order(counting, targets.condensed, fit.scaled))
    held = _SPREAD.get(targets)
    if held is None or not np.array_equal(held[0], counting):
        held = _SPREAD[targets] = counting, _evenly(_in_order(counting, targets.condensed))
    return held[1]


def _in_order(counting: BoolArray, *values: RealArray) -> IntArray:
    """The pairs that count, by the first of the values, then by the next."""
    places = np.flatnonzero(counting)
    return places[np.lexsort([some[places] for some in reversed(values)])]


def _evenly(order: IntArray) -> _Spread:
    some, corners = (
        order[np.unique(np.linspace(0, order.size - 1, min(order.size, most)).astype(np.int64))]
        for most in (MOST_DOTS, MOST_CORNERS)
    )
    return some, corners


def curve_in_words(fit: Fit) -> str:
    """What the picture shows, for those who do not see it."""
    scale = SCALES[fit.problem.scale]
    return (
        "A dot for each pair: the dissimilarity as given, across, and the distance as drawn, "
        f"upwards. The line is what the dissimilarities count as: {scale.title.lower()}."
    )
