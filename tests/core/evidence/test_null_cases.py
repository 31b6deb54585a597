"""The hidden-feature test where the cases of measurements are drawn anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.errors import LabelMismatch
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.evidence.null_cases import null_cases
from cml_core.evidence.refits import as_fitted
from cml_core.files.cases import Cases
from cml_core.files.preparation import Preparation
from cml_core.values.origin import Origin

MEASURED = Origin("measurements")


def measured(seed, metric="correlation", p=1, n=16, cases=60):
    """Two features are known, one is hidden; each case weighs them by chance, with unit errors."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, 3))
    values = points @ random.normal(size=(3, cases)) + random.normal(size=(n, cases))
    labels = tuple(f"object {k}" for k in range(n))
    known = tuple(Feature.numeric(f"known {k}", points[:, k]) for k in range(2))
    found = Cases(labels, values, Preparation(metric=metric))
    data = Dissimilarities(labels, found.compared(values))
    problem = Problem(data, FeatureTable(labels, known), n_components=p, scale="ordinal")
    return fit(problem, n_init=5, seed=0), found


def test_correlations_raise_no_false_alarms_where_their_cases_are_drawn_anew():
    by_pairs, by_cases = [], []
    for seed in range(10):
        found, cases = measured(seed)
        for tests, known in ((by_pairs, None), (by_cases, cases)):
            one = hidden_feature_test(found, cases=known, origin=MEASURED, resamples=19, workers=1)
            tests.append((one.null >= one.lowered).sum() == 0)
    assert sum(by_pairs) >= 8
    assert sum(by_cases) <= 2


def test_a_feature_that_measurements_hide_is_found_and_it_is_said_that_cases_were_drawn():
    found, cases = measured(2, p=0)
    test = hidden_feature_test(found, cases=cases, resamples=39)
    assert (test.p_value, test.cases) == (1 / 40, 60)
    assert "The 60 cases of which the numbers were computed were drawn anew." in test.remarks
    assert "Supposed: every pair" not in test.remarks


def test_without_their_cases_measurements_have_no_p_value_and_it_is_said_what_it_takes():
    test = hidden_feature_test(measured(0)[0], origin=MEASURED, resamples=3)
    assert (test.p_value, test.cases) == (None, 0)
    assert "at least 20 columns" in test.verdict


def test_made_measurements_have_what_is_known_and_errors_of_their_size():
    found, cases = measured(2, "euclidean", n=60, cases=200)
    world = null_cases(as_fitted(found.problem), found, cases)
    # The errors were made with a standard deviation of one.
    assert world.errors.std() == pytest.approx(1.0, abs=0.03)
    drawn = world.drawn(np.random.default_rng(0)).dissimilarities.condensed
    given = found.problem.dissimilarities.condensed
    assert drawn.mean() == pytest.approx(given.mean(), rel=0.15)
    assert not np.array_equal(drawn, given)


@pytest.mark.parametrize(
    "changed",
    [
        {"preparation": Preparation(metric="euclidean")},
        {"preparation": Preparation(metric="correlation", scaling="standardise")},
        {"values": np.random.default_rng(0).normal(size=(16, 19))},
    ],
)
def test_cases_by_which_nothing_was_measured_get_no_p_value_and_it_is_said_what_it_takes(changed):
    found, cases = measured(0)
    test = hidden_feature_test(found, cases=replace(cases, **changed), resamples=3)
    assert (test.p_value, test.cases) == (None, 0)
    assert "at least 20 columns" in test.verdict
    assert "cosine or correlation" in test.verdict


def test_where_a_map_leaves_no_directions_for_errors_there_is_no_p_value():
    found, cases = measured(0, n=8)
    assert null_cases(as_fitted(found.problem), found, cases) is None
    test = hidden_feature_test(found, cases=cases, resamples=3)
    assert (test.p_value, test.cases) == (None, 0)


def test_cases_of_other_objects_are_refused():
    found, cases = measured(0)
    with pytest.raises(LabelMismatch, match="other objects"):
        hidden_feature_test(found, cases=replace(cases, labels=cases.labels[::-1]), resamples=3)
