"""Ratings with a line for each person and a column for each pair, as surveys are exported."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, Format, of_cells
from cml_core.files.reading.names import check_count, checked_names
from cml_core.files.reading.numbers import is_text, notes_on, numbers_in_row
from cml_core.files.reading.people.lists import check_width
from cml_core.files.reading.people.summed_up import Own, check_extent, summed_up
from cml_core.files.reading.people.survey import (
    PairHeads,
    Survey,
    pair_heads,
    person_of,
    survey_of,
)
from cml_core.files.reading.raw import Cells, Limits, RawTable

_NEEDS = "a table of ratings has a line for each person and a column for each pair"


@dataclass(frozen=True)
class _Wide:
    """Where answers begin, and which pair each column is about."""

    survey: Survey
    heads: PairHeads


def wide_ratings(cells: Cells, limits: Limits) -> RawTable:
    """The mean over people of what they said of each pair, and beside it what each said.

    Heads name both objects of a pair, as in apple_banana or «How different are apple and
    banana?». What is said of a pair holds for both orders.
    """
    check_width(cells, 3, _NEEDS)
    found = _told(cells)
    if found is None:
        raise UnreadableFile(
            "The heads of the columns do not name every pair of some objects.",
            remedy="Head each column by its two objects in the same way, as in apple_banana.",
        )
    begin, pairs = found.survey.begin, found.heads.pairs
    labels = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    check_count(len(labels), limits)
    people = _people(cells, found.survey, limits)
    check_extent(len(people), len(labels))
    place = {name: k for k, name in enumerate(labels)}
    first, second = np.array([[place[name] for name in pair] for pair in pairs]).T
    left, right = found.heads.columns[0], found.heads.columns[-1] + 1
    tables = (
        Own.of_pairs(numbers_in_row(cells, begin + k, left, right), first, second, len(labels))
        for k in range(len(people))
    )
    return summed_up(labels, people, tables, KEY, notes_on(cells), scatter=True)


def _people(cells: Cells, survey: Survey, limits: Limits) -> tuple[str, ...]:
    lines = range(survey.begin, len(cells.rows))
    column = person_of(survey, cells)
    if column is None:
        return tuple(f"person {k + 1}" for k in range(len(lines)))
    names = [cells.rows[k][column] for k in lines]
    return checked_names(names, [cells.where(k, column) for k in lines], limits).labels


def _told(cells: Cells) -> _Wide | None:
    return cells.once(("wide ratings", "told"), lambda: _found(cells))


def _found(cells: Cells) -> _Wide | None:
    survey = survey_of(cells)
    if len({len(row) for row in cells.rows}) > 1 or len(cells.rows) <= survey.begin:
        return None
    heads = pair_heads(survey.heads)
    if heads is None:
        return None
    answers = [[row[k] for k in heads.columns] for row in cells.rows[survey.begin :]]
    return None if any(is_text(cell) for row in answers for cell in row) else _Wide(survey, heads)


def _claim(container: Container, _name: str) -> Claim:
    told = container.has_cells and _told(container.cells) is not None
    return Claim.CERTAIN if told else Claim.NOTHING


KEY = "wide_ratings"
WIDE_RATINGS = Format(
    KEY,
    "Ratings with a column for each pair",
    of_cells(wide_ratings),
    containers=("text", "workbook"),
    turn=4,
    claim=_claim,
)
