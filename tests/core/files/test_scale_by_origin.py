"""Which scale the way that data were made speaks for."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core import Dissimilarities, load_dataset
from cml_core.files.measures import METRICS
from cml_core.files.preparation import Preparation
from cml_core.files.scale_by_origin import scale_by_origin
from cml_core.files.source import ALL_PARTS, RawFile, Source
from cml_core.fitting.scales.registry import SCALES

FINE = Dissimilarities.from_condensed(np.random.default_rng(0).uniform(1, 2, 45))
FILE = RawFile("table.csv", b"")


def made(*, files=1, **choices):
    return Source((FILE,) * files, Preparation(**choices))


@pytest.mark.parametrize(
    ("source", "scale", "words"),
    [
        (made(metric="euclidean"), "ratio", "computed from measurements (Euclidean)"),
        (made(metric="sqeuclidean"), "power", "squares of distances"),
        (made(conversion="chord"), "power", "converted from similarities"),
        (made(conversion="ranks"), "ordinal", "ranks of pairs"),
        (made(added=2.0), "interval", "A constant was added"),
        (made(negatives="shift"), "interval", "A constant was added"),
        (made(files=3), "interval", "means over several people"),
        (made(sheet=ALL_PARTS), "interval", "means over several people"),
    ],
)
def test_choices_on_the_way_speak_for_a_scale(source, scale, words):
    found = scale_by_origin(FINE, source)
    assert found is not None
    assert (found.scale, found.ties) == (scale, "auto")
    assert words in found.advice
    assert f'speaks for "{SCALES[scale].title}"' in found.advice


@pytest.mark.parametrize("source", [None, made()])
def test_numbers_that_tell_nothing_of_their_making_speak_for_none(source):
    assert scale_by_origin(FINE, source) is None
    # Few pairs have few values, of which two may be equal by accident.
    few = Dissimilarities.from_condensed(np.array([1.0, 2.0, 3.5, 3.5, 4.0, 5.0]))
    assert scale_by_origin(few, source) is None


@pytest.mark.parametrize(("levels", "scale"), [(7, "ordinal"), (11, "ordinal"), (12, None)])
def test_few_values_are_answers_on_a_scale_whose_ties_stay(levels, scale):
    values = np.resize(np.arange(1.0, levels + 1), 45)
    values[-1] = np.nan
    found = scale_by_origin(Dissimilarities.from_condensed(values), None)
    assert (found and found.scale) == scale
    if found:
        assert found.ties == "secondary"
        assert f"only {levels} different values" in found.advice


def test_what_was_measured_is_a_distance_however_few_values_it_takes():
    counted = Dissimilarities.from_condensed(np.resize([1.0, 2.0, 3.0], 45))
    found = scale_by_origin(counted, made(metric="hamming"))
    assert found is not None
    assert found.scale == "ratio"


def test_metrics_that_are_squares_of_distances_say_so():
    assert {key for key, metric in METRICS.items() if metric.squares} == {
        "sqeuclidean",
        "cosine",
        "correlation",
    }


def test_an_example_says_nothing_of_how_it_was_made():
    assert scale_by_origin(load_dataset("kinship14").values(), None) is None
