"""Where plain reading fails: what was added to the numbers, and what stands around the table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from cml_core.errors import ConditionalMappingError, TooManyObjects
from cml_core.files.reading.container import Container
from cml_core.files.reading.decimals import with_sure_decimals
from cml_core.files.reading.format import ReadTable
from cml_core.files.reading.formats import read_as
from cml_core.files.reading.list_lines import whole_lines
from cml_core.files.reading.marks import without_marks
from cml_core.files.reading.numbered_table import (
    numbered_table,
    without_numbers_before,
)
from cml_core.files.reading.pairs_apart import pairs_apart
from cml_core.files.reading.people.by_roles import by_roles
from cml_core.files.reading.printed_square import printed_squares
from cml_core.files.reading.question import Choice, Question
from cml_core.files.reading.r_dist import printed_cells
from cml_core.files.reading.raw import Cells, RawTable
from cml_core.files.reading.recognise import best
from cml_core.files.reading.tables import Found, blocks, named_squares
from cml_core.values.words import counted

# Each look takes as long as reading; in a larger table only names are looked for.
_MOST_CELLS = 250_000


@dataclass(frozen=True)
class Seen:
    """A table, and the container with the grid that it was read from."""

    table: ReadTable
    container: Container


def read_well(container: Container, name: str) -> Seen:
    """The table by plain reading; else without what stands around it, or in its cells.

    Raises
    ------
    What plain reading raises, where a second look finds nothing either.
    """
    try:
        plain = best(container, name)
    except TooManyObjects:
        raise
    except ConditionalMappingError as error:
        found = _second(container, name, pairs_only=False)
        if found is None:
            raise error.with_traceback(None) from None
        return found
    if isinstance(plain, RawTable):
        return Seen(plain, container)
    return _second(container, name, pairs_only=True) or Seen(plain, container)


def read_well_as(container: Container, key: str) -> Seen:
    """The table in one format, by plain reading or else by a second look; raises as `read_well`."""
    try:
        return Seen(read_as(container, key), container)
    except TooManyObjects:
        raise
    except ConditionalMappingError as error:
        for grid in _tries(container) if container.has_cells else ():
            tried = container.holding(grid)
            with suppress(ConditionalMappingError):
                return Seen(read_as(tried, key), tried)
        raise error.with_traceback(None) from None


def read_by_roles(container: Container) -> Seen:
    """The list as its columns were said to be, by plain reading or else by a second look."""
    roles = container.manner.roles
    try:
        return Seen(by_roles(container.cells, container.limits, roles), container)
    except TooManyObjects:
        raise
    except ConditionalMappingError as error:
        for grid in _grids(container.cells):
            tried = container.holding(grid)
            with suppress(ConditionalMappingError):
                return Seen(by_roles(grid, container.limits, roles), tried)
        raise error.with_traceback(None) from None


def _second(container: Container, name: str, *, pairs_only: bool) -> Seen | None:
    """What is found once marks, titles, notes and the like are left aside."""
    if not container.has_cells:
        return None
    measured = None
    for grid in _tries(container):
        tried = container.holding(grid)
        try:
            table = best(tried, name)
        except ConditionalMappingError:
            continue
        if isinstance(table, RawTable):
            return Seen(_asking(table, container.cells), tried)
        measured = measured or Seen(table, tried)
    return None if pairs_only else measured


def _tries(container: Container) -> Iterator[Cells]:
    yield from _printed(container)
    yield from _grids(container.cells)


def _printed(container: Container) -> tuple[Cells, ...]:
    """The grid by its columns, where blanks within names have made lines of different widths."""
    cells = container.cells
    widths = {len(row) for row in cells.rows[1:]}
    if container.kind != "text" or len(widths) < 2 or sum(map(len, cells.rows)) > _MOST_CELLS:
        return ()
    grid = printed_cells(container.text, container.limits)
    return () if grid is None else (grid,)


def _grids(cells: Cells) -> Iterator[Cells]:
    """The grid with plain numbers, then parts of it, the surest first."""
    if sum(map(len, cells.rows)) > _MOST_CELLS:
        yield from (found.cut_from(cells) for found in named_squares(cells))
        return
    marked = without_marks(cells)
    plain = with_sure_decimals(marked or cells) or marked
    if plain is not None:
        yield plain
    numbered = numbered_table(plain or cells)
    if numbered is not None:
        yield numbered
    yield from whole_lines(plain or cells)
    apart = pairs_apart(plain or cells)
    if apart is not None:
        yield apart
    yield from printed_squares(plain or cells)
    for grid in (cells, plain, without_numbers_before(plain or cells)):
        if grid is not None:
            yield from (found.cut_from(grid) for found in _parts(grid))


def _parts(cells: Cells) -> Iterator[Found]:
    whole = Found(tuple(range(len(cells.rows))), tuple(range(max(map(len, cells.rows)))))
    yield from (found for found in named_squares(cells) if found != whole)
    yield from (found for found in blocks(cells) if found != whole)


def _asking(table: RawTable, cells: Cells) -> RawTable:
    """Which one is meant, where the grid holds several tables with names on both sides."""
    squares = named_squares(cells)
    if len(squares) < 2:
        return table
    choices = tuple(
        Choice(
            str(found.area_in(cells)),
            f"Cells {found.area_in(cells)}",
            f"{counted(len(found.rows) - 1, 'object')}: "
            f"{', '.join(cells.rows[row][found.columns[0]] for row in found.rows[1:4])}, …",
        )
        for found in squares
    )
    question = Question(
        "area",
        "area",
        f"The file holds {len(squares)} tables beside each other.",
        "One of them is mapped; the others are left out.",
        choices,
    )
    return replace(table, questions=(*table.questions, question))
