"""A table of measurements: one row for each object, one column for each variable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.errors import DuplicateLabels, NotNumeric, UnreadableFile
from cml_core.files.joining.inferred_kinds import inferred
from cml_core.files.reading.area import cut_out
from cml_core.files.reading.format import Format, has_grid, of_cells
from cml_core.files.reading.heads import repeats
from cml_core.files.reading.names import Names, check_length, checked_names, numbered
from cml_core.files.reading.numbers import (
    MISSING,
    block_of,
    is_text,
    may_have_thousands,
    number,
    numbers_in_column,
    plain_numbers,
)
from cml_core.files.reading.raw import Cells, Limits
from cml_core.values.features import Feature, FeatureTable

_NAMES_OF_NAMES = frozenset(
    {"id", "ids", "name", "names", "object", "objects", "label", "labels", "item", "items"}
) | frozenset({"sample", "samples", "sampleid", "site", "sites", "specimen", "species", "code"})

_MOST_LOOKED_AT, _SHARE_OF_NAMES = 100, 0.5


def measurements(cells: Cells, limits: Limits) -> FeatureTable:
    """Columns of numbers are numeric, all others categorical; empty cells are missing.

    Names of objects are the first column where it has words, or is headed as names are; names
    of variables are the first row where it has words above numbers.
    """
    head = _head(cells)
    begin = 0 if head is None else 1
    width = _width(cells, begin)
    if width > limits.columns:
        raise UnreadableFile(
            f"The table has {width:,} columns; at most {limits.columns:,} are read.",
            remedy="Give fewer columns.",
        )
    cells = _names_first(cells, begin, width)
    head = None if head is None else cells.rows[0]
    named = _has_names(cells, begin, head, width)
    names = _names(cells, begin, named, limits)
    columns = range(int(named), width)
    titles = _titles(cells, head, columns, width, limits)
    made = (
        _feature(cells, begin, columns.start, column, title)
        for column, title in zip(columns, titles, strict=True)
    )
    features = tuple(feature for feature in made if feature is not None)
    if not features:
        raise UnreadableFile(
            "The table has no column of measurements.",
            remedy="Put names into the first column, and one variable into each further one.",
        )
    return FeatureTable(names.labels, features)


def _names_first(cells: Cells, begin: int, width: int) -> Cells:
    """The grid with the only column of names first, where the first is one of groups."""
    by_column = [[row[k] for row in cells.rows[begin:]] for k in range(min(width, _MOST_LOOKED_AT))]
    if begin == 0 or len(cells.rows[0]) < width or not repeats(cells, 0, begin):
        return cells
    if not all(map(is_text, by_column[0])):
        return cells
    names = [
        k
        for k, texts in enumerate(by_column)
        if all(map(is_text, texts))
        and (len(set(texts)) == len(texts) or _is_head_of_names(cells.rows[0][k]))
    ]
    if len(names) != 1:
        return cells
    order = (names[0], *(k for k in range(width) if k != names[0]))
    return cut_out(cells, range(len(cells.rows)), order)


def _is_head_of_names(head: str) -> bool:
    return head.lower().replace(" ", "") in _NAMES_OF_NAMES


def _head(cells: Cells) -> tuple[str, ...] | None:
    """The first row where it names columns: words above at least one number, or only words."""
    first, rest = cells.rows[0], cells.rows[1:]
    if not rest:
        return None
    if _corner_is_empty(first, rest):
        return first
    if not any(is_text(cell) for cell in first[1:] or first):
        return None
    numbers_in_first = any(_is_number(cell) for cell in first[1:])
    return None if numbers_in_first and not _numbers_below_words(first, rest) else first


def _corner_is_empty(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Whether nothing stands above names, and different whole numbers above the columns."""
    heads = first[1:]
    counted = all(head.isdigit() for head in heads) and len(set(heads)) == len(heads)
    return bool(heads) and not first[0] and counted and all(is_text(row[0]) for row in rest)


