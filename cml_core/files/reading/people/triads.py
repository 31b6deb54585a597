"""Triads: of three objects, which one each person found the odd one out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, Format, of_cells
from cml_core.files.reading.heads import ODD, first_headed, person_column
from cml_core.files.reading.numbers import MISSING
from cml_core.files.reading.people.lists import check_width, lines_by_person, objects_in, people_in
from cml_core.files.reading.people.summed_up import Own, check_extent, summed_up
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.arrays import IntArray

_NEEDS = "a list of triads has a person, three objects, and the one that was odd"
_PLACES = {"1": 0, "2": 1, "3": 2}


@dataclass(frozen=True)
class TriadColumns:
    """Where what stands, and on which line it begins."""

    begin: int
    person: int
    objects: tuple[int, int, int]
    odd: int


def triads(cells: Cells, limits: Limits, said: TriadColumns | None = None) -> RawTable:
    """How often two objects were not left together, among the triads that held both.

    The odd one is named, or told by its place: 1, 2 or 3. A triad without one was not judged.
    """
    check_width(cells, 5, _NEEDS)
    at = said or _told(cells) or _in_order(cells)
    people = people_in(cells, at.begin, at.person, limits)
    objects = objects_in(cells, at.begin, at.objects, limits)
    n = len(objects.names)
    check_extent(len(people.names), n)
    odd = _odd_places(cells, at)
    (who,) = people.which
    tables = (
        _own(objects.which[:, lines], odd[lines], n)
        for lines in lines_by_person(who, len(people.names))
    )
    return summed_up(objects.names, people.names, tables, KEY, ())


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
    if len({len(row) for row in cells.rows}) > 1 or len(heads) < 5:
        return None
    person = person_column(cells)
    three = _three(heads)
    if person is None or three is None:
        return None
    odd = first_headed(heads, ODD, (person, *three))
    return None if odd is None else TriadColumns(1, person, three, odd)


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
    headed = first[4] not in first[1:4] and first[4] not in _PLACES
    return TriadColumns(int(headed), 0, (1, 2, 3), 4)


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
