"""Single answers of people, by the choices that led to the table that sums them up."""

from __future__ import annotations

import io

import numpy as np
import pytest

from cml_core import FeatureTable
from cml_core.files import single_answers
from cml_core.files.doctor import prepared
from cml_core.files.preparation import Preparation
from cml_core.files.raters import mean_of
from cml_core.files.reading import by_person
from cml_core.files.reading.raw import RawTable
from cml_core.files.single_answers import answers_of
from cml_core.files.source import ALL_PARTS, RawFile, Source, raw_table
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.values.answers import Answers

AT = "2026-01-31T12:00:00Z"
GAP = np.nan
LABELS = tuple("abcde")
# Sums of a few numbers up to ten.
ROUNDING = 1e-12


def ratings(seed: int, *, symmetric: bool = True, low: int = 1, high: int = 9) -> np.ndarray:
    values = np.random.default_rng(seed).integers(low, high + 1, (5, 5)).astype(float)
    if symmetric:
        values = np.triu(values, 1) + np.triu(values, 1).T
    np.fill_diagonal(values, 0.0)
    return values


def raw_of(*tables: np.ndarray) -> RawTable:
    return mean_of([RawTable(LABELS, table, "square") for table in tables])


def found(raw: RawTable, **choices: object) -> Answers:
    answers = answers_of(raw, Preparation(**choices))  # type: ignore[arg-type]
    assert answers is not None
    return answers


def csv_of(table: np.ndarray) -> bytes:
    rows = [
        ",".join([name, *(f"{v:g}" for v in row)]) for name, row in zip(LABELS, table, strict=True)
    ]
    return "\n".join([",".join(["", *LABELS]), *rows]).encode()


def files_of(*tables: np.ndarray) -> tuple[RawFile, ...]:
    return tuple(RawFile(f"person {k}.csv", csv_of(table)) for k, table in enumerate(tables))


PREPARATIONS = [
    {},
    {"conversion": "from_max"},
    {"conversion": "ranks"},
    {"conversion": "reciprocal"},
    {"conversion": "square_root"},
    {"without": ("b",), "added": 2.0},
    {"unknown_pairs": (("a", "c"),)},
]


@pytest.mark.parametrize("choices", PREPARATIONS, ids=str)
def test_the_mean_of_the_answers_is_the_table_whatever_was_chosen(choices: dict) -> None:
    raw = raw_of(*(ratings(seed) for seed in range(4)))
    answers = found(raw, **choices)
    table = prepared(raw, Preparation(**choices))
    assert answers.labels == table.labels
    np.testing.assert_allclose(answers.mean, table.condensed, rtol=0, atol=ROUNDING)


def test_without_choices_everyone_keeps_their_own_ratings() -> None:
    tables = [ratings(seed) for seed in range(3)]
    answers = found(raw_of(*tables))
    upper = np.triu_indices(5, 1)
    np.testing.assert_array_equal(answers.values, [table[upper] for table in tables])
    np.testing.assert_array_equal(answers.counts, 1.0)
    assert answers.people == ("rater 1", "rater 2", "rater 3")


def test_both_directions_of_each_person_are_averaged() -> None:
    tables = [ratings(seed, symmetric=False) for seed in range(3)]
    answers = found(raw_of(*tables), asymmetry="average")
    upper = np.triu_indices(5, 1)
    expected = [((table + table.T) / 2)[upper] for table in tables]
    np.testing.assert_allclose(answers.values, expected, rtol=ROUNDING)


def test_who_says_nothing_of_a_pair_counts_nothing_there() -> None:
    silent = ratings(0)
    silent[0, 1] = silent[1, 0] = GAP
    answers = found(raw_of(silent, ratings(1), ratings(2)))
    assert np.isnan(answers.values[0, 0])
    assert answers.counts[0, 0] == 0
    assert answers.counts[:, 0].sum() == 2


def test_deviations_between_people_stay_theirs_where_the_conversion_is_of_the_table() -> None:
    # One person's largest rating is 9, another's 6: what each says below their own largest
    # is theirs, and all are moved together.
    tables = [ratings(0, high=9), ratings(1, high=6), ratings(2)]
    answers = found(raw_of(*tables), conversion="from_max")
    upper = np.triu_indices(5, 1)
    own = np.array([(table.max() - table)[upper] for table in tables])
    np.testing.assert_allclose(
        answers.values - answers.values[0], own - own[0], rtol=0, atol=ROUNDING
    )


def test_values_below_zero_are_turned_for_everyone_where_they_are_in_the_table() -> None:
    tables = [ratings(seed) for seed in range(3)]
    turned = [np.where(np.add.outer(range(5), range(5)) == 1, -t, t) for t in tables]
    answers = found(raw_of(*turned), negatives="absolute")
    np.testing.assert_allclose(answers.values, found(raw_of(*tables)).values, rtol=ROUNDING)


def test_where_one_person_cannot_be_converted_answers_are_how_each_moves_the_table() -> None:
    never = ratings(0)
    never[0, 1] = never[1, 0] = 0.0
    tables = [never, *(ratings(seed) for seed in range(1, 5))]
    raw = raw_of(*tables)
    answers = found(raw, conversion="reciprocal")
    table = prepared(raw, Preparation(conversion="reciprocal")).condensed
    np.testing.assert_allclose(answers.mean, table, rtol=0, atol=ROUNDING)
    # Who said that two are more alike moves them nearer: 1/s falls with s, for every pair.
    said = np.array([each[np.triu_indices(5, 1)] for each in tables])
    for pair in range(said.shape[1]):
        order = np.argsort(said[:, pair], kind="stable")
        assert (np.diff(answers.values[order, pair]) <= ROUNDING).all()


