"""Where the names of a table stand: above, before, both or nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from cml_core.files.reading.names import Names, checked_names, numbered
from cml_core.files.reading.numbers import MISSING, is_text, number
from cml_core.files.reading.raw import Cells, Limits

_ENOUGH = 20_000
_LOOKED_AT = 50


@dataclass(frozen=True)
class Sides:
    """A grid with its names told apart from its values.

    Parameters
    ----------
    cells : the whole grid.
    above : cells of the first row that name columns, None where it has values.
    before : whether the first cell of every further row is a name.
    notes : what was taken for a name although it is a number.
    counted : whether what stands before the rows only counts them, as R and pandas do.
    """

    cells: Cells
    above: tuple[str, ...] | None
    before: bool
    notes: tuple[str, ...] = ()
    counted: bool = False

    @property
    def first(self) -> int:
        """The first row of values."""
        return 0 if self.above is None else 1

    @property
    def height(self) -> int:
        return len(self.cells.rows) - self.first

    @property
    def offset(self) -> int:
        """The first column of values."""
        return int(self.before)

    @property
    def header_offset(self) -> int:
        """The column of the first name above."""
        return 0 if self.above is None else len(self.cells.rows[0]) - len(self.above)

    def widths(self) -> list[int]:
        """The number of values in each row, empty ones included."""
        offset = self.offset
        widths = map(len, self.cells.rows[self.first :])
        return [width - offset if width > offset else 0 for width in widths]

    def filled(self) -> list[int]:
        """The number of values in each row up to the last that is not empty."""
        offset = self.offset
        found = []
        for row in self.cells.rows[self.first :]:
            width = len(row)
            while width > offset and not row[width - 1]:
                width -= 1
            found.append(width - offset)
        return found

    def row_names(self) -> list[str]:
        """The names before the rows; none where rows are only counted."""
        if not self.before or self.counted:
            return []
        return [row[0] for row in self.cells.rows[self.first :]]

    def places_before(self) -> list[str]:
        """Where each name before a row stands."""
        return [self.cells.where(row, 0) for row in range(self.first, len(self.cells.rows))]

    def places_above(self) -> list[str]:
        """Where each name above a column stands."""
        begin = self.header_offset
        return [self.cells.where(0, begin + k) for k in range(len(self.above or ()))]

    def names(self, count: int, limits: Limits) -> Names:
        """Names of the objects: those before the rows, else those above, else numbers."""
        if self.before and not self.counted and self.height == count:
            return checked_names(self.row_names(), self.places_before(), limits)
        if self.above is not None and len(self.above) == count:
            return checked_names(self.above, self.places_above(), limits)
        return numbered(count, limits)


def rises(widths: Sequence[int]) -> bool:
    """Whether every row is one longer than the one before."""
    return all(after == before + 1 for before, after in pairwise(widths))


def looks_square(sides: Sides) -> bool:
    """Whether the diagonal is the same everywhere, or the first rows read as the first columns."""
    rows = [row[sides.offset :] for row in sides.cells.rows[sides.first :]]
    if _same_on_diagonal(rows, 0):
        return True
    # Chance does not make fifty rows symmetric, and a large table need not be read for it.
    few = range(min(len(rows), _LOOKED_AT))
    return all(len(rows[i]) > len(few) - 1 for i in few) and all(
        rows[i][j] == rows[j][i] for i in few for j in range(i)
    )


def sides_of(cells: Cells) -> Sides:
    """Tell names from values by what they are, and by the shape where names are numbers."""
    rows = cells.rows
    before = _mostly_text([row[0] for row in rows[1:]])
    if len(rows) > 1 and (
        _mostly_text(rows[0][1:])
        or _same_on_both_sides(rows)
        or (before and _counted_above(rows))
        or _only_the_corner_is_empty(rows)
    ):
        return _named_above(cells, before)
    if len(rows) > 2 and not before:
        return _by_shape(Sides(cells, None, False))
    return Sides(cells, None, before)


def _named_above(cells: Cells, before: bool) -> Sides:
    head, body = cells.rows[0], cells.rows[1:]
    widest = max(len(row) for row in body)
    first = [row[0] for row in body]
    beside = not before and _beside_a_square(head, body, widest)
    before = before or beside
    if before and _has_corner(head, body, widest):
        head = head[1:]
    while head and not head[-1] and len(head) > widest - int(before):
        head = head[:-1]
    if not beside or set(first) == set(head):
        return Sides(cells, head, before)
    # pandas counts rows from 0, R from 1, and both write the count out unless told otherwise.
    if first in (_counting(0, first), _counting(1, first)):
        return Sides(cells, head, before, counted=True)
    return Sides(cells, head, before, ("The first column is taken for names.",))


def _counting(begin: int, names: Sequence[str]) -> list[str]:
    return [str(k) for k in range(begin, begin + len(names))]


def _has_corner(head: Sequence[str], body: Sequence[Sequence[str]], widest: int) -> bool:
    """Whether the first cell of the first row stands above the names, and names no column."""
    first = [row[0] for row in body]
    if head[0].lower() in MISSING:
        return True
    if list(head[1:]) == first and len({len(row) for row in body}) > 1:
        # Either a corner, and every row ends with the diagonal; or one more object.
        return len({number(row[-1]) for row in body}) == 1
    return len(head) >= widest and head[0] not in first


def _beside_a_square(head: Sequence[str], body: Sequence[Sequence[str]], widest: int) -> bool:
    """Whether names that are numbers stand before the rows: the table is one cell too wide."""
    if len(head) == widest - 1 == len(body):
        return True
    first = [row[0] for row in body]
    return widest == len(body) + 1 and len(set(first)) == len(first) and all(first)


def _by_shape(sides: Sides) -> Sides:
    """Numbers are names where the table is one row too high, or one column too wide."""
    # Years, codes and plain numbers are names, too. What gives them away is that a square has one
    # row or column too many, and then the same number all along its diagonal.
    rows = sides.cells.rows
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        head, rest = rows[0], rows[1:]
        fits = {len(row) for row in rest} == {len(rest) + 1} and len(head) == len(rest)
        if fits and _same_on_diagonal(rest, 1):
            note = "The first row and column are taken for names."
            return Sides(sides.cells, head, True, (note,))
        return sides
    width = widths.pop()
    if len(rows) == width + 1 and len(set(rows[0])) == width and _same_on_diagonal(rows[1:], 0):
        note = "The first row is taken for names."
        return replace(sides, above=rows[0], notes=(note,))
    different = len({row[0] for row in rows}) == len(rows)
    if width == len(rows) + 1 and different and _same_on_diagonal(rows, 1):
        note = "The first column is taken for names."
        return replace(sides, before=True, notes=(note,))
    return sides


def _same_on_diagonal(rows: Sequence[Sequence[str]], offset: int) -> bool:
    """Whether the diagonal is the same number everywhere, as an object with itself is."""
    found = {number(row[k + offset]) for k, row in enumerate(rows) if k + offset < len(row)}
    same = found.pop() if len(found) == 1 else None
    return same is not None and same == same


def _mostly_text(cells: Sequence[str]) -> bool:
    # What is longer than a table may be is told by its beginning.
    filled = [cell for cell in cells[:_ENOUGH] if cell]
    return 2 * sum(is_text(cell) for cell in filled) > len(filled)


def _only_the_corner_is_empty(rows: Sequence[Sequence[str]]) -> bool:
    """Whether numbers stand above and before a table, as the categories of counts do."""
    if rows[0][0] or {len(row) for row in rows} != {len(rows[0])}:
        return False
    heads = (rows[0][1:], [row[0] for row in rows[1:]])
    different = all(len(set(names)) == len(names) > 1 for names in heads)
    return different and all(all(row) for row in (rows[0][1:], *rows[1:]))


def _counted_above(rows: Sequence[Sequence[str]]) -> bool:
    """Whether nothing stands in the corner, and behind it columns are counted."""
    heads = list(rows[0][1:])
    counted = heads in (_counting(0, heads), _counting(1, heads))
    return not rows[0][0] and len(heads) > 1 and counted


def _same_on_both_sides(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row and column say the same beside an empty or worded corner.

    So they do in a symmetric table of numbers without a diagonal; then they are names only
    where they count upwards, as years do.
    """
    above, before = list(rows[0][1:]), [row[0] for row in rows[1:]]
    while above and not above[-1] and len(above) > len(before):
        above.pop()
    worded = is_text(rows[0][0])
    if not (worded or rows[0][0].lower() in MISSING) or len(above) < 2:
        return False
    if sorted(above) != sorted(before) or len(set(above)) < len(above):
        return False
    if worded or any(is_text(name) for name in above):
        return True
    diagonal = [row[k] if k < len(row) else "" for k, row in enumerate(rows[1:], 1)]
    if any(cell.lower() not in MISSING for cell in diagonal):
        return len(above) > 2 or all(cell.isdigit() for cell in above)
    return all(name.isdigit() for name in above) and above == sorted(above, key=int)
