"""Free sorting: which objects each person put into one pile."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from cml_core.errors import DuplicateLabels, UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, Format, of_cells
from cml_core.files.reading.heads import (
    OBJECT,
    PILE,
    first_headed,
    is_person,
    numbered_people,
    person_column,
    repeats,
    words_of,
)
from cml_core.files.reading.names import check_count, checked_names
from cml_core.files.reading.numbers import MISSING
from cml_core.files.reading.people.lists import check_width, lines_by_person, objects_in, people_in
from cml_core.files.reading.people.summed_up import Own, check_extent, summed_up
from cml_core.files.reading.people.survey import person_of, survey_of, without_common
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.answers import FEWEST_PEOPLE
from cml_core.values.arrays import IntArray

_NEEDS = (
    "a sorting has a person, an object and a pile in every line, or a line for each object with "
    "a column for each person"
)
# People, and objects, that show that piles are numbered anew for everyone.
_FEWEST_OF_EITHER = 5


@dataclass(frozen=True)
class SortingColumns:
    """Where what stands in a list, and on which line it begins."""

    begin: int
    person: int
    object: int
    pile: int


@dataclass(frozen=True)
class _Piles:
    """(K, N) the number of the pile that each person put each object into, -1 for none."""

    people: tuple[str, ...]
    labels: tuple[str, ...]
    piles: IntArray


def sorting(cells: Cells, limits: Limits, said: SortingColumns | None = None) -> RawTable:
    """The share of people who parted two objects, among those who sorted both.

    Either a line for each object that a person sorted, or a table of objects by people, with
    the pile in each cell; an object without a pile was not sorted.
    """
    check_width(cells, 3, _NEEDS)
    found = _piles_of(cells, limits, said)
    _check_sorted(found)
    tables = (_parted(piles) for piles in found.piles)
    return summed_up(found.labels, found.people, tables, KEY, ())


def _piles_of(cells: Cells, limits: Limits, said: SortingColumns | None) -> _Piles:
    columns = said or _told(cells)
    if columns is None and (grouped := _grouped_columns(cells)):
        return _of_survey(cells, grouped, limits)
    columns = columns or _in_order(cells)
    return _of_list(cells, columns, limits) if columns else _of_table(cells, limits)


def _grouped_columns(cells: Cells) -> list[int]:
    """The columns of groups in what Qualtrics exports, one for each object."""
    survey = survey_of(cells)
    if survey.begin == 1:
        return []
    return [k for k, code in enumerate(survey.codes) if code.endswith("_GROUP")]


def _of_survey(cells: Cells, grouped: list[int], limits: Limits) -> _Piles:
    survey = survey_of(cells)
    check_count(len(grouped), limits)
    objects = checked_names(
        without_common([survey.heads[k] for k in grouped]),
        [cells.where(survey.begin - 2, k) for k in grouped],
        limits,
    )
    lines = cells.rows[survey.begin :]
    person = person_of(survey, cells)
    people = tuple(
        f"person {k + 1}" if person is None else row[person] for k, row in enumerate(lines)
    )
    check_extent(len(people), len(grouped))
    piles = [_numbered([row[k] for k in grouped]) for row in lines]
    return _Piles(people, objects.labels, np.array(piles))


def _parted(piles: IntArray) -> Own:
    """1 where one person parted two objects, 0 where they left them together."""
    sorted_ = piles >= 0
    both = sorted_[:, None] & sorted_
    apart = (piles[:, None] != piles).astype(np.float64)
    return Own(np.where(both, apart, np.nan), both.astype(np.float64))


def _check_sorted(found: _Piles) -> None:
    for person, piles in zip(found.people, found.piles, strict=True):
        if np.sum(piles >= 0) < 2:
            raise UnreadableFile(
                f"{person!r} sorted fewer than two objects.",
                remedy="Leave this person out, or give the piles of all objects they sorted.",
            )


def _of_list(cells: Cells, at: SortingColumns, limits: Limits) -> _Piles:
    people = people_in(cells, at.begin, at.person, limits)
    objects = objects_in(cells, at.begin, (at.object,), limits)
    check_extent(len(people.names), len(objects.names))
    (who,), (which,) = people.which, objects.which
    pile = _numbered([row[at.pile] for row in cells.rows[at.begin :]])
    piles = np.full((len(people.names), len(objects.names)), -1, dtype=np.int64)
    for k, lines in enumerate(lines_by_person(who, len(people.names))):
        _check_once(cells, at, lines, which[lines])
        piles[k, which[lines]] = pile[lines]
    return _Piles(people.names, objects.names, piles)


def _check_once(cells: Cells, at: SortingColumns, lines: IntArray, which: IntArray) -> None:
    """Raise where one person sorted the same object twice."""
    _, first = np.unique(which, return_index=True)
    if first.size == which.size:
        return
    again = int(np.setdiff1d(np.arange(which.size), first)[0])
    before = int(np.flatnonzero(which == which[again])[0])
    row, earlier = (cells.rows[at.begin + int(lines[k])] for k in (again, before))
    raise DuplicateLabels(
        f"{cells.where(at.begin + int(lines[again]), at.object)}: {row[at.person]!r} sorted "
        f"{row[at.object]!r} twice, into pile {earlier[at.pile]!r} and into {row[at.pile]!r}.",
        remedy="Give every object one line for each person who sorted it.",
    )


def _of_table(cells: Cells, limits: Limits) -> _Piles:
    """A table with names above and before; whose are the people's is told by the corner."""
    above = range(1, len(cells.rows[0]))
    before = range(1, len(cells.rows))
    check_count(len(before), limits)
    rows = checked_names(
        [cells.rows[k][0] for k in before], [cells.where(k, 0) for k in before], limits
    )
    columns = checked_names(
        [cells.rows[0][k] for k in above], [cells.where(0, k) for k in above], limits
    )
    by_row = np.array([[cells.rows[i][j] for j in above] for i in before])
    people, labels = columns.labels, rows.labels
    by_person = by_row.T
    if _people_in_rows(cells):
        people, labels, by_person = rows.labels, columns.labels, by_row
    check_count(len(labels), limits)
    check_extent(len(people), len(labels))
    return _Piles(people, labels, np.array([_numbered(list(piles)) for piles in by_person]))


