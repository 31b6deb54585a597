"""Maximum variance unfolding: as wide as neighbours allow (Weinberger and Saul 2006)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import coo_array, csr_array

from cml_core.fitting.geodesics import ways_through
from cml_core.fitting.geometry import principal_axes
from cml_core.peers.graph import graph_settings, neighbour_graph
from cml_core.peers.method import DISTANCES, MOST_SPREAD, Asked, Drawn, Method, OnStep, Step
from cml_core.peers.methods.classical import drawn_classically
from cml_core.values.arrays import BoolArray, FloatArray

USUAL_NEIGHBOURS = 8
MOST_OBJECTS = 1500
# More dimensions than a picture has keep the way to the best one free of dead ends.
RANK = 8
ROUNDS, STEPS_A_ROUND = 60, 300
# An edge may be longer than it should by this share, and the spread so far from its end.
TOLERANCE = 1e-5
FIRM, FIRMER = 10.0, 3.0


class _Unfolding:
    """The augmented Lagrangian of: maximise Σ|y_i|², no edge being longer than δ."""

    def __init__(self, square: FloatArray, near: BoolArray, shape: tuple[int, int]):
        self.shape = shape
        first, second = np.nonzero(np.triu(near, 1))
        self.squares = square[first, second] ** 2
        count = self.squares.size
        rows = np.repeat(np.arange(count), 2)
        ends = np.stack((first, second), axis=1).ravel()
        signs = np.tile([1.0, -1.0], count)
        self.differences: csr_array = coo_array(
            (signs, (rows, ends)), shape=(count, shape[0])
        ).tocsr()
        self.forces = np.zeros(count)
        self.firmness = FIRM

    def excess(self, places: FloatArray) -> FloatArray:
        """By what share the square of each edge is too long; below zero where it is slack."""
        over: FloatArray = ((self.differences @ places) ** 2).sum(axis=1) / self.squares - 1.0
        return over

    def __call__(self, flat: FloatArray) -> tuple[float, FloatArray]:
        places = flat.reshape(self.shape)
        apart = self.differences @ places
        over = (apart**2).sum(axis=1) / self.squares - 1.0
        pulls = np.maximum(self.forces + self.firmness * over, 0.0)
        centred = places - places.mean(axis=0)
        value = -float((centred**2).sum()) + 0.5 * float(pulls @ pulls) / self.firmness
        slope = 2.0 * (self.differences.T @ ((pulls / self.squares)[:, None] * apart) - centred)
        return value, slope.ravel()


def unfolded(
    square: FloatArray, near: BoolArray, on_step: OnStep | None = None
) -> tuple[FloatArray, bool, bool]:
    """Places in up to eight dimensions, whether they are the widest, and whether it was stopped."""
    rank = min(RANK, len(square) - 1)
    places = drawn_classically(ways_through(square, near), rank).places
    unfolding = _Unfolding(square, near, (len(square), rank))
    # Forces that hold the whole spread, shared out among the edges.
    unfolding.firmness = FIRM * float((places**2).sum()) / len(square)
    worst, spread = np.inf, 0.0
    for round_ in range(ROUNDS):
        result = minimize(
            unfolding,
            places.ravel(),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": STEPS_A_ROUND, "ftol": 1e-14, "gtol": 1e-9, "maxcor": 20},
        )
        places = np.reshape(result.x, places.shape)
        over = unfolding.excess(places)
        unfolding.forces = np.maximum(unfolding.forces + unfolding.firmness * over, 0.0)
        before, spread = spread, float(places.var(axis=0).sum())
        if over.max() < TOLERANCE and abs(spread - before) < 0.1 * TOLERANCE * spread:
            return places, True, False
        if over.max() > 0.3 * worst:
            unfolding.firmness *= FIRMER
        worst = float(over.max())
        if on_step is not None and on_step(Step(round_ + 1, ROUNDS, spread)):
            return places, False, True
    return places, bool(worst < 1e-4), False


def _draw(asked: Asked) -> Drawn:
    graph = neighbour_graph(asked, USUAL_NEIGHBOURS)
    places, converged, stopped = unfolded(asked.square(), graph.near, asked.on_step)
    axes = principal_axes(places)
    drawn = axes[:, : asked.n_components]
    spread = float(axes.var(axis=0).sum())
    return Drawn(drawn, spread, converged, stopped, graph.remarks, graph.used)


METHOD = Method(
    "mvu",
    "MVU (maximum variance unfolding)",
    "Pulls all objects as far apart as their neighbours allow.",
    MOST_SPREAD,
    DISTANCES,
    "Distances between neighbours are no longer than they should be; far ones are as long as can "
    "be.",
    "spread, in squares of the mean dissimilarity",
    _draw,
    graph_settings(USUAL_NEIGHBOURS),
    lower_is_better=False,
    one_place=True,
    most_objects=MOST_OBJECTS,
)
