"""Weights of single people, against those that smacof's algorithm finds for the same answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cml_core import Dissimilarities, FeatureTable, Problem, fit
from cml_core.fitting.individuals import IndividualFit, common_fit, individual_fit
from cml_core.fitting.people import People, people_of
from cml_core.values.answers import Answers

THEIRS: dict[str, Any] = json.loads(
    Path(__file__).with_name("smacof_individuals.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def asked() -> tuple[Problem, People]:
    answers = np.array(THEIRS["answers"])
    labels = tuple(f"object {k}" for k in range(len(THEIRS["places"])))
    people = tuple(f"person {k}" for k in range(len(answers)))
    judged = Answers.once(labels, people, answers)
    problem = Problem(Dissimilarities(labels, judged.mean), FeatureTable(labels, ()))
    return problem, people_of(problem, judged)


@pytest.fixture(scope="module")
def ours(asked: tuple[Problem, People]) -> IndividualFit:
    problem, people = asked
    return individual_fit(problem, people, fit(problem, seed=0).best)


def test_no_more_is_left_than_by_smacof_and_hardly_less(ours: IndividualFit) -> None:
    left = float(ours.path[-1])
    theirs = THEIRS["stress"] ** 2
    # Both end where steps gain nothing: twelve digits of a stress were written down.
    assert left == pytest.approx(theirs, rel=1e-7)
    assert left < THEIRS["stress_after_default_iterations"] ** 2
    assert left == pytest.approx(float(ours.unexplained.mean()), rel=1e-9)


def test_everybody_weighs_as_smacof_says(ours: IndividualFit) -> None:
    sizes = np.array(THEIRS["places"]).var(axis=0)
    made = np.array(THEIRS["weights"]) ** 2 * sizes
    shares = made / made.sum(axis=1, keepdims=True)
    order = np.argsort(-made.mean(axis=0))
    # Weights move on while the stress hardly falls: by the root of what a last step gains.
    assert ours.shares == pytest.approx(shares[:, order], abs=1e-3)


def test_where_all_weigh_alike_no_more_is_left_than_by_smacof(
    asked: tuple[Problem, People],
) -> None:
    problem, people = asked
    alike = float(common_fit(problem, people, fit(problem, seed=0).best).path[-1])
    theirs = THEIRS["stress_identity"] ** 2
    # Less by little: here everybody's distances have a size of their own, there one size serves.
    assert 0.999 * theirs < alike < theirs
