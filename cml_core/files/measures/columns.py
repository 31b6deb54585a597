"""Columns of measurements, checked for a metric and brought to one scale."""

from __future__ import annotations

import numpy as np

from cml_core.errors import UnknownOption, UnsuitableFeature, listing
from cml_core.files.measures.metric import Metric
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import is_constant, spans
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS
from cml_core.values.real_numbers import LARGEST_SQUARED


def columns_for(table: FeatureTable, metric: Metric, scaling: str) -> FeatureTable:
    """The columns as the metric takes them; raise a `ConditionalMappingError` if it cannot."""
    if not len(table):
        raise UnsuitableFeature(
            "There is no column to compute dissimilarities from.",
            remedy="Choose at least one column of measurements.",
        )
    _check_kinds(table, metric)
    _check_sizes(table)
    if scaling != "none":
        if metric.refuses_scaling:
            raise UnknownOption(
                f"{metric.title} {metric.refuses_scaling}.",
                remedy="Choose no scaling, or another metric.",
            )
        table = _scaled(table, scaling)
    if not metric.below_zero:
        _check_not_below_zero(table, metric, scaling)
    return table


def _check_kinds(table: FeatureTable, metric: Metric) -> None:
    other = [one.name for one in table.features if not KINDS[one.kind].ordered]
    if other and not metric.any_kind:
        are = "are no quantities" if len(other) > 1 else "is no quantity"
        raise UnsuitableFeature(
            f"{listing(other)} {are}, and {metric.title} needs numbers.",
            remedy="Leave such columns out, or choose Gower, which takes columns of any kind.",
        )


def _check_sizes(table: FeatureTable) -> None:
    for feature in table.features:
        largest = int(np.nanargmax(np.abs(feature.values)))
        if abs(feature.values[largest]) > LARGEST_SQUARED:
            raise UnsuitableFeature(
                f"{feature.name} is {feature.values[largest]:g} for {table.labels[largest]}: "
                "too large to compute with.",
                remedy="Correct the value, or give the column in larger units.",
            )


def _check_not_below_zero(table: FeatureTable, metric: Metric, scaling: str) -> None:
    for feature in table.features:
        lowest = int(np.nanargmin(feature.values))
        if feature.values[lowest] >= 0:
            continue
        scaled = scaling == "standardise"
        raise UnsuitableFeature(
            f"{feature.name} is {feature.values[lowest]:.4g} for {table.labels[lowest]}"
            f"{' once standardised' if scaled else ''}; {metric.title} takes no values below "
            "zero.",
            remedy="Choose no scaling, or by range."
            if scaled
            else "Correct the value, leave the column out, or choose another metric.",
        )


def _scaled(table: FeatureTable, scaling: str) -> FeatureTable:
    ordered = [feature for feature in table.features if KINDS[feature.kind].ordered]
    constant = [feature.name for feature in ordered if is_constant(feature.values)]
    if constant and scaling != "ranks":
        has = "have" if len(constant) > 1 else "has"
        raise UnsuitableFeature(
            f"{listing(constant)} {has} the same value for all objects, so nothing can be scaled.",
            remedy="Leave such columns out, or choose no scaling.",
        )
    return FeatureTable(
        table.labels,
        tuple(
            _column(feature, scaling) if KINDS[feature.kind].ordered else feature
            for feature in table.features
        ),
    )


def _column(feature: Feature, scaling: str) -> Feature:
    values = feature.values
    if scaling == "ranks":
        scaled = _ranks(values)
    elif scaling == "range":
        scaled = (values - np.fmin.reduce(values)) / spans(values)
    else:
        # In a unit in which squares are floats.
        unit = values / np.fmax.reduce(np.abs(values))
        scaled = (unit - np.nanmean(unit)) / np.nanstd(unit, ddof=1)
    return feature.as_quantity(scaled)


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks from one, the mean rank for equal values, NaN where missing."""
    seen = ~np.isnan(values)
    _, place, counts = np.unique(values[seen], return_inverse=True, return_counts=True)
    ranks = np.full(values.shape, np.nan)
    ranks[seen] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks
