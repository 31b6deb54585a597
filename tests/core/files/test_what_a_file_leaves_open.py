"""What a file can mean in more than one way is asked, and what would help is offered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cml_core.errors import UnknownOption, UnreadableFile
from cml_core.files.doctor import choices_in_words, examine, prepared
from cml_core.files.doctor.findings import ODD, UNDERSTOOD, WRONG, Finding
from cml_core.files.preparation import Preparation
from cml_core.files.reading import Look, RawTable, look
from cml_core.files.source import RawFile, Source, raw_table

CORPUS = Path(__file__).parent / "corpus"


def raw(data: str | bytes, **choices: object) -> RawTable:
    content = data.encode() if isinstance(data, str) else data
    return raw_table((RawFile("table.csv", content),), Preparation(**choices))


def found(data: str | bytes, **choices: object) -> dict[str, Finding]:
    table = raw(data, **choices)
    return {finding.key: finding for finding in examine(table, Preparation(**choices))}


def seen(data: str | bytes, **choices: object) -> Look:
    content = data.encode() if isinstance(data, str) else data
    return look(content, name="table.csv", manner=Preparation(**choices).manner)


MILES = ",a,b,c,d\na,0,587,1.212,701\nb,587,0,920,940\nc,1.212,920,0,879\nd,701,940,879,0\n"


@pytest.mark.parametrize(("said", "value"), [("point", 1.212), ("comma", 1212.0)])
def test_both_readings_of_a_mark_are_offered_and_each_is_read(said: str, value: float) -> None:
    question = found(MILES)["decimal"]
    assert question.grade == WRONG
    assert "1.212 is 1.212 or 1212" in question.fact
    assert [choice.value for choice in question.choices] == ["point", "comma"]
    with pytest.raises(UnreadableFile, match=r"1\.212 is 1\.212 or 1212"):
        prepared(raw(MILES), Preparation())
    chosen = Preparation(decimal=said)
    assert prepared(raw(MILES, decimal=said), chosen).between("a", "c") == value
    assert found(MILES, decimal=said)["decimal"].grade == UNDERSTOOD
    assert f"Decimal marks are {said}s." in choices_in_words(chosen)


def test_one_number_that_can_be_read_in_one_way_only_tells_of_all() -> None:
    assert "decimal" not in found(MILES.replace("587", "587.5"))
    assert "decimal" not in found(MILES.replace("0,587", "0.000,587"))


def test_commas_that_may_mark_thousands_are_refused_with_both_ways_out() -> None:
    offered = seen(MILES.replace(",", "\t").replace(".", ","))
    assert offered.table is None
    assert [(way.field, way.choice.value) for way in offered.ways_out] == [
        ("decimal", "point"),
        ("decimal", "comma"),
    ]
    assert "1,212 is 1212" in offered.ways_out[0].choice.title


def test_words_among_numbers_are_offered_to_be_taken_as_unknown() -> None:
    data = (CORPUS / "bad_word_for_missing.csv").read_bytes()
    (way,) = seen(data).ways_out
    assert (way.field, way.choice.value) == ("missing", ("k. A.",))
    table = raw(data, missing=("k. A.",))
    assert np.isnan(table.values[1, 3])
    assert "Taken for unknown: 'k. A.'." in choices_in_words(Preparation(missing=("k. A.",)))


def test_a_number_that_stands_for_unknown_is_taken_out_of_the_body_alone() -> None:
    table = raw(",a,999\na,0,999\n999,999,0\n", missing=("999",))
    assert table.labels == ("a", "999")
    assert np.isnan(table.values[0, 1])


def test_the_code_page_that_was_guessed_is_told_with_names_in_others() -> None:
    square = ",Москва,Київ,Львів\nМосква,0,1,2\nКиїв,1,0,3\nЛьвів,2,3,0\n".encode("cp1251")
    question = found(square)["encoding"]
    assert question.grade == ODD
    assert "Cyrillic (Windows): Москва, Київ, Львів" in question.fact
    titles = [choice.title for choice in question.choices]
    assert len(titles) == len(set(titles)) > 2
    other = raw(square, encoding="cp1252")
    assert other.labels[0] == "Ìîñêâà"
    assert "Letters were read as Western European (Windows)." in choices_in_words(
        Preparation(encoding="cp1252")
    )


def test_nothing_is_asked_of_unicode() -> None:
    assert "encoding" not in found(",ä,ö,ü\nä,0,1,2\nö,1,0,3\nü,2,3,0\n")


FOUR = "one,other,judged,x\n" + "".join(
    f"{a},{b},{value},{extra}\n"
    for a, b, value, extra in [
        ("p", "q", 1, 5),
        ("p", "r", 2, 6),
        ("q", "r", 3, 7),
        ("p", "s", 4, 5),
    ]
)


def test_a_fourth_column_is_a_weight_only_under_a_head_that_says_so() -> None:
    assert raw(FOUR).weights is None
    question = found(FOUR)["columns"]
    assert question.grade == WRONG
    assert "x (5, 6, 7, …)" in question.fact
    titles = {choice.title: choice.value for choice in question.choices}
    weighted = raw(FOUR, roles=titles["judged holds the values, and x how much they count"])
    assert weighted.weights is not None
    other = raw(FOUR, roles=titles["x holds the values"])
    assert other.values[0, 1] == 5
    assert other.questions == ()


@pytest.mark.parametrize("head", ["weight", "Gewicht", "n", "freq"])
def test_heads_for_weights_are_known(head: str) -> None:
    table = raw(FOUR.replace(",x\n", f",{head}\n"))
    assert table.weights is not None
    assert table.questions == ()


@pytest.mark.parametrize("head", ["sd", "p-value", "RT", "SE", "trial"])
def test_what_says_how_good_a_value_is_or_how_it_came_about_is_left_out(head: str) -> None:
    table = raw(FOUR.replace(",x\n", f",{head}\n"))
    assert table.weights is None
    assert table.questions == ()
    assert f"Columns that were not read: {head}." in table.notes


def test_a_column_that_tells_repeats_of_pairs_apart_may_say_who_judged() -> None:
    lines = [
        f"{a},{b},{v},{w}"
        for w in "12"
        for a, b, v in (("p", "q", 1), ("p", "r", 2), ("q", "r", w))
    ]
    question = found("\n".join(["one,other,judged,x", *lines, ""]))["columns"]
    chosen = next(choice for choice in question.choices if "who judged" in choice.title)
    table = raw("\n".join(["one,other,judged,x", *lines, ""]), roles=chosen.value)
    assert table.format == "rater_list"
    assert table.values[1, 2] == 1.5


TWO = "\n".join(
    [",a,b,c", "a,0,1,2", "b,1,0,3", "c,2,3,0", "", ",x,y,z", "x,0,4,5", "y,4,0,6", "z,5,6,0", ""]
)


def test_of_two_tables_one_is_chosen_by_its_cells() -> None:
    question = found(TWO)["area"]
    assert question.grade == WRONG
    assert [choice.value for choice in question.choices] == ["A1:D4", "A6:D9"]
    table = raw(TWO, area="A6:D9")
    assert table.labels == ("x", "y", "z")
    assert table.questions == ()
    assert "Only the cells A6:D9 were read." in choices_in_words(Preparation(area="A6:D9"))


@pytest.mark.parametrize("corners", ["all of it", "A1", "1:3", "A1:B"])
def test_corners_that_are_none_are_refused_at_once(corners: str) -> None:
    with pytest.raises(UnknownOption, match="upper left"):
        Preparation(area=corners)


def test_an_area_with_nothing_in_it_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="nothing in the cells X1:Z9"):
        raw(TWO, area="X1:Z9")


def test_what_was_said_of_a_file_is_kept_and_repeated() -> None:
    chosen = Preparation(
        encoding="cp1251",
        decimal="comma",
        missing=("k. A.", "999"),
        area="B3:N15",
        roles=(("a", "first"), ("b", "second"), ("value", "value")),
    )
    assert Preparation.from_dict(chosen.to_dict()) == chosen
    source = Source((RawFile("miles.csv", MILES.encode()),), Preparation(decimal="comma"))
    assert source.dissimilarities().between("a", "c") == 1212
    with pytest.raises(UnknownOption):
        replace(chosen, encoding="enigma")
    with pytest.raises(UnknownOption):
        replace(chosen, roles=(("a", "somebody"),))
