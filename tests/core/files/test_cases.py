"""Cases of measurements, by the choices that led to the dissimilarities."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core import FeatureTable
from cml_core.errors import LengthMismatch
from cml_core.files.cases import FEWEST_OUTLINED, Cases
from cml_core.files.preparation import Preparation
from cml_core.files.source import RawFile, Source
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey

OBJECTS = tuple("abcdefg")
VALUES = np.round(np.random.default_rng(0).normal(size=(7, 24)), 3)


def source_of(values=VALUES, **choices):
    heads = ",".join(["name", *(f"case {k}" for k in range(values.shape[1]))])
    rows = (
        ",".join([name, *("" if np.isnan(v) else f"{v:g}" for v in row)])
        for name, row in zip(OBJECTS, values, strict=True)
    )
    return Source(
        (RawFile("measured.csv", "\n".join([heads, *rows]).encode()),),
        Preparation(**{"format": "measurements", "metric": "correlation", **choices}),
    )


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"metric": "cosine"},
        {"metric": "cosine", "added": 2.0},
        {"columns": tuple(f"case {k}" for k in range(20))},
        {
            "without": ("b",),
            "names": (("a", "first"),),
            "unknown_pairs": (("a", "c"), ("b", "d")),
        },
    ],
)
def test_the_cases_give_the_very_dissimilarities_by_the_same_choices(choices):
    source = source_of(**choices)
    cases, data = source.cases(), source.dissimilarities()
    assert cases.labels == data.labels
    assert np.allclose(
        cases.compared(cases.values), data.condensed, rtol=0, atol=1e-12, equal_nan=True
    )
    assert cases.n_cases == len(choices.get("columns", range(24)))


def test_cases_of_euclidean_distances_are_for_outlines_and_no_p_value():
    values = np.random.default_rng(1).normal(size=(7, FEWEST_OUTLINED))
    cases = source_of(values, metric="euclidean").cases()
    assert cases.outlined
    assert not cases.measured
    assert source_of(metric="euclidean").cases() is None
    assert not source_of().cases().outlined


@pytest.mark.parametrize("metric", ["cityblock", "gower"])
def test_no_cases_are_told_of_metrics_by_which_nothing_was_measured(metric):
    assert source_of(metric=metric).cases() is None


def test_no_cases_are_told_of_few_columns_of_gaps_and_of_scaled_ones():
    gap = VALUES.copy()
    gap[2, 3] = np.nan
    assert source_of(VALUES[:, :19]).cases() is None
    assert source_of(gap).cases() is None
    assert source_of(scaling="standardise").cases() is None


def test_a_project_finds_its_cases_again():
    source = source_of()
    data = source.dissimilarities()
    known = FeatureTable(data.labels)
    journey = Journey.begun("Measured", data, known, "2026-01-31T12:00:00Z", source=source)
    again = from_json(to_json(journey)).cases
    assert np.array_equal(again.values, VALUES)


def test_cases_of_other_objects_are_refused():
    with pytest.raises(LengthMismatch, match="2 objects"):
        Cases(("a", "b"), VALUES, Preparation(metric="cosine"))
