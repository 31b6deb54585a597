"""Columns of new objects, read as those that a map of very many objects was made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import NotNumeric, UnsuitableFeature, UnsuitableMeasurements, listing
from cml_core.files.joining.inferred_kinds import retyped
from cml_core.many.loop import Candidate
from cml_core.many.opened import Opened
from cml_core.values.arrays import IntArray
from cml_core.values.features import Feature
from cml_core.values.kinds.grouping import grouped, in_quotes
from cml_core.values.kinds.registry import KINDS
from cml_core.values.measures.comparison import BLOCK
from cml_core.values.rows.beside import field_names
from cml_core.values.rows.chosen import chosen
from cml_core.values.rows.in_memory import NpyRows
from cml_core.values.rows.rows import Column, Rows
from cml_core.values.rows.several import SeveralRows


def vectors_like(table: Opened, rows: Rows) -> Rows:
    """The columns of new rows that objects of the table are compared by.

    By the names of the table's columns, of which a list has one for each of its numbers; those of
    an array may have the same order instead.

    Raises
    ------
    UnsuitableMeasurements : some are missing, or there are more or fewer.
    NotNumeric : there is text where the table has numbers.
    """
    wanted, columns = table.loop.vectors, table.measurements.rows.columns
    names = _names_of_vectors(table, rows)
    if names:
        found = chosen(rows, names)
    elif _is_array(rows):
        found = _called(rows, columns)
    else:
        absent = [name for name in wanted if name not in field_names(rows)]
        raise UnsuitableMeasurements(
            f"The table of new objects has no column {absent[0]!r}, by which objects here are "
            f"compared; such columns: {len(absent):,}.",
            remedy=f"Give {listing(wanted)} of each new object.",
        )
    _check_numbers(found, columns)
    return found


def named_fields(table: Opened, rows: Rows) -> tuple[str, ...]:
    """What new rows have by name; nothing where their columns are taken by their order."""
    return field_names(rows) if _names_of_vectors(table, rows) else ()


def _names_of_vectors(table: Opened, rows: Rows) -> tuple[str, ...]:
    """What the columns are called in the new rows; nothing where it has not all of them."""
    named = set(field_names(rows))
    spread = tuple(column.name for column in table.measurements.rows.columns)
    return next((names for names in (table.loop.vectors, spread) if named.issuperset(names)), ())


def _is_array(rows: Rows) -> bool:
    each = rows.each if isinstance(rows, SeveralRows) else (rows,)
    return all(isinstance(one, NpyRows) for one in each)


def _called(rows: Rows, columns: Sequence[Column]) -> Rows:
    """The columns of an array under other names."""
    if isinstance(rows, SeveralRows):
        return SeveralRows(tuple(_called(one, columns) for one in rows.each))
    assert isinstance(rows, NpyRows)
    if len(rows.columns) != len(columns):
        raise UnsuitableMeasurements(
            f"The array of new objects has {len(rows.columns):,} columns; objects here are "
            f"compared by {len(columns):,}.",
            remedy="Give as many, in the same order; or a table that names them.",
        )
    return replace(rows, columns=tuple(Column(column.name) for column in columns))


def _check_numbers(found: Rows, columns: Sequence[Column]) -> None:
    groups = {column.name for column in columns if column.levels is not None}
    texts = [one for one in found.columns if one.levels is not None and one.name not in groups]
    if texts:
        first = texts[0]
        raise NotNumeric(
            f"The column {first.name!r} of the new objects holds "
            f"{listing(in_quotes(first.levels or ()), 3) or 'nothing'}, where objects here have "
            f"numbers; such columns: {len(texts):,}.",
            remedy="Give a number for each new object.",
        )


def known_like(table: Opened, candidate: Candidate, rows: Rows) -> Any:
    """Values of a column that is known, as the feature of the table has them; NaN where missing.

    Raises
    ------
    UnsuitableFeature : they are none of its kind, or of a group that no object here is in.
    """
    one, feature = chosen(rows, [candidate.name]), table.column(candidate)
    if len(one.columns) != 1:
        raise UnsuitableFeature(
            f"{candidate.name} of the new objects holds lists of numbers.",
            remedy="Give a single value for each of them.",
        )
    (column,) = one.columns
    values = np.concatenate([block[:, 0] for block in one.blocks(BLOCK)])
    if np.isnan(values).all():
        return values
    if column.levels is None:
        given = Feature(candidate.name, "numeric", values, unit=column.unit)
    else:
        given = Feature(candidate.name, "categorical", values, column.levels)
    if feature.levels:
        return _groups(feature, given)
    if given.levels:
        return _turns(table, candidate, given)
    if given.unit != feature.unit:
        raise UnsuitableFeature(
            f"{candidate.name} is {_written(given)} of the new objects, and {_written(feature)} "
            "here.",
            remedy="Write it in both tables alike.",
        )
    return given.values


def _written(feature: Feature) -> str:
    return "a date" if feature.unit else "a number"


def _groups(feature: Feature, given: Feature) -> Any:
    """The levels of a feature that are called alike."""
    parts = grouped(given)
    strange = [name for name in parts.levels if name not in feature.levels]
    if strange:
        raise UnsuitableFeature(
            f"{feature.name} of new objects is {listing(in_quotes(strange), 3)}; here it is "
            f"{listing(feature.levels)}.",
            remedy="Write it as here; or leave it empty, and it is found with each place.",
        )
    place = np.array([feature.levels.index(name) for name in parts.levels], dtype=np.int64)
    missing = np.isnan(parts.values)
    codes = np.where(missing, -1, place[np.where(missing, 0, parts.values).astype(np.int64)])
    return in_levels(codes, feature.levels)


def in_levels(codes: IntArray, levels: Sequence[str]) -> Any:
    """A column of groups, missing where the code is below zero."""
    return pd.Categorical.from_codes(codes, pd.Index(levels))


def _turns(table: Opened, candidate: Candidate, given: Feature) -> Any:
    """Months and the like become numbers as they did in the table, whichever of them occur."""
    if not KINDS[candidate.kind].has_period:
        raise UnsuitableFeature(
            f"{candidate.name} of the new objects holds {listing(in_quotes(given.levels), 3)}, "
            "where it is an amount here.",
            remedy="Give numbers, and leave empty what is not known.",
        )
    (own,) = chosen(table.rows, [candidate.name]).columns
    levels = tuple(dict.fromkeys((*(own.levels or ()), *given.levels)))
    place = np.array([levels.index(name) for name in given.levels], dtype=np.float64)
    missing = given.missing
    codes = place[np.where(missing, 0, given.values).astype(np.int64)]
    both = Feature(candidate.name, "categorical", np.where(missing, np.nan, codes), levels)
    return retyped(both, candidate.kind, period=candidate.period).values
