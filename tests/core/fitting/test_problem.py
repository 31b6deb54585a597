"""The question put to a fit: what it accepts, how it weighs pairs, and what identifies it."""

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core import Dissimilarities, Feature, FeatureTable, Neighbourhood, Problem
from cml_core.errors import (
    AdjustedData,
    ConditionalMappingError,
    DisconnectedWeights,
    LabelMismatch,
    LengthMismatch,
    NothingObserved,
    ObjectWithoutPairs,
    TooManyDimensions,
    UnknownFeature,
    UnknownOption,
    UnsuitableWeights,
)
from cml_core.fitting.problem import condensed_weights
from cml_core.values.arrays import pair_count

LABELS = ("Ann", "Bea", "Cyd", "Dot", "Eve")
CONDENSED = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10])
OBJECTS = Dissimilarities(LABELS, CONDENSED)
AGE = Feature.numeric("Age", [1, 2, 3, 5, 8])
SEX = Feature.categorical("Sex", ["f", "m", "f", None, "m"])
PAIRS = [(a, b) for k, a in enumerate(LABELS) for b in LABELS[k + 1 :]]


def problem(*features: Feature, objects: Dissimilarities = OBJECTS, **options: Any) -> Problem:
    return Problem(objects, FeatureTable(objects.labels, features), **options)


def refused(make: Callable[[], object], kind: type[ConditionalMappingError]) -> Any:
    with pytest.raises(kind) as info:
        make()
    assert type(info.value) is kind
    return info.value


def without_pairs(*names: str) -> Dissimilarities:
    """Pairs written as initials, such as "AB", are missing."""
    gone = {frozenset(name) for name in names}
    gaps = [frozenset((a[0], b[0])) in gone for a, b in PAIRS]
    return Dissimilarities(LABELS, np.where(gaps, np.nan, CONDENSED))


def counting(*names: str) -> np.ndarray:
    """Weight 1 for these pairs and 0 for all others."""
    kept = {frozenset(name) for name in names}
    return np.array([float(frozenset((a[0], b[0])) in kept) for a, b in PAIRS])


def test_knowing_a_feature_is_another_problem() -> None:
    first = problem(AGE)
    second = first.knowing(SEX)
    assert second.known.names == ("Age", "Sex")
    assert second.without("Age").known.names == ("Sex",)
    assert first.known.names == ("Age",)
    older = first.knowing(AGE.with_values([2, 4, 6, 9, 9]))
    assert older.known["Age"].values.tolist() == [2, 4, 6, 9, 9]
    assert first.known["Age"].values.tolist() == [1, 2, 3, 5, 8]


def test_the_other_settings_stay_when_a_feature_becomes_known() -> None:
    settled = problem(
        n_components=1, coef="diagonal", weights="sammon", neighbourhood=Neighbourhood(3)
    )
    again = settled.knowing(AGE).without("Age")
    assert dataclasses.replace(again, known=settled.known).fingerprint() == settled.fingerprint()
    assert again.fingerprint() == settled.fingerprint()


def test_a_feature_of_other_objects_cannot_become_known() -> None:
    short = Feature.numeric("Height", [1, 2])
    assert "Height has 2 values" in refused(lambda: problem().knowing(short), LengthMismatch).fact
    refused(lambda: problem(AGE).without("Sex"), UnknownFeature)


@pytest.mark.parametrize("labels", [LABELS[::-1], LABELS[:4], (*LABELS[:4], "Fay")])
def test_features_of_other_objects_are_refused(labels: tuple[str, ...]) -> None:
    error = refused(lambda: Problem(OBJECTS, FeatureTable(labels)), LabelMismatch)
    assert "for_objects" in error.remedy


@pytest.mark.parametrize("count", [-1, 1.5, 2.0, "2", None, True, np.nan, [2]])
def test_hidden_dimensions_are_counted_in_whole_numbers(count: Any) -> None:
    error = refused(lambda: problem(n_components=count), UnknownOption)
    assert error.fact == f"n_components is {count!r}."


