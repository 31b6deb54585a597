"""Evidence about very many objects, beside the same from whole tables, and on made-up truth."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Feature, FeatureTable, LandmarkFit, LargeProblem, Measurements, fit_landmarks
from cml_core.errors import UnsuitableMeasurements
from cml_core.evidence.large.baseline import Baseline, baseline
from cml_core.evidence.large.columns_told import columns_told
from cml_core.evidence.large.one_more import sample_help
from cml_core.evidence.large.sums import regression, sums, together
from cml_core.evidence.large.unseen_pairs import unseen_pairs
from cml_core.fitting.geometry import canonical_correlations


def made(hidden_count: int = 2, measure: str = "euclidean", known: bool = True) -> LandmarkFit:
    random = np.random.default_rng(5)
    n = 1200
    hidden = random.uniform(-1.7, 1.7, (n, hidden_count))
    age, group = random.normal(size=n), random.integers(3, size=n)
    inner = np.column_stack([hidden, 1.5 * age, 2.0 * (group[:, None] == range(3))])
    ways = np.linalg.qr(random.normal(size=(20, inner.shape[1])))[0]
    vectors = inner @ ways.T + 0.05 * random.normal(size=(n, 20))
    held = Measurements(vectors, measure)
    features = (
        Feature.numeric("age", age),
        Feature("group", "categorical", group, ("a", "b", "c")),
    )
    problem = LargeProblem(held, FeatureTable(held.names, features if known else ()))
    return fit_landmarks(problem, n_landmarks=200, seed=1)


@pytest.fixture(scope="module")
def two() -> LandmarkFit:
    return made()


def test_sums_by_blocks_are_those_of_the_whole_far_from_zero() -> None:
    table = 1e6 + np.random.default_rng(0).normal(size=(1000, 4))
    found = sums([table[:10], table[10:700], table[700:]])
    np.testing.assert_allclose(found.mean, table.mean(axis=0))
    np.testing.assert_allclose(found.cross, np.cov(table.T, bias=True), atol=1e-9)


def test_sums_of_parts_put_together_are_those_of_the_whole() -> None:
    table = 1e6 + np.random.default_rng(0).normal(size=(5000, 4))
    cut = (0, 1, 700, 3000, 5000)
    found = reduce(together, (sums([table[a:b]]) for a, b in pairwise(cut)))
    whole = sums([table])
    assert found.count == whole.count
    np.testing.assert_allclose(found.mean, whole.mean)
    np.testing.assert_allclose(found.cross, whole.cross, atol=1e-9)


def test_regression_on_repeated_columns_tells_what_one_of_them_does() -> None:
    x = np.random.default_rng(0).normal(size=(100, 2))
    twice = np.column_stack([x, 1e6 * x[:, 0]])
    y = x @ [[2.0], [3.0]]
    slopes = regression(twice.T @ twice, twice.T @ y)
    np.testing.assert_allclose(twice @ slopes, y, atol=1e-6)


def test_regression_and_components_are_those_of_the_whole_table(two: LandmarkFit) -> None:
    vectors = np.asarray(two.problem.measurements.values)
    X = vectors - vectors.mean(axis=0)
    V = two.known_values - two.known_values.mean(axis=0)
    left = X - V @ np.linalg.lstsq(V, X, rcond=None)[0]
    scores = left @ np.linalg.svd(left, full_matrices=False)[2][:2].T
    found = baseline(two)
    expected = canonical_correlations(scores, two.embedding)
    np.testing.assert_allclose(found.correlations, expected, atol=1e-8)


def test_nothing_is_gained_where_all_is_linear_and_the_sentence_says_so(two: LandmarkFit) -> None:
    found = baseline(two)
    assert not found.gained
    assert found.verdict.startswith("Nothing more is gained by the map")


def test_the_map_tells_more_where_one_lies_on_a_curved_surface() -> None:
    random = np.random.default_rng(2)
    angle = random.uniform(0, 2 * np.pi, (1000, 4))
    circles = np.hstack([np.cos(angle), np.sin(angle)])
    held = Measurements(circles)
    found = baseline(
        fit_landmarks(LargeProblem(held, FeatureTable(held.names)), n_landmarks=150, seed=0)
    )
    assert found.gained
    assert found.verdict.startswith("The map tells more")


def test_a_gain_too_small_to_matter_is_not_called_none() -> None:
    apart = Baseline(0.0019, 0.0042, 0.0001, np.array([0.45, 0.16]), 2000, 0)
    assert not apart.gained
    assert apart.verdict.startswith("The map tells hardly more, but shows something else")
    same = replace(apart, map=0.0042)
    assert same.verdict.startswith("The map tells no more, but shows something else")


def test_other_distances_have_no_such_baseline() -> None:
    with pytest.raises(UnsuitableMeasurements, match="cosine"):
        baseline(made(measure="cosine", known=False))


def test_unseen_pairs_are_told_as_well_as_all_pairs(two: LandmarkFit) -> None:
    delta = pdist(np.asarray(two.problem.measurements.values))
    told = pdist(np.hstack([two.embedding, two.known_values @ two.coef]))
    whole = ((delta - told) ** 2).sum() / (delta**2).sum()
    found = unseen_pairs(two)
    assert abs(found.unexplained - whole) < 0.1 * whole + 3 * found.error
    assert f"{found.n_objects:,} objects drawn" in found.verdict


def test_where_all_are_landmarks_no_pair_is_unseen() -> None:
    held = Measurements(np.random.default_rng(0).normal(size=(40, 3)))
    all_of_them = fit_landmarks(LargeProblem(held, FeatureTable(held.names)), seed=0)
    assert "none to judge by" in unseen_pairs(all_of_them).verdict


def test_a_third_direction_is_missed_and_two_are_enough(two: LandmarkFit) -> None:
    enough, missing = (sample_help(one.problem, shuffles=1) for one in (two, made(3)))
    assert not enough.asked[0].helps
    assert missing.asked[0].helps
    assert missing.verdict.startswith("There is more to find")
    assert [one.name for one in enough.asked[1:] if one.helps] == ["age", "group"]
    assert "No chance (p-value) is given" in enough.remarks
    assert "600 of 1,200" in enough.remarks


def test_a_feature_that_says_nothing_does_not_help(two: LandmarkFit) -> None:
    noise = np.random.default_rng(3).normal(size=two.problem.n_objects)
    known = two.problem.known.with_feature(Feature.numeric("noise", noise))
    asked = sample_help(LargeProblem(two.problem.measurements, known), shuffles=2).asked
    assert {one.name: one.helps for one in asked[1:]} == {
        "age": True,
        "group": True,
        "noise": False,
    }


def test_columns_are_ranked_by_how_well_the_whole_map_tells_them(two: LandmarkFit) -> None:
    random, n = np.random.default_rng(4), two.problem.n_objects
    first, second = two.embedding.T
    gaps = first.copy()
    gaps[::3] = np.nan
    found = columns_told(
        two,
        [
            Feature.numeric("noise", random.normal(size=n)),
            Feature.numeric("bent", first**2 + second),
            Feature.numeric("half", first + first.std() * random.normal(size=n)),
            Feature.numeric("gaps", gaps),
            Feature("side", "categorical", (second > 0).astype(float), ("low", "high")),
            Feature.numeric("constant", np.ones(n)),
            *two.problem.known.features,
        ],
    )
    told = {one.feature: one for one in found.told}
    assert "constant" not in told
    assert told["bent"].share > 0.99
    assert told["gaps"].share > 0.99
    assert told["gaps"].n_objects == n - 400
    assert 0.45 < told["half"].share < 0.55
    assert told["side"].share > 0.6
    assert abs(told["noise"].share) < 0.03
    assert told["age"].known
    assert told["age"].already_known > 0.999
    assert [one.known for one in found.told][-2:] == [True, True]
    assert "half" in found.verdict or "bent" in found.verdict


def test_a_share_does_not_depend_on_the_unit_or_the_names_of_groups(two: LandmarkFit) -> None:
    values = two.embedding[:, 0]
    codes = (values > 0).astype(float)
    one, other = (
        columns_told(
            two,
            [
                Feature.numeric("x", scale * values + 7),
                Feature("g", "categorical", flip, ("a", "b")),
            ],
        ).told
        for scale, flip in ((1.0, codes), (1e4, 1 - codes))
    )
    np.testing.assert_allclose([a.share for a in one], [b.share for b in other], rtol=1e-6)
