"""Similarities become dissimilarities: formulas, their domains, and what is recognised."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import pdist, squareform

from cml_core.datasets import dataset_names, load_dataset
from cml_core.errors import (
    ConditionalMappingError,
    InfiniteDissimilarities,
    UnknownOption,
    UnsuitableConversion,
)
from cml_core.files.doctor import CONVERSIONS, recognised
from cml_core.files.doctor.conversions import converted, refused, suiting
from cml_core.files.reading.raw import RawTable

NAN = np.nan
NAMES = ("Ann", "Bea", "Cyd", "Dot")
# Similarities of four people, 1 with themselves.
ALIKE = np.array(
    [[1.0, 0.8, 0.5, 0.1], [0.8, 1.0, 0.4, 0.2], [0.5, 0.4, 1.0, 0.3], [0.1, 0.2, 0.3, 1.0]]
)
# Letters shown (rows) and answered (columns), one in ten taken for the next.
CONFUSED = np.array([[80.0, 10, 5, 5], [20, 70, 5, 5], [4, 6, 80, 10], [5, 5, 15, 75]])
TWINS = np.array(
    [
        [40.0, 52, 3, 2, 2, 1], [54, 37, 2, 4, 2, 1], [3, 2, 80, 8, 4, 3],
        [2, 4, 8, 80, 4, 2], [2, 1, 3, 4, 80, 10], [1, 2, 3, 4, 10, 80],
    ]
)  # fmt: skip
# Articles that mention each of four words, and two of them together.
TOGETHER = np.array([[100.0, 30, 10, 1], [30, 64, 8, 0], [10, 8, 25, 2], [1, 0, 2, 4]])
POINTWISE = [
    "none",
    "from_max",
    "one_minus",
    "root_one_minus",
    "chord",
    "reciprocal",
    "minus_log",
    "gaussian",
]


def after(key: str, values: Any, scale: float = 0.0) -> np.ndarray:
    table = np.asarray(values, dtype=float)
    return converted(table, tuple(f"o{i}" for i in range(len(table))), key, scale)


def raw(values: Any, labels: tuple[str, ...] = ()) -> RawTable:
    table = np.asarray(values, dtype=float)
    return RawTable(labels or tuple(f"o{i}" for i in range(len(table))), table, "square")


def refusal(key: str, values: Any, scale: float = 0.0) -> ConditionalMappingError:
    with pytest.raises(UnsuitableConversion) as info:
        converted(np.asarray(values, dtype=float), NAMES, key, scale)
    return info.value


def without_diagonal(values: np.ndarray) -> np.ndarray:
    return np.where(np.eye(len(values), dtype=bool), NAN, values)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("none", ALIKE),
        ("from_max", 1 - ALIKE),
        ("one_minus", 1 - ALIKE),
        ("one_minus_absolute", 1 - ALIKE),
        ("root_one_minus", np.sqrt(1 - ALIKE)),
        ("chord", np.sqrt(2 - 2 * ALIKE)),
        ("minus_log", -np.log(ALIKE)),
        ("gaussian", np.sqrt(-2 * np.log(ALIKE))),
        ("square_root", np.sqrt(ALIKE)),
    ],
)
def test_a_conversion_is_its_formula(key: str, expected: np.ndarray) -> None:
    np.testing.assert_allclose(after(key, ALIKE), expected, rtol=1e-15)


def test_one_over_each_says_nothing_of_an_object_with_itself() -> None:
    np.testing.assert_allclose(after("reciprocal", ALIKE), without_diagonal(1 / ALIKE))


def test_a_gaussian_of_given_width_turns_distances_into_similarities_and_back() -> None:
    distances = squareform(pdist(np.random.default_rng(0).normal(size=(6, 2))))
    similarities = np.exp(-(distances**2) / (2 * 0.7**2))
    # Logarithms of numbers near one keep about eight digits of a small distance.
    np.testing.assert_allclose(after("gaussian", similarities, 0.7), distances, atol=1e-7)


def test_opposite_correlations_are_alike_where_the_sign_is_arbitrary() -> None:
    np.testing.assert_allclose(after("one_minus_absolute", -ALIKE), 1 - ALIKE)


def test_chords_of_correlations_are_distances_of_standardised_variables() -> None:
    variables = np.random.default_rng(1).normal(size=(5, 40))
    centred = variables - variables.mean(axis=1, keepdims=True)
    unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    found = after("chord", np.corrcoef(variables))
    np.testing.assert_allclose(found, squareform(pdist(unit)), atol=1e-7)


def test_ranks_begin_with_the_most_similar_pair_and_ties_share_their_mean() -> None:
    table = [[9, 5, 3, 3], [5, 9, 1, 8], [3, 1, 9, 3], [3, 8, 3, 9]]
    expected = [[0, 2, 4, 4], [2, 0, 6, 1], [4, 6, 0, 4], [4, 1, 4, 0]]
    np.testing.assert_array_equal(
        after("ranks", table), without_diagonal(np.array(expected, float))
    )


def test_ranks_of_a_triangle_are_those_of_the_whole_table() -> None:
    whole = after("ranks", ALIKE)
    half = after("ranks", np.where(np.triu(np.ones((4, 4)), 1) > 0, ALIKE, NAN))
    np.testing.assert_array_equal(half, whole)


def test_counts_together_are_taken_relative_to_the_diagonal() -> None:
    found = after("cooccurrence", TOGETHER)
    assert found[0, 1] == pytest.approx(1 - 30 / (10 * 8))
    assert found[2, 3] == pytest.approx(1 - 2 / (5 * 2))
    assert found[1, 3] == 1.0


@pytest.mark.parametrize("diagonal", [0.0, NAN])
def test_without_a_diagonal_counts_are_relative_to_an_objects_sum(diagonal: float) -> None:
    counts = TOGETHER.copy()
    np.fill_diagonal(counts, diagonal)
    # Sums are 41, 38, 20 and 3.
    assert after("cooccurrence", counts)[0, 1] == pytest.approx(1 - 30 / np.sqrt(41 * 38))
    strength = after("association", counts)
    assert 1 - strength[0, 2] == pytest.approx(
        (10 / (41 * 20)) / (30 / (41 * 38)) * (1 - strength[0, 1])
    )


def test_the_association_strength_of_independent_things_does_not_depend_on_frequency() -> None:
    """Van Eck and Waltman (2009): c = n n' / m gives the same strength to every pair."""
    occurrences = np.array([10.0, 40, 200, 1000])
    counts = np.outer(occurrences, occurrences) / 1e5
    np.fill_diagonal(counts, occurrences)
    found = after("association", counts)
    assert np.nanmax(found) == pytest.approx(0, abs=1e-12)


