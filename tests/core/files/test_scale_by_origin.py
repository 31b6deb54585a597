"""Which scale the way that data were made speaks for."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core import Dissimilarities, FeatureTable, Problem, fit, load_dataset
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.files.measures import METRICS
from cml_core.files.preparation import Preparation
from cml_core.files.reading.by_person import ByPerson
from cml_core.files.reading.raw import RawTable
from cml_core.files.scale_by_origin import scale_by_origin
from cml_core.files.source import ALL_PARTS, RawFile, Source
from cml_core.files.told_origin import told_origin
from cml_core.fitting.scales.registry import SCALES
from cml_core.values.answers import Answers
from cml_core.values.origin import Origin

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


@pytest.mark.parametrize(
    ("origin", "scale", "words"),
    [
        (Origin("ratings", people=16, lowest=1, highest=7), "ordinal", "bend towards the ends"),
        (Origin("ratings"), "ordinal", "bend towards the ends"),
        (Origin("sorting", people=30), "ordinal", "shares of 30 people who parted a pair"),
        (Origin("sorting"), "ordinal", "shares of people"),
        (Origin("counts"), "power", "how often things happened"),
        (Origin("correlations", cases=60), "power", "from correlations"),
        (Origin("measurements"), "ratio", "computed from measurements"),
    ],
)
def test_what_the_owner_says_of_the_making_speaks_for_a_scale(origin, scale, words):
    found = scale_by_origin(FINE, None, origin)
    assert found is not None
    assert (found.scale, found.ties) == (scale, "auto")
    assert words in found.advice


@pytest.mark.parametrize("more", [12.0, 11.0, np.nan])
def test_what_comes_late_among_many_pairs_counts(more):
    values = np.resize(np.arange(1.0, 12), 80 * 79 // 2)
    values[0] = np.nan
    values[-1] = more
    found = scale_by_origin(Dissimilarities.from_condensed(values), None)
    assert (found is None) == (more == 12)


def test_one_person_on_few_points_keeps_ties_and_several_on_few_points_do_not():
    few = Dissimilarities.from_condensed(np.resize(np.arange(1.0, 8), 45))
    alone = scale_by_origin(few, None, Origin("ratings", people=1))
    several = scale_by_origin(few, None, Origin("ratings", people=8))
    assert alone is not None
    assert several is not None
    assert (alone.scale, alone.ties) == ("ordinal", "secondary")
    assert (several.scale, several.ties) == ("ordinal", "auto")


def test_people_at_hand_count_before_what_was_said_of_them():
    few = Dissimilarities.from_condensed(np.resize(np.arange(1.0, 8), 45))
    answers = Answers.once(few.labels, ("Anna", "Otto", "Jo"), np.tile(few.condensed, (3, 1)))
    found = scale_by_origin(few, None, Origin("ratings"), answers)
    assert found is not None
    assert found.ties == "auto"


@pytest.mark.parametrize(
    "source", [None, made(conversion="from_max"), made(conversion="minus_log")]
)
@pytest.mark.parametrize("people", [0, 1, 16])
def test_ratings_are_advised_the_scale_on_which_their_evidence_can_be_had(source, people):
    origin = Origin("ratings", people=people)
    found = scale_by_origin(FINE, source, origin)
    problem = Problem(FINE, FeatureTable(FINE.labels), 1, scale=found.scale)
    tested = hidden_feature_test(fit(problem, n_init=1), origin=origin, resamples=1)
    assert "Only the order" not in tested.verdict


def test_what_was_chosen_here_says_more_than_an_origin():
    ranked = scale_by_origin(FINE, made(conversion="ranks"), Origin("counts"))
    measured = scale_by_origin(FINE, made(metric="euclidean"), Origin("ratings"))
    assert (ranked and ranked.scale, measured and measured.scale) == ("ordinal", "ratio")


@pytest.mark.parametrize(
    ("read_as", "choices", "kind"),
    [
        ("raters", {}, "ratings"),
        ("rater_list", {}, "ratings"),
        ("rater_columns", {}, "ratings"),
        ("sorting", {}, "sorting"),
        ("triads", {}, "triads"),
        ("confusion_list", {}, "confusions"),
        ("npy", {}, "ratings"),
        ("raters", {"metric": "euclidean"}, "measurements"),
    ],
)
def test_files_of_people_say_themselves_how_they_were_made(read_as, choices, kind):
    labels = tuple("abc")
    single = ByPerson(("Anna", "Otto", "Jo"), np.ones((3, 3, 3)), np.ones((3, 3, 3)))
    raw = RawTable(labels, np.ones((3, 3)), read_as, by_person=single)
    found = told_origin(raw, Preparation(**choices))
    assert (found.kind, found.people) == (kind, 0 if choices else 3)


def test_a_plain_table_does_not_say_how_it_was_made():
    assert told_origin(RawTable(tuple("abc"), np.ones((3, 3)), "square"), Preparation()) == Origin()


@pytest.mark.parametrize(
    ("conversion", "kind"),
    [
        ("chord", "correlations"),
        ("root_one_minus", "correlations"),
        ("one_minus_absolute", "correlations"),
        ("one_minus", "unknown"),
        ("gram", "measurements"),
        ("cooccurrence", "counts"),
        ("confusion", "confusions"),
        ("from_max", "unknown"),
        ("none", "unknown"),
    ],
)
def test_what_similarities_were_converted_from_says_how_they_were_made(conversion, kind):
    raw = RawTable(tuple("abc"), np.full((3, 3), 0.5), "square")
    assert told_origin(raw, Preparation(conversion=conversion)).kind == kind


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


@pytest.mark.parametrize(
    ("name", "kind", "people"),
    [
        ("kinship14", "sorting", 0),
        ("kinship", "sorting", 0),
        ("ekman", "ratings", 0),
        ("morse", "confusions", 150),
        ("faces", "unknown", 0),
        ("car_brands", "unknown", 0),
    ],
)
def test_the_cards_of_the_examples_say_how_they_were_made(name, kind, people):
    origin = load_dataset(name).origin
    assert (origin.kind, origin.people) == (kind, people)
