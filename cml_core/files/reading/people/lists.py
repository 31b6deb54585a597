"""Columns of names in lists of what people said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.files.reading.names import check_count, check_length, more_than
from cml_core.files.reading.raw import Cells, Limits
from cml_core.values.arrays import IntArray
from cml_core.values.words import counted


@dataclass(frozen=True)
class Named:
    """Names, each once, and which of them every line has; a row of `which` for each column."""

    names: tuple[str, ...]
    which: IntArray


def check_width(cells: Cells, least: int, needs: str) -> None:
    """Raise unless every line has as many cells as the first, and at least so many."""
    width = len(cells.rows[0])
    if width < least:
        raise UnreadableFile(
            f"Line {cells.lines[0]} has {counted(width, 'cell')}; {needs}.",
            remedy=f"Give at least {least} columns, and say above each what it is.",
        )
    for row, line in zip(cells.rows, cells.lines, strict=True):
        if len(row) != width:
            raise UnreadableFile(
                f"Line {line} has {len(row)} cells where the first has {width}.",
                remedy="Give the same cells in every line; leave unknown values empty.",
            )


def people_in(cells: Cells, begin: int, column: int, limits: Limits) -> Named:
    """The people of a column."""
    return _named(cells, begin, (column,), "a person", limits)


def objects_in(cells: Cells, begin: int, columns: Sequence[int], limits: Limits) -> Named:
    """The objects of some columns."""
    found = _named(cells, begin, columns, "an object", limits)
    if len(found.names) > limits.objects:
        raise more_than(limits)
    check_count(len(found.names), limits)
    return found


def _named(cells: Cells, begin: int, columns: Sequence[int], what: str, limits: Limits) -> Named:
    places: dict[str, int] = {}
    which = np.empty((len(columns), len(cells.rows) - begin), dtype=np.int64)
    for k, row in enumerate(cells.rows[begin:]):
        for side, column in enumerate(columns):
            name = row[column]
            if name not in places:
                where = cells.where(begin + k, column)
                if not name:
                    raise UnreadableFile(
                        f"{where} is empty, where the name of {what} belongs.",
                        remedy=f"Name {what} in every line, or leave the line out.",
                    )
                check_length(name, where, limits)
                places[name] = len(places)
            which[side, k] = places[name]
    return Named(tuple(places), which)


def lines_by_person(who: IntArray, people: int) -> Iterator[IntArray]:
    """The lines of each person in turn."""
    order = np.argsort(who, kind="stable").astype(np.int64)
    ends = np.searchsorted(who[order], np.arange(people + 1))
    for k in range(people):
        yield order[ends[k] : ends[k + 1]]
