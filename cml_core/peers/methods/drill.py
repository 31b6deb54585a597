"""DRILL: a sparse Gaussian field over the neighbourhood graph (Lawrence 2012)."""

from __future__ import annotations

import numpy as np

from cml_core.errors import TooManyDimensions
from cml_core.peers.graph import graph_settings, neighbour_graph
from cml_core.peers.method import DISTANCES, REGRESSION, Asked, Drawn, Method, Step
from cml_core.peers.setting import Setting
from cml_core.peers.spectra import coordinates, double_centred, leading, products_of_distances
from cml_core.values.arrays import BoolArray, FloatArray
from cml_core.values.words import counted

USUAL_NEIGHBOURS = 10
MOST_OBJECTS = 300
MOST_SWEEPS, TOLERANCE = 1000, 1e-8
MOST_TURNS = 200
ROUNDING = 1e-9


def covariance(
    moments: FloatArray, near: BoolArray, penalty: float, asked: Asked | None = None
) -> tuple[FloatArray, bool, bool]:
    """The covariance whose inverse is zero between objects that are not joined.

    By regressing each object on its neighbours in turn (Friedman, Hastie and Tibshirani 2008),
    until nothing changes; whether that was reached, and whether it was stopped.
    """
    found = moments + penalty * np.eye(len(moments))
    neighbours = [np.flatnonzero(row) for row in near]
    size = float(np.abs(found).max())
    for sweep in range(MOST_SWEEPS):
        before = found.copy()
        for i, others in enumerate(neighbours):
            within = found[np.ix_(others, others)]
            slopes = _regressed(within, moments[others, i], penalty)
            own = found[i, i]
            found[:, i] = found[i] = found[:, others] @ slopes
            found[i, i] = own
        change = float(np.abs(found - before).max())
        if change < TOLERANCE * size:
            return found, True, False
        if not change < 1e3 * size:
            break
        if asked is not None and asked.on_step(Step(sweep + 1, MOST_SWEEPS, change / size)):
            return found, False, True
    return found, False, False


def _regressed(within: FloatArray, against: FloatArray, penalty: float) -> FloatArray:
    """Slopes on the neighbours; with a penalty on their sizes, by one of them at a time."""
    slopes = np.asarray(np.linalg.lstsq(within, against, rcond=None)[0], dtype=np.float64)
    if not penalty:
        return slopes
    for _ in range(MOST_TURNS):
        before = slopes.copy()
        for k in range(slopes.size):
            left = against[k] - within[k] @ slopes + within[k, k] * slopes[k]
            slopes[k] = np.sign(left) * max(abs(left) - penalty, 0.0) / within[k, k]
        if np.abs(slopes - before).max() < ROUNDING:
            break
    return slopes


def _draw(asked: Asked) -> Drawn:
    products = products_of_distances(asked.square())
    sizes, axes = np.linalg.eigh(products)
    rank = int((sizes > ROUNDING * sizes[-1]).sum())
    graph = neighbour_graph(asked, min(USUAL_NEIGHBOURS, max(rank - 1, 1)))
    count = dict(graph.used).get("n_neighbors", asked.settings["n_neighbors"]) or 0
    if rank <= count:
        raise TooManyDimensions(
            f"DRILL with {counted(count, 'neighbour')} needs data of more than "
            f"{counted(count, 'dimension')}; these have {rank}.",
            remedy="Take fewer neighbours, or another method, such as acyclic LLE.",
        )
    moments = (axes * np.maximum(sizes, 0.0)) @ axes.T
    penalty = asked.settings["penalty"] * float(np.trace(moments)) / asked.n_objects
    found, converged, stopped = covariance(moments, graph.near, penalty, asked)
    values, vectors = leading(double_centred(found), asked.n_components)
    shown = float(np.maximum(values[: asked.n_components], 0).sum() / np.maximum(values, 0).sum())
    places = coordinates(values, vectors)
    return Drawn(places, shown, converged, stopped, graph.remarks, graph.used)


METHOD = Method(
    "drill",
    "DRILL",
    "Tells each object by all its neighbours at once, and draws what that says of all others.",
    REGRESSION,
    DISTANCES,
    "For teaching: it needs data of more dimensions than neighbours, and few objects.",
    "share of the spread that is shown",
    _draw,
    (
        *graph_settings(USUAL_NEIGHBOURS),
        Setting(
            "penalty",
            "Penalty",
            "Lets weak links vanish; in units of the mean squared distance from the centre.",
            lambda _n: 0.0,
            most=1.0,
        ),
    ),
    lower_is_better=False,
    one_place=True,
    most_objects=MOST_OBJECTS,
)
