"""The conditional stress of a list of pairs, and a start for it."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.sparse.csgraph import dijkstra

from cml_core.fitting.solvers.closed_form import closed_form
from cml_core.fitting.solvers.columns import standardise
from cml_core.fitting.solvers.layout import gather, place
from cml_core.fitting.solvers.objective import Metric, Objective, Scaled, objective_in
from cml_core.fitting.solvers.starts import (
    SMALLEST_SHARE,
    squared_distances,
    without_empty_dimensions,
)
from cml_core.fitting.sparse.kernels import pull_pairs
from cml_core.values.arrays import FloatArray
from cml_core.values.features import Encoding
from cml_core.values.pairs import Pairs

# So many objects span the map that the others are located in; ways from each to all are walked.
SPANNING = 100


def objective_of_pairs(
    pairs: Pairs, encoding: Encoding, n_components: int, diagonal: bool
) -> Objective:
    """The stress of the pairs as solvers see it."""
    columns = standardise(encoding.values, encoding.block, None)
    unit = 1.0 / float(np.sqrt((pairs.dissimilarities**2).mean()))
    metric = Metric(np.sqrt(pairs.degree.astype(np.float64)), 0.25, partial(_pulled, pairs))
    scaled = Scaled(pairs.dissimilarities, np.empty(0), unit, float(pairs.first.size))
    return objective_in(scaled, metric, columns, n_components, diagonal)


def _pulled(pairs: Pairs, matrix: FloatArray) -> FloatArray:
    """H of (9) times a matrix."""
    product = pairs.degree[:, None] * matrix
    np.subtract.at(product, pairs.first, matrix[pairs.second])
    np.subtract.at(product, pairs.second, matrix[pairs.first])
    return product


class PairsEvaluation:
    """The stress of the pairs and its gradient, as `descend_by` asks for them."""

    def __init__(self, pairs: Pairs, objective: Objective) -> None:
        self._pairs = pairs
        self._objective = objective
        self._basis = objective.layout.basis.copy()
        rows = objective.n_components + objective.rank
        self._X = np.zeros((rows, objective.n_objects))

    def __call__(self, y: FloatArray, gradient: FloatArray) -> float:
        """The raw stress at `y`; its gradient is written into `gradient`."""
        layout, pairs = self._objective.layout, self._pairs
        place(layout, y, self._basis, self._X)
        # An object's coordinates side by side, for pairs jump from object to object.
        points = np.ascontiguousarray(self._X.T)
        forces = np.zeros_like(points)
        unit = self._objective.unit
        stress = pull_pairs(pairs.first, pairs.second, pairs.dissimilarities, unit, points, forces)
        gather(layout, y, self._basis, np.ascontiguousarray(forces.T), gradient)
        return float(stress)


def spectral_start(pairs: Pairs, objective: Objective, random: np.random.Generator) -> FloatArray:
    """Some objects by the closed form of their ways through the graph, the others among them."""
    n, columns = pairs.n_objects, objective.columns.values
    chosen = np.sort(random.choice(n, min(SPANNING, n), replace=False))
    ways = dijkstra(pairs.graph(), directed=False, indices=chosen).T * objective.unit
    square = 0.5 * (ways[chosen] + ways[chosen].T)
    embedding, coef = closed_form(
        square, columns[chosen], objective.n_components, objective.diagonal, SMALLEST_SHARE
    )
    known = columns @ coef
    left = ways**2 - squared_distances(known, known[chosen])
    # Landmark MDS (de Silva and Tenenbaum 2004), on what the known places leave of the squares.
    placed = -0.5 * (left - left[chosen].mean(axis=0)) @ np.linalg.pinv(embedding).T
    placed = without_empty_dimensions(placed, random)
    # Ways round are longer than distances; of all sizes the one that fits the pairs is taken.
    points = np.hstack([placed, known])
    apart = np.linalg.norm(points[pairs.first] - points[pairs.second], axis=1)
    size = float(apart @ pairs.dissimilarities) * objective.unit / float(apart @ apart)
    unit = objective.unit / size
    return objective.variables(placed / unit, coef / objective.columns.spread[:, None] / unit)