@pytest.mark.parametrize("coef", ["round", "", None, 1])
def test_an_unknown_coef_is_answered_with_those_there_are(coef: Any) -> None:
    error = refused(lambda: problem(coef=coef), UnknownOption)
    assert error.remedy == "Choose one of 'full', 'diagonal'."


@pytest.mark.parametrize(
    "known",
    [
        (),
        (AGE,),
        (SEX,),
        (AGE, SEX),
        (AGE, AGE.renamed("Age again")),
        (Feature.categorical("Name", (*LABELS[:4], None)),),
        (Feature.circular("Hour", [0, 5, 11, 17, 20], 24), AGE),
        (Feature.numeric("Constant", [7] * 5),),
    ],
    ids=lambda known: "+".join(feature.name for feature in known),
)
def test_the_most_dimensions_that_an_error_names_are_accepted(known: tuple[Feature, ...]) -> None:
    error = refused(lambda: problem(*known, n_components=5), TooManyDimensions)
    most = int(re.search(r"n_components=(\d+)", error.remedy)[1])  # type: ignore[index]
    assert ("beside" in error.fact) == (most < 4)
    assert problem(*known, n_components=most).n_components == most
    refused(lambda: problem(*known, n_components=most + 1), TooManyDimensions)


def test_known_features_may_explain_everything_when_nothing_is_hidden() -> None:
    names = Feature.categorical("Name", LABELS)
    assert problem(names, n_components=0).n_components == 0
    error = refused(lambda: problem(names, n_components=1), TooManyDimensions)
    assert "beside 4 known columns" in error.fact
    assert "n_components=0" in error.remedy


def test_every_pair_counts_once_unless_something_else_is_said() -> None:
    assert problem().pair_weights.size == 0
    weights = problem(objects=without_pairs("AB", "CE")).pair_weights
    # Eight of ten pairs share a total of ten; the division is exact.
    assert weights.tolist() == [0, 1.25, 1.25, 1.25, 1.25, 1.25, 1.25, 1.25, 0, 1.25]


def test_sammon_weights_are_one_over_the_dissimilarity() -> None:
    weights = problem(weights="sammon").pair_weights
    np.testing.assert_allclose(weights, (1 / CONDENSED) / (1 / CONDENSED).mean(), rtol=1e-14)
    gappy = problem(objects=without_pairs("AB"), weights="sammon").pair_weights
    assert gappy[0] == 0.0
    # Rounding only: ten numbers are added up.
    np.testing.assert_allclose(gappy[1:] * CONDENSED[1:], gappy[1] * CONDENSED[1], rtol=1e-14)
    assert gappy.mean() == pytest.approx(1, rel=1e-14)


def test_sammon_weights_of_geodesics_are_those_of_the_original() -> None:
    hop = Neighbourhood(2)
    geodesics = problem(weights="sammon", neighbourhood=hop)
    assert not np.array_equal(geodesics.targets.condensed, CONDENSED)
    np.testing.assert_array_equal(geodesics.pair_weights, problem(weights="sammon").pair_weights)
    gappy = problem(objects=without_pairs("AE"), weights="sammon", neighbourhood=hop)
    assert not gappy.targets.missing.any()
    # The gap has only its geodesic to go by.
    base = np.where(np.arange(10) == 3, gappy.targets.condensed, CONDENSED)
    np.testing.assert_allclose(gappy.pair_weights, (1 / base) / (1 / base).mean(), rtol=1e-14)


def test_zeros_weigh_as_much_as_the_smallest_positive_dissimilarity_and_this_is_said() -> None:
    zero = Dissimilarities(LABELS, [0, 0, *CONDENSED[2:]])
    weighted = problem(objects=zero, weights="sammon")
    assert weighted.pair_weights[0] == weighted.pair_weights[1] == weighted.pair_weights[2]
    (remark,) = weighted.remarks
    assert remark.category is AdjustedData
    assert remark.text.startswith("2 dissimilarities are zero")
    assert problem(objects=zero).remarks == ()


