"""The published updates, as they are printed: H, C and what follows of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist, squareform

from cml_core.values.arrays import FloatArray


class Problem(NamedTuple):
    """One problem in the papers' letters, square tables and all."""

    delta: FloatArray
    weights: FloatArray
    V: FloatArray

    @property
    def laplacian(self) -> FloatArray:
        """(9) of the paper of 2021, (5) of the later one."""
        return np.diag(self.weights.sum(axis=1)) - self.weights


def drawn(random: np.random.Generator, n: int = 12, q: int = 2, *, unit: bool = False) -> Problem:
    """A problem with nothing special about it."""
    pairs = n * (n - 1) // 2
    weights = np.ones(pairs) if unit else random.uniform(0.2, 2.0, pairs)
    return Problem(
        squareform(random.uniform(0.2, 2.0, pairs)),
        squareform(weights),
        random.standard_normal((n, q)),
    )


def distances(problem: Problem, U: FloatArray, B: FloatArray) -> FloatArray:
    """Of (3), the d."""
    return squareform(pdist(np.hstack([U, problem.V @ B])))


def stress(problem: Problem, U: FloatArray, B: FloatArray) -> float:
    """The conditional stress (4), not normalised."""
    apart = distances(problem, U, B)
    return float(0.5 * (problem.weights * (problem.delta - apart) ** 2).sum())


def pull(problem: Problem, U: FloatArray, B: FloatArray, sign: float = -1.0) -> FloatArray:
    """The C of (13); `sign` 1 sets c_ii to the sum of the others, as is printed."""
    apart = distances(problem, U, B)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(apart > 0, -problem.weights * problem.delta / apart, 0.0)
    np.fill_diagonal(found, 0.0)
    return found + np.diag(sign * found.sum(axis=1))


def general(
    problem: Problem, U: FloatArray, B: FloatArray, sign: float = -1.0
) -> tuple[FloatArray, FloatArray]:
    """(15) and (16)."""
    drawn_by = pull(problem, U, B, sign)
    G = problem.V.T @ problem.laplacian @ problem.V
    return (
        np.linalg.pinv(problem.laplacian) @ drawn_by @ U,
        np.linalg.pinv(G) @ problem.V.T @ drawn_by @ problem.V @ B,
    )


def unit_weights(problem: Problem, U: FloatArray, B: FloatArray) -> FloatArray:
    """(17): U where every pair counts once."""
    found: FloatArray = pull(problem, U, B) @ U / len(U)
    return found


def diagonal(problem: Problem, U: FloatArray, b: FloatArray) -> FloatArray:
    """(21): the diagonal of B."""
    T = problem.V.T @ pull(problem, U, np.diag(b)) @ problem.V
    G = problem.V.T @ problem.laplacian @ problem.V
    return np.diag(T) / np.diag(G) * b


def majoriser(
    problem: Problem,
    U: FloatArray,
    B: FloatArray,
    Z: tuple[FloatArray, FloatArray],
    at: tuple[FloatArray, FloatArray] | None = None,
) -> float:
    """τ(U, B, Z) of (14), with C taken at Z, or elsewhere."""
    H, V, drawn_by = problem.laplacian, problem.V, pull(problem, *(at or Z))
    constant = 0.5 * (problem.weights * problem.delta**2).sum()
    size = np.trace(U.T @ H @ U) + np.trace(B.T @ V.T @ H @ V @ B)
    cross = np.trace(U.T @ drawn_by @ Z[0]) + np.trace(B.T @ V.T @ drawn_by @ V @ Z[1])
    return float(constant + size - 2 * cross)
