"""Shares are written by one rule, wherever they stand."""

from __future__ import annotations

import pytest

from cml_core.values.words import (
    enumerated,
    in_a_sentence,
    numbers_in_words,
    percent,
    unbroken,
    value_in_words,
    values_in_words,
)


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0, "0 %"),
        (1e-20, "less than 0.01 %"),
        (0.00079, "0.08 %"),
        (0.00118, "0.12 %"),
        (0.00996, "1.0 %"),
        (0.014, "1.4 %"),
        (0.06, "6.0 %"),
        (0.352, "35 %"),
        (58.4, "5840 %"),
        (-0.4374, "-44 %"),
        (-1e-12, "0.0 %"),
    ],
)
def test_in_a_sentence_a_share_has_the_digits_that_a_person_would_act_on(share, words):
    assert percent(share) == words


@pytest.mark.parametrize(
    ("share", "decimals", "words"),
    [
        (0.352, 1, "35.2 %"),
        (0.0143, 2, "1.43 %"),
        (0.0004, 1, "< 0.1 %"),
        (0.0004, 0, "< 1 %"),
        (0, 1, "0.0 %"),
        (-0.0, 1, "0.0 %"),
        (-1e-12, 1, "0.0 %"),
        (-0.4374, 1, "-43.7 %"),
    ],
)
def test_shares_one_below_the_other_have_as_many_decimals(share, decimals, words):
    assert percent(share, decimals) == words


def test_a_number_stays_on_one_line_with_its_percent():
    assert unbroken("From 1.4 % to 35 %.") == "From 1.4\u00a0% to 35\u00a0%."


@pytest.mark.parametrize(
    ("value", "words"), [(None, "not known"), (0.123456, "0.1235"), ("oak", "oak"), (3, "3")]
)
def test_a_value_of_a_feature_is_told_in_words(value, words):
    assert value_in_words(value) == words


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([1.01e-8, 0.3712, 1.0], ["0.00", "0.37", "1.00"]),
        ([-1e-9, 0.5, 1.4], ["0.0", "0.5", "1.4"]),
        ([0.0, 2.0, 1.0], ["0", "2", "1"]),
        ([2.5, 3.0, 10.0], ["2.5", "3.0", "10.0"]),
        ([12.0, 359.96], ["12", "360"]),
        ([3e-7, 1.5e-6, 0.0], ["0.0000003", "0.0000015", "0.0000000"]),
        ([1e6, 1e6 + 0.00123], ["1000000.00000", "1000000.00123"]),
        ([4.0, 4.0], ["4", "4"]),
        ([0.0], ["0"]),
        ([], []),
    ],
)
def test_numbers_below_each_other_have_the_decimals_that_tell_them_apart(numbers, words):
    assert numbers_in_words(numbers) == words


def test_values_of_a_feature_are_words_gaps_and_numbers_with_one_more_digit():
    assert values_in_words([0.12345, None, 1.5]) == ["0.123", "not known", "1.500"]
    assert values_in_words(["low", None]) == ["low", "not known"]


@pytest.mark.parametrize(
    "name", ["Aunt", "Generations apart", "O'Brien", "Brand 3", "Tension (TS)"]
)
def test_a_name_of_ordinary_words_stands_in_a_sentence_as_it_is(name):
    assert in_a_sentence(name) == name


@pytest.mark.parametrize("name", ["3", "a, b", "salt and pepper", "=1+1", "−x", "Who?", "", "e.g."])
def test_a_name_that_would_be_lost_in_a_sentence_is_quoted(name):
    assert in_a_sentence(name) == f"“{name}”"


def test_names_with_commas_of_their_own_stay_apart_in_a_list():
    assert enumerated(["a, b", "c", "d and e"]) == "“a, b”, c and “d and e”"
