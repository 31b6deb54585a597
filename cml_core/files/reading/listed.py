"""The square of a list: whatever was listed of a pair fills its cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from cml_core.files.reading.question import Question
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.words import counted

_TINY = np.finfo(np.float64).tiny


@dataclass(frozen=True)
class Listed:
    """(K,) which object is compared with which, the value, and the weight."""

    labels: tuple[str, ...]
    first: IntArray
    second: IntArray
    values: FloatArray
    weights: FloatArray | None


def table_of(
    found: Listed, notes: tuple[str, ...], questions: tuple[Question, ...] = ()
) -> RawTable:
    """The square of a list; what was listed several times is averaged."""
    present = ~np.isnan(found.values)
    place = (found.first * len(found.labels) + found.second)[present]
    cell, which, repeats = np.unique(place, return_inverse=True, return_counts=True)
    shares = np.ones(which.size) if found.weights is None else found.weights[present]
    means, spread, total = _averaged(found.values[present], which, repeats, shares)
    twice = bool((repeats > 1).any())
    if twice:
        notes = (*notes, _repeated(found.labels, cell, repeats))
    square = partial(_squared, cell, count=len(found.labels))
    return RawTable(
        found.labels,
        square(means),
        "pairs",
        notes,
        spread=square(spread) if twice else None,
        weights=None if found.weights is None else square(total, empty=0.0),
        questions=questions,
    )


def _averaged(
    values: FloatArray, which: IntArray, repeats: IntArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean of each cell, the standard deviation where it was listed more than once, its weight."""
    # Shares first, then sums: weights and values of any size then stay within a float.
    total = _summed(weights, which, repeats.size)
    # Where all weights are zero, all count alike.
    shares = np.where(total[which] > 0, weights / np.maximum(total, _TINY)[which], 0.0)
    shares[total[which] == 0] = (1.0 / repeats)[which][total[which] == 0]
    means = _summed(shares * values, which, repeats.size)
    plain = _summed(values / repeats[which], which, repeats.size)
    squares = _summed((values - plain[which]) ** 2, which, repeats.size)
    spread = np.sqrt(squares / np.maximum(repeats - 1, 1))
    spread[repeats == 1] = np.nan
    return means, spread, total


def _summed(values: FloatArray, which: IntArray, size: int) -> FloatArray:
    """(size,) the sum of the values that belong to each cell."""
    summed: FloatArray = np.bincount(which, values, size).astype(np.float64)
    return summed


def _squared(
    cell: IntArray, values: FloatArray, *, count: int, empty: float = np.nan
) -> FloatArray:
    square = np.full(count * count, empty)
    square[cell] = values
    return square.reshape(count, count)


def _repeated(labels: Sequence[str], cell: IntArray, repeats: IntArray) -> str:
    often = int((repeats > 1).sum())
    worst = int(np.argmax(repeats))
    i, j = divmod(int(cell[worst]), len(labels))
    number = counted(often, "pair is", "pairs are")
    return (
        f"{number} listed more than once and averaged; {labels[i]} with {labels[j]} "
        f"{int(repeats[worst])} times."
    )
