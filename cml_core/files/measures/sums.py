"""Metrics that add up differences, column by column."""

from __future__ import annotations

from functools import partial

import numpy as np

from cml_core.files.measures import pairwise, terms
from cml_core.files.measures.metric import SCALED_UP, Metric, of_rows
from cml_core.values.arrays import FloatArray


def euclidean(rows: FloatArray) -> FloatArray:
    """The straight lines between rows."""
    distances: FloatArray = np.sqrt(pairwise.total(rows, terms.square))
    return distances


def _relative(a: FloatArray, b: FloatArray) -> FloatArray:
    """|a - b| / (a + b), 0 where both are 0."""
    size = a + b
    size[size == 0] = 1.0
    found: FloatArray = terms.distance(a, b) / size
    return found


EUCLIDEAN = Metric(
    "euclidean",
    "Euclidean",
    "the straight line between two objects; large differences count most.",
    of_rows(euclidean),
    with_gaps=SCALED_UP,
)
SQEUCLIDEAN = Metric(
    "sqeuclidean",
    "Squared Euclidean",
    "large differences count even more.",
    of_rows(partial(pairwise.total, term=terms.square)),
    squares=True,
    with_gaps=SCALED_UP,
)
CITYBLOCK = Metric(
    "cityblock",
    "City block (Manhattan)",
    "differences are added up, column by column.",
    of_rows(partial(pairwise.total, term=terms.distance)),
    with_gaps=SCALED_UP,
)
CHEBYSHEV = Metric(
    "chebyshev",
    "Chebyshev",
    "the largest difference in any one column.",
    of_rows(partial(pairwise.largest, term=terms.distance)),
)
CANBERRA = Metric(
    "canberra",
    "Canberra",
    "differences relative to the size of the values; none below zero.",
    of_rows(partial(pairwise.total, term=_relative)),
    below_zero=False,
    with_gaps=SCALED_UP,
)
