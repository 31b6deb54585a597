"""Acyclic LLE: each object from its later neighbours, a proper likelihood (Lawrence 2012)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.peers.graph import graph_settings, neighbour_graph
from cml_core.peers.local import Mixture, mixture, told_of_impossible
from cml_core.peers.method import DISTANCES, REGRESSION, Asked, Drawn, Method
from cml_core.peers.setting import Setting
from cml_core.peers.spectra import lowest
from cml_core.values.arrays import BoolArray, FloatArray, IntArray

USUAL_NEIGHBOURS, RIDGE = 8, 1e-3
MOST_OBJECTS = 1500
# A mixture that leaves less than this of the mean squared dissimilarity would hold without end.
LEAST_LEFT = 1e-12


def elimination(near: BoolArray, order: Sequence[int] | None = None) -> list[tuple[int, IntArray]]:
    """Objects in an order, each with its later neighbours once those before it are gone.

    Whoever goes joins all neighbours it leaves. Without an order the one with the fewest
    neighbours goes next, so that few pairs are joined.
    """
    left = near.copy()
    degree = left.sum(axis=1).astype(np.float64)
    gone = []
    for step in range(len(left)):
        i = int(np.argmin(degree)) if order is None else order[step]
        later = np.flatnonzero(left[i])
        gone.append((i, later))
        left[np.ix_(later, later)] = True
        left[later, later] = False
        left[:, i] = False
        degree[later] = left[later].sum(axis=1)
        degree[i] = np.inf
    return gone


def precision(
    square: FloatArray, gone: list[tuple[int, IntArray]], ridge: float
) -> tuple[FloatArray, list[Mixture]]:
    """(N, N) M M' for columns of M that tell each object by its later neighbours."""
    n = len(square)
    columns = np.zeros((n, n))
    mixtures = [mixture(square, i, later, ridge) for i, later in gone if later.size]
    for (i, later), told in zip(gone, mixtures, strict=False):
        strength = 1.0 / np.sqrt(max(told.left, LEAST_LEFT))
        columns[i, i] = strength
        columns[later, i] = -strength * told.weights
    return columns @ columns.T, mixtures


def _draw(asked: Asked) -> Drawn:
    graph = neighbour_graph(asked, USUAL_NEIGHBOURS)
    gone = elimination(graph.near)
    inverse, mixtures = precision(asked.square(), gone, asked.settings["ridge"])
    values, vectors = lowest(inverse, asked.n_components)
    likelihood = -0.5 * float(np.sum([np.log(max(m.left, LEAST_LEFT)) for m in mixtures]))
    remarks = (*graph.remarks, *told_of_impossible(mixtures, asked.n_objects))
    return Drawn(vectors / np.sqrt(values), likelihood, remarks=remarks, used=graph.used)


METHOD = Method(
    "acyclic_lle",
    "Acyclic LLE",
    "Tells each object by neighbours that come after it, so that nothing is told in a circle.",
    REGRESSION,
    DISTANCES,
    "Near distances mean something; far ones are what chance steps from neighbour to neighbour "
    "add up to.",
    "log-likelihood",
    _draw,
    (
        *graph_settings(USUAL_NEIGHBOURS),
        Setting(
            "ridge",
            "Ridge",
            "Steadies mixtures of more neighbours than there are dimensions.",
            lambda _n: RIDGE,
            most=1.0,
        ),
    ),
    lower_is_better=False,
    one_place=True,
    most_objects=MOST_OBJECTS,
)
