"""Where tables stand in a grid that holds more than one: titles, notes, counts, other tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from cml_core.errors import listing
from cml_core.files.reading.area import Area, cut_out
from cml_core.files.reading.numbers import MISSING, is_text
from cml_core.files.reading.raw import Cells

# Fewer names on both sides may be chance, and a name that stands in more places is a word.
_FEWEST_NAMES, _MOST_PLACES = 3, 6
# Larger grids are tables, whatever else is wrong with them.
_MOST_CELLS = 1_000_000
# A title or a note has hardly more cells than this; what has more is a row of data.
_MOST_IN_NOTES = 2
_BEGINS_NUMBERS = frozenset("0123456789.,+-\N{MINUS SIGN}")
# So many cells of a table show whether it holds numbers.
_SAMPLE = 2_000
_NAMED, _LONGEST = 3, 40


@dataclass(frozen=True)
class Found:
    """Rows and columns of a grid that make a table, by their numbers."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def cut_from(self, cells: Cells) -> Cells:
        """The table alone, and a note on what was left out."""
        cut = cut_out(cells, self.rows, self.columns)
        note = left_out(_outside(cells, self), f"in the cells {self.area_in(cells)}")
        return replace(cut, notes=(*cells.notes, *note)) if note else cut

    def area_in(self, cells: Cells) -> Area:
        """Its corners, as they stand in the file."""
        places = cells.columns or range(self.columns[-1] + 1)
        lines = [cells.lines[row] for row in self.rows]
        columns = [places[column] for column in self.columns]
        return Area(min(lines), min(columns), max(lines), max(columns))


def named_squares(cells: Cells) -> tuple[Found, ...]:
    """Tables with the same names above and before, the one with the most names first."""
    if sum(map(len, cells.rows)) > _MOST_CELLS:
        return ()
    places = _places_of_words(cells)
    votes: Counter[tuple[int, int]] = Counter(
        (above, before)
        for found in places.values()
        for above, right in found
        for below, before in found
        if above < below and before < right
    )
    taken: set[tuple[int, int]] = set()
    squares = []
    for (head, before), count in sorted(votes.items(), key=lambda each: (-each[1], each[0])):
        if count < _FEWEST_NAMES:
            break
        square = _square_at(cells, head, before)
        if square is None:
            continue
        corners = {(row, column) for row in square.rows for column in square.columns}
        if taken.isdisjoint(corners):
            taken |= corners
            squares.append(square)
    return tuple(squares)


def _places_of_words(cells: Cells) -> dict[str, list[tuple[int, int]]]:
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for r, row in enumerate(cells.rows):
        for c, cell in enumerate(row):
            if cell and cell[0] not in _BEGINS_NUMBERS and is_text(cell):
                places[cell].append((r, c))
    return {word: found for word, found in places.items() if 2 <= len(found) <= _MOST_PLACES}


def _square_at(cells: Cells, head: int, before: int) -> Found | None:
    """The square whose names stand in this row and in this column."""
    width = len(cells.rows[head])
    above = _first_places((cells.rows[head][column], column) for column in range(before + 1, width))
    beside = _first_places(
        (row[before], k) for k, row in enumerate(cells.rows) if k > head and before < len(row)
    )
    names = [name for name in above if name in beside]
    if len(names) < _FEWEST_NAMES:
        return None
    rows = sorted(beside[name] for name in names)
    columns = sorted(above[name] for name in names)
    wider = all(len(cells.rows[row]) == width + 1 for row in rows)
    if wider and cells.rows[head][before] and _holds_numbers(cells, rows, [width]):
        # Nothing stands for the corner, so that each name stands one cell left of its column.
        return None
    found = Found((head, *rows), (before, *columns))
    return found if _holds_numbers(cells, rows, columns) and not _misnamed(cells, found) else None


def _first_places(named: Iterator[tuple[str, int]]) -> dict[str, int]:
    """Where each name stands, up to the first that comes again: another table begins there."""
    places: dict[str, int] = {}
    for name, place in named:
        if name in places:
            break
        if name:
            places[name] = place
    return places


