"""A costly start is watched and can be cancelled while it runs, and ends as it would in one go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from cml_core import Problem, Progress, fit
from cml_core.fitting.scales.registry import SCALES
from cml_core.fitting.solver_input import objective_of
from cml_core.fitting.solvers import descent, parts, scaled_descent
from cml_core.fitting.solvers.parts import evaluations

# Starts of so many objects run one after the other, and side by side.
ALONE, SIDE_BY_SIDE = 20, 55
Simulate = Callable[..., Problem]


def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "DIFFERENCES", 1.0)


@pytest.mark.parametrize("n_objects", [ALONE, SIDE_BY_SIDE])
@pytest.mark.parametrize("scale", SCALES)
def test_a_fit_in_many_parts_is_the_very_same(
    scale: str, n_objects: int, simulate: Simulate, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The way of larger tables, in single precision and with few ranks, is gone as well.
    monkeypatch.setattr(descent, "COMPILED_SINGLE_FROM", SIDE_BY_SIDE)
    monkeypatch.setattr(scaled_descent, "COARSE_FROM", SIDE_BY_SIDE * 20)
    monkeypatch.setattr(scaled_descent, "COARSE_RANKS", 100)
    problem = replace(simulate(n_objects, noise=0.3), scale=scale)
    whole = fit(problem, n_init=4, seed=0)
    in_small_parts(monkeypatch)
    seen: list[Progress] = []
    found = fit(problem, n_init=4, seed=0, on_step=lambda step: bool(seen.append(step)))
    np.testing.assert_array_equal(found.embedding, whole.embedding)
    np.testing.assert_array_equal(found.coef, whole.coef)
    assert (found.stress, found.stopped) == (whole.stress, whole.stopped)
    # Each evaluation was told of, and not the ends alone.
    of_the_first = [step.iteration for step in seen if step.start == 1]
    assert len(of_the_first) > 3
    assert of_the_first == sorted(of_the_first)


@pytest.mark.parametrize("n_objects", [ALONE, SIDE_BY_SIDE])
@pytest.mark.parametrize("scale", ["ratio", "ordinal"])
def test_a_start_is_cancelled_between_its_parts(
    scale: str, n_objects: int, simulate: Simulate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scaled_descent, "COARSE_FROM", SIDE_BY_SIDE * 20)
    monkeypatch.setattr(scaled_descent, "COARSE_RANKS", 100)
    problem = replace(simulate(n_objects, noise=0.3), scale=scale)
    in_small_parts(monkeypatch)
    asked: list[Progress] = []

    def on_step(step: Progress) -> bool:
        asked.append(step)
        return step.iteration == 3

    found = fit(problem, init="random", n_init=4, seed=0, on_step=on_step)
    assert found.stopped == "cancelled"
    assert np.isfinite(found.embedding).all()
    assert max(step.iteration for step in asked) <= 4
    # Over a scale, good starts are looked for first; the stage that comes next asks once more.
    assert len({step.start for step in asked}) <= 3


def test_of_those_side_by_side_one_that_has_ended_counts_before_one_that_was_cancelled(
    simulate: Simulate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CML_THREADS", "4")
    problem = simulate(SIDE_BY_SIDE, noise=0.3)
    in_small_parts(monkeypatch)
    going: dict[int, int] = {}

    def on_step(step: Progress) -> bool:
        told = len(going)
        going[step.start] = step.iteration
        # Once one of the four is not told of any more, the others are cancelled.
        behind = max(going.values()) - min(going.values())
        return told == 4 and behind > 1

    found = fit(problem, init="random", n_init=4, seed=0, on_step=on_step)
    assert found.stopped in ("cancelled", "converged")
    assert np.isfinite(found.stress)


def test_what_is_costly_comes_in_parts_and_what_is_not_in_one(simulate: Simulate) -> None:
    costly = objective_of(replace(simulate(400, q=40, p=8, noise=0.3), scale="ordinal"))
    usual = objective_of(simulate(200, noise=0.3))
    assert evaluations(costly) < 20
    assert evaluations(usual) > 100


@pytest.mark.slow
def test_a_costly_start_of_few_objects_can_be_stopped_at_once(simulate: Simulate) -> None:
    problem = replace(simulate(599, q=40, p=8, noise=0.3), scale="ordinal")
    asked: list[Progress] = []
    found = fit(problem, seed=0, on_step=lambda step: asked.append(step) or True)
    assert found.stopped == "cancelled"
    assert len(asked) == 1
    assert asked[0].iteration < 30
