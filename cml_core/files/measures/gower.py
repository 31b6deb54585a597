"""Gower's coefficient, which compares columns of any kind (Gower 1971, Biometrics 27, 857–871).

It is the mean over common columns of |x - y| / range for quantities and for the steps of an
order, of the shorter arc relative to half the period for angles, and of 0 for equal and 1 for
different categories. The range is that of the objects in the table.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from cml_core.files.measures import pairwise, terms
from cml_core.files.measures.metric import Metric
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import is_constant, spans
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS


def _gower(table: FeatureTable, rows: FloatArray) -> FloatArray:
    columns = [_term(feature) for feature in table.features]
    return pairwise.ratio(pairwise.over_columns(rows, columns), pairwise.in_common(rows))


def _term(feature: Feature) -> pairwise.Term:
    """How much two objects differ in this column, from 0 to 1."""
    if KINDS[feature.kind].is_grouping:
        return terms.differ
    if feature.period is not None:
        return partial(_arc, period=feature.period)
    # A column that does not vary makes no difference.
    span = 1.0 if is_constant(feature.values) else float(spans(feature.values))
    return lambda a, b: terms.distance(a, b) / span


def _arc(a: FloatArray, b: FloatArray, period: float) -> FloatArray:
    """The shorter way round, relative to half the period."""
    turn = np.mod(terms.distance(a, b), period) / period
    arc: FloatArray = 2.0 * np.minimum(turn, 1.0 - turn)
    return arc


GOWER = Metric(
    "gower",
    "Gower",
    "the mean difference over columns of any kind, each between 0 and 1.",
    _gower,
    any_kind=True,
    scales_itself=True,
    with_gaps="as the mean over the columns that both objects have",
)
