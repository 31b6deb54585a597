"""Confusions one by one: in each line a person, what was shown, and what they took it for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, Format, of_cells
from cml_core.files.reading.heads import (
    ANSWERED,
    SHOWN,
    first_headed,
    person_column,
    share_names,
)
from cml_core.files.reading.people.lists import check_width, lines_by_person, objects_in, people_in
from cml_core.files.reading.people.summed_up import Own, check_extent, summed_up
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.arrays import IntArray

_NEEDS = "a list of confusions has a person, what was shown, and what was answered"


@dataclass(frozen=True)
class ConfusionColumns:
    """Where what stands, and on which line it begins."""

    begin: int
    person: int
    shown: int
    answered: int


def confusion_list(cells: Cells, limits: Limits, said: ConfusionColumns | None = None) -> RawTable:
    """How often each object, where it was shown, was taken for each: shares of a row.

    Shares, for objects are not shown equally often; the row of one that was never shown is
    silent.
    """
    check_width(cells, 3, _NEEDS)
    at = said or _told(cells) or ConfusionColumns(int(_is_head(cells)), 0, 1, 2)
    people = people_in(cells, at.begin, at.person, limits)
    objects = objects_in(cells, at.begin, (at.shown, at.answered), limits)
    n = len(objects.names)
    check_extent(len(people.names), n)
    (who,), (shown, answered) = people.which, objects.which
    tables = (
        _own(shown[lines], answered[lines], n) for lines in lines_by_person(who, len(people.names))
    )
    note = "Rows are what was shown, columns what was answered; values are shares of a row."
    return summed_up(objects.names, people.names, tables, KEY, (note,))


def _own(shown: IntArray, answered: IntArray, n: int) -> Own:
    counts = np.bincount(shown * n + answered, minlength=n * n).reshape(n, n).astype(np.float64)
    times = np.broadcast_to(counts.sum(axis=1, keepdims=True), (n, n))
    return Own(np.divide(counts, times, out=np.full((n, n), np.nan), where=times > 0), times)


def _told(cells: Cells) -> ConfusionColumns | None:
    heads = cells.rows[0]
    if len({len(row) for row in cells.rows}) > 1 or len(heads) < 3:
        return None
    person = person_column(cells)
    if person is None:
        return None
    shown = first_headed(heads, SHOWN, (person,))
    if shown is None:
        return None
    answered = first_headed(heads, ANSWERED, (person, shown))
    # What was answered is one of what was shown; else it is a rating, or a word of their own.
    if answered is None or not share_names(cells, shown, answered, 1):
        return None
    return ConfusionColumns(1, person, shown, answered)


def _is_head(cells: Cells) -> bool:
    """Whether the first line names a person who does not come again."""
    return cells.rows[0][0] not in {row[0] for row in cells.rows[1:]}


def _claim(container: Container, _name: str) -> Claim:
    told = container.has_cells and _told(container.cells) is not None
    return Claim.CERTAIN if told else Claim.NOTHING


KEY = "confusion_list"
CONFUSION_LIST = Format(
    KEY,
    "List of confusions by several people",
    of_cells(confusion_list),
    containers=("text", "workbook"),
    turn=4,
    claim=_claim,
)
