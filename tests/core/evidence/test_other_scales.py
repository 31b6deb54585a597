"""Evidence about maps on other scales than the ratio scale: each answer is about what was fitted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cml_core import Dissimilarities, fit
from cml_core.evidence.refits import as_fitted, with_gaps
from cml_core.evidence.resampling import made_again, refittable, refittable_without
from cml_core.evidence.stability import stability
from cml_core.evidence.structure import without_structure
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.scales.registry import RATIO, SCALES

OTHERS = tuple(name for name in SCALES if name != RATIO)
# By which each scale means the same; over the dissimilarities of `simulate`, all of order one.
SAME = {
    "interval": lambda values: 3.0 + 7.0 * values,
    "power": lambda values: values**2.0,
    "spline": lambda values: 3.0 + 7.0 * values,
    "ordinal": np.exp,
}


def changed(problem, scale):
    """Dissimilarities that mean the same on this scale."""
    values = SAME[scale](problem.dissimilarities.condensed)
    given = Dissimilarities(problem.known.labels, values)
    return replace(problem, dissimilarities=given)


@pytest.fixture(scope="module")
def fits(simulate):
    problem = simulate(16, 1, 2, noise=0.1)
    return {name: fit(replace(problem, scale=name), seed=0) for name in SCALES}


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
