"""A problem as solvers see it."""

from __future__ import annotations

import numpy as np

from cml_core.errors import InfiniteDissimilarities
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.power import to_the_power
from cml_core.fitting.scales.registry import SCALES
from cml_core.fitting.solvers.columns import standardise
from cml_core.fitting.solvers.objective import Objective, build_objective
from cml_core.values.arrays import BoolArray, RealArray, with_zeros_for_gaps
from cml_core.values.real_numbers import LARGEST_SQUARED


def objective_of(problem: Problem, power: float | None = None) -> Objective:
    """The stress of a problem as solvers see it.

    Parameters
    ----------
    power : on the power scale, which one; None is the natural one, which fits begin with.
    """
    targets, scale = problem.targets, SCALES[problem.scale]
    delta: RealArray
    if scale.as_distances is None:
        delta = targets.condensed if targets.complete else with_zeros_for_gaps(targets.condensed)
    elif power is None:
        delta = scale.as_distances(problem.judged)
    else:
        delta = to_the_power(problem.judged, power)
    encoding = problem.encoding
    # Not by the dissimilarities as given: geodesics are what distances are fitted to, and know
    # neighbours where there are gaps.
    columns = standardise(encoding.values, encoding.block, targets.condensed)
    objective = build_objective(
        delta,
        problem.pair_weights,
        columns,
        targets.n_objects,
        problem.n_components,
        problem.coef == "diagonal",
        scale.admits(problem.judged) if scale.admits else None,
    )
    if objective.unit < 1.0 / LARGEST_SQUARED:
        raise InfiniteDissimilarities(
            f"The dissimilarities are about {1.0 / objective.unit:.1g}, too large to be squared.",
            remedy="Give them in a larger unit: divide all by the same number.",
        )
    return objective


def gaps_of(problem: Problem) -> BoolArray:
    """Which pairs are missing; empty where none is."""
    targets = problem.targets
    return np.empty(0, bool) if targets.complete else targets.missing
