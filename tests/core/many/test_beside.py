"""What is known of the objects in a table beside their vectors: in the same order, or by a key."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from cml_core.errors import DuplicateLabels, LabelMismatch, LengthMismatch, UnknownFeature
from cml_core.many.loop import Candidate, Loop
from cml_core.many.maps import map_again
from cml_core.many.opened import opened
from cml_core.many.origins import Whence
from cml_core.many.sight import sight
from cml_core.values.rows.beside import beside
from cml_core.values.rows.chosen import chosen
from cml_core.values.rows.registry import rows_of

N = 40
VECTORS = np.random.default_rng(0).normal(size=(N, 5))
YEARS = np.arange(N) * 2.0
TOPICS = np.array(["art", "law", "art", None], dtype=object)[np.arange(N) % 4]
KEYS = np.array([f"k{k}" for k in range(N)])
NAMES = ("vectors", "about")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    np.save(tmp_path / "vectors.npy", VECTORS)
    columns = {"year": YEARS, "topic": TOPICS, "id": KEYS}
    # Parts that are no multiple of what is read at a time.
    parquet.write_table(pa.table(columns), tmp_path / "about.parquet", row_group_size=7)
    order = np.random.default_rng(1).permutation(N)
    mixed = pa.table({name: column[order] for name, column in columns.items()})
    parquet.write_table(mixed, tmp_path / "mixed.parquet")
    with_keys = pa.table({"id": KEYS, "vector": list(VECTORS)})
    parquet.write_table(with_keys, tmp_path / "keyed.parquet")
    return tmp_path


def by_path(folder: Path, name: str, other: str, key: str = "") -> Whence:
    one, two = (Whence("path", str(folder / file)) for file in (name, other))
    return Whence("path", one.place, beside=two, key=key)


def whole(rows) -> np.ndarray:
    return np.concatenate(list(rows.blocks(16)))


def test_rows_in_the_same_order_stand_side_by_side_whatever_the_blocks(folder: Path) -> None:
    rows = by_path(folder, "vectors.npy", "about.parquet").rows()
    taken = chosen(rows, ["year", "column 3", "column 1"])
    np.testing.assert_array_equal(whole(taken), np.c_[YEARS, VECTORS[:, [2, 0]]])
    assert [len(block) for block in taken.blocks(16)] == [16, 16, 8]
    assert whole(rows).shape == (N, 8)
    assert [part.n_rows for part in taken.parts(20)] == [20, 20]
    with pytest.raises(UnknownFeature, match="'nothing'"):
        chosen(rows, ["nothing"])


def test_what_stands_beside_vectors_is_known_and_no_part_of_them(folder: Path) -> None:
    seen = sight(by_path(folder, "vectors.npy", "about.parquet").rows())
    assert seen.vectors == tuple(f"column {k}" for k in range(1, 6))
    assert [one.name for one in seen.candidates] == ["year", "topic", "id"]


def test_a_key_brings_rows_into_the_order_of_the_objects(folder: Path) -> None:
    loop = Loop(
        by_path(folder, "keyed.parquet", "mixed.parquet", "id"),
        ("vector",),
        candidates=(Candidate("year", "numeric"), Candidate("topic", "categorical")),
        called="id",
    )
    again = Loop.from_json(loop.to_json())
    assert again.whence == loop.whence
    table = opened(again)
    np.testing.assert_array_equal(table.column(Candidate("year", "numeric")).values, YEARS)
    topic = table.column(Candidate("topic", "categorical"))
    told = [None if np.isnan(v) else topic.levels[int(v)] for v in topic.values]
    assert told == TOPICS.tolist()
    assert table.called(np.array([7, 3])) == ["k7", "k3"]
    # The name may stand in either table.
    other = opened(Loop(by_path(folder, "keyed.parquet", "mixed.parquet", "id"), ("vector",),
                        called="topic"))  # fmt: skip
    assert other.called(np.array([0, 3])) == ["art", ""]
    known = map_again(again.knowing(["year"]))
    assert known.fit.problem.known.names == ("year",)


def test_objects_without_a_row_miss_what_it_tells(folder: Path) -> None:
    about = parquet.read_table(folder / "mixed.parquet").slice(0, 30)
    parquet.write_table(about, folder / "few.parquet")
    rows = by_path(folder, "keyed.parquet", "few.parquet", "id").rows()
    assert rows.each[1].matched == 30
    values = whole(chosen(rows, ["year"]))[:, 0]
    there = np.isin(KEYS, about["id"].to_pylist())
    np.testing.assert_array_equal(values, np.where(there, YEARS, np.nan))


def test_tables_that_do_not_go_together_are_told_by_their_names(folder: Path) -> None:
    vectors, keyed = rows_of(folder / "vectors.npy"), rows_of(folder / "keyed.parquet")
    short = folder / "short.parquet"
    parquet.write_table(pa.table({"id": ["k1", "k1"], "year": [1, 2]}), short)
    with pytest.raises(LengthMismatch, match="about has 2 rows, vectors 40"):
        beside(vectors, rows_of(short), "", NAMES)
    with pytest.raises(DuplicateLabels, match="'k1' more than once in 'id'"):
        beside(keyed, rows_of(short), "id", NAMES)
    parquet.write_table(pa.table({"id": ["x", None], "year": [1, 2]}), short)
    with pytest.raises(LabelMismatch, match="Nothing in 'id' of about"):
        beside(keyed, rows_of(short), "id", NAMES)
    with pytest.raises(UnknownFeature, match="'id'"):
        beside(vectors, rows_of(short), "id", NAMES)
