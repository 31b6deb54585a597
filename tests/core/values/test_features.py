"""Features of all kinds: how they are read, how a fit sees them, and how they are joined."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from cml_core import Feature, FeatureTable
from cml_core.errors import (
    ConditionalMappingError,
    DuplicateLabels,
    LabelMismatch,
    LengthMismatch,
    UnknownFeature,
    UnknownOption,
    UnsuitableFeature,
)
from cml_core.values.kinds.categorical import equidistant_contrasts
from cml_core.values.kinds.registry import KINDS

NAN = float("nan")
SIZE = Feature.numeric("Size", [1.5, NAN, -2.0, 4.0])
RANK = Feature.ordinal("Rank", ["low", "high", None, "mid"], ["low", "mid", "high"])
TEAM = Feature.categorical("Team", ["red", "blue", None, "red"])
HOUR = Feature.circular("Hour", [0.0, 6.0, NAN, 23.0], period=24)
LABELS = ("Ann", "Bea", "Cyd", "Dot")
TABLE = FeatureTable(LABELS, (SIZE, RANK, TEAM, HOUR))


def refused(make: Any, kind: type[ConditionalMappingError] = UnsuitableFeature) -> Any:
    with pytest.raises(kind) as info:
        make()
    assert type(info.value) is kind
    return info.value


@st.composite
def features(draw: st.DrawFn) -> Feature:
    """Any feature of any kind, with gaps."""
    kind = draw(st.sampled_from(list(KINDS)))
    n = draw(st.integers(1, 9))
    levels = tuple(f"level {k}" for k in range(draw(st.integers(1, 6))))
    value = st.floats(-1e6, 1e6, allow_subnormal=False)
    if KINDS[kind].has_levels:
        value = st.integers(0, len(levels) - 1).map(float)
    values = draw(st.lists(st.one_of(value, st.just(NAN)), min_size=n, max_size=n))
    values[draw(st.integers(0, n - 1))] = draw(value)
    if kind == "circular":
        return Feature("F", kind, np.array(values), period=draw(st.floats(0.1, 1e4)))
    return Feature("F", kind, np.array(values), levels if KINDS[kind].has_levels else ())


@pytest.mark.parametrize(
    ("feature", "shown"),
    [
        (SIZE, [1.5, None, -2.0, 4.0]),
        (RANK, ["low", "high", None, "mid"]),
        (TEAM, ["red", "blue", None, "red"]),
        (HOUR, [0.0, 6.0, None, 23.0]),
    ],
)
def test_values_are_shown_as_people_write_them(feature: Feature, shown: list[object]) -> None:
    assert feature.shown() == shown
    assert feature.missing.tolist() == [value is None for value in shown]
    assert feature.n_objects == 4
    assert feature.origin == "given"


def test_a_quantity_is_one_column_of_its_numbers() -> None:
    np.testing.assert_array_equal(SIZE.columns(), [[1.5], [NAN], [-2.0], [4.0]])
    assert SIZE.column_names() == ("Size",)


def test_an_order_is_one_column_of_ranks() -> None:
    np.testing.assert_array_equal(RANK.columns(), [[0], [2], [NAN], [1]])
    assert RANK.column_names() == ("Rank",)


@pytest.mark.parametrize("n_levels", [2, 3, 4, 7])
def test_all_categories_are_equally_far_apart(n_levels: int) -> None:
    levels = [f"level {k}" for k in range(n_levels)]
    columns = Feature.categorical("Team", levels).columns()
    assert columns.shape == (n_levels, n_levels - 1)
    # Sums of at most seven numbers of order one: rounding only.
    np.testing.assert_allclose(pdist(columns), np.sqrt(2), rtol=1e-14)
    np.testing.assert_allclose(columns.T @ columns, np.eye(n_levels - 1), atol=1e-14)
    np.testing.assert_allclose(columns.sum(axis=0), 0, atol=1e-14)


@pytest.mark.parametrize("n_levels", [0, 1])
def test_one_category_alone_is_a_column_of_zeros(n_levels: int) -> None:
    assert equidistant_contrasts(n_levels).tolist() == [[0.0]]
    assert Feature.categorical("Team", ["red", "red"]).columns().tolist() == [[0.0], [0.0]]


def test_an_angle_is_its_place_on_the_unit_circle() -> None:
    columns = Feature.circular("Hour", [0, 6, 12, 18, 24, NAN, -6], period=24).columns()
    expected = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 0], [NAN, NAN], [0, -1]]
    # Cosines of multiples of pi / 2 are zero up to rounding.
    np.testing.assert_allclose(columns, expected, atol=1e-15)
    assert HOUR.column_names() == ("Hour (cos)", "Hour (sin)")


@pytest.mark.slow
@given(features())
@settings(max_examples=150)
def test_every_column_has_a_name_and_gaps_stay_gaps(feature: Feature) -> None:
    columns = feature.columns()
    assert columns.shape == (feature.n_objects, len(set(feature.column_names())))
    np.testing.assert_array_equal(
        np.isnan(columns), np.repeat(feature.missing[:, None], columns.shape[1], axis=1)
    )


@given(features())
@settings(max_examples=150)
def test_decoding_undoes_encoding(feature: Feature) -> None:
    decoded = feature.decoded(feature.columns())
    difference = decoded - feature.values
    if feature.period is not None:
        difference -= feature.period * np.round(difference / feature.period)
    np.testing.assert_array_equal(np.isnan(decoded), feature.missing)
    # An angle of up to 1e7 turns keeps nine of its sixteen digits.
    tolerance = 1e-8 * (feature.period or 0.0)
    if KINDS[feature.kind].bends:
        # Values that differ by rounding alone are one place on a curve.
        tolerance = 1e-9 * float(np.nanmax(np.abs(feature.values)))
    assert np.nanmax(np.abs(difference)) <= tolerance


def test_decoding_takes_the_nearest_value_there_is() -> None:
    np.testing.assert_array_equal(RANK.decoded(np.array([[-3.0], [0.6], [9.0]])), [0, 1, 2])
    near_blue = TEAM.columns()[1] * 0.4
    assert TEAM.decoded(near_blue[None, :]).tolist() == [1.0]
    far_out = 5 * HOUR.columns()[1]
    np.testing.assert_allclose(HOUR.decoded(far_out[None, :]), [6.0], rtol=1e-14)


@pytest.mark.parametrize(
    ("values", "kind", "shown"),
    [
        ([1, 2, 3], "numeric", [1, 2, 3]),
        ([1.5, NAN], "numeric", [1.5, None]),
        (np.array([1, None, 2.5], dtype=object), "numeric", [1, None, 2.5]),
        (pd.array([1, None], dtype="Int64"), "numeric", [1, None]),
        (pd.array([1.5, None], dtype="Float64"), "numeric", [1.5, None]),
        (np.array(["a", "b"]), "categorical", ["a", "b"]),
        (pd.Series(["a", None, "b"], dtype="str"), "categorical", ["a", None, "b"]),
        (pd.Series(["a", pd.NA], dtype="string"), "categorical", ["a", None]),
        (np.array(["a", None], dtype=object), "categorical", ["a", None]),
        (["1", "2"], "categorical", ["1", "2"]),
        ([1, "a", None], "categorical", ["1", "a", None]),
        ([True, False], "categorical", ["True", "False"]),
        (pd.array([True, None], dtype="boolean"), "categorical", ["True", None]),
        (np.array([True, None, False], dtype=object), "categorical", ["True", None, "False"]),
        (pd.Categorical(["b", None, "a"]), "categorical", ["b", None, "a"]),
        (pd.Categorical([3, 1, 3]), "categorical", ["3", "1", "3"]),
        (pd.Categorical([3, None, 1]), "categorical", ["3", None, "1"]),
        (pd.Categorical(["b", "a"], ["b", "a", "c"], ordered=True), "ordinal", ["b", "a"]),
        (pd.Categorical([30, None, 4], [4, 30], ordered=True), "ordinal", ["30", None, "4"]),
    ],
    ids=range(19),
)
def test_the_kind_is_read_off_the_type_of_the_column(
    values: Any, kind: str, shown: list[object]
) -> None:
    feature = Feature.infer("F", values)
    assert (feature.kind, feature.shown()) == (kind, shown)
    table = FeatureTable.from_frame(pd.DataFrame({"F": values}, index=range(len(shown))))
    assert (table["F"].kind, table["F"].shown()) == (kind, shown)


def test_the_levels_of_a_pandas_categorical_keep_their_order() -> None:
    assert Feature.infer("F", pd.Categorical(["b", "a"], ["b", "a", "c"])).levels == ("b", "a", "c")


def test_levels_stand_in_the_order_of_their_first_appearance() -> None:
    assert Feature.categorical("F", ["b", None, "c", "b", "a"]).levels == ("b", "c", "a")


def test_whole_numbers_name_the_same_levels_whether_or_not_gaps_made_them_floats() -> None:
    gappy = pd.Series([1, None, 3])
    assert Feature.categorical("F", gappy).levels == ("1", "3")
    assert Feature.ordinal("F", gappy, [1, 2, 3]).shown() == ["1", None, "3"]


def test_numbers_written_as_text_can_be_read_as_a_quantity() -> None:
    np.testing.assert_array_equal(Feature.numeric("F", ["1", None, "2.5"]).values, [1, NAN, 2.5])


def test_a_missing_date_stays_missing() -> None:
    born = pd.to_datetime(pd.Series(["2020-01-01", None, "2022-01-01"]))
    assert Feature.numeric("Born", born).missing.tolist() == [False, True, False]


@pytest.mark.parametrize(
    "make",
    [
        lambda values: Feature.numeric("Age", values),
        lambda values: Feature.circular("Age", values),
        lambda values: Feature("Age", "numeric", values),
        lambda values: SIZE.renamed("Age").with_values(values),
    ],
    ids=["numeric", "circular", "direct", "with_values"],
)
class TestNumbers:
    @pytest.mark.parametrize("text", ["old", "1;2"])
    def test_text_is_refused_with_its_place(self, make: Any, text: str) -> None:
        error = refused(lambda: make([1, text, 3, 4]))
        assert repr(text) in error.fact
        assert "object 2" in error.fact
        assert "Age" in error.fact

    @pytest.mark.parametrize("value", [np.inf, -np.inf])
    def test_infinity_is_refused_with_its_place(self, make: Any, value: float) -> None:
        error = refused(lambda: make([1, 2, value, 4]))
        assert error.fact == "Age is infinite for object 3."

    @pytest.mark.parametrize("values", [[], [NAN, NAN], [None, None]])
    def test_no_value_at_all_is_refused(self, make: Any, values: list[Any]) -> None:
        assert refused(lambda: make(values)).fact == "Age has no value at all."

    @pytest.mark.parametrize("values", [np.ones((4, 2)), np.array([1j, 2, 3, 4])])
    def test_what_is_no_list_of_numbers_is_refused(self, make: Any, values: Any) -> None:
        assert "Age" in refused(lambda: make(values)).fact

    def test_every_mark_of_a_gap_is_understood(self, make: Any) -> None:
        gaps = make([1, None, NAN, pd.NA]).missing
        assert gaps.tolist() == [False, True, True, True]


@pytest.mark.parametrize("values", [None, 5, np.ones((2, 2)), [["a", "b"], ["c", "d"]], []])
def test_groups_that_are_no_list_are_refused(values: Any) -> None:
    assert "Team" in refused(lambda: Feature.categorical("Team", values)).fact


@pytest.mark.parametrize("period", [0, -24, NAN, np.inf, None, "daily"])
def test_a_period_that_is_not_positive_is_refused(period: Any) -> None:
    for make in (
        lambda: Feature.circular("Hour", [1, 2], period=period),
        lambda: Feature("Hour", "circular", np.array([1.0, 2.0]), period=period),
    ):
        error = refused(make)
        assert "Hour is circular with period" in error.fact
        assert "360" in error.remedy


@pytest.mark.parametrize("kind", ["ordinal", "categorical"])
@pytest.mark.parametrize("codes", [[0, 2], [0, -1], [0, 0.5]])
def test_codes_beyond_the_levels_are_refused(kind: str, codes: list[float]) -> None:
    error = refused(lambda: Feature("Team", kind, np.array(codes), ("red", "blue")))
    assert error.fact == "Team has values beyond its 2 levels."


@pytest.mark.parametrize(
    ("levels", "said"),
    [(["low", "high"], "'mid'"), (["low", "mid", "mid", "high"], "twice"), ([], "'low'")],
)
def test_levels_that_do_not_fit_are_refused(levels: list[str], said: str) -> None:
    for make in (Feature.ordinal, Feature.categorical):
        error = refused(lambda make=make: make("Rank", ["low", "mid", "high"], levels))
        assert said in error.fact
        assert "level" in error.remedy


def test_levels_given_twice_are_refused_even_with_codes() -> None:
    refused(lambda: Feature("Team", "categorical", np.array([0.0, 1.0]), ("red", "red")))


@pytest.mark.parametrize("kind", ["numeric", "curved", "circular"])
def test_numbers_have_no_levels(kind: str) -> None:
    period = 24.0 if kind == "circular" else None
    refused(lambda: Feature("Size", kind, np.array([0.0, 1.0]), ("red", "blue"), period))


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    error = refused(lambda: Feature("F", "nominal", np.array([1.0])), UnknownOption)
    assert error.fact == "kind is 'nominal'."
    assert all(repr(kind) in error.remedy for kind in KINDS)


def test_a_changed_feature_is_another_one() -> None:
    assert SIZE.renamed("Weight").name == "Weight"
    assert SIZE.with_values([1, 2, 3, 4]).shown() == [1, 2, 3, 4]
    assert TEAM.taken(np.array([3, 1])).shown() == ["red", "blue"]
    assert TEAM.taken(np.array([3, 1])).levels == TEAM.levels
    assert (SIZE.name, SIZE.shown()) == ("Size", [1.5, None, -2.0, 4.0])


def test_features_stand_side_by_side_as_columns() -> None:
    encoding = TABLE.encoded()
    assert encoding.names == ("Size", "Rank", "Team [1]", "Hour (cos)", "Hour (sin)")
    assert encoding.block.tolist() == [0, 1, 2, 3, 3]
    for k, feature in enumerate(TABLE.features):
        np.testing.assert_array_equal(encoding.values[:, encoding.block == k], feature.columns())
    np.testing.assert_array_equal(encoding.missing, np.isnan(encoding.values))


def test_no_features_are_no_columns() -> None:
    encoding = FeatureTable(LABELS).encoded()
    assert encoding.values.shape == (4, 0)
    assert (encoding.names, encoding.block.tolist()) == ((), [])


def test_features_are_joined_by_label() -> None:
    joined = TABLE.for_objects(["Dot", "Ann"])
    assert joined.labels == ("Dot", "Ann")
    assert [f.shown() for f in joined.features] == [
        [4.0, 1.5],
        ["mid", "low"],
        ["red", "red"],
        [23.0, 0.0],
    ]
    assert joined["Team"].levels == ("red", "blue")


def test_numbers_serve_as_labels() -> None:
    table = FeatureTable((3, 1, 2), (Feature.numeric("F", [30, 10, 20]),))  # type: ignore[arg-type]
    assert table.for_objects([1, 2, 3])["F"].shown() == [10, 20, 30]  # type: ignore[list-item]


def test_objects_without_a_row_are_named() -> None:
    error = refused(lambda: TABLE.for_objects(["Ann", "Eve", "Fay"]), LabelMismatch)
    assert error.fact == "The features have no row for Eve, Fay."
    assert "Ann" in error.remedy


def test_a_feature_of_another_length_is_named_and_counted() -> None:
    for make in (
        lambda: FeatureTable(("a", "b"), (SIZE,)),
        lambda: FeatureTable(("a", "b")).with_feature(SIZE),
    ):
        assert refused(make, LengthMismatch).fact == "Size has 4 values for 2 objects."


def test_names_that_stand_twice_are_named() -> None:
    doubled = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=["E", "F", "F"])
    assert "'F'" in refused(lambda: FeatureTable.from_frame(doubled), DuplicateLabels).fact
    assert "'a'" in refused(lambda: FeatureTable(("a", "b", "a")), DuplicateLabels).fact


@pytest.mark.parametrize(
    "ask",
    [
        lambda table: table["Age"],
        lambda table: table.without("Age"),
        lambda table: table.select(["Age"]),
    ],
)
def test_an_unknown_feature_is_answered_with_those_there_are(ask: Any) -> None:
    error = refused(lambda: ask(TABLE), UnknownFeature)
    assert error.fact == "No feature is called 'Age'."
    assert all(name in error.remedy for name in TABLE.names)
    assert "no features" in refused(lambda: ask(FeatureTable(LABELS)), UnknownFeature).remedy


def test_a_table_with_or_without_a_feature_is_another_table() -> None:
    assert TABLE.without("Rank").names == ("Size", "Team", "Hour")
    assert TABLE.select(["Team", "Size"]).names == ("Team", "Size")
    more = TABLE.with_feature(SIZE.renamed("Weight"))
    assert more.names == ("Size", "Rank", "Team", "Hour", "Weight")
    replaced = TABLE.with_feature(SIZE.renamed("Rank"))
    assert (replaced.names, replaced["Rank"].kind) == (TABLE.names, "numeric")
    assert (TABLE.names, TABLE["Rank"]) == (("Size", "Rank", "Team", "Hour"), RANK)
    assert len(TABLE) == 4
    assert "Rank" in TABLE
    assert "Age" not in TABLE


def test_a_table_written_and_read_again_says_the_same() -> None:
    again = FeatureTable.from_frame(TABLE.select(["Size", "Team"]).to_frame())
    assert again.labels == LABELS
    assert [f.identity() for f in again.features] == [SIZE.identity(), TEAM.identity()]


def test_reprs_are_short_and_count_gaps() -> None:
    assert repr(SIZE) == "Feature('Size', numeric, 1 missing)"
    assert repr(SIZE.with_values([1, 2, 3, 4])) == "Feature('Size', numeric)"
    assert repr(RANK) == "Feature('Rank', ordinal, 3 levels, 1 missing)"
    assert repr(TABLE) == "FeatureTable(4 objects; Size, Rank, Team, Hour)"
    assert repr(FeatureTable(LABELS)) == "FeatureTable(4 objects; no features)"
