"""Where on a map features rise: the arrows of a biplot, of ordered values and of two groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS

# Fewer objects than this lie on a straight line over the map too easily.
FEWEST = 5


class Direction(NamedTuple):
    """The direction in which a feature rises.

    `x` and `y` make an arrow of length one. `share` is how much of the feature's variance places
    along it tell, less what as many random numbers would tell (the adjusted R²). Where two groups
    are told apart, `towards` is the one that it points to.
    """

    name: str
    x: float
    y: float
    share: float
    towards: str = ""


def directions(features: FeatureTable, places: FloatArray) -> tuple[Direction, ...]:
    """Of those features that have a direction at all, the clearest first.

    Parameters
    ----------
    places : (N, 2) of the objects on the map.
    """
    found = [_direction(feature, places) for feature in features.features if _has_one(feature)]
    return tuple(sorted((one for one in found if one), key=lambda one: -one.share))


def _has_one(feature: Feature) -> bool:
    return KINDS[feature.kind].ordered or len(feature.levels) == 2


def _direction(feature: Feature, places: FloatArray) -> Direction | None:
    seen = ~feature.missing
    count = int(seen.sum())
    if count < FEWEST:
        return None
    values = feature.values[seen] - feature.values[seen].mean()
    spread = float(values @ values)
    centred = places[seen] - places[seen].mean(axis=0)
    if not spread:
        return None
    slope, _, rank, _ = np.linalg.lstsq(centred, values, rcond=None)
    length = float(np.hypot(*slope))
    if not length or not rank:
        return None
    left = values - centred @ slope
    share = 1 - float(left @ left) / spread * (count - 1) / (count - 1 - int(rank))
    towards = feature.levels[1] if len(feature.levels) == 2 else ""
    return Direction(feature.name, slope[0] / length, slope[1] / length, share, towards)
