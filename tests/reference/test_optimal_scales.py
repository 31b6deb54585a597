"""Forty random problems and the examples against smacof, for R: its ratio scale so far."""

from __future__ import annotations

import numpy as np
import pytest
from published import ScaleCase, scale_cases, scales_of_examples

from cml_core import Dissimilarities, FeatureTable, Problem, fit, load_dataset


@pytest.fixture(params=scale_cases())
def case(request: pytest.FixtureRequest) -> ScaleCase:
    return scale_cases()[request.param]


def problem_of(case: ScaleCase) -> Problem:
    labels = tuple(f"o{i}" for i in range(case["n"]))
    data = Dissimilarities.from_condensed(case.dissimilarities, labels)
    return Problem(data, FeatureTable(labels, ()), n_components=case["p"], weights=case.weights)


def test_at_smacofs_map_the_stress_is_smacofs_and_nothing_lower_is_near(case: ScaleCase) -> None:
    there = (case.map("ratio"), np.zeros((0, 0)))
    found = fit(problem_of(case), init=there, n_init=1)
    # smacof stopped where a pass lowered its stress by less than 1e-13, so up to some hundred
    # times that above the minimum; stress is .002 to .22 here.
    assert found.stress == pytest.approx(case.stress("ratio"), rel=1e-6)


def test_forty_problems_are_kept_with_every_scale() -> None:
    cases = scale_cases().values()
    assert len(cases) == 40
    always = ("ratio", "interval", "mspline", "ordinal-primary")
    for case in cases:
        tied = ("ordinal-secondary",) if case["levels"] else ()
        assert case.scales == always + tied
        assert all(0 <= case.stress(s) <= case.stress(s, "torgerson") for s in case.scales)


RATIO = [
    (example, run)
    for example, runs in scales_of_examples().items()
    for run in runs
    if run["scale"] == "ratio"
]


@pytest.mark.parametrize(("example", "run"), RATIO, ids=[f"{e} p={r['p']}" for e, r in RATIO])
def test_smacofs_ratio_stress_of_the_examples_is_reached(example: str, run: dict) -> None:
    data = load_dataset(example)
    values = Dissimilarities.from_square(data.raw) if example == "faces" else data.values()
    problem = Problem(values, FeatureTable(values.labels, ()), n_components=run["p"])
    # Eight decimals are kept; in one dimension the best of 40 starts may lie below.
    assert fit(problem, n_init=40, seed=0).stress <= run["stress"] + 1e-8
