"""Maximum entropy unfolding: springs as strong as neighbours need them (Lawrence 2012)."""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg
from scipy.optimize import minimize

from cml_core.peers.graph import graph_settings, neighbour_graph
from cml_core.peers.method import DISTANCES, MOST_ENTROPY, Asked, Drawn, Method, Step
from cml_core.peers.spectra import coordinates, double_centred, leading
from cml_core.values.arrays import BoolArray, FloatArray
from cml_core.values.words import counted

USUAL_NEIGHBOURS = 10
MOST_OBJECTS = 1500
MOST_STEPS = 1000
# Distances of neighbours that are held may be off by this share of their square.
TOLERANCE = 1e-4
MEMORY = 20


class Springs(NamedTuple):
    """Springs between neighbours.

    Parameters
    ----------
    shares : (E,) strength times squared dissimilarity, of the pairs i < j that are joined.
    covariance : (N, N) of the places that they let objects take.
    log_likelihood : of the places, for one column of measurements.
    """

    shares: FloatArray
    covariance: FloatArray
    log_likelihood: float
    converged: bool
    stopped: bool


class _Entropy:
    """½ log|L| - ½ Σ λδ², turned round, by the shares λδ² of the springs."""

    def __init__(self, square: FloatArray, near: BoolArray, base: float) -> None:
        self.n, self.base = len(square), base
        self.first, self.second = np.nonzero(np.triu(near, 1))
        self.squares = square[self.first, self.second] ** 2

    def covariance(self, shares: FloatArray) -> tuple[FloatArray, float]:
        """Of the places that the springs let objects take, and the log-determinant of L."""
        strengths = shares / self.squares
        matrix = np.zeros((self.n, self.n))
        matrix[self.first, self.second] = matrix[self.second, self.first] = -strengths
        np.fill_diagonal(matrix, self.base - matrix.sum(axis=0))
        # Where nothing holds the centre, L is zero along it; this makes it one.
        matrix += 0.0 if self.base else 1.0 / self.n
        factor, failed = linalg.lapack.dpotrf(matrix, lower=1)
        if failed:
            return matrix, -np.inf
        inverse, _ = linalg.lapack.dpotri(factor, lower=1)
        return inverse, 2.0 * float(np.log(factor.diagonal()).sum())

    def expected(self, inverse: FloatArray) -> FloatArray:
        """(E,) squared distances over those of the data; the lower triangle is read."""
        own = inverse.diagonal()
        apart = own[self.first] + own[self.second] - 2.0 * inverse[self.second, self.first]
        shares: FloatArray = apart / self.squares
        return shares

    def __call__(self, shares: FloatArray) -> tuple[float, FloatArray]:
        inverse, log_determinant = self.covariance(shares)
        if np.isinf(log_determinant):
            return np.finfo(float).max, np.zeros(shares.size)
        value = 0.5 * (float(shares.sum()) - log_determinant)
        return value, 0.5 * (1.0 - self.expected(inverse))


def maximum_entropy(
    square: FloatArray, near: BoolArray, asked: Asked | None = None, *, base: float = 0.0
) -> Springs:
    """The springs with which the distances of neighbours are those of the data.

    Maximises ½ log|L| - ½ Σ λδ² over strengths λ ≥ 0, L being their Laplacian: at the maximum no
    neighbour is expected farther away than the data have it, and the shares λδ² add up to N - 1.

    Parameters
    ----------
    base : springs of this strength hold all objects to the centre; 0 leaves them free to drift.
    """
    entropy = _Entropy(square, near, base)
    done, stopped = count(1), False

    def told(intermediate_result: Any) -> None:
        nonlocal stopped
        step = Step(next(done), MOST_STEPS, -float(intermediate_result.fun))
        if asked is not None and asked.on_step(step):
            stopped = True
            raise StopIteration

    edges = entropy.squares.size
    result = minimize(
        entropy,
        np.full(edges, (len(square) - 1) / edges),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * edges,
        callback=told,
        options={"maxiter": MOST_STEPS, "ftol": 0.0, "gtol": 1e-9, "maxcor": MEMORY},
    )
    shares = np.asarray(result.x)
    inverse, log_determinant = entropy.covariance(shares)
    lower = np.tril(inverse)
    return Springs(
        shares=shares,
        covariance=lower + np.tril(lower, -1).T,
        log_likelihood=0.5 * (log_determinant - float(shares.sum())),
        converged=bool(np.abs(entropy.expected(inverse)[shares > 0] - 1.0).max() < TOLERANCE),
        stopped=stopped,
    )


def _draw(asked: Asked) -> Drawn:
    graph = neighbour_graph(asked, USUAL_NEIGHBOURS)
    springs = maximum_entropy(asked.square(), graph.near, asked)
    values, vectors = leading(double_centred(springs.covariance), asked.n_components)
    idle = int((springs.shares == 0).sum())
    told = (f"{counted(idle, 'pair')} of neighbours needed no spring.",) if idle else ()
    return Drawn(
        coordinates(values, vectors),
        springs.log_likelihood,
        springs.converged,
        springs.stopped,
        (*graph.remarks, *told),
        graph.used,
    )


METHOD = Method(
    "meu",
    "MEU (maximum entropy unfolding)",
    "Supposes nothing of all places but how far neighbours are from each other.",
    MOST_ENTROPY,
    DISTANCES,
    "Distances between neighbours are as they should be; far ones are what chance steps from "
    "neighbour to neighbour add up to.",
    "log-likelihood",
    _draw,
    graph_settings(USUAL_NEIGHBOURS),
    lower_is_better=False,
    one_place=True,
    most_objects=MOST_OBJECTS,
)