@pytest.mark.slow
@given(st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=10, max_size=10))
@settings(max_examples=60)
def test_given_weights_keep_their_proportions_and_have_mean_one(raw: list[float]) -> None:
    given_weights = np.array(raw) + 1e-3
    weights = problem(weights=given_weights).pair_weights
    assert weights.mean() == pytest.approx(1, rel=1e-12)  # ten numbers are added up
    np.testing.assert_allclose(weights, given_weights / given_weights.mean(), rtol=1e-12)


def test_weights_are_double_whatever_the_precision_of_the_dissimilarities() -> None:
    single = Dissimilarities(LABELS, CONDENSED.astype(np.float32))
    for weights in ("sammon", CONDENSED, CONDENSED.astype(np.float32)):
        assert problem(objects=single, weights=weights).pair_weights.dtype == np.float64


@pytest.mark.parametrize("value", [-1.0, -1e-300, np.nan, np.inf])
def test_a_weight_that_is_none_is_named_by_its_pair(value: float) -> None:
    weights = np.where(np.arange(10) == 5, value, 0.0)
    error = refused(lambda: problem(weights=weights), UnsuitableWeights)
    assert "Bea" in error.fact
    assert "Dot" in error.fact
    assert "0" in error.remedy


@pytest.mark.parametrize(
    "weights", [np.ones(9), np.ones((5, 5)), [], 3, ["a"] * 10, np.ones(10) * 1j, [None] * 10]
)
def test_weights_that_are_not_one_number_a_pair_are_refused(weights: Any) -> None:
    refused(lambda: problem(weights=weights), UnsuitableWeights)


def test_an_unknown_name_of_weights_is_answered_with_those_there_are() -> None:
    error = refused(lambda: problem(weights="samon"), UnknownOption)
    assert (error.fact, "'sammon'" in error.remedy) == ("weights is 'samon'.", True)


def test_weights_that_are_all_zero_are_refused() -> None:
    refused(lambda: problem(weights=np.zeros(10)).pair_weights, NothingObserved)
    only_a_gap = {"objects": without_pairs("AB"), "weights": counting("AB")}
    refused(lambda: problem(**only_a_gap).pair_weights, NothingObserved)


def test_objects_whose_pairs_do_not_count_are_named() -> None:
    no_eve = counting("AB", "AC", "AD", "BC", "BD", "CD")
    error = refused(lambda: problem(weights=no_eve).pair_weights, ObjectWithoutPairs)
    assert "Eve" in error.fact
    assert not any(name in error.fact for name in LABELS[:4])


@pytest.mark.parametrize(
    "make",
    [
        lambda: problem(weights=counting("AB", "BC", "AC", "DE")),
        lambda: problem(objects=without_pairs("AD", "AE", "BD", "BE", "CD", "CE")),
        lambda: problem(
            objects=without_pairs("AD", "AE"),
            weights=counting("AB", "BC", "AD", "AE", "DE"),
        ),
    ],
    ids=["by weights", "by gaps", "by both"],
)
def test_groups_never_compared_name_those_cut_off(make: Callable[[], Problem]) -> None:
    error = refused(lambda: make().pair_weights, DisconnectedWeights)
    assert "2 groups" in error.fact
    assert "Dot, Eve" in error.fact
    assert not any(name in error.fact for name in LABELS[:3])


def test_one_chain_of_pairs_is_connection_enough() -> None:
    chain = problem(weights=counting("AC", "CE", "EB", "BD")).pair_weights
    assert np.count_nonzero(chain) == 4


def test_a_square_table_of_weights_is_the_mean_of_both_directions() -> None:
    table = np.arange(25.0).reshape(5, 5)
    condensed = condensed_weights(table, OBJECTS)
    np.testing.assert_array_equal(condensed, ((table + table.T) / 2)[np.triu_indices(5, 1)])
    np.fill_diagonal(table, np.nan)
    np.testing.assert_array_equal(condensed_weights(table.tolist(), OBJECTS), condensed)


