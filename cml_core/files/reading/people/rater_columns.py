"""A list of pairs with a column for each person: two objects, then what everyone said of them."""

from __future__ import annotations

from dataclasses import dataclass

from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, Format, of_cells
from cml_core.files.reading.heads import numbered_people, share_names
from cml_core.files.reading.names import checked_names
from cml_core.files.reading.numbers import is_text, notes_on, numbers_in_column
from cml_core.files.reading.people.lists import check_width, objects_in
from cml_core.files.reading.people.summed_up import Own, check_extent, summed_up
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.answers import FEWEST_PEOPLE

_NEEDS = "a list of pairs with a column for each person has two objects and the people's numbers"


@dataclass(frozen=True)
class RaterColumns:
    """Where what stands, and on which line it begins."""

    begin: int
    first: int
    second: int
    people: tuple[int, ...]


def rater_columns(cells: Cells, limits: Limits, said: RaterColumns | None = None) -> RawTable:
    """The mean over people of what they said of each pair, and beside it what each said.

    What is said of a pair holds for both orders; one that is listed twice was asked twice.
    """
    check_width(cells, 3, _NEEDS)
    at = said or _in_order(cells)
    people = _people(cells, at, limits)
    objects = objects_in(cells, at.begin, (at.first, at.second), limits)
    check_extent(len(people), len(objects.names))
    columns = (numbers_in_column(cells, at.begin, k) for k in at.people)
    first, second = objects.which
    n = len(objects.names)
    tables = (Own.of_pairs(values, first, second, n) for values in columns)
    return summed_up(objects.names, people, tables, KEY, notes_on(cells), scatter=True)


def _in_order(cells: Cells) -> RaterColumns:
    begin = int(any(is_text(cell) for cell in cells.rows[0][2:]))
    return RaterColumns(begin, 0, 1, tuple(range(2, len(cells.rows[0]))))


def _people(cells: Cells, at: RaterColumns, limits: Limits) -> tuple[str, ...]:
    if not at.begin:
        return tuple(f"person {k + 1}" for k in range(len(at.people)))
    heads = [cells.rows[0][k] for k in at.people]
    return checked_names(heads, [cells.where(0, k) for k in at.people], limits).labels


def _told(cells: Cells) -> bool:
    """Whether the columns behind two that share names are headed by numbered people."""
    # Kilometres, hours and fares of the same pairs must never be averaged for three people.
    heads = cells.rows[0]
    return (
        len(heads) >= 2 + FEWEST_PEOPLE
        and len({len(row) for row in cells.rows}) == 1
        and numbered_people(heads[2:])
        and share_names(cells, 0, 1, 1)
    )


def _claim(container: Container, _name: str) -> Claim:
    told = container.has_cells and _told(container.cells)
    return Claim.CERTAIN if told else Claim.NOTHING


KEY = "rater_columns"
RATER_COLUMNS = Format(
    KEY,
    "Pairs with a column for each person",
    of_cells(rater_columns),
    containers=("text", "workbook"),
    turn=4,
    claim=_claim,
)
