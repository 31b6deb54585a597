"""UMAP: the nearest neighbours as springs, everyone else pushed away (McInnes et al. 2018)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.optimize import curve_fit
from scipy.sparse import csr_array

from cml_core.fitting.geodesics import pieces
from cml_core.fitting.geometry import principal_axes
from cml_core.peers.fuzzy_neighbours import cross_entropy, layout, memberships
from cml_core.peers.graph import neighbours_setting
from cml_core.peers.method import ONLY_NEIGHBOURS, PROBABILITIES, Asked, Drawn, Method, Step
from cml_core.peers.methods.laplacian import vibrations
from cml_core.peers.setting import Setting, at_most_half
from cml_core.peers.spectra import as_start, classical_start
from cml_core.values.arrays import FloatArray, IntArray

USUAL_NEIGHBOURS = 15
# Of as few objects, more epochs; the numbers are those of umap-learn.
EPOCHS, EPOCHS_OF_MANY, MANY = 500, 200, 10_000
WIDTH, JITTER = 10.0, 1e-4
# So many epochs between two reports.
AT_A_TIME = 10


def fuzzy_graph(square: FloatArray, n_neighbors: int) -> csr_array:
    """(N, N) how surely two objects are neighbours, by either of them; row after row.

    Parameters
    ----------
    n_neighbors : counts the object itself, as umap-learn does.
    """
    n, k = len(square), min(n_neighbors, len(square))
    nearest = np.array([_nearest(row, i, k) for i, row in enumerate(square)])
    near = np.ascontiguousarray(np.take_along_axis(square, nearest, axis=1))
    del square
    sure = np.zeros((n, k))
    memberships(near, float(near.mean()), sure)
    # Each object's nearest is itself.
    sure[:, 0] = 0.0
    rows = np.arange(0, n * k + 1, k)
    one_way = csr_array((sure.ravel(), nearest.ravel(), rows), shape=(n, n))
    graph = csr_array(one_way + one_way.T - one_way * one_way.T)
    graph.eliminate_zeros()
    graph.sort_indices()
    return graph


def _nearest(row: FloatArray, own: int, count: int) -> IntArray:
    """Places of the nearest, the object's own first."""
    nearness = row.copy()
    nearness[own] = -1.0
    return np.argsort(nearness, kind="stable")[:count].copy()


@lru_cache
def curve(min_dist: float, spread: float = 1.0) -> tuple[float, float]:
    """A and b of 1 / (1 + a d^2b), nearest to 1 up to `min_dist` and falling from there."""
    distance = np.linspace(0.0, 3.0 * spread, 300)
    wanted = np.where(distance < min_dist, 1.0, np.exp(-(distance - min_dist) / spread))
    (a, b), _ = curve_fit(lambda d, a, b: 1.0 / (1.0 + a * d ** (2 * b)), distance, wanted)
    return float(a), float(b)


def _draw(asked: Asked) -> Drawn:
    n = asked.n_objects
    count = asked.settings["n_neighbors"] or at_most_half(USUAL_NEIGHBOURS)(n)
    graph = fuzzy_graph(asked.square(), count)
    a, b = curve(asked.settings["min_dist"])
    epochs = EPOCHS if n <= MANY else EPOCHS_OF_MANY
    y = _start(asked, graph)
    drawn = graph.data >= graph.max() / epochs
    heads, tails = (ends[drawn].astype(np.intp) for ends in graph.nonzero())
    every = graph.max() / graph.data[drawn]
    due, due_push = every.copy(), every / 5.0
    state, stopped, done = 1 + asked.seed % 2**30, False, 0
    while done < epochs and not stopped:
        last = min(done + AT_A_TIME, epochs)
        state = layout(y, heads, tails, every, due, due_push, a, b, done, last, epochs, state)
        done = last
        stopped = done < epochs and asked.on_step(Step(done, epochs, np.nan, y))
    objective = cross_entropy(y, graph.toarray(), a, b)
    used = (("n_neighbors", count),)
    return Drawn(principal_axes(y), objective, not stopped, stopped, used=used)


def _start(asked: Asked, graph: csr_array) -> FloatArray:
    """Slow vibrations of the springs, or classical scaling where the graph is in pieces."""
    random = np.random.default_rng(asked.seed)
    m = asked.n_components
    if pieces((graph > 0).toarray()).any():
        places = classical_start(asked.square(), m)
    else:
        places = as_start(vibrations(graph.toarray(), m)[1])
    places = places * (WIDTH / np.abs(places).max()) + JITTER * random.normal(size=places.shape)
    low, high = places.min(axis=0), places.max(axis=0)
    start: FloatArray = np.ascontiguousarray(WIDTH * (places - low) / (high - low))
    return start


METHOD = Method(
    "umap",
    "UMAP",
    "Draws the nearest neighbours of each object near it and pushes all others away.",
    PROBABILITIES,
    ONLY_NEIGHBOURS,
    "Who is next to whom means something; sizes of groups and distances between them do not.",
    "cross-entropy of who are neighbours",
    _draw,
    (
        neighbours_setting(USUAL_NEIGHBOURS),
        Setting(
            "min_dist",
            "Least distance",
            "How near to each other objects may be drawn: small makes tight groups.",
            lambda _n: 0.1,
            least=0.0,
            most=1.0,
        ),
    ),
    at_first=True,
    by_chance=True,
    keeps_unit=False,
    lesson="crowding",
)