def _holds_numbers(cells: Cells, rows: Sequence[int], columns: Sequence[int]) -> bool:
    """Whether most of what stands in the body is a number, and some of it is one."""
    step = max(len(rows) * len(columns) // _SAMPLE, 1)
    places = islice(product(rows, columns), 0, None, step)
    texts = [cells.rows[r][c] for r, c in places if c < len(cells.rows[r])]
    filled = [text for text in texts if text and text.lower() not in MISSING]
    return len(filled) > 0 and 2 * sum(map(is_text, filled)) < len(filled)


def _misnamed(cells: Cells, found: Found) -> bool:
    """Whether rows and columns of numbers were left over on both sides: names that differ."""
    # What is called otherwise above than before would be lost without a word.
    (head, *rows), (before, *columns) = found.rows, found.columns
    lost_rows = [
        r
        for r in range(head + 1, len(cells.rows))
        if r not in rows
        and r <= rows[-1] + 1
        and before < len(cells.rows[r])
        and cells.rows[r][before]
        and _holds_numbers(cells, [r], columns)
    ]
    lost_columns = [
        c
        for c in range(before + 1, min(columns[-1] + 2, len(cells.rows[head])))
        if c not in columns and cells.rows[head][c] and _holds_numbers(cells, rows, [c])
    ]
    return bool(lost_rows) and bool(lost_columns)


def blocks(cells: Cells) -> tuple[Found, ...]:
    """Runs of rows that go on alike, without titles above and notes below; the largest first.

    Only those outside of which there are words alone: numbers that are left out are data.
    """
    filled = [[k for k, cell in enumerate(row) if cell] for row in cells.rows]
    found = []
    for run in sorted(_runs(cells, filled), key=lambda run: -sum(len(filled[r]) for r in run)):
        while len(run) > _FEWEST_NAMES and 2 * len(filled[run[0]]) < len(filled[run[1]]):
            run = run[1:]
        left = min(filled[row][0] for row in run)
        right = max(filled[row][-1] for row in run)
        block = Found(tuple(run), tuple(range(left, right + 1)))
        beside = [len(filled[row]) for row in range(len(cells.rows)) if row not in set(run)]
        told = max(beside, default=0) <= _MOST_IN_NOTES and all(
            map(is_text, _outside(cells, block))
        )
        if len(run) >= _FEWEST_NAMES and told:
            found.append(block)
    return tuple(found)


def _runs(cells: Cells, filled: Sequence[Sequence[int]]) -> list[list[int]]:
    """Rows one below the other that have two cells or more."""
    runs: list[list[int]] = []
    for row, columns in enumerate(filled):
        if len(columns) < 2:
            continue
        if runs and runs[-1][-1] == row - 1 and not is_gap_before(cells, row):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def is_gap_before(cells: Cells, row: int) -> bool:
    """Whether an empty line parts two rows; a cell may hold line breaks of its own."""
    within = max(cell.count("\n") for cell in cells.rows[row - 1])
    return cells.lines[row] > cells.lines[row - 1] + 1 + within


def _outside(cells: Cells, found: Found) -> list[str]:
    """What stands outside of a table."""
    rows, columns = set(found.rows), set(found.columns)
    return [
        cell
        for r, row in enumerate(cells.rows)
        for c, cell in enumerate(row)
        if cell and (r not in rows or c not in columns)
    ]


def left_out(outside: Sequence[str], where: str) -> tuple[str, ...]:
    """What stands outside of a table, in a sentence; nothing where nothing does."""
    if not outside:
        return ()
    told = sorted(dict.fromkeys(outside), key=lambda cell: not is_text(cell))[:_NAMED]
    shown = listing([repr(cell[:_LONGEST]) for cell in told], _NAMED)
    more = len(outside) - len(told)
    others = f" and {more} more cells" if more > 0 else ""
    return (f"The table was found {where}; left out: {shown}{others}.",)
