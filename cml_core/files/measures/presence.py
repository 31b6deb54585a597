"""Metrics that count the columns in which two objects differ, or which only one of them has."""

from __future__ import annotations

import numpy as np

from cml_core.files.measures import pairwise, terms
from cml_core.files.measures.metric import Metric, of_rows
from cml_core.values.arrays import FloatArray


def _one_has(a: FloatArray, b: FloatArray) -> FloatArray:
    return terms.where_known(((a != 0) ^ (b != 0)).astype(np.float64), a, b)


def _any_has(a: FloatArray, b: FloatArray) -> FloatArray:
    return terms.where_known(((a != 0) | (b != 0)).astype(np.float64), a, b)


def _hamming(rows: FloatArray) -> FloatArray:
    found: FloatArray = pairwise.total(rows, terms.differ) / rows.shape[1]
    return found


def _jaccard(rows: FloatArray) -> FloatArray:
    """As in scipy, two objects that both have nothing do not differ."""
    found = pairwise.share(rows, _one_has, _any_has)
    found[np.isnan(found) & (pairwise.in_common(rows) > 0)] = 0.0
    return found


HAMMING = Metric(
    "hamming",
    "Hamming",
    "the share of columns in which two objects differ at all.",
    of_rows(_hamming),
    any_kind=True,
)
JACCARD = Metric(
    "jaccard",
    "Jaccard",
    "of what at least one of two objects has (not zero), the share that only one has.",
    of_rows(_jaccard),
    refuses_scaling="asks whether a value is zero, which scaling would change",
)
