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
from cml_core.errors import (
    ConditionalMappingError,
    DuplicateLabels,
    LabelMismatch,
    LengthMismatch,
    NothingObserved,
    NothingToExplain,
    NotNumeric,
    NotSquare,
    TooFewObjects,
)
from cml_core.values.arrays import pair_count

NAMES = ["Ann", "Bea", "Cyd", "Dot"]
TABLE = np.array([[0.0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]])
PAIRS = [1.0, 2, 3, 4, 5, 6]
FRAME = pd.DataFrame(TABLE, index=NAMES, columns=NAMES)
# What stands where 4 stood is missing.
GAP = FRAME.mask(FRAME == 4)


def fours_as(text: str) -> pd.DataFrame:
    return FRAME.map(lambda value: text if value == 4 else value)


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
        fours_as(""),
        fours_as("  "),
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
        Dissimilarities.of(FRAME.astype(given_as)),
    ]
    assert {d.condensed.dtype for d in read} == {np.dtype(kept_as)}
    assert {d.subset(NAMES[::-1]).condensed.dtype for d in read} == {np.dtype(kept_as)}


@pytest.mark.parametrize("size", [1e-300, 1e308])
def test_very_small_and_very_large_numbers_are_numbers(size: float) -> None:
    assert Dissimilarities.of(np.full(6, size)).condensed.tolist() == [size] * 6


def test_a_pair_known_in_one_direction_is_taken_from_there() -> None:
    read = Dissimilarities.of(changed((0, 1, np.nan), (3, 2, np.nan)))
    assert read.condensed.tolist() == PAIRS


def test_a_missing_diagonal_is_zero() -> None:
    table = changed(*((i, i, np.nan) for i in range(4)))
    np.testing.assert_array_equal(Dissimilarities.of(table).square(), TABLE)


def test_rounding_errors_between_the_directions_are_averaged() -> None:
    read = Dissimilarities.of(changed((0, 1, 1 + 2e-9)))
    # The gap is less than 1e-8 of the largest entry, 6, so it passes for rounding.
    assert read.condensed[0] == pytest.approx(1 + 1e-9, abs=1e-15)


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
    side = "rows" if "'Dot'" in error.fact else "columns"
    assert f"{'Dot' if side == 'rows' else columns[3]!r} stands among the {side}" in error.fact


@pytest.mark.parametrize("count", [0, 3, 5])
def test_labels_of_the_wrong_number_are_counted(count: int) -> None:
    for values in (TABLE, PAIRS):
        error = refusal(LengthMismatch, values, list("abcdef")[:count])
        assert error.fact == f"There are {count} labels for 4 objects."


@pytest.mark.parametrize("labels", [["a", "b", "a", "c"], [1, "1", 2, 3]])
def test_duplicate_labels_are_named(labels: list[object]) -> None:
    for error in (
        refusal(DuplicateLabels, TABLE, labels),
        refusal(DuplicateLabels, PAIRS, labels),
        refusal(DuplicateLabels, pd.DataFrame(TABLE, index=labels, columns=labels)),
    ):
        assert f" {labels[0]}." in error.fact
        assert "own" in error.remedy


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (TABLE[:3], "3 x 4"),
        (FRAME[:3], "3 x 4"),
        (FRAME[["Ann"]], "4 x 1"),
        (np.zeros((3, 3, 3)), "3 x 3 x 3"),
        (np.ones((1, 6)), "1 x 6"),
        ([[]], "1 x 0"),
        (5.0, "a single value"),
        (None, "a single value"),
        ([1, 2, 3, 4], "4 values"),
    ],
)
def test_what_is_neither_square_nor_a_triangle_is_refused_with_its_shape(
    values: Any, said: str
) -> None:
    error = refusal(NotSquare, values)
    assert said in error.fact
    assert "N(N-1)/2" in error.remedy


@pytest.mark.parametrize("rows", [[[0, 1], [1]], [[0, 1, 2], [1, 0], [2, 3, 0]]])
def test_rows_of_different_lengths_are_no_table(rows: list[list[int]]) -> None:
    refusal(NotSquare, rows)


@pytest.mark.parametrize(
    ("values", "count"), [(TABLE[:2, :2], 2), (np.zeros((1, 1)), 1), ([1.0], 2), ([], 0)]
)
def test_fewer_than_three_objects_are_counted(values: Any, count: int) -> None:
    error = refusal(TooFewObjects, values)
    assert f" {count} object" in error.fact
    assert "3" in error.remedy


@pytest.mark.parametrize("text", ["four", "-", "1,5", "1j", [4], {}, b"x"])
def test_a_cell_of_text_is_named_by_row_and_column(text: Any) -> None:
    frame = FRAME.astype(object)
    frame.iat[0, 1], frame.iat[1, 2] = None, text
    error = refusal(NotNumeric, frame)
    assert "row 'Bea', column 'Cyd'" in error.fact
    assert repr(str(text)) in error.fact
    assert "number" in error.remedy


