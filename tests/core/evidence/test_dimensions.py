"""How many dimensions are left."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core import FeatureTable, Problem, fit, load_dataset
from cml_core.datasets import simulate_car_brands
from cml_core.errors import TooManyDimensions, UnknownOption
from cml_core.evidence.dimensions import Dimensions, dimensions


def cars(noise, seed=0, n=30):
    data = simulate_car_brands(n, noise=noise, feature_noise=0.0, known=4, seed=seed)
    return Problem(data.values(), data.feature_table())


@pytest.fixture(scope="module")
def clear():
    return dimensions(cars(0.05), most=5)


def test_the_scree_is_the_stress_of_the_fits(clear):
    assert clear.n_components == (0, 1, 2, 3, 4, 5)
    problem = cars(0.05)
    direct = [
        fit(Problem(problem.dissimilarities, problem.known, n_components=p), seed=0).stress
        for p in (0, 3)
    ]
    assert clear.unexplained[[0, 3]] == pytest.approx(direct)
    assert (np.diff(clear.unexplained) < 0).all()


def test_with_four_of_seven_known_and_little_noise_three_are_left(clear):
    assert clear.lowest == clear.chosen == 3
    assert clear.verdict.startswith("Three hidden dimensions are left: with so many")


def test_much_noise_leaves_it_open_and_the_verdict_says_so():
    found = dimensions(cars(0.2), most=5)
    assert found.chosen < found.lowest
    assert len(found.open) > 1
    assert "leave it open" in found.verdict


def test_another_seed_deals_other_folds_and_the_same_seed_the_same():
    problem = cars(0.2)
    first, again, other = (dimensions(problem, most=1, seed=seed) for seed in (0, 0, 1))
    assert np.array_equal(first.fold_errors, again.fold_errors)
    assert not np.array_equal(first.fold_errors, other.fold_errors)
    assert other.seed == 1


@pytest.mark.slow
def test_processes_find_the_same():
    problem = cars(0.2)
    here, elsewhere = (dimensions(problem, most=1, workers=workers) for workers in (None, 2))
    assert np.array_equal(here.fold_errors, elsewhere.fold_errors)


def test_the_choice_is_the_fewest_within_one_standard_error():
    errors = np.array([[4.0, 4.2], [1.2, 1.4], [1.0, 1.4], [1.1, 1.6]])
    found = Dimensions((0, 1, 2, 3), errors.mean(axis=1), errors, 0)
    assert found.held_out == pytest.approx([4.1, 1.3, 1.2, 1.35])
    assert found.held_out_error == pytest.approx([0.1, 0.1, 0.2, 0.25])
    assert (found.lowest, found.chosen, found.open) == (2, 1, (1, 2, 3))
    assert found.verdict.startswith("One hidden dimension is left, perhaps up to 3")


def test_by_default_small_data_are_asked_for_fewer_dimensions():
    data = load_dataset("kinship14")
    values = data.values()
    found = dimensions(Problem(values, FeatureTable(values.labels)), folds=3)
    assert found.n_components == (0, 1, 2, 3, 4, 5)


def test_gaps_weights_and_missing_entries_are_no_obstacle(simulate):
    problem = simulate(14, 2, 1, missing_pairs=6, missing_entries=2, weights="sammon")
    found = dimensions(problem, most=2, folds=3)
    assert np.isfinite(found.fold_errors).all()


def test_more_dimensions_than_there_can_be_are_refused(simulate):
    with pytest.raises(TooManyDimensions):
        dimensions(simulate(8, 1, 1), most=8)
    with pytest.raises(UnknownOption):
        dimensions(simulate(8, 1, 1), folds=1)
    with pytest.raises(UnknownOption):
        dimensions(simulate(8, 1, 1), seed=-1)
