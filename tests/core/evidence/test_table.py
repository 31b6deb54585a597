"""A table of evidence is a plain value that page, report and notebook show alike."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.evidence.table import COUNT, NUMBER, SHARE, Column, Table, in_one_unit


@pytest.mark.parametrize(
    ("values", "form"),
    [
        ([505.1, 2.3, -426.9], "%.1f"),
        ([0.0842, np.nan, 1e-9], "%.5f"),
        ([27_000.0], "%.0f"),
        # Written out, they would be long; and of nothing there is nothing to tell.
        ([2e-9], NUMBER),
        ([3e12], NUMBER),
        ([], NUMBER),
    ],
)
def test_numbers_in_one_unit_have_the_decimals_that_the_largest_needs(values, form):
    assert in_one_unit(values) == form


@pytest.mark.parametrize(
    ("form", "value", "text"),
    [
        ("", "Aunt", "Aunt"),
        ("", ("Aunt", "Uncle"), "Aunt, Uncle"),
        ("", True, "yes"),
        ("", False, ""),
        (SHARE, 0.352, "35.2 %"),
        (SHARE, 0.0002, "< 0.1 %"),
        (SHARE, None, ""),
        (NUMBER, np.nan, ""),
        (NUMBER, 1234.56, "1235"),
        (COUNT, 12, "12"),
        ("%.2f", -0.001, "0.00"),
    ],
)
def test_a_value_is_written_as_its_column_says(form, value, text):
    assert Column("x", [value], form).text(value) == text


def test_a_frame_has_shares_as_they_are_and_tells_heads_that_are_alike_apart():
    table = Table((Column("Who", ["a", "b"]), Column("Who", [0.5, None], SHARE)))
    frame = table.frame()
    assert list(frame.columns) == ["Who", "Who "]
    assert frame["Who "].tolist()[0] == 0.5
    assert frame["Who "].isna().tolist() == [False, True]


def test_a_single_row_can_be_read_downwards():
    table = Table((Column("Pairs", [91], COUNT), Column("Left", [0.014], SHARE)), names=0)
    assert table.upright() == [("Pairs", "91"), ("Left", "1.4 %")]


def test_columns_of_different_lengths_are_no_table():
    with pytest.raises(ValueError, match="shorter"):
        list(Table((Column("One", [1, 2]), Column("Other", [1]))).rows())
