"""Outlines of maps of measurements: cases drawn anew, of Euclidean distances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cml_core import Dissimilarities, FeatureTable, Problem, fit
from cml_core.errors import LabelMismatch, UnknownOption
from cml_core.evidence.stability import stability
from cml_core.files.cases import Cases
from cml_core.files.preparation import Preparation
from cml_core.values.origin import Origin

MEASURED = Origin("measurements")


def of_cases(metric="euclidean", scale="interval", errors=0.3):
    """A map of what 60 cases say of ten objects that two features tell apart."""
    random = np.random.default_rng(3)
    points = random.normal(size=(10, 2))
    values = points @ random.normal(size=(2, 60)) + errors * random.normal(size=(10, 60))
    labels = tuple(f"object {k}" for k in range(10))
    cases = Cases(labels, values, Preparation(metric=metric))
    data = Dissimilarities(labels, cases.compared(values))
    problem = Problem(data, FeatureTable(labels), n_components=2, scale=scale)
    return fit(problem, n_init=5, seed=0), cases


def test_cases_drawn_anew_move_places_as_far_as_measurements_err():
    exact, rough = (
        stability(found, left_out="cases", cases=cases, refits=30).spreads().mean()
        for found, cases in (of_cases(errors=errors) for errors in (0.0, 1.0))
    )
    # Without errors of their own, objects still move: other cases weigh the features otherwise.
    assert 1.5 * exact < rough


def test_outlines_of_cases_lie_around_the_map_and_say_what_they_hold():
    found, cases = of_cases()
    steady = stability(found, left_out="cases", cases=cases, refits=20, origin=MEASURED)
    assert (steady.cases, steady.why_no_outlines) == (60, "")
    assert np.array_equal(steady.centres, found.embedding)
    assert "with other cases" in steady.meaning
    assert "times to cases drawn anew" in steady.verdict
    assert "76 % where measurements saturate" in steady.remarks
    wide, narrow = (np.ptp(one.ellipses(), axis=1) for one in (steady, replace(steady, cases=0)))
    assert np.all(wide > narrow)


@pytest.mark.parametrize(
    ("metric", "scale", "why"),
    [("euclidean", "ratio", "push all objects apart"), ("correlation", "interval", "18 to 36 %")],
)
def test_no_outlines_of_cases_are_drawn_where_they_were_found_not_to_hold(metric, scale, why):
    found, cases = of_cases(metric, scale)
    steady = stability(found, left_out="cases", cases=cases, refits=3)
    assert why in steady.meaning
    assert "76 %" not in steady.remarks


def test_cases_can_only_be_drawn_where_their_measurements_are_mapped():
    found, cases = of_cases()
    with pytest.raises(UnknownOption, match="measurements they hold"):
        stability(found, left_out="cases")
    others = replace(cases, labels=cases.labels[::-1])
    with pytest.raises(LabelMismatch, match="of other objects"):
        stability(found, left_out="cases", cases=others)
