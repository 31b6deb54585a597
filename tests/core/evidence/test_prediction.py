"""How well places on a map predict a feature, each object left out in turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from cml_core import Feature
from cml_core.evidence import prediction as p
from cml_core.evidence.dealing import p_value
from cml_core.fitting.geometry import canonical_correlations

EVERYONE = np.ones(20, dtype=bool)


def map_of(n: int = 20, dimensions: int = 2, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, dimensions))


def column_of(places: np.ndarray, noise: float = 0.3, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    return places[:, :1] + noise * random.normal(size=(len(places), 1))


def fitted_to(places: np.ndarray) -> tuple[p.Smoother, ...]:
    return p.smoothers(p.predictors(places), np.ones(len(places), dtype=bool))


def share_left_out(columns: np.ndarray, predicted: np.ndarray) -> float:
    """One minus the squared error over that of the mean of all others, from the definition."""
    n = len(columns)
    others = (columns.sum(axis=0) - columns) / (n - 1)
    return 1 - ((columns - predicted) ** 2).sum() / ((columns - others) ** 2).sum()


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("width", [1, 3])
def test_the_plane_predicts_as_regression_does_with_each_object_left_out(
    dimensions: int, width: int
) -> None:
    places = map_of(dimensions=dimensions)
    columns = np.hstack([column_of(places, seed=k) for k in range(width)])
    left_out = cross_val_predict(LinearRegression(), places, columns, cv=LeaveOneOut())
    expected = share_left_out(columns, left_out.reshape(columns.shape))
    found = p.prediction(fitted_to(places), columns)
    # The penalty that keeps the plane defined is a billionth of its spread.
    assert found.linear == pytest.approx(expected, abs=1e-7)
    if width == 1:
        in_sample = LinearRegression().fit(places, columns).score(places, columns)
        assert found.correlation == pytest.approx(np.sqrt(in_sample), abs=1e-7)
        assert found.correlation == pytest.approx(canonical_correlations(places, columns)[0])


@pytest.mark.parametrize("k", [0, 1, 2])
def test_the_closed_form_is_what_refitting_without_the_object_gives(k: int) -> None:
    places, predictor = map_of(), p.predictors(map_of())[k]
    column = column_of(places)
    predicted = np.empty_like(column)
    for i in range(len(places)):
        others = np.arange(len(places)) != i
        values, known = predictor.values[others], column[others]
        origin = values.mean(axis=0)
        scatter = (values - origin).T @ (values - origin)
        penalty = predictor.penalty * np.eye(values.shape[1])
        weights = np.linalg.solve(scatter + penalty, (values - origin).T @ known)
        predicted[i] = known.mean(axis=0) + (predictor.values[i] - origin) @ weights
    smoother = predictor.fitted(EVERYONE)
    found = 1 - smoother.squared_errors(p.centred(column)).sum() / (
        (p.centred(column) ** 2).sum() * (20 / 19) ** 2
    )
    # What is damped below a thousandth is dropped from the closed form.
    assert found == pytest.approx(share_left_out(column, predicted), abs=1e-3)


def test_a_smoother_predicts_at_the_objects_what_it_fits_there() -> None:
    places = map_of()
    values = p.centred(column_of(places))
    for smoother in fitted_to(places):
        fitted = values - smoother.errors(values)
        # Dropped functions carry less than a thousandth of their share.
        np.testing.assert_allclose(smoother.at(places, values[:, 0]), fitted[:, 0], atol=1e-6)


def test_a_surface_finds_what_no_plane_can() -> None:
    places = map_of(60)
    bowl = (places**2).sum(axis=1)[:, None]
    found = p.prediction(fitted_to(places), bowl)
    assert found.linear < 0.3
    assert found.smooth > 0.7


def test_columns_of_a_feature_are_judged_together() -> None:
    places = map_of()
    straight, noise = places[:, :1], map_of(seed=5)[:, :1]
    one, other, both = (
        p.prediction(fitted_to(places), columns).linear
        for columns in (straight, noise, np.hstack([straight, noise]))
    )
    assert other < both < one
    assert one == pytest.approx(1)


_shifts = st.floats(-5, 5)
_scales = st.floats(0.01, 100)


@given(st.floats(0, 2 * np.pi), st.booleans(), _scales, _shifts, _scales, _shifts)
@settings(max_examples=30)
def test_turning_mirroring_scaling_and_units_change_nothing(
    angle: float, mirrored: bool, scale: float, shift: float, unit: float, offset: float
) -> None:
    places = map_of()
    columns = column_of(places)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn * ([1, -1] if mirrored else [1, 1])
    before = p.prediction(fitted_to(places), columns)
    after = p.prediction(fitted_to(scale * places @ turn + shift), unit * columns + offset)
    # Shifts of 500 spreads cost three of the digits, decompositions a few more.
    for name in ("correlation", "linear", "smooth"):
        assert getattr(after, name) == pytest.approx(getattr(before, name), abs=1e-6)


@given(st.permutations(range(20)))
@settings(max_examples=20)
def test_the_order_of_the_objects_changes_nothing(order: list[int]) -> None:
    places = map_of()
    columns = column_of(places)
    before = p.prediction(fitted_to(places), columns)
    after = p.prediction(fitted_to(places[order]), columns[order])
    assert after.linear == pytest.approx(before.linear, abs=1e-9)
    assert after.smooth == pytest.approx(before.smooth, abs=1e-9)


@pytest.mark.slow
def test_where_bumps_stand_does_not_depend_on_the_order_of_many_objects() -> None:
    places = map_of(p.MOST_BUMPS + 50)
    columns = column_of(places)
    order = np.random.default_rng(2).permutation(len(places))
    before = p.prediction(fitted_to(places), columns)
    after = p.prediction(fitted_to(places[order]), columns[order])
    assert after.smooth == pytest.approx(before.smooth, abs=1e-9)
    assert before.smooth > 0.8


@pytest.mark.parametrize(
    "places",
    [np.zeros((20, 0)), np.zeros((20, 2)), np.full((20, 2), 1e6)],
    ids=["no dimension", "one place", "one place far off"],
)
def test_a_map_without_extent_predicts_nothing(places: np.ndarray) -> None:
    assert p.predictors(places) == ()
    fitted = p.smoothers(p.predictors(places), EVERYONE)
    assert p.prediction(fitted, column_of(map_of())) == p.Prediction(0, 0, 0)
    assert p_value(fitted, column_of(map_of()), 9, 0) == 1


@pytest.mark.parametrize(
    "columns",
    [np.zeros((20, 1)), np.full((20, 2), 7.1), np.full((20, 1), 1e9), np.zeros((20, 0))],
    ids=["zeros", "constant", "large", "none"],
)
def test_what_does_not_vary_is_not_predicted(columns: np.ndarray) -> None:
    fitted = fitted_to(map_of())
    assert p.prediction(fitted, columns) == p.Prediction(0, 0, 0)
    assert p_value(fitted, columns, 9, 0) == 1


def test_too_few_values_say_nothing() -> None:
    rows = np.arange(20) < p.FEWEST_VALUES - 1
    assert p.smoothers(p.predictors(map_of()), rows) == ()
    assert not p.is_testable(map_of()[rows])


def test_objects_in_one_place_predict_each_other() -> None:
    half = map_of(10)
    places, columns = np.vstack([half, half]), np.tile(map_of(10, 1, seed=3), (2, 1))
    alone = p.prediction(fitted_to(half), columns[:10])
    together = p.prediction(fitted_to(places), columns)
    assert alone.smooth < 0.5 < together.smooth


def test_an_object_alone_in_a_direction_is_predicted_by_the_others() -> None:
    places = np.zeros((8, 2))
    places[:7, 0], places[7, 1] = np.arange(7), 5.0
    column = np.array([[0.0, 1, 2, 3, 4, 5, 6, 100]]).T
    # Without it, the second coordinate says nothing, and the plane is the line through the rest:
    # its value at the first coordinate of the lone object, which is 0, is 0.
    others = np.zeros((8, 1))
    for i in range(7):
        others[i] = i
    fitted = fitted_to(places)
    assert p.prediction(fitted, column).linear == pytest.approx(
        share_left_out(column, others), abs=1e-5
    )


def test_values_of_any_size_are_taken() -> None:
    places = map_of()
    columns = column_of(places)
    expected = p.prediction(fitted_to(places), columns)
    for unit in (1e-300, 1e300):
        assert p.prediction(fitted_to(places), unit * columns).smooth == pytest.approx(
            expected.smooth
        )


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        (Feature.numeric("a", [3, np.nan, 5]), [3, np.nan, 5]),
        (Feature.ordinal("a", ["l", "h", None], ["l", "h"]), [0, 1, np.nan]),
        (Feature.categorical("a", ["x", None, "y"]), [0, np.nan, 1]),
        (Feature.categorical("a", ["x", "x", "z"], ["x", "y", "z"]), [0, 0, 1]),
        (Feature.categorical("a", ["x", None, "x"]), [1, np.nan, 1]),
    ],
    ids=["numeric", "ordinal", "two categories", "two that occur", "one category"],
)
def test_a_feature_has_heights_where_it_has_a_direction(
    feature: Feature, expected: list[float]
) -> None:
    np.testing.assert_array_equal(feature.heights(), expected)


def test_angles_and_several_categories_have_no_heights() -> None:
    assert Feature.circular("a", [0, 90, 180]).heights() is None
    assert Feature.categorical("a", ["x", "y", "z"]).heights() is None
