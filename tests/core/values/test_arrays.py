"""Read-only arrays, the order of pairs, and values that stay values."""

import contextlib
import copy
import dataclasses
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import squareform

from cml_core import Dissimilarities, Feature, FeatureTable, Neighbourhood, Problem
from cml_core.fitting.configuration import Solution
from cml_core.fitting.geometry import procrustes
from cml_core.values.arrays import frozen, pair_count, pair_index, pair_of, row_of

RANDOM = np.random.default_rng(7)
LABELS = tuple("abcde")
POINTS = RANDOM.normal(size=(5, 2))


def dissimilarities() -> Dissimilarities:
    return Dissimilarities(LABELS, np.arange(1.0, 11.0))


def features() -> FeatureTable:
    sizes = Feature.numeric("size", [1.0, 2.0, np.nan, 4.0, 5.0])
    return FeatureTable(LABELS, (sizes, Feature.categorical("kind", ["x", "y", "z", None, "x"])))


def problem() -> Problem:
    return Problem(
        dissimilarities(),
        features().select(["size"]),
        n_components=1,
        weights=np.arange(1.0, 11.0),
        neighbourhood=Neighbourhood(3),
    )


VALUES: dict[str, Callable[[], Any]] = {
    "Dissimilarities": dissimilarities,
    "Feature": lambda: features()["kind"],
    "FeatureTable": features,
    "Encoding": lambda: features().encoded(),
    "Problem": problem,
    "Alignment": lambda: procrustes(POINTS, POINTS[::-1]),
    "Solution": lambda: Solution(frozen(POINTS), frozen(POINTS[:2]), frozen(POINTS), 0.1),
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "made": lambda value: value,
    "copied": copy.copy,
    "deep-copied": copy.deepcopy,
    "pickled": lambda value: pickle.loads(pickle.dumps(value)),
    "pickled by protocol 2": lambda value: pickle.loads(pickle.dumps(value, protocol=2)),
}


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """Every array that a value is made of, however deep."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from arrays_in(item)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from arrays_in(getattr(value, field.name))


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", VALUES)
def test_the_arrays_of_a_value_are_read_only_however_it_came_about(name: str, how: str) -> None:
    arrays = list(arrays_in(COPIES[how](VALUES[name]())))
    assert arrays
    assert not any(array.flags.writeable for array in arrays)


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", VALUES)
def test_a_copy_of_a_value_holds_the_same(name: str, how: str) -> None:
    value = VALUES[name]()
    twin = COPIES[how](value)
    assert type(twin) is type(value)
    for ours, theirs in zip(arrays_in(value), arrays_in(twin), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert repr(twin) == repr(value)


@pytest.mark.parametrize("name", VALUES)
def test_a_value_cannot_be_changed(name: str) -> None:
    value = VALUES[name]()
    for field in dataclasses.fields(value):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, field.name, None)


def gappy_problem() -> Problem:
    gappy = Dissimilarities(LABELS, [np.nan, *range(1, 10)])
    return Problem(gappy, FeatureTable(LABELS))


DERIVED: dict[str, tuple[Callable[[], Any], Callable[[Any], np.ndarray]]] = {
    "missing pairs": (gappy_problem, lambda value: value.dissimilarities.missing),
    "encoded features": (problem, lambda value: value.encoding.values),
    "features of the columns": (problem, lambda value: value.encoding.block),
    "weights given": (problem, lambda value: value.pair_weights),
    "weights of gaps": (gappy_problem, lambda value: value.pair_weights),
    "geodesics": (problem, lambda value: value.targets.condensed),
    "a square table": (dissimilarities, lambda value: value.square()),
    "columns": (lambda: features()["size"], lambda value: value.columns()),
}


@pytest.mark.parametrize("name", DERIVED)
def test_nobody_can_change_a_value_by_way_of_what_it_hands_out(name: str) -> None:
    make, handed_out = DERIVED[name]
    value = make()
    array = handed_out(value)
    before = array.copy()
    with contextlib.suppress(ValueError):  # read-only is as good as a copy
        array[...] = 77
    np.testing.assert_array_equal(handed_out(value), before)


def test_a_copied_problem_computes_what_the_original_computed() -> None:
    original = problem()
    weights = original.pair_weights.copy()
    twin = pickle.loads(pickle.dumps(original))
    np.testing.assert_array_equal(twin.pair_weights, weights)
    assert twin.fingerprint() == original.fingerprint()


def read_only_view(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.setflags(write=False)
    return view


SQUARE = dissimilarities().square()
# What the caller holds, how it is handed over, and how the caller changes it afterwards.
HANDED_OVER: dict[str, tuple[Any, Callable[[Any], Any], Callable[[Any], None]]] = {
    "a condensed array": (np.arange(1.0, 11.0), lambda x: x, lambda x: x.fill(99)),
    "a read-only view": (np.arange(1.0, 11.0), read_only_view, lambda x: x.fill(99)),
    "a slice": (np.arange(1.0, 12.0), lambda x: x[:-1], lambda x: x.fill(99)),
    "single precision": (np.arange(1, 11, dtype="f4"), lambda x: x, lambda x: x.fill(99)),
    "a series": (pd.Series(np.arange(1.0, 11.0)), lambda x: x, lambda x: x.update({0: 99.0})),
    "a square array": (SQUARE.copy(), lambda x: x, lambda x: x.fill(99)),
    "a square read-only view": (SQUARE.copy(), read_only_view, lambda x: x.fill(99)),
    "a table": (pd.DataFrame(SQUARE), lambda x: x, lambda x: x.update(x + 99)),
}


@pytest.mark.parametrize("name", HANDED_OVER)
def test_changing_what_dissimilarities_came_in_changes_nothing(name: str) -> None:
    mine, handed_over, change = HANDED_OVER[name]
    kept = Dissimilarities.of(handed_over(mine))
    mark = kept.fingerprint
    change(mine)
    assert kept.condensed.tolist() == list(range(1, 11))
    assert dataclasses.replace(kept).fingerprint == mark


def test_a_large_condensed_array_can_be_used_where_it_lies() -> None:
    mine = np.arange(1.0, 11.0)
    kept = Dissimilarities.of(mine, copy=False)
    assert np.shares_memory(kept.condensed, mine)
    assert not kept.condensed.flags.writeable
    assert mine.flags.writeable


@pytest.mark.parametrize("how", [lambda x: x, read_only_view, pd.Series])
def test_changing_what_a_feature_came_in_changes_nothing(how: Callable[[Any], Any]) -> None:
    mine = np.arange(5.0)
    kept = [Feature.numeric("size", how(mine)), Feature("size", "numeric", how(mine))]
    mine[:] = 99.0
    assert all(feature.values.tolist() == [0, 1, 2, 3, 4] for feature in kept)


def test_changing_lists_of_names_changes_nothing() -> None:
    labels, levels = list("abc"), ["x", "y"]
    objects = Dissimilarities.of([1, 2, 3], labels)
    kind = Feature.categorical("kind", ["x", "y", "x"], levels)
    table = FeatureTable(labels, [kind])  # type: ignore[arg-type]
    labels[0], levels[0] = "changed", "changed"
    assert objects.labels == table.labels == ("a", "b", "c")
    assert kind.levels == ("x", "y")


def test_a_frozen_array_is_a_copy_that_no_one_can_write_to() -> None:
    mine = np.arange(6.0).reshape(2, 3).T
    kept = frozen(mine)
    mine[0, 0] = 99.0
    assert kept[0, 0] == 0.0
    assert kept.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        kept[0, 0] = 1.0


@pytest.mark.parametrize(("n_objects", "pairs"), [(0, 0), (1, 0), (2, 1), (3, 3), (14, 91)])
def test_pairs_are_counted(n_objects: int, pairs: int) -> None:
    assert pair_count(n_objects) == pairs


@given(n=st.integers(2, 60), data=st.data())
@settings(max_examples=60)
def test_the_index_of_a_pair_and_the_pair_of_an_index_undo_each_other(
    n: int, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, pair_count(n) - 1))
    i, j = pair_of(index, n)
    assert 0 <= i < j < n
    assert pair_index(np.array([i, j]), np.array([j, i]), n).tolist() == [index, index]


@pytest.mark.parametrize("n", [2, 3, 8])
def test_pairs_stand_in_the_order_of_scipy(n: int) -> None:
    square = squareform(np.arange(pair_count(n)))
    first, second = np.nonzero(~np.eye(n, dtype=bool))
    np.testing.assert_array_equal(pair_index(first, second, n), square[first, second])


def test_pairs_among_very_many_objects_do_not_overflow() -> None:
    n = 200_000
    last = pair_count(n) - 1
    assert pair_of(last, n) == (n - 2, n - 1)
    assert pair_index(np.array([n - 2]), np.array([n - 1]), n).tolist() == [last]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [2, 3, 7])
def test_a_row_of_a_condensed_vector_is_the_row_of_its_square(n: int, dtype: type) -> None:
    condensed = RANDOM.uniform(size=pair_count(n)).astype(dtype)
    square = squareform(condensed.astype(float))
    np.fill_diagonal(square, np.nan)
    for i in range(n):
        row = row_of(condensed, i, n)
        assert row.dtype == dtype
        np.testing.assert_array_equal(row, square[i].astype(dtype))
