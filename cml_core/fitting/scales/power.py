"""A power of the dissimilarities is a distance (Box and Cox 1964)."""

from __future__ import annotations

import numpy as np

from cml_core.fitting.scales.scale import Judged, Scale
from cml_core.values.arrays import FloatArray

# The standard deviation of the logarithms of distances of points strewn over two or three
# dimensions.
TYPICAL_SPREAD = 0.5


def natural_power(judged: Judged) -> float:
    """The power that gives the dissimilarities the spread of distances.

    The search for the likely power begins with it, for it makes δ and any power of δ the same.
    """
    logarithms = np.log(_positive(judged))
    spread = float(logarithms.std())
    return TYPICAL_SPREAD / spread if spread > 0 else 1.0


def to_the_power(judged: Judged, power: float) -> FloatArray:
    """The dissimilarities to this power, in a unit that gives them a mean square of one."""
    # Divided first, for a power of a large number may be no float.
    middle = float(np.exp(np.log(_positive(judged)).mean()))
    raised: FloatArray = (judged.values / middle) ** power
    counted = raised[judged.counts] ** 2
    weights = judged.weights[judged.counts] if judged.weights.size else None
    raised /= np.sqrt(np.average(counted, weights=weights))
    return raised


def _positive(judged: Judged) -> FloatArray:
    # Zero stays zero at any power.
    return judged.values[judged.counts & (judged.values > 0)]


def _as_distances(judged: Judged) -> FloatArray:
    return to_the_power(judged, natural_power(judged))


SCALE = Scale(
    "power",
    "A power",
    "Some power of the numbers is a distance, such as their square or their root.",
    as_distances=_as_distances,
    to_a_power=True,
)
