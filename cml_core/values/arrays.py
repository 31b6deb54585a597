"""The array types of this package, and the one place where arrays become read-only."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
# Dissimilarities and weights may be held in single precision.
RealArray = NDArray[np.float64] | NDArray[np.float32]
_Array = TypeVar("_Array", bound=RealArray | IntArray)


def frozen(values: _Array) -> _Array:
    """A read-only copy."""
    copy: Any = np.array(values, order="C")
    copy.setflags(write=False)
    return copy  # type: ignore[no-any-return]


def lent(values: _Array) -> _Array:
    """The same memory, read-only for good; its owner promises not to write to it either."""
    loan: Any = np.asarray(values.data.toreadonly())
    return loan  # type: ignore[no-any-return]


def settled(values: _Array) -> _Array:
    """The array itself where no one can write to its memory, else a read-only copy."""
    # Read-only is not enough: a view of an array that someone else may write to can change as well.
    holder: Any = values
    while isinstance(holder, np.ndarray) and not holder.flags.writeable:
        holder = holder.base
    safe = holder is None or (isinstance(holder, memoryview) and holder.readonly)
    return values if safe else frozen(values)


def has_gaps(values: RealArray) -> bool:
    """Whether any of them is NaN; nothing is added up, so nothing can overflow."""
    return bool(np.isnan(np.minimum.reduce(values)))


def with_zeros_for_gaps(values: RealArray) -> RealArray:
    """A copy in which every NaN is 0."""
    filled = values.copy()
    filled[np.isnan(filled)] = 0.0
    return filled


def pair_count(n_objects: int) -> int:
    """N(N-1)/2."""
    return n_objects * (n_objects - 1) // 2


def pair_index(first: IntArray, second: IntArray, n_objects: int) -> IntArray:
    """Where pairs of different objects stand in a condensed vector."""
    i, j = np.minimum(first, second), np.maximum(first, second)
    index: IntArray = i * n_objects - i * (i + 1) // 2 + j - i - 1
    return index


def pair_of(index: int, n_objects: int) -> tuple[int, int]:
    """The pair i < j that stands at `index` of a condensed vector."""
    starts = _row_starts(n_objects)
    i = int(np.searchsorted(starts, index, side="right")) - 1
    return i, int(index - starts[i]) + i + 1


def row_of(condensed: RealArray, i: int, n_objects: int) -> RealArray:
    """The values of object i with every object in order, NaN with itself."""
    # Of a condensed table: its square would take twice the memory, for one row at a time.
    starts = _row_starts(n_objects)
    row = np.empty(n_objects, dtype=condensed.dtype)
    row[:i] = condensed[starts[:i] + i - np.arange(1, i + 1)]
    row[i] = np.nan
    row[i + 1 :] = condensed[starts[i] : starts[i] + n_objects - i - 1]
    return row


def _row_starts(n_objects: int) -> IntArray:
    """Where the pairs (i, i + 1), (i, i + 2), … begin in a condensed vector."""
    i = np.arange(n_objects)
    starts: IntArray = i * n_objects - i * (i + 1) // 2
    return starts


class Value:
    """Base of frozen dataclasses that hold arrays: a copy or a pickle stays read-only."""

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        # On its way through a pickle numpy forgets that an array is read-only.
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)
