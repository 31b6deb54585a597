"""Pairs, and people, held out of a fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core import Dissimilarities, FeatureTable, Problem, fit
from cml_core.errors import LabelMismatch, NothingObserved
from cml_core.evidence.held_out import held_out, pair_folds
from cml_core.evidence.refits import few_starts, refit, with_values
from cml_core.evidence.telling import error_of, fit_of_others, share_of_squares, share_of_variance
from cml_core.fitting.geodesics import Neighbourhood
from cml_core.fitting.scales.registry import SCALES
from cml_core.values.answers import Answers
from cml_core.values.components import hang_together

modest = settings(max_examples=25)
NOTHING = np.empty(0)


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
    pairs = np.arange(28) % 3 == 0
    # Whatever the weights, 10 % off is 1 % of the squares.
    assert share_of_squares(given_, 0.9 * given_, weights, pairs) == pytest.approx(0.01)
    off = given_ + np.arange(28)
    wanted = (weights[pairs] * np.arange(28)[pairs] ** 2).sum() / (
        weights[pairs] * given_[pairs] ** 2
    ).sum()
    assert share_of_squares(given_, off, weights, pairs) == pytest.approx(wanted)


def test_without_a_zero_the_error_is_a_share_of_the_variance_of_all():
    given_ = np.array([1.0, 2.0, 3.0, 6.0])
    everyone, pairs = np.ones(4, bool), np.array([True, False, False, True])
    # The mean of all, told of each pair, leaves the variance; here of the two of the four.
    share = share_of_variance(given_, np.full(4, 3.0), NOTHING, everyone, pairs)
    assert share == pytest.approx(((2.0**2 + 3.0**2) / 2) / np.var(given_))
    # Neither a unit nor a zero matters.
    moved = share_of_variance(5.0 + 1e200 * given_, np.full(4, 3e200), NOTHING, everyone, pairs)
    assert moved == pytest.approx(share)


@pytest.mark.parametrize("scale", SCALES)
def test_exact_data_tell_the_pairs_held_out(simulate, scale):
    problem = replace(simulate(14, 1, 1, noise=0.0), scale=scale)
    held = held_out(problem, 10, 0)
    others = held.without(problem, 0)
    # Found from the other pairs, at a tolerance of 1e-7 in the stress; a power is found to about
    # 1 %, and between steps of an order distances have a little play.
    most = {"ratio": 1e-5, "interval": 1e-4, "power": 1e-3}.get(scale, 1e-2)
    assert error_of(held, 0, others, fit_of_others(others, 0)) < most


def test_where_nothing_is_known_or_hidden_the_mean_is_told(simulate):
    problem = simulate(10, 0, 1, hidden=0)
    for scale in SCALES:
        asked = replace(problem, scale=scale)
        held = held_out(asked, 3, 0)
        others = held.without(asked, 0)
        error = error_of(held, 0, others, fit_of_others(others, 0))
        given_, pairs = problem.dissimilarities.condensed, held.pairs(0)
        off = np.mean((given_[pairs] - given_[~pairs].mean()) ** 2) / np.var(given_)
        assert error == pytest.approx(1.0 if scale == "ratio" else off)


def test_a_fit_of_the_others_knows_nothing_of_the_pairs_held_out(simulate):
    problem = simulate(12, 1, 1)
    held = held_out(problem, 10, 0)
    changed = problem.dissimilarities.condensed.copy()
    changed[held.pairs(3)] *= 7.0
    other = Problem(Dissimilarities(problem.known.labels, changed), problem.known, n_components=1)
    found, again = (
        fit_of_others(held_out(each, 10, 0).without(each, 3), 0) for each in (problem, other)
    )
    assert np.array_equal(found.solution.embedding, again.solution.embedding)


def asked_of_people(problem, count, seed=0):
    """The same problem as so many people see it, each with an error of their own."""
    random = np.random.default_rng(seed)
    distances = problem.dissimilarities.condensed
    said = distances * np.exp(0.2 * random.standard_normal((count, distances.size)))
    names = tuple(f"person {k + 1}" for k in range(count))
    answers = Answers.once(problem.known.labels, names, said)
    return with_values(problem, answers.mean), answers


def test_with_each_part_of_the_pairs_a_part_of_the_people_is_held_out(simulate):
    problem, answers = asked_of_people(simulate(10, 1, 1), 7)
    held = held_out(problem, 3, 0, answers)
    assert sorted(np.bincount(held.people)) == [2, 2, 3]
    # The pairs are dealt as they are without people.
    assert np.array_equal(held.dealt, held_out(problem, 3, 0).dealt)
    for fold in range(3):
        pairs, theirs = held.pairs(fold), np.flatnonzero(held.people == fold)
        judges = answers.values[theirs].mean(axis=0)
        assert held.judges[pairs] == pytest.approx(judges[pairs])
        seen = np.delete(answers.values, theirs, axis=0).mean(axis=0)
        assert np.isnan(held.seen(fold)[pairs]).all()
        assert held.seen(fold)[~pairs] == pytest.approx(seen[~pairs])


def test_there_are_no_more_parts_than_people(simulate):
    problem, answers = asked_of_people(simulate(10, 1, 1), 4)
    held = held_out(problem, 10, 0, answers)
    assert held.folds == 4
    assert sorted(held.people) == [0, 1, 2, 3]


def test_what_none_of_its_people_was_asked_judges_nothing_and_stays_in_the_fits(simulate):
    problem, answers = asked_of_people(simulate(10, 1, 1), 6)
    values = answers.values.copy()
    values[:3, 7] = np.nan
    some = Answers.once(answers.labels, answers.people, values)
    held = held_out(problem, 6, 1, some)
    fold = held_out(problem, 6, 1).dealt[7]
    # Whose part the pair is in decides: they were asked of it, or they were not.
    (person,) = np.flatnonzero(held.people == fold)
    assert held.dealt[7] == (-1 if person < 3 else fold)
    everywhere = [np.isnan(held.seen(k)[7]) for k in range(6)]
    assert sum(everywhere) == (0 if person < 3 else 1)


def test_geodesics_are_those_of_the_people_who_were_asked(simulate):
    plain, answers = asked_of_people(simulate(12, 1, 1), 6)
    problem = replace(plain, neighbourhood=Neighbourhood(n_neighbors=5))
    held = held_out(problem, 3, 0, answers)
    kept = answers.mean_of(np.flatnonzero(held.people != 0))
    direct = with_values(problem, kept).targets.condensed
    assert held.others[0] == pytest.approx(direct)


def test_too_few_people_or_answers_and_answers_about_others_are_refused(simulate):
    problem, answers = asked_of_people(simulate(10, 1, 1), 3)
    two = Answers.once(answers.labels, answers.people[:2], answers.values[:2])
    with pytest.raises(NothingObserved, match="answers of 2"):
        held_out(problem, 3, 0, two)
    renamed = Answers.once(tuple("abcdefghij"), answers.people, answers.values)
    with pytest.raises(LabelMismatch, match="objects of the dissimilarities"):
        held_out(problem, 3, 0, renamed)
    # Each was asked of pairs of their own: without one of them nobody compares some objects.
    alone = np.where(np.arange(45) // 15 == np.arange(3)[:, None], answers.values, np.nan)
    few = Answers.once(answers.labels, answers.people, alone)
    with pytest.raises(NothingObserved, match="so few pairs each") as error:
        held_out(with_values(problem, few.mean), 3, 0, few)
    assert "pairs alone" in error.value.remedy


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
