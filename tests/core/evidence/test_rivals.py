"""An alarm that something else explains as well is not shown as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.hidden_feature import hidden_feature_test, why_withheld
from cml_core.evidence.null_data import null_data
from cml_core.evidence.rivals import UNCONFIRMED, bias_by_lengths, explained_otherwise
from cml_core.evidence.wider import wider_fits
from cml_core.values.origin import Origin

N = 20


def places(seed, q=4, n=N):
    """Features that hang together, as those of real objects do."""
    shared = 0.5 + 0.5 * np.eye(q)
    return np.random.default_rng(seed).multivariate_normal(np.zeros(q), shared, size=n)


def noisy(distances, size=0.1, seed=1):
    return np.abs(distances * (1 + size * np.random.default_rng(seed).normal(size=distances.size)))


def asked(points, values, p=2, scale="ratio"):
    """The first two features are known."""
    labels = tuple(f"object {k}" for k in range(len(points)))
    known = tuple(Feature.numeric(name, x) for name, x in zip("ab", points.T, strict=False))
    return Problem(Dissimilarities(labels, values), FeatureTable(labels, known), p, scale=scale)


def explained(problem):
    found = fit(problem, n_init=5, seed=0)
    wider = wider_fits(problem, found.best, found.power)[0]
    asked = problem, found.best, wider, found.power
    return explained_otherwise(*asked) or bias_by_lengths(*asked)


@pytest.mark.parametrize("scale", ["ratio", "power", "ordinal"])
def test_a_feature_that_is_hidden_is_explained_by_nothing_else(scale):
    points = places(0, q=5)
    assert explained(asked(points, noisy(pdist(points), 0.05), p=2, scale=scale)) is None


@pytest.mark.parametrize("scale", ["ratio", "ordinal"])
def test_few_objects_with_a_bias_are_named_though_the_map_bends_to_it(scale):
    points = places(2)
    factor = np.exp(0.15 * np.random.default_rng(5).normal(size=N))
    first, second = np.triu_indices(N, 1)
    biased = noisy(pdist(points), 0.05) * factor[first] * factor[second]
    said = explained(asked(points, biased, scale=scale))
    assert said.kind == "bias"
    most = np.argsort(-np.abs(np.log(factor)))[:3]
    assert any(f"object {k}" in said.says for k in most)


def with_far_objects():
    """Lengths are added to all distances of two objects."""
    points, far = places(0), np.zeros(N)
    far[[3, 7]] = 0.8, 1.0
    first, second = np.triu_indices(N, 1)
    distances = pdist(points)
    return points, noisy(distances, 0.05) + distances.mean() * (far[first] + far[second])


@pytest.mark.parametrize("scale", ["ratio", "power", "interval"])
def test_what_is_added_to_all_distances_of_an_object_is_its_bias_as_well(scale):
    said = explained(asked(*with_far_objects(), scale=scale))
    assert said.kind == "bias"
    assert "object 3" in said.says
    assert "object 7" in said.says


def test_no_chance_is_given_where_lengths_are_added_to_some_objects():
    found = fit(asked(*with_far_objects()), n_init=5, seed=0)
    test = hidden_feature_test(found, origin=Origin("pairs"), resamples=39)
    assert test.p_value is None
    assert [one.kind for one in test.misfits] == ["bias"]


def test_numbers_that_saturate_are_called_bent():
    points = places(3)
    distances = noisy(pdist(points))
    assert explained(asked(points, 1 - np.exp(-distances / distances.mean()))).kind == "bent"


def test_differences_that_add_up_are_seen_along_turned_axes_too():
    points = places(4)
    turn = np.eye(4)
    turn[2:, 2:] = np.array([[1, -1], [1, 1]]) / np.sqrt(2)
    values = noisy(pdist(points @ turn, "cityblock"), 0.03)
    assert explained(asked(points, values)).kind == "cityblock"


@pytest.mark.parametrize("scale", ["ratio", "ordinal"])
def test_a_known_feature_that_acts_along_a_curve_is_named(scale):
    points = places(1, n=24)
    acting = points.copy()
    acting[:, 0] = 2 * np.tanh(1.5 * points[:, 0])
    problem = asked(points, noisy(pdist(acting), 0.05), scale=scale)
    assert "follow a" in explained(problem).says


@pytest.mark.parametrize("seed", [1, 3])
def test_a_curve_that_tells_most_of_what_a_dimension_tells_is_named_too(seed):
    points = places(seed, n=60)
    rooted = points.copy()
    # No smooth curve is as steep at nought: a dimension tells pairs held out a little better.
    rooted[:, 0] = np.sign(points[:, 0]) * np.sqrt(np.abs(points[:, 0]))
    assert explained(asked(points, noisy(pdist(rooted)))).kind == "curve"


@pytest.mark.parametrize("seed", range(3))
def test_errors_alone_are_not_confirmed_by_pairs_held_out(seed):
    points = places(seed)
    assert explained(asked(points, noisy(pdist(points)))) is not None


def test_gaps_weights_and_nothing_known_are_no_obstacle(simulate):
    whole = simulate(14, 1, 1, missing_pairs=5, missing_entries=2, weights="general")
    nothing = replace(whole, known=FeatureTable(whole.known.labels), n_components=0)
    for problem in (whole, nothing):
        assert explained(problem) is None or explained(problem).says


def test_too_few_pairs_confirm_nothing():
    points = places(0, n=7)
    assert explained(asked(points, pdist(points), p=1)) == UNCONFIRMED


def test_an_alarm_is_looked_at_more_closely_and_what_is_seen_stands_in_the_verdict():
    points = places(2)
    factor = np.exp(0.15 * np.random.default_rng(5).normal(size=N))
    first, second = np.triu_indices(N, 1)
    problem = asked(points, noisy(pdist(points), 0.05) * factor[first] * factor[second])
    found = hidden_feature_test(fit(problem, n_init=5, seed=0), resamples=19)
    assert (found.null >= found.lowered).sum() == 0
    assert found.p_value is None
    assert "That may be a bias in how they were judged" in found.verdict


def test_an_alarm_of_nothing_but_errors_is_said_not_to_last():
    points = places(0)
    problem = asked(points, noisy(pdist(points)))
    found = fit(problem, n_init=5, seed=0)
    wider = wider_fits(problem, found.best, found.power)
    world = null_data(problem, found, None, seed=0)
    calm, alarmed = (
        why_withheld(world, found, wider, Origin("pairs"), alarm=alarm, resamples=19)
        for alarm in (False, True)
    )
    assert calm == ("", ())
    assert alarmed[1]


def test_numbers_that_count_as_less_than_nought_are_held_against_rivals_too():
    points = places(2)
    seen = noisy(pdist(points), 0.05)
    shared = 1.0 - np.exp(-3.0 * seen / seen.mean())
    problem = asked(points, shared, p=1, scale="interval")
    assert fit(problem, n_init=5, seed=0).scaled.min() < 0
    said = explained(problem)
    assert said is None or said.says
