"""What a fit will cost, told before it begins."""

from __future__ import annotations

from cml_core.fitting.plan import default_starts
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import RATIO

# Seconds of one processor for a pair and a dimension, over all passes from one start; measured
# with 100 to 1000 objects, 2 to 100 known columns and 2 to 8 dimensions, to within a factor of 3.
_OF_A_PAIR = 45e-9
# More hidden dimensions take more passes; another scale finds its curve anew in each of them.
_MANY_DIMENSIONS, _OF_MANY = 4, 3.0
_OF_A_CURVE = 4.0
# Starts end when hardly any further one would find another minimum: seldom later.
_USUAL_STARTS = 10


def expected_seconds(problem: Problem) -> float:
    """How many seconds of one processor a fit of a problem is expected to take, roughly."""
    n_objects = problem.dissimilarities.n_objects
    pairs = n_objects * (n_objects - 1) / 2
    dimensions = problem.n_components + problem.encoding.values.shape[1]
    a_start = pairs * max(dimensions, 1) * _OF_A_PAIR
    if problem.n_components >= _MANY_DIMENSIONS:
        a_start *= _OF_MANY
    if problem.scale != RATIO:
        a_start *= _OF_A_CURVE
    return float(a_start * min(default_starts(n_objects), _USUAL_STARTS))