def test_confusions_are_the_similarity_choice_models_distances() -> None:
    """Luce (1963): p_ij = b_j exp(-d_ij) / sum over k of b_k exp(-d_ik), whatever the bias b."""
    random = np.random.default_rng(2)
    distances = squareform(pdist(random.normal(size=(5, 2))))
    answers = random.uniform(0.2, 1, 5) * np.exp(-distances)
    shares = answers / answers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(after("confusion", shares), distances, atol=1e-12)


def test_confusions_are_symmetric_and_do_not_depend_on_how_often_each_was_shown() -> None:
    found = after("confusion", CONFUSED)
    np.testing.assert_allclose(found, found.T, rtol=1e-14)
    assert found[0, 1] == pytest.approx(-np.log(np.sqrt(10 * 20 / (80 * 70))))
    shown = np.array([[1.0], [2], [5], [0.1]])
    np.testing.assert_allclose(after("confusion", CONFUSED * shown), found, atol=1e-12)


def test_confusions_that_never_happened_are_refused_until_something_is_added() -> None:
    counts = CONFUSED.copy()
    counts[1, 3] = 0
    error = refusal("confusion", counts)
    assert "Bea with Dot is 0" in error.fact
    # Half of the smallest count that is not zero.
    assert error.remedy == "Add 2 to every entry, or take such pairs as unknown."
    assert refused(counts, NAMES, "confusion").added == 2.0
    found = after("confusion", counts, 2.0)
    assert found[1, 3] == pytest.approx(-0.5 * np.log(2 * 7 / (72 * 77)))


