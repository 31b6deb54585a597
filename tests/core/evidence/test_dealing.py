"""The same values dealt out to the objects, those that lie together as one."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from cml_core.evidence import dealing, prediction
from cml_core.evidence.dealing import by_size, left_by, orders, p_value
from cml_core.evidence.over_known import over_known
from cml_core.evidence.together import Gathered, apart

EVERYONE = np.ones(20, dtype=bool)
COUPLES = np.repeat(np.arange(10), 2)
AS_COUPLES = Gathered(COUPLES, np.arange(20))


def map_of(n: int = 20, dimensions: int = 2, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, dimensions))


def column_of(places: np.ndarray, noise: float = 0.3, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    return places[:, :1] + noise * random.normal(size=(len(places), 1))


def fitted_to(places: np.ndarray) -> tuple[prediction.Smoother, ...]:
    everyone = np.ones(len(places), dtype=bool)
    return prediction.smoothers(prediction.predictors(places), everyone)


def test_the_p_value_counts_dealings_that_are_predicted_as_well() -> None:
    places = map_of()
    columns, fitted = column_of(places, noise=2.0), fitted_to(places)
    found = prediction.prediction(fitted, columns)
    as_well = 0
    for order in orders(apart(20), 99, np.random.default_rng(4)):
        dealt = prediction.prediction(fitted, columns[order])
        as_well += max(dealt.linear, dealt.smooth) >= max(found.linear, found.smooth) - 1e-9
    assert 0 < as_well < 99
    assert p_value(fitted, columns, 99, 4) == (1 + as_well) / 100


def test_what_is_known_is_taken_out_of_a_feature_and_of_every_dealing() -> None:
    places, known = map_of(), map_of(20, 1, seed=8)
    fitted = fitted_to(np.hstack([places, 2 * known]))
    plane = over_known(known, 2)
    related = known + 0.5 * map_of(20, 1, seed=9)
    alone = p_value(fitted, related, 199, 0)
    assert alone < 0.05 < p_value(fitted, related, 199, 0, over_known=plane)
    rest = related - LinearRegression().fit(known, related).predict(known)
    np.testing.assert_allclose(left_by(plane, related - related.mean()), rest, atol=1e-12)
    hidden = known + places[:, :1]
    assert p_value(fitted, hidden, 199, 0, over_known=plane) == 1 / 200


def test_dealings_come_in_parts_where_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    places = map_of()
    columns, fitted = column_of(places, noise=2.0), fitted_to(places)
    whole = p_value(fitted, columns, 99, 0)
    monkeypatch.setattr(dealing, "BLOCK", 200)
    assert p_value(fitted, columns, 99, 0) == whole


def test_the_lowest_p_value_is_reached_by_a_perfect_prediction() -> None:
    places = map_of()
    assert p_value(fitted_to(places), places[:, :1], 99, 0) == 0.01


def test_false_alarms_are_as_rare_as_the_p_value_says() -> None:
    random = np.random.default_rng(0)
    found = []
    for _ in range(200):
        fitted = fitted_to(random.uniform(size=(15, 2)))
        columns = random.exponential(size=(15, 1))
        found.append(p_value(fitted, columns, 99, int(random.integers(99))))
    # The test is exact: at 5 % a count of 200 tests is binomial with mean 10 and standard
    # deviation 3.1; four of these are allowed, for the seed is fixed anyway. Likewise at 50 %.
    assert 0 < np.sum(np.array(found) <= 0.05) <= 22
    assert abs(np.sum(np.array(found) <= 0.5) - 100) <= 28


def test_what_couples_share_is_no_alarm_where_they_are_dealt_out_as_couples() -> None:
    random = np.random.default_rng(0)
    apart, coupled = [], []
    for _ in range(100):
        places = random.normal(size=(10, 2))[COUPLES] + 0.05 * random.normal(size=(20, 2))
        shared = random.normal(size=(10, 1))[COUPLES]
        fitted = fitted_to(places)
        apart.append(p_value(fitted, shared, 99, 0))
        coupled.append(p_value(fitted, shared, 99, 0, gathered=AS_COUPLES))
    # A binomial count of 100 with mean 5 and standard deviation 2.2; four of these are allowed.
    assert np.sum(np.array(coupled) <= 0.05) <= 14
    assert np.sum(np.array(apart) <= 0.05) > 60


def test_each_group_is_predicted_from_the_others_alone() -> None:
    places = map_of()
    columns = prediction.centred(column_of(places))
    groups = np.array([0, 0, 1, 1, 1, *range(2, 17)])
    predictor = prediction.predictors(places)[1]
    judge = dealing._group_out(predictor.fitted(EVERYONE), by_size(groups))
    squared = 0.0
    for group in range(17):
        others = groups != group
        values, known = predictor.values[others], columns[others]
        origin = values.mean(axis=0)
        penalty = predictor.penalty * np.eye(values.shape[1])
        scatter = (values - origin).T @ (values - origin)
        weights = np.linalg.solve(scatter + penalty, (values - origin).T @ known)
        predicted = known.mean() + (predictor.values[~others] - origin) @ weights
        squared += float(((columns[~others] - predicted) ** 2).sum())
    # What is damped below a thousandth is dropped from the closed form.
    assert judge.squared_errors(columns)[0] == pytest.approx(squared, rel=1e-3)


def test_groups_go_whole_to_groups_of_their_size() -> None:
    random = np.random.default_rng(0)
    couples = Gathered(COUPLES[random.permutation(20)], np.arange(20))
    couples = Gathered(couples.groups, np.argsort(couples.groups, kind="stable"))
    dealt = orders(couples, 50, random)
    (rows,) = by_size(couples.groups)
    for order in dealt:
        assert sorted(order) == list(range(20))
        assert {frozenset(order[row]) for row in rows} == {frozenset(row) for row in rows}
    assert len({tuple(order) for order in dealt}) == 50


def test_where_there_are_enough_of_each_size_only_those_change_places() -> None:
    groups = np.repeat(np.arange(11), [2] * 5 + [3] * 4 + [1] * 2)
    sizes = np.bincount(groups)[groups]
    for order in orders(Gathered(groups, np.arange(24)), 50, np.random.default_rng(0)):
        assert sorted(order) == list(range(24))
        assert (sizes[order] == sizes).all()
        assert (np.diff(groups[order])[np.diff(groups) == 0] == 0).all()


def test_among_few_groups_of_many_sizes_most_neighbours_stay_neighbours() -> None:
    groups = np.repeat(np.arange(8), [1, 2, 3, 4, 1, 2, 3, 4])
    stayed = []
    for order in orders(Gathered(groups, np.arange(20)), 50, np.random.default_rng(0)):
        assert sorted(order) == list(range(20))
        stayed.append(np.mean(np.diff(groups[order])[np.diff(groups) == 0] == 0))
    # By themselves 12 of 380 pairs would be of one group.
    assert np.mean(stayed) > 0.5


def test_each_order_of_objects_by_themselves_is_as_likely() -> None:
    dealt = orders(apart(3), 6000, np.random.default_rng(0))
    _, counts = np.unique(dealt, axis=0, return_counts=True)
    # Six counts with mean 1000 and standard deviation 29; five of these are allowed.
    assert counts.size == 6
    assert abs(counts - 1000).max() < 145


def test_sizes_of_groups_are_told_apart() -> None:
    groups = np.array([0, 1, 0, 2, 1, 3, 2, 3, 4, 5, 5, 5])
    assert [rows.tolist() for rows in by_size(groups)] == [
        [[8]],
        [[0, 2], [1, 4], [3, 6], [5, 7]],
        [[9, 10, 11]],
    ]
