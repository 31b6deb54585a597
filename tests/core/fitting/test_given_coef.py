"""B may be given: then only the map is fitted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from cml_core import ConditionalMDS, Problem, fit
from cml_core.errors import UnsuitableCoefficients
from cml_core.fitting.geometry import procrustes
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.report.program import script


@pytest.fixture
def problem(simulate) -> Problem:
    return simulate(12, 2, 2, noise=0.2)


def test_the_b_that_a_fit_found_gives_the_same_map_again(problem: Problem) -> None:
    found = fit(problem, seed=1)
    again = fit(replace(problem, coef=found.coef), seed=1)
    assert again.stress == pytest.approx(found.stress, rel=1e-7)
    assert np.array_equal(again.coef, found.coef)
    assert procrustes(again.embedding, found.embedding).disparity < 1e-6


@pytest.mark.parametrize("solver", ["lbfgs", "smacof", "closed_form"])
def test_every_solver_leaves_a_given_b_as_it_is_and_any_other_costs_more(
    problem: Problem, solver: str
) -> None:
    best = fit(problem, seed=1)
    given = 1.5 * best.coef
    found = fit(replace(problem, coef=given), solver=solver, seed=1)
    assert np.array_equal(found.coef, given)
    assert np.allclose(found.points[:, 2:], found.known_values @ given)
    assert found.stress > best.stress
    distances, targets = found.distances(), problem.targets.condensed
    errors = ((targets - distances) ** 2).sum() / (targets**2).sum()
    assert found.stress == pytest.approx(errors, rel=1e-9)


def test_missing_entries_are_found_with_a_given_b_too(simulate) -> None:
    problem = simulate(14, 2, 2, noise=0.1, missing_entries=3)
    best = fit(problem, seed=0)
    again = fit(replace(problem, coef=best.coef), seed=0)
    assert np.isnan(problem.encoding.values).any()
    assert again.stress == pytest.approx(best.stress, rel=1e-5)


def test_without_hidden_dimensions_nothing_is_left_to_be_found(problem: Problem) -> None:
    best = fit(replace(problem, n_components=0), seed=0)
    again = fit(replace(problem, n_components=0, coef=best.coef), seed=0)
    assert again.stress == pytest.approx(best.stress, rel=1e-9)


@pytest.mark.parametrize(
    ("coef", "words"),
    [
        (np.eye(3), "3 x 3"),
        ([["a"]], "not a table of numbers"),
        (np.full((2, 2), np.inf), "not finite"),
    ],
)
def test_a_b_of_another_size_or_kind_is_refused(simulate, coef: object, words: str) -> None:
    problem = simulate(9, 2, 2)
    with pytest.raises(UnsuitableCoefficients, match=words):
        replace(problem, coef=coef)


def test_where_distances_have_no_unit_a_given_b_is_refused(problem: Problem) -> None:
    q = problem.encoding.values.shape[1]
    with pytest.raises(UnsuitableCoefficients, match="ordinal"):
        replace(problem, coef=np.eye(q), scale="ordinal")


def test_problems_with_other_bs_are_other_problems(problem: Problem) -> None:
    q = problem.encoding.values.shape[1]
    prints = {replace(problem, coef=c).fingerprint() for c in ("full", np.eye(q), 2 * np.eye(q))}
    assert len(prints) == 3


def test_the_estimators_take_it_and_a_project_and_its_program_keep_it() -> None:
    random = np.random.default_rng(0)
    points, known = random.normal(size=(10, 2)), random.normal(size=10)
    table = squareform(pdist(np.column_stack([points, 3 * known])))
    model = ConditionalMDS(2, coef=[[3.0]], random_state=0).fit(table, known)
    assert model.stress_ < 1e-9
    assert model.coef_.tolist() == [[3.0]]
    found = model.fit_
    journey = Journey.begun(
        "Given", found.problem.dissimilarities, found.problem.known, "2026-01-31T12:00:00Z"
    )
    journey = journey.after(found, found.embedding, "2026-01-31T12:00:00Z")
    assert journey.current is not None
    kept = from_json(to_json(journey)).current
    assert kept is not None
    assert np.array_equal(kept.fit.problem.given_coef, [[3.0]])
    assert kept.fit.problem.fingerprint() == found.problem.fingerprint()
    assert "coef=[[3.0]]" in script(found)
