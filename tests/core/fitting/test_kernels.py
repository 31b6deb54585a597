"""The compiled loops against dense formulas.

Everything here is small enough to run interpreted as well, with NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from cml_core import Feature, FeatureTable
from cml_core.fitting.kernels import accumulate, constants, object_errors, square_sum, stored_rows
from cml_core.fitting.solver_input import objective_of
from cml_core.fitting.solvers.columns import standardise
from cml_core.fitting.solvers.layout import stress_and_gradient
from cml_core.fitting.solvers.objective import build_objective, laplacian, normalised_stress
from cml_core.values.condense import condense, row_sums

# Sums of a few hundred terms of order one: double keeps 16 digits of each, single 7.
ROUNDING = {np.float64: 1e-12, np.float32: 2e-5}


def dense_stress_and_gradient(delta, weights, points, unit):
    """(4) and (H - C) X from (9) and (13), with N x N matrices."""
    n = points.shape[0]
    distance = squareform(pdist(points))
    target = squareform(delta.astype(float)) * unit
    w = squareform(weights.astype(float)) if weights.size else 1.0 - np.eye(n)
    stress = 0.5 * (w * (target - distance) ** 2).sum()
    ratio = np.divide(target, distance, out=np.zeros((n, n)), where=distance > 0)
    laplacian_of = lambda a: np.diag(a.sum(axis=1)) - a  # noqa: E731
    return stress, (laplacian_of(w) - laplacian_of(w * ratio)) @ points


def swept(delta, weights, points, unit, dtype=np.float64, ranges=None):
    n, k = points.shape
    X = np.zeros((stored_rows(k), n), dtype)
    X[:k] = points.T
    G = np.zeros_like(X)
    stress = 0.0
    for first, last in ranges or [(0, n)]:
        stress += accumulate(delta, weights, X, G, constants(unit, dtype), first, last)
    return stress, G


def example(n, dimensions, seed=0, dtype=np.float64, weighted=False):
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, dimensions))
    delta = random.uniform(0.5, 3.0, n * (n - 1) // 2).astype(dtype)
    weights = random.uniform(0.0, 2.0, delta.size) if weighted else np.empty(0)
    if weighted:
        weights[::5] = 0.0
    return delta, weights.astype(dtype), points.astype(dtype)


@pytest.mark.slow
@pytest.mark.parametrize("dimensions", [0, 1, 3, 4, 5, 7, 8, 9, 12])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_fused_pass_gives_the_stress_and_gradient_of_the_definition(
    dimensions, dtype, weighted
):
    delta, weights, points = example(17, dimensions, dtype=dtype, weighted=weighted)
    stress, G = swept(delta, weights, points, 0.7, dtype)
    if dimensions:
        expected, gradient = dense_stress_and_gradient(delta, weights, points.astype(float), 0.7)
    else:
        w = weights if weights.size else np.ones(delta.size)
        expected, gradient = (w.astype(float) * (0.7 * delta.astype(float)) ** 2).sum(), 0.0
    assert stress == pytest.approx(expected, rel=ROUNDING[dtype])
    largest = max(1.0, np.abs(gradient).max(initial=0.0) if dimensions else 0.0)
    assert np.abs(G[:dimensions].T - gradient).max(initial=0.0) <= ROUNDING[dtype] * largest


@pytest.mark.parametrize("rows", range(1, 13))
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
def test_any_number_of_rows_can_be_swept_even_one_that_no_fit_stores(rows, dtype, weighted):
    delta, weights, points = example(9, rows, dtype=dtype, weighted=weighted)
    X = np.ascontiguousarray(points.T)
    G = np.zeros_like(X)
    stress = accumulate(delta, weights, X, G, constants(0.7, dtype), 0, 9)
    expected, gradient = dense_stress_and_gradient(delta, weights, points.astype(float), 0.7)
    assert stress == pytest.approx(expected, rel=ROUNDING[dtype])
    largest = max(1.0, np.abs(gradient).max())
    assert np.abs(G.T - gradient).max() <= ROUNDING[dtype] * largest


@pytest.mark.parametrize("dimensions", [2, 6, 11])
def test_the_rows_a_configuration_is_padded_with_receive_no_gradient(dimensions):
    delta, weights, points = example(9, dimensions)
    _, G = swept(delta, weights, points, 1.0)
    assert G.shape[0] == stored_rows(dimensions) >= dimensions
    assert not G[dimensions:].any()


@pytest.mark.parametrize(("dimensions", "rows"), [(0, 4), (4, 4), (5, 7), (8, 8), (9, 9)])
def test_configurations_are_stored_in_four_or_seven_rows_or_as_many_as_needed(dimensions, rows):
    assert stored_rows(dimensions) == rows


@pytest.mark.parametrize("dimensions", [3, 7, 10])
@pytest.mark.parametrize("weighted", [False, True])
def test_ranges_of_rows_add_up_to_the_whole(dimensions, weighted):
    delta, weights, points = example(13, dimensions, weighted=weighted)
    whole, gradient = swept(delta, weights, points, 1.0)
    parts, summed = swept(delta, weights, points, 1.0, ranges=[(0, 4), (4, 4), (4, 9), (9, 13)])
    assert parts == pytest.approx(whole, rel=1e-14)
    assert np.allclose(summed, gradient, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dimensions", [2, 6, 9])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_objects_that_coincide_pull_at_each_other_with_no_force(dimensions, dtype):
    delta, weights, points = example(8, dimensions, dtype=dtype)
    points[3] = points[5]
    points[6] = points[5]
    stress, G = swept(delta, weights, points, 1.0, dtype)
    expected, gradient = dense_stress_and_gradient(delta, weights, points.astype(float), 1.0)
    assert stress == pytest.approx(expected, rel=ROUNDING[dtype])
    assert np.abs(G[:dimensions].T - gradient).max() <= 10 * ROUNDING[dtype]


def test_points_that_all_coincide_explain_nothing():
    delta, weights, points = example(6, 3)
    stress, G = swept(delta, weights, np.zeros_like(points), 1.0)
    # The 1e-30 that stands in for a squared distance of zero moves the stress by 1e-15.
    assert stress == pytest.approx((delta**2).sum(), rel=1e-12)
    assert not G.any()


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_errors_of_the_objects_add_up_to_twice_the_stress(weighted):
    delta, weights, points = example(11, 3, weighted=weighted)
    errors, totals = np.zeros(11), np.zeros(11)
    object_errors(delta, weights, np.ascontiguousarray(points.T), errors, totals)
    w = squareform(weights) if weighted else 1.0 - np.eye(11)
    target = squareform(delta)
    assert np.allclose(errors, (w * (target - squareform(pdist(points))) ** 2).sum(axis=1))
    assert np.allclose(totals, (w * target**2).sum(axis=1))
    assert errors.sum() == pytest.approx(2 * swept(delta, weights, points, 1.0)[0], rel=1e-12)


def test_sums_over_pairs_are_those_of_the_square_table():
    delta, weights, _ = example(9, 2, weighted=True)
    sums = np.ones(9)
    row_sums(delta, sums)
    assert np.allclose(sums, 1 + squareform(delta).sum(axis=1), rtol=1e-14)
    assert square_sum(delta, weights, 0.5) == pytest.approx((weights * delta**2).sum() / 4)
    assert square_sum(delta, np.empty(0), 2.0) == pytest.approx(4 * (delta**2).sum())


def test_condensing_reads_the_upper_triangle_across_blocks_and_reports_the_largest_gap():
    random = np.random.default_rng(3)
    square = squareform(random.uniform(size=70 * 69 // 2))  # more than one block of 64
    condensed = np.empty(70 * 69 // 2)
    assert condense(square, condensed) == 0.0
    assert np.array_equal(condensed, squareform(square))
    square[66, 2] += 0.5
    square[1, 68] += 0.25
    assert condense(square, condensed) == pytest.approx(0.5, rel=1e-15)
    assert squareform(condensed)[2, 66] == pytest.approx(square[[2, 66], [66, 2]].mean())


def test_condensing_takes_a_pair_known_in_one_direction_from_there():
    square = squareform(np.arange(1.0, 7.0))
    square[0, 1] = square[3, 2] = np.nan
    square[1, 3] = square[3, 1] = np.nan
    condensed = np.empty(6)
    assert condense(square, condensed) == 0.0
    assert np.array_equal(condensed, [1, 2, 3, 4, np.nan, 6], equal_nan=True)


def test_the_laplacian_of_weights_is_applied_without_being_formed():
    _, weights, points = example(9, 6, weighted=True)
    w = squareform(weights)
    assert np.allclose(laplacian(points, weights, 9), np.diag(w.sum(axis=0)) @ points - w @ points)
    centred = 9 * (points - points.mean(axis=0))
    assert np.allclose(laplacian(points, np.empty(0), 9), centred)


def objective_for(coef, weighted, missing, hidden=2, redundant=False, n=9):
    """An objective with a numeric, a categorical and a circular feature: q = 1 + 2 + 2."""
    random = np.random.default_rng(7)
    features = [
        Feature.numeric("size", random.normal(size=n)),
        Feature.categorical("group", list("abc" * n)[:n]),
        Feature.circular("angle", random.uniform(0, 360, n)),
    ]
    if redundant:
        features.append(Feature.numeric("size again", features[0].values))
    if missing:
        for k, row in enumerate((2, 5, 2)):
            gap = np.where(np.arange(n) == row, np.nan, features[k].values)
            features[k] = features[k].with_values(gap)
    encoding = FeatureTable(tuple(f"o{i}" for i in range(n)), tuple(features)).encoded()
    delta, weights, _ = example(n, 2, seed=8, weighted=weighted)
    columns = standardise(encoding.values, encoding.block, delta)
    return build_objective(delta, weights, columns, n, hidden, coef == "diagonal")


def evaluated(objective, y):
    shape = (objective.stored_rows, objective.n_objects)
    gradient = np.zeros_like(y)
    value = stress_and_gradient(
        objective.layout,
        objective.delta,
        objective.weights,
        constants(objective.unit, np.float64),
        y,
        objective.layout.basis.copy(),
        np.zeros(shape),
        np.zeros(shape),
        gradient,
    )
    return value, gradient


def some_variables(objective, seed=0):
    size = (
        objective.n_components * objective.n_objects
        + objective.layout.amplitude_scale.size
        + objective.layout.free_object.size
    )
    return np.random.default_rng(seed).normal(size=size)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("hidden", [0, 2, 5])
def test_the_gradient_through_the_layout_is_that_of_finite_differences(
    coef, weighted, missing, hidden
):
    objective = objective_for(coef, weighted, missing, hidden)
    assert objective.layout.free_object.size == (5 if missing else 0)
    y = some_variables(objective)
    _, gradient = evaluated(objective, y)
    step = 1e-6
    for k in range(y.size):
        shift = step * (np.arange(y.size) == k)
        above, below = evaluated(objective, y + shift)[0], evaluated(objective, y - shift)[0]
        slope = (above - below) / (2 * step)
        # A central difference is off by step^2 and by rounding / step, both about 1e-9 here.
        assert gradient[k] == pytest.approx(slope, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_the_stress_of_the_variables_is_that_of_the_configuration_they_stand_for(
    coef, weighted, missing
):
    objective = objective_for(coef, weighted, missing)
    y = some_variables(objective)
    at = objective.configuration(y)
    expected = normalised_stress(objective, at.embedding, at.known_places)
    # The same distances by another route: rounding only.
    assert evaluated(objective, y)[0] / objective.total == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.parametrize("redundant", [False, True])
def test_a_configuration_survives_being_turned_into_variables_and_back(coef, redundant):
    objective = objective_for(coef, weighted=True, missing=False, redundant=redundant)
    first = objective.configuration(some_variables(objective))
    again = objective.configuration(objective.variables(first.embedding, first.coef))
    assert np.allclose(again.embedding, first.embedding, rtol=0, atol=1e-12)
    places = [configuration.known_places for configuration in (first, again)]
    # B is given back up to a turn, so it is distances that must agree.
    assert np.allclose(pdist(places[0]), pdist(places[1]), rtol=1e-10)


def test_columns_of_one_feature_share_one_amplitude_in_a_diagonal_layout():
    objective = objective_for("diagonal", weighted=False, missing=False)
    B = objective.configuration(some_variables(objective)).coef
    standard = np.diag(B) * objective.columns.spread
    assert np.array_equal(objective.layout.group, [0, 1, 1, 2, 2])
    assert np.allclose(standard[[1, 3]], standard[[2, 4]])
    assert not (B - np.diag(np.diag(B))).any()


def test_the_objective_of_a_problem_leaves_missing_pairs_out(simulate, stress_of):
    problem = simulate(9, missing_pairs=5)
    objective = objective_of(problem)
    at = objective.configuration(some_variables(objective))
    expected = stress_of(problem, at.points)
    assert normalised_stress(objective, at.embedding, at.known_places) == pytest.approx(
        expected, rel=1e-12
    )
