"""Tables of features as people save them."""

import io

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cml_core import Feature, FeatureTable, load_dataset
from cml_core.datasets import dataset_names
from cml_core.errors import (
    ConditionalMappingError,
    DuplicateLabels,
    TooManyObjects,
    UnreadableFile,
)
from cml_core.files.joining.inferred_kinds import FeatureChoice, chosen, inferred
from cml_core.files.reading import read_features
from cml_core.files.reading.raw import Cells, Limits
from cml_core.files.reading.table import features_of, noted_features
from cml_core.files.writing import template, written_features

SAME_TABLE = {
    "commas": "name,size,sort,day\na,1.5,x,Mon\nb,,y,Tue\nc,2,,Mon\n",
    "tabs": "name\tsize\tsort\tday\na\t1.5\tx\tMon\nb\t\ty\tTue\nc\t2\t\tMon\n",
    "decimal commas": "name;size;sort;day\na;1,5;x;Mon\nb;;y;Tue\nc;2;;Mon\n",
    "no name in the corner": ",size,sort,day\na,1.5,x,Mon\nb,NA,y,Tue\nc,2,NA,Mon\n",
    "quotes": '"name","size","sort","day"\n"a","1.5","x","Mon"\n"b","","y","Tue"\n"c",2,,Mon\n',
    "an empty column": "name,size,,sort,day\na,1.5,,x,Mon\nb,,,y,Tue\nc,2,,,Mon\n",
}


@pytest.mark.parametrize("text", SAME_TABLE.values(), ids=SAME_TABLE)
def test_features_are_read_however_they_were_saved(text: str) -> None:
    table = read_features(text.encode())
    assert table.labels == ("a", "b", "c")
    assert table.names == ("size", "sort", "day")
    assert [feature.kind for feature in table.features] == ["numeric", "categorical", "ordinal"]
    assert table["size"].shown() == [1.5, None, 2.0]
    assert table["sort"].shown() == ["x", "y", None]
    assert table["day"].values.tolist() == [0, 1, 0]


def test_a_byte_order_mark_and_another_encoding_do_no_harm() -> None:
    text = SAME_TABLE["commas"].replace("a,", "ä,")
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        assert read_features(text.encode(encoding)).labels == ("ä", "b", "c")


def test_a_sheet_of_a_workbook_is_read_by_its_name() -> None:
    book = openpyxl.Workbook()
    book.active.append(["not", "this"])
    sheet = book.create_sheet("known")
    for row in (["name", "size", "sort"], ["a", 0.1, "x"], ["b", None, "y"]):
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    table = read_features(file.getvalue(), sheet="known")
    assert table["size"].shown() == [0.1, None]
    assert table["sort"].shown() == ["x", "y"]


REFUSED = {
    "no feature": ("name\na\nb\n", UnreadableFile, ["first column"]),
    "no object": ("name,size\n", UnreadableFile, ["first row"]),
    "a cell too many": ("name,size\na,1\nb,2,3\n", UnreadableFile, ["Line 3, cell 3"]),
    "no name of an object": ("name,size\na,1\n\n,2\n", UnreadableFile, ["Line 4, cell 1"]),
    "an object twice": ("name,size\na,1\nb,2\na,3\n", DuplicateLabels, ["Line 2", "line 4", "'a'"]),
    "a feature twice": ("n,p,q,p\na,1,2,3\n", DuplicateLabels, ["cell 2", "cell 4", "'p'"]),
    "no value at all": ("name,size\na,\nb,NA\n", UnreadableFile, ["No column"]),
    "nothing": ("", UnreadableFile, ["empty"]),
    "many objects": ("n,p\n" + "".join(f"a{k},1\n" for k in range(6)), TooManyObjects, ["6", "5"]),
    "many columns": ("n,p,q,r,s\na,1,1,1,1\n", UnreadableFile, ["4 columns", "3"]),
    "a long name": ("n,p\n" + "a" * 21 + ",1\n", UnreadableFile, ["Line 2", "21", "20"]),
    "a long title": ("n," + "a" * 21 + "\nb,1\n", UnreadableFile, ["Line 1, cell 2", "21"]),
}


