"""Tables of very many objects: lists and dates in columns, buyers from a seed, what is likely."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from cml_core import Measurements
from cml_core.errors import UnknownFeature, UnreadableFile, UnsuitableMeasurements
from cml_core.many import text_tables
from cml_core.many.origins import Whence
from cml_core.many.sight import sight
from cml_core.many.text_tables import to_arrow
from cml_core.values.rows.arrow import ArrowRows
from cml_core.values.rows.beside import texts
from cml_core.values.rows.buyers import HIDDEN, BuyersRows
from cml_core.values.rows.chosen import chosen
from cml_core.values.rows.registry import rows_of

VECTORS = np.arange(12.0).reshape(4, 3)


def table(**changed) -> pa.Table:
    columns = {
        "embedding": pa.array(VECTORS.tolist()),
        "topic": ["a", "b", "a", None],
        "when": [date(1970, 1, 2), date(1970, 1, 1), None, date(1971, 1, 1)],
        "batch": [1, 2, 2, 1],
    }
    return pa.table(columns | changed)


def written(folder: Path, held: pa.Table) -> Path:
    path = folder / "held.parquet"
    parquet.write_table(held, path)
    return path


def whole(rows) -> np.ndarray:
    return np.concatenate(list(rows.blocks(2)))


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.list_(pa.float16(), 3), None])
def test_a_column_of_lists_is_as_many_columns_of_numbers(tmp_path: Path, kind) -> None:
    held = table() if kind is None else table(embedding=pa.array(list(VECTORS), kind))
    rows = chosen(rows_of(written(tmp_path, held)), ["embedding"])
    assert [column.name for column in rows.columns] == [f"embedding {k}" for k in (1, 2, 3)]
    np.testing.assert_array_equal(whole(rows), VECTORS)
    assert Measurements(rows).n_objects == 4


def test_dates_are_days_and_words_are_groups(tmp_path: Path) -> None:
    rows = chosen(rows_of(written(tmp_path, table())), ["when", "topic"])
    assert rows.columns[0].unit.startswith("days since")
    np.testing.assert_array_equal(whole(rows), [[1, 0], [0, 1], [np.nan, 0], [365, np.nan]])


def test_ragged_lists_are_told_with_their_row(tmp_path: Path) -> None:
    ragged = pa.array([[1.0, 2.0], [3.0, 4.0], [5.0], [6.0, 7.0]])
    rows = chosen(rows_of(written(tmp_path, table(embedding=ragged))), ["embedding"])
    with pytest.raises(UnsuitableMeasurements, match="Row 3 has 1 numbers"):
        Measurements(rows)


def test_what_a_table_holds_is_seen_at_first_sight(tmp_path: Path) -> None:
    seen = sight(rows_of(written(tmp_path, table())))
    assert (seen.n_objects, seen.vectors) == (4, ("embedding",))
    told = {one.name: (one.holds, one.few, one.date) for one in seen.candidates}
    assert told == {
        "topic": ("groups", False, False),
        "when": ("amounts", False, True),
        "batch": ("amounts", True, False),
    }


def test_columns_that_are_called_alike_are_a_vector() -> None:
    seen = sight(BuyersRows(50))
    assert (len(seen.vectors), seen.vectors[0]) == (50, "thing 1")
    assert [one.name for one in seen.candidates] == ["Age", "Region", "Channel"]


@pytest.mark.parametrize(
    ("cells", "odd"),
    [
        (["0.5"] * 30 + ["n.a."] + [None] * 9, ("n.a.", 30)),
        # Codes and names that are numbers are meant as they are; so are words among a few numbers.
        (["17"] * 40, None),
        (["oak", "7", "ash", "12"] * 10, None),
        ([None] * 40, None),
    ],
)
def test_a_word_among_numbers_is_told_and_parts_no_vector(
    tmp_path: Path, cells: list[str | None], odd: tuple[str, int] | None
) -> None:
    numbers = np.arange(40.0)
    columns = {f"v{k}": numbers for k in range(6)} | {"v2": pa.array(cells, pa.string())}
    seen = sight(rows_of(written(tmp_path, pa.table(columns))))
    assert [one.odd for one in seen.columns] == [None, None, odd, None, None, None]
    beside = ("v0", "v1") if odd else ()
    assert seen.vectors == (*beside, "v3", "v4", "v5")


def test_a_table_without_numbers_is_refused_in_words(tmp_path: Path) -> None:
    words = pa.table({"text": ["a", "b"]})
    with pytest.raises(UnsuitableMeasurements, match="no column of numbers"):
        sight(rows_of(written(tmp_path, words)))
    with pytest.raises(UnsuitableMeasurements, match="empty"):
        sight(rows_of(written(tmp_path, table().slice(0, 0).drop(["embedding"]))))


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    for rows in (rows_of(written(tmp_path, table())), BuyersRows(10)):
        with pytest.raises(UnknownFeature, match="'nothing'"):
            chosen(rows, ["nothing"])


def test_buyers_are_the_same_whatever_the_blocks_and_however_many_follow() -> None:
    few, many = BuyersRows(9000, seed=3), BuyersRows(20_000, seed=3)
    np.testing.assert_array_equal(whole(few), np.concatenate(list(many.blocks(8192)))[:9000])
    assert few.truth().shape == (9000, len(HIDDEN))
    assert not np.array_equal(whole(few), whole(BuyersRows(9000, seed=4)))


def test_text_becomes_arrow_with_its_decimal_marks(tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    path.write_text("x1;x2;topic\n1,5;2;a\n2,5;;b\n", encoding="utf-8")
    rows = rows_of(to_arrow(path, "vectors.csv"))
    np.testing.assert_array_equal(whole(rows), [[1.5, 2, 0], [2.5, np.nan, 1]])
    # A comma in a text, or a point in a day, is no decimal mark.
    path.write_text("x1;x2;topic\n1;1.2.2020;a, b\n2.5;;c\n", encoding="utf-8")
    rows = rows_of(to_arrow(path, "vectors.csv"))
    np.testing.assert_array_equal(whole(rows), [[1, 0, 0], [2.5, np.nan, 1]])
    path.write_text("1,2\n3,4\n", encoding="utf-8")
    np.testing.assert_array_equal(whole(rows_of(to_arrow(path, "vectors.csv"))), [[1, 2], [3, 4]])


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_a_column_of_text_is_what_its_whole_length_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delimiter: str
) -> None:
    # Types are guessed of a megabyte; what is odd comes after it, and in pieces of its own.
    monkeypatch.setattr(text_tables, "_PIECE", 1 << 18)
    point = "," if delimiter == ";" else "."
    early = ["1", "", "", "7", "2020-01-01", "3", "a"]
    late = [f"0{point}5", f"0{point}25", "12", "O.5", "2020-01-02 12:00:00", "4", "b"]
    rows = [list("abcdefg"), *[early] * 60_000, late, early]
    path = tmp_path / "given.csv"
    path.write_text("\n".join(map(delimiter.join, rows)), encoding="utf-8")
    found = rows_of(to_arrow(path, "given.csv"))
    assert isinstance(found, ArrowRows)
    assert [column.levels for column in found.columns] == [
        None, None, None, ("7", "O.5"), None, None, ("a", "b"),
    ]  # fmt: skip
    day = 18262.0
    np.testing.assert_array_equal(
        whole(found)[[0, -2, -1]],
        [
            [1, np.nan, np.nan, 0, day, 3, 0],
            [0.5, 0.25, 12, 1, day + 1.5, 4, 1],
            [1, np.nan, np.nan, 0, day, 3, 0],
        ],
    )
    # Names that are numbers stay as they are written.
    assert texts(found, "f").to_pylist()[-2:] == ["4", "3"]


def test_a_line_that_is_cut_short_far_below_is_told(tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    path.write_text("a,b\n" + "1,2\n" * 400_000 + "0.5\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"Expected 2 columns, got 1: 0\.5"):
        to_arrow(path, "given.csv")


def test_a_file_of_ones_own_beside_the_text_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    path.write_text("x1,x2\n1,2\n", encoding="utf-8")
    own = tmp_path / "given.arrow"
    own.write_bytes(b"dear to somebody")
    # What was made before is made anew, where the text may be another by now.
    for _ in range(2):
        np.testing.assert_array_equal(whole(rows_of(to_arrow(path, "given.csv"))), [[1, 2]])
    assert own.read_bytes() == b"dear to somebody"


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n3\n"])
def test_text_that_is_no_table_is_told_by_its_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "given.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"vectors\.csv"):
        to_arrow(path, "vectors.csv")


def test_the_verses_are_there_with_what_is_known_of_them() -> None:
    seen = sight(Whence("example", "verses", "Verses").rows())
    assert (seen.n_objects, seen.vectors) == (10_000, ("embedding",))
    assert [one.name for one in seen.candidates] == ["Book", "Kind", "Testament", "Words", "Place"]


def test_a_file_that_was_let_go_is_asked_for_again(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no longer kept"):
        Whence("upload", "0" * 64, "mine.npy").rows(tmp_path)


@pytest.mark.parametrize("ending", [".parquet", ".npy", ".csv.cml.arrow"])
def test_a_damaged_file_that_was_brought_is_told_by_the_name_it_had(
    tmp_path: Path, ending: str
) -> None:
    (tmp_path / f"{'0' * 64}{ending}").write_bytes(b"PAR1 and then nothing")
    with pytest.raises(UnreadableFile, match=r"^mine\.csv is") as refused:
        Whence("upload", "0" * 64, "mine.csv").rows(tmp_path)
    assert "000" not in str(refused.value)
