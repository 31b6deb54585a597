"""A long list of ratings: in each line a person, two objects, and what the person said of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import listing
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, Format, of_cells
from cml_core.files.reading.heads import (
    VALUE,
    columns_sharing_names,
    first_headed,
    pair_columns,
    person_column,
)
from cml_core.files.reading.numbers import is_text, notes_on, numbers_in_column
from cml_core.files.reading.people.lists import (
    check_width,
    lines_by_person,
    objects_in,
    people_in,
)
from cml_core.files.reading.people.summed_up import Own, check_extent, summed_up
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.arrays import IntArray

_NEEDS = "a list of ratings has a person, two objects and a number"


@dataclass(frozen=True)
class RatingColumns:
    """Where what stands, and on which line it begins."""

    begin: int
    person: int
    first: int
    second: int
    value: int


def rater_list(cells: Cells, limits: Limits, said: RatingColumns | None = None) -> RawTable:
    """The mean of all ratings of a pair, with what each person said on average beside it.

    Where people saw most pairs in one order only, that order says nothing, and what is said of
    it holds for both. Columns are told by their heads; without, they are in the order person,
    object, object, number.
    """
    check_width(cells, 4, _NEEDS)
    at = said or _told(cells) or _in_order(cells)
    people = people_in(cells, at.begin, at.person, limits)
    objects = objects_in(cells, at.begin, (at.first, at.second), limits)
    values = numbers_in_column(cells, at.begin, at.value)
    check_extent(len(people.names), len(objects.names))
    (who,), (first, second), n = people.which, objects.which, len(objects.names)
    notes = (*notes_on(cells), *_not_read(cells, at))
    one_order = _in_one_order(who, first, second, n)
    if one_order:
        notes = (*notes, "In which order the two objects were named does not count.")
    lines = lines_by_person(who, len(people.names))
    tables = (
        Own.of_pairs(values[own], first[own], second[own], n)
        if one_order
        else Own.of(values[own], first[own] * n + second[own], n)
        for own in lines
    )
    return summed_up(objects.names, people.names, tables, KEY, notes, scatter=True)


def _told(cells: Cells) -> RatingColumns | None:
    """The columns that the heads tell, helped by what stands below them."""
    return cells.once(("rater list", "columns"), lambda: _found(cells))


def _found(cells: Cells) -> RatingColumns | None:
    heads = cells.rows[0]
    if len({len(row) for row in cells.rows}) > 1 or len(heads) < 4 or len(cells.rows) < 3:
        return None
    person = person_column(cells)
    if person is None:
        return None
    pair = pair_columns(heads, (person,)) or columns_sharing_names(cells, (person,))
    if pair is None or _has_a_third(cells, (person, *pair)):
        return None
    value = _value_column(cells, (person, *pair))
    return None if value is None else RatingColumns(1, person, *pair, value)


def _has_a_third(cells: Cells, taken: tuple[int, int, int]) -> bool:
    """Whether a third column holds the same objects: then they were judged three by three."""
    rest = columns_sharing_names(cells, taken[:2])
    return rest is not None and taken[2] in rest


def _value_column(cells: Cells, taken: tuple[int, ...]) -> int | None:
    """The column of ratings: the one whose head says so, else the only one with numbers."""
    named = first_headed(cells.rows[0], VALUE, taken)
    if named is not None:
        return named
    free = [k for k in range(len(cells.rows[0])) if k not in taken and cells.rows[0][k]]
    numeric = [k for k in free if not any(is_text(row[k]) for row in cells.rows[1:])]
    return numeric[0] if len(numeric) == 1 else None


def _in_order(cells: Cells) -> RatingColumns:
    return RatingColumns(int(is_text(cells.rows[0][3])), 0, 1, 2, 3)


def _not_read(cells: Cells, at: RatingColumns) -> tuple[str, ...]:
    used = (at.person, at.first, at.second, at.value)
    left = [head for k, head in enumerate(cells.rows[0]) if k not in used and head]
    return (f"Columns that were not read: {listing(left)}.",) if at.begin and left else ()


def _in_one_order(who: IntArray, first: IntArray, second: IntArray, n: int) -> bool:
    """Whether each person saw most pairs in one order."""
    there = np.unique((who * n + first) * n + second)
    back = np.unique((who * n + second) * n + first)
    return bool(2 * np.intersect1d(there, back).size <= there.size)


def _claim(container: Container, _name: str) -> Claim:
    told = container.has_cells and _told(container.cells) is not None
    return Claim.CERTAIN if told else Claim.NOTHING


KEY = "rater_list"
RATER_LIST = Format(
    KEY,
    "List of ratings by several people",
    of_cells(rater_list),
    containers=("text", "workbook"),
    turn=4,
    claim=_claim,
)
