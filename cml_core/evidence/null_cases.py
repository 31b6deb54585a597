"""Data that have what a map found and nothing else, of measurements whose cases are drawn anew.

Dissimilarities that were computed from measurements share the errors of each object, and all those
of the cases; made of fitted distances and residuals, even with what cases drawn anew change, such
data raised false alarms in .57 to 1.00. So the measurements are made instead: in every case what
the known features, and as many directions as the map has hidden dimensions, say of the objects, and
errors that each object has by itself. What comparing does to features, lengths that are divided out
and errors that push all objects apart, is then in the made data as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.evidence.null_data import floored, residual_growth, residuals
from cml_core.evidence.refits import refit, with_values
from cml_core.files.cases import Cases
from cml_core.fitting.configuration import Solution
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, Value

# Directions that are left for the errors, at the least.
FEWEST_LEFT = 5


@dataclass(frozen=True, eq=False)
class NullCases(Value):
    """What measurements without a further feature are made of.

    Parameters
    ----------
    problem, found, power : as in `NullData`.
    growth : how residuals grow with the fitted distance; the made data do not need it.
    cases : how objects are compared.
    explained : (N, K) what features and hidden directions say.
    errors : (N, K) of each object, of the size that errors had before directions took some away.
    """

    problem: Problem
    found: Solution
    power: float
    growth: float
    cases: Cases
    explained: FloatArray
    errors: FloatArray

    def drawn(self, random: np.random.Generator) -> Problem:
        """One data set."""
        again = random.integers(self.cases.n_cases, size=self.cases.n_cases)
        # Each object's errors go to other cases, so nothing that objects share is left in them.
        made = self.explained[:, again] + random.permuted(self.errors, axis=1)
        return with_values(self.problem, self.cases.compared(made))

    def fitted(self, drawn: Problem) -> Solution:
        """The fit of a data set, from the map of the data."""
        return refit(drawn, (self.found.embedding, self.found.coef), power=self.power)


def null_cases(problem: Problem, fit: Fit, cases: Cases) -> NullCases | None:
    """Measurements with what a fit found; None where too few directions are left for errors.

    Parameters
    ----------
    problem : of the fit, with its targets as plain data (`refits.as_fitted`).
    cases : of which its dissimilarities were computed.
    """
    cases.check_of(problem.known.labels)
    known = np.column_stack([np.ones(len(cases.labels)), fit.best.known_values])
    left = min(len(known) - np.linalg.matrix_rank(known), cases.n_cases) - problem.n_components
    if left < FEWEST_LEFT:
        return None
    said = known @ np.linalg.lstsq(known, cases.values)[0]
    hidden, errors = _parted(
        cases.values - said, int(np.linalg.matrix_rank(known)), problem.n_components
    )
    distances = floored(fit.distances()[~problem.dissimilarities.missing])
    return NullCases(
        problem=problem,
        found=fit.best,
        power=fit.power,
        growth=residual_growth(distances, residuals(problem, fit.best, fit.power)),
        cases=cases,
        explained=said + hidden,
        errors=errors,
    )


def _parted(left: FloatArray, known: int, hidden: int) -> tuple[FloatArray, FloatArray]:
    """The strongest directions of what is left, as strong as they are without errors; the errors.

    Singular values are shrunk as is best for a matrix of few directions and errors (Gavish and
    Donoho 2017); one that errors alone would give counts as nought.
    """
    objects, cases = left.shape[0] - known, left.shape[1]
    vectors, sizes, axes = np.linalg.svd(left, full_matrices=False)
    errors = left - (vectors[:, :hidden] * sizes[:hidden]) @ axes[:hidden]
    variance = (errors**2).sum() / ((objects - hidden) * (cases - hidden))
    unit = np.sqrt(variance * max(objects, cases))
    ratio = min(objects, cases) / max(objects, cases)
    seen = sizes[:hidden] / max(unit, np.finfo(float).tiny)
    above = seen > 1.0 + np.sqrt(ratio)
    shrunk = np.zeros(hidden)
    squares = (seen[above] ** 2 - ratio - 1.0) ** 2 - 4.0 * ratio
    shrunk[above] = np.sqrt(np.maximum(squares, 0.0)) / seen[above]
    mean_square = max(float((errors**2).mean()), np.finfo(float).tiny)
    grown = errors * np.sqrt(variance / mean_square)
    return (vectors[:, :hidden] * (shrunk * unit)) @ axes[:hidden], grown
