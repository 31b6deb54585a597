"""When a scale lets the dissimilarities change so much that a map may say little."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cml_core.errors import FlexibleScale
from cml_core.fitting.configuration import Solution
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.problem import Problem
from cml_core.fitting.remarks import Remark
from cml_core.fitting.scaled_targets import scaled_targets
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.solver_input import objective_of
from cml_core.fitting.solvers.descent import descend
from cml_core.values.arrays import FloatArray
from cml_core.values.words import percent

# A Stress-1 of .01: so good a fit to what people say is seldom the truth.
NEARLY_NOUGHT = 1e-4
# So large a share of the pairs on one level of the curve have been told apart by nothing.
MOSTLY_TIED = 0.5
# Where more of a map's spread is left after turning and resizing it onto another, it shows
# something else.
ANOTHER_MAP = 0.1
ITERATIONS, TOLERANCE = 200, 1e-6


def scale_remarks(problem: Problem, best: Solution, power: float) -> Iterator[Remark]:
    """What to know of a map whose dissimilarities were changed as their scale admits."""
    if problem.scale == RATIO:
        return
    scale = SCALES[problem.scale]
    if best.stress < NEARLY_NOUGHT and not scale.to_a_power:
        yield Remark(
            f"On this scale ({scale.title.lower()}) hardly anything is left unexplained. So free a "
            "scale can fit nearly any data; see whether a stricter one shows the same map.",
            FlexibleScale,
        )
    tied = _share_on_one_level(scaled_targets(problem, best, power)[problem.counting])
    if tied >= MOSTLY_TIED:
        yield Remark(
            f"The curve is level for {percent(tied, decimals=0)} of the pairs: they are drawn as "
            "if all of them were equally dissimilar.",
            FlexibleScale,
        )
    left = _share_unlike_ratio(problem, best)
    if left > ANOTHER_MAP:
        yield Remark(
            "Taken for distances, the same numbers give another map "
            f"({percent(left, decimals=0)} of its spread lies elsewhere). Compare both.",
            FlexibleScale,
        )


def _share_on_one_level(values: FloatArray) -> float:
    _, counts = np.unique(values, return_counts=True)
    return float(counts.max() / values.size)


def _share_unlike_ratio(problem: Problem, best: Solution) -> float:
    """How much of the map is elsewhere once it goes on to fit the dissimilarities as they are."""
    if not problem.n_components:
        return 0.0
    objective = objective_of(replace(problem, scale=RATIO))
    begin = best.resized(1.0 / objective.unit)
    start = objective.variables(begin.embedding, begin.coef, begin.known_values)
    found = descend(objective, start, ITERATIONS, TOLERANCE)
    return procrustes(best.embedding, found.configuration.embedding, scaling=True).disparity
