"""Metrics of the shape of two profiles, or of the shares that their columns have."""

from __future__ import annotations

from functools import partial

from cml_core.files.measures import pairwise, terms
from cml_core.files.measures.metric import Metric, of_rows
from cml_core.values.arrays import FloatArray


def _both(a: FloatArray, b: FloatArray) -> FloatArray:
    return a + b


BRAYCURTIS = Metric(
    "braycurtis",
    "Bray–Curtis",
    "the share of abundances that two samples do not have in common.",
    of_rows(partial(pairwise.share, above=terms.distance, below=_both)),
    below_zero=False,
    undefined="both have only zeros",
)
COSINE = Metric(
    "cosine",
    "Cosine",
    "the angle between two profiles; their overall size does not count.",
    of_rows(pairwise.cosine),
    undefined="one of the two has only zeros",
    squares=True,
)
CORRELATION = Metric(
    "correlation",
    "Correlation",
    "one minus Pearson's r of two profiles; neither their level nor their size counts.",
    of_rows(pairwise.correlation),
    undefined="one of the two has the same value in all columns",
    squares=True,
)
JENSENSHANNON = Metric(
    "jensenshannon",
    "Jensen–Shannon",
    "how different two distributions over the columns are.",
    of_rows(pairwise.jensen_shannon),
    below_zero=False,
    undefined="one of the two has only zeros",
)
