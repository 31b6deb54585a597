"""MATLAB's files up to version 7, by SciPy; only the child imports this."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.io import loadmat, whosmat

from cml_core.errors import TooManyObjects, UnreadableFile, listing

_NUMBERS = (
    "double",
    "single",
    "logical",
    *(f"{u}int{b}" for u in ("", "u") for b in (8, 16, 32, 64)),
)
_FEWEST = 3
_NAMES = ("labels", "names", "ids")


def tables(
    path: str, chosen: str, rows: int, columns: int
) -> tuple[list[str], str, Iterator[list[object]]]:
    """The names of the arrays of numbers, which was taken, and its rows; perhaps with names."""
    held = {name: (shape, kind) for name, shape, kind in whosmat(path)}
    fit = [n for n, (shape, kind) in held.items() if kind in _NUMBERS and _is_table(shape)]
    if (chosen and chosen not in fit) or not fit:
        raise UnreadableFile(
            f"The file has no table of numbers called {chosen[:80]!r}."
            if chosen
            else "The file has no array of numbers of two dimensions.",
            remedy=f"Choose one of {listing(fit, 20)}."
            if fit
            else "Save the square array itself: save('file.mat', 'D', '-v7').",
        )
    # What pairs have comes before other measurements, single numbers and the like.
    name = chosen or max(fit, key=lambda name: _speaks_of_pairs(held[name][0]))
    height, width = held[name][0]
    if height > rows or width > max(columns, rows * rows if 1 in (height, width) else 0):
        raise TooManyObjects(
            f"The array {name!r} has {height:,} rows and {width:,} columns; at most {rows:,} and "
            f"{columns - 2:,} are read.",
            remedy="Save a part of it.",
        )
    texts = [n for n in held if n.lower() in _NAMES]
    found = loadmat(path, variable_names=[name, *texts], chars_as_strings=True)
    return fit, name, _rows(found[name], [found[n] for n in texts])


def _is_table(shape: tuple[int, ...]) -> bool:
    return len(shape) == 2 and max(shape) > 1 and min(shape) > 0


def _speaks_of_pairs(shape: tuple[int, ...]) -> bool:
    """Whether an array is square, or one line of a triangle as pdist() gives it."""
    return shape[0] == shape[1] or bool(_objects_of(shape))


def _objects_of(shape: tuple[int, ...]) -> int:
    """How many objects have so many pairs in one line; 0 where none have."""
    height, width = shape
    count = (1 + math.isqrt(1 + 8 * width)) // 2
    return count if height == 1 and count > _FEWEST and count * (count - 1) // 2 == width else 0


def _rows(values: Any, texts: list[Any]) -> Iterator[list[object]]:
    values = values.astype(np.float64)
    if count := _objects_of(values.shape):
        square = np.zeros((count, count))
        square[np.triu_indices(count, 1)] = values[0]
        values = square + square.T
    names = next((t for t in map(_words, texts) if len(t) == values.shape[0]), [])
    if names and values.shape[0] == values.shape[1]:
        yield ["", *names]
    for k, row in enumerate(values.tolist()):
        yield [*names[k : k + 1], *row]


def _words(found: Any) -> list[object]:
    """The texts of a cell array, or the rows of an array of characters."""
    return (
        [entry.item() if entry.size == 1 else "" for entry in found.ravel()]
        if (found.dtype == object)
        else [str(entry) for entry in found.ravel()]
    )
