"""One shape for every error: what is wrong and where, then how to mend it."""

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from cml_core import (
    Dissimilarities,
    Feature,
    FeatureTable,
    Measurements,
    Neighbourhood,
    Problem,
    fit,
)
from cml_core import errors as module
from cml_core.datasets import load_dataset
from cml_core.errors import ConditionalMappingError, UnknownOption, check_option, listing
from cml_core.files.doctor.conversions import converted
from cml_core.files.reading import read_features
from cml_core.fitting.geodesics import geodesic_dissimilarities
from cml_core.fitting.geometry import canonical_correlations

NAMES = ("Ann", "Bea", "Cyd", "Dot")
TABLE = np.array([[0.0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]])
SIX = tuple("abcdef")


def square(*cells: tuple[int, int, float]) -> Dissimilarities:
    table = TABLE.copy()
    for row, column, value in cells:
        table[row, column] = value
    return Dissimilarities.from_square(table, NAMES)


def problem(*features: Feature, **options: object) -> Problem:
    return Problem(square(), FeatureTable(NAMES, features), **options)  # type: ignore[arg-type]


def two_islands() -> Dissimilarities:
    """a, b, c and d, e, f, never compared with each other."""
    table = np.full((6, 6), np.nan)
    table[:3, :3] = table[3:, 3:] = 1.0
    np.fill_diagonal(table, 0.0)
    return Dissimilarities.from_square(table, SIX)


def two_clusters() -> Dissimilarities:
    places = np.array([0.0, 1, 2, 10, 11, 12])
    return Dissimilarities.from_square(np.abs(np.subtract.outer(places, places)), SIX)


CAUSES: dict[str, Callable[[], object]] = {
    "NotSquare": lambda: Dissimilarities.of(TABLE[:3]),
    "NotNumeric": lambda: Dissimilarities.of(np.where(TABLE == 4, "four", TABLE.astype(str))),
    "AsymmetricDissimilarities": lambda: square((0, 1, 9)),
    "NegativeDissimilarities": lambda: square((0, 1, -1), (1, 0, -1)),
    "InfiniteDissimilarities": lambda: square((0, 1, np.inf), (1, 0, np.inf)),
    "NonzeroDiagonal": lambda: square((2, 2, 1)),
    "NothingObserved": lambda: Dissimilarities.of([np.nan] * 3),
    "NothingToExplain": lambda: Dissimilarities.of(np.zeros((3, 3))),
    "ObjectWithoutPairs": lambda: Dissimilarities.of([np.nan, np.nan, 1.0]),
    "DisconnectedWeights": lambda: Problem(two_islands(), FeatureTable(SIX)).pair_weights,
    "DisconnectedNeighbourhood": lambda: geodesic_dissimilarities(two_clusters(), Neighbourhood(1)),
    "LengthMismatch": lambda: Dissimilarities.of(TABLE, ["Ann", "Bea"]),
    "LabelMismatch": lambda: Problem(square(), FeatureTable(NAMES[::-1])),
    "DuplicateLabels": lambda: Dissimilarities.of(TABLE, ["Ann", "Ann", "Cyd", "Dot"]),
    "TooFewObjects": lambda: Dissimilarities.of(TABLE[:2, :2]),
    "TooManyDimensions": lambda: problem(n_components=4),
    "UnknownOption": lambda: problem(coef="round"),
    "UnsuitableWeights": lambda: problem(weights=np.full(6, -1.0)),
    "UnsuitableCoefficients": lambda: problem(coef=np.eye(2)),
    "UnsuitableConversion": lambda: converted(TABLE, NAMES, "minus_log"),
    "UnsuitableFeature": lambda: Feature.numeric("Age", [1, np.inf, 3]),
    "UnsuitableMeasurements": lambda: Measurements([[1.0, 2.0], [3.0]]),
    "UnsuitableStart": lambda: fit(problem(), init=(np.zeros((4, 2)), np.zeros((0, 0)))),
    "UnreadableFile": lambda: read_features(b""),
    "UnknownFeature": lambda: problem().without("Age"),
    "UnknownDataset": lambda: load_dataset("kinshp"),
    "DegenerateComparison": lambda: canonical_correlations(np.ones((4, 1)), TABLE),
}


def caught(cause: Callable[[], object]) -> ConditionalMappingError:
    with pytest.raises(ConditionalMappingError) as info:
        cause()
    return info.value


# A limit that the app sets; the core knows none.
OF_THE_APP = {"TooManyObjects"}
KINDS = [kind for kind in vars(module).values() if isinstance(kind, type)]


def test_every_error_class_has_a_cause_here() -> None:
    errors = [kind for kind in KINDS if issubclass(kind, ConditionalMappingError)]
    assert {*CAUSES, *OF_THE_APP, "ConditionalMappingError"} == {kind.__name__ for kind in errors}


def test_every_error_and_warning_class_says_what_it_stands_for() -> None:
    kinds = [kind for kind in KINDS if issubclass(kind, Exception)]
    assert len(kinds) >= len(CAUSES) + 3
    assert all(kind.__doc__ and kind.__doc__.strip().endswith(".") for kind in kinds)


