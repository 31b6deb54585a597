"""Which way round a table is: the question, asked with its own objects, and the answer turned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cml_core.errors import ConditionalMappingError
from cml_core.files.doctor.conversions import OF_DISSIMILARITIES
from cml_core.files.doctor.findings import WRONG, Choice, Finding
from cml_core.files.doctor.mend import prepared, selected
from cml_core.files.doctor.recognition import Recognition, recognised
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray

# The choice by which someone says that large values are for pairs that differ.
SAID = "dissimilarities"


@dataclass(frozen=True)
class Ends:
    """The pairs with the smallest and the largest value of a table."""

    smallest: tuple[str, str]
    largest: tuple[str, str]


def ends_of(table: RawTable) -> Ends | None:
    """Both ends of a table, each pair by the mean of its directions; None where none is known."""
    values = np.where(np.isnan(table.values), table.values.T, table.values)
    values = np.where(values == values.T, values, values / 2 + values.T / 2)
    values[np.tril_indices(len(values))] = np.nan
    if np.isnan(values).all():
        return None
    return Ends(
        _pair(table, values, int(np.nanargmin(values))),
        _pair(table, values, int(np.nanargmax(values))),
    )


def _pair(table: RawTable, values: FloatArray, place: int) -> tuple[str, str]:
    first, second = divmod(place, len(values))
    return table.labels[first], table.labels[second]


def which_way_finding(table: RawTable, seems: Recognition) -> Finding:
    """Whether large values are for pairs that are alike or differ, to be said by who knows."""
    ends = ends_of(table)
    assert ends is not None
    near, far = ends.smallest, ends.largest
    conversion = SAID
    if seems.kind != "dissimilarities":
        near, far, conversion = far, near, seems.conversion
    other = seems.otherwise if conversion == SAID else SAID
    return Finding(
        "which_way",
        WRONG,
        f"{most_alike(near)} Is that right?",
        "Whether large values are for pairs that are alike or for pairs that differ cannot be told "
        f"from this table for certain. {seems.why}",
        (
            Choice(conversion, "Right", f"Least alike: {far[0]} and {far[1]}."),
            Choice(other, "The other way round", most_alike(far)),
        ),
        "conversion",
        (near, far),
    )


def most_alike(pair: tuple[str, str]) -> str:
    """The pair that will lie closest, in a sentence."""
    return f"Most alike: {pair[0]} and {pair[1]}."


def turned_round(table: RawTable, preparation: Preparation) -> Preparation:
    """The choices by which similarities become dissimilarities, or the other way round."""
    seems = recognised(selected(table, preparation))
    if preparation.conversion not in OF_DISSIMILARITIES:
        other = SAID
    else:
        other = seems.otherwise if seems.kind == "dissimilarities" else seems.conversion
    return next(_that_works(table, replace(preparation, conversion=other, scale=0.0)))


def _that_works(table: RawTable, turned: Preparation) -> Iterator[Preparation]:
    """The same with what else it takes: a diagonal that is not used, and a plain conversion."""
    plain = turned if turned.conversion == SAID else replace(turned, conversion="from_max")
    for tried in (turned, replace(turned, diagonal="zero"), plain):
        try:
            prepared(table, tried)
        except ConditionalMappingError:
            continue
        yield tried
    yield replace(plain, diagonal="zero")
