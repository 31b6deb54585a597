"""What is written in a format is read back: the same names, the same bits, the same gaps."""

from __future__ import annotations

import csv
import io
import zipfile

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core import Dissimilarities, load_dataset
from cml_core.datasets import dataset_names
from cml_core.errors import ConditionalMappingError, UnknownOption
from cml_core.files.reading import read
from cml_core.files.reading.raw import RawTable
from cml_core.files.writing import TEMPLATES, WRITERS, formats_for, template, written
from cml_core.files.writing.example import CITIES, KILOMETRES, LATITUDES, LONGITUDES
from cml_core.files.writing.names import as_phylip_names
from cml_core.values.arrays import pair_count
from cml_core.values.features import FeatureTable

SPREADSHEETS = ("csv", "semicolons", "tsv", "triangle", "pairs", "xlsx")
# What the reader calls a format where it is not what the writer calls it.
READ_AS = {"csv": "square", "semicolons": "square", "tsv": "square", "xlsx": "square"}
NAMELESS = "npy"


def expected_labels(dissimilarities: Dissimilarities, key: str) -> tuple[str, ...]:
    if key == NAMELESS:
        return tuple(f"object {k + 1}" for k in range(dissimilarities.n_objects))
    if key == "phylip":
        return tuple(as_phylip_names(dissimilarities.labels))
    return dissimilarities.labels


def assert_read_back(dissimilarities: Dissimilarities, key: str, read_as: str = "auto") -> None:
    data = written(dissimilarities, key)
    raw = read(data, name=f"table{WRITERS[key].extension}", format=read_as)
    assert isinstance(raw, RawTable)
    assert raw.labels == expected_labels(dissimilarities, key)
    again = Dissimilarities.from_square(raw.values, raw.labels)
    np.testing.assert_array_equal(again.condensed, dissimilarities.condensed.astype(np.float64))


def some(labels: tuple[str, ...], seed: int = 0, gaps: int = 0) -> Dissimilarities:
    """Numbers that need all their digits, the last pairs missing."""
    random = np.random.default_rng(seed)
    values = random.lognormal(0, 5, pair_count(len(labels)))
    values[values.size - gaps :] = np.nan
    return Dissimilarities.from_condensed(values, labels)


@pytest.mark.parametrize("key", WRITERS)
@pytest.mark.parametrize("name", dataset_names())
@pytest.mark.slow
def test_every_example_is_read_back_exactly_from_every_format(name: str, key: str) -> None:
    assert_read_back(load_dataset(name).values(), key)


@pytest.mark.parametrize("key", WRITERS)
def test_a_file_is_recognised_as_what_it_was_written_as(key: str) -> None:
    raw = read(template(key), name=f"x{WRITERS[key].extension}")
    assert isinstance(raw, RawTable)
    assert raw.format == READ_AS.get(key, key)


@pytest.mark.parametrize("key", WRITERS)
def test_every_template_holds_the_five_cities(key: str) -> None:
    raw = read(template(key), name=f"x{WRITERS[key].extension}")
    assert isinstance(raw, RawTable)
    assert raw.labels == (CITIES if key != NAMELESS else tuple(f"object {k}" for k in range(1, 6)))
    found = Dissimilarities.from_square(raw.values, raw.labels).condensed
    np.testing.assert_array_equal(found, KILOMETRES)


@pytest.mark.parametrize("key", ["features", "measurements"])
def test_templates_of_tables_are_read_as_tables(key: str) -> None:
    found = read(template(key), name="x.csv", format="measurements")
    assert isinstance(found, FeatureTable)
    assert found.labels == CITIES


def test_the_cities_are_as_far_apart_as_their_places_on_the_globe() -> None:
    latitude, longitude = np.radians(LATITUDES), np.radians(LONGITUDES)
    places = np.column_stack(
        [
            np.cos(latitude) * np.cos(longitude),
            np.cos(latitude) * np.sin(longitude),
            np.sin(latitude),
        ]
    )
    angles = np.arccos(np.clip(places @ places.T, -1, 1))
    # Kilometres are rounded to whole ones.
    np.testing.assert_allclose(6371 * angles[np.triu_indices(5, 1)], KILOMETRES, atol=0.5)


@pytest.mark.parametrize("key", WRITERS)
def test_every_writer_is_described(key: str) -> None:
    writer = WRITERS[key]
    assert writer.key == key
    assert writer.about.endswith(".")
    assert writer.extension.startswith(".")
    assert "/" in writer.mime
    assert set(TEMPLATES) == {*WRITERS, "features", "measurements", "ratings", "sorting"}


