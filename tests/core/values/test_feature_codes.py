"""What people write down of objects becomes numbers: quantities, dates, groups."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cml_core.errors import UnsuitableFeature
from cml_core.values.feature_codes import codes_of, column_of, is_quantity, level_name, numbers_of

DAYS = pd.Series(pd.to_datetime(["1970-01-02 00:00", None, "1970-01-03 12:00"]))


@pytest.mark.parametrize(
    "values",
    [
        DAYS,
        DAYS.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
        DAYS.astype("datetime64[ns]"),
        DAYS - pd.Timestamp(0),
        ["1", "", 2.5],
    ],
    ids=["dates", "dates of a time zone", "nanoseconds", "spans", "texts"],
)
def test_dates_and_spans_of_time_count_in_days(values: Any) -> None:
    np.testing.assert_array_equal(numbers_of("Born", values), [1.0, np.nan, 2.5])


@pytest.mark.parametrize(
    "values",
    [
        None,
        5,
        "abc",
        {1, 2},
        np.array(5.0),
        np.ones((2, 2)),
        [[1], [2]],
        pd.DataFrame({"a": [1, 2]}),
        np.zeros(2, dtype=[("a", float)]),
    ],
    ids=range(9),
)
def test_what_is_not_one_entry_an_object_is_no_column(values: Any) -> None:
    with pytest.raises(UnsuitableFeature, match="The values of Age are no plain list"):
        column_of("Age", values)


def test_entries_of_a_list_keep_their_own_types() -> None:
    assert column_of("Mixed", [1, "1", None, True]).tolist() == [1, "1", None, True]
    # As floats the two would be the same.
    near = [2**60, 2**60 + 1, None]
    assert codes_of("Number", near, None)[1] == (str(2**60), str(2**60 + 1))


@pytest.mark.parametrize(
    ("values", "quantity"),
    [
        ([1, 2.5, None], True),
        ([Decimal("1.5"), np.nan], True),
        (np.array([1, 2]), True),
        (pd.array([1, None], dtype="Int64"), True),
        ([None, None], False),
        ([], False),
        ([1, True], False),
        ([True, None], False),
        (np.array([True, False]), False),
        (["1", "2"], False),
        (DAYS, False),
    ],
    ids=range(11),
)
def test_a_quantity_is_made_of_numbers(values: Any, quantity: bool) -> None:
    assert is_quantity(column_of("F", values)) is quantity


@pytest.mark.parametrize(
    ("level", "name"),
    [
        (3, "3"),
        (3.0, "3"),
        (np.float32(3), "3"),
        (-0.0, "0"),
        (2.5, "2.5"),
        (True, "True"),
        (np.True_, "True"),
        ("3.0", "3.0"),
        (1e300, "1e+300"),
        (10**20, "100000000000000000000"),
        (np.inf, "inf"),
        (np.str_("x"), "x"),
    ],
    ids=range(12),
)
def test_whole_numbers_are_written_without_a_point(level: Any, name: str) -> None:
    assert level_name(level) == name


def test_values_are_coded_by_the_order_of_levels() -> None:
    codes, names = codes_of("Size", ["mid", None, "low"], ["low", "mid", "high"])
    np.testing.assert_array_equal(codes, [1.0, np.nan, 0.0])
    assert names == ("low", "mid", "high")
    with pytest.raises(UnsuitableFeature, match="Size has the value 'tall'; its levels are low"):
        codes_of("Size", ["tall"], ["low", "mid", "high"])


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        (pd.Series(["b", None, "a", "b"], dtype="string"), ["b", None, "a", "b"]),
        (pd.Categorical([1, "1", None, 2.0], [2.0, "1", 1]), ["1", "1", None, "2"]),
        (pd.array([3, None, 1, 3], dtype="Int64"), ["3", None, "1", "3"]),
        (np.array([0.5, np.nan, -0.0, 0.0]), ["0.5", None, "0", "0"]),
        (np.array([True, False, True]), ["True", "False", "True"]),
        ([1, "1", True, None, 1.0], ["1", "1", "True", None, "1"]),
        (DAYS, ["1970-01-02 00:00:00", None, "1970-01-03 12:00:00"]),
    ],
    ids=["texts", "categories", "whole numbers", "floats", "truth", "a list", "dates"],
)
def test_groups_are_what_reads_alike_in_the_order_of_appearance(values: Any, texts: list) -> None:
    codes, names = codes_of("F", values, None)
    assert [None if np.isnan(code) else names[int(code)] for code in codes] == texts
    assert names == tuple(dict.fromkeys(text for text in texts if text is not None))