@pytest.mark.parametrize(("text", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_a_table_that_cannot_be_read_says_where_and_why(
    text: str, error: type[ConditionalMappingError], words: list[str]
) -> None:
    with pytest.raises(error) as caught:
        read_features(text.encode(), limits=Limits(objects=5, columns=3, label_length=20))
    assert all(word in caught.value.fact + caught.value.remedy for word in words)


def test_a_cell_of_a_sheet_is_named_as_spreadsheets_name_it() -> None:
    rows = (("n", "p"), ("a", "1"), ("a", "2"))
    with pytest.raises(DuplicateLabels, match="Cell A2 of sheet 'S' and cell A5 of sheet 'S'"):
        features_of(Cells(rows, (1, 2, 5), sheet="S"))


def test_what_was_left_out_or_taken_for_missing_is_noted() -> None:
    rows = (("n", "p", "remark", "sort", ""), ("a", "1", "", "NA", "x"), ("b", "2", "", "s", "y"))
    noted = noted_features(Cells(rows, (1, 2, 3)))
    assert noted.table.names == ("p", "sort", "column 5")
    assert noted.notes[0].endswith("'remark'.")
    assert "sort, 'NA' is taken for a missing value" in noted.notes[1]


def test_short_rows_are_filled_with_missing_values() -> None:
    table = features_of(Cells((("n", "p", "q"), ("a", "1"), ("b", "2", "y")), (1, 2, 3)))
    assert table["q"].shown() == [None, "y"]


@pytest.mark.parametrize("name", dataset_names())
def test_the_features_of_every_example_are_written_and_read_back(name: str) -> None:
    table = load_dataset(name).feature_table()
    read = read_features(written_features(table))
    assert read.labels == table.labels
    choices = [
        FeatureChoice(f.name, f.kind, f.levels if f.kind == "ordinal" else (), f.period)
        for f in table.features
    ]
    again = chosen(read, choices)
    for feature in table.features:
        assert again[feature.name].kind == feature.kind
        assert again[feature.name].shown() == feature.shown()


@pytest.mark.parametrize("key", ["features", "measurements"])
def test_the_templates_are_read_as_what_they_are(key: str) -> None:
    table = read_features(template(key))
    assert table["latitude"].kind == table["longitude"].kind == "numeric"
    assert all(feature.n_objects == 5 for feature in table.features)


FORMULAS = ("=1+1", "+a", "-a", "@SUM(A1)", "'=quoted", "a,b", 'a "b"', "a\nb", "é", "\u05d0\u05d1")


def test_texts_that_look_like_formulas_come_back_to_the_letter() -> None:
    table = FeatureTable(FORMULAS, (Feature.categorical("=sort", [*FORMULAS[1:], "@x"]),))
    read = read_features(written_features(table))
    assert read.labels == FORMULAS
    assert read["=sort"].shown() == table["=sort"].shown()


numbers = st.floats(allow_nan=False, allow_infinity=False)
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9).map(str.strip)


@pytest.mark.slow
@given(st.data())
def test_any_features_come_back_as_they_were(data: st.DataObject) -> None:
    rows = data.draw(st.integers(2, 5))
    labels = [f"object {k}" for k in range(rows)]
    quantity = data.draw(st.lists(st.none() | numbers, min_size=rows, max_size=rows))
    groups = data.draw(
        st.lists(st.sampled_from(["p q", "=r", "ü", None]), min_size=rows, max_size=rows)
    )
    columns = {"size": [np.nan if v is None else v for v in quantity], "sort": groups}
    features = []
    if any(value is not None for value in quantity):
        features.append(Feature.numeric("size", columns["size"]))
    if any(value is not None for value in groups):
        features.append(Feature.categorical("sort", groups))
    if not features:
        return
    table = FeatureTable(tuple(labels), tuple(features))
    read = read_features(written_features(table))
    assert read.names == table.names
    for feature in table.features:
        assert read[feature.name].shown() == feature.shown()


@given(st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=5), st.booleans())
def test_no_grid_raises_any_error_but_the_programs_own(rows: list[list[str]], comma: bool) -> None:
    cells = Cells(tuple(map(tuple, rows)), tuple(range(1, len(rows) + 1)), decimal_comma=comma)
    try:
        table = features_of(cells)
    except ConditionalMappingError:
        return
    assert len(table.labels) == len(rows) - 1


@given(st.binary(max_size=200))
def test_no_bytes_raise_any_error_but_the_programs_own(data: bytes) -> None:
    try:
        table = read_features(data)
    except ConditionalMappingError:
        return
    assert table.labels
    assert table.features


def test_a_choice_made_once_repeats_on_the_same_file() -> None:
    table = read_features(b"n,Sex,hour\na,1,0\nb,2,12\nc,1,23\n")
    choices = (FeatureChoice("Sex", "categorical"), FeatureChoice("hour", "circular", period=24))
    once = chosen(table, choices)
    assert once["Sex"].levels == ("1", "2")
    assert once["hour"].period == 24
    assert inferred("Sex", ["1", "2", "1"]).identity() == table["Sex"].identity()


def test_an_object_of_which_nothing_is_known_has_its_row_wherever_it_stands() -> None:
    for order in ("abcd", "bacd", "cdab"):
        values = {"a": "p", "b": "", "c": "q", "d": "q"}
        text = "Kinds of trees\nname,kind\n" + "".join(f"{one},{values[one]}\n" for one in order)
        table = read_features((text + "\nSource: a walk\n").encode())
        assert table.labels == tuple(order)
        assert dict(zip(table.labels, table["kind"].shown(), strict=True)) == {
            one: value or None for one, value in values.items()
        }
