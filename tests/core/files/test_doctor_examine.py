"""The doctor: each finding on data that has it, and on none that has not."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import pdist, squareform

from cml_core.datasets import load_dataset
from cml_core.errors import ConditionalMappingError, LabelMismatch, UnknownOption
from cml_core.files.doctor import CONVERSIONS, Finding, examine, prepared
from cml_core.files.doctor.findings import ODD, UNDERSTOOD, WRONG
from cml_core.files.doctor.pair_table import PairTable
from cml_core.files.doctor.scale import power_of
from cml_core.files.doctor.shape import negative_share, triangles
from cml_core.files.preparation import ASYMMETRIES, NEGATIVES, Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.values.words import percent

NAN = np.nan
N = 12
LABELS = tuple(f"o{i}" for i in range(N))
# Twelve points in a plane: true distances, about which there is nothing to say.
POINTS = np.random.default_rng(5).uniform(size=(N, 2))
PLANE = squareform(pdist(POINTS))
UP_TO_ONE = {"one_minus", "one_minus_absolute", "root_one_minus", "chord"}
OCCURRENCES = {"cooccurrence", "association"}
COUNTS = {*OCCURRENCES, "confusion"}
POSITIVE = {"reciprocal", "minus_log", "gaussian", *COUNTS}
CONFUSED = np.array(
    [
        [80.0, 10, 5, 5, 1],
        [20, 70, 5, 5, 1],
        [4, 6, 80, 10, 2],
        [5, 5, 15, 75, 8],
        [1, 1, 3, 9, 90],
    ]
)


def raw(square: np.ndarray, **more: Any) -> RawTable:
    labels = tuple(f"o{i}" for i in range(len(square)))
    return RawTable(labels, np.asarray(square, dtype=float), "square", **more)


def raw_of(name: str) -> RawTable:
    table = load_dataset(name).raw
    return RawTable(tuple(map(str, table.index)), table.to_numpy(dtype=float), "square")


def changed(*cells: tuple[int, int, float], both: bool = True) -> RawTable:
    table = PLANE.copy()
    for row, column, value in cells:
        table[row, column] = value
        if both:
            table[column, row] = value
    return raw(table)


def found(table: RawTable, **choices: Any) -> dict[str, Finding]:
    findings = examine(table, Preparation(**choices))
    keys = [finding.key for finding in findings]
    assert len(set(keys)) == len(keys)
    return {finding.key: finding for finding in findings}


def finding(key: str, grade: str, table: RawTable, **choices: Any) -> Finding:
    """The finding of this key, which must be there and of this grade."""
    one = found(table, **choices)[key]
    assert one.grade == grade
    return one


def grades(table: RawTable, **choices: Any) -> dict[str, str]:
    """What is not simply understood."""
    everything = found(table, **choices)
    return {key: one.grade for key, one in everything.items() if one.grade != UNDERSTOOD}


def applied(one: Finding, number: int, **choices: Any) -> Preparation:
    return replace(Preparation(**choices), **{one.field: one.choices[number].value})


def blocked(values: np.ndarray, *groups: Sequence[int]) -> np.ndarray:
    """Only the values inside of groups."""
    table = np.full_like(values, NAN)
    for group in groups:
        table[np.ix_(group, group)] = values[np.ix_(group, group)]
    return table


def test_there_is_nothing_to_say_of_true_distances() -> None:
    assert set(found(raw(PLANE))) == {"read", "kind"}
    assert grades(raw(PLANE)) == {}


@pytest.mark.parametrize(
    ("name", "choices", "expected"),
    [
        ("kinship", {}, {}),
        # Published ratings: one triple in three does not close, and after roots one in 286.
        ("faces", {}, {"triangles": ODD}),
        ("faces", {"conversion": "square_root"}, {}),
        (
            "ekman",
            {},
            {"kind": WRONG, "zeros": ODD, "triangles": ODD, "not_euclidean": ODD},
        ),
        ("ekman", {"conversion": "one_minus"}, {}),
    ],
)
def test_published_tables_have_only_the_oddities_they_are_known_for(
    name: str, choices: dict[str, Any], expected: dict[str, str]
) -> None:
    assert grades(raw_of(name), **choices) == expected


def test_what_was_read_is_told_with_what_the_reader_noted() -> None:
    table = changed((0, 1, NAN), (2, 3, NAN))
    one = finding("read", UNDERSTOOD, replace(table, notes=("Commas were decimal.",)))
    assert "12 objects (o0, o1, o2 and 9 more)" in one.fact
    assert "64 of 66 pairs known" in one.fact
    assert one.meaning.startswith("Commas were decimal.")
    assert "all 66 pairs known" in finding("read", UNDERSTOOD, raw(np.triu(PLANE))).fact


@pytest.mark.parametrize(
    ("table", "suggested"),
    [(np.exp(-PLANE), "one_minus"), (9 * np.exp(-PLANE), "from_max")],
)
def test_similarities_are_told_and_never_converted_unasked(
    table: np.ndarray, suggested: str
) -> None:
    one = finding("kind", WRONG, raw(table))
    assert "similarities" in one.fact
    assert "inside out" in one.meaning
    assert (one.field, one.choices[0].value) == ("conversion", suggested)
    assert [choice.title.endswith(" (suggested)") for choice in one.choices][:2] == [True, False]
    assert sum("suggested" in choice.title for choice in one.choices) == 1
    mended = finding("kind", UNDERSTOOD, raw(table), conversion=suggested)
    assert mended.choices[0] == one.choices[0]
    assert mended.fact.startswith("Mended: the values were converted")
    assert grades(raw(table), conversion=suggested) == {}


def test_similarities_may_be_mapped_as_they_are_by_whoever_says_that_they_are_none() -> None:
    choices = {"conversion": "dissimilarities", "diagonal": "zero"}
    one = finding("kind", UNDERSTOOD, raw(np.exp(-PLANE)), **choices)
    assert one.fact == "As you said, large values are for pairs that differ."
    assert "seemed to hold similarities" in one.meaning
    # A diagonal of ones is no answer to what the other values are.
    assert finding("kind", WRONG, raw(np.exp(-PLANE)), diagonal="zero")


def test_similarities_that_only_their_pattern_shows_are_no_less_told() -> None:
    table = np.exp(-PLANE)
    np.fill_diagonal(table, 0)
    assert "both have large values with a third" in finding("kind", WRONG, raw(table)).fact


def test_a_conversion_that_fails_names_the_pair_and_offers_others() -> None:
    table = np.exp(-PLANE)
    table[3, 4] = table[4, 3] = -0.5
    findings = found(raw(table), conversion="minus_log")
    assert set(findings) == {"read", "conversion", "outside"}
    failed, outside = findings["conversion"], findings["outside"]
    assert failed.grade == WRONG
    assert "o3 with o4 is -0.5" in failed.fact
    # So that the page can show what was chosen; what fails for the same reason is left out.
    keys = [choice.value for choice in failed.choices]
    assert keys[0] == "minus_log"
    assert keys.count("minus_log") == 1
    assert {"dissimilarities", "one_minus"} <= set(keys)
    assert not {"gaussian", "reciprocal"} & set(keys)
    assert outside.pairs == (("o3", "o4"),)
    mended = applied(outside, 0, conversion="minus_log")
    assert np.isnan(prepared(raw(table), mended).between("o3", "o4"))


@pytest.mark.parametrize(
    ("table", "fitting"),
    [
        (np.exp(-PLANE), set(CONVERSIONS) - {"none", "square_root", "gram"}),
        (
            85 * np.exp(-PLANE),
            {"dissimilarities", "from_max", "gram", "reciprocal", "ranks", *COUNTS},
        ),
        (
            np.exp(-PLANE) - (PLANE > 0) / 2,
            {"dissimilarities", "from_max", *UP_TO_ONE, "ranks"},
        ),
        (
            PLANE / 2,
            {"none", *UP_TO_ONE, "from_max", "ranks", "square_root"} | POSITIVE - {"confusion"},
        ),
        (85 * PLANE, {"none", "from_max", "ranks", "square_root", "reciprocal"} | OCCURRENCES),
    ],
)
def test_only_conversions_that_fit_the_values_and_the_kind_are_offered(
    table: np.ndarray, fitting: set[str]
) -> None:
    offered = {choice.value for choice in found(raw(table))["kind"].choices}
    assert offered == fitting


def test_nothing_is_suggested_for_dissimilarities() -> None:
    for choices in ({}, {"conversion": "square_root"}):
        kind = found(raw(PLANE), **choices)["kind"]
        assert not any("suggested" in choice.title for choice in kind.choices)
        assert "square_root" in [choice.value for choice in kind.choices]


def test_ranks_and_roots_are_offered_last_and_for_no_doubtful_scale() -> None:
    for table in (PLANE / 2, 85 * PLANE):
        offered = [choice.value for choice in found(raw(table))["kind"].choices]
        assert offered[-2:] == ["ranks", "square_root"]
    # Undistorted data lose by both; whoever trusts the order only is shown to the ordinal scale.
    assert 'choose "Only the order"' in CONVERSIONS["ranks"].about


def test_a_conversion_that_was_chosen_stays_among_the_choices_though_it_does_not_suit() -> None:
    kind = finding("kind", UNDERSTOOD, raw(np.exp(-PLANE)), conversion="square_root")
    assert "square_root" in [choice.value for choice in kind.choices]


def test_after_a_conversion_from_similarities_no_diagonal_is_asked_about() -> None:
    table = raw(np.exp(-PLANE) - 0.2 * np.eye(N))
    for key in UP_TO_ONE | POSITIVE:
        assert "diagonal" not in found(table, conversion=key)
    assert "diagonal" in found(table)
    assert "diagonal" in found(table, conversion="square_root")


def test_counts_that_are_zero_are_mended_by_a_constant_or_taken_as_unknown() -> None:
    counts = CONFUSED.copy()
    counts[4, 0] = counts[0, 4] = 0
    findings = found(raw(counts), conversion="confusion")
    assert set(findings) == {"read", "conversion", "added_count", "outside"}
    added = findings["added_count"]
    assert (added.grade, added.field) == (ODD, "scale")
    # Half of the smallest count, which is one.
    assert [(choice.value, choice.title) for choice in added.choices] == [
        (0.5, "Add 0.5 to every entry")
    ]
    for one in (added, findings["outside"]):
        mended = applied(one, 0, conversion="confusion")
        assert prepared(raw(counts), mended).n_objects == 5
    # A count below zero is mended by no constant that is offered.
    counts[0, 1] = -3
    assert set(found(raw(counts), conversion="confusion")) == {"read", "conversion", "outside"}


def test_a_conversion_that_fails_for_an_object_has_no_pairs_to_leave_out() -> None:
    counts = CONFUSED.copy()
    counts[2, 2] = 0
    assert set(found(raw(counts), conversion="confusion")) == {"read", "conversion"}


def test_asymmetry_is_told_with_the_worst_pairs_and_its_share_of_the_variance() -> None:
    table = changed((0, 1, PLANE[0, 1] + 2), (5, 3, PLANE[5, 3] + 1), both=False)
    one = finding("asymmetry", WRONG, table)
    assert one.pairs == (("o0", "o1"), ("o3", "o5"))
    assert "in 2 of 66 pairs" in one.fact
    assert f"d(o0, o1) = {PLANE[0, 1] + 2:.6g} but d(o1, o0) = {PLANE[0, 1]:.6g}" in one.fact
    values = table.values[~np.eye(N, dtype=bool)]
    share = 2 * (1.0**2 + 0.5**2) / ((values - values.mean()) ** 2).sum()
    assert f"cannot show {percent(share)} of" in one.meaning
    assert {choice.value for choice in one.choices} == set(ASYMMETRIES) - {"refuse"}
    for choice in one.choices:
        mended = finding("asymmetry", UNDERSTOOD, table, asymmetry=choice.value)
        assert mended.fact.startswith("Mended: ")
        assert "in 2 of 66 pairs, most in d(o0, o1) = " in mended.fact
        assert "d(o3, o5)" not in mended.fact
        assert mended.choices[-1].value == "refuse"


def test_more_asymmetric_pairs_than_are_named_are_counted() -> None:
    skewed = PLANE + np.triu(np.random.default_rng(0).uniform(1, 2, PLANE.shape), 1)
    assert "and 61 more" in finding("asymmetry", WRONG, raw(skewed)).fact


@pytest.mark.parametrize("half", [np.triu, np.tril])
def test_one_triangle_is_no_asymmetry(half: Any) -> None:
    table = np.where(half(np.ones((N, N)), 0) > 0, PLANE, NAN)
    assert grades(raw(table)) == {}
    assert "asymmetry" not in found(raw(table), asymmetry="average")


def test_directions_that_a_conversion_joins_are_told_as_mended() -> None:
    one = finding("asymmetry", UNDERSTOOD, raw(CONFUSED), conversion="confusion")
    assert "the conversion made one value of both" in one.fact
    assert found(raw(CONFUSED))["asymmetry"].grade == WRONG


def test_values_below_zero_are_told_lowest_first() -> None:
    table = changed((0, 1, -0.5), (2, 7, -0.75))
    one = finding("negatives", WRONG, table)
    assert one.pairs == (("o2", "o7"), ("o0", "o1"))
    assert "d(o2, o7) = -0.75, d(o0, o1) = -0.5" in one.fact
    assert {choice.value for choice in one.choices} == set(NEGATIVES) - {"refuse"}
    for choice in one.choices:
        mended = finding("negatives", UNDERSTOOD, table, negatives=choice.value)
        assert mended.fact.startswith("Mended: ")


def test_a_diagonal_is_told_largest_first() -> None:
    table = changed((1, 1, 0.2), (4, 4, -0.3))
    one = finding("diagonal", WRONG, table)
    assert one.objects == ("o4", "o1")
    assert "2 of 12 objects" in one.fact
    assert "similarities" in one.meaning
    assert (
        "1 of 12 objects is not at zero from itself" in found(changed((1, 1, 0.2)))["diagonal"].fact
    )
    mended = finding("diagonal", UNDERSTOOD, table, diagonal="zero")
    assert mended.fact.startswith("Mended: the diagonal was set to zero.")


def test_infinite_values_are_told_before_anything_else() -> None:
    table = changed((3, 8, np.inf))
    one = finding("infinite", WRONG, table)
    assert one.pairs == (("o3", "o8"),)
    assert set(found(table)) == {"read", "infinite"}
    mended = applied(one, 0)
    assert np.isnan(prepared(table, mended).between("o3", "o8"))


def test_values_that_a_choice_makes_infinite_are_told() -> None:
    table = changed((3, 8, 1.7e308), (2, 4, -1.7e308))
    one = finding("infinite", WRONG, table, negatives="shift")
    assert one.pairs == (("o3", "o8"),)
    assert "infinite" not in found(table, negatives="zero")


def test_too_few_objects_are_told() -> None:
    assert "not left out: 1." in finding("too_few", WRONG, raw(PLANE), without=LABELS[1:]).fact


def test_what_is_left_out_is_told_and_can_be_brought_back() -> None:
    choices: dict[str, Any] = {"without": ("o1",), "unknown_pairs": (("o2", "o3"),)}
    one = finding("without", UNDERSTOOD, raw(PLANE), **choices)
    assert (one.objects, one.choices[0].value) == (("o1",), ())
    one = finding("unknown_pairs", UNDERSTOOD, raw(PLANE), **choices)
    assert (one.pairs, one.choices[0].value) == ((("o2", "o3"),), ())


@pytest.mark.parametrize(("spread", "grade"), [(0.01, UNDERSTOOD), (0.5, ODD)])
def test_the_spread_of_repeats_is_told_and_odd_where_it_drowns_the_pairs(
    spread: float, grade: str
) -> None:
    repeats = np.where(np.triu(np.ones((N, N)), 1) > 0, spread, NAN)
    repeats[2, 9] = 2 * spread
    one = finding("spread", grade, raw(PLANE, spread=repeats))
    assert "66 pairs had several values" in one.fact
    assert "as much as different pairs do" in one.fact
    assert one.pairs[0] == ("o2", "o9")
    assert "spread" not in found(raw(PLANE, spread=np.full((N, N), NAN)))


def test_objects_without_any_pair_can_be_left_out() -> None:
    table = raw(blocked(PLANE, range(10)))
    one = finding("alone", WRONG, table)
    assert one.objects == ("o10", "o11")
    assert grades(table, without=one.choices[0].value) == {}


def test_a_table_that_says_nothing_is_told_so() -> None:
    assert grades(raw(np.full((N, N), NAN))) == {"nothing_known": WRONG}


def test_pieces_are_told_and_the_largest_can_be_kept() -> None:
    table = raw(blocked(PLANE, range(7), range(7, 12)))
    one = finding("pieces", WRONG, table)
    assert one.objects == LABELS[7:]
    assert "outside of the largest: o7" in one.fact
    halves = raw(blocked(PLANE, range(6), range(6, 12)))
    assert "outside of the first: o6" in finding("pieces", WRONG, halves).fact
    assert grades(table, without=one.choices[0].value) == {}


def test_objects_with_few_pairs_are_told_fewest_first() -> None:
    table = PLANE.copy()
    table[10, 2:] = table[2:, 10] = NAN
    table[11, 1:] = table[1:, 11] = NAN
    one = finding("few_pairs", ODD, raw(table))
    assert one.objects == ("o11", "o10")
    assert one.fact == "Little is known of o11 (1 pair), o10 (2 pairs)."
    assert "pieces" not in found(raw(table))
    # Three objects have two pairs each, and need no more.
    assert "few_pairs" not in found(raw(PLANE[:3, :3]))


def test_different_objects_at_zero_are_told() -> None:
    one = finding("zeros", ODD, changed((0, 1, 0.0)))
    assert one.pairs == (("o0", "o1"),)
    mended = applied(one, 0)
    assert mended.unknown_pairs == (("o0", "o1"),)
    assert "zeros" not in found(changed((0, 1, 0.0)), unknown_pairs=mended.unknown_pairs)


@pytest.mark.parametrize(
    ("value", "grade", "words"), [(0.0, WRONG, "is zero"), (3.0, ODD, "are 3")]
)
def test_values_that_are_all_the_same_are_told(value: float, grade: str, words: str) -> None:
    table = np.full((N, N), value) * ~np.eye(N, dtype=bool)
    assert words in finding("equal", grade, raw(table)).fact
    assert grades(raw(table)) == {"equal": grade}


def test_a_table_of_zeros_and_ones_says_little() -> None:
    near = (np.median(PLANE) < PLANE).astype(float)
    assert "0 and 1" in finding("few_values", ODD, raw(near)).fact
    # Three values of three pairs are as many as there can be.
    assert "few_values" not in found(raw(PLANE[:3, :3]))


def test_one_value_that_outweighs_all_others_is_told() -> None:
    one = finding("dominated", ODD, changed((3, 4, 100.0)))
    assert one.pairs == (("o3", "o4"),)
    assert "d(o3, o4) = 100" in one.fact
    assert "outliers" not in found(changed((3, 4, 100.0)))
    mended = applied(one, 0).unknown_pairs
    assert "dominated" not in found(changed((3, 4, 100.0)), unknown_pairs=mended)


def test_two_large_values_of_few_pairs_do_not_outweigh_each_other() -> None:
    table = squareform([1.0, 1, 1, 1, 1, 1, 1, 1, 6, 5])
    assert "dominated" not in found(raw(table))
    assert "dominated" in found(raw(np.where(table == 5, 1, table)))


def many(seed: int = 0, n: int = 40) -> np.ndarray:
    return squareform(pdist(np.random.default_rng(seed).uniform(size=(n, 3))))


def test_pairs_far_off_all_others_are_told_furthest_first() -> None:
    table = many()
    table[0, 1] = table[1, 0] = 6.0
    table[2, 3] = table[3, 2] = 9.0
    one = finding("outliers", ODD, raw(table))
    assert one.pairs == (("o2", "o3"), ("o0", "o1"))
    assert "on a plain scale: d(o2, o3) = 9, d(o0, o1) = 6" in one.fact
    assert "outliers" not in found(raw(table), unknown_pairs=one.choices[0].value)


def test_values_that_grow_by_factors_are_judged_on_a_logarithmic_scale() -> None:
    values = np.exp(squareform(0.45 * np.random.default_rng(1).normal(size=40 * 39 // 2)))
    np.fill_diagonal(values, 0)
    assert "outliers" not in found(raw(values))
    values[0, 1] = values[1, 0] = np.exp(2.8)
    assert "on a logarithmic scale" in finding("outliers", ODD, raw(values)).fact
    # As far off on the other side are only two objects that are very close.
    values[0, 1] = values[1, 0] = np.exp(-2.8)
    assert "outliers" not in found(raw(values))


@pytest.mark.parametrize("n", [30, 150, 610])
@pytest.mark.parametrize("dimensions", [2, 5])
@pytest.mark.slow
def test_normal_points_have_no_outliers(n: int, dimensions: int) -> None:
    points = np.random.default_rng(n).normal(size=(n, dimensions))
    assert "outliers" not in found(raw(squareform(pdist(points))))


def test_a_tail_is_not_a_host_of_outliers() -> None:
    table = many()
    table[:2] *= 20
    table[:, :2] *= 20
    assert "outliers" not in found(raw(table))


def test_a_triangle_that_does_not_close_is_told_with_its_sides() -> None:
    table = np.array([[0, 1, 9, 8.0], [1, 0, 2, 7.5], [9, 2, 0, 7], [8, 7.5, 7, 0]])
    one = finding("triangles", ODD, raw(table))
    assert "In 25 % of 4 triples, going round by the third object is shorter" in one.fact
    assert "d(o0, o2) = 9, d(o0, o1) = 1, d(o1, o2) = 2" in one.fact
    assert one.objects == ("o0", "o1", "o2")


def test_for_triangles_that_do_not_close_a_scale_is_advised_and_no_constant_offered() -> None:
    table = np.array([[0, 1, 9, 8.0], [1, 0, 2, 7.5], [9, 2, 0, 7], [8, 7.5, 7, 0]])
    one = finding("triangles", ODD, raw(table))
    assert (one.choices, one.field, one.advised_scale) == ((), "", "interval")
    assert 'choose "Differences". Differences count, zero does not.' in one.meaning
    assert not any(word in one.meaning.lower() for word in ("adding", "root"))


def test_a_constant_that_was_added_earlier_is_told_and_can_be_undone() -> None:
    table = np.array([[0, 1, 9, 8.0], [1, 0, 2, 7.5], [9, 2, 0, 7], [8, 7.5, 7, 0]])
    enough = finding("triangles", UNDERSTOOD, raw(table), added=6.0)
    assert enough.fact.startswith("By your choice 6 was added")
    less = finding("triangles", ODD, raw(table), added=5.0)
    for one in (enough, less):
        assert [(one.field, choice.value) for choice in one.choices] == [("added", 0.0)]
        assert one.advised_scale == "interval"


@given(arrays(np.float64, (7, 7), elements=st.floats(0.1, 10) | st.just(NAN)))
def test_triangles_are_counted_as_a_loop_counts_them(values: np.ndarray) -> None:
    square = np.triu(values, 1) + np.triu(values, 1).T
    np.fill_diagonal(square, NAN)
    table = PairTable(tuple("abcdefg"), square)
    broken, in_all, worst = 0, 0, 0.0
    for i in range(7):
        for j in range(i):
            for k in range(j):
                sides = sorted([square[i, j], square[j, k], square[i, k]])
                if not np.isnan(sides).any():
                    in_all += 1
                    excess = sides[2] - sides[1] - sides[0]
                    broken += excess > 1e-6 * table.largest
                    worst = max(worst, excess)
    counted = triangles(table)
    assert (counted.broken, counted.in_all, counted.drawn) == (broken, in_all, False)
    if broken:
        assert counted.excess == pytest.approx(worst)
        i, j, k = counted.worst
        assert square[i, k] - square[i, j] - square[j, k] == pytest.approx(worst)


@pytest.mark.slow
def test_triples_of_many_objects_are_drawn_from_a_seed() -> None:
    table = many(n=320)
    assert "triangles" not in found(raw(table))
    table[0, :] = table[:, 0] = 5 * table[0]
    # Few triples are a curiosity.
    one = finding("triangles", UNDERSTOOD, raw(table))
    assert "triples drawn at random" in one.fact
    assert "o0" in one.objects
    assert finding("triangles", UNDERSTOOD, raw(table)) == one
    # Only triples with object 0 can be broken: three of every 320, give or take what chance draws.
    square = np.where(np.eye(320, dtype=bool), NAN, table)
    drawn = triangles(PairTable(tuple(f"o{i}" for i in range(320)), square))
    assert 0 < drawn.broken / drawn.in_all < 3 / 320 * 1.2
    i, j, k = drawn.worst
    assert square[i, k] - square[i, j] - square[j, k] == pytest.approx(drawn.excess)


def test_values_far_from_any_euclidean_space_are_told() -> None:
    random = np.random.default_rng(0)
    noise = squareform(random.uniform(0, 1, N * (N - 1) // 2))
    one = finding("not_euclidean", ODD, raw(noise))
    assert "negative" in one.fact
    assert one.advised_scale == "ordinal"


def spread_out(n: int = 40, dimensions: int = 3, seed: int = 0) -> np.ndarray:
    """Distances of normal points, each off by a tenth."""
    random = np.random.default_rng(seed)
    distances = pdist(random.normal(size=(n, dimensions)))
    return squareform(distances * np.abs(1 + 0.1 * random.standard_normal(distances.size)))


BENDS = {
    "root": np.sqrt,
    "saturating": lambda d: 1 - np.exp(-d / d.mean()),
    "constant": lambda d: (d + d.mean() / 2) * (1 - np.eye(len(d))),
    "square": np.square,
}


@pytest.mark.parametrize("n", [20, 40, 100])
@pytest.mark.parametrize("bend", BENDS)
@pytest.mark.slow
def test_values_that_are_bent_are_told_and_a_power_advised(n: int, bend: str) -> None:
    one = finding("bent", ODD, raw(BENDS[bend](spread_out(n))))
    assert ("drawn apart" if bend == "square" else "pressed together") in one.fact
    assert ("judged by 40 objects" in one.fact) == (n > 40)
    assert one.advised_scale == "power"
    assert 'choose "A power". Some power of the numbers is a distance' in one.meaning


@pytest.mark.parametrize(("n", "dimensions"), [(20, 2), (20, 5), (40, 2), (40, 8)])
@pytest.mark.slow
def test_distances_with_noise_are_not_called_bent(n: int, dimensions: int) -> None:
    for seed in range(3):
        assert "bent" not in found(raw(spread_out(n, dimensions, seed)))


@pytest.mark.slow
def test_the_power_that_unbends_is_that_by_which_they_were_bent() -> None:
    for power in (0.5, 2.0):
        square = spread_out(dimensions=2) ** power
        np.fill_diagonal(square, NAN)
        found = power_of(PairTable(tuple(f"o{i}" for i in range(40)), square))
        assert found is not None
        # To the steps of the search: .15 in logarithms, and half of the next.
        assert np.log(found.power * power) == pytest.approx(0.0, abs=0.23)


def test_of_too_few_pairs_no_power_is_judged() -> None:
    few = np.sqrt(spread_out(14))
    assert "bent" not in found(raw(few))
    gaps = np.sqrt(spread_out(30))
    gaps[0, 4:] = gaps[4:, 0] = NAN
    assert "bent" not in found(raw(gaps))
    gaps[0, 4:12] = gaps[4:12, 0] = 0.5
    assert "bent" in found(raw(gaps))


def test_true_distances_have_no_negative_eigenvalues_and_gaps_hardly_matter() -> None:
    square = np.where(np.eye(N, dtype=bool), NAN, PLANE)
    # Rounding of eigenvalues of size one.
    assert negative_share(PairTable(LABELS, square)) < 1e-12
    assert "not_euclidean" not in found(changed((0, 1, NAN)))
    assert negative_share(PairTable(LABELS, 1e300 * square)) < 1e-12


def test_the_share_of_negative_eigenvalues_is_that_of_a_known_case() -> None:
    # Three objects on a line that is too long by half: d12 = d23 = 1, d13 = 3. Doubly centred,
    # -d²/2 has the eigenvalues 4.5 for (1, 0, -1) and, for (1, -2, 1), 2/3 - 1.5 = -5/6.
    square = np.array([[NAN, 1, 3], [1, NAN, 1], [3, 1, NAN]])
    assert negative_share(PairTable(("a", "b", "c"), square)) == pytest.approx(
        (5 / 6) / (4.5 + 5 / 6)
    )


def test_objects_that_repeat_others_are_told_in_groups() -> None:
    who = [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 5]
    table = raw(PLANE[np.ix_(who, who)])
    one = finding("duplicates", ODD, table)
    assert one.objects == ("o0", "o9", "o10", "o5", "o11")
    assert one.choices[0].value == ("o9", "o10", "o11")
    assert grades(table, without=one.choices[0].value) == {}


@pytest.mark.parametrize(("apart", "told"), [(0.0, True), (NAN, True), (0.3, False)])
def test_duplicates_are_at_zero_from_each_other_or_were_not_compared(
    apart: float, told: bool
) -> None:
    who = [*range(11), 4]
    square = PLANE[np.ix_(who, who)]
    square[4, 11] = square[11, 4] = apart
    assert ("duplicates" in found(raw(square))) == told


@pytest.mark.parametrize(("others", "told"), [(2, False), (3, True)])
def test_objects_that_share_few_others_may_agree_by_chance(others: int, told: bool) -> None:
    who = [*range(11), 4]
    square = PLANE[np.ix_(who, who)]
    square[:, [4, 11]] = square[[4, 11]] = NAN
    for k in range(others):
        square[[4, 11], k] = square[k, [4, 11]] = PLANE[4, k]
    assert ("duplicates" in found(raw(square))) == told


def test_gaps_in_other_places_make_objects_different() -> None:
    who = [*range(11), 4]
    square = PLANE[np.ix_(who, who)]
    square[4, 0] = square[0, 4] = NAN
    assert "duplicates" not in found(raw(square))


def test_objects_that_are_only_near_are_no_duplicates() -> None:
    points = np.vstack((POINTS, POINTS[:1] + 0.01))
    assert "duplicates" not in found(raw(squareform(pdist(points))))


@pytest.mark.parametrize("choice", [{"without": ("Eve",)}, {"unknown_pairs": (("o1", "Eve"),)}])
def test_names_that_are_not_there_are_refused(choice: dict[str, Any]) -> None:
    with pytest.raises(LabelMismatch, match="Eve"):
        examine(raw(PLANE), Preparation(**choice))


def test_a_conversion_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownOption, match="inverse"):
        examine(raw(PLANE), Preparation(conversion="inverse"))


NUMBERS = st.floats() | st.sampled_from([0.0, 1.0, -1.0, 5e-324, 1e308, NAN])


@pytest.mark.slow
@given(st.data())
def test_every_finding_is_told_in_full_and_wrong_means_no_map(
    data: st.DataObject,
) -> None:
    n = data.draw(st.integers(1, 6))
    square = data.draw(arrays(np.float64, (n, n), elements=NUMBERS))
    spread = data.draw(st.none() | arrays(np.float64, (n, n), elements=st.floats(0)))
    preparation = data.draw(
        st.builds(
            Preparation,
            conversion=st.sampled_from(["none", *CONVERSIONS]),
            scale=st.sampled_from([0.0, 0.5]),
            asymmetry=st.sampled_from(ASYMMETRIES),
            negatives=st.sampled_from(NEGATIVES),
            diagonal=st.sampled_from(["refuse", "zero"]),
            added=st.sampled_from([0.0, 2.0]),
        )
    )
    table = raw(square, spread=spread)
    findings = examine(table, preparation)
    assert len({one.key for one in findings}) == len(findings)
    for one in findings:
        assert one.grade in (UNDERSTOOD, ODD, WRONG)
        assert one.fact.endswith((".", "?"))
        assert bool(one.choices) == bool(one.field)
        assert "nan" not in one.fact
        for choice in one.choices:
            assert replace(preparation, **{one.field: choice.value})
    possible = True
    try:
        prepared(table, preparation)
    except ConditionalMappingError:
        possible = False
    # Groups that are never compared are refused later, by the problem; which way round a table is
    # must be said by whoever brings it, but a program may leave it open.
    told = {"pieces", "kind", "which_way"}
    wrong = {one.key for one in findings if one.grade == WRONG} - told
    assert bool(wrong) != possible


@pytest.mark.slow
def test_many_objects_without_a_whole_triple_have_no_triangles() -> None:
    chain = np.full((310, 310), NAN)
    chain[np.arange(309), np.arange(1, 310)] = 1.0
    table = raw(np.where(np.isnan(chain), chain.T, chain))
    assert "triangles" not in found(table)


def test_what_is_looked_at_is_told_before_it_is_found() -> None:
    told: list[str] = []
    examine(raw(PLANE), Preparation(), told.append)
    assert len(told) == len(set(told)) == 4
    assert told[0] == "Which way round the numbers are"