@pytest.mark.parametrize(("key", "read_as"), [("ratings", "rater_list"), ("sorting", "sorting")])
def test_templates_of_people_are_recognised_and_keep_them_apart(key: str, read_as: str) -> None:
    table = read(template(key))
    assert isinstance(table, RawTable)
    assert (table.format, table.labels) == (read_as, CITIES)
    assert table.by_person is not None
    assert table.by_person.people == ("Anna", "Otto", "Zoe")


@pytest.mark.parametrize("key", WRITERS)
def test_the_same_data_give_the_same_bytes(key: str) -> None:
    data = some(CITIES)
    assert written(data, key) == written(data, key)


HOLD_GAPS = set(WRITERS) - {"phylip", "lsmat"}


@pytest.mark.parametrize("key", WRITERS)
def test_missing_pairs_stay_missing_or_the_format_is_not_offered(key: str) -> None:
    gappy = some(CITIES, gaps=2)
    assert (key in formats_for(gappy)) == (key in HOLD_GAPS)
    if key in HOLD_GAPS:
        assert_read_back(gappy, key)
        return
    with pytest.raises(UnknownOption) as caught:
        written(gappy, key)
    assert "d(Berlin, Rome) is missing" in caught.value.fact
    assert WRITERS["csv"].title in caught.value.remedy


@pytest.mark.parametrize("key", sorted(HOLD_GAPS))
def test_gaps_at_the_beginning_change_neither_order_nor_names(key: str) -> None:
    values = np.arange(1.0, 11.0)
    values[[0, 1, 4]] = np.nan
    assert_read_back(Dissimilarities.from_condensed(values, CITIES), key)


def test_single_precision_is_written_as_the_numbers_it_stands_for() -> None:
    values = np.array([0.1, 0.2, 0.25], dtype=np.float32)
    assert_read_back(Dissimilarities.from_condensed(values, ("a", "b", "c")), "csv")


@pytest.mark.parametrize("key", ["square", "", "CSV", None])
def test_an_unknown_format_is_refused_with_those_there_are(key: object) -> None:
    with pytest.raises(UnknownOption, match="'phylip'"):
        written(some(CITIES), key)  # type: ignore[arg-type]
    with pytest.raises(UnknownOption, match="'measurements'"):
        template(key)  # type: ignore[arg-type]


AWKWARD = {
    "formulas": ("=1+1", "+a", "-b", "@SUM(A1)", "'=quoted", "=cmd|' /C calc'!A0"),
    "marks": ("a,b", "c;d", 'e "f"', "g'h", "i|j", "#k"),
    "tabs and line breaks": ("a\tb", "c\nd", "e\n\nf", "g"),
    "long": tuple(letter * 300 for letter in "abcd"),
    "right to left": ("\u05d0\u05d1", "\u0627\u0644", "\u202eabc", "d"),
    "blanks": ("Brand 1", "Brand 2", "Grief at death", "b c"),
    "blanks in short names": ("Brand 1", "Brand 2", "b c", "12 3"),
    "numbers": ("434", "445", "465", "472"),
    "numbers with points": ("1.5", "2.5", "0.5", "-1"),
    "signs of missing": ("NA", "nan", "null", "?"),
    "xml": ("<a>", "&amp;", "]]>", "b"),
    "accents": ("é", "e\u0301", "ß", "\U0001f600"),
    "prompts of R": ("> a", "+ b", "c", "d"),
    "words of headers": ("object", "first", "dissimilarity", "labels"),
}


@pytest.mark.parametrize("key", WRITERS)
@pytest.mark.parametrize("labels", AWKWARD.values(), ids=AWKWARD)
def test_awkward_names_come_back_or_the_format_is_not_offered(
    labels: tuple[str, ...], key: str
) -> None:
    data = some(labels)
    if key in formats_for(data):
        assert_read_back(data, key, READ_AS.get(key, key))
    else:
        with pytest.raises(UnknownOption):
            written(data, key)


@pytest.mark.parametrize("labels", AWKWARD.values(), ids=AWKWARD)
def test_formats_with_quotes_hold_every_awkward_name(labels: tuple[str, ...]) -> None:
    refused = set(SPREADSHEETS) - set(formats_for(some(labels)))
    assert refused == ({"semicolons"} if "1.5" in labels else set())