def test_a_long_text_is_cut() -> None:
    assert len(refusal(NotNumeric, fours_as("x" * 999)).fact) < 120


def test_a_wrong_cell_is_found_even_where_names_repeat() -> None:
    frame = FRAME.astype(object).set_axis(["a", "a", "b", "c"]).set_axis(list("aabc"), axis=1)
    frame.iat[1, 2] = "four"
    assert "'four'" in refusal(NotNumeric, frame).fact


@pytest.mark.parametrize(
    "values",
    [
        "0 1 2",
        ["1", "x", "3"],
        pd.Series(["1", "x", "3"]),
        changed((0, 1, "x"), dtype=object),
        changed((0, 1, 10**400), (1, 0, 10**400), dtype=object),
        TABLE + 1j,
        FRAME + 1j,
        np.array([1, 2, 3j]),
        FRAME.astype("datetime64[ns]"),
        TABLE.astype("timedelta64[s]"),
        np.zeros(3, dtype=[("a", float)]),
    ],
    ids=range(11),
)
def test_what_is_no_number_is_refused_whatever_holds_it(values: Any) -> None:
    refusal(NotNumeric, values)


def test_a_column_of_names_among_the_numbers_is_found() -> None:
    frame = pd.read_csv(io.StringIO("who,Ann,Bea,Cyd\nAnn,0,1,2\nBea,1,0,3\nCyd,2,3,0\n"))
    assert "column 'who' holds 'Ann'" in refusal(NotNumeric, frame).fact


@pytest.mark.parametrize("values", [np.full((3, 3), np.nan), [np.nan] * 6, [None] * 3])
def test_a_table_of_gaps_alone_is_refused(values: Any) -> None:
    refusal(NothingObserved, values)


@pytest.mark.parametrize("values", [np.zeros((4, 4)), [0, 0, 0], [0, np.nan, 0]])
def test_a_table_of_zeros_alone_is_refused(values: Any) -> None:
    refusal(NothingToExplain, values)


@pytest.mark.parametrize("count", [5, 7, 16])
def test_values_that_do_not_belong_to_the_labels_are_counted(count: int) -> None:
    with pytest.raises(LengthMismatch, match=f"{count} .* 4 labels, which have 6 pairs"):
        Dissimilarities(tuple(NAMES), np.ones(count))


def test_asking_for_an_unknown_object_names_it() -> None:
    read = Dissimilarities.of(FRAME)
    with pytest.raises(LabelMismatch, match="Eve"):
        read.subset(["Ann", "Bea", "Eve"])
    for pair in (("Ann", "Eve"), ("Eve", "Ann")):
        with pytest.raises(LabelMismatch, match="Eve"):
            read.between(*pair)


def test_pairs_are_looked_up_by_name_in_either_order() -> None:
    read = Dissimilarities.of(GAP)
    assert read.between("Dot", "Bea") == read.between("Bea", "Dot") == 5.0
    assert read.between("Ann", "Ann") == 0.0
    assert np.isnan(read.between("Bea", "Cyd"))


def test_the_repr_is_short_and_counts_gaps() -> None:
    assert repr(Dissimilarities.of(FRAME)) == "Dissimilarities(4 objects: Ann, Bea, Cyd and 1 more)"
    assert "1 of 6 pairs missing" in repr(Dissimilarities.of(GAP))


@pytest.mark.slow
@given(tables())
@settings(max_examples=60)
def test_condensed_and_square_tables_hold_the_same(value: Dissimilarities) -> None:
    np.testing.assert_array_equal(
        squareform(value.square(), checks=False), np.asarray(value.condensed)
    )
    for twin in (
        Dissimilarities.of(value.square(), value.labels),
        Dissimilarities.of(value.condensed, value.labels),
        Dissimilarities.of(value.to_frame()),
    ):
        assert twin.fingerprint == value.fingerprint


@pytest.mark.slow
@given(value=tables(), data=st.data())
@settings(max_examples=60)
def test_a_subset_keeps_its_pairs_in_any_order(value: Dissimilarities, data: st.DataObject) -> None:
    chosen = data.draw(st.permutations(value.labels))[: data.draw(st.integers(3, value.n_objects))]
    expected = value.to_frame().loc[chosen, chosen].to_numpy()
    among = expected[np.triu_indices(len(chosen), 1)]
    assume(np.nan_to_num(among).any())
    assume(np.isfinite(squareform(among, checks=False)).sum(axis=1).min() > 1)
    part = value.subset(chosen)
    assert part.labels == tuple(chosen)
    np.testing.assert_array_equal(part.square(), expected)


@given(tables())
@settings(max_examples=30)
def test_a_subset_of_all_in_their_order_is_the_whole(value: Dissimilarities) -> None:
    assert value.subset(value.labels).fingerprint == value.fingerprint
