"""An alarm on a power that the order of the numbers does not show is not shown as one."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.hidden_feature import hidden_feature_test

N = 20


def asked(seed, known, p, bend, resamples=39):
    """Four features that hang together, the first of them known; distances with errors, bent."""
    shared = 0.5 + 0.5 * np.eye(4)
    points = np.random.default_rng(seed).multivariate_normal(np.zeros(4), shared, size=N)
    exact = pdist(points)
    seen = np.abs(exact * (1 + 0.1 * np.random.default_rng(seed).normal(size=exact.size)))
    labels = tuple(f"object {k}" for k in range(N))
    features = tuple(Feature.numeric(f"{k}", points[:, k]) for k in range(known))
    dissimilarities = Dissimilarities(labels, bend(seen))
    problem = Problem(dissimilarities, FeatureTable(labels, features), p, scale="power")
    return hidden_feature_test(fit(problem, n_init=5, seed=0), resamples=resamples)


def saturating(seen):
    return 1 - np.exp(-seen / seen.mean())


def test_what_saturates_as_no_power_does_is_no_feature():
    found = asked(74, known=2, p=2, bend=saturating)
    assert (found.null >= found.lowered).sum() <= 1
    assert found.p_value is None
    assert "By their order alone the numbers show no sign of it" in found.verdict


def test_a_feature_that_lacks_is_seen_on_a_power_as_well():
    found = asked(3, known=2, p=1, bend=np.square)
    assert found.likely
