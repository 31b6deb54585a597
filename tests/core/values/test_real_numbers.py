"""The door for numbers: what comes through as what, and which entry is turned away."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cml_core.errors import UnknownOption
from cml_core.values.arrays import frozen, has_gaps, lent, settled
from cml_core.values.real_numbers import (
    NoNumber,
    UnevenRows,
    is_real,
    real_array,
    real_number,
    size_in_words,
    whole_number,
)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (2, 1, 2)])
def test_an_array_of_floats_passes_as_it_is(dtype: type, shape: tuple[int, ...]) -> None:
    mine = np.ones(shape, dtype=dtype)
    assert real_array(mine) is mine


def test_a_large_table_of_floats_is_not_copied_out_of_its_frame() -> None:
    mine = np.ones((30, 30))
    assert np.shares_memory(real_array(pd.DataFrame(mine, copy=False)), mine)


@pytest.mark.parametrize(
    "values",
    [
        [1, "2", None],
        [True, Fraction(2), Decimal("NaN")],
        (1.0, np.float16(2), np.nan),
        ["1e0", " 2 ", "\t"],
        np.array(["1", "2", "nan"]),
        np.array([1, Decimal(2), pd.NaT], dtype=object),
        np.ma.array([1, 2, 3], mask=[False, False, True]),
        np.ma.array(["1", "2", "x"], mask=[False, False, True]),
        pd.Series(["1", "2", None], dtype="string"),
        pd.array([1, 2, None], dtype="UInt8"),
        pd.Categorical([1, 2, None]),
        pd.Index([1, 2, np.nan]),
    ],
    ids=range(12),
)
def test_whatever_holds_numbers_becomes_floats(values: Any) -> None:
    read = real_array(values)
    assert read.dtype == np.float64
    np.testing.assert_array_equal(read, [1.0, 2.0, np.nan])


@pytest.mark.parametrize(
    ("values", "place", "shown"),
    [
        ("four", (), "'four'"),
        ({1, 2}, (), "'{1, 2}'"),
        ([1, "1_000"], (1,), "'1_000'"),
        ([1, 10**400], (1,), repr("1" + 39 * "0")),
        (pd.DataFrame({"a": [1, 2], "b": [3, [4]]}), (1, 1), "'[4]'"),
        (np.array([None, b"1"], dtype=object), (1,), repr("b'1'")),
        (np.array([1 + 0j]), (0,), "'(1+0j)'"),
        (np.array(["NaT", 5], dtype="m8[s]"), (1,), "'5 seconds'"),
        (pd.Series([1, pd.Timestamp("2020-01-01")]), (1,), "'2020-01-01 00:00:00'"),
        (pd.DataFrame({"a": [1, 2], "b": [3, "x"]}), (1, 1), "'x'"),
    ],
    ids=range(10),
)
def test_an_entry_that_is_no_number_is_named_by_its_place(
    values: Any, place: tuple[int, ...], shown: str
) -> None:
    with pytest.raises(NoNumber) as info:
        real_array(values)
    assert (info.value.place, info.value.shown) == (place, shown)


def test_rows_of_different_lengths_are_told_from_entries_that_are_no_numbers() -> None:
    with pytest.raises(UnevenRows):
        real_array([[1, 2], [3]])


@pytest.mark.parametrize("value", [1, -2.5, np.int8(1), np.float32(2), Fraction(1, 3)])
def test_real_numbers_are_real(value: Any) -> None:
    assert is_real(value)


@pytest.mark.parametrize("value", [True, np.True_, "1", None, 1j, np.timedelta64(1, "s"), [1]])
def test_truth_spans_of_time_and_texts_are_no_real_numbers(value: Any) -> None:
    assert not is_real(value)


def test_options_become_plain_numbers() -> None:
    count = whole_number("k", np.uint8(3), least=1)
    size = real_number("size", np.float32(0.5), lambda number: number > 0, "a positive number")
    assert (type(count), count, type(size), size) == (int, 3, float, 0.5)
    with pytest.raises(UnknownOption, match=r"k is 0\. Give a whole number, 1 or more\."):
        whole_number("k", 0, least=1)
    with pytest.raises(UnknownOption, match=r"size is -1\. Give a positive number\."):
        real_number("size", -1, lambda number: number > 0, "a positive number")


def test_sizes_are_told_in_words() -> None:
    shapes = [(), (5,), (3, 4), (2, 2, 2)]
    words = [size_in_words(np.zeros(shape)) for shape in shapes]
    assert words == ["a single value", "a list of 5", "3 x 4", "2 x 2 x 2"]


def test_only_memory_that_no_one_can_write_to_is_kept_without_a_copy() -> None:
    mine = np.arange(6.0)
    kept = frozen(mine)
    assert settled(kept) is kept
    assert settled(kept[1:3]).base is kept
    assert not np.shares_memory(settled(mine), mine)
    view = mine[:]
    view.setflags(write=False)
    assert not np.shares_memory(settled(view), mine)
    bytes_of_mine = np.frombuffer(bytearray(48))
    bytes_of_mine.setflags(write=False)
    assert not np.shares_memory(settled(bytes_of_mine), bytes_of_mine)


def test_what_is_lent_shares_memory_and_can_never_be_written_to() -> None:
    mine = np.arange(6.0, dtype=np.float32)
    loan = lent(mine)
    assert np.shares_memory(loan, mine)
    assert loan.dtype == np.float32
    assert settled(loan) is loan
    with pytest.raises(ValueError, match="WRITEABLE"):
        loan.setflags(write=True)
    assert mine.flags.writeable


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gaps_are_found_whatever_else_there_is(dtype: type) -> None:
    largest = np.full(5, np.finfo(dtype).max)
    assert not has_gaps(largest)
    assert not has_gaps(np.array([np.inf, -np.inf, 0], dtype=dtype))
    for i in range(5):
        assert has_gaps(np.where(np.arange(5) == i, np.nan, largest))
