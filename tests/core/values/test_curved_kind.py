"""A quantity that may act along a curve: few, uncorrelated columns, whatever its unit is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.errors import UnsuitableFeature
from cml_core.evidence.known_weights import known_weights
from cml_core.values.arrays import FloatArray
from cml_core.values.natural_spline import natural_spline

RANDOM = np.random.default_rng(3)
NAN = np.nan


def curved(values: object) -> Feature:
    return Feature.of("curved", "Price", values)


def observed(feature: Feature) -> FloatArray:
    return feature.columns()[~feature.missing]


@pytest.mark.parametrize(
    ("values", "columns"),
    [
        (RANDOM.normal(size=40), 3),
        (RANDOM.integers(1, 8, 40), 3),
        ([1, 2, 3, 4], 3),
        ([1, 2, 3, 1, 2, NAN], 2),
        ([0, 1, 0, 1], 1),
        # Half of the objects share one value; knots at quantiles of all would coincide.
        ([0] * 8 + [1, 2, 3, 4, 5], 3),
        # Seen from the last value all others are one: what is left of a third column is rounding.
        ([*(1e-9 * np.arange(20)), 1.0], 2),
        (10 ** RANDOM.uniform(0, 6, 50), 3),
        ([1e308, -1e308, 3e307, 5e307, -2e307], 3),
    ],
)
def test_columns_are_uncorrelated_and_as_many_as_the_values_allow(
    values: object, columns: int
) -> None:
    feature = curved(values)
    assert len(feature.column_names()) == columns
    found = observed(feature)
    # Columns that the decomposition just keeps have lost half of their sixteen digits.
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(found.T @ found / len(found), np.eye(columns), atol=1e-8)


def test_the_first_column_is_the_quantity_itself_and_those_after_it_bend() -> None:
    feature = curved(RANDOM.normal(size=30))
    columns, values = feature.columns(), feature.values
    # One solution of a small triangular system away from the values.
    np.testing.assert_allclose(
        columns[:, 0], (values - values.mean()) / values.std(), rtol=0, atol=1e-13
    )
    assert feature.column_names() == ("Price", "Price (bend 1)", "Price (bend 2)")


def test_beyond_its_outer_knots_a_curve_is_straight() -> None:
    spline = natural_spline(np.arange(21.0))
    assert spline is not None
    for ends in (np.linspace(20, 30, 5), np.linspace(-10, 0, 5)):
        # Cubes of up to 30 knots' distances cancel here.
        np.testing.assert_allclose(np.diff(spline.at(ends), 2, axis=0), 0, atol=1e-10)
    inside = spline.at(np.linspace(5, 15, 5))
    assert np.abs(np.diff(inside[:, 1:], 2, axis=0)).max() > 0.1


@given(
    st.lists(st.integers(-50, 50), min_size=3, max_size=20),
    st.sampled_from([1e-3, 0.5, 32.0, 1e5]),
    st.integers(-1000, 1000),
)
@settings(max_examples=50)
def test_the_unit_and_the_zero_of_a_quantity_change_no_column(
    values: list[int], unit: float, zero: int
) -> None:
    # Whole numbers, so that moving their zero rounds nothing away.
    given_so = curved(np.array(values, dtype=float))
    otherwise = curved(unit * (np.array(values) + float(zero)))
    assert given_so.column_names() == otherwise.column_names()
    # Values near 1000 units from zero have three digits less.
    np.testing.assert_allclose(given_so.columns(), otherwise.columns(), atol=1e-9)


@pytest.mark.parametrize("values", [[5.0, 5.0, NAN], [1e15, 1e15 + 1, NAN]])
def test_values_that_are_all_alike_are_a_column_of_zeros(values: list[float]) -> None:
    feature = curved(values)
    np.testing.assert_array_equal(feature.columns(), [[0.0], [0.0], [NAN]])
    np.testing.assert_array_equal(feature.decoded(np.array([[0.0], [7.0]])), values[:1] * 2)


def test_what_lies_beside_the_curve_is_the_value_of_its_nearest_point() -> None:
    feature = curved(np.arange(11.0))
    spline = natural_spline(feature.values)
    assert spline is not None
    beside = spline.at(np.array([3.3, 20.0, -4.0])) + 1e-3
    # To the 256th part of the range; beyond the range the ends are nearest.
    np.testing.assert_allclose(feature.decoded(beside), [3.3, 10.0, 0.0], atol=10 / 256)


VALUES = np.linspace(-1, 1, 24)


def bent_problem(feature: Feature, coef: str = "full") -> Problem:
    """Distances that one hidden dimension and a curve of `VALUES` make exactly."""
    labels = tuple(f"object {k}" for k in range(VALUES.size))
    hidden = np.random.default_rng(8).normal(size=VALUES.size)
    places = curved(VALUES).columns() @ [1.5, 0.7, 0.5]
    known = FeatureTable(labels, (feature,))
    apart = Dissimilarities(labels, pdist(np.column_stack([hidden, places])))
    return Problem(apart, known, n_components=1, coef=coef)


def test_a_fit_finds_a_curve_that_a_straight_line_misses() -> None:
    # Exact data; a fit of them stops a little above zero.
    assert fit(bent_problem(curved(VALUES)), seed=0).stress < 1e-8
    assert fit(bent_problem(Feature.numeric("Price", VALUES)), seed=0).stress > 1e-2


def test_a_gap_is_filled_with_a_value_that_there_can_be() -> None:
    with_gap = VALUES.copy()
    with_gap[20] = NAN
    (filled,) = fit(bent_problem(curved(with_gap)), seed=0).imputed()
    assert isinstance(filled.value, float)
    # Exact data, and values told to the 256th part of their range.
    assert filled.value == pytest.approx(VALUES[20], abs=2 / 256)
    # A value on the curve, so the map bears it out; in columns, which B weighs, it is 1.5 off.
    assert not filled.unsure


def test_one_weight_for_each_feature_is_refused_for_it_cannot_bend_a_curve() -> None:
    with pytest.raises(UnsuitableFeature, match="Price may act along a curve") as info:
        bent_problem(curved(VALUES), coef="diagonal")
    assert "numeric" in info.value.remedy


def test_its_weight_is_told_in_its_own_units() -> None:
    (weight,) = known_weights(fit(bent_problem(curved(VALUES)), seed=0)).features
    assert (weight.kind, weight.step) == ("curved", "from one object to another")
    # The standard deviation of the values themselves; sums of 24 numbers.
    assert weight.spread == pytest.approx(VALUES.std(), rel=1e-12)
    # From one object to another the squared distance is twice the variance about the mean.
    assert weight.per_step == pytest.approx(2 * weight.per_spread * 24 / 23, rel=1e-12)
