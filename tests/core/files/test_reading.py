"""Files as people save them become dissimilarities and features."""

import codecs
import re

import numpy as np
import pytest

from cml_core import Dissimilarities
from cml_core.errors import (
    AsymmetricDissimilarities,
    ConditionalMappingError,
    NotNumeric,
    NotSquare,
    UnreadableFile,
)
from cml_core.files.reading import RawTable, read, read_features
from cml_core.files.reading.reader import look

EXPECTED = np.array([1.5, 2.0, 3.0])

SAME_TABLE = {
    "both labels": ",a,b,c\na,0,1.5,2\nb,1.5,0,3\nc,2,3,0\n",
    "corner named": "name,a,b,c\na,0,1.5,2\nb,1.5,0,3\nc,2,3,0\n",
    "row labels": "a,0,1.5,2\nb,1.5,0,3\nc,2,3,0\n",
    "column labels": "a,b,c\n0,1.5,2\n1.5,0,3\n2,3,0\n",
    "no labels": "0,1.5,2\n1.5,0,3\n2,3,0\n",
    "tabs": "\ta\tb\tc\na\t0\t1.5\t2\nb\t1.5\t0\t3\nc\t2\t3\t0\n",
    "semicolons and decimal commas": ";a;b;c\na;0;1,5;2\nb;1,5;0;3\nc;2;3;0\n",
    "lower triangle": ",a,b,c\na,0,,\nb,1.5,0,\nc,2,3,0\n",
    "upper triangle": ",a,b,c\na,,1.5,2\nb,,,3\nc,,,\n",
    "columns in another order": ",c,a,b\na,2,0,1.5\nb,3,1.5,0\nc,0,2,3\n",
    "blank lines, spaces, CRLF": "\r\n, a ,b, c\r\na, 0 ,1.5,2\r\n\r\nb,1.5,0,3\r\nc,2,3,0\r\n",
    "quotes": '"","a","b","c"\n"a","0","1.5","2"\n"b","1.5","0","3"\n"c","2","3","0"\n',
    "trailing delimiters": ",a,b,c,\na,0,1.5,2,\nb,1.5,0,3,\nc,2,3,0,\n",
}


def dissimilarities_in(data: bytes) -> Dissimilarities:
    table = read(data, format="square")
    assert isinstance(table, RawTable)
    return Dissimilarities.from_square(table.values, table.labels)


@pytest.mark.parametrize("text", SAME_TABLE.values(), ids=SAME_TABLE)
def test_a_square_table_is_read_however_it_was_saved(text: str) -> None:
    np.testing.assert_array_equal(dissimilarities_in(text.encode()).condensed, EXPECTED)


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_a_byte_order_mark_names_the_encoding(mark: bytes) -> None:
    encoding = {3: "utf-8", 2: "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"}
    data = mark + SAME_TABLE["both labels"].replace("a", "ä").encode(encoding[len(mark)])
    assert dissimilarities_in(data).labels == ("ä", "b", "c")


def test_text_that_is_not_unicode_is_taken_as_western() -> None:
    table = SAME_TABLE["both labels"].replace("a", "é").encode("cp1252")
    assert dissimilarities_in(table).labels[0] == "é"


def test_numbers_as_names_are_names() -> None:
    table = ",434,445,465\n434,0,1,2\n445,1,0,3\n465,2,3,0\n"
    assert dissimilarities_in(table.encode()).labels == ("434", "445", "465")


def test_words_that_pandas_takes_for_missing_can_be_names() -> None:
    table = ",NA,nan,null\nNA,0,1,2\nnan,1,0,3\nnull,2,3,0\n"
    assert dissimilarities_in(table.encode()).labels == ("NA", "nan", "null")


@pytest.mark.parametrize("word", ["", "NA", "NaN", "n/a", "?", "."])
def test_missing_values_may_be_written_in_many_ways(word: str) -> None:
    found = dissimilarities_in(f",a,b,c\na,0,{word},2\nb,{word},0,3\nc,2,3,0\n".encode())
    np.testing.assert_array_equal(found.missing, [True, False, False])


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (",a,b,c\na,0,x1,2\nb,1,0,3\nc,2,3,0\n", NotNumeric, ["Line 2", "a", "x1"]),
        (",a,b,c\na,0,1,2\nb,1,0,3\n", NotSquare, []),
        ("", UnreadableFile, ["empty"]),
        ("\n\n", UnreadableFile, ["empty"]),
        ('a,"b\n', UnreadableFile, ["quotes"]),
        ("a,b\0c", UnreadableFile, ["NUL", "Line 1"]),
        (",a,b,c\na,0,1,2\nb,9,0,3\nc,2,3,0\n", AsymmetricDissimilarities, ["d(a, b)"]),
    ],
)
def test_a_table_that_cannot_be_read_says_why(
    text: str, error: type[ConditionalMappingError], words: list[str]
) -> None:
    with pytest.raises(error) as caught:
        dissimilarities_in(text.encode())
    assert all(word in str(caught.value) for word in words)
    assert caught.value.remedy


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"PK\x03\x04abc\0", bytes(range(256))])
def test_a_file_that_is_no_table_is_refused_by_the_programs_own_error(data: bytes) -> None:
    with pytest.raises(ConditionalMappingError):
        dissimilarities_in(data)


def test_features_are_numbers_where_all_are_and_groups_elsewhere() -> None:
    table = read_features(b"name,size,sort\na,1.5,x\nb,,y\nc,2,\n")
    assert table.labels == ("a", "b", "c")
    assert [feature.kind for feature in table.features] == ["numeric", "categorical"]
    assert table["size"].shown() == [1.5, None, 2.0]
    assert table["sort"].shown() == ["x", "y", None]


def test_features_are_joined_to_dissimilarities_by_name() -> None:
    table = read_features(b"name,size\nc,3\na,1\nb,2\n")
    joined = table.for_objects(Dissimilarities.of(EXPECTED, ["a", "b", "c"]).labels)
    assert joined["size"].shown() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("text", ["name\na\n", "name,size\n", "name,size\na,1,2\n"])
def test_a_table_of_features_that_cannot_be_read_says_why(text: str) -> None:
    with pytest.raises(UnreadableFile):
        read_features(text.encode())


def test_a_look_at_what_cannot_be_opened_says_why_and_says_it_again_when_read():
    seen = look(b"PK\x03\x04 no archive", name="table.xlsx")
    assert (seen.parts, seen.formats, seen.table) == ((), (), None)
    assert repr(seen.error) in repr(seen)
    with pytest.raises(type(seen.error), match=re.escape(seen.error.fact)):
        seen.read()
