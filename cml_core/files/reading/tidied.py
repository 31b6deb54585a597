"""What some programs add to the cells of a table, taken away again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cml_core.files.reading.area import cut_out
from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.raw import Cells

_ROW_TYPE, _ROW_NAME = "rowtype_", "varname_"
_PORTABLE = 8
_FEWEST_LINES = 3
_PROXIMITIES = frozenset(("prox", "corr", "cov"))


def tidied(cells: Cells) -> Cells:
    """The cells without SPSS's columns on rows and a second head at the foot, names first."""
    return _without_foot(_names_first(_without_row_types(cells)))


def _without_row_types(cells: Cells) -> Cells:
    """SPSS's matrices say before each row what it is; means and numbers of cases are no objects."""
    head = [cell.lower() for cell in cells.rows[0]] if cells.rows else []
    if _ROW_TYPE not in head or _ROW_NAME not in head:
        return cells
    kind, name = head.index(_ROW_TYPE), head.index(_ROW_NAME)
    if kind > name:
        return cells
    kept = [
        k
        for k, row in enumerate(cells.rows)
        if k == 0 or (len(row) > name and row[kind].lower() in _PROXIMITIES)
    ]
    if len(kept) < 2:
        return cells
    cut = cut_out(cells, kept, range(name, len(head)))
    (_, *above), *body = cut.rows
    names = _spelled_out(above, [row[0] for row in body])
    told = "The table is a matrix of SPSS; its columns ROWTYPE_ and VARNAME_ are no objects."
    return replace(cut, rows=(("", *names), *body), notes=(*cells.notes, told))


def _spelled_out(above: Sequence[str], before: Sequence[str]) -> Sequence[str]:
    """Names of columns as the rows have them: portable files cut them to eight capitals."""
    pairs = list(zip(above, before, strict=False))
    cut = all(full[:_PORTABLE].upper() == name.upper()[:_PORTABLE] for name, full in pairs)
    return before if cut and len(above) == len(before) else above


def _without_foot(cells: Cells) -> Cells:
    """Biopython writes the names once more below a triangle."""
    *body, foot = cells.rows or ((),)
    if len(body) < 2 or len(foot) not in (len(body), len(body) + 1):
        return cells
    names = tuple(row[0] for row in body)
    if foot[-len(body) :] != names or len(set(names)) < len(names):
        return cells
    return replace(cells, rows=tuple(body), lines=cells.lines[:-1])


def _names_first(cells: Cells) -> Cells:
    """Optimal Workshop's triangle of similarities has each name at the end of its line."""
    stairs = [row[: k + 1] for k, row in enumerate(cells.rows)]
    full = all(all(row) and len(row) == k + 1 for k, row in enumerate(stairs))
    beyond = any(any(row[k + 1 :]) for k, row in enumerate(cells.rows))
    if len(stairs) < _FEWEST_LINES or not full or beyond:
        return cells
    if not all(is_text(row[-1]) and not any(map(is_text, row[:-1])) for row in stairs):
        return cells
    return replace(cells, rows=tuple((row[-1], *row[:-1]) for row in stairs))
