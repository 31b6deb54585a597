"""Data without a further feature: they are made of the fit, and look like the data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cml_core import fit
from cml_core.evidence.null_data import null_data
from cml_core.evidence.refits import as_fitted
from cml_core.fitting.scales.registry import SCALES
from cml_core.values.answers import Answers
from cml_core.values.dissimilarities import Dissimilarities


@pytest.fixture
def drawn(simulate):
    def of(scale="ratio", answers=None, **options):
        problem = replace(simulate(16, 1, 2, noise=0.1, **options), scale=scale)
        found = fit(problem, n_init=5, seed=0)
        return null_data(as_fitted(problem), found, answers, seed=0), found

    return of


@pytest.mark.parametrize("scale", SCALES)
def test_they_take_on_the_very_numbers_that_were_observed(drawn, scale):
    world, found = drawn(scale, missing_pairs=4)
    made = world.drawn(np.random.default_rng(0)).dissimilarities
    given = found.problem.dissimilarities
    assert np.array_equal(made.missing, given.missing)
    seen = ~given.missing
    assert np.array_equal(np.sort(made.condensed[seen]), np.sort(given.condensed[seen]))


@pytest.mark.parametrize("scale", ["ratio", "spline"])
def test_their_fits_leave_as_much_as_the_fit_of_the_data_left(drawn, scale):
    world, found = drawn(scale)
    left = [
        np.log(world.fitted(world.drawn(np.random.default_rng([9, k]))).stress) for k in range(30)
    ]
    # Matched over ten other draws; one such mean has a standard error of about .05.
    assert np.mean(left) == pytest.approx(np.log(found.stress), abs=0.2)


def test_where_people_answered_the_errors_are_those_of_people_drawn_anew(simulate):
    random = np.random.default_rng(0)
    problem = simulate(10, 1, 1, noise=0.0)
    true = problem.dissimilarities.condensed
    # Every person is wrong about all pairs of the first object alike, and about nothing else.
    wrong = np.outer(random.normal(size=12), (np.triu_indices(10, 1)[0] == 0) * true.mean())
    names = tuple(f"person {k}" for k in range(12))
    answers = Answers.once(problem.known.labels, names, true + 0.02 * wrong + 1.0)
    asked = replace(problem, dissimilarities=Dissimilarities(answers.labels, answers.mean))
    world = null_data(as_fitted(asked), fit(asked, n_init=5, seed=0), answers, seed=0)
    errors = world._errors(np.random.default_rng(1))
    assert np.abs(errors[9:]).max() < 1e-12
    assert np.ptp(errors[:9]) < 1e-9 * np.abs(errors[:9]).max() + 1e-12


def test_errors_grow_with_the_distance_as_they_did(simulate):
    random = np.random.default_rng(3)
    problem = simulate(40, 1, 1, noise=0.0)
    true = problem.dissimilarities.condensed
    grown = []
    for errors in (0.1 * true, 0.1 * true.mean()):
        values = np.abs(true + errors * random.standard_normal(true.size))
        asked = replace(problem, dissimilarities=Dissimilarities(problem.known.labels, values))
        grown.append(null_data(as_fitted(asked), fit(asked, n_init=3, seed=0), None, 0).growth)
    # A standard error is about .1 at 780 pairs.
    assert grown[0] == pytest.approx(1.0, abs=0.35)
    assert grown[1] == pytest.approx(0.0, abs=0.35)
