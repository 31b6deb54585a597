"""fit(): what is asked for, what comes back, and that it can be repeated and stopped."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, Progress, fit
from cml_core.errors import (
    ConditionalMappingError,
    InfiniteDissimilarities,
    NotConverged,
    NothingToExplain,
    RedundantFeatures,
)
from cml_core.fitting import threads
from cml_core.fitting.solvers import descent

SOLVERS = ("lbfgs", "smacof", "closed_form")


def knowing(problem, *features):
    for feature in features:
        problem = problem.knowing(feature)
    return problem


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("weights", [None, "sammon", "general"])
@pytest.mark.parametrize("coef", ["full", "diagonal"])
def test_the_stress_reported_is_that_of_the_map_returned(
    solver, weights, coef, simulate, stress_of
):
    problem = simulate(12, 3, 2, noise=0.3, weights=weights, coef=coef, missing_pairs=8)
    found = fit(problem, solver=solver, n_init=3, max_iter=50, seed=0)
    assert found.stress == found.stress_path[-1]
    assert found.stress == pytest.approx(stress_of(problem, found.points), rel=1e-9)
    # At the bottom a repeated update of smacof moves by rounding.
    assert np.diff(found.stress_path).max(initial=0.0) <= 1e-15


@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.parametrize(
    ("n", "q", "p"),
    [(8, 0, 0), (8, 2, 0), (8, 0, 1), (8, 1, 1), (6, 2, 3), (5, 7, 0), (3, 0, 2), (3, 1, 1)],
)
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.slow
def test_every_number_of_known_and_hidden_dimensions_is_an_ordinary_case(
    solver, coef, n, q, p, simulate, stress_of
):
    made_of = p if p + q else 2
    problem = simulate(n, q, made_of, noise=0.1, coef=coef, seed=4, hidden=p)
    found = fit(problem, solver=solver, n_init=3, tol=1e-7, seed=0)
    assert found.embedding.shape == (n, p)
    assert found.coef.shape == (q, q)
    assert found.known_values.shape == (n, q)
    assert found.converged
    assert found.stress == pytest.approx(stress_of(problem, found.points), abs=1e-9)
    if p + q == 0:
        assert found.stress == pytest.approx(1.0, rel=1e-12)


def test_exact_distances_are_fitted_exactly(simulate):
    found = fit(simulate(12, 2, 2, noise=0.0), seed=0)
    assert found.stress < 1e-19
    assert found.converged
    assert found.stopped == "converged"


def test_more_features_than_objects_leave_as_little_as_all_dimensions_would(simulate):
    problem = simulate(6, 8, 0, noise=0.3)
    bare = Problem(problem.dissimilarities, FeatureTable(problem.known.labels), n_components=5)
    # Eight features of six objects span all five dimensions there are.
    assert fit(problem, seed=0).stress == pytest.approx(fit(bare, seed=0).stress, rel=1e-7)


def test_a_fit_that_runs_out_of_iterations_says_so(simulate):
    found = fit(simulate(10, noise=0.3), max_iter=2, n_init=2, seed=0)
    assert not found.converged
    assert found.stopped == "iteration limit"
    assert found.n_iter == 2
    assert [remark.category for remark in found.remarks] == [NotConverged]
    assert "iteration limit" in found.remarks[0].text


def test_no_iteration_at_all_shows_the_best_start(simulate):
    found = fit(simulate(10, noise=0.3), max_iter=0, seed=0)
    assert found.n_iter == 0
    assert found.stress_path.size == 1
    assert not found.converged


def test_a_negative_tolerance_uses_every_iteration_of_the_published_updates(simulate):
    found = fit(simulate(8), solver="smacof", tol=-1.0, max_iter=37, n_init=1, seed=0)
    assert found.n_iter == 37
    assert found.stopped == "iteration limit"


def test_a_looser_tolerance_stops_sooner_and_higher(simulate):
    problem = simulate(12, noise=0.4)
    loose, tight = (fit(problem, n_init=1, tol=tol, seed=0) for tol in (1e-2, 1e-12))
    assert loose.n_iter < tight.n_iter
    assert loose.stress > tight.stress
    assert loose.converged
    assert tight.converged


def test_the_same_seed_gives_the_same_fit_and_another_seed_other_starts(simulate):
    problem = simulate(10, noise=0.4)
    one, same, other = (fit(problem, n_init=5, init="random", seed=s) for s in (1, 1, 2))
    assert np.array_equal(one.embedding, same.embedding)
    assert np.array_equal(one.coef, same.coef)
    assert np.array_equal(one.stress_path, same.stress_path)
    assert one.stress_path[0] != other.stress_path[0]


def test_a_fit_keeps_the_seed_that_repeats_it(simulate):
    problem = simulate(10, noise=0.4)
    one = fit(problem, init="random", n_init=3)
    assert fit(problem, init="random", n_init=3).seed != one.seed
    again = fit(problem, init="random", n_init=3, seed=one.seed)
    assert again.seed == one.seed
    assert np.array_equal(again.embedding, one.embedding)


def test_alternatives_are_distinct_sorted_and_turned_to_match_the_best():
    # Points on a circle forced onto a line: many orders are almost equally good.
    angle = np.linspace(0, 2 * np.pi, 11)[:-1]
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    dissimilarities = Dissimilarities.from_condensed(pdist(circle))
    problem = Problem(dissimilarities, FeatureTable(dissimilarities.labels), n_components=1)
    found = fit(problem, seed=0)
    stresses = [found.stress, *(other.stress for other in found.alternatives)]
    assert len(stresses) > 2
    assert stresses == sorted(stresses)
    maps = [found.embedding, *(other.embedding for other in found.alternatives)]
    for k, one in enumerate(maps):
        # Turned to match: mirrored it would agree with the best less well.
        assert (one * maps[0]).sum() >= 0.0
        for other, stress in zip(maps[:k], stresses[:k], strict=True):
            gap = np.linalg.norm(pdist(one) - pdist(other)) / np.linalg.norm(pdist(other))
            assert gap > 1e-2 or stresses[k] > stress * (1 + 1e-4)
    starts = [found.best.starts, *(other.starts for other in found.alternatives)]
    assert sum(starts) <= found.n_starts


def test_alternatives_have_the_stress_they_claim(simulate, stress_of):
    problem = simulate(9, 1, 1, noise=0.6, seed=3)
    found = fit(problem, seed=0)
    assert found.alternatives
    for other in found.alternatives:
        configuration = np.hstack([other.embedding, other.known_values @ other.coef])
        assert stress_of(problem, configuration) == pytest.approx(other.stress, rel=1e-9)


def test_every_step_reported_belongs_to_a_start_and_goes_down(simulate):
    steps: list[Progress] = []
    found = fit(simulate(9), n_init=4, seed=0, on_step=steps.append)
    assert [step.start for step in steps] == [1, 2, 3, 4]
    assert {step.n_starts for step in steps} == {4}
    assert steps[-1].stress == min(step.stress for step in steps) == found.stress
    assert all(step.iteration > 0 for step in steps)


@pytest.mark.parametrize("n", [12, 60])
def test_a_cancelled_fit_of_few_objects_returns_the_best_of_the_starts_it_took(n, simulate):
    problem = simulate(n, noise=0.4)
    found = fit(problem, n_init=8, seed=0, on_step=lambda step: step.start == 2)
    assert found.stopped == "cancelled"
    assert not found.converged
    assert found.n_starts == 2
    assert found.remarks[-1].category is NotConverged
    whole = fit(problem, n_init=2, seed=0)
    assert found.stress == whole.stress


def test_a_fit_cancelled_at_its_last_start_is_complete(simulate):
    found = fit(simulate(9), n_init=3, seed=0, on_step=lambda step: step.start == 3)
    assert found.converged
    assert found.n_starts == 3


@pytest.mark.parametrize(("n", "solver"), [(650, "lbfgs"), (40, "smacof")])
def test_a_long_start_can_be_cancelled_on_its_way(n, solver, simulate, stress_of):
    problem = simulate(n, 2, 2, noise=0.2)
    steps = []

    def on_step(step):
        steps.append(step)
        return step.iteration == 3

    found = fit(problem, solver=solver, init="random", seed=0, on_step=on_step)
    assert found.stopped == "cancelled"
    assert found.n_iter == 3
    assert found.stress == pytest.approx(steps[-1].stress, rel=1e-12)
    assert stress_of(problem, found.points) == pytest.approx(found.stress, rel=1e-9)


@pytest.mark.slow
def test_a_fit_cancelled_in_single_precision_reports_the_stress_of_its_map(
    simulate, stress_of, monkeypatch
):
    monkeypatch.setattr(descent, "THREADED_FROM", 5)
    monkeypatch.setattr(descent, "SINGLE_FROM", 5)
    problem = simulate(20, 2, 2, noise=0.2)
    found = fit(problem, init="random", n_init=1, seed=0, on_step=lambda step: step.iteration == 5)
    assert found.stopped == "cancelled"
    # Single precision sums 190 squares to about 6 digits.
    assert stress_of(problem, found.points) == pytest.approx(found.stress, rel=1e-5)


@pytest.mark.slow
def test_many_objects_give_the_same_map_threaded_and_compiled(simulate, monkeypatch):
    problem = simulate(700, 2, 2, noise=0.2, weights="general")
    threaded = fit(problem, n_init=1, seed=0)
    monkeypatch.setattr(descent, "THREADED_FROM", 10_000)
    compiled = fit(problem, n_init=1, seed=0)
    assert threaded.converged
    assert compiled.converged
    # Sums in another order; both stop within a few 1e-9 of the same bottom.
    assert threaded.stress == pytest.approx(compiled.stress, rel=1e-7)


@pytest.mark.parametrize("n", [14, 70, 700])
def test_one_thread_gives_the_same_numbers_as_two(n, simulate, monkeypatch):
    problem = simulate(n, 2, 2, noise=0.2, weights="sammon")
    results = []
    for count in ("1", "2"):
        monkeypatch.setenv("CML_THREADS", count)
        threads.shared_threads.cache_clear()
        assert threads.thread_count() == int(count)
        results.append(fit(problem, n_init=3, max_iter=60, seed=0))
    monkeypatch.delenv("CML_THREADS")
    threads.shared_threads.cache_clear()
    assert np.array_equal(results[0].embedding, results[1].embedding)
    assert np.array_equal(results[0].stress_path, results[1].stress_path)


def test_fits_side_by_side_give_what_they_give_alone(simulate):
    problems = [simulate(n, 2, 2, noise=0.3, seed=n) for n in (12, 70, 650)]
    alone = [fit(problem, n_init=3, max_iter=80, seed=0) for problem in problems]
    with ThreadPoolExecutor(3) as executor:
        together = list(
            executor.map(lambda problem: fit(problem, n_init=3, max_iter=80, seed=0), problems)
        )
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.embedding, other.embedding)
        assert one.stress == other.stress


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
@pytest.mark.slow
def test_the_size_of_weights_does_not_matter(solver, simulate):
    problem = simulate(10, noise=0.3, weights="general")
    one = fit(problem, solver=solver, n_init=3, seed=0)
    for factor in (1e-9, 3.0, 1e9):
        scaled = Problem(problem.dissimilarities, problem.known, weights=factor * problem.weights)
        other = fit(scaled, solver=solver, n_init=3, seed=0)
        assert other.stress == pytest.approx(one.stress, rel=1e-7)
        assert np.allclose(pdist(other.embedding), pdist(one.embedding), rtol=0, atol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
@pytest.mark.parametrize("weights", [None, "sammon", "general"])
@pytest.mark.parametrize("missing_pairs", [0, 9])
def test_dissimilarities_in_single_precision_are_fitted_like_those_in_double(
    solver, weights, missing_pairs, simulate
):
    stresses = []
    for dtype in (np.float32, np.float64):
        problem = simulate(
            12, 2, 1, noise=0.3, dtype=dtype, weights=weights, missing_pairs=missing_pairs
        )
        found = fit(problem, solver=solver, n_init=3, seed=0)
        assert np.isfinite(found.object_stress()).all()
        stresses.append(found.stress)
    # Single precision rounds every dissimilarity by up to 6e-8 of itself.
    assert stresses[0] == pytest.approx(stresses[1], rel=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("coef", ["full", "diagonal"])
@pytest.mark.parametrize("which", ["constant", "duplicate", "collinear"])
def test_a_feature_that_adds_nothing_is_named_and_the_fit_is_as_without_it(
    which, coef, solver, simulate
):
    problem = simulate(12, 2, 1, noise=0.2, coef=coef)
    first, second = (feature.values for feature in problem.known.features)
    extra = {"constant": 0 * first + 7, "duplicate": 5 - 2 * first, "collinear": first + second}
    more = knowing(problem, Feature.numeric("the extra", extra[which]))
    found = fit(more, solver=solver, n_init=4, tol=1e-10, max_iter=5000, seed=0)
    assert [remark.category for remark in found.remarks] == [RedundantFeatures]
    assert "the extra" in found.remarks[0].text
    assert np.isfinite(found.coef).all()
    if coef == "full" and solver == "lbfgs":
        # The columns span the same space, in which B is free.
        assert found.stress == pytest.approx(fit(problem, n_init=4, seed=0).stress, rel=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_only_redundant_features_leave_metric_scaling(solver, simulate):
    bare = simulate(9, 0, 2, noise=0.2)
    constant = knowing(bare, Feature.numeric("constant", np.full(9, 2.5)))
    found, expected = (fit(each, solver=solver, n_init=3, seed=0) for each in (constant, bare))
    # The published updates stop 1e-9 of normalised stress short of the bottom.
    assert found.stress == pytest.approx(expected.stress, rel=1e-4)


def test_columns_of_one_feature_share_one_weight_where_b_is_diagonal(simulate):
    problem = simulate(12, 1, 1, noise=0.2, coef="diagonal")
    group = Feature.categorical("group", list("abcd" * 3))
    angle = Feature.circular("angle", np.arange(12) * 30.0)
    for solver in ("lbfgs", "smacof"):
        found = fit(knowing(problem, group, angle), solver=solver, n_init=3, seed=0)
        weights = np.diag(found.coef)
        assert np.array_equal(found.coef, np.diag(weights))
        assert np.ptp(weights[1:4]) <= 1e-12 * weights.max()
        # Cosine and sine are scaled together, because they are one circle.
        assert np.ptp(weights[4:6]) <= 1e-12 * weights.max()


@pytest.mark.parametrize(
    "options",
    [
        {"solver": "newton"},
        {"init": "best"},
        {"n_init": 0},
        {"n_init": "many"},
        {"n_init": 1.5},
        {"max_iter": -1},
        {"max_iter": 10.0},
        {"tol": float("nan")},
        {"tol": None},
        {"seed": -1},
    ],
    ids=lambda options: next(f"{key}={value}" for key, value in options.items()),
)
def test_an_option_that_makes_no_sense_is_refused_with_a_remedy(options, simulate):
    with pytest.raises(ConditionalMappingError) as caught:
        fit(simulate(8), **options)
    assert next(iter(options)) in caught.value.fact
    assert caught.value.remedy


def random_problem(scale=1.0, tiny=None, weights=None):
    points = np.random.default_rng(0).normal(size=(10, 4))
    dissimilarities = scale * pdist(points)
    if tiny is not None:
        dissimilarities[7] = tiny
    values = Dissimilarities.from_condensed(dissimilarities)
    known = FeatureTable(values.labels, (Feature.numeric("First", points[:, 0]),))
    return Problem(values, known, weights=weights)


@pytest.mark.parametrize("scale", [1e160, 1e200, 1e300])
def test_dissimilarities_too_large_to_be_squared_are_refused(scale):
    with pytest.raises(InfiniteDissimilarities, match="too large to be squared"):
        fit(random_problem(scale), seed=0)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e140])
def test_any_other_unit_gives_the_same_map(scale):
    found = fit(random_problem(scale), seed=0)
    # Rounding differs with the unit, and with it the last steps.
    assert found.stress == pytest.approx(fit(random_problem(), seed=0).stress, rel=1e-6)


@pytest.mark.parametrize("tiny", [1e-8, 1e-16, 1e-24, 1e-200])
def test_one_pair_may_outweigh_all_others(tiny):
    found = fit(random_problem(tiny=tiny, weights="sammon"), seed=0, n_init=3)
    assert np.isfinite(found.embedding).all()


def test_pairs_that_count_must_not_all_be_zero():
    problem = random_problem()
    dissimilarities = problem.dissimilarities.condensed.copy()
    dissimilarities[:40] = 0.0
    weights = np.ones(45)
    weights[40:] = 0.0
    values = Dissimilarities.from_condensed(dissimilarities)
    with pytest.raises(NothingToExplain, match="that has a weight is zero"):
        fit(Problem(values, FeatureTable(values.labels), weights=weights))
