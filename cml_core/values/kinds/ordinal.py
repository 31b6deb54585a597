"""Orders: levels from the lowest to the highest, as one column of ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cml_core.errors import UnsuitableFeature, listing
from cml_core.values.arrays import FloatArray
from cml_core.values.feature_codes import codes_of
from cml_core.values.kinds.grouping import grouped, in_quotes, of_levels, words_of
from cml_core.values.kinds.kind import Kind
from cml_core.values.kinds.parts import HasValues, Parts
from cml_core.values.quantities import quantity_of
from cml_core.values.ranges import order_of_labelled, order_of_ranges
from cml_core.values.vocabularies import order_of

_NAME = "ordinal"


def _decoded(columns: FloatArray, feature: HasValues) -> FloatArray:
    ranks: FloatArray = np.clip(np.round(columns[:, 0]), 0, len(feature.levels) - 1)
    return ranks


def _flipped(feature: HasValues) -> tuple[FloatArray, tuple[str, ...]]:
    return len(feature.levels) - 1 - feature.values, feature.levels[::-1]


def _takes(column: pd.Series) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype) and bool(column.dtype.ordered)


def _recognised(texts: Sequence[str], _: bool) -> Parts | None:
    """Words of a well-known order, ranges that do not overlap, and numbers with labels."""
    words = words_of(texts)
    different = tuple(dict.fromkeys(word for word in words if word is not None))
    order = _known_order(different)
    return Parts(*codes_of("", words, order)) if order else None


def _known_order(levels: Sequence[str]) -> tuple[str, ...]:
    return order_of(levels) or order_of_ranges(levels) or order_of_labelled(levels)


def _converted(feature: HasValues, order: Sequence[str], _: float | None) -> Parts:
    """In the order given; else numbers rise, and known words keep their order."""
    levels = grouped(feature)
    if not order and (not feature.levels or feature.kind == _NAME):
        return levels
    found = tuple(order) or _known_order(feature.levels) or _rising(feature.levels)
    if not found:
        raise UnsuitableFeature(
            f"The order of {listing(in_quotes(feature.levels))} is not known.",
            remedy=f"List the levels of {feature.name} in their order, lowest first.",
        )
    return _in_order(feature.name, levels, found)


def _in_order(name: str, parts: Parts, order: tuple[str, ...]) -> Parts:
    absent = [level for level in parts.levels if level not in order]
    if absent:
        raise UnsuitableFeature(
            f"The order of {name} leaves out {listing(in_quotes(absent))}.",
            remedy="List every level once, lowest first.",
        )
    places = np.array([order.index(level) for level in parts.levels], dtype=np.float64)
    return parts._replace(values=of_levels(parts, places), levels=order)


def _rising(levels: tuple[str, ...]) -> tuple[str, ...]:
    """Levels that are numbers, from the lowest to the highest; empty where they are words."""
    quantity = quantity_of(levels)
    if quantity is None:
        return ()
    return tuple(levels[k] for k in np.argsort(quantity.values, kind="stable"))


KIND = Kind(
    _NAME,
    meaning="groups with an order, lowest first, spaced evenly",
    step="one level",
    has_levels=True,
    decoded=_decoded,
    flipped=_flipped,
    takes=_takes,
    recognised=_recognised,
    converted=_converted,
)
