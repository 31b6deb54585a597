"""How many dimensions are left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cml_core import Dissimilarities, FeatureTable, Problem, fit, load_dataset
from cml_core.datasets import simulate_car_brands
from cml_core.errors import TooManyDimensions, UnknownOption
from cml_core.evidence.dimensions import BENT, ROUGH, Dimensions, dimensions, first_errors
from cml_core.evidence.refits import with_values
from cml_core.fitting.scales.registry import SCALES
from cml_core.values.answers import Answers
from cml_core.values.origin import Origin


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
    assert clear.brief == "3 dimensions left"


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


def test_the_first_errors_end_where_they_rise_and_what_goes_on_from_them_is_the_same(clear):
    problem = cars(0.05)
    first = first_errors(problem, most=5)
    rows = len(first.errors)
    assert (rows, first.chosen) == (clear.lowest + 3, clear.chosen)
    assert np.array_equal(first.errors, clear.fold_errors[:rows])
    whole = dimensions(problem, most=5, begun=replace(first, errors=first.errors + 1.0))
    # What was there is taken as it is, and the rest is as ever.
    assert np.array_equal(whole.fold_errors[:rows], first.errors + 1.0)
    assert np.array_equal(whole.fold_errors[rows:], clear.fold_errors[rows:])
    assert np.array_equal(whole.unexplained, clear.unexplained)
    with pytest.raises(UnknownOption, match="10 folds of seed 0"):
        dimensions(problem, most=5, seed=1, begun=first)


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
    assert found.brief == "1 dimension left, perhaps up to 3"


def test_where_people_were_held_out_numbers_are_compared_fold_by_fold():
    # Some people are harder to tell than others, with one dimension as with two.
    errors = np.array([[3.1, 5.1, 8.0], [1.1, 3.1, 6.0], [1.0, 3.1, 6.1], [1.2, 3.3, 6.3]])
    pairs = Dimensions((0, 1, 2, 3), errors.mean(axis=1), errors, 0)
    people = replace(pairs, people=16)
    assert pairs.open == (1, 2, 3)
    assert people.more_error == pytest.approx([0.0, 0.0, 0.058, 0.058], abs=1e-3)
    assert people.open == (1, 2)
    assert "16 people" in people.facts[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "bend"),
    [
        ("interval", lambda d: 2.0 + d),
        ("power", np.sqrt),
        ("spline", lambda d: 1.0 - np.exp(-d / d.mean())),
        ("ordinal", np.exp),
    ],
)
def test_on_its_scale_as_many_are_left_as_are_hidden(simulate, scale, bend):
    problem = simulate(14, 1, 1, noise=0.02)
    values = Dissimilarities(problem.known.labels, bend(problem.dissimilarities.condensed))
    asked = replace(problem, dissimilarities=values, scale=scale)
    found = dimensions(asked, most=3, folds=4)
    assert found.chosen == 1
    assert f'count as "{SCALES[scale].title}"' in found.facts[1]


def test_of_bent_ratings_no_number_is_told_but_by_their_order(simulate):
    problem = simulate(10, 1, 1, noise=0.05)
    said = np.round(1 + 6 * (1 - np.exp(-problem.dissimilarities.condensed)))
    rated = with_values(problem, said)
    found = dimensions(rated, most=2, folds=3, origin=Origin("ratings"))
    assert found.bent
    assert found.verdict == f"How many are left cannot be told here. {BENT}"
    assert "Cannot be told" in found.brief
    told = dimensions(replace(rated, scale="ordinal"), most=2, folds=3, origin=Origin("ratings"))
    assert "dimension" in told.verdict
    assert not told.bent
    assert not dimensions(rated, most=2, folds=3, origin=Origin("pairs")).bent
    # What single people said on a scale are ratings, whoever says so.
    several = Answers.once(problem.known.labels, ("Ada", "Ben", "Cleo"), np.tile(said, (3, 1)))
    assert dimensions(rated, most=1, folds=2, answers=several).bent


def test_people_are_held_out_with_the_pairs(simulate):
    problem = simulate(12, 1, 1, noise=0.0)
    random = np.random.default_rng(0)
    said = problem.dissimilarities.condensed * np.exp(0.2 * random.standard_normal((5, 66)))
    answers = Answers.once(problem.known.labels, tuple("abcde"), said)
    found = dimensions(with_values(problem, answers.mean), most=2, answers=answers)
    assert (found.fold_errors.shape, found.people) == ((3, 5), 5)
    assert found.chosen == 1
    assert ROUGH not in found.facts
    parted = replace(answers, values=1.0 * (said > np.median(said)))
    of_sorters = dimensions(with_values(problem, parted.mean), most=1, folds=2, answers=parted)
    assert ROUGH in of_sorters.facts


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
