"""A table of measurements, a metric and a scaling become dissimilarities."""

from __future__ import annotations

import numpy as np

from cml_core.errors import check_option
from cml_core.files.measures import pairwise
from cml_core.files.measures.catalogue import METRICS, SCALINGS, scaling_title
from cml_core.files.measures.columns import columns_for
from cml_core.files.measures.metric import Metric
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray
from cml_core.values.features import FeatureTable
from cml_core.values.words import counted


def compared(
    table: FeatureTable, metric: str, scaling: str = "none", columns: tuple[str, ...] = ()
) -> RawTable:
    """How far apart objects are by their measurements.

    Where a value is missing, a pair is compared over the columns that both objects have. What
    is a sum over columns (Euclidean, squared Euclidean, city block, Canberra) is then scaled up
    to all columns before any root is taken, as R's `dist` does; what is a share, a mean, an
    angle or a maximum needs no scaling. A pair without a common column is missing, and so is one
    for which the metric is undefined, such as the cosine of zeros. Mahalanobis takes no missing
    values. Columns of zeros count as 0 in Canberra, as in scipy.

    Parameters
    ----------
    table : one row an object, one column a measurement.
    metric : a key of `METRICS`.
    scaling : a key of `SCALINGS`; quantities and orders are scaled, over all objects, before
        anything is compared.
    columns : the names of those that count; empty takes all.
    """
    chosen_metric = METRICS[check_option("metric", metric, tuple(METRICS))]
    chosen = columns_compared(table, metric, scaling, columns)
    rows = np.column_stack([feature.values for feature in chosen.features])
    values = chosen_metric.compute(chosen, rows)
    # An object is at nought from itself, even where the metric has 0/0 there, or a rounding error.
    np.fill_diagonal(values, 0.0)
    notes = (_computed(chosen, chosen_metric, scaling), *_gaps(rows, chosen_metric))
    undefined = _undefined(chosen.labels, values, rows, chosen_metric)
    return RawTable(chosen.labels, values, "measurements", (*notes, *undefined))


def columns_compared(
    table: FeatureTable, metric: str, scaling: str, columns: tuple[str, ...]
) -> FeatureTable:
    """The columns that count, scaled as objects are compared by them; as in `compared`."""
    check_option("scaling", scaling, tuple(SCALINGS))
    return columns_for(table.select(columns) if columns else table, METRICS[metric], scaling)


def _computed(table: FeatureTable, metric: Metric, scaling: str) -> str:
    """What was computed from what, in a sentence."""
    count = f"{len(table)} columns" if len(table) > 1 else f"one column, {table.names[0]}"
    scaled = "" if scaling == "none" else f", scaled ({scaling_title(scaling).lower()})"
    return f"Dissimilarities were computed from {count}{scaled}: {metric.title}."


def _gaps(rows: FloatArray, metric: Metric) -> tuple[str, ...]:
    count = int(np.isnan(rows).sum())
    if not count:
        return ()
    are = counted(count, "value is", "values are")
    return (f"{are} missing; each pair was computed {metric.with_gaps}.",)


def _undefined(
    labels: tuple[str, ...], values: FloatArray, rows: FloatArray, metric: Metric
) -> tuple[str, ...]:
    """Which pairs have no value, and why."""
    gone = np.triu(np.isnan(values), 1)
    apart = gone & (pairwise.in_common(rows) == 0)
    reasons = ((apart, "they have no column in common"), (gone & ~apart, metric.undefined))
    notes = []
    for pairs, reason in reasons:
        places = np.argwhere(pairs)
        if len(places):
            shown = ", ".join(f"{labels[i]} – {labels[j]}" for i, j in places[:5])
            more = f" and {len(places) - 5} more" if len(places) > 5 else ""
            notes.append(f"Missing because {reason}: {shown}{more}.")
    return tuple(notes)
