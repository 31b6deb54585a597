"""Which power of the dissimilarities are distances, found before the map is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.plan import Plan
from cml_core.fitting.power_scale import best_exponent, likely_power, log_likelihood
from cml_core.fitting.runs import runs_of, watch_of
from cml_core.fitting.scales.power import natural_power, to_the_power
from cml_core.fitting.solver_input import objective_of
from cml_core.fitting.solvers import run as reasons
from cml_core.fitting.solvers.descent import descend
from cml_core.fitting.solvers.run import Run


def with_likely_power(plan: Plan) -> Plan:
    """The plan for the power that is most likely, with a map fitted to each that is tried."""
    # From the power that gives the spread of distances, not from 1: then the search takes the
    # same steps for the dissimilarities and for any power of them.
    natural = natural_power(plan.problem.judged)
    first = plan.first_stage(plan.objective)
    runs, cancelled = runs_of(first)
    found = min(runs, key=lambda run: run.stress).configuration
    # Where nothing is known and nothing hidden, no power is likelier than another.
    searched = found.distances().any() and not cancelled
    chosen = natural * _likely(first, natural, found) if searched else natural
    return replace(plan, objective=objective_of(plan.problem, chosen), power=chosen)


def _likely(plan: Plan, natural: float, found: Configuration) -> float:
    """The most likely power of what the natural one makes of the dissimilarities."""
    tried = {0.0: found}

    def likelihood(relative: float) -> float:
        nearest = min(tried, key=lambda other: abs(other - np.log(relative)))
        run = _moved_on(plan, natural * relative, tried[nearest])
        if run.reason == reasons.CANCELLED:
            return -np.inf
        tried[float(np.log(relative))] = run.configuration
        return _log_likelihood(plan, natural, relative, run.configuration)

    return likely_power(likelihood).power


def _moved_on(plan: Plan, power: float, found: Configuration) -> Run:
    """To the map of another power, from that of one nearby."""
    objective = objective_of(plan.problem, power)
    start = objective.variables(found.embedding, found.coef, found.known_values)
    # As if it were the last start of this stage, for what is told of them may not go back.
    watch = watch_of(plan, plan.n_starts)
    return descend(objective, start, plan.rule.max_iter, plan.rule.tolerance, watch)


def _log_likelihood(plan: Plan, natural: float, relative: float, found: Configuration) -> float:
    judged = plan.problem.judged
    delta = np.where(judged.counts, to_the_power(judged, natural), 0.0)
    # The distances were fitted to a power in a unit of its own.
    fitted = to_the_power(judged, natural * relative)
    unit = np.linalg.norm(delta**relative) / np.linalg.norm(fitted[judged.counts])
    distances = unit * found.distances()
    exponent = best_exponent(delta, distances, relative, judged.weights)
    return log_likelihood(delta, distances, relative, exponent, judged.weights)
