"""What residuals follow that is no feature: it is said, and no chance is given."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.evidence.misfit import misfits
from cml_core.evidence.wider import wider_fits

N = 24


def places(seed=0, q=4, n=N):
    return np.random.default_rng(seed).normal(size=(n, q))


def asked(points, values, p=2, known=None):
    """Two features are known, two hidden."""
    labels = tuple(f"object {k}" for k in range(len(points)))
    told = points[:, :2] if known is None else known
    features = tuple(Feature.numeric(name, x) for name, x in zip("ab", told.T, strict=True))
    return Problem(Dissimilarities(labels, values), FeatureTable(labels, features), p)


def noisy(distances, size=0.05, seed=1):
    return np.abs(distances * (1 + size * np.random.default_rng(seed).normal(size=distances.size)))


def seen_in(problem):
    found = fit(problem, n_init=5, seed=0)
    maps = [found.best, *wider_fits(problem, found.best, found.power)]
    return misfits(problem, maps, found.power)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("p", [1, 2])
def test_nothing_is_seen_where_features_are_all_there_is(seed, p):
    assert seen_in(asked(places(seed), noisy(pdist(places(seed))), p)) == ()


def test_objects_that_are_judged_farther_from_everything_are_named():
    points = places(n=40)
    factor = np.exp(0.15 * np.random.default_rng(5).normal(size=40))
    first, second = np.triu_indices(40, 1)
    seen = seen_in(asked(points, noisy(pdist(points)) * factor[first] * factor[second]))
    assert "above all object " in next(one.says for one in seen if one.kind == "bias")


def test_of_many_objects_no_table_of_pairs_by_objects_is_made():
    n = 300
    problem = asked(places(n=n), noisy(pdist(places(n=n))))
    found = fit(problem, n_init=1, seed=0)
    maps = [found.best, *wider_fits(problem, found.best, found.power)]
    tracemalloc.start()
    misfits(problem, maps, found.power)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 * n * n * (n - 1) // 2


def test_bent_numbers_are_seen_on_the_ratio_scale_and_not_on_that_of_powers():
    problem = asked(places(), np.sqrt(noisy(pdist(places()))))
    assert "bent" in [one.kind for one in seen_in(problem)]
    assert seen_in(replace(problem, scale="power")) == ()


def test_a_known_feature_that_acts_along_a_curve_is_named():
    shared = 0.5 + 0.5 * np.eye(5)
    points = np.random.default_rng(4).multivariate_normal(np.zeros(5), shared, size=40)[:, :4]
    told = points[:, :2].copy()
    points[:, 1] = np.sign(told[:, 1]) * np.sqrt(np.abs(told[:, 1]))
    seen = seen_in(asked(points, noisy(pdist(points), 0.1), known=told))
    assert "Residuals follow b: it may act along a curve." in [one.says for one in seen]


def test_differences_that_add_up_feature_by_feature_are_seen():
    seen = seen_in(asked(places(), noisy(pdist(places(), "cityblock"), 0.02)))
    assert "cityblock" in [one.kind for one in seen]


def test_the_hidden_feature_test_gives_no_chance_then_but_what_is_seen_and_what_to_try():
    problem = asked(places(), np.sqrt(noisy(pdist(places()))))
    found = hidden_feature_test(fit(problem, n_init=5, seed=0), resamples=5)
    assert found.p_value is None
    assert "the model itself does not fit." in found.verdict
    assert "The numbers are bent" in found.verdict
    assert "What the numbers mean" in found.verdict
    assert found.table().columns[3].values == [None]
