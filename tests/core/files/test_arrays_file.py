"""Files of arrays: what each shape means, and what is refused before memory is taken."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.spatial.distance import pdist, squareform

from cml_core.errors import (
    ConditionalMappingError,
    DuplicateLabels,
    InfiniteDissimilarities,
    NotNumeric,
    NotSquare,
    TooManyObjects,
    UnreadableFile,
    UnsuitableFeature,
)
from cml_core.files.reading.array_header import is_array_file
from cml_core.files.reading.arrays_file import array_names, read_array
from cml_core.files.reading.raw import Limits, RawTable
from cml_core.values.features import FeatureTable

GAP = np.nan
SQUARE = squareform([1.0, 2.0, 3.0])


def npy(array: object, **more: bool) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **more)  # type: ignore[arg-type]
    return stream.getvalue()


def npz(packed: bool = False, **named: object) -> bytes:
    stream = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(stream, **named)  # type: ignore[arg-type]
    return stream.getvalue()


def forged(kind: object, shape: tuple[int, ...], body: bytes = b"") -> bytes:
    """A file whose header says what it likes."""
    header = f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape!r}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body


def pairs(data: bytes, name: str = "", limits: Limits = Limits()) -> RawTable:  # noqa: B008
    found = read_array(data, name, limits)
    assert isinstance(found, RawTable)
    return found


def measured(data: bytes) -> FeatureTable:
    found = read_array(data)
    assert isinstance(found, FeatureTable)
    return found


@pytest.mark.parametrize(
    "kind", ["f2", "<f4", ">f4", "f8", ">f8", "g", "i1", "u2", ">i4", "<i8", "u8", "?"]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_kind_and_order_of_numbers_is_read(kind: str, order: str) -> None:
    values = np.arange(9).reshape(3, 3).astype(kind, order=order)  # type: ignore[call-overload]
    found = pairs(npy(values))
    np.testing.assert_array_equal(found.values, values.astype(float))
    assert found.labels == ("object 1", "object 2", "object 3")
    assert found.format == "npy"


@settings(max_examples=60)
@given(
    arrays.arrays(
        st.sampled_from([np.float64, np.float32, np.int32]),
        st.integers(1, 6).map(lambda n: (n, n)),
    ),
    st.booleans(),
)
def test_what_numpy_saves_is_read_back_or_refused_as_infinite(
    values: np.ndarray, packed: bool
) -> None:
    if np.isinf(values).any():
        with pytest.raises(InfiniteDissimilarities):
            read_array(npy(values))
        return
    for data in (npy(values), npz(packed, x=values)):
        np.testing.assert_array_equal(pairs(data).values, values.astype(np.float64))


@pytest.mark.parametrize("n", [2, 3, 4, 17])
def test_a_condensed_array_is_the_upper_triangle(n: int) -> None:
    condensed = pdist(np.random.default_rng(0).normal(size=(n, 2)))
    found = pairs(npy(condensed))
    upper = np.triu_indices(n, 1)
    np.testing.assert_array_equal(found.values[upper], condensed)
    assert np.isnan(found.values[np.tril_indices(n)]).all()


def test_a_list_of_another_length_says_which_would_fit() -> None:
    with pytest.raises(NotSquare, match=r"11 values. 5 objects .* 10 pairs, 6 would have 15"):
        read_array(npy(np.arange(11)))


def test_a_stack_is_averaged_with_its_spread() -> None:
    other = SQUARE + 2 * (SQUARE > 0)
    other[0, 1] = GAP
    found = pairs(npy([SQUARE, other]))
    assert found.values[0, 1] == SQUARE[0, 1]
    assert found.values[1, 0] == SQUARE[1, 0] + 1
    assert found.spread is not None
    assert np.isnan(found.spread[0, 1])
    # Two values that are 2 apart deviate by the root of 2, with n - 1.
    assert found.spread[1, 0] == pytest.approx(np.sqrt(2))
    assert any("2 tables, of which the mean" in note for note in found.notes)


def test_a_stack_of_tables_that_are_not_square_is_refused() -> None:
    with pytest.raises(NotSquare, match="2 tables of 3 rows and 4 columns"):
        read_array(npy(np.zeros((2, 3, 4))))


@pytest.mark.parametrize("name", ["labels", "names", "ids"])
@pytest.mark.parametrize(
    ("given_", "labels"),
    [
        (np.array(["ä", " b ", "c"]), ("ä", "b", "c")),
        (np.array([b"x", "ü".encode(), b"z"]), ("x", "ü", "z")),
        (np.array([3, 1, 2]), ("3", "1", "2")),
        (np.array([1.0, 2.5, 3.0]), ("1", "2.5", "3")),
    ],
)
def test_an_array_of_names_in_an_npz_names_the_objects(
    name: str, given_: np.ndarray, labels: tuple[str, ...]
) -> None:
    found = pairs(npz(**{name: given_, "D": SQUARE}))
    assert found.labels == labels
    assert found.format == "npz"
    assert f"named by the array {name!r}" in found.notes[0]


@pytest.mark.parametrize("labels", [["a", "b"], [["a"], ["b"], ["c"]], [1j, 2j, 3j]])
def test_names_that_do_not_fit_are_left_aside(labels: object) -> None:
    assert pairs(npz(labels=labels, D=SQUARE)).labels[0] == "object 1"


def test_names_of_another_number_are_told() -> None:
    assert "'labels' has 2" in pairs(npz(labels=["a", "b"], D=SQUARE)).notes[0]


def test_names_that_repeat_or_are_endless_are_refused() -> None:
    with pytest.raises(DuplicateLabels):
        read_array(npz(labels=["a", "a", "b"], D=SQUARE))
    with pytest.raises(UnreadableFile, match="name of 2000 characters"):
        read_array(npz(labels=["a" * 2000, "b", "c"], D=SQUARE))


def test_a_table_that_is_not_square_holds_measurements() -> None:
    values = np.array([[1.0, 2], [3, GAP], [5, 6]])
    table = measured(npy(values))
    assert table.names == ("column 1", "column 2")
    np.testing.assert_array_equal(table["column 2"].values, [2, GAP, 6])
    named = measured(npz(x=values, columns=["size", "age"], ids=["p", "q", "r"]))
    assert (named.names, named.labels) == (("size", "age"), ("p", "q", "r"))


def test_an_empty_column_of_measurements_is_refused_by_name() -> None:
    with pytest.raises(UnsuitableFeature, match="column 2 has no value"):
        read_array(npy([[1.0, GAP], [2.0, GAP], [3.0, GAP]]))


def test_arrays_are_chosen_by_name_by_default_the_first_that_may_be_a_table() -> None:
    data = npz(note=np.array("text"), labels=["a", "b", "c"], one=SQUARE, two=2 * SQUARE)
    assert array_names(data) == ("one", "two")
    assert pairs(data).values[0, 1] == SQUARE[0, 1]
    assert pairs(data, "two").values[0, 1] == 2 * SQUARE[0, 1]
    with pytest.raises(UnreadableFile, match=r"no array called 'three'.*one, two"):
        read_array(data, "three")
    assert array_names(npy(SQUARE)) == ()


def test_files_of_arrays_are_recognised() -> None:
    assert is_array_file(npy(SQUARE))
    assert is_array_file(npz(x=SQUARE))
    assert not is_array_file(b"1,2,3")
    with pytest.raises(UnreadableFile, match="no file of arrays"):
        read_array(b"1,2,3")
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    for data in (empty.getvalue(), npz()):
        with pytest.raises(UnreadableFile):
            read_array(data)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        (SQUARE + 1j, NotNumeric, "complex numbers"),
        ([["a", "b"], ["c", "d"]], NotNumeric, "texts"),
        (np.zeros((2, 2), "M8[s]"), NotNumeric, "dates"),
        (np.zeros(3, [("a", "f8")]), UnreadableFile, "named fields"),
        (np.float64(3), NotSquare, r"the shape \(\)"),
        (np.zeros((0, 3)), NotSquare, r"the shape \(0, 3\)"),
        (np.zeros((2, 2, 2, 2)), NotSquare, r"\(2, 2, 2, 2\)"),
        ([[0, 1], [np.inf, 0]], InfiniteDissimilarities, "row 2, column 1"),
        ([1, -np.inf, 2], InfiniteDissimilarities, "place 2"),
        ([[[0, 1], [np.inf, 0]]], InfiniteDissimilarities, "rater 1, row 2, column 1"),
    ],
)
def test_what_holds_no_table_is_refused_with_the_reason(
    values: object, error: type[ConditionalMappingError], words: str
) -> None:
    with pytest.raises(error, match=words):
        read_array(npy(values))


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_a_pickled_array_is_refused_and_never_run(tmp_path: Path) -> None:
    path = tmp_path / "run"
    array = np.array([Trap(path)], dtype=object)
    pickled = npy(array, allow_pickle=True)
    for data in (pickled, npz(x=array), npz(D=SQUARE, labels=array), pickle.dumps(Trap(path))):
        with pytest.raises(UnreadableFile):
            read_array(data)
    with pytest.raises(UnreadableFile, match="pickled Python objects"):
        read_array(pickled)
    assert not path.exists()
    pickle.loads(pickle.dumps(Trap(path)))
    assert path.exists()  # The trap does snap where it is let.


NESTED = b"\x93NUMPY\x01\x00" + struct.pack("<H", 60_000) + b"(" * 60_000
HOSTILE = {
    "a trillion entries": (forged("<f8", (10**6, 10**6)), "at most 10000"),
    "a trillion in a list": (forged("<f8", (10**12,)), "at most 10000"),
    "a table beyond its file": (forged("<f8", (2000, 2000)), "only 0 are there"),
    "measurements beyond their file": (forged("<f8", (9999, 9998)), "comes to"),
    "a negative size": (forged("<f8", (-1, 5)), "the shape"),
    "a truth for a size": (forged("<f8", (True, True)), "the shape"),
    "nothing, endlessly": (forged("<f8", (0, 10**12)), "the shape"),
    "endless texts": (forged("<U100000000", (10**6,)), "texts|cannot be read"),
    "texts of no length": (forged("<U0", (10**6,)), "named fields"),
    "endless records": (forged([("a", "<f8", (10**8,))], (3,)), "named fields|cannot be read"),
    "an object": (forged("|O", (3, 3), pickle.dumps([1])), "pickled"),
    "nested brackets": (NESTED, "header that cannot be read"),
    "an endless header": (
        b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + b"{" * 99,
        "header",
    ),
    "another version": (b"\x93NUMPY\x09\x00" + bytes(99), "header"),
    "named fields": (b"\x93NUMPY\x03\x00" + bytes(99), "header"),
    "only the magic": (b"\x93NUMPY", "header"),
    "code for a kind": (forged("__import__('os')", (3, 3)), "header"),
    "cut short": (npy(SQUARE)[:-1], "cut short"),
    "two arrays": (npy(SQUARE) * 2, "one array in an .npy"),
    "a cut archive": (npz(x=SQUARE)[:-30], "cut short or damaged"),
    "a bomb": (npz(True, x=np.zeros((2500, 2500))), "would unpack from"),
    "a bomb of truths": (npz(True, x=np.zeros(9_000_000, dtype=bool)), "comes to 144.0 MB"),
    "a crowd": (npy(np.zeros((2000, 2, 2))), "stack of 2000 tables"),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_arrays_are_refused_in_words_and_before_memory_is_taken(
    name: str, memory_below: Callable[[int], AbstractContextManager[None]]
) -> None:
    data, words = HOSTILE[name]
    with memory_below(30_000_000), pytest.raises(ConditionalMappingError, match=words) as caught:
        read_array(data)
    assert caught.value.remedy


def test_limits_of_bytes_objects_and_columns_are_said() -> None:
    with pytest.raises(UnreadableFile, match="comes to"):
        read_array(npy(SQUARE), limits=Limits(bytes=100))
    with pytest.raises(TooManyObjects, match="3 objects; at most 2"):
        read_array(npy(SQUARE), limits=Limits(objects=2))
    with pytest.raises(TooManyObjects, match="3 objects; at most 2"):
        read_array(npy([1.0, 2.0, 3.0]), limits=Limits(objects=2))
    with pytest.raises(UnreadableFile, match="4 columns; at most 3"):
        read_array(npy(np.zeros((2, 4))), limits=Limits(columns=3))


@settings(max_examples=150)
@given(st.data())
def test_a_damaged_file_raises_nothing_but_the_programs_own_error(data: st.DataObject) -> None:
    whole = data.draw(
        st.sampled_from([npy(SQUARE), npz(x=SQUARE, labels=["a", "b", "c"]), npz(True, x=SQUARE)])
    )
    file = bytearray(whole)
    place = data.draw(st.integers(0, len(file) - 1))
    file[place : place + data.draw(st.integers(0, 20))] = data.draw(st.binary(max_size=8))
    try:
        found = read_array(bytes(file))
    except ConditionalMappingError:
        return
    assert isinstance(found, RawTable | FeatureTable)


def test_an_array_of_python_2_is_read() -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 3L), }\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + SQUARE.tobytes()
    np.testing.assert_array_equal(pairs(data).values, SQUARE)
