"""What a person is told about the known features before a fit."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core import Dissimilarities, Feature, FeatureTable, Problem
from cml_core.errors import AdjustedData, RedundantFeatures
from cml_core.fitting.remarks import Remark, rank_of, redundant_features

LABELS = tuple("abcdef")
AGE = Feature.numeric("Age", [1, 2, 3, 5, 8, 13])
SIZE = Feature.numeric("Size", [4, 1, 1, 2, 9, 0])
TEAM = Feature.categorical("Team", ["x", "x", "y", "y", "z", "z"])
# Ranks of the teams: follow from the team, but not the other way about.
LEVEL = Feature.numeric("Level", [0, 0, 1, 1, 5, 5])


def table(*features: Feature) -> FeatureTable:
    return FeatureTable(LABELS, features)


def texts(*features: Feature) -> list[str]:
    remarks = redundant_features(table(*features))
    assert {remark.category for remark in remarks} <= {RedundantFeatures}
    return [remark.text for remark in remarks]


def shifted(feature: Feature, factor: float, offset: float) -> Feature:
    return feature.renamed("Other").with_values(factor * feature.values + offset)


@pytest.mark.parametrize(
    "features", [(), (AGE,), (AGE, SIZE), (AGE, TEAM), (TEAM, SIZE, AGE)], ids=len
)
def test_independent_features_need_no_remark(features: tuple[Feature, ...]) -> None:
    assert texts(*features) == []


@pytest.mark.parametrize(
    "constant",
    [
        Feature.numeric("Planet", [3] * 6),
        Feature.numeric("Planet", [0] * 6),
        Feature.numeric("Planet", [3, np.nan, 3, 3, np.nan, 3]),
        Feature.numeric("Planet", [np.nan] * 5 + [3]),
        Feature.numeric("Planet", [1e9] * 5 + [1e9 + 1e-7]),
        Feature.categorical("Planet", ["Earth"] * 6),
        Feature.ordinal("Planet", ["Earth"] * 6, ["Mars", "Earth"]),
        Feature.categorical("Planet", ["Earth"] * 6, ["Mars", "Earth", "Venus"]),
        Feature.circular("Planet", [90] * 6),
        Feature.circular("Planet", [0, 360, 720, -360, 0, 3600]),
    ],
    ids=range(10),
)
def test_a_feature_that_does_not_vary_is_named(constant: Feature) -> None:
    (text,) = texts(AGE, constant)
    assert text.startswith("Planet is the same for all objects")
    assert rank_of(table(constant)) == 0
    assert rank_of(table(AGE, constant)) == 1


@pytest.mark.parametrize(("factor", "offset"), [(1, 0), (-2, 5), (1e-6, 1e3), (1e6, 0)])
def test_a_feature_in_other_units_says_the_same(factor: float, offset: float) -> None:
    (text,) = texts(AGE, SIZE, shifted(AGE, factor, offset))
    assert text.startswith("Other says the same as Age;")
    assert rank_of(table(AGE, SIZE, shifted(AGE, factor, offset))) == 2


def test_categories_under_other_names_say_the_same() -> None:
    (text,) = texts(TEAM, Feature.categorical("Club", ["B", "B", "A", "A", "C", "C"]))
    assert text.startswith("Club says the same as Team;")


def test_a_feature_that_follows_from_several_names_them() -> None:
    total = AGE.renamed("Sum").with_values(AGE.values + SIZE.values)
    (text,) = texts(AGE, SIZE, total)
    assert text.startswith("Sum follows from Age, Size together;")


def test_a_coarser_feature_follows_from_a_finer_one_but_does_not_say_the_same() -> None:
    (text,) = texts(TEAM, LEVEL)
    assert text.startswith("Level follows from Team")
    assert "same" not in text


@pytest.mark.parametrize("features", [(TEAM, LEVEL), (LEVEL, TEAM), (AGE, LEVEL, TEAM)])
def test_redundancy_is_seen_in_whatever_order_features_became_known(
    features: tuple[Feature, ...],
) -> None:
    (text,) = texts(*features)
    assert "Level" in text
    assert "Team" in text


def test_nearly_the_same_is_not_the_same() -> None:
    noise = np.random.default_rng(0).normal(size=6)
    assert texts(AGE, AGE.renamed("Other").with_values(AGE.values + 1e-5 * noise)) == []
    # Less than the tolerance of 1e-8 of the spread.
    assert len(texts(AGE, AGE.renamed("Other").with_values(AGE.values + 1e-10 * noise))) == 1


def test_every_redundant_feature_has_a_remark_of_its_own() -> None:
    said = texts(AGE, shifted(AGE, 2, 0), Feature.numeric("Planet", [3] * 6), SIZE)
    assert [text.split()[0] for text in said] == ["Other", "Planet"]


@pytest.mark.parametrize(
    ("features", "rank"),
    [
        ((), 0),
        ((AGE,), 1),
        ((TEAM,), 2),
        ((AGE, SIZE, TEAM), 4),
        ((TEAM, LEVEL), 2),
        ((Feature.circular("Hour", [0, 3, 7, 11, 16, 20], 24),), 2),
        ((Feature.circular("Hour", [0, 12, 0, 12, 0, 12], 24),), 1),
        ((Feature.circular("Hour", [0, 12, 24, 36, 48, 60], 24),), 1),
        ((Feature.categorical("Name", LABELS),), 5),
        ((Feature.categorical("Name", LABELS), AGE, SIZE, TEAM), 5),
    ],
)
def test_independent_directions_are_counted(features: tuple[Feature, ...], rank: int) -> None:
    assert rank_of(table(*features)) == rank


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=6, max_size=6), min_size=1, max_size=7),
    st.floats(1e-3, 1e3),
)
@settings(max_examples=80)
def test_the_rank_is_that_of_the_centred_columns(columns: list[list[int]], scale: float) -> None:
    features = [Feature.numeric(str(k), scale * np.array(c)) for k, c in enumerate(columns)]
    matrix = np.array(columns, dtype=float).T
    # Whole numbers of at most 3: a singular value is zero or far above numpy's tolerance.
    expected = np.linalg.matrix_rank(matrix - matrix.mean(axis=0), tol=1e-9)
    assert rank_of(table(*features)) == expected


def test_a_remark_can_be_kept_and_sent() -> None:
    remark = Remark("Two zeros.", AdjustedData)
    assert pickle.loads(pickle.dumps(remark)) == remark
    assert issubclass(remark.category, UserWarning)


def test_a_problem_passes_on_the_remarks_on_its_features() -> None:
    objects = Dissimilarities(LABELS, np.arange(1.0, 16.0))
    problem = Problem(objects, table(AGE, shifted(AGE, 2, 0)))
    assert problem.remarks == redundant_features(problem.known)
    assert len(problem.remarks) == 1
