"""Eigenvectors as coordinates."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from cml_core.fitting.solvers.closed_form import (
    DENSE_EIGENVECTORS_UP_TO,
    leading_coordinates,
)
from cml_core.values.arrays import FloatArray

# Up to here all eigenvalues are found, and it can be told how much of a matrix is negative.
ALL_EIGENVALUES_UP_TO = 500
# Linear algebra on other threads differs in the last digits; another picture may grow from that.
DIGITS_OF_A_START = 9
# A shift that leaves a matrix invertible, as a share of its mean eigenvalue.
NEARLY_ZERO = 1e-9
# Below this share of the largest an eigenvalue is rounding.
ROUNDING = 1e-10


def scalar_products(squares: FloatArray) -> FloatArray:
    """-½ J squares J, for squared dissimilarities (N, N)."""
    products = -0.5 * squares
    centre(products)
    return products


def products_of_distances(distances: FloatArray) -> FloatArray:
    """The same for dissimilarities, written in their place: tables of many objects are large."""
    distances *= distances
    distances *= -0.5
    centre(distances)
    return distances


def double_centred(matrix: FloatArray) -> FloatArray:
    """J matrix J for a symmetric matrix: rows and columns add up to zero."""
    centred = matrix.copy()
    centre(centred)
    return centred


def centre(matrix: FloatArray) -> None:
    """The same in its place."""
    means = matrix.mean(axis=0)
    matrix -= means
    matrix -= means[:, None]
    matrix += means.mean()


def bell_curve(square: FloatArray, width: float) -> FloatArray:
    """exp(-½ (δ / width)²), written in the place of the dissimilarities."""
    square /= width
    square *= square
    square *= -0.5
    np.exp(square, out=square)
    return square


def leading(matrix: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """The largest eigenvalues, falling, and their vectors; all values where N is not too large."""
    n = matrix.shape[0]
    if n > DENSE_EIGENVECTORS_UP_TO and count < n - 1:
        # ARPACK would begin at random, and give another last digit every time.
        found = _few(matrix, k=count, which="LA", v0=matrix[0])
        if found is not None:
            values, vectors = found
            if n <= ALL_EIGENVALUES_UP_TO:
                values = np.asarray(np.linalg.eigvalsh(matrix), dtype=np.float64)
            return values[::-1], vectors[:, ::-1]
    values, vectors = linalg.eigh(matrix)
    return values[::-1], vectors[:, ::-1][:, :count]


def lowest(matrix: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """The `count` lowest eigenvalues but for the first, rising, and their vectors.

    Parameters
    ----------
    matrix : symmetric, without negative eigenvalues, whose lowest is zero; it is used up.
    """
    n = matrix.shape[0]
    if n <= DENSE_EIGENVECTORS_UP_TO or count >= n - 2:
        values, vectors = linalg.eigh(matrix, subset_by_index=(1, count))
        return values, vectors
    # By inverse iteration, in a half to a fifth of the time; a constant start would miss all but
    # the lowest.
    below = -NEARLY_ZERO * float(np.trace(matrix)) / n
    matrix[np.diag_indices_from(matrix)] -= below
    # Its columns are its rows; so the factors take its place, which ARPACK's own would not.
    solve = partial(linalg.lu_solve, linalg.lu_factor(matrix.T, overwrite_a=True))
    inverse = LinearOperator(matrix.shape, matvec=solve, dtype=np.float64)
    start = np.cos(np.arange(n))
    found = _few(inverse, k=count + 1, which="LM", v0=start, sigma=below, OPinv=inverse)
    if found is not None:
        return found[0][1:], found[1][:, 1:]
    values, vectors = linalg.eigh(solve(np.eye(n)), subset_by_index=(n - 1 - count, n - 2))
    return below + 1.0 / values[::-1], vectors[:, ::-1]


def _few(
    matrix: FloatArray | LinearOperator, **options: Any
) -> tuple[FloatArray, FloatArray] | None:
    """A few eigenvalues, rising, and their vectors; None where iterations do not converge."""
    try:
        values, vectors = eigsh(matrix, **options)
    except ArpackNoConvergence:
        return None
    order = np.argsort(values)
    return values[order], vectors[:, order]


def coordinates(values: FloatArray, vectors: FloatArray) -> FloatArray:
    """Places with the scalar products of the leading eigenvectors; negative ones are left out."""
    places: FloatArray = vectors * np.sqrt(np.maximum(values[: vectors.shape[1]], 0.0))
    return places


def negative_share(values: FloatArray) -> float:
    """The share of all eigenvalues, by size, that is negative beyond rounding; NaN if not known."""
    size = float(np.abs(values).max())
    real = values[np.abs(values) > ROUNDING * size]
    return float(-real[real < 0].sum() / np.abs(real).sum())


def signed(places: FloatArray) -> FloatArray:
    """Each axis pointing to where its entry farthest from the centre lies."""
    farthest = np.abs(places).argmax(axis=0)
    signs = np.sign(places[farthest, np.arange(places.shape[1])])
    turned: FloatArray = places * np.where(signs == 0, 1.0, signs)
    return turned


def classical_start(square: FloatArray, n_components: int) -> FloatArray:
    """Classical scaling of dissimilarities of mean one, without the last digits.

    Parameters
    ----------
    square : (N, N); it is used up.
    """
    return as_start(leading_coordinates(products_of_distances(square), n_components))


def as_start(places: FloatArray) -> FloatArray:
    """Places to start from: without the last digits, in which threads differ."""
    start: FloatArray = np.round(signed(places), DIGITS_OF_A_START)
    return start
