"""Evidence about maps on other scales: each answer is about what distances were fitted to."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.curvature import curvature
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.evidence.neighbourhoods import neighbourhoods
from cml_core.evidence.ranking import what_might_it_be
from cml_core.evidence.refits import as_fitted, few_starts, refit, with_gaps
from cml_core.evidence.rereading import read_anew, reading_of
from cml_core.evidence.resampling import made_again, refittable, refittable_without
from cml_core.evidence.shepard import shepard
from cml_core.evidence.stability import stability
from cml_core.evidence.structure import without_structure
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.report.pictures import svg_of

# Together they take longer than `make quick` has.
pytestmark = pytest.mark.slow

OTHERS = tuple(name for name in SCALES if name != RATIO)
# By which each scale means the same; over the dissimilarities of `simulate`, all of order one.
SAME = {
    "interval": lambda values: 3.0 + 7.0 * values,
    "power": lambda values: values**2.0,
    "spline": lambda values: 3.0 + 7.0 * values,
    "ordinal": np.exp,
}


def changed_by(change, values):
    """Dissimilarities that mean the same on a scale."""
    return Dissimilarities.from_condensed(change(values))


def changed(problem, scale):
    """Dissimilarities that mean the same on this scale."""
    given = changed_by(SAME[scale], problem.dissimilarities.condensed)
    return replace(problem, dissimilarities=given)


@pytest.fixture(scope="module")
def fits(simulate):
    problem = simulate(16, 1, 2, noise=0.1)
    return {name: fit(replace(problem, scale=name), seed=0) for name in SCALES}


@pytest.mark.parametrize("scale", OTHERS)
def test_pairs_are_held_against_what_distances_were_fitted_to(simulate, stress_of, scale):
    problem = simulate(12, 2, 2, missing_pairs=4, weights="general")
    found = fit(changed(replace(problem, scale=scale), scale), n_init=5, seed=0)
    pairs = shepard(found)
    assert pairs.curved
    # Across stands what was given; the errors are those that the fit made small.
    assert pairs.given == pytest.approx(found.problem.targets.condensed[problem.counting])
    errors = pairs.weight * (pairs.scaled - pairs.fitted) ** 2
    # The stress of a fit is kept from its descent, whose sums are grouped otherwise.
    assert errors.sum() / (pairs.weight @ pairs.scaled**2) == pytest.approx(found.stress, rel=1e-6)
    assert list(pairs.worst(3)) == list(np.argsort(-errors)[:3])
    assert pairs.correlation > 0.95
    across, up = pairs.curve
    assert (np.diff(across) >= 0).all()
    assert (np.diff(up) >= -1e-12).all()
    rows = pairs.table(np.array([0, 5])).frame()
    assert list(rows["By the curve"]) == list(pairs.scaled[[0, 5]])
    assert list(rows["Off by"]) == list((pairs.fitted - pairs.scaled)[[0, 5]])
    assert "by the curve" in pairs.verdict


def test_on_a_ratio_scale_there_is_no_curve(fits):
    pairs = shepard(fits[RATIO])
    assert not pairs.curved
    assert pairs.sketch.curve is None
    assert "By the curve" not in pairs.table().frame().columns


@pytest.mark.parametrize("scale", OTHERS)
def test_neighbours_are_those_of_what_distances_were_fitted_to(simulate, scale):
    # Without noise the map shows exactly what is left, however the dissimilarities say it.
    problem = replace(simulate(20, 1, 2, noise=0.0), scale=scale)
    found = neighbourhoods(fit(changed(problem, scale), seed=0))
    # A power is found to about 1 %, and many maps have the same order of distances.
    least = {"power": 0.99, "ordinal": 0.98}.get(scale, 0.999)
    assert found.trustworthiness.min() > least
    assert found.continuity.min() > least


def test_the_curve_is_drawn_among_the_pairs_of_a_report(fits):
    pairs = shepard(fits["spline"])
    drawn = svg_of(pairs.sketch)
    (line,) = re.findall(r'<polyline points="([^"]*)"', drawn)
    corners = np.array([[float(n) for n in point.split(",")] for point in line.split()])
    assert len(corners) == pairs.given.size
    # From left to right and upwards, which in a picture is down.
    assert (np.diff(corners[:, 0]) >= 0).all()
    assert (np.diff(corners[:, 1]) <= 0).all()
    middle = len(corners) // 2
    straight = np.interp(corners[middle, 0], *corners[[0, -1]].T)
    assert abs(corners[middle, 1] - straight) > 1


@pytest.mark.parametrize("scale", OTHERS)
def test_a_hidden_feature_is_tested_by_data_of_the_same_numbers_on_the_same_scale(fits, scale):
    found = hidden_feature_test(fits[scale], resamples=3)
    assert found.null.size == 3
    assert ((found.null >= 0) & (found.null < 1)).all()


@pytest.mark.parametrize("scale", OTHERS)
def test_a_curve_is_asked_for_on_any_scale(simulate, scale):
    points = simulate(14, 2, 0, noise=0.0).known.encoded().values
    square = np.column_stack([points[:, 0] ** 3, points[:, 1]])
    values = changed_by(SAME[scale], pdist(square))
    known = tuple(Feature.numeric(name, x) for name, x in zip("ab", points.T, strict=True))
    problem = Problem(values, FeatureTable(values.labels, known), n_components=0, scale=scale)
    bent, straight = curvature(problem, folds=4).features
    # The first counts by its cube, the second as it is.
    assert bent.gain > bent.gain_error
    assert bent.gain > straight.gain


def test_candidates_are_ranked_and_tested_on_any_scale(fits):
    random = np.random.default_rng(0)
    for found in fits.values():
        shown = Feature.numeric("shown", found.embedding[:, 0])
        noise = Feature.numeric("noise", random.normal(size=16))
        ranking = what_might_it_be(found, FeatureTable(found.labels, (noise, shown)))
        first, last = ranking.candidates
        assert (first.feature, last.feature) == ("shown", "noise")
        assert first.best > 0.9
        assert first.stands_out
        assert last.p_value > 0.01


@pytest.mark.parametrize("scale", SCALES)
def test_fresh_starts_find_what_a_fit_finds(simulate, scale):
    problem = replace(simulate(20, 2, 2), scale=scale)
    found = fit(problem, seed=0)
    again = refit(problem, fresh=few_starts(problem), seed=0, power=found.power)
    # At a tolerance of 1e-7 in the stress of each of a few steps.
    assert again.stress == pytest.approx(found.stress, rel=1e-4)


@pytest.mark.parametrize("scale", SCALES)
def test_a_feature_read_off_a_map_of_another_scale_is_read_anew_on_that_scale(simulate, scale):
    problem = replace(simulate(16, 1, 2, noise=0.0), scale=scale)
    seen = changed(problem, scale) if scale in OTHERS else problem
    feature = Feature.numeric("drawn", fit(seen, seed=0).embedding[:, 0])
    held_out = np.arange(120) % 6 == 0
    left = np.where(held_out, np.nan, seen.dissimilarities.condensed)
    (again,) = read_anew(reading_of(feature, seen, 0), left, 0)
    # Data that are exactly distances on their scale: without a sixth of the pairs the map is the
    # same, up to the little play that an order alone leaves, and the size of what is left.
    assert abs(np.corrcoef(again.values, feature.values)[0, 1]) > 0.99


@pytest.mark.parametrize("scale", SCALES)
def test_a_map_made_again_of_the_same_pairs_stays_where_it_is(fits, scale):
    found = fits[scale]
    again = made_again(refittable(found))
    # Both descents end where the stress falls by less than 1e-9 of itself; places are known to
    # about the root of that.
    assert again.places == pytest.approx(found.embedding, abs=2e-3)


@pytest.mark.parametrize("scale", OTHERS)
def test_places_over_refits_do_not_depend_on_how_the_same_is_said(simulate, scale):
    problem = replace(simulate(14, 1, 2, noise=0.05), scale=scale)
    one, two = (
        stability(fit(each, seed=0), refits=5) for each in (problem, changed(problem, scale))
    )
    turned = procrustes(two.centres, one.centres).points
    # A refit is known to about the root of its tolerance of 1e-9, on maps of order one.
    assert turned == pytest.approx(one.centres, abs=5e-3)
    assert two.spreads() == pytest.approx(one.spreads(), abs=5e-3)


@pytest.mark.parametrize("scale", OTHERS)
def test_shuffled_data_are_fitted_on_the_scale_of_the_map(simulate, scale):
    problem = replace(simulate(12, 1, 1), scale=scale)
    one, two = (
        without_structure(fit(each, seed=0), shuffles=3)
        for each in (problem, changed(problem, scale))
    )
    # Fits of what means the same on a scale end the same, up to rounding in the change.
    assert two.shuffled == pytest.approx(one.shuffled, rel=1e-6)
    assert one.unexplained < one.shuffled.min()


@pytest.mark.parametrize("scale", OTHERS)
def test_a_map_without_an_object_is_fitted_on_its_scale(simulate, scale):
    problem = replace(simulate(14, 1, 2, noise=0.0), scale=scale)
    found = fit(changed(problem, scale), seed=0)
    others = np.arange(1, 14)
    places = made_again(refittable_without(found, 0)).places
    # Data that are exactly distances on their scale; an ordinal map still has a little play.
    assert places == pytest.approx(found.embedding[others], abs=0.1 if scale == "ordinal" else 2e-2)


def test_ties_stay_as_they_were_judged_where_pairs_are_left_out(simulate):
    problem = simulate(14, 1, 2)
    # 15 values of 91 pairs are a coarse scale; of the 60 pairs that are left they would not be.
    values = problem.dissimilarities.condensed
    steps = np.ceil(15.0 * values / values.max())
    coarse = replace(
        problem, dissimilarities=Dissimilarities(problem.known.labels, steps), scale="ordinal"
    )
    assert 60 < 5 * np.unique(steps).size <= 91
    plain = as_fitted(coarse)
    gaps = np.arange(91) % 3 == 0
    assert with_gaps(plain, gaps).ties == plain.ties == "secondary"
    fine = as_fitted(replace(problem, scale="ordinal"))
    assert fine.ties == "primary"
    assert refittable(fit(coarse, n_init=1, seed=0)).ties == "secondary"
