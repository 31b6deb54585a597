"""Which maps can be made again when pairs or objects are left out, and which fall apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.resampling import TooFewPairs, holds_together, refittable_without
from cml_core.evidence.stability import stability


def test_a_feature_that_one_object_alone_has_may_be_left_out_with_it():
    random = np.random.default_rng(0)
    names = tuple(f"object {i}" for i in range(9))
    alone = [1.0, *[0.0] * 7, None]
    once = [None] * 7 + [0.0, 1.0]
    known = FeatureTable(
        names,
        (
            Feature.numeric("alone", alone),
            Feature.numeric("once", once),
            Feature.numeric("constant", [1.0] * 9),
        ),
    )
    for coef in ("full", "diagonal"):
        given = Dissimilarities(names, pdist(random.normal(size=(9, 3))))
        first = fit(Problem(given, known, n_components=2, coef=coef), n_init=2, seed=0)
        assert stability(first, left_out="objects").refits == 9
        assert stability(first, refits=3).refits == 3


def sparse(*known_pairs, n=6):
    square = np.full((n, n), np.nan)
    np.fill_diagonal(square, 0.0)
    for i, j in known_pairs:
        square[i, j] = square[j, i] = 1.0 + 0.1 * i + 0.2 * j
    given = Dissimilarities.from_square(square)
    return fit(Problem(given, FeatureTable(given.labels), n_components=1), n_init=2, seed=0)


def test_a_map_that_falls_apart_without_some_pairs_says_so():
    # All nine pairs are drawn once in a thousand draws.
    chain = sparse(*((i, i + 1) for i in range(9)), n=10)
    with pytest.raises(TooFewPairs, match="9 known pairs of 10 objects are so few"):
        stability(chain)
    with pytest.raises(TooFewPairs, match="Without any one of 8 of the 10 objects"):
        stability(chain, left_out="objects")


def test_an_object_that_holds_the_others_together_is_not_left_out():
    # 0 is a hub; 1 to 4 are joined in a ring besides, 5 hangs on the hub alone.
    wheel = sparse((0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (2, 3), (3, 4), (4, 1))
    found = stability(wheel, left_out="objects")
    assert found.omitted.tolist() == [1, 2, 3, 4, 5]
    assert np.isnan(found.influence[0])


def test_objects_that_do_not_differ_hold_nothing_together(simulate):
    names = tuple("abcdef")
    square = np.zeros((6, 6))
    square[0, 1:] = square[1:, 0] = 1.0
    given = Dissimilarities.from_square(square, names)
    first = fit(Problem(given, FeatureTable(names), n_components=1), n_init=2, seed=0)
    assert not holds_together(refittable_without(first, 0))
    assert stability(first, left_out="objects").omitted.tolist() == [1, 2, 3, 4, 5]


def test_pairs_without_weight_are_never_drawn(simulate):
    problem = simulate(12, 1, 2, weights="general")
    square = squareform(problem.weights.copy())
    square[0, 1:7] = square[1:7, 0] = 0.0
    weights = squareform(square)
    absurd = np.where(weights > 0, problem.dissimilarities.condensed, 1e3)
    one, two = (
        fit(
            replace(
                problem,
                weights=weights,
                dissimilarities=Dissimilarities.from_condensed(condensed),
            ),
            n_init=3,
            seed=0,
        )
        for condensed in (problem.dissimilarities.condensed, absurd)
    )
    results = [stability(made, refits=5) for made in (one, two)]
    spreads = [result.spreads() for result in results]
    # Where a descent ends is known to about the root of its tolerance of 1e-9.
    assert spreads[1] == pytest.approx(spreads[0], abs=1e-3)
