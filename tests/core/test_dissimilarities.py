"""Dissimilarities: what is accepted, what is refused and how, and what holds of all of them."""

import io
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import squareform

from cml_core import Dissimilarities
from cml_core.arrays import pair_count
from cml_core.errors import (
    AsymmetricDissimilarities,
    ConditionalMappingError,
    DuplicateLabels,
    InfiniteDissimilarities,
    LabelMismatch,
    LengthMismatch,
    NegativeDissimilarities,
    NonzeroDiagonal,
    NothingObserved,
    NothingToExplain,
    NotNumeric,
    NotSquare,
    ObjectWithoutPairs,
    TooFewObjects,
)

NAMES = ["Ann", "Bea", "Cyd", "Dot"]
TABLE = np.array([[0.0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]])
PAIRS = [1.0, 2, 3, 4, 5, 6]
FRAME = pd.DataFrame(TABLE, index=NAMES, columns=NAMES)
# What stands where 4 stood is missing.
GAP = FRAME.mask(FRAME == 4)


def changed(*cells: tuple[int, int, Any], dtype: type = float) -> np.ndarray:
    table = TABLE.astype(dtype)
    for row, column, value in cells:
        table[row, column] = value
    return table


def refusal(kind: type[ConditionalMappingError], values: Any, labels: Any = None) -> Any:
    with pytest.raises(kind) as info:
        Dissimilarities.of(values, labels)
    assert type(info.value) is kind
    return info.value


@st.composite
def tables(draw: st.DrawFn, gaps: bool = True) -> Dissimilarities:
    """Any dissimilarities of 3 to 8 objects that are accepted."""
    n = draw(st.integers(3, 8))
    number = st.floats(0, 1e6, allow_subnormal=False)
    entries = st.one_of(number, st.just(np.nan)) if gaps else number
    condensed = draw(arrays(np.float64, pair_count(n), elements=entries))
    observed = squareform(np.where(np.isnan(condensed), 0, 1))
    assume(observed.any(axis=1).all() and np.nanmax(condensed) > 0)
    labels = draw(st.lists(st.text(max_size=4), min_size=n, max_size=n, unique=True))
    return Dissimilarities(tuple(labels), condensed)


# ---------------------------------------------------------------- what is accepted


@pytest.mark.parametrize(
    "values",
    [
        TABLE,
        TABLE.tolist(),
        tuple(map(tuple, TABLE)),
        TABLE.astype(int),
        TABLE.astype(np.uint8),
        TABLE.astype(np.float16),
        TABLE.astype(np.float32),
        TABLE.astype(np.longdouble),
        TABLE.astype(">f8"),
        TABLE.astype(object),
        TABLE.astype(str),
        np.asfortranarray(TABLE),
        [[Decimal(int(value)) for value in row] for row in TABLE],
        PAIRS,
        tuple(PAIRS),
        np.array(PAIRS),
        np.array([1, 2, 3, 4, 5, 6]),
        np.repeat(PAIRS, 2)[::2],
        pd.Series(PAIRS),
        pd.Series([1, 2, 3, 4, 5, 6], index=list("uvwxyz"), dtype="Int64"),
        FRAME,
        FRAME.astype(int),
        FRAME.astype("float32"),
        FRAME.astype("Int64"),
        FRAME.astype("Float64"),
        FRAME.astype("Float32"),
        FRAME.astype("float64[pyarrow]"),
        FRAME.astype(object),
        FRAME.astype("str"),
        FRAME.astype({"Ann": "Int64", "Bea": object, "Cyd": "float32"}),
    ],
    ids=lambda values: f"{type(values).__name__}-{getattr(values, 'dtype', '')}",
)
def test_every_container_of_the_same_numbers_gives_the_same_values(values: Any) -> None:
    read = Dissimilarities.of(values)
    np.testing.assert_array_equal(read.condensed, PAIRS)
    np.testing.assert_array_equal(read.square(), TABLE)
    assert read.n_objects == 4
    assert not read.missing.any()


@pytest.mark.parametrize(
    "values",
    [
        GAP,
        GAP.astype("Int64"),
        GAP.astype("Float64"),
        GAP.astype(object),
        GAP.astype(object).where(GAP.notna(), None),
        GAP.astype(object).where(GAP.notna(), pd.NA),
        GAP.to_numpy(),
        GAP.to_numpy().tolist(),
        changed((1, 2, None), (2, 1, None), dtype=object),
        changed((1, 2, pd.NA), (2, 1, pd.NA), dtype=object),
        np.ma.masked_equal(TABLE, 4.0),
        pd.Series([1, 2, 3, None, 5, 6], dtype="Int64"),
        [1, 2, 3, None, 5, 6],
        [1, 2, 3, pd.NA, 5, 6],
        FRAME.astype(object).replace(4.0, ""),
        FRAME.astype(object).replace(4.0, "  "),
    ],
    ids=range(16),
)
def test_every_way_to_leave_a_cell_empty_is_a_missing_pair(values: Any) -> None:
    read = Dissimilarities.of(values)
    assert read.missing.tolist() == [False, False, False, True, False, False]
    np.testing.assert_array_equal(read.condensed[~read.missing], [1, 2, 3, 5, 6])