@pytest.mark.parametrize("dtype", ["float64", "Float64", "int64", "Int64", object])
def test_a_labelled_table_of_weights_is_joined_by_label(dtype: Any) -> None:
    square = OBJECTS.to_frame().astype(dtype)
    shuffled = square.loc[["Cyd", "Ann", "Eve", "Bea", "Dot"], ["Eve", "Dot", "Cyd", "Bea", "Ann"]]
    np.testing.assert_array_equal(condensed_weights(shuffled, OBJECTS), CONDENSED)


def test_a_table_of_weights_with_named_columns_alone_is_joined_by_them() -> None:
    square = OBJECTS.to_frame()
    turned = square.loc[LABELS[::-1], LABELS[::-1]].reset_index(drop=True)
    np.testing.assert_array_equal(condensed_weights(turned, OBJECTS), CONDENSED)


def test_weights_of_other_objects_are_refused() -> None:
    square = OBJECTS.to_frame()
    for other in (square.rename(index={"Eve": "Fay"}), square.rename(columns={"Eve": "Fay"})):
        error = refused(lambda other=other: condensed_weights(other, OBJECTS), LabelMismatch)
        assert "Ann" in error.remedy


@pytest.mark.parametrize("weights", [np.ones((4, 4)), np.ones((2, 2, 2)), [["a"]], [[1, 2], [1]]])
def test_tables_that_are_no_weights_are_refused(weights: Any) -> None:
    refused(lambda: condensed_weights(weights, OBJECTS), UnsuitableWeights)


def test_a_single_number_is_no_table_of_weights() -> None:
    error = refused(lambda: condensed_weights(3.0, OBJECTS), UnsuitableWeights)
    assert "are  for" not in error.fact


def test_weights_that_need_no_condensing_pass_as_they_are() -> None:
    assert condensed_weights(CONDENSED.tolist(), OBJECTS).tolist() == CONDENSED.tolist()  # type: ignore[union-attr]
    assert condensed_weights(None, OBJECTS) is None
    assert condensed_weights("sammon", OBJECTS) == "sammon"


BUMPED = np.where(np.arange(10) == 9, np.nextafter(CONDENSED, 11), CONDENSED)


def asked(*features: Feature, **options: Any) -> Problem:
    return problem(*features, **{"n_components": 1, **options})


DIFFERENT: dict[str, Callable[[], Problem]] = {
    "as it is": lambda: asked(AGE, SEX),
    "one bit of a dissimilarity": lambda: asked(AGE, SEX, objects=Dissimilarities(LABELS, BUMPED)),
    "a gap": lambda: asked(AGE, SEX, objects=without_pairs("AB")),
    "single precision": lambda: asked(
        AGE, SEX, objects=Dissimilarities(LABELS, CONDENSED.astype(np.float32))
    ),
    "a label": lambda: asked(AGE, SEX, objects=Dissimilarities((*LABELS[:4], "eve"), CONDENSED)),
    "one feature less": lambda: asked(AGE),
    "the order of features": lambda: asked(SEX, AGE),
    "one bit of a feature": lambda: asked(AGE.with_values([1, 2, 3, 5, np.nextafter(8, 9)]), SEX),
    "a gap in a feature": lambda: asked(AGE.with_values([1, 2, 3, 5, np.nan]), SEX),
    "the name of a feature": lambda: asked(AGE.renamed("age"), SEX),
    "the kind of a feature": lambda: asked(Feature.circular("Age", AGE.values), SEX),
    "a period": lambda: asked(Feature.circular("Age", AGE.values, 24), SEX),
    "an origin": lambda: asked(dataclasses.replace(AGE, origin="arrow"), SEX),
    "a level": lambda: asked(AGE, dataclasses.replace(SEX, levels=("f", "M"))),
    "an unused level": lambda: asked(AGE, dataclasses.replace(SEX, levels=("f", "m", "x"))),
    "an order of levels": lambda: asked(AGE, dataclasses.replace(SEX, kind="ordinal")),
    "hidden dimensions": lambda: asked(AGE, SEX, n_components=0),
    "coef": lambda: asked(AGE, SEX, coef="diagonal"),
    "sammon": lambda: asked(AGE, SEX, weights="sammon"),
    "weights": lambda: asked(AGE, SEX, weights=CONDENSED),
    "one bit of a weight": lambda: asked(AGE, SEX, weights=BUMPED),
    "equal weights": lambda: asked(AGE, SEX, weights=np.ones(10)),
    "k": lambda: asked(AGE, SEX, neighbourhood=Neighbourhood(3)),
    "another k": lambda: asked(AGE, SEX, neighbourhood=Neighbourhood(4)),
    "mutual k": lambda: asked(AGE, SEX, neighbourhood=Neighbourhood(4, mutual=True)),
    "epsilon": lambda: asked(AGE, SEX, neighbourhood=Neighbourhood(epsilon=5.0)),
    "one bit of epsilon": lambda: asked(
        AGE, SEX, neighbourhood=Neighbourhood(epsilon=np.nextafter(5.0, 6))
    ),
}


