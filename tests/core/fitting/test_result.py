"""What can be read off a fit, and that nobody can change it."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from cml_core import Dissimilarities, FeatureTable, Fit, Problem, fit, load_dataset
from cml_core.errors import AdjustedData
from cml_core.fitting.configuration import Solution


@pytest.fixture(scope="module")
def kinship() -> Fit:
    data = load_dataset("kinship14")
    known = data.feature_table().select(["Gender"])
    return fit(Problem(data.values(), known, n_components=2), n_init=5, seed=0)


def test_a_fit_and_its_arrays_cannot_be_changed(kinship):
    for array in (kinship.embedding, kinship.coef, kinship.known_values, kinship.stress_path):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        kinship.best = None
    with pytest.raises(dataclasses.FrozenInstanceError):
        kinship.best.stress = 0.0


@pytest.mark.parametrize(
    "through", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_is_as_good_and_as_unchangeable_as_the_original(through, kinship):
    again = through(kinship)
    assert repr(again) == repr(kinship)
    assert np.array_equal(again.embedding, kinship.embedding)
    assert again.labels == kinship.labels
    assert again.problem.fingerprint() == kinship.problem.fingerprint()
    assert again.object_stress() == pytest.approx(kinship.object_stress())
    assert not again.embedding.flags.writeable
    assert not again.problem.dissimilarities.condensed.flags.writeable


def test_a_repr_says_what_was_asked_and_what_came_out(kinship):
    text = repr(kinship)
    for part in ("14 objects", "Gender known", "2 hidden", "stress 0.0260", "converged", "seed 0"):
        assert part in text
    assert len(text) < 200
    assert repr(kinship.best).startswith("Solution(stress=0.0260")
    assert "nothing known" in repr(fit(kinship.problem.without("Gender"), n_init=1, seed=0))
    assert "14 objects, Gender known" in repr(kinship.problem)


def test_the_distances_are_those_of_the_configuration(kinship):
    configuration = kinship.points
    assert configuration.shape == (14, 3)
    assert np.array_equal(configuration[:, :2], kinship.embedding)
    places = pdist(configuration[:, 2:])
    expected = np.sqrt(pdist(kinship.embedding) ** 2 + places**2)
    assert np.allclose(kinship.distances(), expected, rtol=1e-12)


def test_the_embedding_can_be_read_as_a_labelled_table(kinship):
    frame = kinship.frame()
    assert list(frame.index) == list(kinship.labels)
    assert list(frame.columns) == ["dimension 1", "dimension 2"]
    assert np.array_equal(frame.to_numpy(), kinship.embedding)


@pytest.mark.parametrize("weights", [None, "sammon", "general"])
@pytest.mark.parametrize("missing_pairs", [0, 6])
def test_the_stress_of_objects_is_what_their_own_pairs_leave(weights, missing_pairs, simulate):
    problem = simulate(9, 1, 1, noise=0.4, weights=weights, missing_pairs=missing_pairs)
    found = fit(problem, n_init=2, seed=0)
    w = problem.pair_weights if problem.pair_weights.size else np.ones(36)
    delta = np.nan_to_num(problem.dissimilarities.condensed)
    errors = squareform(w * (delta - found.distances()) ** 2).sum(axis=1)
    totals = squareform(w * delta**2).sum(axis=1)
    assert found.object_stress() == pytest.approx(errors / totals, rel=1e-9)
    # Weighted by what each object has to explain, they average to the whole.
    average = found.object_stress() @ totals / totals.sum()
    assert average == pytest.approx(found.stress, rel=1e-9)


def test_the_stress_of_objects_is_that_of_the_map_that_is_asked(simulate):
    found = fit(simulate(9, 1, 1, noise=0.4), n_init=2, seed=0)
    before = found.object_stress()
    assert not before.flags.writeable
    moved = dataclasses.replace(
        found, best=dataclasses.replace(found.best, embedding=2 * found.embedding)
    )
    assert not np.allclose(moved.object_stress(), before)
    assert np.array_equal(pickle.loads(pickle.dumps(found)).object_stress(), before)


def test_the_stress_of_objects_does_not_depend_on_where_the_map_lies(simulate):
    problem = simulate(9, 1, 1, noise=0.3)
    shifted = problem.known.features[0].with_values(1e6 + problem.known.features[0].values)
    far = fit(problem.knowing(shifted), n_init=2, seed=0)
    near = fit(problem, n_init=2, seed=0)
    # The offset costs 6 of 16 digits.
    assert far.object_stress() == pytest.approx(near.object_stress(), rel=1e-4)


def test_an_object_at_distance_zero_from_all_it_is_compared_with_has_no_stress():
    square = squareform([0.0, np.nan, np.nan, 2.0, 3.0, 1.5])
    dissimilarities = Dissimilarities.from_square(square)
    problem = Problem(dissimilarities, FeatureTable(dissimilarities.labels), n_components=1)
    found = fit(problem, n_init=3, seed=0)
    assert np.isfinite(found.object_stress()).all()
    assert found.object_stress()[0] == 0.0


def test_a_full_b_is_given_in_the_one_form_that_is_symmetric_for_standardised_features(simulate):
    problem = simulate(12, 3, 1, noise=0.2)
    found = fit(problem, n_init=3, seed=0)
    spread = problem.encoding.values.std(axis=0)
    standard = found.coef * spread[:, None]
    assert np.allclose(standard, standard.T, rtol=0, atol=1e-10)
    assert np.linalg.eigvalsh(standard).min() >= -1e-10
    again = fit(problem, init="random", n_init=8, seed=99)
    # Found from other starts it is the same matrix, up to how far each converged.
    assert again.stress == pytest.approx(found.stress, rel=1e-7)
    assert np.allclose(again.coef, found.coef, rtol=0, atol=1e-3)


def test_the_same_optimum_found_from_other_starts_is_drawn_the_same_way(simulate):
    problem = simulate(12, 1, 2, noise=0.1)
    maps = [fit(problem, init="random", n_init=8, seed=seed).embedding for seed in (1, 2)]
    assert np.allclose(maps[0], maps[1], rtol=0, atol=1e-2)


def test_zero_dissimilarities_under_sammon_weights_are_remarked_on():
    square = squareform([0.0, 1.0, 2.0, 1.5, 2.5, 2.0])
    dissimilarities = Dissimilarities.from_square(square)
    problem = Problem(dissimilarities, FeatureTable(dissimilarities.labels), 1, weights="sammon")
    found = fit(problem, n_init=2, seed=0)
    assert [remark.category for remark in found.remarks] == [AdjustedData]
    assert problem.pair_weights[0] == problem.pair_weights.max()
    assert np.isfinite(problem.pair_weights).all()


def test_a_problem_is_a_value(kinship):
    problem = kinship.problem
    degree = load_dataset("kinship14").feature_table()["Degree"]
    more = problem.knowing(degree)
    assert problem.known.names == ("Gender",)
    assert more.known.names == ("Gender", "Degree")
    assert more.without("Degree").fingerprint() == problem.fingerprint()
    assert more.fingerprint() != problem.fingerprint()
    moved = dataclasses.replace(problem, n_components=1)
    assert moved.fingerprint() != problem.fingerprint()
    weighted = dataclasses.replace(problem, weights=np.ones(91))
    heavier = dataclasses.replace(problem, weights=np.full(91, 2.0))
    assert len({problem.fingerprint(), weighted.fingerprint(), heavier.fingerprint()}) == 3


def test_every_solution_says_from_how_many_starts_it_was_reached(simulate):
    found = fit(simulate(9, 1, 1, noise=0.6, seed=3), n_init=40, seed=0)
    solutions = (found.best, *found.alternatives)
    assert all(isinstance(solution, Solution) for solution in solutions)
    assert all(solution.starts >= 1 for solution in solutions)
    assert 2 <= sum(solution.starts for solution in solutions) <= 40
