"""The closed form of Bui (2022): B by regression on squared differences, U by eigenvectors.

It is a method of its own and the best single start for a descent. As a start it is taken
on standardised features, so that their units do not matter, and with no coefficient at
zero, where a descent could never move it.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import eigsh

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.gaps import filled_square
from cml_core.fitting.solvers import run
from cml_core.fitting.solvers.objective import Objective, normalised_stress
from cml_core.fitting.solvers.run import Run, Watch
from cml_core.fitting.solvers.solver import Solver, Start, StoppingRule
from cml_core.values.arrays import FloatArray

DENSE_EIGENVECTORS_UP_TO = 300
# A direction of the features with less than this share of the largest spread is rounding error.
SPREADLESS = 1e-11


def closed_form(
    dissimilarities: FloatArray,
    known_values: FloatArray,
    n_components: int,
    diagonal: bool,
    floor: float,
    given: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """U (N x p) and B (q x q) without iterating.

    Parameters
    ----------
    dissimilarities : (N, N) without gaps.
    known_values : (N, q) features in the units B is wanted in.
    diagonal : whether B is diagonal; then the features are not whitened.
    floor : the least squared amplitude, as a share of the largest.
    given : B, where it is not to be found.
    """
    q = known_values.shape[1]
    squares = dissimilarities**2
    centred = known_values - known_values.mean(axis=0) if q else known_values
    if given is None:
        whitening = np.eye(q) if diagonal else _whitening(centred)
        coef: FloatArray = whitening * np.sqrt(_amplitudes(squares, centred @ whitening, floor))
    else:
        coef = given
    # Gower's scalar products of classical scaling, less those that the known places make.
    scalar_products = _double_centred(-0.5 * squares)
    located = centred @ coef
    scalar_products -= located @ located.T
    return leading_coordinates(scalar_products, n_components), coef


def _whitening(centred: FloatArray) -> FloatArray:
    """The symmetric inverse square root of the covariance; directions without spread drop out."""
    n, q = centred.shape
    if not q:
        return np.zeros((0, 0))
    _, sizes, directions = np.linalg.svd(centred / np.sqrt(n - 1), full_matrices=False)
    kept = sizes > SPREADLESS * sizes[0]
    # Of the singular values of V, not of the eigenvalues of V'V, which lose half the digits.
    inverse_root: FloatArray = (directions[kept].T / sizes[kept]) @ directions[kept]
    return inverse_root


def _amplitudes(squares: FloatArray, columns: FloatArray, floor: float) -> FloatArray:
    """Regress squared dissimilarities on squared differences of each column.

    The sums over pairs are sums over objects: with s = v^2, (v_i - v_j)^2 = s_i + s_j - 2 v_i v_j.
    """
    n, q = columns.shape
    if not q:
        return np.empty(0)
    moments = _squared_difference_moments(columns)
    row_totals = squares.sum(axis=0)
    against = np.array([v**2 @ row_totals - v @ squares @ v for v in columns.T])
    pairs = n * (n - 1) / 2
    sums = np.array([n * (v @ v) - v.sum() ** 2 for v in columns.T])
    total = squares.sum() / 2
    # Centred moments, hence a regression with an intercept: what is hidden adds to the squares as
    # well, and without one the features would have to account for it.
    gram = moments - np.outer(sums, sums) / pairs
    slopes = linalg.lstsq(gram, against - sums * total / pairs)[0]
    largest = max(float(slopes.max()), 0.0)
    # Where every slope is below zero a start still needs some amplitude: what all the columns
    # together would need to make the sum of squares.
    if largest == 0.0 and floor > 0.0:
        largest = total / max(float(sums.sum()), 1e-300)
    clipped: FloatArray = np.maximum(slopes, floor * largest)
    return clipped


def _squared_difference_moments(columns: FloatArray) -> FloatArray:
    """The sums over pairs of (a_i - a_j)^2 (b_i - b_j)^2 for all columns a, b."""
    n = columns.shape[0]
    s = columns**2
    cross = s.T @ s
    total_s, total = s.sum(axis=0), columns.sum(axis=0)
    mixed = s.T @ columns
    products = columns.T @ columns
    both = n * cross + np.outer(total_s, total_s)
    both -= 2 * mixed * total[None, :] + 2 * mixed.T * total[:, None]
    moments: FloatArray = both + 2 * products**2
    return moments


def _double_centred(matrix: FloatArray) -> FloatArray:
    centred: FloatArray = matrix - matrix.mean(axis=0)
    centred -= centred.mean(axis=1, keepdims=True)
    return centred


def leading_coordinates(scalar_products: FloatArray, n_components: int) -> FloatArray:
    """The best rank-`n_components` factor of a symmetric matrix; zero where it is not positive."""
    n = scalar_products.shape[0]
    if n_components == 0:
        return np.zeros((n, 0))
    if n <= DENSE_EIGENVECTORS_UP_TO or n_components >= n - 1:
        values, vectors = np.linalg.eigh(scalar_products)
    else:
        # ARPACK would begin at random, and give another sign and last digit every time.
        values, vectors = eigsh(scalar_products, k=n_components, which="LA", v0=scalar_products[0])
    order = np.argsort(values)[::-1][:n_components]
    coordinates: FloatArray = vectors[:, order] * np.sqrt(np.maximum(values[order], 0.0))
    return coordinates


def _without_iterating(
    objective: Objective, start: Start, _rule: StoppingRule, _watch: Watch | None
) -> Run:
    """The published closed form, on features as they are; their units matter to it."""
    columns = objective.columns
    known_values = columns.restored(np.zeros(int(columns.missing.sum())))
    square = filled_square(objective.delta, start.missing, objective.n_objects)
    embedding, coef = closed_form(
        square, known_values, objective.n_components, objective.diagonal, 0.0, objective.given
    )
    found = Configuration(embedding, coef, known_values)
    stress = normalised_stress(objective, embedding, found.known_places)
    return Run(found, np.array([stress]), run.IN_CLOSED_FORM)


SOLVER = Solver(
    "closed_form", _without_iterating, most_starts=0, as_it_ended=True, many_threads=True
)
