"""Locally linear embedding: each object between its neighbours (Roweis and Saul 2000)."""

from __future__ import annotations

import numpy as np

from cml_core.fitting.geodesics import neighbour_ranks
from cml_core.peers.graph import neighbour_graph, neighbours_setting
from cml_core.peers.local import mixture, told_of_impossible
from cml_core.peers.method import NEIGHBOURS, REGRESSION, Asked, Drawn, Method
from cml_core.peers.spectra import lowest

USUAL_NEIGHBOURS = 10
RIDGE = 1e-3


def _draw(asked: Asked) -> Drawn:
    graph = neighbour_graph(asked, USUAL_NEIGHBOURS)
    count = dict(graph.used).get("n_neighbors", asked.settings["n_neighbors"])
    n, square = asked.n_objects, asked.square()
    near = neighbour_ranks(square) <= min(count, n - 1)
    away = np.eye(n)
    mixtures = []
    for i in range(n):
        others = np.flatnonzero(near[i])
        mixtures.append(mixture(square, i, others, RIDGE))
        away[i, others] = -mixtures[-1].weights
    del square
    left = away.T @ away
    del away
    values, vectors = lowest(left, asked.n_components)
    remarks = (*graph.remarks, *told_of_impossible(mixtures, n))
    return Drawn(vectors, float(values.sum()), remarks=remarks, used=graph.used)


METHOD = Method(
    "lle",
    "LLE (locally linear embedding)",
    "Tells each object as a mixture of its neighbours and keeps the mixtures.",
    REGRESSION,
    NEIGHBOURS,
    "Neighbours mean something; objects far from the rest can squeeze all others together.",
    "squared errors of the mixtures",
    _draw,
    (neighbours_setting(USUAL_NEIGHBOURS),),
    one_place=True,
    keeps_unit=False,
)