@pytest.mark.parametrize("key", SPREADSHEETS)
def test_a_name_that_begins_like_a_formula_stands_as_it_is(key: str) -> None:
    names = AWKWARD["formulas"]
    data = written(some(names), key)
    if key == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(data))
        cells = [cell for row in book.active.rows for cell in row]
        # Typed as a text: no spreadsheet runs it.
        assert all(cell.data_type in "sn" for cell in cells)
        texts = [cell.value for cell in cells if cell.data_type == "s"]
    else:
        delimiter = {"semicolons": ";", "tsv": "\t"}.get(key, ",")
        rows = csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=delimiter)
        texts = [cell for row in rows for cell in row]
    assert set(names) <= set(texts)


def test_names_that_would_become_the_same_are_not_written_as_phylip() -> None:
    data = some(("a long name of two", "a_long_name_of_two", "c"))
    assert "phylip" not in formats_for(data)
    assert written(some(("a long name of two", "b", "c")), "phylip").split()[1] == (
        b"a_long_name_of_two"
    )


def test_a_character_that_is_no_text_is_refused_by_text_formats_only() -> None:
    data = some(("a\ud800", "b", "c"))
    assert set(formats_for(data)) == {"npy", "npz"}


@pytest.mark.parametrize(
    ("names", "keys", "held"),
    [
        (("a\rb", "c", "d"), set(WRITERS), {"xlsx", "npy", "npz"}),
        (("", "b", "c"), {"r_dist", "phylip", "lsmat", "orange"}, set()),
        (("a\x01", "b", "c"), {"xlsx"}, set()),
        (("a\0", "b", "c"), set(WRITERS), {"npy"}),
        (("n" * 32_767, "b", "c"), {"xlsx"}, set()),
        (("n" * 50_000, "b", "c"), {"r_dist"}, set()),
    ],
)
def test_a_name_is_offered_only_the_formats_that_can_hold_it(
    names: tuple[str, ...], keys: set[str], held: set[str]
) -> None:
    assert keys & set(formats_for(some(names))) == held


def test_more_objects_than_a_sheet_has_columns_are_not_written_as_a_workbook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cml_core.files.writing.workbook.MOST_COLUMNS", 5)
    assert "xlsx" not in formats_for(some(CITIES))
    assert "xlsx" in formats_for(some(CITIES[:4]))


def test_an_archive_of_arrays_opens_in_numpy_without_pickles() -> None:
    data = some(CITIES)
    archive = np.load(io.BytesIO(written(data, "npz")), allow_pickle=False)
    np.testing.assert_array_equal(archive["dissimilarities"], data.square())
    assert tuple(archive["labels"]) == CITIES


def test_a_workbook_opens_in_a_common_library_with_all_its_digits() -> None:
    data = some(CITIES)
    sheet = openpyxl.load_workbook(io.BytesIO(written(data, "xlsx"))).active
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0] == ("object", *CITIES)
    np.testing.assert_array_equal(np.array([row[1:] for row in rows[1:]]), data.square())
    assert zipfile.ZipFile(io.BytesIO(written(data, "xlsx"))).testzip() is None


values = st.one_of(
    st.floats(1e-140, 1e140), st.floats(0, 10), st.integers(0, 10**6).map(float), st.just(0.0)
)
anything = st.characters(codec="utf-8", exclude_characters="\0")
troublesome = st.sampled_from("=+-@'\"`,;.:|#>_ \t\n\r\u00a0\u200b\ufeff0159eENanx")
# Readers take blanks off the ends of names.
labels = (
    (st.text(anything, max_size=12) | st.text(troublesome, max_size=6)).map(str.strip).filter(bool)
)


@pytest.mark.parametrize("key", SPREADSHEETS)
def test_names_of_many_lines_are_read_back_or_refused(key: str) -> None:
    assert_read_back(some(("0", "00", "0\n0\n0")), key, READ_AS.get(key, key))
    with_blanks = some(("0", "00", "0\n\x0c\n0"))
    assert key not in formats_for(with_blanks)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data(), st.sampled_from(list(WRITERS)))
def test_whatever_can_be_written_is_read_back_exactly(data: st.DataObject, key: str) -> None:
    names = data.draw(st.lists(labels, min_size=3, max_size=6, unique=True))
    size = pair_count(len(names))
    each = values | st.just(np.nan) if data.draw(st.booleans()) else values
    numbers = data.draw(st.lists(each, min_size=size, max_size=size))
    try:
        drawn = Dissimilarities.from_condensed(numbers, names)
    except ConditionalMappingError:
        return
    if key in formats_for(drawn):
        assert_read_back(drawn, key, READ_AS.get(key, key))
