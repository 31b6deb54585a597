"""The map of a fit: whether there is one, and how large it is."""

from __future__ import annotations

import numpy as np

from cml_core.errors import ConditionalMappingError
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray


class NoMap(ConditionalMappingError):
    """There is no hidden dimension, so there are no places to speak of."""


def check_has_map(fit: Fit) -> None:
    """Raise `NoMap` where there is no hidden dimension."""
    if not fit.embedding.shape[1]:
        raise NoMap(
            "This fit has no hidden dimension, so there is no map to judge.",
            remedy="Ask for one hidden dimension at least.",
        )


def map_spread(places: FloatArray) -> float:
    """The root mean square distance of (N, p) places from their centre."""
    centred = places - places.mean(axis=0)
    size = float(np.abs(centred).max(initial=0.0))
    # Divided out first, for squares of small places vanish.
    return size * float(np.sqrt(((centred / size) ** 2).sum(axis=1).mean())) if size > 0 else 0.0


def as_share(lengths: FloatArray, places: FloatArray) -> FloatArray:
    """Lengths in the map's spread; 0 where the map has none, for there is nothing to compare."""
    spread = map_spread(places)
    return lengths / spread if spread > 0 else np.zeros(lengths.shape)
