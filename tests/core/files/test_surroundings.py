"""A table is found among titles, notes, counts and other tables, and nothing of it is lost."""

from __future__ import annotations

import pytest

from cml_core import FeatureTable
from cml_core.errors import ConditionalMappingError
from cml_core.files.reading import RawTable, look, read, read_features
from cml_core.files.reading.raw import place_named

SQUARE = (",a,b,c,d", "a,0,1,2,3", "b,1,0,4,5", "c,2,4,0,6", "d,3,5,6,0")


def raw(*lines: str) -> RawTable:
    table = read("\n".join((*lines, "")).encode(), name="table.csv")
    assert isinstance(table, RawTable)
    return table


def beside(before: str = "", behind: str = "") -> list[str]:
    return [f"{before}{line}{behind}" for line in SQUARE]


AROUND = {
    "a title": ["Distances between places,,,,", *SQUARE],
    "two titles and a gap": ["Distances,,,,", "As of 1888,,,,", ",,,,", *SQUARE],
    "a note below": [*SQUARE, ",,,,", "Source: an atlas,,,,"],
    "a note beside": [
        SQUARE[0] + ",",
        SQUARE[1] + ",measured twice",
        *(f"{r}," for r in SQUARE[2:]),
    ],
    "a column of numbers": [f"{k},{row}" for k, row in enumerate(SQUARE)],
    "somewhere on the sheet": [",,,,,,", ",,,,,,", *beside(",,")],
    "heads of groups": [",North,,South,", *SQUARE],
    "a column of sums": [SQUARE[0] + ",Sum", *(f"{row},9" for row in SQUARE[1:])],
}


@pytest.mark.parametrize("lines", AROUND.values(), ids=AROUND)
def test_what_stands_around_a_table_is_left_out(lines: list[str]) -> None:
    table = raw(*lines)
    assert table.labels == ("a", "b", "c", "d")
    assert table.values.tolist() == raw(*SQUARE).values.tolist()


def test_what_was_left_out_is_told_with_the_cells_that_were_read() -> None:
    (note,) = raw(*AROUND["a note below"]).notes
    assert note == "The table was found in the cells A1:E5; left out: 'Source: an atlas'."


def test_an_object_that_is_called_otherwise_above_is_not_left_out() -> None:
    lines = [line.replace(",d", ",delta") for line in SQUARE]
    with pytest.raises(ConditionalMappingError, match="delta"):
        raw(*lines)


def test_rows_of_numbers_are_never_left_out() -> None:
    with pytest.raises(ConditionalMappingError, match="Line 3"):
        read(b"0\n1 0\n2 3\n4 5 6 0\n")
    with pytest.raises(ConditionalMappingError, match="odd"):
        read(b"a,b,c\n0,1,2\n1,0,odd\n2,3,0\n")


@pytest.mark.parametrize(
    "above",
    [
        ["Xa", "Xb", "Xc", "Xd"],
        ["V1", "V2", "V3", "V4"],
        ["1", "2", "3", "4"],
        ["1. a", "2. b", "3. c", "4. d"],
    ],
    ids=lambda above: above[0],
)
def test_names_above_in_the_words_of_a_program_stand_for_the_rows(above: list[str]) -> None:
    table = raw(",".join(["", *above]), *SQUARE[1:])
    assert table.labels == ("a", "b", "c", "d")
    assert any("in the order of the rows" in note for note in table.notes)


def test_names_that_are_only_counted_say_nothing_of_a_table_that_is_not_symmetric() -> None:
    with pytest.raises(ConditionalMappingError, match="V1"):
        raw(",V1,V2,V3,V4", SQUARE[1], "b,9,0,4,5", *SQUARE[3:])


APA = [
    ",M,SD,1,2,3,4",
    "1. Age,30.5,4.1,—,,,",
    "2. Height,171,8.2,.12,—,,",
    "3. Weight,70.3,9.9,-.05,.61**,—,",
    "4. Pace,5.1,1.2,.33*,.20,.08,—",
]


@pytest.mark.parametrize("columns", [7, 6], ids=["with the last column", "without it"])
def test_correlations_as_journals_print_them_are_a_table_of_variables(columns: int) -> None:
    table = raw(*(",".join(line.split(",")[:columns]) for line in APA))
    assert table.labels == ("Age", "Height", "Weight", "Pace")
    assert table.values[2, 1] == 0.61
    assert table.values[3, 0] == 0.33
    assert any("M, SD" in note for note in table.notes)


def test_a_name_in_a_line_of_remarks_loses_its_mark() -> None:
    assert raw("# a,b,c", "0,1,2", "1,0,3", "2,3,0").labels == ("a", "b", "c")


def test_numbers_above_columns_are_no_object() -> None:
    table = read(b'"","2","3","4"\nx,1,1,1\ny,1,2,2\nz,2,3,3\n')
    assert isinstance(table, FeatureTable)
    assert table.labels == ("x", "y", "z")
    stacked = raw("level_0,level_1,0", "x,y,1", "x,z,2", "y,z,3")
    assert stacked.labels == ("x", "y", "z")


def test_measurements_whose_first_column_is_of_groups_take_names_from_another() -> None:
    table = read(b"kind,beast,legs\nbird,wren,2\nbird,owl,2\nfish,eel,0\nfish,cod,0\n")
    assert isinstance(table, FeatureTable)
    assert table.labels == ("wren", "owl", "eel", "cod")
    assert table.names == ("kind", "legs")


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("Line 3, cell 5 (row banana) is 'x'.", (3, 4)),
        ("Cell AB12 of sheet 'One' is 'x'.", (12, 27)),
        ("Line 7 has 2 cells.", (7, 0)),
        ("There is no table.", None),
    ],
)
def test_the_place_is_found_in_the_words_that_tell_it(
    words: str, place: tuple[int, int] | None
) -> None:
    assert place_named(words) == place


def test_a_refusal_comes_with_the_grid() -> None:
    seen = look(b",a,b,c\na,0,1,2\nb,1,0,odd\nc,2,odder,0\n", name="table.csv")
    assert seen.error is not None
    assert place_named(seen.error.fact) == (3, 3)
    assert seen.grid is not None
    assert seen.grid.rows[2][3] == "odd"


def test_features_are_found_below_a_title_and_without_heads() -> None:
    below = read_features(b"Facts about places,,\nname,size,kind\na,1,x\nb,2,y\nc,3,x\n")
    assert below.names == ("size", "kind")
    bare = read_features(b"a,1.5,x\nb,2.5,y\nc,0.5,x\nd,4,y\n")
    assert bare.labels == ("a", "b", "c", "d")
    assert bare["column 2"].shown() == [1.5, 2.5, 0.5, 4]
    years = read_features(b"country,1990,2000\na,1,2\nb,3,4\nc,5,6\n")
    assert years.names == ("1990", "2000")
