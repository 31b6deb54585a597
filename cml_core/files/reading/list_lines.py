"""Lists of pairs as programs write them: lines counted, or without names that stay the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cml_core.files.reading.heads import columns_sharing_names, pair_columns, person_column
from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.pair_columns import looks_like_pairs
from cml_core.files.reading.raw import Cells
from cml_core.values.words import counted

_FEWEST, _MOST_HEADS = 3, 2
# Below a series pandas says what it is.
_FOOT = ("Name:", "Length:", "dtype:")

_Rows = Sequence[tuple[str, ...]]


def whole_lines(cells: Cells) -> Iterator[Cells]:
    """The list with every name in its place, where that makes pairs of it."""
    for grid in (_without_count(cells), _filled_down(cells), _of_trials(cells)):
        if grid is not None and (looks_like_pairs(grid) or person_column(grid) is not None):
            yield grid


def _without_count(cells: Cells) -> Cells | None:
    """The list without the numbers of its lines, above which R and pandas put nothing."""
    head, *body = cells.rows
    if len(body) < _FEWEST or {len(row) for row in body} != {len(head) + 1} or not all(head):
        return None
    first = [row[0] for row in body]
    if first[0] not in ("0", "1") or first != [str(k + int(first[0])) for k in range(len(first))]:
        return None
    rows = (head, *(row[1:] for row in body))
    return replace(cells, rows=rows, columns=tuple(range(1, len(head) + 1)))


def _filled_down(cells: Cells) -> Cells | None:
    """The list with names where merged cells, and indexes of pandas, leave them out."""
    rows = list(cells.rows[: -1 if cells.rows[-1][0].startswith(_FOOT) else None])
    width = max(map(len, rows), default=0)
    # Names that are left out shorten a printed line on its left.
    rows = [("",) * (width - len(row)) + row for row in rows]
    begin = next((k for k, row in enumerate(rows) if all(row) and not is_text(row[-1])), len(rows))
    body = rows[begin:]
    if width < _FEWEST or begin > _MOST_HEADS or len(body) < _FEWEST:
        return None
    full = next(k for k in range(width + 1) if k == width or all(row[k] for row in body))
    if not 0 < full < width - 1 or not all(_names_once(body, k) for k in range(full)):
        return None
    whole = _with_names(body, full)
    line, column = next((r, k) for r, row in enumerate(body) for k in range(full) if not row[k])
    told = (
        "Names are left out where they stay the same: "
        f"{cells.where(begin + line, column)} is read as {whole[line][column]!r}."
    )
    first = begin - int(begin > 0 and all(rows[begin - 1]))
    return replace(
        cells,
        rows=(*rows[first:begin], *whole),
        lines=cells.lines[first : begin + len(whole)],
        notes=(*cells.notes, told),
    )


def _of_trials(cells: Cells) -> Cells | None:
    """The list without lines that name no object, as PsychoPy writes for what else was shown."""
    head, *body = cells.rows
    if len(body) < _FEWEST or {len(row) for row in body} != {len(head)}:
        return None
    filled = [sum(map(bool, row)) for row in body]
    kept = [k for k, count in enumerate(filled) if 2 * count > max(filled) + min(filled)]
    if not len(body) / 2 < len(kept) < len(body):
        return None
    grid = replace(
        cells,
        rows=(head, *(body[k] for k in kept)),
        lines=(cells.lines[0], *(cells.lines[k + 1] for k in kept)),
    )
    named = pair_columns(head) or columns_sharing_names(grid, ())
    left = [k for k in range(len(body)) if k not in set(kept)]
    if named is None or any(body[k][column] for k in left for column in named):
        return None
    first = cells.lines[left[0] + 1]
    told = f"Left out: {counted(len(left), 'line')} without an object, beginning with line {first}."
    return replace(grid, notes=(*cells.notes, told))


def _names_once(body: _Rows, column: int) -> bool:
    """Whether at least half of the lines leave out a name, which is no slip, and none has a number.

    What stays the same throughout comes first, and each of its names once.
    """
    names = [row[column] for row in body if row[column]]
    once = column > 0 or len(set(names)) == len(names)
    return 2 * len(names) <= len(body) and once and all(map(is_text, names))


def _with_names(body: _Rows, columns: int) -> list[tuple[str, ...]]:
    """Lines whose first columns have what stands above where they have nothing."""
    whole: list[tuple[str, ...]] = []
    for row in body:
        above = whole[-1] if whole else row
        names = (cell or above[k] for k, cell in enumerate(row[:columns]))
        whole.append((*names, *row[columns:]))
    return whole
