"""A table of measurements, a metric and a scaling become dissimilarities."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import linalg

from cml_core.errors import UnsuitableFeature, check_option, listing
from cml_core.files.measures import pairwise
from cml_core.files.measures.catalogue import (
    METRICS,
    SCALINGS,
    UNDEFINED,
    WITH_GAPS,
    WITH_GAPS_ELSE,
    title_of,
)
from cml_core.files.measures.columns import columns_for
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import is_constant, spans
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS
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

    Gower's coefficient (Gower 1971, Biometrics 27, 857–871) is the mean over common columns of
    |x - y| / range for quantities and for the steps of an order, of the shorter arc relative to
    half the period for angles, and of 0 for equal and 1 for different categories. The range is
    that of the objects in the table.

    Parameters
    ----------
    table : one row an object, one column a measurement.
    metric : a key of `METRICS`.
    scaling : a key of `SCALINGS`; quantities and orders are scaled, over all objects, before
        anything is compared.
    columns : the names of those that count; empty takes all.
    """
    check_option("metric", metric, tuple(METRICS))
    check_option("scaling", scaling, tuple(SCALINGS))
    chosen = columns_for(table.select(columns) if columns else table, metric, scaling)
    rows = np.column_stack([feature.values for feature in chosen.features])
    if metric == "gower":
        values = _gower(chosen.features, rows)
    elif metric == "mahalanobis":
        values = _METRICS["euclidean"](_whitened(chosen, rows))
    else:
        values = _METRICS[metric](rows)
    np.fill_diagonal(values, 0.0)
    notes = (_computed(chosen, metric, scaling), *_gaps(rows, metric))
    undefined = _undefined(chosen.labels, values, rows, metric)
    return RawTable(chosen.labels, values, "measurements", (*notes, *undefined))


def _distance(a: FloatArray, b: FloatArray) -> FloatArray:
    gap = a - b
    return np.abs(gap, out=gap)


def _square(a: FloatArray, b: FloatArray) -> FloatArray:
    gap = a - b
    gap *= gap
    return gap


def _both(a: FloatArray, b: FloatArray) -> FloatArray:
    return a + b


def _relative(a: FloatArray, b: FloatArray) -> FloatArray:
    """|a - b| / (a + b), 0 where both are 0."""
    size = a + b
    size[size == 0] = 1.0
    found: FloatArray = _distance(a, b) / size
    return found


def _differ(a: FloatArray, b: FloatArray) -> FloatArray:
    return _where_known((a != b).astype(np.float64), a, b)


def _one_has(a: FloatArray, b: FloatArray) -> FloatArray:
    return _where_known(((a != 0) ^ (b != 0)).astype(np.float64), a, b)


def _any_has(a: FloatArray, b: FloatArray) -> FloatArray:
    return _where_known(((a != 0) | (b != 0)).astype(np.float64), a, b)


def _where_known(found: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    found[np.isnan(a).ravel()] = np.nan
    found[:, np.isnan(b).ravel()] = np.nan
    return found


def _euclidean(rows: FloatArray) -> FloatArray:
    distances: FloatArray = np.sqrt(pairwise.total(rows, _square))
    return distances


def _hamming(rows: FloatArray) -> FloatArray:
    found: FloatArray = pairwise.total(rows, _differ) / rows.shape[1]
    return found


def _jaccard(rows: FloatArray) -> FloatArray:
    """As in scipy, two objects that both have nothing do not differ."""
    found = pairwise.share(rows, _one_has, _any_has)
    found[np.isnan(found) & (pairwise.in_common(rows) > 0)] = 0.0
    return found


_METRICS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "euclidean": _euclidean,
    "sqeuclidean": partial(pairwise.total, term=_square),
    "cityblock": partial(pairwise.total, term=_distance),
    "chebyshev": partial(pairwise.largest, term=_distance),
    "canberra": partial(pairwise.total, term=_relative),
    "braycurtis": partial(pairwise.share, above=_distance, below=_both),
    "cosine": pairwise.cosine,
    "correlation": pairwise.correlation,
    "jensenshannon": pairwise.jensen_shannon,
    "hamming": _hamming,
    "jaccard": _jaccard,
}


