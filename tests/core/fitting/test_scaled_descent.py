"""Descents over a scale: the gradient, threads, the coarse way down, progress and cancelling.

What comes first is small enough to run interpreted as well, with NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest

from cml_core import ConditionalIsomap, Feature, Problem, Progress, fit
from cml_core.errors import NotConverged
from cml_core.fitting import threads
from cml_core.fitting.geodesics import Neighbourhood
from cml_core.fitting.solver_input import objective_of
from cml_core.fitting.solvers import descent, scaled_descent
from cml_core.fitting.solvers.descent import descend
from cml_core.fitting.solvers.scaled_descent import ScaledEvaluation
from cml_core.fitting.solvers.starts import informed_start

# Together they take longer than `make quick` has.
pytestmark = pytest.mark.slow

ADMITTING = ["interval", "spline", "ordinal"]
CHANGING = ["power", *ADMITTING]
# So many starts a fit of few objects may take on the dissimilarities as they are.
FIRST = 100
SHAPES = [
    {"q": 0, "p": 2},
    {"q": 2, "p": 0},
    {"q": 3, "p": 2, "coef": "diagonal"},
    {"q": 2, "p": 1, "weights": "general", "missing_pairs": 6},
    {"q": 2, "p": 1, "weights": "sammon"},
    {"q": 3, "p": 1, "missing_entries": 4},
    {"q": 3, "p": 1, "missing_entries": 4, "coef": "diagonal", "weights": "general"},
]
compiled_only = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow interpreted")


def shape_name(shape):
    return " ".join(f"{key}={value}" for key, value in shape.items())


def on(problem, scale, **options):
    return replace(problem, scale=scale, **options)


def start_of(objective, seed=0):
    """The good guess, shaken."""
    random = np.random.default_rng(seed)
    start = informed_start(objective, np.empty(0, bool), random)
    return start + 0.2 * np.abs(start).mean() * random.standard_normal(start.size)


@pytest.mark.parametrize("scale", ADMITTING)
@pytest.mark.parametrize("shape", SHAPES, ids=shape_name)
def test_the_gradient_is_that_of_the_stress_with_the_scale_fitted_anew(scale, shape, simulate):
    objective = objective_of(on(simulate(9, noise=0.4, **shape), scale))
    evaluate = ScaledEvaluation(objective, objective.admissible)
    y = start_of(objective)
    gradient, unused = np.empty(y.size), np.empty(y.size)
    evaluate(y, gradient)
    step = 1e-6
    for k, direction in enumerate(np.eye(y.size)):
        above, below = (evaluate(y + s * step * direction, unused) for s in (1, -1))
        # Differences of sums of some tens, 1e-14 of which is rounding, over 2e-6; and blocks of
        # equal values may part within the step, which bends the slope by some 1e-6 of itself.
        expected = pytest.approx(gradient[k], rel=1e-5, abs=1e-6)
        assert (above - below) / (2 * step) == expected


@pytest.mark.parametrize("scale", ADMITTING)
@pytest.mark.parametrize("shape", SHAPES, ids=shape_name)
def test_threads_take_the_same_steps_as_one_compiled_loop(scale, shape, simulate, monkeypatch):
    objective = objective_of(on(simulate(10, noise=0.4, **shape), scale))
    start = start_of(objective)
    alone = descend(objective, start, 6, -1.0)
    monkeypatch.setattr(scaled_descent, "THREADED_FROM", 0)
    shared = descend(objective, start, 6, -1.0)
    # Sums in another order: each step amplifies the rounding.
    assert shared.path == pytest.approx(alone.path, rel=1e-8)
    assert np.diff(alone.path).max() <= 0.0
    assert alone.path[-1] < alone.path[0]


@pytest.mark.parametrize("scale", ADMITTING)
def test_the_stress_does_not_depend_on_the_size_of_the_map(scale, simulate):
    objective = objective_of(on(simulate(9, noise=0.4), scale))
    evaluate = ScaledEvaluation(objective, objective.admissible)
    y = start_of(objective)
    gradient = np.empty(y.size)
    value = evaluate(y, gradient)
    assert evaluate(3 * y, np.empty(y.size)) == pytest.approx(value, rel=1e-12)
    # Neither up nor down, therefore, from the origin.
    assert gradient @ y == pytest.approx(0.0, abs=1e-9 * value)


@compiled_only
@pytest.mark.parametrize("shape", SHAPES, ids=shape_name)
@pytest.mark.parametrize("scale", CHANGING)
def test_every_shape_of_problem_converges_from_every_kind_of_start(scale, shape, simulate):
    problem = on(simulate(12, noise=0.2, **shape), scale)
    for init in ("auto", "closed_form", "random"):
        found = fit(problem, init=init, n_init=3, seed=0)
        assert found.converged
        assert found.n_starts <= 3
        assert 0 <= found.stress < 1
    again = fit(problem, init="random", n_init=3, seed=0)
    assert np.array_equal(again.embedding, found.embedding)
    assert again.power == found.power


@compiled_only
@pytest.mark.parametrize("scale", CHANGING)
def test_a_start_of_ones_own_is_gone_on_from(scale, simulate):
    problem = on(simulate(12, noise=0.3), scale)
    before = fit(problem, n_init=3, seed=0)
    after = fit(problem, init=(before.embedding, before.coef), seed=0)
    assert after.n_starts == 1
    # Steps of less than 1e-9 of the stress ended it; a few of them may still be taken.
    assert after.stress == pytest.approx(before.stress, rel=1e-6)
    assert after.stress <= before.stress * (1 + 1e-12)
    if scale != "power":
        assert after.stress_path[0] == pytest.approx(before.stress, rel=1e-9)


@compiled_only
@pytest.mark.parametrize("scale", ADMITTING)
def test_alternatives_are_other_minima_with_the_stress_they_claim(scale, simulate):
    problem = on(simulate(9, 1, 1, noise=0.6, seed=3), scale)
    found = fit(problem, n_init=30, seed=0)
    assert found.alternatives
    stresses = [found.stress, *(other.stress for other in found.alternatives)]
    assert stresses == sorted(stresses)
    objective = objective_of(problem)
    evaluate = ScaledEvaluation(objective, objective.admissible)
    for other in found.alternatives:
        y = objective.variables(other.embedding, other.coef, other.known_values)
        value = evaluate(y, np.empty(y.size)) / objective.total
        assert value == pytest.approx(other.stress, rel=1e-9)


@compiled_only
@pytest.mark.parametrize("scale", CHANGING)
def test_missing_entries_are_filled_in(scale, simulate):
    complete = simulate(25, 3, 1, noise=0.01)
    problem = on(simulate(25, 3, 1, noise=0.01, missing_entries=6), scale)
    found = fit(problem, n_init=10, seed=0)
    gaps = problem.encoding.missing
    assert gaps.sum() == 6
    assert np.isfinite(found.known_values).all()
    there, true = found.known_values[gaps], complete.encoding.values[gaps]
    # Each entry has 24 distances with an error of 1 %, one of which of about .02 decides.
    assert np.corrcoef(there, true)[0, 1] > 0.9
    assert len(found.imputed()) == 6


@compiled_only
# Along an arc the geodesics are exact, so that hardly anything is left.
@pytest.mark.filterwarnings("ignore::cml_core.errors.FlexibleScale")
@pytest.mark.parametrize("scale", ["ratio", *CHANGING])
def test_geodesics_are_fitted_on_every_scale(scale):
    angle = np.linspace(0, 1.5 * np.pi, 24)
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    D = np.linalg.norm(points[:, None] - points[None], axis=2)
    model = ConditionalIsomap(1, n_neighbors=3, scale=scale, n_init=10, random_state=0)
    model.fit(D)
    # Along the arc all lie on a line.
    assert model.stress_ < 1e-3
    assert abs(np.corrcoef(model.embedding_[:, 0], angle)[0, 1]) > 0.999
    problem = model.fit_.problem
    assert problem.neighbourhood == Neighbourhood(n_neighbors=3)
    order = np.lexsort((model.scaled_, problem.targets.condensed.round(9)))
    assert np.diff(model.scaled_[order]).min() >= -1e-9


@compiled_only
@pytest.mark.parametrize("scale", CHANGING)
def test_every_step_reported_belongs_to_a_start_that_does_not_go_back(scale, simulate):
    steps: list[Progress] = []
    found = fit(on(simulate(9), scale), n_init=4, seed=0, on_step=steps.append)
    starts = [step.start for step in steps]
    # First those on the dissimilarities as they are, until there is nothing new; then our four.
    assert starts == [*range(1, len(starts) - 3), *range(FIRST + 1, FIRST + 5)]
    assert {step.n_starts for step in steps} == {FIRST + 4}
    assert steps[-1].stress == found.stress


@compiled_only
@pytest.mark.parametrize("at", [1, 4, FIRST + 1, FIRST + 4])
@pytest.mark.parametrize("scale", CHANGING)
def test_a_fit_of_few_objects_can_be_cancelled_at_any_start(scale, at, simulate):
    problem = on(simulate(12, noise=0.4), scale)
    found = fit(problem, n_init=4, seed=0, on_step=lambda step: step.start == at)
    complete = at == FIRST + 4
    assert found.converged == complete
    assert found.stopped == ("converged" if complete else "cancelled")
    assert np.isfinite(found.scaled).all()
    if not complete:
        assert found.remarks[-1].category is NotConverged


@pytest.fixture
def many(simulate) -> Problem:
    return simulate(620, 2, 2, noise=0.2)


@compiled_only
@pytest.mark.parametrize("scale", CHANGING)
def test_many_objects_report_each_step_and_never_go_back(scale, many):
    steps: list[Progress] = []
    fit(on(many, scale), n_init=1, max_iter=12, seed=0, on_step=steps.append)
    assert len(steps) > 12
    starts = np.array([step.start for step in steps])
    assert np.diff(starts).min() >= 0
    # Two on the dissimilarities as they are, and ours.
    assert set(starts) == {1, 2, 3}
    last = [step for step in steps if step.start == 3]
    # Each step, the last once more for the end of the start; and where ranks were joined at first,
    # the one from which all of them count.
    told = [step.iteration for step in last]
    assert sorted(set(told)) == list(range(13))
    assert np.diff(told).min() == 0
    assert np.diff([step.stress for step in last]).max() <= 0.0


@compiled_only
@pytest.mark.parametrize(("start", "iteration"), [(1, 3), (2, 0), (3, 0), (3, 5)])
@pytest.mark.parametrize("scale", CHANGING)
def test_a_fit_of_many_objects_is_cancelled_on_its_way_and_soon(scale, start, iteration, many):
    asked: list[Progress] = []

    def on_step(step):
        asked.append(step)
        return (step.start, step.iteration) == (start, iteration)

    found = fit(on(many, scale), n_init=1, seed=0, on_step=on_step)
    assert found.stopped == "cancelled"
    assert not found.converged
    assert np.isfinite(found.scaled).all()
    weight = np.mean(found.scaled**2)
    left = np.mean((found.scaled - found.distances()) ** 2)
    assert left / weight == pytest.approx(found.stress, rel=1e-6)
    after = asked[1 + [(s.start, s.iteration) for s in asked].index((start, iteration)) :]
    # Whatever stage comes next asks once, and is told so again.
    assert len(after) <= 2


@compiled_only
def test_the_search_for_a_power_can_be_cancelled(many):
    begun: list[Progress] = []

    def on_step(step):
        if (step.start, step.iteration) == (2, 0):
            begun.append(step)
        # The second start of the first stage, then the first power, then the next.
        return len(begun) == 3

    found = fit(on(many, "power"), n_init=1, seed=0, on_step=on_step)
    assert found.stopped == "cancelled"
    assert found.power > 0
    assert np.isfinite(found.scaled).all()


@compiled_only
@pytest.mark.parametrize("weights", [None, "general"])
@pytest.mark.parametrize("scale", ADMITTING)
def test_many_objects_give_the_same_map_threaded_and_compiled(
    scale, weights, simulate, monkeypatch
):
    objective = objective_of(on(simulate(620, 2, 2, noise=0.2, weights=weights), scale))
    start = informed_start(objective, np.empty(0, bool), np.random.default_rng(0))
    threaded = descend(objective, start, 1000, 1e-9)
    for module in (descent, scaled_descent):
        monkeypatch.setattr(module, "THREADED_FROM", 10_000)
    compiled = descend(objective, start, 1000, 1e-9)
    assert threaded.converged
    assert compiled.converged
    # Sums in another order; both stop within a few 1e-9 of the same bottom.
    assert threaded.stress == pytest.approx(compiled.stress, rel=1e-7)


@compiled_only
@pytest.mark.parametrize("n", [150, 620])
@pytest.mark.parametrize("ties", ["primary", "secondary"])
def test_the_coarse_way_down_ends_where_the_fine_one_does(n, ties, simulate, monkeypatch):
    objective = objective_of(on(simulate(n, 2, 2, noise=0.2), "ordinal", ties=ties))
    start = informed_start(objective, np.empty(0, bool), np.random.default_rng(0))
    assert objective.admissible.ranks.mass.size > scaled_descent.COARSE_FROM
    coarse = descend(objective, start, 1000, 1e-9)
    monkeypatch.setattr(scaled_descent, "COARSE_FROM", 10**9)
    fine = descend(objective, start, 1000, 1e-9)
    # Both stop within a few 1e-9 of the same bottom.
    assert coarse.stress == pytest.approx(fine.stress, rel=1e-7)
    # From thousand ranks to all of them the stress only falls.
    assert np.diff(coarse.path).max() <= 0.0


@compiled_only
@pytest.mark.parametrize("scale", CHANGING)
@pytest.mark.parametrize("n", [14, 70, 620])
def test_one_thread_gives_the_same_numbers_as_two(n, scale, simulate, monkeypatch):
    problem = on(simulate(n, 2, 2, noise=0.2, weights="general"), scale)
    results = []
    for count in ("1", "2"):
        monkeypatch.setenv("CML_THREADS", count)
        threads.shared_threads.cache_clear()
        results.append(fit(problem, n_init=1 if n > 600 else 3, max_iter=30, seed=0))
    monkeypatch.delenv("CML_THREADS")
    threads.shared_threads.cache_clear()
    assert np.array_equal(results[0].embedding, results[1].embedding)
    assert np.array_equal(results[0].stress_path, results[1].stress_path)
    assert np.array_equal(results[0].scaled, results[1].scaled)


@compiled_only
def test_one_more_feature_never_makes_a_fit_worse_that_goes_on_from_where_it_was(simulate):
    for scale in ADMITTING:
        problem = on(simulate(10, 1, 2, noise=0.3), scale)
        before = fit(problem, n_init=3, seed=0)
        extra = np.random.default_rng(0).normal(size=10)
        B0 = np.zeros((2, 2))
        B0[0, 0] = before.coef[0, 0]
        more = problem.knowing(Feature.numeric("extra", extra))
        assert more.scale == scale
        after = fit(more, init=(before.embedding, B0), seed=0)
        assert after.stress <= before.stress * (1 + 1e-9)


@pytest.mark.parametrize("threaded_from", [5, 600])
def test_without_distances_all_is_left_by_threads_and_by_one_loop(
    threaded_from, simulate, monkeypatch
):
    monkeypatch.setattr(scaled_descent, "THREADED_FROM", threaded_from)
    objective = objective_of(replace(simulate(8, 0, 2, hidden=0), scale="interval"))
    found = descend(objective, np.empty(0), 5, 1e-9)
    assert found.converged
    assert found.stress == pytest.approx(1.0, rel=1e-12)
