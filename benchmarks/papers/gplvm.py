"""How well places tell measurements: the likelihood of a Gaussian process from one to the other."""

from __future__ import annotations

import numpy as np
from scipy import linalg
from scipy.optimize import minimize
from scipy.spatial.distance import pdist, squareform

from cml_core.values.arrays import FloatArray

# Logarithms of: one over the squared width, the variances of the signal, of the mean and of noise.
STARTS = ((0.0, 0.0, -2.0, -4.0), (-1.5, 0.0, -2.0, -2.0), (1.5, 0.0, -2.0, -4.0))
BOUNDS = ((-8.0, 8.0), (-10.0, 10.0), (-14.0, 6.0), (-14.0, 4.0))


def log_likelihood(places: FloatArray, measured: FloatArray) -> float:
    """Of the measurements, given places whose axes are made to have variance one.

    The parameters of the kernel, a bell curve with a constant and noise, are the best (Harmeling
    2007; Lawrence 2012).

    Parameters
    ----------
    measured : (N, columns), columns centred.
    """
    spread = places.std(axis=0)
    square = squareform(pdist(places / np.where(spread > 0, spread, 1.0), "sqeuclidean"))
    inner, columns = measured @ measured.T, measured.shape[1]
    ends = [
        minimize(
            _cost,
            start,
            args=(square, inner, columns),
            jac=True,
            method="L-BFGS-B",
            bounds=BOUNDS,
        ).fun
        for start in STARTS
    ]
    return -float(min(ends))


def _cost(
    logarithms: FloatArray, square: FloatArray, inner: FloatArray, columns: int
) -> tuple[float, FloatArray]:
    """The negative log-likelihood and its gradient by the logarithms."""
    rate, signal, constant, noise = np.exp(logarithms)
    n = len(square)
    bell = signal * np.exp(-0.5 * rate * square)
    kernel = bell + constant + noise * np.eye(n)
    factor = linalg.cholesky(kernel, lower=True, check_finite=False)
    inverse = linalg.cho_solve((factor, True), np.eye(n), check_finite=False)
    told = inverse @ inner
    determinant = 2.0 * np.log(np.diag(factor)).sum()
    value = 0.5 * (columns * (determinant + n * np.log(2 * np.pi)) + np.trace(told))
    slope = 0.5 * (columns * inverse - told @ inverse)
    gradient = np.array(
        [
            (slope * (-0.5 * rate * square * bell)).sum(),
            (slope * bell).sum(),
            constant * slope.sum(),
            noise * np.trace(slope),
        ]
    )
    return float(value), gradient
