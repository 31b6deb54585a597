"""Laplacian eigenmaps: neighbours as springs, at rest (Belkin and Niyogi 2003)."""

from __future__ import annotations

import numpy as np

from cml_core.peers.graph import graph_settings, neighbour_graph
from cml_core.peers.method import NEIGHBOURS, SPRINGS, Asked, Drawn, Method
from cml_core.peers.setting import Setting
from cml_core.peers.spectra import bell_curve, lowest
from cml_core.values.arrays import FloatArray

USUAL_NEIGHBOURS = 10
GAUSSIAN, CONSTANT = "gaussian", "constant"


def vibrations(weights: FloatArray, n_components: int) -> tuple[FloatArray, FloatArray]:
    """The lowest eigenvalues of the normalised Laplacian, and their vectors.

    Parameters
    ----------
    weights : (N, N) strengths of the springs, in one piece; they are used up.
    """
    shrink = 1.0 / np.sqrt(weights.sum(axis=1))
    weights *= shrink[:, None]
    weights *= -shrink
    weights[np.diag_indices_from(weights)] += 1.0
    return lowest(weights, n_components)


def _draw(asked: Asked) -> Drawn:
    graph = neighbour_graph(asked, USUAL_NEIGHBOURS)
    if asked.settings["springs"] == GAUSSIAN:
        square = asked.square()
        weights = bell_curve(square, float(np.median(square[graph.near])) or 1.0)
        weights *= graph.near
    else:
        weights = graph.near.astype(np.float64)
    strengths = weights.sum(axis=1, keepdims=True)
    values, vectors = vibrations(weights, asked.n_components)
    places = vectors / np.sqrt(strengths)
    return Drawn(places, float(values.sum()), remarks=graph.remarks, used=graph.used)


METHOD = Method(
    "laplacian",
    "Laplacian eigenmaps",
    "Joins neighbours by springs and draws where these come to rest.",
    SPRINGS,
    NEIGHBOURS,
    "Neighbours mean something; what hangs together loosely is drawn far too far away.",
    "tension of the springs",
    _draw,
    (
        *graph_settings(USUAL_NEIGHBOURS),
        Setting(
            "springs",
            "Springs",
            "“gaussian” is weaker between neighbours that are less alike; “constant” is not.",
            lambda _n: GAUSSIAN,
            choices=(GAUSSIAN, CONSTANT),
        ),
    ),
    keeps_unit=False,
)
