"""What each solver promises about its steps and about why it stops.

Everything here is small enough to run interpreted as well, with NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from cml_core import Dissimilarities, FeatureTable, Problem, fit
from cml_core.fitting.configuration import Configuration
from cml_core.fitting.solver_input import objective_of
from cml_core.fitting.solvers import descent, run
from cml_core.fitting.solvers.closed_form import closed_form, leading_coordinates
from cml_core.fitting.solvers.descent import descend
from cml_core.fitting.solvers.objective import _lower_root, normalised_stress
from cml_core.fitting.solvers.quasi_newton import (
    CONVERGED,
    EVALUATE,
    EXHAUSTED,
    OVERSHOOT,
    Rules,
    remember,
    respond,
)
from cml_core.fitting.solvers.smacof import majorise
from cml_core.fitting.solvers.starts import random_start

SHAPES = [
    {"q": 0, "p": 2},
    {"q": 2, "p": 0},
    {"q": 1, "p": 1},
    {"q": 3, "p": 2, "coef": "diagonal"},
    {"q": 2, "p": 2, "weights": "general"},
    {"q": 2, "p": 1, "weights": "sammon", "missing_pairs": 6},
    {"q": 3, "p": 1, "missing_entries": 4},
    {"q": 3, "p": 1, "missing_entries": 4, "coef": "diagonal", "weights": "general"},
]


def shape_name(shape):
    return " ".join(f"{key}={value}" for key, value in shape.items())


def at_random(objective, seed=0):
    """A start far from any optimum."""
    p, n = objective.n_components, objective.n_objects
    size = p * n + objective.layout.amplitude_scale.size
    base = np.random.default_rng(seed).normal(size=size)
    base = np.concatenate([base, np.zeros(objective.layout.free_object.size)])
    return random_start(objective, base, np.random.default_rng(seed))


def majorised(objective, start, max_iter, tolerance, watch=None):
    return majorise(objective, objective.configuration(start), None, max_iter, tolerance, watch)


def solved(solver, objective, start, max_iter=60, tolerance=1e-9, watch=None):
    solve = descend if solver == "lbfgs" else majorised
    return solve(objective, start, max_iter, tolerance, watch)


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
@pytest.mark.parametrize("shape", SHAPES, ids=shape_name)
def test_the_stress_never_rises(solver, shape, simulate):
    objective = objective_of(simulate(10, noise=0.4, **shape))
    path = solved(solver, objective, at_random(objective), tolerance=-1.0).path
    # An update at the optimum repeats it: what is left is the rounding of a sum of order one.
    assert np.diff(path).max() <= (0.0 if solver == "lbfgs" else 1e-15)
    assert path[-1] < path[0]


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
@pytest.mark.parametrize("shape", SHAPES[:6], ids=shape_name)
def test_the_last_of_the_path_is_the_stress_of_what_is_returned(solver, shape, simulate, stress_of):
    problem = simulate(10, noise=0.4, **shape)
    objective = objective_of(problem)
    found = solved(solver, objective, at_random(objective), max_iter=7, tolerance=-1.0)
    at = found.configuration
    expected = stress_of(problem, at.points)
    assert found.stress == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
def test_a_plain_step_of_the_descent_is_a_published_update_under_unit_weights(coef, simulate):
    objective = objective_of(simulate(9, 3, 2, noise=0.3, coef=coef))
    start = at_random(objective)
    updated = majorised(objective, start, 1, -1.0).configuration
    # The first trial of a descent is this step, overshot.
    opened = objective.configuration(start + (first_trial(objective, start) - start) / OVERSHOOT)
    assert np.allclose(centred(opened.embedding), centred(updated.embedding), rtol=0, atol=1e-11)
    assert np.allclose(opened.coef @ opened.coef.T, updated.coef @ updated.coef.T, atol=1e-11)


def first_trial(objective, start):
    memory = remember(start)
    evaluate = descent.ThreadedEvaluation(objective, np.dtype(np.float64))
    rules = Rules(1, -1.0, 0.0, objective.layout.safe)
    respond(memory, rules, evaluate(memory.trial, memory.trial_gradient), np.zeros(2))
    return memory.trial


def centred(points):
    return points - points.mean(axis=0)


@pytest.mark.parametrize("coef", ["full", "diagonal"])
def test_an_update_under_weights_is_that_of_the_paper(coef, simulate):
    problem = simulate(8, 2, 2, noise=0.3, weights="general", coef=coef, missing_pairs=4)
    objective = objective_of(problem)
    start = objective.configuration(at_random(objective))
    updated = majorise(objective, start, None, 1, -1.0).configuration

    delta = squareform(np.nan_to_num(problem.targets.condensed))
    w = squareform(problem.pair_weights)
    V = centred(problem.encoding.values)
    distance = squareform(pdist(np.hstack([start.embedding, V @ start.coef])))
    pull = np.divide(w * delta, distance, out=np.zeros_like(w), where=distance > 0)
    H, C = (np.diag(a.sum(axis=0)) - a for a in (w, pull))
    B = np.linalg.solve(V.T @ H @ V, V.T @ C @ V @ start.coef)
    if coef == "diagonal":
        B = np.diag(np.diag(V.T @ C @ V) / np.diag(V.T @ H @ V) * np.diag(start.coef))
    assert np.allclose(updated.coef, B, rtol=1e-10)
    assert np.allclose(updated.embedding, np.linalg.pinv(H) @ C @ start.embedding, atol=1e-10)


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_no_iteration_returns_the_start_and_says_it_stopped_at_the_limit(solver, simulate):
    objective = objective_of(simulate(8))
    start = at_random(objective)
    found = solved(solver, objective, start, max_iter=0)
    assert found.path.size == 1
    assert found.reason == run.AT_LIMIT
    assert not found.converged
    assert np.allclose(found.configuration.embedding, objective.configuration(start).embedding)


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_one_iteration_is_one_step_down(solver, simulate):
    objective = objective_of(simulate(8, noise=0.5))
    found = solved(solver, objective, at_random(objective), max_iter=1)
    assert found.path.size == 2
    assert found.path[1] < found.path[0]
    assert found.reason == run.AT_LIMIT


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_a_negative_tolerance_goes_on_where_a_loose_one_stops(solver, simulate):
    objective = objective_of(simulate(9, noise=0.5))
    start = at_random(objective)
    loose = solved(solver, objective, start, max_iter=25, tolerance=0.1)
    strict = solved(solver, objective, start, max_iter=25, tolerance=-1.0)
    assert loose.reason == run.CONVERGED
    assert loose.path.size < 26
    assert strict.reason == run.AT_LIMIT
    assert strict.path.size == 26


def test_a_descent_without_tolerance_ends_at_working_precision_or_the_limit(simulate):
    objective = objective_of(simulate(8, 1, 1, noise=0.5))
    found = descend(objective, at_random(objective), 2000, -1.0)
    assert found.reason == run.AT_PRECISION
    assert found.converged
    again = descend(objective, at_random(objective), 2000, 1e-9)
    # Two relative decreases below 1e-9 in a row leave little: measured below 1e-8.
    assert found.stress <= again.stress <= found.stress * (1 + 1e-7)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6])
def test_a_descent_stops_after_two_small_steps_in_a_row_and_no_sooner(tolerance, simulate):
    for seed in range(5):
        objective = objective_of(simulate(10, noise=0.4, seed=seed))
        path = descend(objective, at_random(objective, seed), 500, tolerance).path
        small = -np.diff(path) <= tolerance * path[:-1]
        assert small[-2:].all()
        assert not (small[:-2] & small[1:-1]).any()


def test_an_exact_fit_is_recognised(simulate):
    objective = objective_of(simulate(9, 1, 2, noise=0.0))
    found = descend(objective, at_random(objective, seed=1), 1000, 1e-9)
    assert found.reason == run.CONVERGED
    assert found.stress <= descent.EXACT_FIT


def test_a_descent_that_starts_at_the_optimum_stays_there(simulate):
    problem = simulate(8, 0, 2, noise=0.0)
    objective = objective_of(problem)
    square = squareform(problem.targets.condensed)
    exact = leading_coordinates(centred_products(square), 2)
    found = descend(objective, objective.variables(exact, np.zeros((0, 0))), 100, 1e-9)
    assert found.path.size == 1
    assert found.converged


def centred_products(square):
    J = np.eye(len(square)) - 1.0 / len(square)
    return -0.5 * J @ square**2 @ J


def test_nothing_to_vary_is_converged_at_once(simulate):
    for coef in ("full", "diagonal"):
        objective = objective_of(simulate(5, 0, 2, hidden=0, coef=coef))
        found = descend(objective, np.empty(0), 100, 1e-9)
        assert found.converged
        assert found.path == pytest.approx([1.0], rel=1e-12)


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_a_watch_sees_every_step_and_can_cancel(solver, simulate, monkeypatch):
    monkeypatch.setattr(descent, "THREADED_FROM", 5)
    objective = objective_of(simulate(10, noise=0.5))
    seen = []

    def watch(iteration, stress):
        seen.append((iteration, stress))
        return iteration == 4

    found = solved(solver, objective, at_random(objective), watch=watch)
    assert found.reason == run.CANCELLED
    assert not found.converged
    first = 0 if solver == "lbfgs" else 1
    assert [iteration for iteration, _ in seen] == list(range(first, 5))
    assert found.path.size == 5
    assert [stress for _, stress in seen] == pytest.approx(found.path[first:], rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES, ids=shape_name)
def test_the_threaded_way_down_is_that_of_the_compiled_one(shape, simulate, monkeypatch):
    objective = objective_of(simulate(10, noise=0.2, **shape))
    start = at_random(objective)
    compiled = descend(objective, start, 12, -1.0)
    monkeypatch.setattr(descent, "THREADED_FROM", 5)
    threaded = descend(objective, start, 12, -1.0)
    # Where few variables have converged sooner, one of the two may find no lower point any more.
    steps = min(threaded.path.size, compiled.path.size)
    assert steps >= 10
    # The same steps with sums in another order; a dozen steps amplify that a little.
    assert threaded.path[:steps] == pytest.approx(compiled.path[:steps], rel=1e-9)


# From how many objects on single precision is used on the way: threaded, and compiled throughout.
SINGLE = ({"THREADED_FROM": 5, "SINGLE_FROM": 5}, {"COMPILED_SINGLE_FROM": 5})


@pytest.mark.parametrize("single", SINGLE, ids=["threaded", "compiled"])
@pytest.mark.parametrize("shape", SHAPES, ids=shape_name)
def test_single_precision_on_the_way_ends_at_the_optimum_of_double(
    shape, single, simulate, monkeypatch
):
    objective = objective_of(simulate(10, noise=0.2, **shape))
    start = at_random(objective)
    double = descend(objective, start, 500, 1e-11)
    for name, least in single.items():
        monkeypatch.setattr(descent, name, least)
    mixed = descend(objective, start, 500, 1e-11)
    assert mixed.converged
    # Both may stop within about 1e-10 of the same bottom, or find another one that is lower.
    assert mixed.stress <= double.stress * (1 + 1e-7)


@pytest.mark.parametrize("single", SINGLE, ids=["threaded", "compiled"])
def test_the_stress_does_not_rise_where_single_precision_gives_way_to_double(
    single, simulate, monkeypatch
):
    for name, least in single.items():
        monkeypatch.setattr(descent, name, least)
    for seed in range(8):
        objective = objective_of(simulate(12, noise=0.3, seed=seed))
        found = descend(objective, at_random(objective, seed), 300, 1e-9)
        assert np.diff(found.path).max() <= 0.0
        at = found.configuration
        exact = normalised_stress(objective, at.embedding, at.known_places)
        # The last of the path is the stress in double precision.
        assert found.stress == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("single", SINGLE, ids=["threaded", "compiled"])
@pytest.mark.parametrize("tiny", [1e-20, 1e-200])
def test_numbers_beyond_single_precision_are_left_to_double(tiny, single, simulate, monkeypatch):
    problem = simulate(10, 0, 2, noise=0.2)
    values = problem.dissimilarities.condensed.copy()
    values[5] = tiny  # its Sammon weight is 1 / tiny
    given = Dissimilarities(problem.dissimilarities.labels, values)
    objective = objective_of(replace(problem, dissimilarities=given, weights="sammon"))
    start = at_random(objective)
    double = descend(objective, start, 500, 1e-9)
    for name, least in single.items():
        monkeypatch.setattr(descent, name, least)
    found = descend(objective, start, 500, 1e-9)
    # Threads add up in another order, and one pair outweighs all others by far.
    assert found.stress == pytest.approx(double.stress, rel=1e-3)


def test_single_precision_dissimilarities_serve_as_well_as_double(simulate):
    stresses = []
    for dtype in (np.float32, np.float64):
        objective = objective_of(simulate(10, noise=0.2, dtype=dtype, weights="sammon"))
        assert objective.delta.dtype == dtype
        stresses.append(descend(objective, at_random(objective), 500, 1e-11).stress)
    # Single precision rounds every dissimilarity by up to 6e-8 of itself.
    assert stresses[0] == pytest.approx(stresses[1], rel=1e-5)


def test_the_closed_form_without_known_features_is_classical_scaling():
    points = np.random.default_rng(0).normal(size=(9, 3))
    square = squareform(pdist(points))
    hidden, B = closed_form(square, np.zeros((9, 0)), 3, False, floor=0.0)
    assert B.shape == (0, 0)
    assert np.allclose(squareform(pdist(hidden)), square, rtol=1e-10)


@pytest.mark.parametrize("diagonal", [False, True])
def test_the_closed_form_finds_the_amplitude_of_a_feature_that_explains_everything(diagonal):
    known = np.random.default_rng(1).normal(size=(12, 1))
    square = squareform(pdist(3.5 * known))
    hidden, B = closed_form(square, known, 1, diagonal, floor=0.0)
    assert B[0, 0] == pytest.approx(3.5, rel=1e-12)
    assert np.abs(hidden).max() < 1e-6  # the root of a rounding error


def test_the_closed_form_clips_what_would_be_a_negative_square():
    random = np.random.default_rng(2)
    hidden = random.normal(size=(15, 1))
    irrelevant = 1.0 / (0.1 + np.abs(hidden - np.median(hidden)))
    square = squareform(pdist(hidden))
    _, B = closed_form(square, irrelevant, 1, True, floor=0.0)
    assert not B.any()
    _, floored = closed_form(square, irrelevant, 1, True, floor=0.1)
    assert floored[0, 0] > 0.0


def test_the_leading_coordinates_of_a_matrix_without_positive_eigenvalues_are_zero():
    assert not leading_coordinates(-np.eye(4), 2).any()
    assert leading_coordinates(np.eye(4), 0).shape == (4, 0)


def test_the_published_updates_place_an_object_without_features_freely(simulate):
    problem = simulate(9, 2, 1, noise=0.1, missing_entries=1)
    objective = objective_of(problem)
    i = int(np.flatnonzero(objective.columns.missing.any(axis=1))[0])
    start = objective.configuration(at_random(objective))
    places = np.zeros((9, 2))
    there = places.copy()
    there[i] = [4.0, -3.0]
    paths = [majorise(objective, start, at, 5, -1.0).path for at in (places, there)]
    assert paths[0][0] != pytest.approx(paths[1][0], rel=1e-3)
    others = there.copy()
    others[[k for k in range(9) if k != i]] = 100.0
    assert np.array_equal(majorise(objective, start, others, 5, -1.0).path, paths[1])


def test_a_problem_solved_from_two_starts_interpreted_or_compiled(simulate):
    problem = simulate(8, 1, 1, noise=0.2)
    found = fit(problem, n_init=2, seed=0)
    assert found.converged
    assert found.n_starts == 2
    assert isinstance(found.best.stress, float)
    reference = fit(problem, n_init=2, seed=0, solver="smacof", tol=1e-13, max_iter=3000)
    assert found.stress <= reference.stress * (1 + 1e-6)


def test_a_configuration_is_measured_wherever_it_lies(simulate):
    objective = objective_of(simulate(7, 1, 2))
    random = np.random.default_rng(0)
    hidden, places = random.normal(size=(7, 2)), random.normal(size=(7, 1))
    here = normalised_stress(objective, hidden, places)
    # An offset of 1e6 costs 6 of 16 digits.
    assert normalised_stress(objective, hidden + 1e6, places - 1e6) == pytest.approx(here, rel=1e-8)


def test_a_triangle_is_drawn_exactly():
    dissimilarities = Dissimilarities.from_condensed([3.0, 4.0, 5.0])
    problem = Problem(dissimilarities, FeatureTable(dissimilarities.labels), n_components=2)
    found = descend(objective_of(problem), np.array([0.0, 1, 2, 0, 2, 1]), 500, 1e-9)
    assert pdist(found.configuration.embedding) == pytest.approx([3.0, 4.0, 5.0], rel=1e-8)
    assert isinstance(found.configuration, Configuration)


def minimised(function, start, max_iter=200, tolerance=1e-12, safe=0.5):
    """Walk down any function the way a descent walks down the stress."""
    memory, path = remember(np.array(start, dtype=float)), np.zeros(max_iter + 1)
    rules, status = Rules(max_iter, tolerance, 0.0, safe), EVALUATE
    while status == EVALUATE:
        value, memory.trial_gradient[:] = function(memory.trial)
        status = respond(memory, rules, float(value), path)
    return memory.point, np.trim_zeros(path, "b"), status


def test_the_steps_find_the_bottom_of_a_curved_valley():
    def rosenbrock(x):
        a, b = 1 - x[0], x[1] - x[0] ** 2
        return a * a + 100 * b * b, [-2 * a - 400 * x[0] * b, 200 * b]

    point, path, status = minimised(rosenbrock, [-1.2, 1.0], safe=1e-3)
    assert status == CONVERGED
    # The valley floor is flat: a value below 1e-12 leaves the place open by 1e-6.
    assert np.allclose(point, 1.0, rtol=0, atol=1e-5)
    assert np.diff(path).max() < 0.0


def test_the_steps_stop_where_the_gradient_vanishes():
    point, path, status = minimised(lambda x: (0.5 * x @ x, x), [1.0, -2.0], tolerance=-1.0)
    assert status == EXHAUSTED
    assert not point.any()
    assert path[0] == pytest.approx(2.5, rel=1e-15)


def test_the_steps_turn_back_from_where_there_is_no_value():
    def walled(x):
        inside = x[0] > 0
        return (x[0] - np.log(x[0]) if inside else np.nan), [1 - 1 / x[0] if inside else 0.0]

    point, path, status = minimised(walled, [4.0], safe=20.0)
    assert status == CONVERGED
    assert point[0] == pytest.approx(1.0, abs=1e-5)
    assert np.diff(path).max() <= 0.0


def test_the_root_of_a_metric_that_rounding_made_indefinite_is_nearly_its_root():
    directions = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    metric = directions @ np.diag([1.0, 0.5, -1e-17]) @ directions.T
    metric -= 1e-15 * np.outer(directions[:, 2], directions[:, 2])
    lower = _lower_root(metric)
    assert np.allclose(lower, np.tril(lower))
    # The direction that was lost gets a share of 1e-8 of the largest.
    assert lower @ lower.T == pytest.approx(metric, abs=2e-8)
