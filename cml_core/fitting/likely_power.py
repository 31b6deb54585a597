"""Which power of the dissimilarities are distances, found before the map is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.plan import Plan
from cml_core.fitting.power_scale import best_exponent, likely_power, log_likelihood
from cml_core.fitting.runs import runs_of
from cml_core.fitting.scales.power import natural_power, to_the_power
from cml_core.fitting.solver_input import objective_of
from cml_core.fitting.solvers.descent import descend


def with_likely_power(plan: Plan) -> Plan:
    """The plan for the power that is most likely, with a map fitted to each that is tried."""
    # From the power that gives the spread of distances, not from 1: then the search takes the
    # same steps for the dissimilarities and for any power of them.
    natural = natural_power(plan.problem.judged)
    runs, _ = runs_of(plan.first_stage(plan.objective))
    tried = {0.0: min(runs, key=lambda run: run.stress).configuration}

    def likelihood(relative: float) -> float:
        nearest = min(tried, key=lambda other: abs(other - np.log(relative)))
        tried[float(np.log(relative))] = found = _moved_on(plan, natural * relative, tried[nearest])
        return _log_likelihood(plan, natural, relative, found)

    chosen = natural * likely_power(likelihood).power
    return replace(plan, objective=objective_of(plan.problem, chosen), power=chosen)


def _moved_on(plan: Plan, power: float, found: Configuration) -> Configuration:
    """The map of another power, descending from that of one nearby."""
    objective = objective_of(plan.problem, power)
    start = objective.variables(found.embedding, found.coef, found.known_values)
    return descend(objective, start, plan.rule.max_iter, plan.rule.tolerance).configuration


def _log_likelihood(plan: Plan, natural: float, relative: float, found: Configuration) -> float:
    judged = plan.problem.judged
    delta = np.where(judged.counts, to_the_power(judged, natural), 0.0)
    # The distances were fitted to a power in a unit of its own.
    fitted = to_the_power(judged, natural * relative)
    unit = np.linalg.norm(delta**relative) / np.linalg.norm(fitted[judged.counts])
    distances = unit * found.distances()
    exponent = best_exponent(delta, distances, relative, judged.weights)
    return log_likelihood(delta, distances, relative, exponent, judged.weights)
