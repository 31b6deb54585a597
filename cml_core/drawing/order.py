"""An order given by hand becomes an ordinal feature."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.drawing.levels import rows_of
from cml_core.errors import UnsuitableFeature
from cml_core.values.features import Feature


def from_order(name: str, labels: Sequence[str], ranking: Sequence[str | Sequence[str]]) -> Feature:
    """An order: the first object of the ranking is lowest; those not in it are missing.

    Parameters
    ----------
    labels : the N objects, in the order of the map.
    ranking : labels, lowest first; several labels in one place are tied.
    """
    places = [[place] if isinstance(place, str) else list(place) for place in ranking]
    places = [place for place in places if place]
    if len(places) < 2:
        raise UnsuitableFeature(
            "The order has fewer than two places.", remedy="Put at least two objects in order."
        )
    values = np.full(len(labels), np.nan)
    for rank, place in enumerate(places):
        for label, row in zip(place, rows_of(labels, place), strict=True):
            if not np.isnan(values[row]):
                raise UnsuitableFeature(
                    f"{label} stands in the order twice.", remedy="Name every object once."
                )
            values[row] = rank
    levels = tuple(str(rank + 1) for rank in range(len(places)))
    return Feature(name, "ordinal", values, levels, origin="order given by hand")
