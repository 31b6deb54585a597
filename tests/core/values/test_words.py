"""Shares are written by one rule, wherever they stand."""

from __future__ import annotations

import pytest

from cml_core.values.words import percent, unbroken, value_in_words


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0, "0 %"),
        (1e-20, "less than 0.1 %"),
        (0.0005, "0.1 %"),
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
