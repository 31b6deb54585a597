"""A square table: one row and one column for each object, with or without names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.errors import NotSquare, UnreadableFile
from cml_core.files.reading.aligned import NUMBERED, same_order, without_numbers
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Format, ReadTable, has_grid, of_cells
from cml_core.files.reading.layout import layout_of
from cml_core.files.reading.names import (
    check_count,
    checked_names,
    order_of_columns,
    without_case_numbers,
)
from cml_core.files.reading.numbers import block_of, notes_on, numbers_in_row
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.files.reading.sides import Sides, sides_of
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted


def square(cells: Cells, limits: Limits, key: str = "square") -> RawTable:
    """A table of as many columns as rows; where only one triangle is filled, the other is NaN.

    Columns that stand in another order than the rows are joined with them by name.
    """
    sides = sides_of(cells)
    count = sides.height
    _check_shape(sides)
    check_count(count, limits)
    rows, above = sides.row_names(), sides.above
    if above and len(rows) > 2 and rows[1:] == list(above)[:-1]:
        return _one_apart(sides, limits, key)
    otherwise = same_order(rows, above) if rows and above and set(rows) != set(above) else ""
    names = without_case_numbers(sides.names(count, limits))
    if otherwise == NUMBERED and above:
        names = checked_names(without_numbers(rows, above), sides.places_before(), limits)
    order = None
    if rows and above is not None and not otherwise:
        order = order_of_columns(rows, above, sides.places_above())
    values = block_of(cells, sides.first, sides.offset)
    if values is None:
        values = np.stack([_row_of_values(sides, k, names.labels) for k in range(count)])
    notes = (*notes_on(cells), *sides.notes, *names.notes)
    if otherwise == "only counted" and not _is_symmetric(values):
        order_of_columns(rows, above or (), sides.places_above())
    if otherwise:
        notes = (*notes, _in_their_order(rows, above or (), otherwise))
    if order is not None:
        values = values[:, order]
        notes = (*notes, "Columns stand in another order than rows; they were joined by name.")
    return RawTable(names.labels, values, key, notes)


def _one_apart(sides: Sides, limits: Limits, key: str) -> RawTable:
    """The half above the diagonal, without the first column and the last row: nothing is there."""
    above = sides.above or ()
    places = [sides.places_before()[0], *sides.places_above()]
    names = checked_names([sides.row_names()[0], *above], places, limits)
    values = np.full((len(names.labels),) * 2, np.nan)
    for k in range(sides.height):
        values[k, 1:] = numbers_in_row(
            sides.cells,
            sides.first + k,
            sides.offset,
            name=names.labels[k],
            columns=above,
        )
    return RawTable(names.labels, values, key, (*notes_on(sides.cells), *sides.notes))


def _is_symmetric(values: FloatArray) -> bool:
    """Whether rows and columns, where both are given, read alike: so these are in one order."""
    both = np.isnan(values) | np.isnan(values.T)
    return bool(np.allclose(np.where(both, 0, values), np.where(both, 0, values.T), rtol=1e-6))


def _in_their_order(rows: Sequence[str], above: Sequence[str], why: str) -> str:
    first = next(k for k, row in enumerate(rows) if row != above[k])
    return (
        f"Names above are {why}: {above[first]!r} is taken for {rows[first]!r}, and so on in the "
        "order of the rows."
    )


def lsmat(cells: Cells, limits: Limits) -> RawTable:
    """A square table as scikit-bio writes it: an empty corner, the same names on both sides."""
    sides = sides_of(cells)
    corner = cells.rows[0][0]
    if sides.above is None or not sides.before or corner:
        raise UnreadableFile(
            f"{cells.where(0, 0)} is {corner[:40]!r}; before the names of the columns it is empty.",
            remedy="Begin the first line with a tab, then give the name of each object.",
        )
    for k, (above, before) in enumerate(zip(sides.above, sides.row_names(), strict=False)):
        if above != before:
            raise UnreadableFile(
                f"{cells.where(sides.first + k, 0)} is {before[:40]!r} where the first line has "
                f"{above[:40]!r}.",
                remedy="Name rows and columns alike, in the same order.",
            )
    return square(cells, limits, "lsmat")


def _row_of_values(sides: Sides, row: int, labels: tuple[str, ...]) -> FloatArray:
    """(N,) the numbers of one row."""
    named = sides.before or sides.above is not None
    above = () if sides.above is None else tuple(sides.above)
    columns = (above or labels) if named else ()
    return numbers_in_row(
        sides.cells,
        sides.first + row,
        sides.offset,
        sides.offset + len(labels),
        name=labels[row] if named else "",
        columns=columns,
    )


def _check_shape(sides: Sides) -> None:
    """Raise unless every row has as many values as there are rows."""
    widths = sides.widths()
    # The width of most rows is right, so that the error names the row that differs.
    usual = max(set(widths), key=lambda width: (widths.count(width), width))
    for row, width in enumerate(widths):
        if width != usual:
            raise NotSquare(
                f"Line {sides.cells.lines[sides.first + row]} has {counted(width, 'value')} where "
                f"other lines have {usual}.",
                remedy="Give as many values in every line as there are objects.",
            )
    if usual != sides.height:
        raise NotSquare(
            f"The table has {sides.height} rows of {counted(usual, 'value')}.",
            remedy="Give as many columns as rows.",
        )
    if sides.above is not None and len(sides.above) != usual:
        raise NotSquare(
            f"Line {sides.cells.lines[0]} names {len(sides.above)} columns, but the rows have "
            f"{counted(usual, 'value')}.",
            remedy="Name every column, or none.",
        )


def _convinces_as_lsmat(table: ReadTable, container: Container, name: str) -> bool:
    return LSMAT.suits_name(name) or _written_by_scikit_bio(container, table)


def _written_by_scikit_bio(container: Container, table: ReadTable) -> bool:
    """Whether there is a remark above, or tabs between and a point in every number."""
    first = container.text[:1_000].lstrip()
    if first.startswith("#") and container.cells.lines[0] > 1:
        return True
    complete = isinstance(table, RawTable) and not np.isnan(table.values).any()
    rows = container.cells.rows[1:]
    return (
        complete
        and "\t" in first
        and all("." in cell or "e" in cell for row in rows[:50] for cell in row[1:51])
    )


def _complaint(container: Container, _name: str, _tried: tuple[str, ...]) -> int:
    """Of a table as wide as it is high, a missing triangle is not what is wrong."""
    return 2 if layout_of(container.cells) == "square" else 1


def _is_silent(_container: Container, _name: str, _tried: tuple[str, ...]) -> int:
    return 0


SQUARE = Format(
    "square",
    "Square table",
    of_cells(square),
    containers=("text", "workbook"),
    turn=6,
    layouts=("square", "triangle"),
    may_be_meant=has_grid,
    complaint=_complaint,
)
LSMAT = Format(
    "lsmat",
    "scikit-bio labelled square matrix (lsmat)",
    of_cells(lsmat),
    containers=("text",),
    turn=4,
    layouts=("square",),
    convinces=_convinces_as_lsmat,
    complaint=_is_silent,
    endings=(".lsmat",),
)
