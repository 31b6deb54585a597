"""What a sample of objects tells of a map that is too large for all its pairs to be looked at."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.landmarks.result import Sampled
from cml_core.values.arrays import FloatArray
from cml_core.values.condense import row_sums

# So many objects have two million pairs, which tell the stress to about 2 %.
SAMPLE = 2000


def sampled(
    n_objects: int, delta: FloatArray, embedding: FloatArray, known_places: FloatArray, loss: float
) -> Sampled:
    """The stress of a map, from a sample of its objects.

    Parameters
    ----------
    n_objects : N, how many objects the map has.
    delta : condensed dissimilarities of the n drawn.
    embedding, known_places : where these lie.
    """
    errors, totals = by_object(delta, embedding, known_places)
    n, stress = len(errors), errors.sum() / totals.sum()
    # The stress is a ratio of two U-statistics; to first order its error is that of the means of
    # each object's own pairs, twice, for an object is in as many pairs as first as as second.
    own = (errors - stress * totals) / totals.mean()
    error = 2.0 * float(own.std(ddof=1)) / np.sqrt(n) * np.sqrt(1.0 - n / n_objects)
    return Sampled(n, float(stress), float(error), loss)


def by_object(
    delta: FloatArray, embedding: FloatArray, known_places: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(n,) squared errors, and squared dissimilarities, of each object's pairs."""
    errors, totals = np.zeros(len(embedding)), np.zeros(len(embedding))
    row_sums((delta - pdist(np.hstack([embedding, known_places]))) ** 2, errors)
    row_sums(delta**2, totals)
    return errors, totals


def risen(delta: FloatArray, own: Configuration, with_half: Configuration) -> float:
    """By which share the stress rises where half of the landmarks are fitted, and placed among.

    What M landmarks miss of the fit of all pairs they miss because they are a sample: their map,
    and each place among them, err by a share of the squares that falls as 1/M. So what the stress
    rises by with half as many is what it had risen by before.
    """
    before = ((delta - own.distances()) ** 2).sum()
    return float(((delta - with_half.distances()) ** 2).sum() / before - 1.0)
