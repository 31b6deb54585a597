"""The hidden-feature test: what it finds, what it leaves alone, and that it repeats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core import Dissimilarities, Feature, FeatureTable, Neighbourhood, Problem, fit
from cml_core.datasets import simulate_car_brands
from cml_core.errors import TooManyDimensions, UnknownOption
from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.evidence.null_data import residual_growth
from cml_core.evidence.work import Cancelled


def cars(known, p, seed=0, n=30, noise=0.2):
    data = simulate_car_brands(n, noise=noise, feature_noise=0.0, known=known, seed=seed)
    return fit(Problem(data.values(), data.feature_table(), n_components=p), n_init=10, seed=0)


@pytest.mark.slow
def test_a_feature_that_is_still_hidden_is_found():
    found = hidden_feature_test(cars(6, 0, n=60), resamples=99)
    assert found.p_value == 0.01
    assert found.lowered > found.null.max()
    assert found.verdict.startswith("One more feature is very likely still hidden")


@pytest.mark.slow
def test_where_nothing_is_hidden_there_is_no_sign_of_it():
    found = hidden_feature_test(cars(7, 0), resamples=99)
    assert found.p_value > 0.05
    assert found.verdict.startswith("No sign of a hidden feature")
    assert "does not rule one out" in found.verdict


@pytest.mark.slow
def test_false_alarms_are_about_as_rare_as_they_should_be():
    tests = [
        hidden_feature_test(cars(6, 1, seed=seed, n=20), resamples=19, seed=seed)
        for seed in range(60)
    ]
    # At 5 % three are expected; nine or more would come once in 250 times.
    assert sum(one.likely for one in tests) < 9
    # And what one dimension takes away is spread over the whole range of what it usually does.
    chances = [(1 + (one.null >= one.lowered).sum()) / 20 for one in tests]
    assert 0.3 < np.mean(chances) < 0.7


@settings(max_examples=20)
@given(growth=st.floats(0.0, 1.0), seed=st.integers(0, 2**32 - 1))
def test_the_growth_of_residuals_is_found(growth, seed):
    random = np.random.default_rng(seed)
    distances = random.uniform(0.2, 2.0, 4000)
    residuals = distances**growth * random.standard_normal(4000)
    # The standard error is about 0.02; the grid has steps of 0.025.
    assert residual_growth(distances, residuals) == pytest.approx(growth, abs=0.1)


@pytest.mark.slow
def test_the_same_seed_repeats_the_test_also_in_other_processes():
    found = cars(6, 0)
    here, elsewhere, other = (
        hidden_feature_test(found, resamples=9, seed=seed, workers=workers)
        for seed, workers in ((3, None), (3, 2), (4, None))
    )
    assert np.array_equal(here.null, elsewhere.null)
    assert not np.array_equal(here.null, other.null)
    assert here.seed == 3


def test_units_do_not_matter():
    found = cars(6, 0)
    problem = found.problem
    scaled = replace(
        problem,
        dissimilarities=Dissimilarities(
            problem.known.labels, 1000.0 * problem.dissimilarities.condensed
        ),
    )
    here = hidden_feature_test(found, resamples=5)
    there = hidden_feature_test(fit(scaled, n_init=10, seed=0), resamples=5)
    # Refits stop where a step lowers the stress by less than 1e-7 of it.
    assert there.lowered == pytest.approx(here.lowered, rel=1e-3)
    assert there.null == pytest.approx(here.null, rel=1e-3)


@pytest.mark.parametrize("weights", [None, "sammon", "general"])
@pytest.mark.parametrize("coef", ["full", "diagonal"])
def test_gaps_weights_and_missing_entries_are_no_obstacle(simulate, weights, coef):
    problem = simulate(12, 2, 1, missing_pairs=5, missing_entries=2, weights=weights, coef=coef)
    found = hidden_feature_test(fit(problem, n_init=5, seed=0), resamples=5)
    assert found.null.shape == (5,)
    assert ((found.null >= 0) & (found.null <= 1)).all()


def test_geodesics_are_tested_where_distances_go_through_neighbours(simulate):
    problem = replace(simulate(14, 1, 1), neighbourhood=Neighbourhood(5))
    found = hidden_feature_test(fit(problem, n_init=5, seed=0), resamples=5)
    assert found.null.size == 5
    assert found.p_value is None
    assert "distances by way of neighbours share their ways" in found.verdict


def test_a_perfect_fit_has_nothing_hidden():
    labels = tuple("abcdef")
    values = np.arange(6.0)
    exact = Dissimilarities(labels, np.abs(values[:, None] - values)[np.triu_indices(6, 1)])
    known = FeatureTable(labels, (Feature.numeric("Place", values),))
    found = hidden_feature_test(fit(Problem(exact, known, n_components=0), seed=0))
    assert (found.p_value, found.lowered) == (1.0, 0.0)
    assert found.verdict == (
        "Nothing is hidden: the known features and 0 hidden dimensions explain everything."
    )


def test_the_verdict_grades_with_the_p_value():
    null = np.linspace(0.1, 0.2, 199)
    found = HiddenFeature(2, 0.3, null, 0.03, 0.5, 0)
    assert found.verdict == (
        "One more feature is probably still hidden, beyond the 2 dimensions of this map: one more "
        "dimension takes away 30 % of what is unexplained; in data without another feature it "
        "takes 15.0 %, and as much in 0 of 199 such data sets."
    )
    assert "so this test says little" in replace(found, p_value=1.0, lowered=0.01).verdict
    assert "beyond the dimension of this map" in replace(found, n_components=1).verdict


def test_no_room_for_another_dimension_is_said(simulate):
    found = fit(simulate(5, 1, 3), n_init=2, seed=0)
    with pytest.raises(TooManyDimensions):
        hidden_feature_test(found)


def test_no_data_to_compare_with_and_no_seed_are_refused():
    with pytest.raises(UnknownOption, match="resamples"):
        hidden_feature_test(cars(6, 0), resamples=0)
    with pytest.raises(UnknownOption, match="seed"):
        hidden_feature_test(cars(6, 0), seed=-1)


def test_it_can_be_stopped():
    with pytest.raises(Cancelled):
        hidden_feature_test(cars(6, 0), on_step=lambda stage: stage.done == 3)


def test_a_few_words_say_the_same_as_the_verdict():
    found = HiddenFeature(2, 0.5, np.array([0.1, 0.2]), 0.01, 0.0, 0)
    assert (found.brief, found.likely) == ("One more feature very likely hidden", True)
    briefs = {
        0.04: "One more feature probably hidden",
        0.3: "No sign of one more feature",
        None: "One more feature? Cannot be told",
    }
    for p_value, brief in briefs.items():
        other = replace(
            found, p_value=p_value, why_no_p_value="" if p_value else "It is a sorting."
        )
        assert other.brief == brief
        assert other.likely == (p_value == 0.04)
    nothing = replace(found, null=np.empty(0), p_value=1.0)
    assert nothing.brief == "Nothing is hidden"
    assert nothing.verdict.startswith(nothing.brief)
