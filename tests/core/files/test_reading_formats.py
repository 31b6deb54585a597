"""What holds for every format: limits, choices of a person, and that what is written is read."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core import FeatureTable
from cml_core.errors import (
    ConditionalMappingError,
    DuplicateLabels,
    NotNumeric,
    TooManyObjects,
    UnknownOption,
    UnreadableFile,
)
from cml_core.files.exact_csv import to_csv
from cml_core.files.reading import FORMATS, Limits, RawTable, look, parts, read, recognise
from cml_core.files.reading.numbers import number

SQUARE = b",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n"
# Names that no format takes for anything else.
LABELS = st.lists(
    st.text(st.characters(categories=["Lu", "Ll"]), min_size=1, max_size=9).filter(
        lambda name: number(name) is None
    ),
    min_size=3,
    max_size=7,
    unique=True,
)
VALUES = st.floats(0.01, 1e6)


def pairs_read(data: bytes, **choices: str) -> RawTable:
    table = read(data, **choices)
    assert isinstance(table, RawTable)
    return table


@st.composite
def squares(draw: st.DrawFn) -> tuple[list[str], np.ndarray]:
    """Names and a symmetric table with a diagonal of zeros."""
    names = draw(LABELS)
    count = len(names)
    values = np.zeros((count, count))
    for i in range(count):
        for j in range(i):
            values[i, j] = values[j, i] = draw(VALUES)
    return names, values


def phylip_of(names: list[str], values: np.ndarray) -> str:
    rows = (
        " ".join([name, *map(repr, row.tolist())]) for name, row in zip(names, values, strict=True)
    )
    return f"{len(names)}\n" + "\n".join(rows)


def orange_of(names: list[str], values: np.ndarray) -> str:
    rows = (
        "\t".join([name, *map(repr, values[k, : k + 1].tolist())]) for k, name in enumerate(names)
    )
    return f"{len(names)}\tlabelled\n" + "\n".join(rows)


def lsmat_of(names: list[str], values: np.ndarray) -> str:
    rows = (
        "\t".join([name, *map(repr, row.tolist())]) for name, row in zip(names, values, strict=True)
    )
    return "\n".join(["\t".join(["", *names]), *rows])


def triangle_of(names: list[str], values: np.ndarray) -> str:
    rows = (",".join([name, *map(repr, values[k, :k].tolist())]) for k, name in enumerate(names))
    return "\n".join(rows)


def pairs_of(names: list[str], values: np.ndarray) -> str:
    return "\n".join(
        f"{names[i]};{names[j]};{values[i, j].item()!r}"
        for i in range(len(names))
        for j in range(i)
    )


def r_dist_of(names: list[str], values: np.ndarray) -> str:
    """As R prints: names before to the left, all else to the right of columns of equal width."""
    wide = max(len(name) for name in (*names, "1" * 24))
    head = " " * wide + "".join(name.rjust(wide + 1) for name in names[:-1])
    rows = [
        names[i].ljust(wide) + "".join(repr(values[i, j].item()).rjust(wide + 1) for j in range(i))
        for i in range(1, len(names))
    ]
    return "\n".join([head, *rows])


WRITERS = {
    "square": lambda names, values: to_csv(names, names, values.tolist()),
    "phylip": phylip_of,
    "orange": orange_of,
    "lsmat": lsmat_of,
    "triangle": triangle_of,
    "pairs": pairs_of,
    "r_dist": r_dist_of,
}


@pytest.mark.parametrize("key", WRITERS)
@settings(max_examples=40)
@given(square=squares())
@pytest.mark.slow
def test_what_is_written_in_a_format_is_recognised_and_read_exactly(
    key: str, square: tuple[list[str], np.ndarray]
) -> None:
    names, values = square
    table = pairs_read(WRITERS[key](names, values).encode())
    assert table.format == key
    order = [table.labels.index(name) for name in names]
    found = table.values[np.ix_(order, order)]
    lower = np.tri(len(names), k=-1, dtype=bool)
    np.testing.assert_array_equal(found[lower], values[lower])
    given_above = found.T[lower]
    assert np.isnan(given_above).all() or np.array_equal(given_above, values[lower])


@settings(max_examples=60)
@given(squares(), st.sampled_from("\t;|, "), st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]))
def test_neither_delimiter_nor_encoding_changes_a_table(
    square: tuple[list[str], np.ndarray], delimiter: str, encoding: str
) -> None:
    names, values = square
    rows = [
        delimiter.join([name, *map(repr, row)])
        for name, row in zip(names, values.tolist(), strict=True)
    ]
    table = pairs_read("\n".join([delimiter.join(["x", *names]), *rows]).encode(encoding))
    assert table.labels == tuple(names)
    np.testing.assert_array_equal(table.values, values)


@settings(max_examples=60)
@given(squares(), st.sampled_from("\t;|"))
def test_a_decimal_comma_changes_nothing_or_is_refused(
    square: tuple[list[str], np.ndarray], delimiter: str
) -> None:
    names, values = square
    rows = [
        delimiter.join([name, *(repr(value).replace(".", ",") for value in row)])
        for name, row in zip(names, values.tolist(), strict=True)
    ]
    table = pairs_read("\n".join([delimiter.join(["", *names]), *rows]).encode())
    np.testing.assert_array_equal(table.values, values)
    assert any("Commas" in note for note in table.notes)


@pytest.mark.parametrize(
    ("cell", "comma", "expected"),
    [
        ("1.5", False, 1.5),
        ("1,5", True, 1.5),
        ("-1,5e-3", True, -0.0015),
        ("\N{MINUS SIGN}2", False, -2.0),
        ("1,5", False, None),
        ("1.5", True, None),
        ("1,234", False, None),
        ("1.234,5", True, None),
        ("1_000", False, None),
        ("0x10", False, None),
        ("1 000", False, None),
        ("9" * 500, False, None),
    ],
)
def test_a_number_is_read_in_one_way_only(cell: str, comma: bool, expected: float | None) -> None:
    assert number(cell, comma) == expected


@pytest.mark.parametrize("value", ["1e150", "-1e150"])
def test_the_largest_value_that_can_be_squared_is_read(value: str) -> None:
    table = pairs_read(SQUARE.replace(b"3", value.encode()))
    assert table.values[1, 2] == float(value)


@pytest.mark.parametrize("value", ["1.1e150", "-1e151", "inf", "-Infinity", "1e999"])
@pytest.mark.parametrize("key", ["square", "auto"])
def test_a_value_that_cannot_be_squared_is_refused_with_its_place(value: str, key: str) -> None:
    with pytest.raises((NotNumeric, UnreadableFile), match="Line 3, cell 4"):
        read(SQUARE.replace(b"3", value.encode()), format=key)


def test_a_format_that_is_asked_for_says_itself_what_is_wrong() -> None:
    with pytest.raises(NotNumeric, match="Line 2, cell 3"):
        read(SQUARE.replace(b"1", b"one"), format="square")
    with pytest.raises(DuplicateLabels, match="Line 2, cell 1 and line 3, cell 1"):
        read(SQUARE.replace(b"b", b"a"), format="square")


def test_the_error_of_the_nearest_format_stands_alone() -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(b",a,b,c\na,0,1,2\nb,1,0\nc,2,3,0\n")
    assert caught.value.fact == "Line 3 has 2 values where other lines have 3."


def test_what_was_tried_is_said_where_nothing_speaks_for_a_format() -> None:
    with pytest.raises(UnreadableFile, match=r"\(Tried as: Table of measurements\.\)"):
        read(b"x,1,2\ny,3\nz,4,5,6\nw,1\n")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (",a,b,c\na,0,1,2\nb,1,0,odd\nc,2,3,0\n", "Line 3, cell 4 (row b, column c)"),
        ("a,b,c\n0,1,2\n1,0,odd\n2,3,0\n", "Line 3, cell 3 (row b, column c)"),
        ("a,0,1,2\nb,1,0,odd\nc,2,3,0\n", "Line 2, cell 4 (row b, column c)"),
        (",c,a,b\na,2,0,1\nb,odd,1,0\nc,0,2,3\n", "Line 3, cell 2 (row b, column c)"),
        (",a,=b\na,0,odd\n=b,1,0\n", "Line 2, cell 3 (row a, column =b)"),
        ("0,1,2\n1,0,odd\n2,3,0\n", "Line 2, cell 3"),
        ("a\nb,1\nc,odd,2\nd,1,2,3\n", "Line 3, cell 2 (row c, column a)"),
        ("3\nAlpha 0 1 2\nBeta 1 0 1e999\nGamma 2 3 0\n", "value 3 (row Beta, column Gamma)"),
        ("3 labelled\na\t0\nb\t1\t0\nc\tx\t2\t0\n", "cell 2 (row c, column a)"),
    ],
)
def test_a_bad_cell_is_named_by_its_row_and_its_column(text: str, place: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(text.encode())
    assert f"{place} is " in caught.value.fact


def said_by(make: Callable[[], object]) -> str:
    """What is made, or why it is not."""
    try:
        return repr(make())
    except ConditionalMappingError as error:
        return repr(error)


LOOKED_AT = [
    SQUARE,
    b"",
    b"%PDF",
    b"x,1,2\ny,3\n",
    SQUARE.replace(b"3", b"far"),
    b"a\nb,1\nc,2,3\n",
]


@pytest.mark.parametrize("data", LOOKED_AT)
@pytest.mark.parametrize("key", ["auto", "square", "measurements"])
def test_one_look_says_the_same_as_parts_recognise_and_read(data: bytes, key: str) -> None:
    found = look(data, format=key)
    assert said_by(found.read) == said_by(lambda: read(data, format=key))
    for got, ask in ((found.parts, parts), (found.formats, recognise)):
        assert repr(got or ()) == said_by(lambda ask=ask: ask(data)) or found.error is not None


def test_numbers_that_were_read_cannot_be_written_to() -> None:
    for key in ("auto", "square", "lsmat"):
        values = pairs_read(SQUARE, format=key).values
        with pytest.raises(ValueError, match="WRITEABLE"):
            values.setflags(write=True)


def test_the_look_at_a_part_knows_of_the_others() -> None:
    archive = io.BytesIO()
    np.savez(archive, first=np.eye(3), second=np.ones((3, 3)))
    found = look(archive.getvalue(), sheet="second")
    assert found.parts == ("first", "second")
    assert found.formats == ("npz",)
    table = found.read()
    assert isinstance(table, RawTable)
    assert table.values[0, 1] == 1.0


def test_what_was_chosen_to_be_read_does_not_change_what_is_recognised() -> None:
    found = look(SQUARE, format="measurements")
    assert isinstance(found.read(), FeatureTable)
    assert found.formats == recognise(SQUARE)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UnknownOption):
        read(SQUARE, format="csv")


def test_a_person_may_take_a_square_table_for_measurements() -> None:
    assert recognise(SQUARE) == ("square", "lsmat", "measurements")
    table = read(SQUARE, format="measurements")
    assert isinstance(table, FeatureTable)
    assert table.names == ("a", "b", "c")


def test_both_directions_of_a_pair_stay_apart_and_repeated_ones_are_averaged() -> None:
    table = pairs_read(b"i,j,d,w\na,b,1,1\nb,a,5,1\na,b,4,2\nb,c,2,1\n")
    assert table.values[0, 1] == 3.0  # (1 * 1 + 4 * 2) / 3
    assert table.values[1, 0] == 5.0
    assert table.spread is not None
    assert table.spread[0, 1] == pytest.approx(np.std([1, 4], ddof=1), rel=1e-15)
    assert np.isnan(table.spread[1, 0])
    assert table.weights is not None
    assert table.weights.tolist() == [[0, 3, 0], [1, 0, 1], [0, 0, 0]]


def test_repeated_pairs_without_any_weight_count_alike() -> None:
    table = pairs_read(b"i,j,d,w\na,b,1,0\na,b,4,0\nb,c,2,1\n")
    assert table.values[0, 1] == 2.5


SMALL = Limits(bytes=10_000, objects=5, columns=4, label_length=10)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"," * 11_000, "11,000 bytes"),
        (b",".join([b"1"] * 50), "Line 1"),
        (b"\n".join([b",".join([b"1"] * 6)] * 6), "6 objects"),
        (b"6 labelled\na\t1\n", "6 objects"),
        (b"999999999999\nab 1\ncd 2\n", "objects"),
        (b"i,j,d\n" + b"".join(b"a,n%d,1\n" % k for k in range(9)), "more than 5 objects"),
        (b"name,x\n" + b"".join(b"n%d,1.5\n" % k for k in range(9)), "9 objects"),
        (b"1\n" * 500, "rows"),
        (b"name,a,b,c,d,e\nx,1,2,3,4,5\ny,1,2,3,4,6\n", "6 columns"),
        (b",abcdefghijk,b\nabcdefghijk,0,1\nb,1,0\n", "11 characters"),
    ],
)
def test_what_is_larger_than_the_limits_is_refused(data: bytes, words: str) -> None:
    with pytest.raises((TooManyObjects, UnreadableFile), match=words):
        read(data, limits=SMALL)


@pytest.mark.parametrize("delimiter", [b",", b"\t", b";", b" ", b"  ", b'","'])
def test_a_line_of_a_million_cells_is_refused_before_it_is_taken_apart(delimiter: bytes) -> None:
    with pytest.raises(TooManyObjects, match="Line 1 has more than 10,000 cells"):
        read(delimiter.join([b"1"] * 1_000_000))


def test_text_is_one_table_and_has_no_parts() -> None:
    assert parts(SQUARE) == ()


def workbook(**sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_the_layouts_are_recognised_in_the_sheets_of_a_workbook() -> None:
    data = workbook(
        Square=[[None, "a", "b"], ["a", 0, 1.5], ["b", 1.5, 0]],
        Lower=[["a"], ["b", 1.5], ["c", 2, 3]],
        Upper=[[None, "a", "b", "c"], ["a", None, 1.5, 2], ["b", None, None, 3], ["c"]],
        Pairs=[["from", "to", "d"], ["a", "b", 1.5], ["a", "c", 2], ["b", "c", 3]],
        Rows=[["name", "size", "sort"], ["a", 1.5, "x"], ["b", 2, "y"], ["c", None, "x"]],
    )
    assert parts(data) == ("Square", "Lower", "Upper", "Pairs", "Rows")
    found = [recognise(data, sheet=sheet)[0] for sheet in parts(data)]
    assert found == ["square", "triangle", "triangle", "pairs", "measurements"]
    for sheet in ("Lower", "Upper", "Pairs"):
        values = pairs_read(data, sheet=sheet).values
        np.testing.assert_array_equal(np.fmax(values, values.T)[[0, 0, 1], [1, 2, 2]], [1.5, 2, 3])


def test_a_sheet_of_words_that_comes_first_is_refused_with_the_name_of_the_one_with_pairs() -> None:
    table = [[None, "a", "b", "c"], ["a", 0, 1, 2], ["b", 1, 0, 3], ["c", 2, 3, 0]]
    data = workbook(Readme=[["Read me"], ["Written by A. Miller"]], Data=table)
    with pytest.raises(ConditionalMappingError, match="choose the sheet 'Data'") as refused:
        read(data)
    (way,) = look(data).ways_out
    assert way.choice.value == "Data"
    assert str(look(data).error) == str(refused.value)


def test_a_bad_cell_of_a_workbook_is_named_as_its_program_names_it() -> None:
    data = workbook(Sorted=[[None, "a", "b"], ["a", 0, "far"], ["b", 1.5, 0]])
    with pytest.raises(UnreadableFile, match="Cell C2 of sheet 'Sorted'"):
        read(data)


def test_arrays_are_read_by_their_own_formats_only() -> None:
    stream = io.BytesIO()
    np.save(stream, np.array([[0, 1.5, 2], [1.5, 0, 3], [2, 3, 0]]))
    data = stream.getvalue()
    assert recognise(data) == ("npy",)
    assert pairs_read(data).values[0, 1] == 1.5
    with pytest.raises(UnreadableFile, match="NumPy array"):
        read(data, format="square")
    with pytest.raises(UnreadableFile, match="a text"):
        read(SQUARE, format="npz")
    archive = io.BytesIO()
    np.savez(archive, first=np.eye(3), second=np.ones((3, 3)))
    assert parts(archive.getvalue()) == ("first", "second")
    assert pairs_read(archive.getvalue(), sheet="second").values[0, 1] == 1.0


def test_every_format_has_a_title() -> None:
    assert all(f.title[0].isupper() or f.title.startswith("scikit-bio") for f in FORMATS.values())


@pytest.mark.parametrize(
    "text",
    [
        "c(" + "1:9999999," * 50 + "1)",
        "structure(" * 5_000,
        "c(" + "-" * 100_000 + "1)",
        "c(1, nan:3)",
        '{"a":' * 100_000,
        "[[1," + "9" * 10_000 + "],[1,2]]",
        "#nexus\n" + "[" * 500_000,
        "#nexus\n" + "begin distances;" * 100_000,
        "#mega\n" + "\n" * 1_000_000 + "[1] #a",
        "\\begin{tabular}{l} a & b \\\\" + "\\begin{tabular}" * 100_000,
        "ID;P\nC;X999999;Y1;K1\n",
        "dl n=999999999\ndata:\n1",
    ],
    ids=lambda text: text[:12],
)
def test_what_is_endless_nested_or_unfinished_is_refused(text: str) -> None:
    with pytest.raises(ConditionalMappingError) as caught:
        read(text.encode(), limits=Limits(objects=3_000, columns=1_000))
    assert caught.value.remedy


def test_what_r_prints_around_the_triangle_of_daisy_is_left_aside() -> None:
    lines = (
        "> daisy(trees)",
        "Dissimilarities :",
        "          oak       ash       elm",
        "ash 0.1000000                    ",
        "elm 0.2000000 0.3000000          ",
        "fir 0.4000000 0.5000000 0.6000000",
        "",
        "Metric :  mixed ;  Types = I, I, N ",
        "Number of objects : 4",
    )
    for text in (lines, lines[1:]):
        table = pairs_read("\n".join(text).encode())
        assert table.format == "r_dist"
        assert table.labels == ("oak", "ash", "elm", "fir")
        assert table.values[3].tolist()[:3] == [0.4, 0.5, 0.6]