@pytest.mark.parametrize(
    ("key", "place", "value"),
    [
        ("one_minus", (0, 2), 1.5),
        ("one_minus_absolute", (0, 2), -1.5),
        ("root_one_minus", (0, 2), 2),
        ("chord", (0, 2), 2),
        ("reciprocal", (0, 2), 0),
        ("reciprocal", (0, 2), -1),
        ("reciprocal", (0, 2), 1e-320),
        ("minus_log", (0, 2), 0),
        ("minus_log", (0, 2), 1.1),
        ("gaussian", (0, 2), -0.1),
        ("square_root", (0, 2), -4),
        ("cooccurrence", (0, 2), -1),
        ("cooccurrence", (0, 2), 3),
        ("association", (0, 2), -1),
        ("confusion", (0, 2), -1),
        ("confusion", (0, 2), 0),
    ],
)
def test_a_value_outside_the_domain_is_named_with_its_pair(
    key: str, place: tuple[int, int], value: float
) -> None:
    table = ALIKE.copy()
    table[place] = value
    error = refusal(key, table)
    assert error.fact.startswith(f"The value of Ann with Cyd is {value:.6g}")
    assert error.remedy.endswith(".")
    assert refused(table, NAMES, key).pairs == (("Ann", "Cyd"),)


def test_a_table_inside_the_domain_has_no_pair_outside() -> None:
    assert all(refused(ALIKE, NAMES, key).pairs == () for key in CONVERSIONS)
    assert suiting(ALIKE) == tuple(CONVERSIONS)


@pytest.mark.parametrize("wrong", [0.0, NAN, -1.0])
def test_confusions_need_every_object_to_be_recognised_sometimes(wrong: float) -> None:
    counts = CONFUSED.copy()
    counts[2, 2] = wrong
    assert "Cyd" in refusal("confusion", counts).fact
    assert refused(counts, NAMES, "confusion").pairs == ()
    assert "confusion" not in suiting(counts)


def test_confusions_need_both_directions() -> None:
    counts = np.where(np.tril(np.ones((4, 4)), -1) > 0, NAN, CONFUSED)
    assert "Ann with Bea is 10" in refusal("confusion", counts).fact


@pytest.mark.slow
@given(arrays(np.float64, (4, 4), elements=st.floats(-3, 3) | st.sampled_from([0.0, 1.0, NAN])))
def test_a_conversion_that_does_not_suit_fails(values: np.ndarray) -> None:
    for key in set(CONVERSIONS) - set(suiting(values)):
        refusal(key, values)


@pytest.mark.parametrize("key", ["cooccurrence", "association"])
def test_an_object_that_never_occurs_is_named(key: str) -> None:
    counts = TOGETHER.copy()
    counts[3, 3] = 0
    assert "Dot never occurs" in refusal(key, counts).fact


@pytest.mark.parametrize("key", CONVERSIONS)
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_refused_by_every_conversion(key: str, value: float) -> None:
    table = ALIKE.copy()
    table[1, 3] = value
    with pytest.raises(InfiniteDissimilarities, match="Bea with Dot"):
        converted(table, NAMES, key)


def test_an_unknown_conversion_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownOption, match="minus_log"):
        converted(ALIKE, NAMES, "inverse")


@pytest.mark.parametrize("key", CONVERSIONS)
def test_every_conversion_says_what_it_is_for(key: str) -> None:
    conversion = CONVERSIONS[key]
    assert conversion.key == key
    assert conversion.title[0].isupper()
    assert conversion.formula.startswith("d = ")
    assert conversion.about.endswith(".")


@pytest.mark.parametrize("key", CONVERSIONS)
def test_pairs_that_are_not_known_stay_unknown(key: str) -> None:
    table = ALIKE.copy()
    table[0, 3] = table[3, 0] = NAN
    missing = np.isnan(after(key, table))
    assert missing[0, 3]
    assert missing[3, 0]
    assert not np.triu(missing, 1)[:3, :3].any()


@given(arrays(np.float64, (5, 5), elements=st.floats(0.01, 1)))
def test_more_similar_is_never_more_dissimilar(values: np.ndarray) -> None:
    similar = np.triu(values, 1) + np.triu(values, 1).T + np.eye(5)
    upper = np.triu_indices(5, 1)
    order = np.argsort(similar[upper], kind="stable")
    for key in (*POINTWISE[1:], "ranks"):
        falling = after(key, similar)[upper][order]
        assert (np.diff(falling) <= 0).all(), key


@pytest.mark.slow
@given(arrays(np.float64, (5, 5), elements=st.floats(0.01, 1)), st.permutations(range(5)))
def test_every_conversion_commutes_with_the_order_of_the_objects(
    values: np.ndarray, order: list[int]
) -> None:
    values = values + np.eye(5)
    turn = np.ix_(order, order)
    for key in CONVERSIONS:
        try:
            found = after(key, values)
        except UnsuitableConversion:
            with pytest.raises(UnsuitableConversion):
                after(key, values[turn])
        else:
            # Sums are taken in another order.
            np.testing.assert_allclose(
                after(key, values[turn]), found[turn], rtol=1e-12, atol=1e-12
            )


