"""What must not matter to a fit, and what must follow from what, for any data."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit

# The examples are the same on every machine, so that a failure can be looked at.
modest = settings(max_examples=20)
seeds = st.integers(0, 2**32 - 1)
coefs = st.sampled_from(["full", "diagonal"])
kinds_of_weights = st.sampled_from([None, "sammon", "general"])

# Two ways of computing the same steps differ by rounding, which each step amplifies: a
# dozen steps turn 1e-16 into no more than 1e-10 on these data.
STEPS = 12
SAME_STEPS = 1e-8


def start_for(problem, seed=0):
    random = np.random.default_rng(seed)
    n, q = problem.encoding.values.shape
    B0 = random.normal(size=(q, q)) if problem.coef == "full" else np.diag(random.uniform(1, 2, q))
    return random.normal(size=(n, problem.n_components)), B0


def some_steps(problem, start, solver="lbfgs"):
    return fit(problem, solver=solver, init=start, max_iter=STEPS, tol=-1.0, seed=0)


def with_known(problem, columns):
    labels = problem.dissimilarities.labels
    features = tuple(Feature.numeric(f"new {k}", column) for k, column in enumerate(columns.T))
    return dataclasses.replace(problem, known=FeatureTable(labels, features))


@modest
@given(seed=seeds, solver=st.sampled_from(["lbfgs", "smacof"]), weights=kinds_of_weights)
def test_the_order_of_the_objects_does_not_matter(simulate, seed, solver, weights):
    problem = simulate(10, 2, 2, noise=0.3, seed=seed, weights=weights, missing_pairs=5)
    order = np.random.default_rng(seed).permutation(10)
    square = problem.dissimilarities.square()[np.ix_(order, order)]
    labels = tuple(problem.dissimilarities.labels[i] for i in order)
    moved = problem.weights
    if isinstance(moved, np.ndarray):
        moved = squareform(squareform(moved)[np.ix_(order, order)])
    shuffled = Problem(
        Dissimilarities.from_square(square, labels),
        problem.known.for_objects(labels),
        n_components=2,
        weights=moved,
    )
    U0, B0 = start_for(problem)
    one = some_steps(problem, (U0, B0), solver)
    other = some_steps(shuffled, (U0[order], B0), solver)
    assert other.stress_path == pytest.approx(one.stress_path, rel=SAME_STEPS)
    exact = fit(problem, solver="closed_form"), fit(shuffled, solver="closed_form")
    assert np.allclose(pdist(exact[1].embedding), pdist(exact[0].embedding[order]), atol=1e-6)


@modest
@given(seed=seeds, weights=kinds_of_weights)
def test_features_may_be_mixed_if_b_is_unmixed(simulate, seed, weights):
    problem = simulate(10, 3, 1, noise=0.3, seed=seed, weights=weights)
    random = np.random.default_rng(seed)
    left, right = (np.linalg.qr(random.normal(size=(3, 3)))[0] for _ in range(2))
    mixing = left @ np.diag([1.0, 3.0, 0.2]) @ right
    mixed = with_known(problem, problem.encoding.values @ mixing)
    U0, B0 = start_for(problem)
    one = some_steps(problem, (U0, B0))
    other = some_steps(mixed, (U0, np.linalg.solve(mixing, B0)))
    assert other.stress_path == pytest.approx(one.stress_path, rel=SAME_STEPS)
    unmixed = mixing @ other.coef
    size = np.linalg.norm(one.coef) ** 2
    assert np.allclose(unmixed @ unmixed.T, one.coef @ one.coef.T, rtol=0, atol=1e-5 * size)
    assert np.allclose(other.distances(), one.distances(), rtol=0, atol=1e-5 * size**0.5)


@modest
@given(
    seed=seeds,
    coef=coefs,
    scale=st.sampled_from([1e-3, 1.0, 1e3]),
    offset=st.sampled_from([0.0, -7.0, 1e6]),
    solver=st.sampled_from(["lbfgs", "smacof"]),
)
def test_the_units_and_the_origin_of_a_feature_do_not_matter(
    simulate, seed, coef, scale, offset, solver
):
    problem = simulate(10, 2, 1, noise=0.3, seed=seed, coef=coef)
    factors = np.array([scale, 1.0])
    # An offset of a million spreads leaves 10 of 16 digits of a feature.
    other_units = with_known(problem, (problem.encoding.values + offset) * factors)
    U0, B0 = start_for(problem)
    one = some_steps(problem, (U0, B0), solver)
    other = some_steps(other_units, (U0, B0 / factors[:, None]), solver)
    assert other.stress_path == pytest.approx(one.stress_path, rel=1e-5)
    grams = [B @ B.T for B in (one.coef, other.coef * factors[:, None])]
    assert np.allclose(grams[1], grams[0], rtol=0, atol=1e-4 * np.abs(grams[0]).max())


@modest
@given(
    seed=seeds, coef=coefs, offset=st.sampled_from([0.0, 1e6]), scale=st.sampled_from([1e-3, 1e3])
)
def test_the_optimum_does_not_depend_on_the_units_of_the_features(
    simulate, seed, coef, offset, scale
):
    problem = simulate(12, 2, 1, noise=0.05, seed=seed, coef=coef)
    other_units = with_known(problem, (problem.encoding.values + offset) * scale)
    one, other = (fit(each, n_init=4, seed=1) for each in (problem, other_units))
    assert other.converged
    assert other.stress == pytest.approx(one.stress, rel=1e-6)
    gram = one.coef @ one.coef.T
    assert np.allclose(scale**2 * other.coef @ other.coef.T, gram, rtol=0, atol=1e-2 * gram.max())


@modest
@given(
    seed=seeds,
    factor=st.sampled_from([1e-8, 1e-4, 1.7, 1e8]),
    solver=st.sampled_from(["lbfgs", "smacof", "closed_form"]),
    weights=kinds_of_weights,
    missing_pairs=st.sampled_from([0, 4]),
)
def test_the_unit_of_the_dissimilarities_scales_the_map_and_nothing_else(
    simulate, seed, factor, solver, weights, missing_pairs
):
    problem = simulate(10, 2, 1, noise=0.1, seed=seed, weights=weights, missing_pairs=missing_pairs)
    condensed = factor * problem.dissimilarities.condensed
    scaled = dataclasses.replace(
        problem,
        dissimilarities=Dissimilarities.from_condensed(condensed, problem.dissimilarities.labels),
    )
    U0, B0 = start_for(problem)
    options = {"solver": solver, "max_iter": STEPS, "tol": -1.0, "seed": 0}
    if solver == "closed_form":
        one, other = fit(problem, **options), fit(scaled, **options)
    else:
        one = fit(problem, init=(U0, B0), **options)
        other = fit(scaled, init=(factor * U0, factor * B0), **options)
    assert other.stress_path == pytest.approx(one.stress_path, rel=SAME_STEPS)
    size = one.distances().max()
    assert np.allclose(other.distances() / factor, one.distances(), rtol=0, atol=1e-5 * size)
    gram = one.coef @ one.coef.T
    assert np.allclose(
        other.coef @ other.coef.T / factor**2, gram, rtol=0, atol=1e-4 * np.abs(gram).max()
    )


@modest
@given(seed=seeds, n=st.integers(10, 18), q=st.integers(0, 2), p=st.integers(1, 2), coef=coefs)
@pytest.mark.slow
def test_exact_distances_with_exact_features_are_recovered(simulate, seed, n, q, p, coef):
    problem = simulate(n, q, p, noise=0.0, seed=seed, coef=coef)
    found = fit(problem, seed=0)
    delta = problem.dissimilarities.condensed
    assert found.converged
    # An exact fit ends at a stress of 1e-20, which is 1e-10 of a distance.
    assert np.abs(found.distances() - delta).max() <= 1e-6 * delta.max()


@modest
@given(
    seed=seeds,
    shape=st.sampled_from([(6, 0, 1), (9, 1, 0), (9, 2, 2), (7, 3, 1), (3, 1, 1)]),
    coef=coefs,
    weights=kinds_of_weights,
    missing_entries=st.integers(0, 2),
    solver=st.sampled_from(["lbfgs", "smacof"]),
)
def test_the_stress_never_rises_and_never_falls_below_zero(
    simulate, seed, shape, coef, weights, missing_entries, solver
):
    n, q, p = shape
    problem = simulate(
        n,
        q,
        p,
        noise=1.0,
        seed=seed,
        coef=coef,
        weights=weights,
        missing_entries=missing_entries if q and n > 3 else 0,
    )
    path = fit(problem, solver=solver, n_init=2, max_iter=200, tol=1e-12, seed=seed).stress_path
    # A repeated update of smacof moves by rounding.
    assert np.diff(path).max(initial=0.0) <= (0.0 if solver == "lbfgs" else 1e-15)
    assert path[-1] >= 0.0


@modest
@given(seed=seeds, coef=coefs, solver=st.sampled_from(["lbfgs", "smacof"]))
def test_one_more_feature_never_makes_a_fit_worse_that_goes_on_from_where_it_was(
    simulate, seed, coef, solver
):
    problem = simulate(10, 1, 2, noise=0.3, seed=seed, coef=coef)
    before = fit(problem, n_init=2, seed=0)
    extra = np.random.default_rng(seed).normal(size=10)
    more = problem.knowing(Feature.numeric("extra", extra))
    B0 = np.zeros((2, 2))
    B0[0, 0] = before.coef[0, 0]
    after = fit(more, solver=solver, init=(before.embedding, B0), seed=0)
    # The old map is one of the new ones: without the new feature nothing has changed.
    assert after.stress_path[0] == pytest.approx(before.stress, rel=1e-9)
    assert after.stress <= before.stress * (1 + 1e-9)


@modest
@given(seed=seeds, solver=st.sampled_from(["lbfgs", "smacof"]))
def test_one_more_dimension_never_makes_a_fit_worse_that_goes_on_from_where_it_was(
    simulate, seed, solver
):
    problem = simulate(10, 1, 2, noise=0.3, seed=seed)
    before = fit(problem, n_init=2, seed=0)
    random = np.random.default_rng(seed)
    wider = np.column_stack([before.embedding, 1e-6 * random.normal(size=10)])
    more = dataclasses.replace(problem, n_components=3)
    after = fit(more, solver=solver, init=(wider, before.coef), seed=0)
    assert after.stress_path[0] == pytest.approx(before.stress, rel=1e-6)
    # The new dimension begins at 1e-6, so the stress at 1e-12 of where it was.
    assert after.stress <= before.stress * (1 + 1e-9)


@modest
@given(seed=seeds, factor=st.sampled_from([0.5, 2.0, 1e6]), coef=coefs)
def test_weights_matter_only_relative_to_each_other(simulate, seed, factor, coef):
    problem = simulate(10, 2, 1, noise=0.3, seed=seed, weights="general", coef=coef)
    heavier = dataclasses.replace(problem, weights=factor * problem.weights)
    start = start_for(problem)
    one, other = some_steps(problem, start), some_steps(heavier, start)
    assert other.stress_path == pytest.approx(one.stress_path, rel=SAME_STEPS)


@modest
@given(seed=seeds, solver=st.sampled_from(["lbfgs", "smacof"]))
def test_a_pair_without_weight_may_as_well_be_missing(simulate, seed, solver):
    problem = simulate(10, 2, 1, noise=0.3, seed=seed, missing_pairs=6)
    gaps = problem.dissimilarities.missing
    nonsense = np.where(gaps, 1e3, problem.dissimilarities.condensed)
    weighted = dataclasses.replace(
        problem,
        dissimilarities=Dissimilarities.from_condensed(nonsense),
        weights=(~gaps).astype(float),
    )
    start = start_for(problem)
    one, other = some_steps(problem, start, solver), some_steps(weighted, start, solver)
    # The nonsense sets the inner unit, and with it the rounding.
    assert other.stress_path == pytest.approx(one.stress_path, rel=SAME_STEPS)


@modest
@given(seed=seeds, coef=coefs)
def test_equal_weights_are_no_weights(simulate, seed, coef):
    problem = simulate(10, 2, 1, noise=0.3, seed=seed, coef=coef)
    equal = dataclasses.replace(problem, weights=np.full(45, 0.3))
    start = start_for(problem)
    one, other = some_steps(problem, start, "smacof"), some_steps(equal, start, "smacof")
    assert other.stress_path == pytest.approx(one.stress_path, rel=SAME_STEPS)
