"""A table of new objects becomes what places them: dissimilarities to those fitted, and the known.

Its rows are the new objects. Columns that are called as fitted objects hold dissimilarities to
these; or else columns hold what was measured, as of the objects that were fitted. Columns that are
called as known features hold these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cml_core.errors import (
    LabelMismatch,
    NotNumeric,
    UnreadableFile,
    UnsuitableMeasurements,
    listing,
)
from cml_core.files import doctor, measures, reading
from cml_core.files.reading.raw import ORDINARY, Limits
from cml_core.files.source import RawFile, Source
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds import numeric
from cml_core.values.words import counted

# Dissimilarities that differ by less than this share of the largest are the same.
SAME = 1e-9
NUMERIC = numeric.KIND.name


@dataclass(frozen=True, eq=False, repr=False)
class Newcomers(Value):
    """New objects, as a table tells of them.

    Parameters
    ----------
    labels : their names.
    delta : (n, N) their dissimilarities to the fitted objects; NaN where the table has none.
    known : what of them is known, one column for each known feature; empty where missing.
    notes : what was made of the table, in sentences.
    """

    labels: tuple[str, ...]
    delta: FloatArray
    known: pd.DataFrame
    notes: tuple[str, ...]


def newcomers(
    table: FeatureTable, data: Dissimilarities, known: FeatureTable, source: Source | None = None
) -> Newcomers:
    """What the table tells of new objects.

    Parameters
    ----------
    table : one row for each new object.
    data : between the fitted objects.
    known : what the map takes out.
    source : where the data came from; new measurements are compared as its own were.
    """
    by_columns = _columns_measured(source)
    held = [table[name] for name in table.names if name in set(data.labels)]
    delta = _between(table, data, source) if source and by_columns else _given(held, data, table)
    used = {*known.names, *(by_columns or (feature.name for feature in held))}
    absent = [name for name in known.names if name not in table.names]
    gaps = int(np.isnan(delta).all(axis=0).sum())
    left = [name for name in table.names if name not in used]
    notes = [
        (absent, f"The table has no {listing(absent)}, so that is found with each place."),
        (gaps, f"It tells nothing of {counted(gaps, 'object')} here, which are left out."),
        (left, f"Not used on this map: {listing(left)}."),
    ]
    columns = {
        name: table[name].shown() if name in table.names else [None] * len(table.labels)
        for name in known.names
    }
    frame = pd.DataFrame(columns, index=list(table.labels))
    return Newcomers(table.labels, delta, frame, tuple(note for some, note in notes if some))


def read_newcomers(file: RawFile, limits: Limits = ORDINARY) -> FeatureTable:
    """The table in a file; raise `UnreadableFile` where it can be read in two ways."""
    for question in reading.feature_questions(file.content(), limits=limits):
        if question.open:
            raise UnreadableFile(
                question.fact, remedy="Write decimal points, no marks for thousands, and UTF-8."
            )
    return reading.read_features(file.content(), limits=limits)


def template(data: Dissimilarities, known: FeatureTable, source: Source | None) -> str:
    """An empty table for new objects, as CSV."""
    columns = _columns_measured(source) or data.labels
    names = dict.fromkeys((*columns, *known.names))
    return pd.DataFrame(columns=list(names), index=pd.Index([], name="New object")).to_csv()


def _columns_measured(source: Source | None) -> tuple[str, ...]:
    """The columns by which the fitted objects were compared; none where dissimilarities came."""
    measured = source.measured() if source else None
    if source is None or measured is None:
        return ()
    return source.preparation.columns or measured.names


def _given(held: list[Feature], data: Dissimilarities, table: FeatureTable) -> FloatArray:
    """(n, N) the columns that are called as fitted objects, in their order."""
    if not held:
        raise LabelMismatch(
            f"No column is called as one of the objects here; the table has "
            f"{listing(table.names) or 'none'}.",
            remedy=f"Give a column for each object, called as it is: {listing(data.labels)}.",
        )
    for feature in held:
        if feature.levels:
            raise NotNumeric(
                f"The column {feature.name!r} holds {listing(feature.levels, 3)} among its "
                "dissimilarities.",
                remedy="Give a number for each new object, or leave the entry empty.",
            )
    columns = {feature.name: feature.values for feature in held}
    nothing = np.full(len(table.labels), np.nan)
    return np.column_stack([columns.get(name, nothing) for name in data.labels])


def _between(table: FeatureTable, data: Dissimilarities, source: Source) -> FloatArray:
    """(n, N) by the measure of the data, from what was measured of both."""
    preparation, measured = source.preparation, source.measured()
    assert measured is not None
    both = _joined(measured.select(_columns_measured(source)), table)
    pairs = measures.compared(both, preparation.metric, preparation.scaling, preparation.columns)
    square, n = doctor.prepared(pairs, preparation).square(), data.n_objects
    off = np.abs(square[:n, :n] - data.square())
    if not float(np.nanmax(off)) <= SAME * float(np.nanmax(data.condensed)):
        raise UnsuitableMeasurements(
            "How objects here are compared depends on all of them, so new ones would change it, "
            "and with it the map.",
            remedy="Open the measurements without scaling them, or give dissimilarities.",
        )
    return square[n:, :n]


def _joined(measured: FeatureTable, table: FeatureTable) -> FeatureTable:
    """What was measured of the fitted objects, and below it of the new ones."""
    absent = [name for name in measured.names if name not in table.names]
    if absent:
        raise UnsuitableMeasurements(
            f"The table has no column {absent[0]!r}, by which objects here are compared; such "
            f"columns: {len(absent)}.",
            remedy=f"Give {listing(measured.names)} of each new object.",
        )
    for name in measured.names:
        kinds = measured[name].kind, table[name].kind
        if kinds != (NUMERIC, NUMERIC):
            raise UnsuitableMeasurements(
                f"The column {name!r} is {kinds[0]} here and {kinds[1]} in the table; new objects "
                "are compared by numbers alone.",
                remedy="Correct what is no number, or give dissimilarities.",
            )
    # No object is called so, whatever the new ones are called.
    strangers = tuple(f"\0{i}" for i in range(len(table.labels)))
    columns = tuple(
        Feature.numeric(name, np.concatenate([measured[name].values, table[name].values]))
        for name in measured.names
    )
    return FeatureTable((*measured.labels, *strangers), columns)
