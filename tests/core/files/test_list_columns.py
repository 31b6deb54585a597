"""Lists whose columns a person has named, and surveys with a column for each pair."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.files.preparation import Preparation
from cml_core.files.reading import RawTable, read
from cml_core.files.reading.container import opened
from cml_core.files.reading.people.likely_roles import likely_roles
from cml_core.files.reading.raw import ORDINARY
from cml_core.files.source import RawFile, Source

LIST = "wer;links;rechts;wieviel;mal\nA;x;y;1;2\nA;x;z;2;1\nA;y;z;3;1\n" + "".join(
    f"{who};{pair};{value};1\n"
    for who in "BC"
    for pair, value in (("x;y", 3), ("x;z", 4), ("y;z", 5))
)
PAIR = {"links": "first", "rechts": "second", "wieviel": "value"}


def as_said(roles: dict[str, str], text: str = LIST) -> RawTable:
    manner = Preparation(roles=tuple(roles.items())).manner
    table = read(text.encode(), name="list.csv", manner=manner)
    assert isinstance(table, RawTable)
    return table


def test_who_judged_two_objects_and_a_value_make_ratings_by_several_people() -> None:
    table = as_said({"wer": "person", **PAIR, "mal": "ignore"})
    assert table.by_person is not None
    assert table.by_person.people == ("A", "B", "C")
    assert table.values[0, 1] == pytest.approx(7 / 3)


def test_without_who_judged_they_make_pairs_with_a_weight() -> None:
    table = as_said({**PAIR, "mal": "weight"})
    assert table.format == "pairs"
    assert table.weights is not None
    assert table.values[0, 1] == pytest.approx((2 * 1 + 3 + 3) / 4)


def test_several_columns_of_values_are_several_people() -> None:
    table = as_said({**PAIR, "mal": "value"}, "\n".join(LIST.splitlines()[:4]) + "\n")
    assert table.format == "rater_columns"
    assert table.values[0, 1] == 1.5


def test_piles_and_triads_are_read_under_any_heads() -> None:
    sorted_ = "k,o,g\n" + "".join(
        f"{who},{what},{pile}\n" for who in "AB" for what, pile in (("x", 1), ("y", 1), ("z", 2))
    )
    table = as_said({"k": "person", "o": "first", "g": "pile"}, sorted_)
    assert (table.format, table.values[0, 1], table.values[0, 2]) == ("sorting", 0, 1)
    odd = "k,r,s,t,u\nA,x,y,z,z\nB,x,y,z,z\nC,x,y,z,x\n"
    roles = {"k": "person", "r": "first", "s": "second", "t": "third", "u": "odd"}
    table = as_said(roles, odd)
    assert table.format == "triads"
    assert table.values[0, 1] == pytest.approx(1 / 3)


def test_a_list_without_heads_is_named_by_the_numbers_of_its_columns() -> None:
    text = "\n".join(LIST.splitlines()[1:]) + "\n"
    roles = {"column 1": "person", "column 2": "first", "column 3": "second", "column 4": "value"}
    assert as_said(roles, text).values[0, 1] == pytest.approx(7 / 3)


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"links": "first", "wieviel": "value"}, "no column is said to be: second object"),
        ({**PAIR, "wer": "pile"}, "no column is said to be|no use for"),
        ({**PAIR, "mal": "second"}, "2 columns are said to be: second object"),
        ({**PAIR, "wer": "person", "mal": "value"}, "2 columns are said to be"),
        ({**PAIR, "gone": "weight"}, "No column is called 'gone'"),
    ],
)
def test_columns_that_make_no_list_say_what_lacks(roles: dict[str, str], words: str) -> None:
    with pytest.raises(UnreadableFile, match=words):
        as_said(roles)


def test_what_columns_may_be_is_guessed_from_heads_and_entries() -> None:
    text = "Nr;Proband;Bild_1;Bild_2;Urteil;RT\n1;A;x;y;3;800\n2;A;y;x;4;900\n"
    cells = opened(text.encode(), "", ORDINARY).cells
    assert likely_roles(cells) == (
        ("Nr", "ignore"),
        ("Proband", "person"),
        ("Bild_1", "first"),
        ("Bild_2", "second"),
        ("Urteil", "value"),
        ("RT", "ignore"),
    )


def test_a_project_repeats_what_was_said_of_the_columns() -> None:
    roles = (("wer", "person"), *PAIR.items(), ("mal", "ignore"))
    source = Source(
        (RawFile("list.csv", LIST.encode()),),
        Preparation(roles=roles, conversion="dissimilarities"),
    )
    answers = source.answers()
    assert answers is not None
    assert answers.people == ("A", "B", "C")
    told = " ".join(source.choices_in_words())
    assert "wer is who judged" in told


@pytest.mark.parametrize(
    "heads",
    [
        ("apple_pear", "apple_plum", "pear_plum"),
        ("apple vs. pear", "apple vs. plum", "pear vs. plum"),
        (
            "How far apart are apple and pear?",
            "How far apart are apple and plum?",
            "How far apart are pear and plum?",
        ),
        ("pear-apple", "plum-apple", "plum-pear"),
    ],
    ids=lambda heads: heads[0],
)
def test_a_column_for_each_pair_is_known_by_its_head(heads: tuple[str, ...]) -> None:
    lines = [",".join(["participant", *heads]), "A,1,2,3", "B,2,3,", "C,3,4,5"]
    table = read("\n".join([*lines, ""]).encode(), name="wide.csv")
    assert isinstance(table, RawTable)
    assert table.format == "wide_ratings"
    assert set(table.labels) == {"apple", "pear", "plum"}
    i, j = table.labels.index("apple"), table.labels.index("pear")
    assert table.values[i, j] == table.values[j, i] == 2
    assert table.by_person is not None
    assert table.by_person.people == ("A", "B", "C")


def test_columns_that_share_words_but_are_not_all_pairs_are_measurements() -> None:
    data = b"place,temp_max,temp_min,rain_max,rain_min\na,1,2,3,4\nb,7,3,8,5\nc,3,9,1,6\n"
    assert not isinstance(read(data), RawTable)
    with pytest.raises(ConditionalMappingError, match="every pair"):
        read(data, format="wide_ratings")


def test_what_qualtrics_exports_keeps_its_people() -> None:
    codes, asked = "ResponseId,Q1,Q2,Q3", "Response ID,x and y?,x and z?,y and z?"
    ids = ",".join('"{""ImportId"": ""' + str(k) + '""}"' for k in range(4))
    answers = ["R_1,1,2,3", "R_2,3,4,5", "R_3,5,6,"]
    table = read("\n".join([codes, asked, ids, *answers, ""]).encode("utf-8-sig"))
    assert isinstance(table, RawTable)
    assert table.by_person is not None
    assert table.by_person.people == ("R_1", "R_2", "R_3")
    np.testing.assert_array_equal(table.values[0, 1:], [3, 4])
