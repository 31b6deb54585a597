"""What distances tell of dissimilarities, by the curve of a scale the other way round.

A fit lays the scale's curve through distances over dissimilarities. To tell what a distance says of
a dissimilarity, a curve of the same family is laid through dissimilarities over distances, for that
is what makes the errors of what is told small: proportion, straight line, power, spline or steps.
"""

from __future__ import annotations

import numpy as np

from cml_core.fitting.scales.admissible import MONOTONE, nearest
from cml_core.fitting.scales.isotonic import scratch_for
from cml_core.fitting.scales.ordinal import SECONDARY
from cml_core.fitting.scales.scale import Judged, Scale
from cml_core.values.arrays import FloatArray


def told(scale: Scale, seen: Judged, distances: FloatArray, power: float) -> FloatArray:
    """(N(N-1)/2,) what distances tell of every dissimilarity.

    Parameters
    ----------
    seen : the dissimilarities; the curve goes through those that count.
    distances : fitted to them on this scale.
    power : which power of the dissimilarities they were fitted to.
    """
    weights = np.where(seen.counts, seen.weights if seen.weights.size else 1.0, 0.0)
    given = np.where(seen.counts, seen.values, 0.0)
    if not distances.any():
        # Where nothing is known and nothing hidden, the mean is the most that can be told.
        return np.full(distances.size, weights @ given / weights.sum())
    places = distances / distances.max()
    if scale.admits is None:
        shape = places ** (1.0 / power)
        found: FloatArray = shape * ((weights * shape) @ given / ((weights * shape) @ shape))
        return found
    # All pairs lie on the curve; those not seen have no weight. Equal distances tell the same.
    everyone = Judged(places, np.ones_like(seen.counts), weights, SECONDARY)
    admissible, values = scale.admits(everyone), np.zeros(places.size)
    nearest(admissible, scratch_for(admissible.ranks), given, weights, values)
    if admissible.kind == MONOTONE:
        # What lies between two steps is told between what they tell.
        order = everyone.order[seen.counts[everyone.order]]
        values = np.interp(places, places[order], values[order])
    return values