def test_a_fingerprint_changes_with_every_byte_of_the_question() -> None:
    prints = {name: make().fingerprint() for name, make in DIFFERENT.items()}
    twins = [name for name, mark in prints.items() if list(prints.values()).count(mark) > 1]
    assert twins == []
    assert all(re.fullmatch("[0-9a-f]{64}", mark) for mark in prints.values())


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_fingerprint_does_not_change_by_copying_or_computing(name: str) -> None:
    original = DIFFERENT[name]()
    mark = original.fingerprint()
    original.targets, original.pair_weights, original.remarks, original.encoding  # noqa: B018
    twins = [original, DIFFERENT[name](), pickle.loads(pickle.dumps(original))]
    assert {twin.fingerprint() for twin in [*twins, copy.deepcopy(original)]} == {mark}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"n_components": 2}, {"n_components": np.int64(2)}),
        ({"coef": "full"}, {"coef": np.str_("full")}),
        ({"weights": "sammon"}, {"weights": np.str_("sammon")}),
        ({"weights": [1] * 10}, {"weights": np.ones(20)[::2]}),
        ({"neighbourhood": Neighbourhood(3)}, {"neighbourhood": Neighbourhood(np.int64(3))}),
        (
            {"neighbourhood": Neighbourhood(epsilon=5)},
            {"neighbourhood": Neighbourhood(epsilon=np.float64(5))},
        ),
    ],
    ids=["n_components", "coef", "sammon", "weights", "k", "epsilon"],
)
def test_the_same_question_in_other_types_has_the_same_fingerprint(one: Any, other: Any) -> None:
    assert problem(AGE, **one).fingerprint() == problem(AGE, **other).fingerprint()


def test_the_same_feature_in_other_types_has_the_same_fingerprint() -> None:
    plain = problem(Feature.circular("Hour", [1, 2, 3, 4, 5], 24))
    other = problem(Feature("Hour", "circular", np.arange(1, 6), period=np.float64(24)))
    assert plain.fingerprint() == other.fingerprint()


def test_changing_the_array_that_weights_came_in_changes_nothing() -> None:
    mine = CONDENSED.copy()
    kept = problem(weights=mine)
    mine[0] = 99.0
    assert kept.fingerprint() == problem(weights=CONDENSED).fingerprint()
    assert kept.pair_weights[0] < 1


def test_targets_are_the_dissimilarities_themselves_or_their_geodesics() -> None:
    assert problem().targets is OBJECTS
    within_all = problem(neighbourhood=Neighbourhood(epsilon=10.0)).targets
    assert within_all.labels == LABELS
    assert (within_all.condensed <= CONDENSED).all()


@pytest.mark.parametrize("n", [3, 4])
def test_the_smallest_problems_can_be_asked(n: int) -> None:
    few = Dissimilarities(LABELS[:n], np.ones(pair_count(n)))
    assert problem(objects=few, n_components=n - 1).n_components == n - 1


def test_the_repr_says_what_is_known_and_what_is_hidden() -> None:
    assert repr(problem(AGE, SEX)) == "Problem(5 objects, Age, Sex known, 2 hidden dimensions)"
    assert repr(problem()) == "Problem(5 objects, nothing known, 2 hidden dimensions)"
