"""The reference solver: conditional SMACOF, step by step as published (15), (16).

It exists so that results can be compared with the literature. Objects with a missing
feature are treated as the author's package treats them: the whole row of VB is free.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.kernels import accumulate, constants, stored_rows
from cml_core.fitting.solvers import run
from cml_core.fitting.solvers.objective import Objective, laplacian
from cml_core.fitting.solvers.run import Run, Watch
from cml_core.fitting.solvers.solver import Solver, Start, StoppingRule
from cml_core.values.arrays import FloatArray, IntArray, row_of

# Each start takes some hundred times as long as one of L-BFGS.
MOST_STARTS = 11
WHOLE_ROWS = (
    "The published updates free all features of an object where one is missing; the stress is "
    "that of the freed objects, below that of the filled-in features."
)


@dataclass(frozen=True, eq=False)
class _Design:
    """What the updates need of V and H, computed once.

    `values` is V, standardised, zero where a row is incomplete. The incomplete rows are
    eliminated: with H split into complete (1) and incomplete (2) objects, the metric of B
    is V'(H11 - H12 H22^-1 H21)V.
    """

    objective: Objective
    values: FloatArray
    incomplete: IntArray
    laplacian_rows: FloatArray
    metric: FloatArray
    factor: FloatArray | None

    def centred_inverse(self, gradient: FloatArray) -> FloatArray:
        """H+ times columns that sum to zero."""
        if self.factor is None:
            divided: FloatArray = gradient / self.objective.n_objects
            return divided
        return np.asarray(linalg.cho_solve((self.factor, True), gradient), dtype=np.float64)

    def eliminated(self, columns: FloatArray) -> FloatArray:
        """Columns over all objects, less what the incomplete rows take up of them."""
        if not self.incomplete.size:
            return columns
        among = self.laplacian_rows[:, self.incomplete]
        taken = np.linalg.solve(among, columns[self.incomplete])
        left: FloatArray = columns - self.laplacian_rows.T @ taken
        return left

    def incomplete_rows(self, pulled: FloatArray, placed: FloatArray) -> FloatArray:
        """The best places of the incomplete rows, given those of the complete ones."""
        among = self.laplacian_rows[:, self.incomplete]
        left = pulled[self.incomplete] - self.laplacian_rows @ placed
        return np.asarray(np.linalg.solve(among, left), dtype=np.float64)


def majorise(
    objective: Objective,
    start: Configuration,
    places: FloatArray | None,
    max_iter: int,
    tolerance: float,
    watch: Watch | None = None,
) -> Run:
    """Repeat U <- H+ C U and B <- (V'HV)+ V'C V B from `start`.

    Parameters
    ----------
    places : (N, q) starting places VB of objects with missing features; the others' are
        not looked at. None starts them at their neighbours' mean.
    tolerance : stop when the normalised stress falls by no more than this; negative never.
    """
    design = _design(objective)
    spread = objective.columns.spread[:, None]
    U = start.embedding * objective.unit
    B = start.coef * spread * objective.unit
    Z = objective.columns.values @ B
    if places is not None:
        offset = objective.columns.centre @ start.coef
        Z[design.incomplete] = (places[design.incomplete] - offset) * objective.unit
    value, pull = _sweep(objective, U, Z)
    path = [value]
    reason = run.AT_LIMIT
    for step in range(1, max_iter + 1):
        p = U.shape[1]
        pulled = laplacian(Z, objective.weights, objective.n_objects) - pull[:, p:]
        # H+ C U is U less H+ (H - C) U, once U is centred: the sweep gives H - C together.
        U = U - U.mean(axis=0) - design.centred_inverse(pull[:, :p])
        B = B if objective.given is not None else _updated_coef(design, pulled)
        Z = design.values @ B
        if design.incomplete.size:
            Z[design.incomplete] = design.incomplete_rows(pulled, Z)
        value, pull = _sweep(objective, U, Z)
        path.append(value)
        if watch and watch(step, value):
            reason = run.CANCELLED
            break
        # Of the normalised stress, not of its share: so Algorithm 1 says, and so does cml.
        if tolerance >= 0 and path[-2] - path[-1] <= tolerance:
            reason = run.CONVERGED
            break
    known_values = _imputed(design, B, Z)
    coef = B / spread / objective.unit if objective.given is None else objective.given
    return Run(
        Configuration(U / objective.unit, coef, known_values),
        np.array(path),
        reason,
    )


def _design(objective: Objective) -> _Design:
    columns, n = objective.columns, objective.n_objects
    incomplete = np.flatnonzero(columns.missing.any(axis=1))
    values = columns.values.copy()
    values[incomplete] = 0.0
    rows = _laplacian_rows(objective, incomplete)
    factor: FloatArray | None = None
    if objective.weights.size:
        dense = _laplacian_rows(objective, np.arange(n))
        # H has the constant vector as its null space; filled up, it has a Cholesky factor. On
        # columns that sum to zero, as those of (H - C) U do, its inverse acts as H+.
        dense += np.trace(dense) / n**2
        factor = np.asarray(np.linalg.cholesky(dense), dtype=np.float64)
    design = _Design(objective, values, incomplete, rows, np.empty((0, 0)), factor)
    metric = values.T @ design.eliminated(laplacian(values, objective.weights, n))
    return _Design(objective, values, incomplete, rows, metric, factor)


def _laplacian_rows(objective: Objective, objects: IntArray) -> FloatArray:
    """Rows of H of (9)."""
    n = objective.n_objects
    rows = np.full((objects.size, n), -1.0)
    if objective.weights.size:
        for place, i in enumerate(objects):
            rows[place] = -row_of(objective.weights, int(i), n)
    rows[np.arange(objects.size), objects] = 0.0
    rows[np.arange(objects.size), objects] = -rows.sum(axis=1)
    return rows


def _updated_coef(design: _Design, pulled: FloatArray) -> FloatArray:
    """The B that minimises the majoriser, (16), or its diagonal form, (21)."""
    against = design.values.T @ design.eliminated(pulled)
    if not design.objective.diagonal:
        return np.linalg.pinv(design.metric, rcond=1e-14, hermitian=True) @ against
    block = design.objective.columns.block
    member = (block[:, None] == np.unique(block)).astype(np.float64)
    size = member.T @ np.diag(design.metric)
    gain = member.T @ np.diag(against)
    shared = np.divide(gain, size, out=np.zeros_like(gain), where=size > 0)
    return np.diag(member @ shared)


def _sweep(objective: Objective, U: FloatArray, Z: FloatArray) -> tuple[float, FloatArray]:
    """The normalised stress, and (H - C)[U, Z]."""
    dimensions = U.shape[1] + Z.shape[1]
    X = np.zeros((stored_rows(dimensions), objective.n_objects))
    X[:dimensions] = np.hstack([U, Z]).T
    G = np.zeros_like(X)
    constant = constants(objective.unit, np.float64)
    stress = accumulate(objective.delta, objective.weights, X, G, constant, 0, objective.n_objects)
    return stress / objective.total, np.ascontiguousarray(G[:dimensions].T)


def _imputed(design: _Design, B: FloatArray, Z: FloatArray) -> FloatArray:
    """V with its gaps filled as the free rows of VB and the observed entries suggest."""
    columns = design.objective.columns
    values = columns.values.copy()
    for i in design.incomplete:
        gap = columns.missing[i]
        left = Z[i] - values[i, ~gap] @ B[~gap]
        # The published method frees whole rows of VB, more than the gaps: these are filled with
        # what comes nearest to the row that was found.
        values[i, gap] = np.linalg.lstsq(B[gap].T, left, rcond=None)[0]
    return values * columns.spread + columns.centre


def _from_start(objective: Objective, start: Start, rule: StoppingRule, watch: Watch | None) -> Run:
    begin, places = objective.configuration(start.variables), None
    if start.own:
        embedding, coef, *more = start.own
        kept = coef if objective.given is None else objective.given
        begin = Configuration(embedding, kept, begin.known_values)
        places = more[0] if more else None
    return majorise(objective, begin, places, rule.max_iter, rule.tolerance, watch)


SOLVER = Solver(
    "smacof",
    _from_start,
    most_starts=MOST_STARTS,
    own_arrays=3,
    as_it_ended=True,
    remark_on_gaps=WHOLE_ROWS,
)
