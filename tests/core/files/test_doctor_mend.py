"""From what a file says to dissimilarities: each mend, each refusal, and what holds of all."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cml_core import Dissimilarities
from cml_core.datasets import load_dataset
from cml_core.errors import (
    AsymmetricDissimilarities,
    ConditionalMappingError,
    InfiniteDissimilarities,
    LabelMismatch,
    NegativeDissimilarities,
    NonzeroDiagonal,
    NothingObserved,
    ObjectWithoutPairs,
    TooFewObjects,
    UnknownOption,
    UnsuitableConversion,
)
from cml_core.files.doctor import CONVERSIONS, choices_in_words, ordered, prepared, prepared_weights
from cml_core.files.preparation import ASYMMETRIES, NEGATIVES, Preparation
from cml_core.files.reading.raw import RawTable

NAN = np.nan
NAMES = ("Ann", "Bea", "Cyd", "Dot")
TABLE = np.array([[0.0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]])
PAIRS = [1.0, 2, 3, 4, 5, 6]
MENDED = Preparation(asymmetry="average", negatives="zero", diagonal="zero")


def changed(*cells: tuple[int, int, float]) -> RawTable:
    table = TABLE.copy()
    for row, column, value in cells:
        table[row, column] = value
    return RawTable(NAMES, table, "square")


def values(raw: RawTable, **choices: Any) -> list[float]:
    return prepared(raw, Preparation(**choices)).condensed.tolist()


def refusal(kind: type[ConditionalMappingError], raw: RawTable, **choices: Any) -> Any:
    with pytest.raises(kind) as info:
        prepared(raw, Preparation(**choices))
    assert type(info.value) is kind
    return info.value


def raw_of(name: str) -> RawTable:
    table = load_dataset(name).raw
    return RawTable(tuple(map(str, table.index)), table.to_numpy(dtype=float), "square")


@st.composite
def tables(draw: st.DrawFn, gaps: bool = True) -> RawTable:
    """Any finite values of 3 to 6 objects, in both directions, some of them not known."""
    n = draw(st.integers(3, 6))
    number = st.floats(-1e6, 1e6, allow_subnormal=False)
    entries = number | st.just(NAN) if gaps else number
    square = draw(arrays(np.float64, (n, n), elements=entries))
    return RawTable(tuple(f"o{i}" for i in range(n)), square, "square")


CHOICES = st.builds(
    Preparation,
    asymmetry=st.sampled_from(ASYMMETRIES[1:]),
    negatives=st.sampled_from(NEGATIVES[1:]),
    diagonal=st.just("zero"),
    added=st.sampled_from([0.0, 0.5, 7.0]),
)


def accepted(raw: RawTable, preparation: Preparation) -> Dissimilarities | None:
    """None for what no mend can help: nothing known, or nothing but zeros."""
    try:
        return prepared(raw, preparation)
    except ConditionalMappingError:
        return None


def test_a_table_in_order_needs_no_choice() -> None:
    assert values(changed()) == PAIRS
    assert prepared(changed(), Preparation()).labels == NAMES


@pytest.mark.parametrize("half", [np.triu, np.tril])
@pytest.mark.parametrize("diagonal", [0.0, NAN])
def test_one_triangle_is_no_asymmetry(half: Any, diagonal: float) -> None:
    table = np.where(half(np.ones((4, 4))) > 0, TABLE, NAN)
    np.fill_diagonal(table, diagonal)
    for how in ASYMMETRIES:
        assert values(RawTable(NAMES, table, "lower"), asymmetry=how) == PAIRS


@pytest.mark.parametrize(
    ("how", "expected"),
    [("average", 5.0), ("upper", 4.0), ("lower", 6.0), ("larger", 6.0), ("smaller", 4.0)],
)
def test_each_way_of_two_directions(how: str, expected: float) -> None:
    found = values(changed((2, 1, 6)), asymmetry=how)
    assert found == [1, 2, 3, expected, 5, 6]


def test_two_directions_are_refused_until_one_is_chosen() -> None:
    error = refusal(AsymmetricDissimilarities, changed((2, 1, 7), (3, 2, 6.5)))
    assert error.fact == "d(Bea, Cyd) is 4 but d(Cyd, Bea) is 7; 2 pairs differ."
    assert "average" in error.remedy


def test_directions_that_differ_by_rounding_are_averaged_at_once() -> None:
    np.testing.assert_allclose(values(changed((2, 1, 4 + 1e-12))), PAIRS, rtol=1e-12)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("zero", [0, 2, 3, 4, 5, 0]),
        ("missing", [NAN, 2, 3, 4, 5, NAN]),
        ("absolute", [2, 2, 3, 4, 5, 1]),
        ("shift", [0, 4, 5, 6, 7, 1]),
    ],
)
def test_each_way_of_values_below_zero(how: str, expected: list[float]) -> None:
    raw = changed((0, 1, -2), (1, 0, -2), (2, 3, -1), (3, 2, -1))
    np.testing.assert_array_equal(values(raw, negatives=how), expected)


def test_values_below_zero_are_refused_until_a_mend_is_chosen() -> None:
    raw = changed((0, 1, -2), (1, 0, -2), (2, 3, -1), (3, 2, -1))
    error = refusal(NegativeDissimilarities, raw)
    assert error.fact == "d(Ann, Bea) is -2; 2 pairs are below zero."
    assert "conversion" in error.remedy


def test_a_hair_below_zero_is_zero_whatever_is_chosen() -> None:
    raw = changed((0, 1, -1e-12), (1, 0, -1e-12))
    for how in NEGATIVES:
        assert values(raw, negatives=how) == [0, 2, 3, 4, 5, 6]


def test_a_diagonal_that_is_not_zero_is_refused_until_it_is_set_to_zero() -> None:
    raw = changed((2, 2, 3), (3, 3, -1))
    error = refusal(NonzeroDiagonal, raw)
    assert error.fact == "d(Cyd, Cyd) is 3; 2 of 4 diagonal entries are not zero."
    assert values(raw, diagonal="zero") == PAIRS


def test_a_constant_is_added_to_every_pair_but_not_to_gaps() -> None:
    raw = changed((0, 3, NAN), (3, 0, NAN))
    np.testing.assert_array_equal(values(raw, added=0.5), [1.5, 2.5, NAN, 4.5, 5.5, 6.5])


def test_what_is_left_out_counts_for_nothing() -> None:
    raw = changed((0, 3, -9), (3, 3, 9))
    found = prepared(raw, Preparation(without=("Dot",)))
    assert (found.labels, found.condensed.tolist()) == (NAMES[:3], [1, 2, 4])


def test_the_largest_value_is_that_of_what_remains() -> None:
    found = values(changed(), without=("Dot",), conversion="from_max")
    assert found == [3, 2, 0]
    found = values(changed(), unknown_pairs=(("Dot", "Cyd"),), conversion="from_max")
    np.testing.assert_array_equal(found, [4, 3, 2, 1, 0, NAN])


def test_a_pair_that_is_taken_as_unknown_is_so_in_both_directions() -> None:
    raw = changed((0, 1, -5), (1, 0, np.inf))
    found = values(raw, unknown_pairs=(("Bea", "Ann"),))
    np.testing.assert_array_equal(found, [NAN, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("choice", [{"without": ("Eve",)}, {"unknown_pairs": (("Ann", "Eve"),)}])
def test_names_that_are_not_there_are_refused(choice: dict[str, Any]) -> None:
    assert "Eve" in refusal(LabelMismatch, changed(), **choice).fact


@pytest.mark.parametrize(
    ("kind", "raw", "choices"),
    [
        (TooFewObjects, changed(), {"without": ("Ann", "Bea")}),
        (TooFewObjects, changed(), {"without": NAMES}),
        (TooFewObjects, RawTable((), np.empty((0, 0)), "square"), {}),
        (InfiniteDissimilarities, changed((0, 1, np.inf)), {"asymmetry": "average"}),
        (InfiniteDissimilarities, RawTable(NAMES, 2e307 * TABLE, "square"), {"added": 1e308}),
        (NothingObserved, RawTable(NAMES, np.full((4, 4), NAN), "square"), {}),
        (UnknownOption, changed(), {"conversion": "inverse"}),
        (UnsuitableConversion, changed(), {"conversion": "minus_log"}),
        (
            ObjectWithoutPairs,
            changed(),
            {"unknown_pairs": (("Ann", "Bea"), ("Ann", "Cyd"), ("Ann", "Dot"))},
        ),
    ],
)
def test_what_no_mend_helps_is_refused_as_what_it_is(
    kind: type[ConditionalMappingError], raw: RawTable, choices: dict[str, Any]
) -> None:
    error = refusal(kind, raw, **choices)
    assert error.fact.endswith(".")
    assert error.remedy.endswith(".")


def test_confusions_need_no_choice_of_direction() -> None:
    counts = np.array([[80.0, 10, 5, 5], [20, 70, 5, 5], [4, 6, 80, 10], [5, 5, 15, 75]])
    found = values(RawTable(NAMES, counts, "square"), conversion="confusion")
    assert found[0] == pytest.approx(-np.log(np.sqrt(10 * 20 / (80 * 70))))


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("kinship", {}),
        ("faces", {"conversion": "square_root"}),
        ("ekman", {"conversion": "one_minus"}),
    ],
)
def test_published_tables_are_prepared_as_they_are_shown(name: str, choices: Any) -> None:
    shown = load_dataset(name).values()
    np.testing.assert_allclose(values(raw_of(name), **choices), shown.condensed, rtol=1e-15)


@pytest.mark.slow
@given(tables(), CHOICES)
def test_whatever_is_mended_is_symmetric_not_negative_and_zero_in_its_diagonal(
    raw: RawTable, preparation: Preparation
) -> None:
    found = accepted(raw, preparation)
    if found is None:
        return
    square = found.square()
    np.testing.assert_array_equal(square, square.T)
    assert not (square < 0).any()
    assert not np.diagonal(square).any()


@pytest.mark.slow
@given(tables(gaps=False), CHOICES)
def test_a_whole_table_of_numbers_can_always_be_mended(
    raw: RawTable, preparation: Preparation
) -> None:
    # With a constant added no pair is zero; without "missing" every pair is known.
    negatives = "zero" if preparation.negatives == "missing" else preparation.negatives
    found = prepared(raw, replace(preparation, negatives=negatives, added=0.5))
    assert found.complete
    assert found.condensed.min() >= 0.5


@pytest.mark.slow
@given(tables(), CHOICES)
def test_what_is_mended_needs_no_mend(raw: RawTable, preparation: Preparation) -> None:
    found = accepted(raw, preparation)
    if found is None:
        return
    again = RawTable(found.labels, found.square(), "square")
    for choices in (Preparation(), replace(preparation, added=0.0)):
        np.testing.assert_array_equal(prepared(again, choices).condensed, found.condensed)


@pytest.mark.slow
@given(tables(), CHOICES, st.sampled_from(list(CONVERSIONS)), st.randoms())
def test_mending_commutes_with_the_order_of_the_objects(
    raw: RawTable, preparation: Preparation, conversion: str, random: Any
) -> None:
    # Above and below the diagonal depend on the order of the file.
    how = {"upper": "larger", "lower": "smaller"}
    preparation = replace(
        preparation,
        conversion=conversion,
        asymmetry=how.get(preparation.asymmetry, preparation.asymmetry),
    )
    order = list(range(raw.n_objects))
    random.shuffle(order)
    labels = tuple(raw.labels[i] for i in order)
    found = accepted(raw, preparation)
    turned = accepted(RawTable(labels, raw.values[np.ix_(order, order)], "square"), preparation)
    assert (found is None) == (turned is None)
    if found is not None and turned is not None:
        back = turned.subset(found.labels)
        # Sums over objects are taken in another order.
        np.testing.assert_allclose(back.condensed, found.condensed, rtol=1e-9, atol=1e-9)


@given(tables(), CHOICES)
def test_the_same_choices_give_the_same_numbers_and_leave_the_file_alone(
    raw: RawTable, preparation: Preparation
) -> None:
    before = raw.values.copy()
    first, second = accepted(raw, preparation), accepted(raw, preparation)
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert first.fingerprint == second.fingerprint
    np.testing.assert_array_equal(raw.values, before)


@given(st.data())
def test_any_table_is_prepared_or_refused_with_any_choices(data: st.DataObject) -> None:
    square = data.draw(arrays(np.float64, (4, 4), elements=st.floats()))
    weights = data.draw(st.none() | arrays(np.float64, (4, 4), elements=st.floats()))
    preparation = data.draw(
        st.builds(
            Preparation,
            without=st.sampled_from([(), ("Ann",), ("Ann", "Bea"), ("Eve",)]),
            unknown_pairs=st.sampled_from([(), (("Ann", "Bea"),), (("Ann", "Eve"),)]),
            conversion=st.sampled_from(["inverse", *CONVERSIONS]),
            scale=st.floats(0, 1e308),
            asymmetry=st.sampled_from(ASYMMETRIES),
            negatives=st.sampled_from(NEGATIVES),
            diagonal=st.sampled_from(["refuse", "zero"]),
            added=st.floats(0, 1e308),
        )
    )
    raw = RawTable(NAMES, square, "square", weights=weights)
    for act in (prepared, prepared_weights):
        try:
            act(raw, preparation)
        except ConditionalMappingError as error:
            said = (error.fact, error.remedy)
        else:
            said = ()
        assert all(sentence.endswith(".") for sentence in said)


def weighed(raw: RawTable, weights: np.ndarray, **choices: Any) -> list[float]:
    found = prepared_weights(replace(raw, weights=weights), Preparation(**choices))
    assert found is not None
    assert not found.flags.writeable
    return found.tolist()


def test_a_file_without_weights_gives_none() -> None:
    assert prepared_weights(changed(), Preparation()) is None


@pytest.mark.parametrize(
    ("how", "expected"),
    [("average", 4.0), ("upper", 1.0), ("lower", 7.0), ("larger", 7.0), ("smaller", 1.0)],
)
def test_the_weight_is_that_of_the_direction_that_is_taken(how: str, expected: float) -> None:
    weights = np.full((4, 4), 2.0)
    weights[1, 2], weights[2, 1] = 1.0, 7.0
    assert weighed(changed((2, 1, 6)), weights, asymmetry=how) == [2, 2, 2, expected, 2, 2]


@pytest.mark.parametrize("how", ASYMMETRIES)
def test_a_pair_known_in_one_direction_has_the_weight_of_that_one(how: str) -> None:
    weights = np.full((4, 4), 2.0)
    weights[0, 1], weights[1, 0] = NAN, 5.0
    assert weighed(changed((0, 1, NAN)), weights, asymmetry=how) == [5, 2, 2, 2, 2, 2]


def test_weights_not_given_are_one_and_unknown_pairs_have_none() -> None:
    weights = np.full((4, 4), NAN)
    raw = changed((0, 1, NAN), (1, 0, NAN))
    found = weighed(raw, weights, unknown_pairs=(("Cyd", "Dot"),))
    assert found == [0, 1, 1, 1, 1, 0]
    assert weighed(raw, weights, without=("Bea",)) == [1, 1, 1]


def test_the_steps_say_what_was_chosen_in_the_order_in_which_it_acts() -> None:
    assert choices_in_words(Preparation()) == ()
    everything = Preparation(
        format="square",
        sheet="Data",
        metric="gower",
        scaling="range",
        columns=("Age", "Size"),
        without=("Ann",),
        unknown_pairs=(("Bea", "Cyd"),),
        conversion="square_root",
        asymmetry="average",
        negatives="shift",
        diagonal="zero",
        added=0.5,
    )
    assert choices_in_words(everything) == (
        "The file was read as square.",
        "The sheet Data was read.",
        "Dissimilarities were computed from measurements (Gower, scaled: by range).",
        "Only these measurements counted: Age, Size.",
        "Left out: Ann.",
        "Taken as unknown: Bea with Cyd.",
        "Dissimilarities were replaced by their roots.",
        "Both directions were averaged.",
        "All values were raised so that the lowest is zero.",
        "The diagonal was set to zero.",
        "0.5 was added to every dissimilarity.",
    )


@pytest.mark.parametrize(
    ("choices", "step"),
    [
        ({"sheet": "*"}, "Every sheet was read."),
        ({"metric": "euclidean"}, "Dissimilarities were computed from measurements (Euclidean)."),
        (
            {"metric": "mine", "scaling": "own"},
            "Dissimilarities were computed from measurements (mine, scaled: own).",
        ),
        (
            {"conversion": "from_max", "diagonal": "zero"},
            "Similarities became dissimilarities: largest minus each.",
        ),
        (
            {"conversion": "gaussian"},
            "Similarities became dissimilarities: width of a Gaussian (scale 1).",
        ),
        (
            {"conversion": "gaussian", "scale": 2.5},
            "Similarities became dissimilarities: width of a Gaussian (scale 2.5).",
        ),
    ],
)
def test_a_step_is_one_sentence(choices: dict[str, Any], step: str) -> None:
    assert choices_in_words(Preparation(**choices)) == (step,)


@pytest.mark.parametrize("how", ASYMMETRIES[1:])
def test_every_choice_of_direction_has_a_step(how: str) -> None:
    assert len(choices_in_words(Preparation(asymmetry=how))) == 1


def neighbours(order: np.ndarray, labels: tuple[str, ...]) -> set[frozenset[str]]:
    names = [labels[i] for i in order]
    return {frozenset(pair) for pair in pairwise(names)}


@pytest.mark.parametrize("n", [3, 20, 501])
def test_objects_on_a_line_are_ordered_along_it(n: int) -> None:
    random = np.random.default_rng(n)
    # Steps grow, so that no two ways to join the clusters are equally good.
    places = np.cumsum(np.linspace(1, 2, n))
    shuffled = random.permutation(n)
    distances = np.abs(np.subtract.outer(places[shuffled], places[shuffled]))
    order = ordered(Dissimilarities.from_square(1e300 * distances / distances.max()))
    along = shuffled[order]
    assert sorted(order.tolist()) == list(range(n))
    assert (np.diff(along) > 0).all() or (np.diff(along) < 0).all()


@pytest.mark.parametrize("n", [30, 510])
def test_gaps_are_filled_before_ordering(n: int) -> None:
    random = np.random.default_rng(0)
    places = random.permutation(n)
    distances = np.abs(np.subtract.outer(places, places)).astype(float)
    gaps = np.triu(random.random((n, n)) < 0.1, 1)
    distances[gaps | gaps.T] = NAN
    order = ordered(Dissimilarities.from_square(distances))
    assert sorted(order.tolist()) == list(range(n))
    # Filled gaps are rough, so a few objects may stand some places off.
    assert abs(np.corrcoef(places[order], np.arange(n))[0, 1]) > 0.9


def test_groups_are_kept_together_by_the_order() -> None:
    random = np.random.default_rng(4)
    group = random.integers(0, 3, 24)
    distances = np.where(group[:, None] == group, 1.0, 5.0) + random.random((24, 24))
    table = (distances + distances.T) * ~np.eye(24, dtype=bool)
    along = group[ordered(Dissimilarities.from_square(table))]
    assert (np.diff(along) != 0).sum() == 2


def test_the_order_of_the_file_does_not_change_who_are_neighbours() -> None:
    values = load_dataset("faces").values()
    turned = values.subset(values.labels[::-1])
    assert neighbours(ordered(values), values.labels) == neighbours(ordered(turned), turned.labels)


def test_the_average_of_two_directions_counts_each_by_its_weight() -> None:
    square = np.array([[0, 2, 5], [4, 0, 6], [5, 6, 0.0]])
    weights = np.array([[1, 1, 2], [9, 1, 0], [2, 0, 1.0]])
    raw = RawTable(("a", "b", "c"), square, "pairs", weights=weights)
    averaged = Preparation(asymmetry="average")
    assert prepared(raw, averaged).condensed.tolist() == pytest.approx([3.8, 5, 6])
    assert prepared(replace(raw, weights=None), averaged).condensed.tolist() == [3, 5, 6]
