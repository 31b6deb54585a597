"""Triads: of three objects, which one each person found the odd one out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, Format, of_cells
from cml_core.files.reading.heads import (
    ODD,
    columns_sharing_names,
    first_headed,
    person_column,
)
from cml_core.files.reading.numbers import MISSING
from cml_core.files.reading.people.lists import (
    Named,
    check_width,
    lines_by_person,
    objects_in,
    people_in,
)
from cml_core.files.reading.people.summed_up import Own, check_extent, summed_up
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.arrays import IntArray

_NEEDS = "a list of triads has three objects, the one that was odd, and perhaps a person"
# Of so many lines, one of three is odd at each place.
_ENOUGH_LINES = 30
_PLACES = {"1": 0, "2": 1, "3": 2}


@dataclass(frozen=True)
class TriadColumns:
    """Where what stands, and on which line it begins; None where no one is named."""

    begin: int
    person: int | None
    objects: tuple[int, int, int]
    odd: int


def triads(cells: Cells, limits: Limits, said: TriadColumns | None = None) -> RawTable:
    """How often two objects were not left together, among the triads that held both.

    The odd one is named, or told by its place: 1, 2 or 3. A triad without one was not judged.
    """
    check_width(cells, 4, _NEEDS)
    at = said or _told(cells) or _in_order(cells)
    people = _people(cells, at, limits)
    objects = objects_in(cells, at.begin, at.objects, limits)
    n = len(objects.names)
    check_extent(len(people.names), n)
    odd = _odd_places(cells, at)
    _check_odd(cells, at, odd)
    (who,) = people.which
    tables = (
        _own(objects.which[:, lines], odd[lines], n)
        for lines in lines_by_person(who, len(people.names))
    )
    notes = () if at.person is not None else ("The list does not say who judged.",)
    return summed_up(objects.names, people.names, tables, KEY, notes)


def _people(cells: Cells, at: TriadColumns, limits: Limits) -> Named:
    if at.person is not None:
        return people_in(cells, at.begin, at.person, limits)
    return Named(("everybody",), np.zeros((1, len(cells.rows) - at.begin), dtype=np.int64))


def _check_odd(cells: Cells, at: TriadColumns, odd: IntArray) -> None:
    """Raise where one column is never odd: then people chose what is more like that one."""
    never = sorted({0, 1, 2} - set(odd.tolist()))
    if len(never) != 1 or np.sum(odd >= 0) < _ENOUGH_LINES or not at.begin:
        return
    chosen, reference = (cells.rows[0][k] for k in (at.odd, at.objects[never[0]]))
    raise UnreadableFile(
        f"The column {chosen[:40]!r} never names one of {reference[:40]!r}: so it tells which of "
        "two is more like a third, not which of three is the odd one.",
        remedy="Put the object that was not chosen in its place: that is the odd one out.",
    )


def _own(objects: IntArray, odd: IntArray, n: int) -> Own:
    """Of each triad, the two without the odd one were the most alike: 0, and the others 1."""
    first, second, values = [], [], []
    for i, j, rest in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        first.append(objects[i])
        second.append(objects[j])
        values.append(np.where(odd < 0, np.nan, (odd != rest).astype(np.float64)))
    return Own.of_pairs(np.concatenate(values), np.concatenate(first), np.concatenate(second), n)


def _odd_places(cells: Cells, at: TriadColumns) -> IntArray:
    """Which of its three was odd in each line, counted from 0; -1 where none was named."""
    found = np.empty(len(cells.rows) - at.begin, dtype=np.int64)
    for k, row in enumerate(cells.rows[at.begin :]):
        three = [row[column] for column in at.objects]
        if len(set(three)) < len(three):
            raise UnreadableFile(
                f"{cells.where(at.begin + k, at.objects[0])}: a triad names an object twice "
                f"({', '.join(three)}).",
                remedy="Give three different objects in every line.",
            )
        found[k] = _place(row[at.odd], three, cells.where(at.begin + k, at.odd))
    return found


def _place(odd: str, three: list[str], where: str) -> int:
    if odd in three:
        return three.index(odd)
    if odd.lower() in MISSING:
        return -1
    if odd in _PLACES:
        return _PLACES[odd]
    raise UnreadableFile(
        f"{where} is {odd[:40]!r}, which is none of the three: {', '.join(three)}.",
        remedy="Name the odd one as it is named in the triad, or by its place: 1, 2 or 3.",
    )


def _told(cells: Cells) -> TriadColumns | None:
    """The columns that the heads tell: three numbered alike, a person, and what was odd."""
    heads = cells.rows[0]
    if len({len(row) for row in cells.rows}) > 1 or len(heads) < 4 or len(cells.rows) < 3:
        return None
    person = person_column(cells)
    taken = () if person is None else (person,)
    counted = _three(heads)
    three = counted or _three_sharing_names(cells, taken)
    if three is None:
        return None
    odd = first_headed(heads, ODD, (*taken, *three))
    sure = bool(counted and taken)
    if odd is None or not (sure or _names_one_of(cells, three, odd)):
        return None
    return TriadColumns(1, person, three, odd)


def _names_one_of(cells: Cells, three: tuple[int, int, int], odd: int) -> bool:
    """Whether a column names one of the three, or its place, wherever it is filled."""
    filled = [row for row in cells.rows[1:] if row[odd].lower() not in MISSING]
    named = [row[odd] in {row[k] for k in three} or row[odd] in _PLACES for row in filled]
    return 2 * sum(named) > len(named)


def _three_sharing_names(cells: Cells, taken: tuple[int, ...]) -> tuple[int, int, int] | None:
    """The first three columns in which mostly the same names stand."""
    pair = columns_sharing_names(cells, taken)
    third = columns_sharing_names(cells, (*taken, pair[0])) if pair else None
    return (pair[0], *third) if pair and third and pair[1] in third else None


def _three(heads: tuple[str, ...]) -> tuple[int, int, int] | None:
    """The columns headed item1, item2, item3; or a, b, c."""
    lowered = [head.lower() for head in heads]
    for k, head in enumerate(lowered):
        for ending in ("123", "abc"):
            others = [f"{head[:-1]}{mark}" for mark in ending]
            if head == others[0] and all(other in lowered for other in others):
                return k, lowered.index(others[1]), lowered.index(others[2])
    return None


def _in_order(cells: Cells) -> TriadColumns:
    first = cells.rows[0]
    person = 0 if len(first) > 4 else None
    *three, odd = range(1, 5) if person == 0 else range(4)
    headed = first[odd] not in [first[k] for k in three] and first[odd] not in _PLACES
    return TriadColumns(int(headed), person, (three[0], three[1], three[2]), odd)


def _claim(container: Container, _name: str) -> Claim:
    told = container.has_cells and _told(container.cells) is not None
    return Claim.CERTAIN if told else Claim.NOTHING


KEY = "triads"
TRIADS = Format(
    KEY,
    "Odd ones out of triads",
    of_cells(triads),
    containers=("text", "workbook"),
    turn=4,
    claim=_claim,
    of_distances=True,
)
