"""Pairs held out of a fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core import Dissimilarities, FeatureTable, Problem, fit
from cml_core.errors import NothingObserved
from cml_core.evidence.held_out import error_of, held_out_fit, pair_folds
from cml_core.evidence.refits import few_starts, refit
from cml_core.values.components import hang_together

modest = settings(max_examples=25)


@modest
@given(
    n=st.integers(9, 20),
    folds=st.integers(2, 10),
    seed=st.integers(0, 2**32 - 1),
    missing=st.integers(0, 5),
)
def test_every_pair_is_held_out_once_and_the_others_hold_all_objects_together(
    simulate, n, folds, seed, missing
):
    problem = simulate(n, 1, 1, missing_pairs=missing)
    dealt = pair_folds(problem, folds, seed)
    known = problem.counting
    assert (dealt[~known] == -1).all()
    sizes = np.bincount(dealt[dealt >= 0], minlength=folds)
    assert sizes.max() - sizes.min() <= 1
    assert all(hang_together(known & (dealt != fold), n) for fold in range(folds))
    assert np.array_equal(dealt, pair_folds(problem, folds, seed))


def chain_and_more(n):
    """A chain of objects with a few more pairs: most pairs hold something together."""
    square = np.full((n, n), np.nan)
    for i in range(n - 1):
        square[i, i + 1] = square[i + 1, i] = 1.0
    for i in range(0, n - 4, 2):
        square[i, i + 4] = square[i + 4, i] = 2.0
    np.fill_diagonal(square, 0.0)
    dissimilarities = Dissimilarities.from_square(square)
    return Problem(dissimilarities, FeatureTable(dissimilarities.labels), n_components=1)


def test_pairs_that_hold_objects_together_are_never_held_out():
    problem = chain_and_more(40)
    dealt = pair_folds(problem, 2, 0)
    known = problem.counting
    assert (known & (dealt == -1)).sum() == 39
    assert all(hang_together(known & (dealt != fold), 40) for fold in range(2))


def test_too_few_pairs_are_refused():
    with pytest.raises(NothingObserved, match="too few to hold out 10 parts"):
        pair_folds(chain_and_more(8), 10, 0)


def test_pairs_without_weight_are_not_held_out(simulate):
    weights = np.ones(45)
    weights[:4] = 0.0
    problem = simulate(10, 1, 1, weights=weights)
    assert (pair_folds(problem, 5, 0)[:4] == -1).all()


def test_the_error_is_the_share_of_the_squares_that_is_not_explained(simulate):
    problem = simulate(8, 1, 1, weights="general")
    given_, weights = problem.dissimilarities.condensed, problem.pair_weights
    distances = 0.9 * given_
    pairs = np.arange(28) % 3 == 0
    # Whatever the weights, 10 % off is 1 % of the squares.
    assert error_of(problem, distances, pairs) == pytest.approx(0.01)
    off = given_ + np.arange(28)
    wanted = (weights[pairs] * np.arange(28)[pairs] ** 2).sum() / (
        weights[pairs] * given_[pairs] ** 2
    ).sum()
    assert error_of(problem, off, pairs) == pytest.approx(wanted)


def test_exact_data_tell_the_pairs_held_out(simulate):
    problem = simulate(14, 1, 1, noise=0.0)
    held_out = pair_folds(problem, 10, 0) == 0
    found = held_out_fit(problem, held_out, 0)
    # Found from the other pairs, at a tolerance of 1e-7 in the stress.
    assert error_of(problem, found.distances(), held_out) < 1e-5


def test_a_fit_of_the_others_knows_nothing_of_the_pairs_held_out(simulate):
    problem = simulate(12, 1, 1)
    held_out = pair_folds(problem, 10, 0) == 3
    changed = problem.dissimilarities.condensed.copy()
    changed[held_out] *= 7.0
    other = Problem(Dissimilarities(problem.known.labels, changed), problem.known, n_components=1)
    found, again = (held_out_fit(each, held_out, 0) for each in (problem, other))
    assert np.array_equal(found.embedding, again.embedding)


def test_a_refit_from_where_a_fit_ended_stays_there(simulate):
    problem = simulate(15, 2, 2)
    found = fit(problem, seed=0)
    again = refit(problem, (found.embedding, found.coef))
    assert again.stress == pytest.approx(found.stress, rel=1e-6)
    assert again.distances() == pytest.approx(found.distances(), rel=1e-2)


def test_fresh_starts_find_what_a_fit_finds(simulate):
    problem = simulate(20, 2, 2)
    found = refit(problem, fresh=few_starts(problem), seed=0)
    assert found.stress == pytest.approx(fit(problem, seed=0).stress, rel=1e-4)
