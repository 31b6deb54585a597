"""Rising curves: I-splines and the straight line, fitted with no coefficient below zero.

Everything here is small enough to run interpreted as well, with NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from cml_core.fitting.scales.admissible import nearest, smooth
from cml_core.fitting.scales.isotonic import scratch_for
from cml_core.fitting.scales.rising import curve_through, i_splines, straight_line
from cml_core.fitting.scales.scale import Judged
from cml_core.fitting.scales.smooth import INTERVAL, SPLINE

modest = settings(max_examples=40)
NONE = np.empty(0)
seeds = st.integers(0, 2**32 - 1)
KNOTS = [(0.3, 0.6), (0.02, 0.97), (0.5, 1.0), (1.0, 1.0)]


def values_of(functions, knots, x):
    """Each function at each place, one a column."""
    a, b = knots
    terms = [np.ones_like(x), x, x**2, np.maximum(x - a, 0) ** 2, np.maximum(x - b, 0) ** 2]
    return np.column_stack(terms) @ functions.T


def fitted(judged, distances, scale):
    admissible = scale.admits(judged)
    values = np.empty(distances.size)
    scratch = scratch_for(admissible.ranks)
    left, size = nearest(admissible, scratch, distances, judged.weights, values)
    return values, left, size


def design(judged, scale):
    curve = scale.admits(judged).curve
    return values_of(curve.functions, curve.knots, curve.position)


@pytest.mark.parametrize("knots", KNOTS)
def test_i_splines_rise_from_nothing_to_one(knots):
    functions = i_splines(np.array(knots))
    # A constant, and one for each knot that lies within and each end.
    assert len(functions) == 3 + sum(knot < 1 for knot in knots)
    columns = values_of(functions, knots, np.linspace(0, 1, 400))
    assert columns[:, 0] == pytest.approx(np.ones(400))
    assert columns[0, 1:] == pytest.approx(0.0, abs=1e-9)
    assert columns[-1, 1:] == pytest.approx(1.0, abs=1e-9)
    # Knots near an end make terms nearly alike, so coefficients of 1e4, of which 1e-11 is rounding.
    assert np.diff(columns[:, 1:], axis=0).min() > -1e-9


@pytest.mark.parametrize("knots", KNOTS)
def test_i_splines_have_no_corner(knots):
    functions = i_splines(np.array(knots))
    step = 1e-6
    for knot in (knot for knot in knots if knot < 1):
        before, at, after = values_of(functions, knots, np.array([knot - step, knot, knot + step]))
        # The second derivative is 2e3 at most here, so slopes on both sides differ by .002 of it.
        assert (after - at) / step == pytest.approx((at - before) / step, abs=1e-2)


@pytest.mark.parametrize("knots", KNOTS)
def test_a_straight_line_is_among_the_splines(knots):
    x = np.linspace(0, 1, 50)
    columns = values_of(i_splines(np.array(knots)), knots, x)
    found, residual = nnls(columns, 2.0 + 3.0 * x)
    assert residual < 1e-8
    assert found[0] == pytest.approx(2.0, abs=1e-6)


def rising_pairs(seed, pairs, weighted, shape):
    random = np.random.default_rng(seed)
    values = random.uniform(size=pairs) ** 2
    bent = {"concave": np.sqrt(values), "convex": values**3, "falling": 1 - values}[shape]
    distances = np.abs(bent + 0.2 * random.normal(size=pairs))
    weights = random.uniform(0.1, 3.0, pairs) if weighted else NONE
    return Judged(values, np.ones(pairs, bool), weights, "auto"), distances


@modest
@given(
    seed=seeds,
    pairs=st.integers(6, 80),
    weighted=st.booleans(),
    shape=st.sampled_from(["concave", "convex", "falling"]),
    scale=st.sampled_from([INTERVAL, SPLINE]),
)
def test_the_nearest_curve_is_that_of_scipys_nnls(seed, pairs, weighted, shape, scale):
    judged, distances = rising_pairs(seed, pairs, weighted, shape)
    found, left, size = fitted(judged, distances, scale)
    root = np.sqrt(judged.weights if weighted else np.ones(pairs))
    columns = design(judged, scale)
    # The constant may have any sign: as the difference of two coefficients from 0 up.
    both = np.column_stack([columns, -columns[:, 0]])
    coefficients, residual = nnls(both * root[:, None], distances * root)
    # Normal equations lose half the digits of the least squares that nnls solves.
    assert found == pytest.approx(both @ coefficients, abs=1e-6)
    assert left == pytest.approx(residual**2, abs=1e-9 * size)
    assert size == pytest.approx((root**2) @ distances**2, rel=1e-12)


@modest
@given(seed=seeds, weighted=st.booleans(), scale=st.sampled_from([INTERVAL, SPLINE]))
def test_the_nearest_curve_rises_and_is_a_projection(seed, weighted, scale):
    judged, distances = rising_pairs(seed, 50, weighted, "concave")
    found, left, size = fitted(judged, distances, scale)
    weights = judged.weights if weighted else np.ones(50)
    assert np.diff(found[judged.order]).min() >= -1e-12
    assert weights @ (found * (distances - found)) == pytest.approx(0.0, abs=1e-9 * size)
    assert left == pytest.approx(size - weights @ found**2, abs=1e-9 * size)


@pytest.mark.parametrize("scale", [INTERVAL, SPLINE])
def test_pairs_that_do_not_count_change_nothing(scale):
    judged, distances = rising_pairs(2, 40, True, "concave")
    kept = np.arange(40) % 5 > 0
    weights = np.where(kept, judged.weights, 0.0)
    wild = np.where(kept, judged.values, 1e6)
    found = fitted(Judged(wild, kept, weights, "auto"), distances, scale)
    alone = Judged(judged.values[kept], kept[kept], weights[kept], "auto")
    expected = fitted(alone, distances[kept], scale)
    assert found[0][kept] == pytest.approx(expected[0], abs=1e-9)
    assert found[1:] == pytest.approx(expected[1:], rel=1e-9)


@pytest.mark.parametrize("scale", [INTERVAL, SPLINE])
def test_where_distances_fall_the_nearest_curve_is_level(scale):
    judged, distances = rising_pairs(2, 60, True, "falling")
    found = fitted(judged, distances, scale)[0]
    mean = np.average(distances, weights=judged.weights)
    assert found == pytest.approx(np.full(60, mean), abs=1e-9)


@pytest.mark.parametrize("distinct", [1, 2, 3, 4])
@pytest.mark.parametrize("scale", [INTERVAL, SPLINE])
def test_few_different_values_leave_fewer_coefficients_and_no_trouble(scale, distinct):
    random = np.random.default_rng(0)
    values = np.tile(np.linspace(1, 2, distinct), 12)
    distances = values + 0.1 * random.uniform(size=values.size)
    judged = Judged(values, np.ones(values.size, bool), NONE, "auto")
    found, left, _ = fitted(judged, distances, scale)
    assert np.isfinite(found).all()
    means = {v: distances[values == v].mean() for v in np.unique(values)}
    if scale is SPLINE or distinct <= 2:
        # A curve of five coefficients goes through four rising means, to half the digits.
        assert found == pytest.approx([means[v] for v in values], abs=1e-5)
    else:
        assert left == pytest.approx(np.polyfit(values, distances, 1, full=True)[1][0], rel=1e-9)


def test_the_knots_part_the_different_values_into_thirds():
    values = np.repeat(np.linspace(0, 1, 8) ** 2, np.arange(1, 9))
    # One pair does not count.
    judged = Judged(np.append(values, 9.0), np.append(values >= 0, False), NONE, "auto")
    # The third and the sixth of eight: as many lie on each side of the first as of the second.
    assert SPLINE.admits(judged).curve.knots == pytest.approx(np.array([2, 5]) ** 2 / 49)


@pytest.mark.parametrize(
    ("distinct", "knots"), [(1, []), (2, []), (3, [1 / 6, 5 / 6]), (4, [2 / 9, 7 / 9])]
)
def test_one_or_two_different_values_have_no_knots_between_them(distinct, knots):
    values = np.repeat(np.linspace(1, 2, distinct), 5)
    curve = SPLINE.admits(Judged(values, np.ones(values.size, bool), NONE, "auto")).curve
    assert curve.knots[curve.knots < 1] == pytest.approx(knots)
    assert len(curve.functions) == 3 + len(knots)


def test_a_line_whose_constant_is_below_zero_is_found():
    x = np.linspace(0, 1, 20)
    curve = curve_through(x, np.ones(2), straight_line(), NONE)
    values = np.empty(20)
    admissible = smooth(curve)
    nearest(admissible, scratch_for(admissible.ranks), 3.0 * x - 0.5, NONE, values)
    # What makes the equations solvable anywhere moves the line by 1e-13 of their trace.
    assert values == pytest.approx(3.0 * x - 0.5, abs=1e-10)