@given(st.data())
def test_any_table_is_converted_or_refused_without_a_known_pair_getting_lost(
    data: st.DataObject,
) -> None:
    numbers = st.floats(allow_nan=True, allow_infinity=True) | st.sampled_from([0.0, 1.0, 5e-324])
    table = data.draw(arrays(np.float64, (4, 4), elements=numbers))
    key = data.draw(st.sampled_from(list(CONVERSIONS)))
    try:
        found = converted(table, NAMES, key)
    except ConditionalMappingError:
        return
    known = ~np.isnan(table) & ~np.eye(4, dtype=bool)
    assert np.isfinite(found[known]).all()


def test_the_error_of_a_conversion_survives_pickling_and_copying() -> None:
    error = refusal("minus_log", ALIKE - 0.1)
    for twin in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (type(twin), str(twin)) == (type(error), str(error))


@pytest.mark.parametrize("name", [name for name in dataset_names() if name != "ekman"])
def test_published_dissimilarities_are_recognised(name: str) -> None:
    table = load_dataset(name).dissimilarities
    seems = recognised(raw(table.to_numpy()))
    assert (seems.kind, seems.conversion) == ("dissimilarities", "none")


def test_ekmans_similarities_are_recognised_though_their_diagonal_is_zero() -> None:
    seems = recognised(raw(load_dataset("ekman").raw.to_numpy()))
    assert (seems.kind, seems.conversion, seems.certain) == ("similarities", "one_minus", True)
    assert "alike" in seems.why


@pytest.mark.parametrize(
    ("values", "kind", "conversion"),
    [
        (np.where(ALIKE == 0.1, -0.1, ALIKE), "correlations", "root_one_minus"),
        (ALIKE, "similarities", "one_minus"),
        (7.5 * ALIKE, "similarities", "from_max"),
        (TOGETHER, "counts", "cooccurrence"),
        (CONFUSED, "confusion", "confusion"),
        (CONFUSED / 100, "confusion", "confusion"),
        (np.where(CONFUSED == 80, 99, CONFUSED), "confusion", "confusion"),
        # Twins are taken for each other more often than recognised; all were shown equally often.
        (TWINS, "confusion", "confusion"),
        (np.where(TWINS == 80, 40, TWINS), "counts", "cooccurrence"),
        (1 - ALIKE, "dissimilarities", "none"),
        (np.full((4, 4), NAN), "dissimilarities", "none"),
        (np.zeros((4, 4)), "dissimilarities", "none"),
        (np.ones((2, 2)), "dissimilarities", "none"),
    ],
)
def test_a_table_is_recognised_by_its_diagonal(
    values: np.ndarray, kind: str, conversion: str
) -> None:
    seems = recognised(raw(values))
    assert (seems.kind, seems.conversion) == (kind, conversion)
    assert seems.why.endswith(".")


def test_similarities_without_a_diagonal_are_recognised_by_their_pattern() -> None:
    distances = squareform(pdist(np.random.default_rng(3).normal(size=(20, 2))))
    counts = np.round(50 * np.exp(-distances))
    for values, kind, conversion in (
        (np.exp(-distances), "similarities", "one_minus"),
        (-distances, "similarities", "from_max"),
        (counts, "counts", "cooccurrence"),
        (distances, "dissimilarities", "none"),
    ):
        half = np.where(np.tril(np.ones((20, 20)), -1) > 0, values, NAN)
        seems = recognised(raw(half))
        assert (seems.kind, seems.conversion) == (kind, conversion)


def test_of_numbers_drawn_at_random_it_is_asked_what_they_are() -> None:
    certain = 0
    for seed in range(100):
        numbers = np.random.default_rng(seed).uniform(size=(9, 9))
        certain += recognised(raw(without_diagonal(numbers + numbers.T))).certain
    assert certain == 0


@given(arrays(np.float64, (9, 9), elements=st.floats(allow_nan=True, allow_infinity=True)))
def test_whatever_a_table_holds_something_is_recognised(values: np.ndarray) -> None:
    seems = recognised(raw(values))
    assert seems.conversion in CONVERSIONS
