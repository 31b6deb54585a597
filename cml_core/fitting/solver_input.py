"""A problem as solvers see it."""

from __future__ import annotations

import numpy as np

from cml_core.errors import InfiniteDissimilarities
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.admissible import Admissible
from cml_core.fitting.scales.power import to_the_power
from cml_core.fitting.scales.registry import SCALES
from cml_core.fitting.scales.scale import Judged, Scale
from cml_core.fitting.solvers.columns import standardise
from cml_core.fitting.solvers.objective import Objective, build_objective
from cml_core.values.arrays import BoolArray, FloatArray, RealArray, with_zeros_for_gaps
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
        delta, admissible = targets.condensed, None
        delta = delta if targets.complete else with_zeros_for_gaps(delta)
    else:
        delta, admissible = taken_on(scale, problem.judged, power)
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
        problem.coef_kind == "diagonal",
        admissible,
        problem.given_coef,
    )
    if objective.unit < 1.0 / LARGEST_SQUARED:
        raise InfiniteDissimilarities(
            f"The dissimilarities are about {1.0 / objective.unit:.1g}, too large to be squared.",
            remedy="Give them in a larger unit: divide all by the same number.",
        )
    return objective


def taken_on(
    scale: Scale, judged: Judged, power: float | None
) -> tuple[FloatArray, Admissible | None]:
    """What descents begin with in place of the dissimilarities, and what else they may put there.

    Parameters
    ----------
    scale : any but the ratio scale, on which the dissimilarities are what distances are fitted to.
    power : as of `objective_of`; on other scales there is none.
    """
    if scale.to_a_power and power is not None:
        return to_the_power(judged, power), None
    assert scale.as_distances is not None
    return scale.as_distances(judged), scale.admits(judged) if scale.admits else None


def gaps_of(problem: Problem) -> BoolArray:
    """Which pairs are missing; empty where none is."""
    targets = problem.targets
    return np.empty(0, bool) if targets.complete else targets.missing
