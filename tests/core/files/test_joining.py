"""Features are joined by label, and the report says how."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cml_core import Feature, FeatureTable
from cml_core.errors import DuplicateLabels, LabelMismatch
from cml_core.files.joining.by_name import joined, named_like
from cml_core.files.joining.similar_names import ALIKE, folded, most_alike, why_alike

OBJECTS = ("Aunt", "Brother", "Cousin", "Daughter")


def table(*labels: str) -> FeatureTable:
    """A number and a group for each row, both different everywhere."""
    return FeatureTable(
        labels,
        (
            Feature.numeric("place", np.arange(1.0, len(labels) + 1)),
            Feature.categorical("name", [f"row {label}" for label in labels]),
        ),
    )


def test_rows_go_to_the_objects_of_their_name_in_the_order_of_the_objects() -> None:
    join = joined(table("Daughter", "Aunt", "Cousin", "Brother"), OBJECTS)
    assert join.table.labels == OBJECTS
    assert join.table["place"].shown() == [2, 4, 3, 1]
    assert join.exact == OBJECTS
    assert join.report == ("4 of 4 objects have a row of exactly their name.",)
    alone = joined(table("Aunt", "Nobody"), OBJECTS)
    assert alone.report[0] == "1 of 4 objects has a row of exactly its name."


NEAR = {
    "blanks around": (" Aunt ", "Aunt", "only blanks differ"),
    "blanks inside": ("Great  Aunt", "Great Aunt", "only blanks differ"),
    "underscores": ("Great_Aunt", "Great Aunt", "only blanks differ"),
    "a blank that does not break": ("Great\u00a0Aunt", "Great Aunt", "the coding of letters"),
    "a mark that is not seen": ("\ufeffAunt", "Aunt", "only blanks differ"),
    "capitals": ("AUNT", "Aunt", "only capitals differ"),
    "sharp s": ("STRASSE", "Straße", "only capitals differ"),
    "accents": ("Rene", "René", "only accents differ"),
    "composed accents": ("Rene\u0301", "René", "the coding of letters"),
    "apostrophes": ("Aunt’s", "Aunt's", "only quotation marks differ"),
    "quotes around": ("“Aunt”", "Aunt", "only quotation marks differ"),
    "a mark of text": ("'-Aunt", "-Aunt", "only quotation marks differ"),
    "dashes": ("Great–Aunt", "Great-Aunt", "only dashes differ"),
    "wide letters": ("\uff21unt", "Aunt", "the coding of letters"),
    "two at once": ("aunt ", "Aunt", "only blanks and capitals differ"),
    "three at once": (" RENE", "René", "only blanks, accents and capitals differ"),
}


@pytest.mark.parametrize(("given_name", "meant", "why"), NEAR.values(), ids=NEAR)
def test_a_row_whose_name_nearly_is_an_objects_is_used_and_reported(
    given_name: str, meant: str, why: str
) -> None:
    join = joined(table("Cousin", given_name), ("Cousin", meant))
    assert join.table["place"].shown() == [1, 2]
    (match,) = join.near
    assert (match.given, match.object) == (given_name, meant)
    assert why in match.why
    assert repr(meant) in join.report[1]


def test_the_same_name_goes_before_a_similar_one() -> None:
    join = joined(table("AUNT", "Aunt", "Cousin"), ("Aunt", "Cousin"))
    assert join.exact == ("Aunt", "Cousin")
    assert join.table["place"].shown() == [2, 3]
    assert join.unused == ("AUNT",)


@pytest.mark.parametrize(
    ("rows", "objects"),
    [(("aunt", "AUNT", "Cousin"), ("Aunt", "Cousin")), (("AUNT", "Cousin"), ("Aunt", "aunt"))],
)
def test_where_several_are_alike_none_is_used(rows: tuple[str], objects: tuple[str]) -> None:
    join = joined(table(*rows, "Son"), (*objects, "Son"))
    assert join.near == ()
    assert join.suggestions == ()
    assert len(join.ambiguous) == 1
    assert set(join.ambiguous[0][0]) <= set(join.unused)
    assert set(join.ambiguous[0][1]) <= set(join.without_row)
    assert "not clear" in join.report[1]


def test_a_suggestion_is_used_only_once_it_is_accepted() -> None:
    rows = table("Ant", "Brother", "Cousin", "Daugther")
    join = joined(rows, OBJECTS)
    assert {(m.given, m.object) for m in join.suggestions} == {
        ("Ant", "Aunt"),
        ("Daugther", "Daughter"),
    }
    assert join.table["place"].shown() == [None, 2, 3, None]
    again = joined(rows, OBJECTS, {"Ant": "Aunt"})
    assert again.table["place"].shown() == [1, 2, 3, None]
    assert [match.given for match in again.accepted] == ["Ant"]
    assert any("as you said" in line for line in again.report)


def test_what_a_person_said_goes_before_the_same_name() -> None:
    join = joined(table("Aunt", "Other"), ("Aunt", "Cousin"), {"Other": "Aunt"})
    assert join.table["place"].shown() == [2, None]
    assert join.unused == ("Aunt",)


@pytest.mark.parametrize(
    ("accepted", "word"),
    [
        ({"Ant": "Unlce"}, "'Unlce'"),
        ({"Auntie": "Aunt"}, "'Auntie'"),
        ({"Ant": "Aunt", "Brother": "Aunt"}, "More than one"),
    ],
)
def test_an_acceptance_that_cannot_be_is_refused(accepted: dict[str, str], word: str) -> None:
    with pytest.raises(LabelMismatch, match=word):
        joined(table("Ant", "Brother"), OBJECTS, accepted)


def test_names_with_other_numbers_are_never_suggested() -> None:
    join = joined(table("Brand 1", "Brand 10"), ("Brand 1", "Brand 11"))
    assert join.suggestions == ()
    assert join.without_row == ("Brand 11",)
    assert join.unused == ("Brand 10",)


def test_each_name_is_in_one_suggestion_at_most() -> None:
    join = joined(table("Grandmothr", "Grandmothe", "Son"), ("Grandmother", "Son"))
    assert len(join.suggestions) == 1


def test_objects_without_a_row_have_missing_values_and_are_told() -> None:
    join = joined(table("Brother", "Zebra"), OBJECTS)
    assert join.table["place"].shown() == [None, 1, None, None]
    assert join.without_row == ("Aunt", "Cousin", "Daughter")
    assert join.unused == ("Zebra",)
    assert "1 of 4" in join.report[0]
    assert any("'Aunt', 'Cousin', 'Daughter'" in line for line in join.report)
    assert any("'Zebra'" in line for line in join.report)
    assert all(line.endswith(".") for line in join.report)


def test_a_feature_without_any_value_for_these_objects_is_left_out_and_told() -> None:
    rows = FeatureTable(
        ("Aunt", "Zebra"),
        (Feature.numeric("age", [40, 3]), Feature.numeric("stripes", [np.nan, 9])),
    )
    join = joined(rows, OBJECTS)
    assert join.table.names == ("age",)
    assert join.dropped == ("stripes",)
    assert "'stripes'" in join.report[-1]


def test_groups_and_orders_survive_the_join_without_groups_of_absent_objects() -> None:
    rows = FeatureTable(
        ("Zebra", "Brother", "Aunt"),
        (
            Feature.categorical("sort", ["animal", "man", "woman"]),
            Feature.ordinal("age", ["old", "young", "old"], ["young", "mid", "old"]),
            Feature.circular("hour", [1, 2, 3], 24),
        ),
    )
    found = joined(rows, OBJECTS).table
    assert found["sort"].levels == ("man", "woman")
    assert found["sort"].shown() == ["woman", "man", None, None]
    assert found["age"].levels == ("young", "mid", "old")
    assert found["hour"].period == 24


def test_tables_with_nothing_in_common_are_refused_with_examples_of_both() -> None:
    with pytest.raises(LabelMismatch) as caught:
        joined(table("x1", "x2"), OBJECTS)
    assert "'Aunt'" in caught.value.fact
    assert "'x1'" in caught.value.fact


def test_a_table_that_lies_on_its_side_is_recognised() -> None:
    rows = FeatureTable(
        ("age", "sex"), (Feature.numeric("Aunt", [1, 2]), Feature.numeric("Cousin", [1, 2]))
    )
    with pytest.raises(LabelMismatch) as caught:
        joined(rows, OBJECTS)
    assert "Turn the table" in caught.value.remedy


def test_two_objects_of_one_name_are_refused() -> None:
    with pytest.raises(DuplicateLabels):
        joined(table("Aunt"), ("Aunt", "Aunt"))


def test_braces_and_long_names_do_no_harm_to_the_report() -> None:
    odd = ("{given!r} {0}", "n" * 300, "\u202eright to left")
    join = joined(table(*(name + " " for name in odd)), odd)
    assert len(join.near) == 3
    assert all(line.endswith(".") for line in join.report)


def test_many_matches_are_told_in_few_sentences() -> None:
    names = tuple(f"name {k}" for k in range(40))
    join = joined(table(*(name.upper() for name in names)), names)
    assert len(join.near) == 40
    assert len(join.report) == 7
    assert "35 more" in join.report[-1]


names = st.text(min_size=1, max_size=8)


@given(st.lists(names, min_size=1, max_size=8, unique=True), st.randoms(use_true_random=False))
def test_a_join_by_name_does_not_depend_on_the_order_of_rows(
    labels: list[str], random: object
) -> None:
    shuffled = list(labels)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    join = joined(table(*shuffled), labels)
    assert join.exact == tuple(labels)
    assert join.table["place"].shown() == [shuffled.index(name) + 1 for name in labels]


@given(
    st.lists(names, min_size=1, max_size=8, unique=True),
    st.lists(names, min_size=1, max_size=8, unique=True),
)
def test_every_row_and_every_object_has_exactly_one_fate(
    rows: list[str], objects: list[str]
) -> None:
    try:
        join = joined(table(*rows), objects)
    except LabelMismatch:
        assert not set(rows) & set(objects)
        return
    used = [*join.exact, *(match.given for match in join.near)]
    assert sorted([*used, *join.unused]) == sorted(rows)
    served = [*join.exact, *(match.object for match in join.near)]
    assert sorted([*served, *join.without_row]) == sorted(objects)
    for match in join.near:
        assert folded(match.given) == folded(match.object)
        assert match.why == why_alike(match.given, match.object)
    assert {match.given for match in join.suggestions} <= set(join.unused)
    assert {match.object for match in join.suggestions} <= set(join.without_row)


@given(names)
def test_a_folded_name_does_not_mind_how_letters_are_coded(name: str) -> None:
    decomposed = unicodedata.normalize("NFD", name)
    assert folded(decomposed) == folded(unicodedata.normalize("NFC", name))


@pytest.mark.slow
def test_thousands_of_misspelt_names_find_their_objects() -> None:
    random = np.random.default_rng(3)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    objects = list(dict.fromkeys("".join(random.choice(letters, 12)) for _ in range(2000)))
    rows = [name[:5] + "é-" + name[5:] for name in objects]
    join = joined(table(*rows), objects)
    assert [(match.given, match.object) for match in join.suggestions] != []
    assert all(match.given.replace("é-", "") == match.object for match in join.suggestions)
    assert len(join.suggestions) == len(objects)


def test_what_is_less_alike_than_the_limit_is_no_suggestion() -> None:
    assert most_alike(["abcdefgh"], ["abxxxxxx"]) == []
    assert most_alike([], ["a"]) == most_alike(["a"], []) == []
    assert most_alike(["abcdefgh"], ["abcdefxy"]) == [(0, 0)]
    # Twice the six letters in common over the sixteen in all.
    assert ALIKE <= 2 * 6 / 16


def test_a_column_of_names_takes_the_place_of_row_numbers() -> None:
    table = FeatureTable(
        ("1", "2", "3"),
        (
            Feature.categorical("place", ["Oslo", "Rome", "Bern"]),
            Feature.numeric("size", [1.0, 2.0, 3.0]),
        ),
    )
    named = named_like(table, ("Rome", "Oslo"))
    assert named.column == "place"
    assert named.table.names == ("size",)
    assert joined(named.table, ("Rome", "Oslo")).table["size"].shown() == [2.0, 1.0]
    assert named_like(table, ("Rome", "Paris")).column == ""
    assert named_like(table, ("1", "2")).column == ""
