"""One triangle of a square table: lower or upper, with or without the diagonal and names."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cml_core.errors import NotSquare, UnreadableFile
from cml_core.files.reading.format import Format, has_grid, of_cells
from cml_core.files.reading.names import (
    Names,
    check_count,
    checked_names,
    numbered,
    order_of_columns,
)
from cml_core.files.reading.numbers import notes_on, number, numbers_in_row
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.files.reading.sides import Sides, rises, sides_of
from cml_core.files.reading.square import square
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted


@dataclass(frozen=True)
class _Shape:
    """How a triangle lies: row k has values for `columns(k)` of `count` objects.

    Parameters
    ----------
    diagonal : whether an object's value with itself is given.
    skipped : objects before the first row: 1 where the row without any value is left out.
    """

    count: int
    lower: bool
    diagonal: bool
    skipped: int = 0

    def columns(self, row: int) -> range:
        place, gap = row + self.skipped, int(not self.diagonal)
        if self.lower:
            return range(place + 1 - gap)
        return range(min(place + gap, self.count), self.count)

    def fits(self, widths: list[int]) -> bool:
        return all(len(self.columns(row)) == width for row, width in enumerate(widths))


def triangle(cells: Cells, limits: Limits) -> RawTable:
    """A table of which one triangle is filled, as stairs or as a square with empty cells."""
    sides = sides_of(cells)
    widths = sides.filled()
    if len(set(sides.widths())) == 1 and sides.height > 1 and not rises(widths):
        return half_of(square(cells, limits, "triangle"))
    shape, notes = _shape_of(sides, widths)
    check_count(shape.count, limits)
    names = _names(sides, shape, limits)
    named = sides.before or sides.above is not None
    values = np.full((shape.count, shape.count), np.nan)
    for row in range(sides.height):
        columns = shape.columns(row)
        values[row + shape.skipped, columns.start : columns.stop] = numbers_in_row(
            cells,
            sides.first + row,
            sides.offset,
            sides.offset + len(columns),
            name=names.labels[row + shape.skipped] if named else "",
            columns=names.labels[columns.start : columns.stop] if named else (),
        )
    all_notes = (*notes_on(cells), *sides.notes, *names.notes, *notes)
    return RawTable(names.labels, values, "triangle", all_notes)


def half_of(found: RawTable) -> RawTable:
    """A square of which one half is empty, or has nothing but zeros.

    Raises
    ------
    UnreadableFile : both halves have values, or none has.
    """
    count = found.n_objects
    # Many programs fill the other half with noughts, which must not be read as "the same".
    halves = {"lower": np.tri(count, k=-1, dtype=bool), "upper": np.tri(count, k=-1, dtype=bool).T}
    empty = [name for name, half in halves.items() if _says_nothing(found.values[half])]
    if len(empty) != 1:
        raise UnreadableFile(
            f"{'Neither' if empty else 'Both'} of the triangles of the table "
            f"{'has a value' if empty else 'have values'}.",
            remedy="Read it as a square table, or empty one triangle.",
        )
    other = halves[empty[0]]
    if np.isnan(found.values[other]).all():
        return found
    note = f"The {empty[0]} triangle has nothing but zeros and is taken for empty."
    values = np.where(other, np.nan, found.values)
    return replace(found, values=values, notes=(*found.notes, note))


def _says_nothing(values: FloatArray) -> bool:
    return bool((np.isnan(values) | (values == 0)).all())


def _shape_of(sides: Sides, widths: list[int]) -> tuple[_Shape, tuple[str, ...]]:
    """The shape whose stairs these are; where two fit, the one whose diagonal is constant."""
    height = len(widths)
    candidates = [
        shape
        for lower in (True, False)
        for shape in (
            _Shape(height, lower, True),
            _Shape(height, lower, False),
            _Shape(height + 1, lower, False, int(lower)),
        )
        if shape.fits(widths)
    ]
    if not candidates:
        raise _no_stairs(sides, widths)
    if len(candidates) == 1:
        return candidates[0], ()
    named = _named_count(sides)
    if named is not None:
        chosen = next((shape for shape in candidates if shape.count == named), candidates[0])
        return chosen, ()
    # Numbers alone do not say whether the stairs end on the diagonal, of n objects, or just before
    # it, of n + 1. An object is the same to itself as any other is to itself.
    with_diagonal, without = candidates[0], candidates[-1]
    if _ends_alike(sides, with_diagonal):
        return with_diagonal, ()
    note = f"The triangle is taken to have no diagonal, so there are {without.count} objects."
    return without, (note,)


def _named_count(sides: Sides) -> int | None:
    """How many objects the names speak of, where that is certain."""
    if sides.above is None:
        return sides.height if sides.row_names() else None
    if sides.row_names() and list(sides.above[1:]) == sides.row_names()[:-1] != []:
        return sides.height + 1
    return len(sides.above)


def _ends_alike(sides: Sides, shape: _Shape) -> bool:
    """Whether what would be the diagonal is the same everywhere, as an object with itself is."""
    ends = set()
    for row in range(sides.height):
        column = sides.offset + (len(shape.columns(row)) - 1 if shape.lower else 0)
        end = sides.cells.rows[sides.first + row][column]
        ends.add(str(number(end, sides.cells.decimal_comma)))
    return len(ends) == 1


def _no_stairs(sides: Sides, widths: list[int]) -> NotSquare:
    """Where the stairs break."""
    down = widths[-1] < widths[0]
    step = -1 if down else 1
    for row in range(1, len(widths)):
        if widths[row] != widths[row - 1] + step:
            lines = sides.cells.lines
            return NotSquare(
                f"Line {lines[sides.first + row]} has {counted(widths[row], 'value')}; after the "
                f"{widths[row - 1]} of line {lines[sides.first + row - 1]}, a triangle has "
                f"{widths[row - 1] + step}.",
                remedy=f"Give one value {'less' if down else 'more'} in each line.",
            )
    begin = widths[0] if widths else 0
    return NotSquare(
        f"Line {sides.cells.lines[sides.first] if widths else 1} has {counted(begin, 'value')}; "
        "a triangle has none or one where it is narrowest.",
        remedy="Give the whole triangle.",
    )


def _names(sides: Sides, shape: _Shape, limits: Limits) -> Names:
    """The names of all objects of the triangle, whichever side has them."""
    above, before = list(sides.above or ()), sides.row_names()
    if len(above) == shape.count and before == above[shape.skipped :][: len(before)]:
        return checked_names(above, sides.places_above(), limits)
    if len(before) == shape.count and not above:
        return checked_names(before, sides.places_before(), limits)
    if shape.skipped and len(before) == shape.count - 1 == len(above):
        first = [above[0], *before]
        return checked_names(first, [sides.places_above()[0], *sides.places_before()], limits)
    if not above and not before:
        return numbered(shape.count, limits)
    order_of_columns(before, above, sides.places_above())
    raise NotSquare(
        f"The triangle has {shape.count} objects, but there are names for "
        f"{len(before) or len(above)}.",
        remedy="Name every object once before its row, or once above its column.",
    )


TRIANGLE = Format(
    "triangle",
    "One triangle of a square table",
    of_cells(triangle),
    containers=("text", "workbook"),
    turn=5,
    layouts=("square", "triangle"),
    may_be_meant=has_grid,
)
