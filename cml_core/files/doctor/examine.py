"""The doctor: everything a person should know of a table before it becomes a map."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cml_core.errors import TooFewObjects, UnsuitableConversion
from cml_core.files.doctor.findings import Finding
from cml_core.files.doctor.gaps import gap_findings
from cml_core.files.doctor.mend import directed, one_direction, selected, without_negatives
from cml_core.files.doctor.pair_table import PairTable
from cml_core.files.doctor.scale import scale_findings
from cml_core.files.doctor.shape import shape_findings
from cml_core.files.doctor.symmetry import asymmetry_finding, diagonal_finding, negatives_finding
from cml_core.files.doctor.totals import totals_finding
from cml_core.files.doctor.values import value_findings
from cml_core.files.doctor.what_was_read import (
    failed_conversion_findings,
    infinite_finding,
    kind_finding,
    left_out_findings,
    question_findings,
    read_finding,
    spread_finding,
    too_few_finding,
)
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray

Telling = Callable[[str], None]


def silent(_words: str) -> None:
    """For whoever does not watch."""


def examine(
    raw: RawTable, preparation: Preparation, telling: Telling = silent
) -> tuple[Finding, ...]:
    """What was understood of a table, what is odd or wrong, and what can be chosen.

    The table is looked at as the choices in `preparation` leave it. What they mend is told as
    understood, so that a choice can be seen and undone.

    Parameters
    ----------
    raw : what a file says.
    preparation : what has been chosen so far.
    telling : is told in a few words what is looked at, as the looking begins.

    Returns
    -------
    tuple of Finding : in the order in which choices act. No map can be made while one of them
        is "wrong".

    Raises
    ------
    LabelMismatch : a choice names an object that is not there.
    UnknownOption : there is no such conversion.
    """
    # Numbers at the ends of a float are told as findings, not as warnings of numpy.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return tuple(finding for finding in _findings(raw, preparation, telling) if finding)


def _findings(
    raw: RawTable, preparation: Preparation, telling: Telling
) -> Iterator[Finding | None]:
    yield read_finding(raw)
    yield from question_findings(raw)
    yield from left_out_findings(preparation)
    try:
        chosen = selected(raw, preparation)
    except TooFewObjects as error:
        yield too_few_finding(error)
        return
    infinite = infinite_finding(chosen, preparation)
    if infinite:
        yield infinite
        return
    try:
        square = directed(chosen, preparation)
    except UnsuitableConversion as error:
        yield from failed_conversion_findings(error, chosen, preparation)
        return
    telling("Which way round the numbers are")
    yield kind_finding(chosen, preparation)
    yield spread_finding(chosen)
    yield from _of_values(chosen, square, preparation, telling)


def _of_values(
    chosen: RawTable, square: FloatArray, preparation: Preparation, telling: Telling
) -> Iterator[Finding | None]:
    labels = chosen.labels
    yield totals_finding(chosen, preparation)
    telling("Whether both directions of each pair agree")
    yield asymmetry_finding(square, chosen.values, labels, preparation)
    # What is refused has been told; the rest is examined as if the mildest mend were chosen.
    how = "average" if preparation.asymmetry == "refuse" else preparation.asymmetry
    both = one_direction(square, labels, how, chosen.weights)
    yield negatives_finding(both, labels, preparation)
    how = "missing" if preparation.negatives == "refuse" else preparation.negatives
    positive = without_negatives(both, labels, how)
    yield diagonal_finding(positive, np.diagonal(square), labels, preparation)
    raised = positive + preparation.added
    infinite = infinite_finding(RawTable(labels, raised, chosen.format), preparation)
    if infinite:
        yield infinite
        return
    table = PairTable(labels, raised)
    telling("Gaps and values that are far off")
    yield from gap_findings(table, preparation)
    yield from value_findings(table, preparation)
    telling("Three objects at a time, and objects that repeat others")
    yield from shape_findings(table, preparation)
    yield from scale_findings(table)
