"""What stands in place of the dissimilarities once a map is found."""

from __future__ import annotations

import numpy as np

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.admissible import nearest
from cml_core.fitting.scales.isotonic import scratch_for
from cml_core.fitting.scales.power import to_the_power
from cml_core.fitting.scales.registry import SCALES
from cml_core.values.arrays import FloatArray, frozen


def scaled_targets(problem: Problem, found: Configuration, power: float) -> FloatArray:
    """(N(N-1)/2,) the targets as their scale admits, as near to the distances as can be."""
    return scaled_to(problem, found.distances(), power)


def scaled_to(problem: Problem, distances: FloatArray, power: float) -> FloatArray:
    """(N(N-1)/2,) the targets as their scale admits, as near to these distances as can be.

    NaN where a pair is missing or, on any scale but the ratio scale, has no weight.
    """
    scale, targets = SCALES[problem.scale], problem.targets
    if scale.as_distances is None:
        return targets.condensed.astype(np.float64, copy=False)
    if scale.admits is None:
        scaled = to_the_power(problem.judged, power)
    else:
        admissible = scale.admits(problem.judged)
        scaled = np.zeros(targets.condensed.size)
        scratch = scratch_for(admissible.ranks)
        left, size = nearest(admissible, scratch, distances, problem.pair_weights, scaled)
        if size:
            scaled /= 1.0 - left / size
        else:
            # With no distances to be near to, the normalised stress of anything is one.
            scaled = _of_mean_square_one(scale.as_distances(problem.judged), problem.pair_weights)
    scaled[~problem.counting] = np.nan
    return frozen(scaled)


def _of_mean_square_one(values: FloatArray, weights: FloatArray) -> FloatArray:
    square = np.average(values**2, weights=weights if weights.size else None)
    return values / float(np.sqrt(square))
