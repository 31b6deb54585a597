"""Which scale is advised: the one that believes most among those that tell held-out pairs best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cml_core import Dissimilarities, Feature, FeatureTable, Problem
from cml_core.errors import NothingToExplain
from cml_core.evidence.advised_scale import AdvisedScale, advised_scale
from cml_core.evidence.work import Cancelled
from cml_core.fitting.scales.registry import SCALES
from cml_core.fitting.scales.scale import Judged
from cml_core.fitting.scales.told import told
from cml_core.journey.entry import Entry
from cml_core.journey.results import result_content, result_from
from cml_core.report.pictures import svg_of

# Together they take longer than `make quick` has.
pytestmark = pytest.mark.slow

NOTHING = np.empty(0)
DISTANCES = np.sort(np.random.default_rng(0).uniform(0.5, 3.0, 60))


def judged(values, counts=None):
    return Judged(values, np.ones(values.size, bool) if counts is None else counts, NOTHING, "auto")


@pytest.mark.parametrize(
    ("scale", "power", "values"),
    [
        ("ratio", 1.0, 2.5 * DISTANCES),
        ("interval", 1.0, 4.0 + 2.5 * DISTANCES),
        ("power", 2.0, 1.5 * DISTANCES**0.5),
        ("spline", 1.0, 1.0 + DISTANCES**2),
        ("ordinal", 1.0, np.exp(DISTANCES)),
    ],
)
def test_distances_tell_dissimilarities_of_their_scale_exactly(scale, power, values):
    found = told(SCALES[scale], judged(values), DISTANCES, power)
    # The normal equations of a curve have a ridge of 1e-13 of their trace.
    assert found == pytest.approx(values, rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
def test_pairs_that_are_not_seen_are_told_by_the_others_alone(scale):
    values = 1.0 + DISTANCES**1.5
    seen = np.arange(60) % 4 != 1
    absurd = np.where(seen, values, 1e6)
    one, two = (told(SCALES[scale], judged(v, seen), DISTANCES, 1.0) for v in (values, absurd))
    assert np.array_equal(one, two)
    if scale in ("spline", "ordinal"):
        # What lies between seen pairs is told to about the distance of its neighbours.
        assert one[~seen] == pytest.approx(values[~seen], abs=0.3)


def test_equal_distances_tell_the_same():
    distances = np.array([1.0, 1.0, 1.0, 2.0, 2.0])
    values = np.array([1.0, 2.0, 3.0, 4.0, 6.0])
    found = told(SCALES["ordinal"], judged(values), distances, 1.0)
    assert found == pytest.approx([2.0, 2.0, 2.0, 5.0, 5.0])


def bent(problem, bend):
    values = bend(problem.dissimilarities.condensed)
    return replace(problem, dissimilarities=Dissimilarities(problem.known.labels, values))


@pytest.mark.parametrize(
    ("bend", "scale"),
    [
        (lambda d: d, "ratio"),
        (lambda d: d + 3.0, "interval"),
        (np.sqrt, "power"),
        (lambda d: d**2, "power"),
        (lambda d: 1.0 - np.exp(-d / d.mean()), "spline"),
        (lambda d: 1.0 / (1.0 + np.exp(-4.0 * (d - d.mean()))), "ordinal"),
    ],
)
def test_the_scale_is_found_by_which_data_were_bent(simulate, bend, scale):
    found = advised_scale(bent(simulate(24, 2, 2, noise=0.05), bend))
    assert found.advised == scale
    assert f'Advised: "{SCALES[scale].title}".' in found.verdict
    assert list(found.table().frame().query("Advised")["The numbers count as"]) == [
        SCALES[scale].title
    ]


def test_the_unit_and_the_scale_of_the_map_change_no_error(simulate):
    problem = simulate(14, 1, 1, missing_pairs=5, weights="general")
    first = advised_scale(problem, folds=4, seed=3)
    for other in (bent(problem, lambda d: 2.0**300 * d), replace(problem, scale="ordinal")):
        again = advised_scale(other, folds=4, seed=3)
        # A unit that is a power of two changes no digit; the power is looked for by logarithms.
        assert again.fold_errors == pytest.approx(first.fold_errors, rel=1e-6)
    assert 'as "Only the order", which leaves' in again.verdict or again.advised == "ordinal"
    assert first.seed == 3


def test_pairs_held_out_have_no_part_in_what_tells_them(simulate):
    problem = simulate(14, 1, 1, noise=0.0)
    exact = advised_scale(problem, folds=5)
    # Data that are distances are told without error but for where descents stop.
    assert exact.errors[0] < 1e-4
    noise = np.random.default_rng(0).permutation(problem.dissimilarities.condensed)
    senseless = bent(replace(problem, n_components=3), lambda _: noise)
    # Three dimensions fit much of these by chance, and tell nothing of other pairs.
    assert advised_scale(senseless, folds=5).errors.min() > 0.9


def of_errors(*rows):
    names = tuple(SCALES)[: len(rows)]
    titles = tuple(SCALES[name].title for name in names)
    believed = tuple(SCALES[name].believed for name in names)
    return AdvisedScale(names, titles, believed, np.array(rows, dtype=float), 0, 0)


def test_of_scales_that_tell_pairs_as_well_the_one_that_believes_most_is_advised():
    # The second is better by .01 on average, with a standard error of .012, then of .001.
    unsure = of_errors([0.13, 0.09, 0.11], [0.10, 0.10, 0.10])
    assert unsure.worse_error[0] == pytest.approx(np.std([0.03, -0.01, 0.01], ddof=1) / 3**0.5)
    assert unsure.as_good == ("ratio", "interval")
    assert unsure.advised == "ratio"
    assert '"Differences", which believes less, leaves 10.0 %: no less' in unsure.verdict
    assert "That is how this map counts the numbers." in unsure.verdict
    sure = of_errors([0.111, 0.109, 0.110], [0.10, 0.10, 0.10])
    assert sure.advised == "interval"
    assert "the least of all scales" in sure.verdict
    assert 'as "Distances", which leaves 11.0 %' in sure.verdict


def test_folds_are_compared_with_themselves():
    # Hard folds are hard on both scales: the difference is small and sure.
    found = of_errors([0.31, 0.11, 0.61], [0.30, 0.10, 0.60])
    assert found.advised == "interval"


def test_where_no_scale_tells_more_than_the_mean_none_is_advised():
    found = of_errors([1.5, 1.6, 1.4], [0.9, 1.0, 1.1])
    assert found.advised == ""
    assert "No scale is advised" in found.verdict
    assert not found.table().frame()["Advised"].any()
    assert 'fill="#d55e00"' not in svg_of(found.sketch)


def test_the_sketch_has_a_row_for_each_scale_and_singles_out_the_advised():
    found = of_errors(*(np.array([0.2, 0.3, 0.25]) + k / 10 for k in range(5)))
    drawn = svg_of(found.sketch)
    assert drawn.count("<circle") == 5
    assert drawn.count('fill="#d55e00"') == 1
    assert all(f">{scale.title}</text>" in drawn for scale in SCALES.values())


def test_a_project_keeps_it():
    found = of_errors([0.13, 0.09, 0.11], [0.10, 0.10, 0.10])
    kept = result_from(Entry(result_content(found), ""), n_objects=9, n_components=2)
    assert isinstance(kept, AdvisedScale)
    assert kept.verdict == found.verdict
    assert np.array_equal(kept.fold_errors, found.fold_errors)


def test_what_no_scale_could_tell_is_refused(simulate):
    names = tuple("abcdef")
    alike = Problem(Dissimilarities(names, np.full(15, 2.0)), FeatureTable(names), n_components=1)
    with pytest.raises(NothingToExplain, match="All dissimilarities are alike"):
        advised_scale(alike)
    constant = FeatureTable(names, (Feature.numeric("constant", [1.0] * 6),))
    values = np.random.default_rng(0).uniform(1, 2, 15)
    nothing = Problem(Dissimilarities(names, values), constant, n_components=0)
    with pytest.raises(NothingToExplain, match="no dimension is hidden"):
        advised_scale(nothing)


def test_known_features_alone_tell_pairs_too(simulate):
    found = advised_scale(simulate(14, 2, 0, noise=0.05), folds=4)
    assert found.advised == "ratio"


def test_it_can_be_stopped(simulate):
    with pytest.raises(Cancelled, match="after 3 of 10"):
        advised_scale(simulate(10, 1, 1), folds=2, on_step=lambda stage: stage.done == 3)
