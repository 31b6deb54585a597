"""What is known, and how much it weighs."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, fit, load_dataset
from cml_core.errors import UnknownOption
from cml_core.evidence.known_weights import KnownWeights, known_weights

N = 24
RANDOM = np.random.default_rng(7)
HIDDEN = RANDOM.normal(size=(N, 2))
AGE = Feature.numeric("Age", 40 + 10 * RANDOM.normal(size=N))
SIZE = Feature.ordinal("Size", RANDOM.choice(["S", "M", "L"], N), ["S", "M", "L"])
TEAM = Feature.categorical("Team", RANDOM.choice(["red", "green", "blue", "grey"], N))
HOUR = Feature.circular("Hour", 24 * RANDOM.uniform(size=N), 24)


def exact_fit(amounts: list[float], *features: Feature, **options: object) -> Fit:
    """A fit of distances that these features and two hidden dimensions make exactly."""
    labels = tuple(f"object {i}" for i in range(N))
    table = FeatureTable(labels, features)
    seen = table.encoded().values * amounts
    objects = Dissimilarities(labels, pdist(np.hstack([HIDDEN, seen])))
    return fit(Problem(objects, table, 2, **options), seed=0)


@pytest.fixture(scope="module")
def mixed() -> Fit:
    return exact_fit([0.1, 0.7, 1, 1, 1, 1.3, 1.3], AGE, SIZE, TEAM, HOUR)


@pytest.fixture(scope="module")
def uneven() -> Fit:
    """No two directions are equally long, so that each has one place in the order."""
    return exact_fit([0.1, 0.7, 0.8, 1, 1.2, 1.3, 1.5], AGE, SIZE, TEAM, HOUR)


@pytest.fixture(scope="module")
def weights(mixed: Fit) -> KnownWeights:
    return known_weights(mixed)


def test_one_step_adds_what_was_put_in(weights: KnownWeights) -> None:
    # Coefficients .1, .7, 1, 1.3: a unit adds .01, a level .49, another category 2 (contrasts
    # are the square root of 2 apart), the opposite angle (2 * 1.3)^2. Fits of exact data stop
    # at a relative error of 1e-4 or less.
    steps = {one.feature: one.per_step for one in weights.features}
    assert steps == pytest.approx({"Age": 0.01, "Size": 0.49, "Team": 2, "Hour": 6.76}, rel=1e-3)
    assert [one.step for one in weights.features] == [
        "one unit",
        "one level",
        "another category",
        "the opposite angle",
    ]


def test_one_step_is_the_mean_over_categories_that_occur() -> None:
    some = Feature.categorical("Team", TEAM.shown(), ["pink", *TEAM.levels])
    found = exact_fit([1, 2, 3, 4], some)
    own = np.unique(some.columns(), axis=0)
    places = own @ found.coef
    expected = np.mean([((a - b) ** 2).sum() for a, b in combinations(places, 2)])
    assert known_weights(found).features[0].per_step == pytest.approx(expected)


def test_the_opposite_angle_is_the_mean_over_all_angles(mixed: Fit) -> None:
    own = mixed.coef[mixed.problem.encoding.block == 3]
    angles = 2 * np.pi * np.arange(360) / 360
    steps = 2 * np.column_stack([np.cos(angles), np.sin(angles)]) @ own
    expected = (steps**2).sum(axis=1).mean()
    assert known_weights(mixed).features[3].per_step == pytest.approx(expected)


def test_one_spread_adds_what_so_many_steps_add(mixed: Fit, weights: KnownWeights) -> None:
    age, size, team, hour = weights.features
    assert age.spread == pytest.approx(AGE.values.std())
    for one in (age, size):
        assert one.per_spread == pytest.approx(one.per_step * one.spread**2)
    assert np.isnan([team.spread, hour.spread]).all()
    # The mean squared distance of all pairs is twice that from the mean.
    own = mixed.problem.encoding.block == 2
    pairs = pdist(mixed.known_values[:, own] @ mixed.coef[own]) ** 2
    assert team.per_spread == pytest.approx(pairs.sum() / N**2)


def test_shares_are_those_of_the_fit(mixed: Fit, weights: KnownWeights) -> None:
    assert {one.feature: one.share for one in weights.features} == mixed.contributions()


def test_directions_rebuild_what_b_does(weights: KnownWeights) -> None:
    loadings = np.column_stack([one.loadings for one in weights.directions])
    np.testing.assert_allclose(loadings @ loadings.T, weights.gram, atol=1e-9)
    across = loadings.T @ loadings
    np.testing.assert_allclose(across, np.diag(np.diag(across)), atol=1e-9)
    assert all(one.loadings[np.abs(one.loadings).argmax()] > 0 for one in weights.directions)
    shares = [one.share for one in weights.directions]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)


def test_the_diagonal_of_the_gram_is_what_a_spread_of_numbers_adds(weights: KnownWeights) -> None:
    age, size, *_ = weights.features
    assert weights.gram[0, 0] == pytest.approx(age.per_spread)
    assert weights.gram[1, 1] == pytest.approx(size.per_spread)


def test_shares_of_directions_are_those_of_the_weighted_pairs() -> None:
    pair_weights = np.random.default_rng(3).uniform(0.1, 2, N * (N - 1) // 2)
    found = exact_fit([0.1, 0.7], AGE, SIZE, weights=pair_weights)
    weights = known_weights(found)
    standard = (found.known_values - found.known_values.mean(axis=0)) / found.known_values.std(
        axis=0
    )
    made = [
        (found.problem.pair_weights * pdist(standard @ one.loadings[:, None]) ** 2).sum()
        for one in weights.directions
    ]
    total = (found.problem.pair_weights * pdist(found.known_values @ found.coef) ** 2).sum()
    assert sum(one.share for one in weights.directions) == pytest.approx(1)
    assert [one.share for one in weights.directions] == pytest.approx(np.array(made) / total)


def test_columns_are_named_in_words(weights: KnownWeights) -> None:
    first, second, third, fourth = TEAM.levels
    assert weights.columns == (
        "Age",
        "Size",
        f"Team: {first} against {second}",
        f"Team: {first}, {second} against {third}",
        f"Team: {first}, {second}, {third} against {fourth}",
        "Hour (cos)",
        "Hour (sin)",
    )


def same(a: KnownWeights, b: KnownWeights) -> None:
    """Equal but for rounding."""
    np.testing.assert_allclose(a.gram, b.gram, atol=1e-9)
    assert len(a.directions) == len(b.directions)
    for one, other in zip(a.directions, b.directions, strict=True):
        assert one.share == pytest.approx(other.share)
        np.testing.assert_allclose(one.loadings, other.loadings, atol=1e-6)
    for one, other in zip(a.features, b.features, strict=True):
        for name in ("per_step", "per_spread", "share", "leak_linear", "leak_smooth"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9)


@given(st.integers(0, 1000))
@settings(max_examples=15)
def test_turning_b_and_the_map_changes_nothing(uneven: Fit, seed: int) -> None:
    random = np.random.default_rng(seed)
    turn_b, turn_u = (np.linalg.qr(random.normal(size=(k, k)))[0] for k in (7, 2))
    best = replace(uneven.best, coef=uneven.coef @ turn_b, embedding=uneven.embedding @ turn_u)
    same(known_weights(replace(uneven, best=best)), known_weights(uneven))


def test_the_unit_of_a_feature_changes_only_its_step() -> None:
    metres = AGE.with_values(AGE.values / 1000)
    before = known_weights(exact_fit([0.1, 0.7], AGE, SIZE))
    after = known_weights(exact_fit([100, 0.7], metres, SIZE))
    # Two fits of the same data end within a relative 1e-4 of each other.
    np.testing.assert_allclose(after.gram, before.gram, rtol=1e-3, atol=1e-3)
    assert after.features[0].per_step == pytest.approx(1e6 * before.features[0].per_step, rel=1e-3)
    assert after.features[0].per_spread == pytest.approx(before.features[0].per_spread, rel=1e-3)


def test_the_order_of_categories_changes_no_direction() -> None:
    turned = Feature.categorical("Team", TEAM.shown(), TEAM.levels[::-1])
    before, after = (known_weights(exact_fit([1, 1, 1], team)) for team in (TEAM, turned))
    shares = [[one.share for one in weights.directions] for weights in (before, after)]
    # With equal weights of all contrasts, directions of one size can turn into each other.
    assert sum(shares[0]) == pytest.approx(sum(shares[1]))
    assert np.trace(before.gram) == pytest.approx(np.trace(after.gram), rel=1e-3)
    assert before.features[0].per_step == pytest.approx(after.features[0].per_step, rel=1e-3)


def test_with_a_diagonal_b_every_direction_is_one_feature() -> None:
    weights = known_weights(exact_fit([0.1, 0.7], AGE, SIZE, coef="diagonal"))
    assert [np.count_nonzero(one.loadings) for one in weights.directions] == [1, 1]


def test_a_known_feature_that_repeats_another_makes_no_direction_of_its_own() -> None:
    twice = exact_fit([0.1, 0.1], AGE, AGE.renamed("Years"))
    assert len(known_weights(twice).directions) == 1


def test_what_the_map_still_shows_of_a_feature_is_its_leak() -> None:
    found = exact_fit([0.7], SIZE)
    clean = known_weights(found)
    assert not clean.features[0].leaks
    assert "seems free of it" in clean.verdict
    places = np.column_stack([SIZE.values, HIDDEN[:, 0]])
    leaky = known_weights(replace(found, best=replace(found.best, embedding=places)))
    assert leaky.features[0].leak_linear == pytest.approx(1)
    assert leaky.features[0].leak >= leaky.features[0].leak_linear
    assert leaky.features[0].leaks
    assert "100 % of Size can be predicted" in leaky.verdict


def test_a_leak_by_chance_is_not_called_one() -> None:
    found = exact_fit([0.7], SIZE)
    random = np.random.default_rng(0)
    leaks = [
        known_weights(
            replace(found, best=replace(found.best, embedding=random.normal(size=(N, 2))))
        ).features[0]
        for _ in range(100)
    ]
    # One in twenty by construction: 5 of 100, with a standard deviation of 2.2; three of these.
    assert sum(one.leaks for one in leaks) <= 12


def test_missing_entries_do_not_count_as_leaks() -> None:
    values = AGE.values.copy()
    values[:3] = np.nan
    found = exact_fit_with_gaps(AGE.with_values(values))
    weights = known_weights(found)
    assert weights.features[0].spread == pytest.approx(found.known_values.std())
    assert np.isfinite(weights.features[0].leak)


def exact_fit_with_gaps(feature: Feature) -> Fit:
    labels = tuple(f"object {i}" for i in range(N))
    objects = Dissimilarities(labels, pdist(np.column_stack([HIDDEN, 0.1 * AGE.values])))
    return fit(Problem(objects, FeatureTable(labels, (feature,)), 2), seed=0)


def test_with_nothing_known_nothing_weighs() -> None:
    weights = known_weights(
        exact_fit(
            [],
        )
    )
    assert weights.features == weights.columns == weights.directions == ()
    assert weights.gram.shape == (0, 0)
    assert weights.verdict.startswith("Nothing is known")


def test_a_constant_feature_weighs_nothing() -> None:
    weights = known_weights(exact_fit([0.0], Feature.numeric("Planet", [3.0] * N)))
    assert weights.features[0].per_spread == weights.features[0].share == 0
    assert weights.directions == ()
    assert weights.verdict == "What is known makes nothing of the distances."


def test_a_single_category_has_no_other() -> None:
    weights = known_weights(exact_fit([0.0], Feature.categorical("Planet", ["Earth"] * N)))
    assert weights.features[0].per_step == 0
    assert weights.columns == ("Planet [1]",)


def test_a_map_of_no_dimension_has_no_leak() -> None:
    found = exact_fit([0.7], SIZE)
    flat = fit(replace(found.problem, n_components=0), seed=0)
    one = known_weights(flat).features[0]
    assert (one.leak_linear, one.leak_smooth, one.leaks) == (0, 0, False)


def test_the_verdict_names_shares_and_what_corrects(weights: KnownWeights) -> None:
    age, size, *_ = weights.features
    only = replace(weights, features=(replace(age, share=0.5),))
    assert "makes 50 % of the squared distances in this fit, all of it by Age." in only.verdict
    two = (replace(age, share=0.5), replace(size, share=-0.1))
    assert "Age 125 %. Size mainly corrects the others." in replace(weights, features=two).verdict
    three = (*two, replace(size, feature="Other", share=-0.1))
    said = replace(weights, features=three).verdict
    assert "Size, Other mainly correct the others." in said


def test_the_kinship_terms_are_read_as_they_are_known() -> None:
    data = load_dataset("kinship14")
    table = data.feature_table().select(["Gender", "Degree"])
    weights = known_weights(fit(Problem(data.values(), table, 2), seed=0))
    assert weights.columns == ("Gender: male against female", "Degree")
    assert "Of that, the shares are: Gender " in weights.verdict
    gender, degree = weights.features
    # Degree is told by the map in a curved way only: its most distant terms lie apart.
    assert degree.leak_smooth > 0.5 > degree.leak_linear
    # But the terms are seven couples, and it is not rare that the others tell a couple so well.
    assert not degree.leaks
    assert not gender.leaks


def test_results_are_read_only_and_speak_for_themselves(weights: KnownWeights) -> None:
    again = pickle.loads(pickle.dumps(weights))
    assert not again.gram.flags.writeable
    assert not weights.directions[0].loadings.flags.writeable
    assert repr(weights) == f"KnownWeights({weights.verdict})"
    assert repr(weights.directions[0]).startswith("Direction(")


def test_the_seed_is_kept_and_checked(mixed: Fit) -> None:
    assert known_weights(mixed, seed=5).seed == 5
    with pytest.raises(UnknownOption, match="seed"):
        known_weights(mixed, seed=-1)


def test_tables_tell_what_columns_do_together_and_what_directions_are_made_of(
    weights: KnownWeights,
) -> None:
    together = weights.columns_together().frame()
    assert together.iloc[:, 0].tolist() == list(weights.columns)
    assert together.iloc[:, 1:].to_numpy() == pytest.approx(weights.gram)
    combined = weights.combined_directions().frame()
    loadings = np.column_stack([one.loadings for one in weights.directions])
    assert combined.iloc[:, 1:].to_numpy() == pytest.approx(loadings)
    assert repr(weights) == f"KnownWeights({weights.verdict})"
