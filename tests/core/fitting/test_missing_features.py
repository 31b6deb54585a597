"""Known features with gaps: what is known stays, what is not is found."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.fitting.solver_input import objective_of

N = 18


def plane(seed=0):
    """Objects on a plane: what is hidden, and what is known."""
    return np.random.default_rng(seed).normal(size=(N, 2))


def problem_of(points, features, **options):
    dissimilarities = Dissimilarities.from_condensed(pdist(points))
    return Problem(dissimilarities, FeatureTable(dissimilarities.labels, features), **options)


def with_gaps(feature, rows):
    values = feature.values.copy()
    values[rows] = np.nan
    return feature.with_values(values)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.parametrize("weights", [None, "sammon"])
def test_missing_entries_of_exact_data_are_recovered(coef, weights, simulate):
    complete = simulate(25, 3, 1, noise=0.0)
    problem = simulate(25, 3, 1, noise=0.0, missing_entries=6, coef=coef, weights=weights)
    found = fit(problem, seed=0)
    gaps = problem.encoding.missing
    assert gaps.sum() == 6
    assert found.stress < 1e-12
    # Stress is quadratic in the error, and ends at 1e-20.
    assert np.allclose(found.known_values[gaps], complete.encoding.values[gaps], rtol=0, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("coef", ["full", "diagonal"])
def test_entries_that_are_known_are_not_touched(coef, simulate):
    problem = simulate(14, 3, 1, noise=0.3, missing_entries=8, coef=coef)
    found = fit(problem, seed=0)
    seen = ~problem.encoding.missing
    # They were centred and scaled, and brought back.
    assert np.allclose(
        found.known_values[seen], problem.encoding.values[seen], rtol=1e-12, atol=1e-12
    )
    assert np.isfinite(found.known_values).all()


@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.parametrize("weights", [None, "general"])
def test_the_stress_is_that_of_the_features_with_their_gaps_filled(
    coef, weights, simulate, stress_of
):
    problem = simulate(14, 2, 1, noise=0.3, missing_entries=5, coef=coef, weights=weights)
    found = fit(problem, seed=0)
    assert found.converged
    assert stress_of(problem, found.points) == pytest.approx(found.stress, rel=1e-10)
    assert np.diff(found.stress_path).max() <= 0.0


def test_filling_the_gaps_with_what_was_found_gives_the_same_map(simulate):
    problem = simulate(15, 2, 1, noise=0.2, missing_entries=4)
    found = fit(problem, seed=0)
    names = problem.known.names
    filled = FeatureTable(
        problem.dissimilarities.labels,
        tuple(Feature.numeric(n, c) for n, c in zip(names, found.known_values.T, strict=True)),
    )
    again = fit(Problem(problem.dissimilarities, filled, n_components=1), seed=0)
    # The first fit chose these values among all others: given them, nothing is lower nearby.
    assert again.stress == pytest.approx(found.stress, rel=1e-6)


def test_a_free_entry_fits_no_worse_than_any_value_put_in_its_place(simulate):
    problem = simulate(12, 2, 1, noise=0.4, missing_entries=1)
    best = fit(problem, seed=0)
    feature = next(f for f in problem.known.features if f.missing.any())
    for value in (-1.0, 0.0, 2.0):
        guessed = feature.with_values(np.where(feature.missing, value, feature.values))
        assert best.stress <= fit(problem.knowing(guessed), seed=0).stress * (1 + 1e-8)


@pytest.mark.slow
def test_an_object_of_which_nothing_is_known_is_placed_freely_by_both_solvers():
    points = plane()
    noisy = pdist(points) * np.exp(0.2 * np.random.default_rng(1).normal(size=N * (N - 1) // 2))
    dissimilarities = Dissimilarities.from_condensed(noisy)
    rows = [3, 8]
    known = tuple(
        with_gaps(Feature.numeric(name, column), rows)
        for name, column in zip("ab", points.T, strict=True)
    )
    problem = Problem(dissimilarities, FeatureTable(dissimilarities.labels, known), n_components=1)
    descent = fit(problem, seed=0)
    updates = fit(problem, solver="smacof", tol=1e-12, max_iter=5000, n_init=4, seed=0)
    assert descent.stress <= updates.stress * (1 + 1e-6)
    # Where no entry of a row is known, freeing entries and freeing the row are the same.
    assert updates.stress == pytest.approx(descent.stress, rel=1e-5)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
def test_the_published_updates_never_raise_the_stress_with_gaps(coef, simulate):
    for seed in range(4):
        problem = simulate(15, 3, 1, noise=0.3, missing_entries=6, coef=coef, seed=seed)
        found = fit(problem, solver="smacof", tol=-1.0, max_iter=60, n_init=2, seed=0)
        # At the bottom a repeated update moves by rounding.
        assert np.diff(found.stress_path).max() <= 1e-15


def test_a_missing_group_is_found_among_the_groups():
    random = np.random.default_rng(2)
    groups = np.array(["north", "south", "west"] * 6)
    corners = {"north": (0.0, 2.0), "south": (2.0, -1.0), "west": (-2.0, -1.0)}
    points = np.array([corners[g] for g in groups])
    points = np.column_stack([points, 0.3 * random.normal(size=N)])
    feature = with_gaps(Feature.categorical("side", groups), [4, 9])
    found = fit(problem_of(points, (feature,), n_components=1), seed=0)
    assert [(v.feature, v.value) for v in found.imputed()] == [("side", "south"), ("side", "north")]
    assert [v.label for v in found.imputed()] == ["object 5", "object 10"]


def test_a_missing_angle_is_found_on_the_circle():
    random = np.random.default_rng(3)
    angle = random.uniform(0, 360, N)
    radians = np.deg2rad(angle)
    points = np.column_stack([2 * np.cos(radians), 2 * np.sin(radians), random.normal(size=N)])
    feature = with_gaps(Feature.circular("hue", angle), [0, 7])
    found = fit(problem_of(points, (feature,), n_components=1), seed=0)
    values = {v.label: v.value for v in found.imputed()}
    assert values["object 1"] == pytest.approx(angle[0], abs=1e-3)
    assert values["object 8"] == pytest.approx(angle[7], abs=1e-3)


def test_a_missing_rank_is_one_of_the_levels():
    random = np.random.default_rng(4)
    ranks = random.integers(0, 4, N)
    levels = ("none", "some", "much", "all")
    points = np.column_stack([1.5 * ranks, random.normal(size=N)])
    feature = with_gaps(Feature.ordinal("amount", [levels[r] for r in ranks], levels), [2, 5])
    found = fit(problem_of(points, (feature,), n_components=1), seed=0)
    assert [v.value for v in found.imputed()] == [levels[ranks[2]], levels[ranks[5]]]


def test_values_of_exact_data_are_sure_and_quantities_always_are(simulate):
    angle = np.random.default_rng(3).uniform(0, 360, N)
    radians = np.deg2rad(angle)
    points = np.column_stack([2 * np.cos(radians), 2 * np.sin(radians), plane()[:, 0]])
    hue = with_gaps(Feature.circular("hue", angle), [0, 7])
    for one in fit(problem_of(points, (hue,), n_components=1), seed=0).imputed():
        # Where the stress ends, a place is off by about 1e-4.
        assert one.off < 1e-3
        assert not one.unsure
    numbers = fit(simulate(14, 2, 1, noise=0.5, missing_entries=5), seed=0).imputed()
    # V is scaled and brought back.
    assert max(one.off for one in numbers) < 1e-12


@pytest.mark.parametrize("kind", ["circular", "categorical"])
def test_what_lies_where_no_value_is_says_how_far_off_and_that_it_is_unsure(kind):
    random = np.random.default_rng(3)
    angle = np.arange(N) * 360 / N
    radians = np.deg2rad(angle)
    points = np.column_stack([2 * np.cos(radians), 2 * np.sin(radians), random.normal(size=N)])
    # One object is far outside of all others, on no circle and in no group.
    points[4, :2] *= 3.0
    feature = (
        Feature.circular("hue", angle)
        if kind == "circular"
        else Feature.categorical("side", [f"side {k // 6}" for k in range(N)])
    )
    found = fit(problem_of(points, (with_gaps(feature, [4]),), n_components=1), seed=0)
    (one,) = found.imputed()
    used = found.known_values[4]
    nearest = feature.columns()[[k for k in range(N) if k != 4]]
    apart = np.linalg.norm(nearest - used, axis=1).min()
    # For angles the nearest known one is another than the nearest of all; of 18 it is 20 off.
    assert one.off == pytest.approx(apart / np.sqrt(nearest.var(axis=0).sum()), rel=0.1)
    assert one.off > 1
    assert one.unsure


def test_nothing_is_imputed_where_nothing_is_missing(simulate):
    assert fit(simulate(8), n_init=1, seed=0).imputed() == ()


def test_a_feature_known_of_one_object_only_is_constant_and_explains_nothing():
    points = plane()
    lonely = with_gaps(Feature.numeric("lonely", points[:, 0]), np.arange(1, N))
    found = fit(problem_of(points, (lonely,), n_components=1), seed=0)
    assert [remark.text.split(" is ")[0] for remark in found.remarks] == ["lonely"]
    assert np.isfinite(found.known_values).all()
    bare = fit(problem_of(points, (), n_components=1), seed=0)
    assert found.stress == pytest.approx(bare.stress, rel=1e-8)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.slow
def test_gaps_beside_redundant_features_do_no_harm(coef, simulate):
    problem = simulate(14, 2, 1, noise=0.2, missing_entries=3, coef=coef)
    twice = problem.known.features[0].renamed("the same again")
    constant = Feature.numeric("constant", np.full(14, 3.0))
    more = problem.knowing(twice).knowing(constant)
    found = fit(more, seed=0)
    assert found.converged
    assert np.isfinite(found.coef).all()
    # A twin with gaps of its own can only help, and a constant changes nothing.
    assert found.stress <= fit(problem, seed=0).stress * (1 + 1e-6)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.parametrize("q", [5, 6, 8])
@pytest.mark.slow
def test_gaps_may_be_filled_with_as_many_features_as_objects(coef, q, simulate):
    problem = simulate(6, q, 0, noise=0.1, missing_entries=4, coef=coef)
    found = fit(problem, seed=0)
    assert np.isfinite(found.known_values).all()
    assert np.diff(found.stress_path).max() <= 0.0


def test_a_gap_starts_at_its_nearest_neighbours_not_at_objects_never_compared_with(simulate):
    complete = simulate(12, 1, 1, noise=0.0)
    delta = complete.dissimilarities.square()
    nearest = np.argsort(delta[0])[1:6]
    never = np.argsort(delta[0])[-3:]
    for other in never:
        delta[0, other] = delta[other, 0] = np.nan
    feature = with_gaps(complete.known.features[0], [0])
    dissimilarities = Dissimilarities.from_square(delta)
    problem = Problem(dissimilarities, FeatureTable(dissimilarities.labels, (feature,)))
    columns = objective_of(problem).columns
    start = columns.restored(np.zeros(1))[0, 0]
    assert start == pytest.approx(feature.values[nearest].mean(), rel=1e-12)


def test_the_scale_of_a_feature_with_gaps_does_not_matter(simulate):
    problem = simulate(14, 2, 1, noise=0.2, missing_entries=4)
    first = problem.known.features[0]
    other = problem.knowing(first.with_values(1e6 + 1e3 * first.values))
    one, two = fit(problem, seed=0), fit(other, seed=0)
    # An offset of a thousand spreads costs 3 of 16 digits.
    assert two.stress == pytest.approx(one.stress, rel=1e-7)
    assert np.allclose(
        (two.known_values[:, 0] - 1e6) / 1e3, one.known_values[:, 0], rtol=0, atol=1e-3
    )