def test_how_each_moves_the_table_is_what_each_said_where_the_conversion_is_straight() -> None:
    raw = raw_of(*(ratings(seed) for seed in range(4)))
    single = raw.by_person
    assert single is not None
    counts = np.ones((4, 10))
    moved = single_answers._moved_by_each(raw, single, counts, Preparation())
    np.testing.assert_allclose(moved, found(raw).values, rtol=ROUNDING)


def test_confusions_keep_their_people_although_each_has_counts_of_zero() -> None:
    random = np.random.default_rng(1)
    lines = ["subject,shown,answered"]
    for who in range(12):
        for _ in range(6):
            for i, shown in enumerate(LABELS):
                chances = np.exp(-1.2 * np.minimum(np.abs(np.arange(5) - i), 2))
                answered = LABELS[random.choice(5, p=chances / chances.sum())]
                lines.append(f"{who},{shown},{answered}")
    source = Source(
        (RawFile("confusions.csv", "\n".join(lines).encode()),),
        Preparation(conversion="confusion", scale=0.01),
    )
    answers = source.answers()
    assert answers is not None
    table = source.dissimilarities().condensed
    np.testing.assert_allclose(answers.mean, table, rtol=0, atol=ROUNDING)
    # The jackknife's errors of a mean over people and those of redrawn people, whose confusions
    # are converted anew, agree but for chance and the bend of a logarithm of few counts.
    spread = answers.values.std(axis=0, ddof=1) / np.sqrt(12)
    raw = raw_table(source.files, source.preparation)
    redrawn = redrawn_tables(raw, source.preparation, 200)
    ratio = np.median(spread / redrawn.std(axis=0))
    assert 0.7 < ratio < 1.4


def redrawn_tables(raw: RawTable, preparation: Preparation, count: int) -> np.ndarray:
    """Tables of as many people, drawn with replacement."""
    single, random = raw.by_person, np.random.default_rng(2)
    assert single is not None
    made = []
    for _ in range(count):
        who = random.integers(single.n_people, size=single.n_people)
        counts = single.counts[who]
        mean = np.nansum(single.values[who] * counts, axis=0) / counts.sum(axis=0)
        made.append(prepared(RawTable(raw.labels, mean, raw.format), preparation).condensed)
    return np.array(made)


def test_two_people_are_too_few_to_be_kept_one_by_one() -> None:
    assert raw_of(ratings(0), ratings(1)).by_person is None


def test_files_of_the_same_name_are_different_people() -> None:
    tables = [RawTable(LABELS, ratings(seed), "square") for seed in range(3)]
    raw = mean_of(tables, ["r.csv", "r.csv", "s.csv"])
    assert found(raw).people == ("r.csv", "r.csv (2)", "s.csv")


def test_too_many_entries_leave_the_mean_alone_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_person, "MOST_ENTRIES", 60)
    raw = raw_of(*(ratings(seed) for seed in range(3)))
    assert raw.by_person is None
    assert "only their mean is used" in raw.notes[-1]


def test_a_stack_of_arrays_keeps_its_tables() -> None:
    stack = np.array([ratings(seed) for seed in range(3)])
    saved = io.BytesIO()
    np.save(saved, stack)
    answers = Source((RawFile("stack.npy", saved.getvalue()),)).answers()
    assert answers is not None
    np.testing.assert_array_equal(answers.values[:, 0], stack[:, 0, 1])


def journey_of(source: Source) -> Journey:
    values = source.dissimilarities()
    return Journey.begun("People", values, FeatureTable(values.labels), AT, source=source)


def test_a_journey_gives_the_answers_of_the_files_it_keeps_and_after_a_round_trip() -> None:
    source = Source(files_of(*(ratings(seed) for seed in range(3))))
    begun = journey_of(source)
    assert begun.answers is not None
    assert begun.answers.people == ("person 0.csv", "person 1.csv", "person 2.csv")
    again = from_json(to_json(begun)).answers
    assert again is not None
    np.testing.assert_array_equal(again.values, begun.answers.values)


def test_a_journey_has_no_answers_without_files_or_of_other_data() -> None:
    source = Source(files_of(*(ratings(seed) for seed in range(3))))
    begun = journey_of(source)
    lost = Source(tuple(RawFile(f.name, None, f.digest) for f in source.files))
    of_others = Source(files_of(*(ratings(seed) for seed in range(4, 7))))
    single = Source(files_of(ratings(0)))
    for other in (None, lost, of_others, single):
        values, features = begun.dissimilarities, begun.features
        assert Journey.begun("", values, features, AT, source=other).answers is None


def test_all_parts_of_an_archive_are_people() -> None:
    saved = io.BytesIO()
    np.savez(saved, anna=ratings(0), otto=ratings(1), jo=ratings(2))
    source = Source((RawFile("all.npz", saved.getvalue()),), Preparation(sheet=ALL_PARTS))
    answers = source.answers()
    assert answers is not None
    assert answers.people == ("all.npz, anna", "all.npz, otto", "all.npz, jo")
