"""Measurements of many objects: wherever they lie, they are compared as elsewhere, or refused."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from scipy.spatial.distance import pdist

from cml_core import ConditionalMDS, FeatureTable, Measurements
from cml_core.errors import (
    ConditionalMappingError,
    DuplicateLabels,
    InfiniteDissimilarities,
    LengthMismatch,
    NotNumeric,
    UnknownOption,
    UnreadableFile,
    UnsuitableMeasurements,
)
from cml_core.files.measures import compared
from cml_core.values import measurements
from cml_core.values.measures import comparison
from cml_core.values.measures.registry import MEASURES
from cml_core.values.rows.chosen import chosen
from cml_core.values.rows.registry import rows_of

N, K = 700, 7


def rows(seed: int = 0, n: int = N, k: int = K) -> np.ndarray:
    """Skewed, and far from zero: not what a measure may rely on."""
    return np.random.default_rng(seed).lognormal(size=(n, k)) + 50.0


def mixed(n: int = 60) -> pd.DataFrame:
    random = np.random.default_rng(1)
    size = pd.Categorical(random.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True)
    return pd.DataFrame(
        {
            "age": random.integers(18, 80, n),
            "town": random.choice(["Oslo", "Bonn", "Pau"], n),
            "income": random.lognormal(size=n),
            "size": size,
        },
        index=[f"person {i}" for i in range(n)],
    )


def condensed(values: object, measure: str = "euclidean") -> np.ndarray:
    return Measurements(values, measure).dissimilarities().condensed


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (measurements, comparison):
        monkeypatch.setattr(module, "BLOCK", 33)


@pytest.mark.parametrize("measure", ["euclidean", "cityblock", "cosine", "correlation"])
def test_dissimilarities_are_those_that_scipy_computes(measure: str) -> None:
    X = rows()
    np.testing.assert_allclose(condensed(X, measure), pdist(X, measure), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_a_measure_means_what_the_data_page_has_by_its_name(measure: str) -> None:
    frame = mixed() if measure == "gower" else pd.DataFrame(rows(n=40))
    table = compared(FeatureTable.from_frame(frame), measure)
    expected = table.values[np.triu_indices(len(frame), 1)]
    np.testing.assert_allclose(condensed(frame, measure), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("ending", [".npy", ".parquet", ".arrow", ".feather"])
def test_a_file_read_in_blocks_gives_the_same_as_the_array(ending: str, tmp_path: Path) -> None:
    X, path = rows(), tmp_path / f"rows{ending}"
    table = pa.table({f"c{k}": X[:, k] for k in range(K)})
    if ending == ".npy":
        np.save(path, X)
    elif ending == ".parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=200)
    else:
        pyarrow.feather.write_feather(table, path, chunksize=150)
    np.testing.assert_array_equal(condensed(str(path)), condensed(X))
    chosen = np.array([600, 3, 77])
    np.testing.assert_array_equal(
        Measurements(path).dissimilarities(chosen).condensed, condensed(X[chosen])
    )


@pytest.mark.usefixtures("small_blocks")
def test_groups_of_a_parquet_file_are_compared_as_those_of_a_frame(tmp_path: Path) -> None:
    frame = mixed().drop(columns="size").reset_index(drop=True)
    for k, part in enumerate((frame[:25], frame[25:])):
        part.to_parquet(tmp_path / f"part {k}.parquet", index=False)
    np.testing.assert_allclose(condensed(tmp_path, "gower"), condensed(frame, "gower"), rtol=1e-12)


@pytest.mark.parametrize("ending", [".npy", ".parquet", ".arrow"])
def test_a_file_is_never_whole_in_memory(ending: str, tmp_path: Path, memory_below) -> None:
    X, path = rows(n=600_000, k=5), tmp_path / f"rows{ending}"
    table = pa.table({f"c{k}": X[:, k] for k in range(5)})
    if ending == ".npy":
        np.save(path, X)
    elif ending == ".parquet":
        # One row group, read by pages.
        pyarrow.parquet.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, path, compression="lz4")
    with memory_below(X.nbytes // 3):
        taken = Measurements(path).taken(np.array([599_999, 5]))
    assert taken.shape == (2, 5)
    with pytest.raises(AssertionError, match="too much memory"), memory_below(X.nbytes // 3):
        pyarrow.parquet.read_table(path) if ending == ".parquet" else np.array(X)


def test_of_an_arrow_file_no_column_is_decoded_that_is_not_asked_for(
    tmp_path: Path, memory_below
) -> None:
    X, path = rows(n=200_000, k=10), tmp_path / "rows.arrow"
    table = pa.table({f"c{k}": X[:, k] for k in range(10)})
    # One record batch, which can but be decoded as a whole.
    pyarrow.feather.write_feather(table, path, compression="lz4", chunksize=len(X))
    with memory_below(X.nbytes // 2):
        found = np.concatenate(list(chosen(rows_of(path), ["c7"]).blocks(9000)))
    np.testing.assert_array_equal(found[:, 0], X[:, 7])


def test_blocks_in_a_list_are_one_table() -> None:
    X = rows()
    parts = [X[:300], X[300:301], X[301:]]
    np.testing.assert_array_equal(condensed(parts), condensed(X))


def test_measurements_are_not_copied() -> None:
    X = rows()
    assert Measurements(X).rows.array is X


def test_offsets_cost_no_digits_of_near_objects() -> None:
    X = rows(n=50)
    X[1] = X[0] + 1e-9
    assert condensed(X)[0] == pytest.approx(np.linalg.norm(X[1] - X[0]), rel=1e-6)


def test_cosines_of_nearly_the_same_direction_keep_their_digits() -> None:
    tilt = 1e-7
    found = condensed([[1.0, 0.0], [1.0, tilt], [0.0, 1.0]], "cosine")[0]
    assert found == pytest.approx(tilt**2 / 2, rel=1e-6)


def test_names_come_with_a_frame_or_are_given_or_count() -> None:
    frame = mixed()
    assert Measurements(frame, "gower").names[:2] == ("person 0", "person 1")
    assert Measurements(rows(n=3), labels=["a", "b", "c"]).names == ("a", "b", "c")
    assert Measurements(rows(n=3)).names == ("object 1", "object 2", "object 3")
    with pytest.raises(DuplicateLabels):
        Measurements(rows(n=3), labels=["a", "b", "a"])
    with pytest.raises(LengthMismatch):
        Measurements(rows(n=3), labels=["a", "b"])


def test_a_copy_through_a_pickle_measures_the_same() -> None:
    held = Measurements(mixed(), "gower")
    copy = pickle.loads(pickle.dumps(held))
    np.testing.assert_array_equal(
        copy.dissimilarities().condensed, held.dissimilarities().condensed
    )
    assert repr(copy) == "Measurements(60 objects, 4 columns, gower)"


def test_a_map_of_measurements_is_that_of_their_dissimilarities() -> None:
    X, V = rows(n=40), np.arange(40.0)
    model = ConditionalMDS(random_state=0).fit(Measurements(X, "cityblock"), V)
    other = ConditionalMDS(random_state=0).fit(pdist(X, "cityblock"), V)
    assert model.stress_ == pytest.approx(other.stress_, rel=1e-6)


def test_known_features_are_joined_to_measurements_by_name() -> None:
    frame = mixed()
    ages = frame[["age"]]
    known = ConditionalMDS(random_state=0).fit(Measurements(frame, "gower"), ages[::-1]).known_
    np.testing.assert_array_equal(known[:, 0], ages["age"])


def with_gap() -> np.ndarray:
    X = rows(n=9)
    X[4, 2] = np.nan
    X[7, 1] = np.nan
    return X


def infinite() -> np.ndarray:
    X = rows(n=9)
    X[4, 2] = np.inf
    return X


def shortened(tmp_path: Path) -> Path:
    path = tmp_path / "short.parquet"
    mixed().to_parquet(path)
    path.write_bytes(path.read_bytes()[:-40])
    return path


def damaged(tmp_path: Path) -> Path:
    """Whole at its end, where Parquet says what it holds, but not before."""
    path = tmp_path / "damaged.parquet"
    pyarrow.parquet.write_table(pa.table({"a": rows().ravel()}), path, compression="zstd")
    content = bytearray(path.read_bytes())
    del content[2000:3000]
    path.write_bytes(content)
    return path


def short_npy(tmp_path: Path) -> Path:
    path = tmp_path / "short.npy"
    np.save(path, rows())
    path.write_bytes(path.read_bytes()[:-100])
    return path


REFUSED = {
    "gap": (
        lambda _: with_gap(),
        "euclidean",
        UnsuitableMeasurements,
        "object 5.*'column 3'.*2 rows have gaps",
    ),
    "infinite": (
        lambda _: infinite(),
        "euclidean",
        InfiniteDissimilarities,
        "object 5.*'column 3'",
    ),
    "uneven": (lambda _: [[1.0, 2], [3.0]], "euclidean", UnsuitableMeasurements, "lengths"),
    "ragged": (
        lambda _: [rows(n=5), rows(n=5, k=6)],
        "euclidean",
        UnsuitableMeasurements,
        "Block 2 has 6 columns, the first 7",
    ),
    "text": (
        lambda _: mixed(),
        "euclidean",
        NotNumeric,
        "'town'.*'Oslo'|'town'.*'Bonn'|'town'.*'P",
    ),
    "text in a list": (lambda _: [[1.0, "x"], [2, 3]], "euclidean", NotNumeric, "row 1, column 2"),
    "zeros": (lambda _: np.eye(4)[:3] * [1, 1, 0, 0], "cosine", UnsuitableMeasurements, "object 3"),
    "level": (lambda _: np.ones((3, 3)), "correlation", UnsuitableMeasurements, "object 1"),
    "shape": (lambda _: np.ones(5), "euclidean", UnsuitableMeasurements, "a list of 5"),
    "measure": (lambda _: rows(), "euclid", UnknownOption, "euclid"),
    "cut short": (shortened, "gower", UnreadableFile, "short.parquet is damaged, cut short"),
    "damaged": (damaged, "euclidean", UnreadableFile, "damaged.parquet"),
    "npy cut short": (short_npy, "euclidean", UnreadableFile, "short.npy is no whole"),
    "no file": (lambda path: path / "none.npy", "euclidean", UnreadableFile, "none.npy"),
    "no format": (lambda _: __file__, "euclidean", UnreadableFile, r"\.py"),
    "empty folder": (lambda path: path, "euclidean", UnreadableFile, "no file with rows"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_compared_is_refused_with_where_and_how_to_mend_it(
    name: str, tmp_path: Path
) -> None:
    make, measure, kind, fact = REFUSED[name]
    with pytest.raises(ConditionalMappingError, match=fact) as caught:
        Measurements(make(tmp_path), measure)
    assert type(caught.value) is kind
    assert caught.value.remedy