def _numbered(piles: list[str]) -> IntArray:
    """Each pile as a number; -1 where none is named."""
    places: dict[str, int] = {}
    return np.array(
        [-1 if pile.lower() in MISSING else places.setdefault(pile, len(places)) for pile in piles],
        dtype=np.int64,
    )


def _told(cells: Cells) -> SortingColumns | None:
    """The columns of a list, where heads tell all three."""
    heads = cells.rows[0]
    if len({len(row) for row in cells.rows}) > 1 or len(heads) < 3:
        return None
    person = person_column(cells)
    if person is None:
        return None
    thing = first_headed(heads, OBJECT, (person,))
    if thing is None:
        return None
    pile = first_headed(heads, PILE, (person, thing))
    return None if pile is None else SortingColumns(1, person, thing, pile)


def _in_order(cells: Cells) -> SortingColumns | None:
    """Person, object and pile in this order, where a file of three columns can be such a list."""
    # In a table every row has a name of its own.
    if len(cells.rows[0]) != 3 or not repeats(cells, 0, 0):
        return None
    names = [row[0] for row in cells.rows]
    return SortingColumns(int(names[0] not in names[1:]), 0, 1, 2)


def _people_in_rows(cells: Cells) -> bool:
    return is_person(cells.rows[0][0]) or (
        not numbered_people(cells.rows[0][1:])
        and numbered_people([row[0] for row in cells.rows[1:]])
    )


def _is_table_of_piles(cells: Cells) -> bool:
    """Whether people are named on one side and everyone's piles are numbered from one on."""
    heads, rows = cells.rows[0], cells.rows[1:]
    if len({len(row) for row in cells.rows}) > 1:
        return False
    if numbered_people(heads[1:]) and words_of(heads[0]) & OBJECT:
        by_column = list(zip(*(row[1:] for row in rows), strict=True))
        return len(by_column) >= FEWEST_PEOPLE and _numbered_anew(by_column)
    # Answers of people on a scale look alike, but hardly all of theirs go from its first point
    # on without a gap, and each up to another; and what has an id may be anything.
    named = is_person(heads[0]) and words_of(heads[0]) != {"id"}
    enough = min(len(heads) - 1, len(rows)) >= _FEWEST_OF_EITHER
    return named and enough and _numbered_anew([row[1:] for row in rows])


def _numbered_anew(by_person: list[tuple[str, ...]]) -> bool:
    used = [{pile for pile in piles if pile} for piles in by_person]
    counts = {len(piles) for piles in used}
    from_one = all(piles in _counted(len(piles)) for piles in used)
    return from_one and len(counts) > 1 and min(counts) > 1


def _counted(count: int) -> tuple[set[str], ...]:
    """So many piles, called 1, 2, 3, or A, B, C, or a, b, c."""
    letters = ascii_uppercase[:count]
    return {str(k + 1) for k in range(count)}, set(letters), set(letters.lower())


def _seems_sorted(cells: Cells) -> bool:
    return _told(cells) is not None or len(_grouped_columns(cells)) > 2 or _is_table_of_piles(cells)


def _claim(container: Container, _name: str) -> Claim:
    if not container.has_cells:
        return Claim.NOTHING
    cells = container.cells
    told = cells.once(("sorting", "told"), lambda: _seems_sorted(cells))
    return Claim.CERTAIN if told else Claim.NOTHING


KEY = "sorting"
SORTING = Format(
    KEY,
    "Free sorting by several people",
    of_cells(sorting),
    containers=("text", "workbook"),
    turn=4,
    claim=_claim,
    of_distances=True,
)
