"""The columns of a table at first sight: which may be vectors, and which something known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cml_core.errors import UnsuitableMeasurements
from cml_core.values.rows import arrow
from cml_core.values.rows.arrow import ArrowRows
from cml_core.values.rows.beside import BesideRows, TakenRows
from cml_core.values.rows.rows import Rows
from cml_core.values.rows.several import SeveralRows

AMOUNTS, GROUPS, VECTORS, TEXTS = "amounts", "groups", "vectors", "texts"
# Of more different values than these a column of words is no set of groups.
MOST_GROUPS = 100
# So few whole numbers are likely to be names of groups, such as batches.
FEW_NUMBERS = 12
# So many rows tell what a column is like.
ENOUGH = 65_536
# Fewer columns of numbers than these in a row are something known, rather than vectors.
FEWEST_IN_A_VECTOR = 3
# Of more words among its numbers, as a share, a column is meant to hold words.
MOST_WORDS = 0.1
# As tables write them; what begins with a nought is a name, such as a postcode.
NUMBER = r"^\s*[-+]?(0|[1-9]\d*|\d*[.,]\d+|\d+[.,])([eE][-+]?\d+)?\s*$"


@dataclass(frozen=True)
class Seen:
    """A column at first sight.

    Parameters
    ----------
    name : of the column.
    holds : "amounts", "groups", "texts", which are too many to be groups, or "vectors", a list of
        numbers in every row.
    few : of amounts, whether they are so few whole numbers that they may be groups.
    date : whether amounts are days or moments.
    levels : of groups, their names as far as they were seen.
    odd : of words that are nearly all numbers, the first that is none, and of which object.
    """

    name: str
    holds: str
    few: bool = False
    date: bool = False
    levels: tuple[str, ...] = ()
    odd: tuple[str, int] | None = None


@dataclass(frozen=True)
class Sight:
    """What a table looks like.

    Parameters
    ----------
    n_objects : how many rows it has.
    columns : all of them.
    vectors : names of those that are likely to be what objects are compared by.
    """

    n_objects: int
    columns: tuple[Seen, ...]
    vectors: tuple[str, ...]

    @property
    def candidates(self) -> tuple[Seen, ...]:
        """What may be known, or coloured by."""
        return tuple(
            one
            for one in self.columns
            if one.holds in (AMOUNTS, GROUPS) and one.name not in self.vectors
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """What objects may be called by."""
        return tuple(one.name for one in self.columns if one.holds in (TEXTS, GROUPS))


def sight(rows: Rows) -> Sight:
    """What stands in the columns of rows, as far as the first of them tell.

    Raises
    ------
    UnsuitableMeasurements : no column can be compared by.
    UnreadableFile : the file is damaged.
    """
    columns = columns_of(rows)
    # What stands beside vectors is known, and no part of them.
    vectors = _vectors(columns_of(rows.each[0]) if isinstance(rows, BesideRows) else columns)
    if not rows.n_rows:
        raise UnsuitableMeasurements(
            "The table is empty.", remedy="Bring one with a row for each object."
        )
    if not vectors:
        raise UnsuitableMeasurements(
            "There is no column of numbers that objects could be compared by.",
            remedy="Bring vectors: columns of numbers, or one column with a list in every row.",
        )
    return Sight(rows.n_rows, columns, vectors)


def columns_of(rows: Rows) -> tuple[Seen, ...]:
    """What stands in each column, as far as the first rows tell."""
    if isinstance(rows, BesideRows):
        told = zip(rows.each, rows.names, strict=True)
        return tuple(seen for one, names in told for seen in columns_of(one) if seen.name in names)
    if isinstance(rows, TakenRows):
        return columns_of(rows.rows)
    return tuple(_of_file(rows) if _is_file(rows) else _of_numbers(rows))


def _is_file(rows: Rows) -> bool:
    first = rows.each[0] if isinstance(rows, SeveralRows) else rows
    return isinstance(first, ArrowRows)


def _of_file(rows: Rows) -> Iterator[Seen]:
    first: Any = rows.each[0] if isinstance(rows, SeveralRows) else rows
    known = [one for one in first.schema if not arrow.is_list(one.type)]
    beginning = next(first.only([one.name for one in known]).read(ENOUGH), None)
    for field in first.schema:
        if arrow.is_list(field.type):
            yield Seen(field.name, VECTORS)
            continue
        column = None if beginning is None else beginning.column(field.name)
        if arrow.is_amount(field.type):
            date = arrow.is_date(field.type)
            few = column is not None and not date and _few(arrow.amounts(column.slice(0, ENOUGH)))
            yield Seen(field.name, AMOUNTS, few, date)
        else:
            different = [] if column is None else column.unique().drop_null().to_pylist()
            words = _words(field.name, [str(one) for one in different])
            yield replace(words, odd=_among_numbers(first.only([field.name])))


def _of_numbers(rows: Rows) -> Iterator[Seen]:
    beginning = next(iter(rows.blocks(8192)), None)
    for k, column in enumerate(rows.columns):
        if column.levels is not None:
            yield _words(column.name, column.levels)
        else:
            yield Seen(column.name, AMOUNTS, beginning is not None and _few(beginning[:, k]))


def _words(name: str, levels: Sequence[str]) -> Seen:
    if len(levels) > MOST_GROUPS:
        return Seen(name, TEXTS)
    return Seen(name, GROUPS, levels=tuple(levels))


def _among_numbers(column: ArrowRows) -> tuple[str, int] | None:
    """The first word among cells that are nearly all numbers, and its row; None where none is."""
    import pyarrow.compute as compute

    before = 0
    for batch in column.read(ENOUGH):
        cells = batch.column(0).cast("string")
        # Of what is missing it is not known, and so it is no word.
        word = compute.invert(compute.match_substring_regex(cells, NUMBER)).fill_null(False)
        count = int(compute.sum(word).as_py() or 0)
        if count > MOST_WORDS * (batch.num_rows - cells.null_count):
            return None
        if count:
            row = int(compute.index(word, True).as_py())
            return cells[row].as_py(), before + row
        before += batch.num_rows
    return None


def _few(values: Any) -> bool:
    present = values[~np.isnan(values)]
    if not present.size or (present % 1).any():
        return False
    return bool(np.unique(present).size <= FEW_NUMBERS)


def _vectors(columns: Sequence[Seen]) -> tuple[str, ...]:
    """Lists; else the longest run of columns of numbers of which few look like groups."""
    lists = [one.name for one in columns if one.holds == VECTORS]
    if lists:
        return tuple(lists[:1])
    runs: list[list[Seen]] = [[]]
    for one in columns:
        if one.holds == AMOUNTS and not one.date:
            # Columns of a vector are called alike: "thing 1", "thing 2".
            if runs[-1] and _stem(runs[-1][-1].name) != _stem(one.name):
                runs.append([])
            runs[-1].append(one)
        elif one.odd is None:
            runs.append([])
    longest = max(runs, key=len)
    if len(longest) >= FEWEST_IN_A_VECTOR:
        return tuple(one.name for one in longest)
    return tuple(one.name for one in columns if one.holds == AMOUNTS and not one.date)


def _stem(name: str) -> str:
    return name.rstrip("0123456789").rstrip(" _-.") if name[-1:].isdigit() else ""
