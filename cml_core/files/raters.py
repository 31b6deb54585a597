"""Several tables for the same objects, one from each rater, become their mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.errors import InfiniteDissimilarities, LabelMismatch, LengthMismatch, listing
from cml_core.files.agreement import agreement_notes, mean_and_spread
from cml_core.files.reading.by_person import side_by_side
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray


def mean_of(tables: Sequence[RawTable], names: Sequence[str] = ()) -> RawTable:
    """The mean of several raters' tables, with its spread and how much they agree.

    Objects are joined by label, in the order of the first table. A table that gives only one
    direction of each pair counts for both. The mean is taken over the raters who have a value,
    each counting the same; `spread` is the standard deviation (with n - 1) between raters, NaN
    where only one has a value, and `by_person` has the tables one by one. Weights, where a table
    has them, are averaged in the same way; a table without any counts as 1.

    Parameters
    ----------
    tables : one for each rater; their values must be finite or missing.
    names : what the raters are called; "rater 1", "rater 2", … by default.
    """
    if not tables:
        raise LengthMismatch("There is no table.", remedy="Give one table for each rater.")
    called = tuple(str(name) for name in names) or tuple(
        f"rater {k + 1}" for k in range(len(tables))
    )
    if len(called) != len(tables):
        raise LengthMismatch(
            f"There are {len(called)} names for {len(tables)} tables.",
            remedy="Give each table one name.",
        )
    # One infinite value would make the mean of all raters infinite, and nobody could tell whose.
    _check_finite(tables, called)
    labels = tables[0].labels
    orders = [
        _order(labels, table.labels, called[0], name)
        for table, name in zip(tables, called, strict=True)
    ]
    joined = [
        _both_directions(table.values)[np.ix_(order, order)]
        for table, order in zip(tables, orders, strict=True)
    ]
    # As they were given: scaled alike, those who used the numbers differently would look the same.
    mean, spread = mean_and_spread(joined)
    agreed = agreement_notes(joined, called) if len(joined) > 1 else ()
    by_person, note = side_by_side(called, joined)
    return RawTable(
        labels,
        mean,
        "raters",
        (*_told(tables, called), *agreed, *note),
        spread=spread,
        weights=_weights(tables, orders, joined),
        by_person=by_person,
        told=tuple(dict.fromkeys(words for table in tables for words in table.told)),
    )


def _check_finite(tables: Sequence[RawTable], names: tuple[str, ...]) -> None:
    for table, name in zip(tables, names, strict=True):
        if np.isinf(table.values).any():
            i, j = np.argwhere(np.isinf(table.values))[0]
            raise InfiniteDissimilarities(
                f"In the table of {name}, {table.labels[i]} with {table.labels[j]} is "
                f"{table.values[i, j]}.",
                remedy="Leave unknown pairs empty (NaN); give all others a finite number.",
            )


def _order(labels: tuple[str, ...], other: tuple[str, ...], first: str, name: str) -> list[int]:
    """Where each label stands in another table; raise `LabelMismatch` unless all do."""
    if labels == other:
        return list(range(len(labels)))
    place = {label: i for i, label in enumerate(other)}
    ours = frozenset(labels)
    lacking = [label for label in labels if label not in place]
    extra = [label for label in other if label not in ours]
    if lacking or extra:
        said = [
            f"{name} {verb} {listing(which)}"
            for verb, which in (("lacks", lacking), ("also has", extra))
            if which
        ]
        raise LabelMismatch(
            f"The tables of {first} and {name} name different objects: {'; '.join(said)}.",
            remedy="Use the same names in all tables, or leave out objects that some lack.",
        )
    return [place[label] for label in labels]


def _both_directions(values: FloatArray) -> FloatArray:
    """A triangle on both sides; a table that has both directions of any pair as it is."""
    present = ~np.isnan(values)
    np.fill_diagonal(present, False)
    if (present & present.T).any():
        return values
    both: FloatArray = np.where(np.isnan(values), values.T, values)
    return both


def _weights(
    tables: Sequence[RawTable], orders: list[list[int]], joined: list[FloatArray]
) -> FloatArray | None:
    if all(table.weights is None for table in tables):
        return None
    each = []
    for table, order, values in zip(tables, orders, joined, strict=True):
        weights = np.ones(values.shape) if table.weights is None else table.weights
        aligned = _both_directions(weights)[np.ix_(order, order)]
        each.append(np.where(np.isnan(values), np.nan, aligned))
    return mean_and_spread(each)[0]


def _told(tables: Sequence[RawTable], names: tuple[str, ...]) -> tuple[str, ...]:
    """What was averaged, and what each table's reader said."""
    one = f"The mean of {len(tables)} tables was taken: {listing(names)}."
    said = tuple(
        f"{name}: {note}" for table, name in zip(tables, names, strict=True) for note in table.notes
    )
    return (one, *said)
