"""Files of what people said: what speaks for them, and what each person's part of them is."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from cml_core import FeatureTable
from cml_core.errors import TooManyObjects, UnreadableFile
from cml_core.files import doctor
from cml_core.files.preparation import Preparation
from cml_core.files.reading import RawTable, read
from cml_core.files.reading.people import summed_up
from cml_core.files.source import RawFile, Source
from cml_core.values.answers import Answers

GAP = np.nan
# Means of a few small numbers.
ROUNDING = 1e-12


def csv(*lines: str) -> bytes:
    return "\n".join(lines).encode()


def raw(*lines: str, **options: str) -> RawTable:
    table = read(csv(*lines), **options)  # type: ignore[arg-type]
    assert isinstance(table, RawTable)
    return table


def answers_of(*lines: str, **choices: object) -> Answers:
    source = Source((RawFile("people.csv", csv(*lines)),), Preparation(**choices))  # type: ignore[arg-type]
    answers = source.answers()
    assert answers is not None
    np.testing.assert_allclose(
        answers.mean, source.dissimilarities().condensed, rtol=0, atol=ROUNDING
    )
    return answers


RATINGS = (
    "rater,a,b,rating", "Anna,x,y,2", "Anna,x,z,6", "Anna,z,y,5", "Otto,y,x,1", "Otto,x,z,7",
    "Otto,y,z,4", "Jo,x,y,3", "Jo,z,x,5", "Jo,y,z,",
)  # fmt: skip


def test_a_rater_list_keeps_each_rating_by_person_whatever_its_order() -> None:
    found = answers_of(*RATINGS)
    assert (found.people, found.labels) == (("Anna", "Otto", "Jo"), ("x", "y", "z"))
    np.testing.assert_array_equal(found.values, [[2, 6, 5], [1, 7, 4], [3, 5, GAP]])
    np.testing.assert_array_equal(found.counts, [[1, 1, 1], [1, 1, 1], [1, 1, 0]])


def test_a_person_asked_twice_has_the_mean_and_both_answers_count() -> None:
    found = answers_of(*RATINGS, "Anna,y,x,4")
    assert (found.values[0, 0], found.counts[0, 0]) == (3.0, 2.0)
    assert found.mean[0] == pytest.approx((2 + 4 + 1 + 3) / 4)


def test_pairs_that_everyone_saw_in_both_orders_keep_their_directions() -> None:
    lines = [
        f"{who},{a},{b},{5 + k + (a < b)}"
        for k, who in enumerate(("Anna", "Otto", "Jo"))
        for a in "xyz"
        for b in "xyz"
        if a != b
    ]
    table = raw("rater,a,b,rating", *lines)
    assert table.values[0, 1] == 7
    assert table.values[1, 0] == 6
    found = answers_of("rater,a,b,rating", *lines, asymmetry="average")
    np.testing.assert_array_equal(found.values[0], 5.5)


@pytest.mark.parametrize(
    "head",
    ["id,word a,word b,similarity", "Vp,Reiz1,Reiz2,Urteil", "ResponseId,left,right,answer",
     "participant_nr,from,to,difference", "juge,objet1,objet2,note", "Subject,cue,other,strength"],
)  # fmt: skip
def test_heads_in_several_languages_name_people(head: str) -> None:
    assert raw(head, *RATINGS[1:]).format == "rater_list"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        # A weight is a weight, and an identifier of lines names nobody.
        (("a,b,value,weight", "x,y,2,1", "x,z,3,2", "y,z,4,1"), "pairs"),
        (("source,target,weight,id", "x,y,2,1", "x,z,3,2", "y,z,4,3"), "pairs"),
        # Measurements of participants are no sorting, nor are answers on a scale.
        (("participant,age,iq,size", "P1,30,99,1", "P2,40,101,2", "P3,20,120,3"), "measurements"),
        (("participant,q1,q2,q3", "P1,1,2,3", "P2,3,2,1", "P3,2,2,3"), "measurements"),
        (("id,q1,q2,q3", "u,1,2,1", "v,1,2,3", "w,2,1,1"), "measurements"),
        (("participant,q1,q2,q3", "u,1,2,1", "v,1,2,3", "w,2,1,1"), "measurements"),
        (("id,species,group", "1,a,b", "2,a,c", "3,b,c"), "measurements"),
        # Two columns of the same words are two features where every line has a name.
        (
            ("who,hair,eyes,size", "a,brown,blue,1", "b,black,brown,2", "c,brown,grey,4"),
            "measurements",
        ),
    ],
)
def test_what_only_looks_like_answers_of_people_is_read_as_before(
    lines: tuple[str, ...], said: str
) -> None:
    table = read(csv(*lines))
    found = "measurements" if isinstance(table, FeatureTable) else table.format
    assert found == said


def test_numbers_of_people_in_a_fourth_column_are_never_weights() -> None:
    lines = ("a,b,rating,rater", "x,y,2,1", "x,z,3,1", "y,z,4,2", "x,y,2,2")
    assert raw(*lines).format == "rater_list"
    by_pairs = raw(*lines, format="pairs")
    assert by_pairs.weights is None
    (question,) = by_pairs.questions
    assert "rater (1, 2, …)" in question.fact
    with pytest.raises(UnreadableFile, match="Besides rating"):
        doctor.prepared(by_pairs, Preparation())


def test_kilometres_and_hours_are_not_averaged_as_two_people() -> None:
    table = raw("from,to,km,hours,fare", "x,y,2,1,5", "x,z,3,2,9", "y,z,4,1,7")
    assert table.by_person is None
    (question,) = table.questions
    assert [choice.title for choice in question.choices] == [
        "km holds the values",
        "hours holds the values",
        "fare holds the values",
        "Each is one person's",
    ]
    assert "x with y: 5." in question.choices[2].about


def test_a_rater_list_without_heads_is_read_by_hand() -> None:
    lines = [line for line in RATINGS[1:] if not line.endswith(",")]
    table = raw(*lines, format="rater_list")
    assert table.by_person is not None
    assert table.by_person.people == ("Anna", "Otto", "Jo")


def test_columns_of_people_with_names_are_read_by_hand() -> None:
    lines = ("a,b,Anna,Otto,Jo", "x,y,2,1,3", "x,z,6,7,5", "y,z,5,4,")
    table = raw(*lines, format="rater_columns")
    assert table.by_person is not None
    assert table.by_person.people == ("Anna", "Otto", "Jo")
    found = answers_of(*lines, format="rater_columns")
    np.testing.assert_array_equal(found.values, [[2, 6, 5], [1, 7, 4], [3, 5, GAP]])


SORTED = ("participant,card,pile", "1,x,a", "1,y,a", "1,z,b", "2,x,p", "2,y,q", "3,z,u", "3,x,u",
          "3,y,u")  # fmt: skip


def test_in_a_sorting_a_person_parts_a_pair_or_does_not() -> None:
    found = answers_of(*SORTED)
    np.testing.assert_array_equal(found.values, [[0, 1, 1], [1, GAP, GAP], [0, 0, 0]])


def test_both_tables_of_a_sorting_say_the_same_as_its_list() -> None:
    of_list = answers_of(*SORTED)
    for lines in (
        ("object,1,2,3", "x,a,p,u", "y,a,q,u", "z,b,,u"),
        ("participant,x,y,z", "1,a,a,b", "2,p,q,", "3,u,u,u"),
    ):
        found = answers_of(*lines, format="sorting")
        np.testing.assert_array_equal(found.values, of_list.values)
        assert (found.labels, found.people) == (of_list.labels, of_list.people)


def test_a_sorting_without_heads_is_read_by_hand() -> None:
    table = raw(*SORTED[1:], format="sorting")
    assert table.by_person is not None
    assert table.by_person.n_people == 3


def test_of_a_triad_the_two_that_were_left_are_alike_and_counts_say_how_many() -> None:
    lines = ("subject,a,b,c,odd", "1,x,y,z,z", "1,x,y,w,y", "2,x,y,z,x", "3,z,y,x,1", "3,x,w,z,w")
    found = answers_of(*lines)
    assert found.labels == ("x", "y", "z", "w")
    told = dict(zip(["xy", "xz", "xw", "yz", "yw", "zw"], found.values[0], strict=True))
    asked = dict(zip(told, found.counts[0], strict=True))
    # Once together against z, once y was the odd one.
    assert (told["xy"], asked["xy"]) == (0.5, 2)
    assert (told["xw"], asked["xw"]) == (0, 1)
    assert np.isnan(told["zw"])
    assert asked["zw"] == 0


_TRIADS = [
    ("P1", "x", "y", "z", "z"),
    ("P1", "w", "z", "x", "w"),
    ("P2", "y", "x", "w", "x"),
    ("P2", "z", "w", "y", "y"),
]


@pytest.mark.parametrize("placed", [False, True])
@pytest.mark.parametrize("who", [False, True])
@pytest.mark.parametrize("heads", ["left,middle,right", "item1,item2,item3"])
def test_triads_are_told_by_three_columns_of_the_same_names(
    heads: str, who: bool, placed: bool
) -> None:
    lines = [
        ",".join((*[person] * who, *three, str(three.index(odd) + 1) if placed else odd))
        for person, *three, odd in _TRIADS
    ]
    table = raw(",".join((*["subject"] * who, heads, "choice")), *lines)
    assert (table.format, set(table.labels)) == ("triads", set("wxyz"))
    assert ("The list does not say who judged." in table.notes) != who
    place = {name: k for k, name in enumerate(table.labels)}
    i, j = sorted((place["x"], place["y"]))
    assert {v for v in (table.values[i, j], table.values[j, i]) if v == v} == {0.5}


def test_choices_of_what_is_more_like_a_third_are_no_odd_ones() -> None:
    lines = [f"P1,{a},{b},{c},{min(b, c)}" for a, b, c in permutations("wxyz", 3)]
    with pytest.raises(UnreadableFile, match="'choice' never names one of 'reference'"):
        raw("person,reference,option1,option2,choice", *lines, *lines)
    assert raw("person,item1,item2,item3,odd", *lines[:6]).format == "triads"


@pytest.mark.parametrize("piles", ["12345", "ABCDE", "abcde"])
def test_piles_may_be_counted_by_letters(piles: str) -> None:
    lines = ("000112", "001122", "012340", "011112", "001023")
    rows = [",".join((f"P{k}", *(piles[int(c)] for c in line))) for k, line in enumerate(lines)]
    assert raw("sorter,a,b,c,d,e,f", *rows).format == "sorting"


def test_confusions_are_shares_of_what_was_shown_to_each() -> None:
    lines = ["subject,shown,answered"]
    for who in "123":
        lines += [f"{who},{a},{b}" for a in "xyz" for b in "xyz"] + [
            f"{who},{a},{a}" for a in "xyz"
        ]
    table = raw(*lines, "1,x,x", "1,x,x")
    assert table.values[0].tolist() == pytest.approx([8 / 14, 3 / 14, 3 / 14])
    assert table.values[1].tolist() == pytest.approx([0.25, 0.5, 0.25])
    assert table.by_person is not None
    assert table.by_person.counts[:, 0, 0].tolist() == [6, 4, 4]


def test_more_people_and_objects_than_can_be_summed_up_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(summed_up, "MOST_SUMMED", 20)
    with pytest.raises(TooManyObjects, match="3 people and 3 objects"):
        raw(*RATINGS)


def test_two_people_give_a_table_but_no_answers() -> None:
    table = raw(*RATINGS[:7])
    assert table.values[0, 1] == 1.5
    assert table.by_person is None


def test_names_in_several_words_with_numbers_part_no_cells() -> None:
    # Between their blanks stands what looks like numbers with decimal commas: 4,3.
    objects = [f"{wide} by {high}" for wide in (3, 4) for high in (3, 4)]
    lines = ["rater,a,b,rating"]
    for rater in range(3):
        for k, pair in enumerate(combinations(objects, 2)):
            lines.append(f"person {rater},{','.join(pair)},{1 + (k + rater) % 7}")
    source = Source((RawFile("ratings.csv", "\n".join(lines).encode()),))
    answers = source.answers()
    assert answers is not None
    assert answers.people == ("person 0", "person 1", "person 2")
    assert set(source.dissimilarities().labels) == set(objects)


def test_numbers_with_decimal_commas_between_blanks_stay_numbers() -> None:
    table = "a b c\n0 1,5 2,5\n1,5 0 3,5\n2,5 3,5 0\n"
    values = Source((RawFile("table.txt", table.encode()),)).dissimilarities()
    np.testing.assert_array_equal(values.condensed, [1.5, 2.5, 3.5])
