"""Why no chance is given: by how data were made, and by what they look like."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.calibrated import why_no_chance
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.evidence.outlines import why_no_outlines
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.stability import stability
from cml_core.evidence.wider import wider_fit
from cml_core.values.answers import Answers
from cml_core.values.origin import ORIGINS, Origin

N = 12
LABELS = tuple(f"object {k}" for k in range(N))


def problem_of(values, scale="ratio"):
    return Problem(Dissimilarities(LABELS, values), FeatureTable(LABELS), 1, scale=scale)


def mapped(problem):
    return fit(problem, n_init=3, seed=0)


def chance_of(problem, origin):
    found = mapped(problem)
    wider = wider_fit(as_fitted(problem), found.best, found.power)
    return why_no_chance(found, origin, wider)


def in_a_plane(values, scale):
    known = FeatureTable(LABELS)
    return fit(Problem(Dissimilarities(LABELS, values), known, 2, scale=scale), n_init=5, seed=0)


def distances():
    random = np.random.default_rng(0)
    exact = pdist(random.normal(size=(N, 3)))
    return np.abs(exact * (1 + 0.1 * random.normal(size=exact.size)))


@pytest.mark.parametrize(
    "kind", ["sorting", "correlations", "measurements", "confusions", "triads", "counts"]
)
def test_no_chance_is_given_where_errors_hang_together_or_nothing_was_measured(kind):
    found = hidden_feature_test(
        fit(problem_of(distances()), n_init=3, seed=0), origin=Origin(kind), resamples=3
    )
    assert found.p_value is None
    assert found.null.size == 3
    assert "No chance is given" in found.verdict
    assert ORIGINS[kind]


def test_ratings_are_asked_of_the_map_of_their_order():
    problem = problem_of(np.ceil(2 * distances()))
    assert "Only the order" in chance_of(problem, Origin("ratings"))
    ordinal = problem_of(np.ceil(2 * distances()), "ordinal")
    assert chance_of(ordinal, Origin("ratings")) == ""


def test_outlines_of_confusions_are_not_drawn():
    found = mapped(problem_of(distances(), "power"))
    assert "hardly ever confused" in why_no_outlines(found, Origin("confusions"))
    assert "52 to 92 %" in why_no_outlines(found, Origin("confusions"))


def answers_of(said):
    return Answers.once(LABELS, tuple(f"P{k}" for k in range(len(said))), said)


@pytest.mark.parametrize("origin", [None, Origin()])
def test_answers_of_people_are_taken_for_what_they_look_like(origin):
    random = np.random.default_rng(5)
    rated = np.ceil(2 * distances() * (1 + 0.1 * random.normal(size=(6, distances().size))))
    found = fit(problem_of(rated.mean(axis=0)), n_init=3, seed=0)
    tested = hidden_feature_test(found, answers=answers_of(rated), origin=origin, resamples=3)
    assert tested.p_value is None
    assert "Only the order" in tested.verdict
    steady = stability(found, left_out="people", answers=answers_of(rated), refits=5, origin=origin)
    assert "Only the order" in steady.why_no_outlines
    parted = (rated > np.median(rated)).astype(float)
    found = fit(problem_of(parted.mean(axis=0), "ordinal"), n_init=3, seed=0)
    tested = hidden_feature_test(found, answers=answers_of(parted), origin=origin, resamples=3)
    assert "errors of a sorting" in tested.verdict


@pytest.mark.parametrize("kind", ["unknown", "pairs"])
def test_distances_of_pairs_have_a_chance_and_what_is_supposed_is_said(kind):
    assert chance_of(problem_of(distances()), Origin(kind)) == ""
    found = hidden_feature_test(
        fit(problem_of(distances()), n_init=3, seed=0), origin=Origin(kind), resamples=3
    )
    assert ("Supposed: every pair" in found.remarks) == (kind == "unknown")


def test_tables_that_look_like_sortings_or_correlations_are_asked_about():
    random = np.random.default_rng(1)
    groups = random.integers(4, size=(30, N))
    first, second = np.triu_indices(N, 1)
    parted = (groups[:, first] != groups[:, second]).mean(axis=0)
    r = np.corrcoef(random.normal(size=(N, 40)) + random.normal(size=40))[first, second]
    for values in (parted, 100 * parted, np.sqrt(2 * (1 - r))):
        assert "say how they were made" in chance_of(problem_of(values), Origin())
        assert chance_of(problem_of(values), Origin("pairs")) == ""


def test_clusters_of_which_only_the_order_counts_have_no_chance():
    random = np.random.default_rng(2)
    centres = np.repeat(2.0 * random.normal(size=(3, 4)), 4, axis=0)
    exact = pdist(centres + 0.3 * random.normal(size=(N, 4)))
    values = exact * (1 + 0.1 * random.normal(size=exact.size))
    assert "clusters" in chance_of(problem_of(values, "ordinal"), Origin("pairs"))
    assert chance_of(problem_of(values), Origin("pairs")) == ""


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_a_curve_that_is_level_because_a_feature_lacks_takes_no_chance_away(seed):
    random = np.random.default_rng(seed)
    places = random.normal(size=(N, 3)) * [1.0, 1.0, 1.6]
    values = pdist(places)
    values *= 1 + 0.1 * random.normal(size=values.size)
    known = FeatureTable(LABELS, tuple(Feature.numeric(f"{k}", places[:, k]) for k in range(2)))
    problem = Problem(Dissimilarities(LABELS, values), known, 0, scale="ordinal")
    level = mapped(problem).scaled
    assert np.unique(level, return_counts=True)[1].max() >= level.size / 6
    assert chance_of(problem, Origin("pairs")) == ""


def test_a_free_scale_on_which_all_fits_exactly_is_no_proof_that_nothing_is_hidden():
    exact = pdist(np.arange(float(N))[:, None])
    found = hidden_feature_test(mapped(problem_of(exact, "ordinal")), resamples=3)
    assert found.p_value is None
    assert "fit nearly any data" in found.verdict
    assert "Nothing is hidden" in hidden_feature_test(mapped(problem_of(exact))).verdict


@pytest.mark.parametrize("unit", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("errors", [0.0, 0.02])
def test_small_distances_nearly_without_errors_look_like_neither(unit, errors):
    random = np.random.default_rng(3)
    exact = unit * pdist(random.normal(size=(N, 3)))
    values = np.abs(exact * (1 + errors * random.normal(size=exact.size)))
    assert chance_of(problem_of(values), Origin()) == ""


@pytest.mark.parametrize("kind", ["sorting", "correlations", "measurements", "counts"])
def test_no_outline_is_drawn_where_errors_hang_together_or_nothing_was_measured(kind):
    found = stability(mapped(problem_of(distances())), refits=3, origin=Origin(kind))
    assert found.meaning == found.why_no_outlines
    assert found.why_no_outlines.startswith("No outlines are drawn")


def test_outlines_are_drawn_of_pairs_and_of_ratings_by_their_order():
    plane = pdist(np.random.default_rng(0).normal(size=(N, 2)))
    noisy = plane * (1 + 0.05 * np.random.default_rng(1).normal(size=plane.size))
    assert why_no_outlines(in_a_plane(noisy, "ratio"), Origin("pairs")) == ""
    rated = np.ceil(2 * distances())
    assert "Only the order" in why_no_outlines(mapped(problem_of(rated)), Origin("ratings"))
    assert why_no_outlines(mapped(problem_of(rated, "ordinal")), Origin("ratings")) == ""


def test_outlines_of_bent_numbers_are_drawn_on_the_scale_that_admits_the_bend():
    random = np.random.default_rng(4)
    exact = pdist(random.normal(size=(N, 2)))
    squares = (exact * (1 + 0.02 * random.normal(size=exact.size))) ** 2
    for scale, bent in (("ratio", True), ("power", False)):
        assert ("bent" in why_no_outlines(in_a_plane(squares, scale), Origin("pairs"))) == bent


@pytest.mark.parametrize("scale", ["ratio", "ordinal"])
def test_no_outlines_are_drawn_of_objects_with_a_bias_to_which_the_map_has_bent(scale):
    random = np.random.default_rng(6)
    exact = pdist(random.normal(size=(16, 2)))
    noisy = exact * (1 + 0.05 * random.normal(size=exact.size))
    factor = np.exp(0.15 * random.normal(size=16))
    first, second = np.triu_indices(16, 1)
    labels = tuple(f"object {k}" for k in range(16))
    for values, seen in ((noisy, False), (noisy * factor[first] * factor[second], True)):
        problem = Problem(
            Dissimilarities(labels, values), FeatureTable(labels), n_components=2, scale=scale
        )
        found = why_no_outlines(fit(problem, n_init=5, seed=0), Origin("pairs"))
        assert ("farther from, or nearer to" in found) == seen


def test_no_outlines_are_drawn_around_clusters():
    random = np.random.default_rng(5)
    centres = np.repeat(2.0 * random.normal(size=(4, 2)), 3, axis=0)
    exact = pdist(centres + 0.05 * random.normal(size=(N, 2)))
    clustered = exact * (1 + 0.05 * random.normal(size=exact.size))
    found = why_no_outlines(in_a_plane(clustered, "ratio"), Origin("pairs"))
    assert "the objects lie in" in found