@pytest.mark.parametrize("name", CAUSES)
def test_each_bad_input_raises_its_own_class(name: str) -> None:
    assert type(caught(CAUSES[name])).__name__ == name


@pytest.mark.parametrize("name", CAUSES)
def test_every_error_states_a_fact_and_a_remedy_in_sentences(name: str) -> None:
    error = caught(CAUSES[name])
    for sentence in (error.fact, error.remedy):
        assert sentence.endswith(".")
        assert len(sentence.split()) >= 3
        # A value shown must look as people write it, not as Python holds it.
        assert not any(inside in sentence for inside in ("np.", "array(", "dtype", "<class"))
    assert error.fact != error.remedy
    assert str(error) == f"{error.fact} {error.remedy}"


@pytest.mark.parametrize("name", CAUSES)
def test_an_error_survives_pickling_and_copying(name: str) -> None:
    error = caught(CAUSES[name])
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is type(error)
        assert (twin.fact, twin.remedy, str(twin)) == (error.fact, error.remedy, str(error))


@pytest.mark.parametrize("name", CAUSES)
def test_an_error_holds_nothing_that_holds_the_error(name: str) -> None:
    error = caught(CAUSES[name])
    behind = error.__context__
    while behind is not None:
        assert not any(held is error for held in behind.args)
        behind = behind.__context__


def test_callers_that_expect_a_value_error_get_one() -> None:
    assert issubclass(ConditionalMappingError, ValueError)


@pytest.mark.parametrize("value", ["round", "FULL", "", None, 3, ["full"], np.array(["full"])])
def test_an_unknown_option_names_the_parameter_the_value_and_what_is_allowed(value: object) -> None:
    with pytest.raises(UnknownOption) as info:
        check_option("coef", value, ("full", "diagonal"))
    assert info.value.fact == f"coef is {value!r}."
    assert "'full'" in info.value.remedy
    assert "'diagonal'" in info.value.remedy


@pytest.mark.parametrize("value", ["full", "diagonal", np.str_("full")])
def test_an_allowed_option_passes(value: str) -> None:
    check_option("coef", value, ("full", "diagonal"))


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ((), ""),
        (("a",), "a"),
        (("a", "b", "c"), "a, b, c"),
        (("a", "b", "c", "d"), "a, b, c and 1 more"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
        (["a"] * 1200, "a, a, a and 1,197 more"),
    ],
)
def test_a_listing_shows_the_first_names_and_counts_the_rest(
    names: tuple[str, ...], sentence: str
) -> None:
    assert listing(names, most=3) == sentence


def test_an_asymmetric_table_names_its_worst_pair_and_counts_the_others() -> None:
    error = caught(lambda: square((0, 1, 1.5), (3, 1, 10), (3, 0, 4)))
    assert error.fact == "d(Bea, Dot) is 5 but d(Dot, Bea) is 10; 3 pairs differ."
    single = caught(lambda: square((2, 1, 9)))
    assert single.fact.endswith("1 pair differs.")
    assert "average" in single.remedy


def test_gaps_do_not_hide_an_asymmetry() -> None:
    error = caught(lambda: square((0, 1, np.nan), (3, 2, np.nan), (2, 1, 9)))
    assert type(error).__name__ == "AsymmetricDissimilarities"
    assert error.fact.endswith("1 pair differs.")


def test_the_lowest_of_the_negative_dissimilarities_is_named_and_all_are_counted() -> None:
    error = caught(lambda: square((0, 1, -1), (1, 0, -1), (2, 3, -7), (3, 2, -7)))
    assert error.fact == "d(Cyd, Dot) is -7; 2 pairs are below zero."
    assert "similarities" in error.remedy
    assert "1 pair is" in caught(lambda: Dissimilarities.of([1, -2, 3])).fact


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("mirrored", [None, np.nan, 5.0])
def test_an_infinite_dissimilarity_is_named(value: float, mirrored: float | None) -> None:
    error = caught(lambda: square((1, 3, value), (3, 1, value if mirrored is None else mirrored)))
    assert type(error).__name__ == "InfiniteDissimilarities"
    assert error.fact == f"d(Bea, Dot) is {value}."
    assert "empty" in error.remedy


@pytest.mark.parametrize("value", [1.0, -1.0, np.inf])
def test_an_object_unlike_itself_is_named(value: float) -> None:
    error = caught(lambda: square((2, 2, value)))
    assert type(error).__name__ == "NonzeroDiagonal"
    assert error.fact.startswith(f"d(Cyd, Cyd) is {value:g}; 1 of 4 ")


@pytest.mark.parametrize("table", [np.eye(4), 1 - TABLE / 10, np.where(np.eye(4), 1, np.nan)])
def test_a_table_of_similarities_is_recognised_by_its_diagonal(table: np.ndarray) -> None:
    error = caught(lambda: Dissimilarities.of(table))
    assert type(error).__name__ == "NonzeroDiagonal"
    assert "4 of 4" in error.fact
    assert "similarities" in error.remedy


def test_objects_without_any_pair_are_named() -> None:
    gaps = [(2, k, np.nan) for k in range(4)] + [(k, 2, np.nan) for k in range(4)]
    error = caught(lambda: square(*gaps))
    assert type(error).__name__ == "ObjectWithoutPairs"
    assert "for Cyd." in error.fact
