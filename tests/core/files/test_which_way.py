"""Whether numbers are similarities: weighed with all evidence, asked where that is not enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from cml_core import load_dataset
from cml_core.datasets import dataset_names
from cml_core.files import doctor, reading, writing
from cml_core.files.doctor.findings import WRONG
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.files.source import RawFile, Source

NAMES = ("Brazil", "China", "Congo", "Cuba", "Egypt", "France", "India", "Israel")
# How alike people found eight nations, from 1 to 7; who made it up gave large and poor ones.
NATIONS = np.array(
    [
        [0.0, 4.8, 5.3, 5.0, 3.4, 4.7, 4.5, 3.8],
        [4.8, 0.0, 2.4, 4.5, 4.2, 2.7, 4.1, 2.7],
        [5.3, 2.4, 0.0, 4.6, 5.0, 4.0, 4.8, 3.4],
        [5.0, 4.5, 4.6, 0.0, 5.2, 4.1, 4.0, 3.2],
        [3.4, 4.2, 5.0, 5.2, 0.0, 4.8, 5.8, 4.7],
        [4.7, 2.7, 4.0, 4.1, 4.8, 0.0, 3.4, 4.0],
        [4.5, 4.1, 4.8, 4.0, 5.8, 3.4, 0.0, 4.1],
        [3.8, 2.7, 3.4, 3.2, 4.7, 4.0, 4.1, 0.0],
    ]
)
Made = Callable[[np.random.Generator, int], np.ndarray]


def raw(square: np.ndarray, *told: str) -> RawTable:
    labels = NAMES if len(square) == len(NAMES) else tuple(f"o{i}" for i in range(len(square)))
    return RawTable(labels, np.asarray(square, dtype=float), "square", told=told)


def blank(square: np.ndarray) -> np.ndarray:
    return np.where(np.eye(len(square), dtype=bool), np.nan, square)


def _plane(random: np.random.Generator, n: int) -> np.ndarray:
    distances: np.ndarray = squareform(pdist(random.normal(size=(n, 2))))
    return distances / distances.max()


def _ratings(random: np.random.Generator, n: int) -> np.ndarray:
    """How alike, from 1 to 7: the mean of twelve people, who each err by one."""
    exact = 7 - 6 * _plane(random, n)
    each = [np.clip(np.round(exact + random.normal(size=(n, n))), 1, 7) for _ in range(12)]
    mean = np.mean(each, axis=0)
    return np.triu(mean, 1) + np.triu(mean, 1).T


def _noisy(random: np.random.Generator, n: int) -> np.ndarray:
    distances = _plane(random, n) * np.exp(random.normal(0, 0.2, (n, n)))
    return np.triu(distances, 1) + np.triu(distances, 1).T


def _correlations(random: np.random.Generator, n: int) -> np.ndarray:
    answers = random.normal(size=(60, 2)) @ random.normal(size=(2, n))
    return blank(np.corrcoef((answers + random.normal(size=(60, n))).T))


def _counts(random: np.random.Generator, n: int) -> np.ndarray:
    counts = random.poisson(60 * np.exp(-3 * _plane(random, n))).astype(float)
    return blank(np.triu(counts, 1) + np.triu(counts, 1).T)


@pytest.mark.parametrize(
    ("made", "similar", "at_least"),
    [
        (_ratings, True, 0.7),
        (lambda random, n: blank(_ratings(random, n)), True, 0.7),
        (_correlations, True, 1.0),
        (_counts, True, 0.8),
        (lambda random, n: blank(8 - _ratings(random, n)), False, 0.7),
        (_noisy, False, 0.5),
        (_plane, False, 1.0),
    ],
)
def test_no_table_is_taken_the_wrong_way_round(made: Made, similar: bool, at_least: float) -> None:
    said: Counter[str] = Counter()
    for seed in range(60):
        random = np.random.default_rng(seed)
        seems = doctor.recognised(raw(made(random, int(random.integers(7, 25)))))
        right = (seems.kind != "dissimilarities") == similar
        said["asked" if not seems.certain else "right" if right else "wrong"] += 1
    assert said["wrong"] == 0
    assert said["right"] >= at_least * said.total()


def test_ratings_of_nations_are_asked_about_with_two_of_them() -> None:
    for table in (NATIONS, blank(NATIONS)):
        findings = doctor.examine(raw(table), Preparation())
        asked = next(finding for finding in findings if finding.key == "which_way")
        assert asked.grade == WRONG
        right, other = asked.choices
        assert (right.title, other.title) == ("Right", "The other way round")
        assert asked.fact == f"{doctor.most_alike(asked.pairs[0])} Is that right?"
        assert set(asked.pairs) == {("Egypt", "India"), ("China", "Congo")}
        for choice, (first, second) in zip(asked.choices, asked.pairs, strict=True):
            chosen = Preparation(conversion=str(choice.value))
            values = doctor.prepared(raw(table), chosen)
            assert values.between(first, second) == np.min(values.condensed)
            again = {finding.key: finding for finding in doctor.examine(raw(table), chosen)}
            assert "which_way" not in again
            assert f"Most alike: {first} and {second}." in again["kind"].meaning


def test_that_nothing_speaks_for_a_reading_is_said_of_nothing_that_something_speaks_for() -> None:
    for table in (NATIONS, 8 - NATIONS, _ratings(np.random.default_rng(0), 12)):
        seems = doctor.recognised(raw(table))
        assert "speaks for" not in seems.why or not seems.certain


@pytest.mark.parametrize(
    ("told", "kind", "certain"),
    [
        (("nations.csv",), None, False),
        (("Ähnlichkeit der Länder.xlsx",), "similarities", True),
        (("nations.csv", "similarity"), "similarities", True),
        (("cor_nations.csv",), "similarities", True),
        (("nations-dissimilarities.csv",), "dissimilarities", True),
        (("Unähnlichkeiten.csv",), "dissimilarities", True),
        (("distances-from-similarities.csv",), None, False),
        (("corner shops.csv", "simple"), None, False),
    ],
)
def test_what_a_file_says_of_itself_counts(
    told: tuple[str, ...], kind: str | None, certain: bool
) -> None:
    # Of five objects the pattern says nothing.
    seems = doctor.recognised(raw(NATIONS[:5, :5], *told))
    assert seems.certain == certain
    assert kind is None or seems.kind == kind


def test_a_word_against_a_clear_pattern_is_asked_about() -> None:
    distances = _plane(np.random.default_rng(1), 20)
    assert not doctor.recognised(raw(distances, "similarities.csv")).certain
    assert not doctor.recognised(raw(blank(1 - distances), "distances.csv")).certain


def test_a_code_in_the_diagonal_does_not_make_similarities_of_distances() -> None:
    table = np.round(100 * _plane(np.random.default_rng(2), 15))
    np.fill_diagonal(table, 999)
    seems = doctor.recognised(raw(table))
    assert not seems.certain
    assert "But: " in seems.why


def test_heads_and_the_name_of_a_file_are_read_and_names_of_objects_are_not() -> None:
    listed = b"from,to,similarity\na,b,3\na,c,1\nb,c,2\n"
    table = reading.read(listed, name="wood.csv")
    assert isinstance(table, RawTable)
    assert {"wood.csv", "similarity"} <= set(table.told)
    assert doctor.recognised(table).kind == "similarities"
    square = b"# how alike, 1 to 7\n;distance;b;c\ndistance;;3;1\nb;3;;2\nc;1;2;\n"
    table = reading.read(square, name="wood.csv")
    assert isinstance(table, RawTable)
    assert "distance" not in table.told
    assert doctor.recognised(table).kind == "similarities"


@pytest.mark.parametrize("name", dataset_names())
def test_no_example_is_asked_about_nor_what_was_computed(name: str) -> None:
    values = load_dataset(name).values()
    for table in (values.square(), blank(values.square())):
        seems = doctor.recognised(raw(table))
        assert (seems.kind, seems.certain) == ("dissimilarities", True)
    computed = replace(raw(NATIONS), format="measurements")
    assert doctor.recognised(computed).certain


def test_an_answer_is_a_choice_that_is_told_and_repeated() -> None:
    data = writing.written(load_dataset("kinship14").values(), "csv")
    source = Source((RawFile("terms.csv", data),), Preparation(conversion="dissimilarities"))
    assert "It was said that large values are for pairs that differ." in source.choices_in_words()
    again = Preparation.from_dict(source.preparation.to_dict())
    assert again == source.preparation
    assert np.array_equal(
        source.dissimilarities().condensed,
        Source(source.files, Preparation()).dissimilarities().condensed,
    )


@pytest.mark.parametrize("table", [NATIONS, blank(NATIONS), 100 * NATIONS + 999 * np.eye(8)])
def test_a_table_that_is_turned_round_twice_is_as_it_was(table: np.ndarray) -> None:
    brought = raw(table)
    begun = Preparation(conversion="dissimilarities", diagonal="zero", without=("Israel",))
    turned = doctor.turned_round(brought, begun)
    assert turned.without == begun.without
    near = doctor.prepared(brought, turned)
    assert near.between("Egypt", "India") < near.between("China", "Congo")
    back = doctor.turned_round(brought, turned)
    assert back.conversion == "dissimilarities"
    assert np.array_equal(
        doctor.prepared(brought, back).condensed, doctor.prepared(brought, begun).condensed
    )
