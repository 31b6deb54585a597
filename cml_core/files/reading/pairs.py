"""A long list of pairs: two names and a value in each line, perhaps a weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from cml_core.errors import UnreadableFile, UnsuitableWeights
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Format, of_cells
from cml_core.files.reading.heads import are_heads_of_pairs, person_column
from cml_core.files.reading.names import check_count, check_length, more_than
from cml_core.files.reading.numbers import is_text, notes_on, numbers_in_column
from cml_core.files.reading.raw import Cells, Limits, RawTable
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


def pairs(cells: Cells, limits: Limits) -> RawTable:
    """Each line fills the cell of its first name's row and its second name's column.

    A pair that is listed in both directions fills both. One that is listed several times in the
    same direction is averaged, by its weights where it has some; `spread` is their standard
    deviation (of a sample, undivided by weights), and the weights are added up.
    """
    begin = 1 if has_header(cells) else 0
    _check_widths(cells)
    _check_no_person(cells, begin)
    found = _listed(cells, begin, limits)
    return table_of(found, notes_on(cells))


def table_of(found: Listed, notes: tuple[str, ...]) -> RawTable:
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
    )


def has_header(cells: Cells) -> bool:
    """Whether the first line names the columns."""
    return len(cells.rows[0]) > 2 and is_text(cells.rows[0][2])


def looks_like_pairs(cells: Cells) -> bool:
    """Whether names occur on both sides, as they do where objects are compared with each other.

    Numbers as names must be whole, and no ordered pair occur twice: else it may be anything.
    """
    rows = cells.rows
    if not all(len(row) in (3, 4) for row in rows):
        return False
    begin = int(has_header(cells))
    first, second = ([row[k] for row in rows[begin:]] for k in (0, 1))
    if not first:
        return False
    told = begin == 1 and are_heads_of_pairs(*rows[0][:2])
    if any(is_text(name) for name in (*first, *second)):
        return told or bool(set(first) & set(second))
    # Three columns of numbers are measurements as a rule, unless the first two look like a design:
    # whole numbers, each pair once.
    whole = all(name.isdigit() for name in (*first, *second))
    selves = {row[2] for row in rows[begin:] if row[0] == row[1]}
    once = len(selves) < 2 and len(set(zip(first, second, strict=True))) == len(first)
    others = sum(a != b for a, b in zip(first, second, strict=True))
    names = len(set(first) | set(second))
    return whole and (told or (once and others >= names - 1 and bool(set(first) & set(second))))


def _check_widths(cells: Cells) -> None:
    width = len(cells.rows[0])
    if width not in (3, 4):
        raise UnreadableFile(
            f"Line {cells.lines[0]} has {width} cells; a list of pairs has two names, a value, "
            "and perhaps a weight.",
            remedy="Give three or four cells in every line.",
        )
    for row, line in zip(cells.rows, cells.lines, strict=True):
        if len(row) != width:
            raise UnreadableFile(
                f"Line {line} has {len(row)} cells where the first has {width}.",
                remedy="Give the same cells in every line; leave unknown values empty.",
            )


def _check_no_person(cells: Cells, begin: int) -> None:
    """Raise where the fourth column says who answered: numbers of people are no weights."""
    if begin and len(cells.rows[0]) > 3 and person_column(cells) == 3:
        raise UnreadableFile(
            f"{cells.where(0, 3)} is {cells.rows[0][3][:40]!r}: this column names people, and "
            "does not say how much a pair counts.",
            remedy="Choose the list of ratings by several people as its format.",
        )


def _listed(cells: Cells, begin: int, limits: Limits) -> Listed:
    places: dict[str, int] = {}
    size = len(cells.rows) - begin
    ends = np.empty((size, 2), dtype=np.int64)
    for k in range(size):
        row = cells.rows[begin + k]
        for side in (0, 1):
            ends[k, side] = _place_of(row[side], cells, begin + k, side, places, limits)
    check_count(len(places), limits)
    values = numbers_in_column(cells, begin, 2)
    weights = numbers_in_column(cells, begin, 3) if len(cells.rows[0]) > 3 else None
    if weights is not None:
        _check_weights(weights, cells, begin)
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


def _check_weights(weights: FloatArray, cells: Cells, begin: int) -> None:
    wrong = np.flatnonzero(~(weights >= 0))
    if wrong.size:
        row = begin + int(wrong[0])
        raise UnsuitableWeights(
            f"{cells.where(row, 3)} is {cells.rows[row][3][:40]!r}; a weight is zero or more.",
            remedy="Correct the weight, or leave out the fourth column.",
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
