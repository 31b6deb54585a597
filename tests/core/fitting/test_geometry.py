"""Turning, aligning and comparing configurations, held against scipy, scikit-learn and R."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from scipy.spatial import procrustes as scipy_procrustes
from scipy.spatial.distance import pdist
from sklearn.cross_decomposition import CCA

from cml_core.errors import DegenerateComparison, LengthMismatch
from cml_core.fitting.geometry import (
    canonical_correlations,
    facing,
    mean_canonical_correlation,
    principal_axes,
    procrustes,
)

REFERENCE = json.loads(
    (Path(__file__).parents[2] / "reference" / "canonical_correlations.json").read_text("utf-8")
)
RANDOM = np.random.default_rng(11)
A = RANDOM.normal(size=(12, 3)) * [3.0, 2.0, 1.0]
B = A @ RANDOM.normal(size=(3, 3)) + 0.3 * RANDOM.normal(size=(12, 3))

# Squares of smaller numbers underflow, in the distances these turns are compared by.
coordinates = st.floats(-1e3, 1e3).map(lambda x: x if abs(x) > 1e-100 else 0.0)
configurations = st.tuples(st.integers(1, 7), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=coordinates)
)


def turn(dimensions: int, seed: int = 0) -> np.ndarray:
    """A random rotation or reflection."""
    return stats.ortho_group.rvs(dimensions, random_state=seed)


@given(configurations)
@settings(max_examples=120)
def test_principal_axes_move_no_object_relative_to_another(points: np.ndarray) -> None:
    turned = principal_axes(points)
    assert turned.shape == points.shape
    size = np.abs(points).max()
    # A rotation in double precision: a few ulps of the largest entry.
    np.testing.assert_allclose(turned.mean(axis=0), 0, atol=1e-13 * size)
    np.testing.assert_allclose(pdist(turned), pdist(points), rtol=1e-12, atol=1e-12 * size)


@given(configurations)
@settings(max_examples=120)
def test_principal_axes_are_uncorrelated_and_fall_in_spread(points: np.ndarray) -> None:
    turned = principal_axes(points)
    products = turned.T @ turned
    size = max(np.trace(products), 1e-300)
    np.testing.assert_allclose(products / size, np.diag(np.diag(products / size)), atol=1e-13)
    assert (np.diff(np.diag(products)) <= 1e-13 * size).all()


@given(configurations)
@settings(max_examples=120)
def test_each_principal_axis_points_to_its_farthest_object(points: np.ndarray) -> None:
    turned = principal_axes(points)
    farthest = turned[np.abs(turned).argmax(axis=0), np.arange(turned.shape[1])]
    assert (farthest >= 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_principal_axes_do_not_depend_on_how_the_map_was_turned(seed: int) -> None:
    other = A @ turn(3, seed) + [10, -20, 30]
    # The axes of A are well apart in spread, so they are known to rounding.
    np.testing.assert_allclose(principal_axes(other), principal_axes(A), atol=1e-12)
    np.testing.assert_allclose(principal_axes(principal_axes(A)), principal_axes(A), atol=1e-12)


def test_more_dimensions_than_objects_are_filled_with_zeros() -> None:
    turned = principal_axes(RANDOM.normal(size=(3, 5)))
    np.testing.assert_allclose(turned[:, 2:], 0, atol=1e-14)


def test_no_dimensions_have_no_axes() -> None:
    assert principal_axes(np.zeros((4, 0))).shape == (4, 0)


def test_objects_in_one_place_stay_there() -> None:
    assert not principal_axes(np.full((4, 2), 7.0)).any()


@pytest.mark.parametrize("seed", range(5))
def test_a_turned_mirrored_and_moved_map_is_brought_back(seed: int) -> None:
    moved = A @ turn(3, seed) + [5, 6, 7]
    aligned = procrustes(moved, A)
    # Squares of rounding errors; and rounding errors.
    assert aligned.disparity < 1e-28
    np.testing.assert_allclose(aligned.points, A, atol=1e-13)
    grown = procrustes(4 * moved, A, scaling=True)
    np.testing.assert_allclose(grown.points, A, atol=1e-13)


def test_aligned_points_have_the_shape_that_they_had() -> None:
    for scaling in (False, True):
        aligned = procrustes(B, A, scaling=scaling)
        sizes = pdist(aligned.points) / pdist(B)
        np.testing.assert_allclose(sizes, sizes[0], rtol=1e-12)  # a few sums
        assert scaling or sizes[0] == pytest.approx(1, rel=1e-12)
        left = ((A - aligned.points) ** 2).sum() / ((A - A.mean(axis=0)) ** 2).sum()
        assert aligned.disparity == pytest.approx(left, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_no_other_turn_lies_nearer_to_the_target(seed: int) -> None:
    best = procrustes(B, A).disparity
    turned = (B - B.mean(axis=0)) @ turn(3, seed)
    assert ((A - A.mean(axis=0) - turned) ** 2).sum() / ((A - A.mean(axis=0)) ** 2).sum() > best


@pytest.mark.parametrize("shape", [(6, 1), (10, 2), (25, 4)])
def test_procrustes_of_scipy_agrees(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(shape)
    a, b = random.normal(size=shape), random.normal(size=shape)
    target, placed, disparity = scipy_procrustes(a, b)
    aligned = procrustes(b, a, scaling=True)
    assert aligned.disparity == pytest.approx(disparity, rel=1e-12)  # the same SVD
    # scipy centres the target and gives it unit length.
    length = np.linalg.norm(a - a.mean(axis=0))
    np.testing.assert_allclose(a - a.mean(axis=0), target * length, atol=1e-13)
    np.testing.assert_allclose(aligned.points - a.mean(axis=0), placed * length, atol=1e-12)


def test_maps_of_different_dimensions_are_padded() -> None:
    flat = procrustes(A[:, :2], A)
    assert flat.points.shape == (12, 3)
    padded = procrustes(np.pad(A[:, :2], ((0, 0), (0, 1))), A)
    assert flat.disparity == pytest.approx(padded.disparity, rel=1e-12)  # the same sums
    assert procrustes(A, A[:, :2]).points.shape == (12, 3)
    assert procrustes(np.zeros((4, 0)), np.zeros((4, 0))).points.shape == (4, 0)


def test_a_map_in_one_place_is_moved_to_the_centre_of_the_target() -> None:
    for scaling in (False, True):
        aligned = procrustes(np.ones((12, 3)), A, scaling=scaling)
        np.testing.assert_allclose(aligned.points, np.tile(A.mean(axis=0), (12, 1)), atol=1e-14)
        assert aligned.disparity == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize("number", range(6))
def test_canonical_correlations_are_those_of_r(number: int) -> None:
    problem = REFERENCE["problems"][number]
    ours = canonical_correlations(np.array(problem["X"]), np.array(problem["Y"]))
    # R printed fifteen digits.
    np.testing.assert_allclose(ours, problem["cancor"], rtol=1e-13)


def test_the_mean_canonical_correlation_is_one_for_the_same_in_other_axes() -> None:
    assert mean_canonical_correlation(A, A @ turn(3)) == pytest.approx(1.0, abs=1e-12)
    assert mean_canonical_correlation(A, A[:, :1]) == pytest.approx(1.0, abs=1e-12)
    other = canonical_correlations(A, B)
    assert mean_canonical_correlation(A, B) == pytest.approx(other.sum() / 3, abs=1e-15)


@pytest.mark.parametrize(("left", "right"), [(1, 1), (2, 3), (3, 2), (4, 4)])
def test_canonical_correlations_of_scikit_learn_agree(left: int, right: int) -> None:
    random = np.random.default_rng([left, right])
    a = random.normal(size=(60, left))
    b = 0.8 * a[:, :1] + random.normal(size=(60, right))
    count = min(left, right)
    scores = CCA(n_components=count, max_iter=100_000, tol=1e-16).fit(a, b).transform(a, b)
    peer = [np.corrcoef(scores[0][:, k], scores[1][:, k])[0, 1] for k in range(count)]
    # Its power iterations stop when weights change by 1e-8, the root of tol.
    np.testing.assert_allclose(canonical_correlations(a, b), peer, atol=1e-7)


@given(st.integers(0, 10_000))
@settings(max_examples=40)
def test_canonical_correlations_do_not_depend_on_the_units_or_axes(seed: int) -> None:
    random = np.random.default_rng(seed)
    mixed = A @ random.normal(size=(3, 3)) + random.normal(size=3)
    assume(np.linalg.cond(mixed - mixed.mean(axis=0)) < 1e3)
    ours = canonical_correlations(A, B)
    # Rounding, amplified by the condition of the mixing, at most 1e3.
    np.testing.assert_allclose(canonical_correlations(mixed, B), ours, atol=1e-11)
    np.testing.assert_allclose(canonical_correlations(B, mixed), ours, atol=1e-11)
    assert (np.diff(ours) <= 0).all()
    assert ours.min() >= 0
    assert ours.max() <= 1


def test_canonical_correlations_do_not_mind_very_different_units() -> None:
    scaled = A * [1e-12, 1.0, 1e12]
    # Columns are standardised first, so nothing is lost but rounding.
    np.testing.assert_allclose(
        canonical_correlations(scaled, B), canonical_correlations(A, B), atol=1e-13
    )


def test_one_column_each_gives_the_plain_correlation_without_its_sign() -> None:
    expected = abs(np.corrcoef(A[:, 0], B[:, 1])[0, 1])
    for a, b in ((A[:, 0], B[:, 1]), (A[:, :1], -B[:, 1:2])):
        assert canonical_correlations(a, b) == pytest.approx([expected], rel=1e-13)


def test_columns_that_repeat_or_do_not_vary_add_nothing() -> None:
    more = np.column_stack([A, A[:, 0] - 2 * A[:, 1], np.full(12, 1e6), np.zeros(12)])
    np.testing.assert_allclose(
        canonical_correlations(more, B), canonical_correlations(A, B), atol=1e-12
    )


@pytest.mark.parametrize("offset", [0.0, 1e5, 1e8])
def test_a_large_offset_costs_only_the_digits_it_must(offset: float) -> None:
    # The offset leaves 16 - log10(offset) digits of the columns.
    tolerance = 1e-13 * max(offset, 1.0)
    np.testing.assert_allclose(
        canonical_correlations(A + offset, B), canonical_correlations(A, B), atol=tolerance
    )


def test_maps_of_different_numbers_of_objects_are_counted() -> None:
    for compare in (procrustes, canonical_correlations):
        with pytest.raises(LengthMismatch, match="has 12 objects, the other 11"):
            compare(A, B[1:])  # type: ignore[operator]


@pytest.mark.parametrize("flat", [np.ones((12, 2)), np.zeros((12, 0)), np.full(12, 1e9)])
def test_columns_without_spread_cannot_be_correlated(flat: np.ndarray) -> None:
    for pair in ((A, flat), (flat, A)):
        with pytest.raises(DegenerateComparison, match="does not vary") as info:
            canonical_correlations(*pair)
        assert "spread" in info.value.remedy


def test_a_gap_is_not_quietly_left_out_of_a_comparison() -> None:
    gappy = A.copy()
    gappy[3, 1] = np.nan
    for compare in (procrustes, canonical_correlations):
        with pytest.raises(DegenerateComparison):
            compare(gappy, B)  # type: ignore[operator]


@pytest.mark.parametrize("signs", [(1, 1, 1), (-1, 1, 1), (1, -1, -1), (-1, -1, -1)])
def test_axes_that_may_not_be_turned_are_mirrored_to_point_as_before(
    signs: tuple[int, int, int],
) -> None:
    points = principal_axes(A)
    assert facing(points * signs, points + 5.0) == pytest.approx(points)


def test_without_axes_there_is_nothing_to_mirror() -> None:
    assert facing(A[:, :0], A).shape == (12, 0)