def _gower(features: tuple[Feature, ...], rows: FloatArray) -> FloatArray:
    terms = [_gower_term(feature) for feature in features]
    return pairwise.ratio(pairwise.over_columns(rows, terms), pairwise.in_common(rows))


def _gower_term(feature: Feature) -> pairwise.Term:
    """How much two objects differ in this column, from 0 to 1."""
    if KINDS[feature.kind].is_grouping:
        return _differ
    if feature.period is not None:
        return partial(_arc, period=feature.period)
    # A column that does not vary makes no difference.
    span = 1.0 if is_constant(feature.values) else float(spans(feature.values))
    return lambda a, b: _distance(a, b) / span


def _arc(a: FloatArray, b: FloatArray, period: float) -> FloatArray:
    """The shorter way round, relative to half the period."""
    turn = np.mod(_distance(a, b), period) / period
    arc: FloatArray = 2.0 * np.minimum(turn, 1.0 - turn)
    return arc


def _whitened(table: FeatureTable, rows: FloatArray) -> FloatArray:
    """Uncorrelated columns of variance one, whose Euclidean distances are Mahalanobis'."""
    if np.isnan(rows).any():
        row, column = np.argwhere(np.isnan(rows))[0]
        raise UnsuitableFeature(
            f"{table.names[column]} is missing for {table.labels[row]}; Mahalanobis takes no "
            "missing values.",
            remedy="Leave out such columns or objects, or choose another metric.",
        )
    constant = [feature.name for feature in table.features if is_constant(feature.values)]
    if constant:
        raise UnsuitableFeature(
            f"{listing(constant)} is the same for all objects, so Mahalanobis cannot scale it.",
            remedy="Leave out columns that do not vary.",
        )
    unit = rows / np.abs(rows).max(axis=0)
    unit = (unit - unit.mean(axis=0)) / unit.std(axis=0, ddof=1)
    if np.linalg.matrix_rank(unit) < unit.shape[1]:
        raise UnsuitableFeature(
            f"The {unit.shape[1]} columns follow from each other, or are too many for "
            f"{len(unit)} objects, so Mahalanobis is undefined.",
            remedy="Leave out columns that repeat others; there must be fewer than objects.",
        )
    # By the triangular factor of the columns: the inverse of their covariance, which the textbook
    # has here, would square their condition.
    factor = linalg.qr(unit, mode="r")[0][: unit.shape[1]] / np.sqrt(len(unit) - 1)
    white: FloatArray = linalg.solve_triangular(factor, unit.T, trans="T").T
    return white


def _computed(table: FeatureTable, metric: str, scaling: str) -> str:
    """What was computed from what, in a sentence."""
    count = f"{len(table)} columns" if len(table) > 1 else f"one column, {table.names[0]}"
    scaled = "" if scaling == "none" else f", scaled ({title_of(scaling).lower()})"
    return f"Dissimilarities were computed from {count}{scaled}: {title_of(metric)}."


def _gaps(rows: FloatArray, metric: str) -> tuple[str, ...]:
    count = int(np.isnan(rows).sum())
    if not count:
        return ()
    rule = WITH_GAPS.get(metric, WITH_GAPS_ELSE)
    return (f"{counted(count, 'value is', 'values are')} missing; each pair was computed {rule}.",)


def _undefined(
    labels: tuple[str, ...], values: FloatArray, rows: FloatArray, metric: str
) -> tuple[str, ...]:
    """Which pairs have no value, and why."""
    gone = np.triu(np.isnan(values), 1)
    apart = gone & (pairwise.in_common(rows) == 0)
    reasons = ((apart, "they have no column in common"), (gone & ~apart, UNDEFINED.get(metric, "")))
    notes = []
    for pairs, reason in reasons:
        places = np.argwhere(pairs)
        if len(places):
            shown = ", ".join(f"{labels[i]} – {labels[j]}" for i, j in places[:5])
            more = f" and {len(places) - 5} more" if len(places) > 5 else ""
            notes.append(f"Missing because {reason}: {shown}{more}.")
    return tuple(notes)