def _numbers_below_words(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Whether a column that begins with a word goes on with numbers only."""
    for column, cell in enumerate(first):
        if (
            column
            and is_text(cell)
            and all(not is_text(row[column]) for row in rest if column < len(row))
        ):
            return True
    return False


def _width(cells: Cells, begin: int) -> int:
    """The number of cells that every row has; raises where one has another."""
    width = len(cells.rows[begin])
    for row, line in zip(cells.rows[begin:], cells.lines[begin:], strict=True):
        if len(row) != width:
            raise UnreadableFile(
                f"Line {line} has {len(row)} cells where the lines above have {width}.",
                remedy="Give every line as many cells; leave unknown values empty.",
            )
    if begin and len(cells.rows[0]) not in (width, width - 1):
        raise UnreadableFile(
            f"Line {cells.lines[0]} names {len(cells.rows[0])} columns, but the lines below have "
            f"{width} cells.",
            remedy="Name every column once.",
        )
    return width


def _has_names(cells: Cells, begin: int, head: tuple[str, ...] | None, width: int) -> bool:
    first = [row[0] for row in cells.rows[begin:]]
    if head is not None and len(head) == width - 1:
        return True
    if any(map(is_text, set(first))):
        # Below a head, what comes again and again are groups; else it is a name given twice.
        return not begin or len(set(first)) > _SHARE_OF_NAMES * len(first)
    if head is None:
        return False
    return head[0].lower() in MISSING or _is_head_of_names(head[0])


def _names(cells: Cells, begin: int, named: bool, limits: Limits) -> Names:
    rows = range(begin, len(cells.rows))
    if not named:
        return numbered(len(rows), limits)
    return checked_names(
        [cells.rows[row][0] for row in rows], [cells.where(row, 0) for row in rows], limits
    )


def _titles(
    cells: Cells, head: tuple[str, ...] | None, columns: range, width: int, limits: Limits
) -> list[str]:
    if head is None:
        return [f"variable {k + 1}" for k in range(len(columns))]
    given = head if len(head) == width else ("", *head)
    titles = [given[column] or f"column {column + 1}" for column in columns]
    seen: dict[str, int] = {}
    for column, title in zip(columns, titles, strict=True):
        where = cells.where(0, column - (width - len(head)))
        check_length(title, where, limits)
        if title in seen:
            raise DuplicateLabels(
                f"{where} has the name {title[:40]!r}, which column {seen[title] + 1} has too.",
                remedy="Give every column a name of its own.",
            )
        seen[title] = column
    return titles


def _feature(cells: Cells, begin: int, offset: int, column: int, title: str) -> Feature | None:
    """One column; None where it is empty."""
    # Where all is plain numbers they were worked out at once, however many columns there are.
    block = block_of(cells, begin, offset)
    if block is not None:
        values = block[:, column - offset]
        return None if np.isnan(values).all() else Feature.numeric(title, values)
    texts = [row[column] for row in cells.rows[begin:]]
    plain = plain_numbers(texts, cells.decimal_comma)
    if plain is not None and not np.isnan(plain).all():
        return Feature.numeric(title, plain)
    if all(text.lower() in MISSING for text in texts):
        return None
    if not any(is_text(text) for text in texts):
        return Feature.numeric(title, numbers_in_column(cells, begin, column))
    # One word among many numbers is a slip, and would make categories of all of them.
    mostly = sum(is_text(text) for text in texts)
    if mostly == 1 and len(texts) > 4 and sum(map(_is_number, texts)) > len(texts) / 2:
        k = next(k for k, text in enumerate(texts) if is_text(text))
        raise NotNumeric(
            f"{cells.where(begin + k, column)} ({title}) is {texts[k][:40]!r} in a column of "
            "numbers.",
            remedy="Put a number there, or leave it empty.",
        )
    return inferred(title, texts, decimal_comma=cells.decimal_comma)


def _is_number(cell: str) -> bool:
    found = number(cell)
    return may_have_thousands(cell) or (found is not None and found == found)


MEASUREMENTS = Format(
    "measurements",
    "Table of measurements",
    of_cells(measurements),
    containers=("text", "workbook"),
    turn=8,
    layouts=("measurements",),
    may_be_meant=has_grid,
    last_resort=True,
    of_distances=True,
)
