"""Answers of single people, and the mean of some of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from cml_core.errors import DuplicateLabels, LengthMismatch, NothingObserved
from cml_core.values.answers import Answers

GAP = np.nan
LABELS = ("a", "b", "c")
# The second person was never asked of a with c, the third twice of a with b.
VALUES = np.array([[1.0, 2.0, 3.0], [3.0, GAP, 5.0], [4.0, 6.0, 7.0]])
COUNTS = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [2.0, 1.0, 1.0]])
PEOPLE = ("Anna", "Otto", "Jo")
ANSWERS = Answers(LABELS, PEOPLE, VALUES, COUNTS)


def test_every_answer_counts_once_in_the_mean() -> None:
    np.testing.assert_allclose(ANSWERS.mean, [(1 + 3 + 2 * 4) / 4, 4.0, 5.0])


def test_a_person_counts_as_often_as_they_are_drawn() -> None:
    np.testing.assert_allclose(ANSWERS.mean_of(np.array([0, 0, 1])), [5 / 3, 2.0, 11 / 3])


def test_a_pair_of_which_nobody_drawn_was_asked_is_not_known() -> None:
    drawn = ANSWERS.mean_of(np.array([1, 1]))
    assert np.isnan(drawn).tolist() == [False, True, False]


def test_asked_once_counts_follow_from_the_gaps() -> None:
    once = Answers.once(LABELS, PEOPLE, VALUES)
    np.testing.assert_array_equal(once.counts, ~np.isnan(VALUES))


def test_tables_of_another_size_are_refused() -> None:
    with pytest.raises(LengthMismatch, match="3 people and 3 pairs"):
        Answers(LABELS, PEOPLE, VALUES[:, :2], COUNTS)
    with pytest.raises(LengthMismatch, match="counts"):
        Answers(LABELS, PEOPLE, VALUES, COUNTS[:2])


def test_two_people_of_one_name_are_refused() -> None:
    with pytest.raises(DuplicateLabels, match="Anna"):
        Answers(LABELS, ("Anna", "Otto", "Anna"), VALUES, COUNTS)


def test_two_people_are_too_few_to_speak_of_others() -> None:
    ANSWERS.check_several()
    two = Answers(LABELS, PEOPLE[:2], VALUES[:2], COUNTS[:2])
    with pytest.raises(NothingObserved, match="answers of 2"):
        two.check_several()


def test_answers_stay_as_they_were() -> None:
    again = pickle.loads(pickle.dumps(ANSWERS))
    for held in (ANSWERS, again):
        with pytest.raises(ValueError, match="read-only"):
            held.values[0, 0] = 9.0