def test_true_is_one_and_false_is_zero() -> None:
    for table in (TABLE > 2, FRAME > 2, (FRAME > 2).astype("boolean")):
        assert Dissimilarities.of(table).condensed.tolist() == [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(("given_as", "kept_as"), [("f4", "f4"), ("f2", "f8"), ("i4", "f8")])
def test_single_precision_stays_and_all_else_becomes_double(given_as: str, kept_as: str) -> None:
    read = [
        Dissimilarities.of(TABLE.astype(given_as), NAMES),
        Dissimilarities.of(np.array(PAIRS, dtype=given_as), NAMES),
    ]
    assert {d.condensed.dtype for d in read} == {np.dtype(kept_as)}
    assert {d.subset(NAMES[::-1]).condensed.dtype for d in read} == {np.dtype(kept_as)}


def test_a_pair_known_in_one_direction_is_taken_from_there() -> None:
    read = Dissimilarities.of(changed((0, 1, np.nan), (3, 2, np.nan)))
    assert read.condensed.tolist() == PAIRS


def test_a_missing_diagonal_is_zero() -> None:
    table = changed(*((i, i, np.nan) for i in range(4)))
    np.testing.assert_array_equal(Dissimilarities.of(table).square(), TABLE)


def test_rounding_errors_between_the_directions_are_averaged() -> None:
    read = Dissimilarities.of(changed((0, 1, 1 + 2e-9)))
    # 2e-9 is a third of a millionth of a percent of the largest entry, 6.
    assert read.condensed[0] == pytest.approx(1 + 1e-9, abs=1e-15)


# ---------------------------------------------------------------- labels


def test_objects_without_names_are_numbered_from_one() -> None:
    expected = ("object 1", "object 2", "object 3", "object 4")
    for values in (TABLE, PAIRS, pd.DataFrame(TABLE), pd.Series(PAIRS)):
        assert Dissimilarities.of(values).labels == expected


@pytest.mark.parametrize(
    ("index", "columns"),
    [(NAMES, NAMES), (None, NAMES), (NAMES, None), (range(4), NAMES), (NAMES, range(4))],
)
def test_names_are_taken_from_rows_or_columns_whichever_has_them(index: Any, columns: Any) -> None:
    frame = pd.DataFrame(TABLE, index=index, columns=columns)
    assert Dissimilarities.of(frame).labels == tuple(NAMES)


def test_a_file_without_a_column_of_names_takes_them_from_its_head() -> None:
    frame = pd.read_csv(io.StringIO("Ann,Bea,Cyd\n0,1,2\n1,0,3\n2,3,0\n"))
    assert Dissimilarities.of(frame).labels == ("Ann", "Bea", "Cyd")


def test_columns_in_another_order_are_joined_by_name() -> None:
    shuffled = FRAME[["Dot", "Ann", "Cyd", "Bea"]]
    read = Dissimilarities.of(shuffled)
    assert read.labels == tuple(NAMES)
    assert read.condensed.tolist() == PAIRS


@pytest.mark.parametrize(
    "labels", [NAMES, tuple(NAMES), np.array(NAMES), pd.Index(NAMES), pd.Series(NAMES)]
)
def test_labels_may_come_in_any_sequence(labels: Any) -> None:
    assert Dissimilarities.of(TABLE, labels).labels == tuple(NAMES)
    assert Dissimilarities.of(PAIRS, labels).labels == tuple(NAMES)


def test_numbers_are_names_too() -> None:
    read = Dissimilarities.of(pd.DataFrame(TABLE, index=[7, 3, 1, 2], columns=[7, 3, 1, 2]))
    assert read.labels == ("7", "3", "1", "2")
    assert Dissimilarities.of(TABLE, [7, 3, 1, 2]).fingerprint == read.fingerprint


def test_labels_given_outright_prevail() -> None:
    other = ["w", "x", "y", "z"]
    assert Dissimilarities.of(FRAME, other).labels == tuple(other)
    assert Dissimilarities.of(Dissimilarities.of(FRAME), other).labels == tuple(other)


def test_dissimilarities_of_dissimilarities_are_themselves() -> None:
    read = Dissimilarities.of(FRAME)
    assert Dissimilarities.of(read) is read


@pytest.mark.parametrize("columns", [["Ann", "Bea", "Cyd", "Eve"], ["Ann", "Bea", "Cyd", "dot"]])
def test_a_name_that_only_rows_or_only_columns_have_is_named(columns: list[str]) -> None:
    error = refusal(LabelMismatch, FRAME.set_axis(columns, axis=1))
    assert "'Dot'" in error.fact or repr(columns[3]) in error.fact


@pytest.mark.parametrize("count", [0, 3, 5])
def test_labels_of_the_wrong_number_are_counted(count: int) -> None:
    for values in (TABLE, PAIRS):
        error = refusal(LengthMismatch, values, list("abcdef")[:count])
        assert error.fact == f"There are {count} labels for 4 objects."


@pytest.mark.parametrize("labels", [["a", "b", "a", "c"], [1, "1", 2, 3]])
def test_duplicate_labels_are_named(labels: list[object]) -> None:
    for values in (TABLE, PAIRS, pd.DataFrame(TABLE, index=labels, columns=labels)):
        error = refusal(DuplicateLabels, values, None if values is not TABLE else labels) if (
            isinstance(values, pd.DataFrame)
        ) else refusal(DuplicateLabels, values, labels)
        assert f" {labels[0]}." in error.fact
