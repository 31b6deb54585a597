"""A long list of pairs: two names and a value in each line, perhaps a weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from cml_core.errors import UnreadableFile, UnsuitableWeights
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Format, of_cells
from cml_core.files.reading.names import check_count, check_length, more_than
from cml_core.files.reading.numbers import notes_on, numbers_in_column
from cml_core.files.reading.pair_columns import (
    PairColumns,
    looks_like_pairs,
    told_columns,
)
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.arrays import FloatArray, IntArray, lent
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


def pairs(cells: Cells, limits: Limits, said: PairColumns | None = None) -> RawTable:
    """Each line fills the cell of its first name's row and its second name's column.

    A pair that is listed in both directions fills both. One that is listed several times in the
    same direction is averaged, by its weights where it has some; `spread` is their standard
    deviation (of a sample, undivided by weights), and the weights are added up.

    Parameters
    ----------
    said : what the columns are; without it, their heads and what stands below them tell.
    """
    _check_widths(cells)
    if said is not None:
        return table_of(_listed(cells, said, limits), notes_on(cells))
    told = told_columns(cells)
    table = table_of(_listed(cells, told.columns, limits), (*notes_on(cells), *told.notes))
    return replace(table, questions=told.questions)


def table_of(found: Listed, notes: tuple[str, ...]) -> RawTable:
    """The square of a list; what was listed several times is averaged."""
    count = len(found.labels)
    present = ~np.isnan(found.values)
    cell = (found.first * np.int64(count) + found.second)[present]
    values = found.values[present]
    weights = None if found.weights is None else found.weights[present]
    spread = None
    if not _are_different(cell, count * count):
        cell, which, repeats = np.unique(cell, return_inverse=True, return_counts=True)
        shares = np.ones(which.size) if weights is None else weights
        values, spread, total = _averaged(values, which, repeats, shares)
        weights = None if weights is None else total
        notes = (*notes, _repeated(found.labels, cell, repeats))
    square = partial(_squared, cell, count=count)
    return RawTable(
        found.labels,
        square(values),
        "pairs",
        notes,
        spread=None if spread is None else square(spread),
        weights=None if weights is None else square(weights, empty=0.0),
    )


def _are_different(cell: IntArray, cells: int) -> bool:
    """Whether no cell comes twice; sorting them would take ten times as long."""
    filled = np.zeros(cells, dtype=bool)
    filled[cell] = True
    return int(np.count_nonzero(filled)) == cell.size


def _check_widths(cells: Cells) -> None:
    width = len(cells.rows[0])
    if width < 3:
        raise UnreadableFile(
            f"Line {cells.lines[0]} has {counted(width, 'cell')}; a list of pairs has two names, "
            "a value, and perhaps a weight.",
            remedy="Give three or four cells in every line.",
        )
    for row, line in zip(cells.rows, cells.lines, strict=True):
        if len(row) != width:
            raise UnreadableFile(
                f"Line {line} has {len(row)} cells where the first has {width}.",
                remedy="Give the same cells in every line; leave unknown values empty.",
            )


def _listed(cells: Cells, at: PairColumns, limits: Limits) -> Listed:
    places: dict[str, int] = {}
    size = len(cells.rows) - at.begin
    ends = np.empty((size, 2), dtype=np.int64)
    for k in range(size):
        row = cells.rows[at.begin + k]
        for side, column in enumerate((at.first, at.second)):
            ends[k, side] = _place_of(row[column], cells, at.begin + k, column, places, limits)
    check_count(len(places), limits)
    values = numbers_in_column(cells, at.begin, at.value)
    weights = None
    if at.weight is not None:
        weights = numbers_in_column(cells, at.begin, at.weight)
        _check_weights(weights, cells, at.begin, at.weight)
    labels = tuple(places)
    return Listed(labels, ends[:, 0], ends[:, 1], values, weights)


def _place_of(
    name: str, cells: Cells, row: int, side: int, places: dict[str, int], limits: Limits
) -> int:
    """The number of an object; a name that was not seen before gets the next."""
    if name not in places:
        where = cells.where(row, side)
        if not name:
            raise UnreadableFile(
                f"{where} is empty, where the name of an object belongs.",
                remedy="Name both objects of every pair.",
            )
        check_length(name, where, limits)
        places[name] = len(places)
        if len(places) > limits.objects:
            raise more_than(limits)
    return places[name]


def _check_weights(weights: FloatArray, cells: Cells, begin: int, column: int) -> None:
    wrong = np.flatnonzero(~(weights >= 0))
    if wrong.size:
        row = begin + int(wrong[0])
        raise UnsuitableWeights(
            f"{cells.where(row, column)} is {cells.rows[row][column][:40]!r}; a weight is zero or "
            "more.",
            remedy="Correct the weight, or leave out its column.",
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
    return lent(square.reshape(count, count))


def _repeated(labels: Sequence[str], cell: IntArray, repeats: IntArray) -> str:
    often = int((repeats > 1).sum())
    worst = int(np.argmax(repeats))
    i, j = divmod(int(cell[worst]), len(labels))
    number = counted(often, "pair is", "pairs are")
    return (
        f"{number} listed more than once and averaged; {labels[i]} with {labels[j]} "
        f"{int(repeats[worst])} times."
    )


def _may_be_meant(container: Container) -> bool:
    return container.has_cells and looks_like_pairs(container.cells)


PAIRS = Format(
    "pairs",
    "Long list of pairs",
    of_cells(pairs),
    containers=("text", "workbook"),
    turn=7,
    layouts=("pairs",),
    may_be_meant=_may_be_meant,
)
