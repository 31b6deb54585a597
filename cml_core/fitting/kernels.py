"""Compiled inner loops: arrays in, arrays out.

Configurations are stored one dimension after another, ``X[k, i]``; dissimilarities and
weights are condensed, row after row of the upper triangle. Equation numbers are those of
Bui (2021), "Conditional Manifold Learning", the first version, here and in all solvers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.values.compiling import compiled

# Far below any squared distance that matters where dissimilarities are of order one; it
# turns the 0/0 of coincident objects into the 0 that (13) asks for.
COINCIDENT = 1e-30


def stored_rows(dimensions: int) -> int:
    """How many rows a configuration is stored in: padded with zeros to 4 or to 7.

    The loops for 4, 7 and 8 dimensions are unrolled by hand: LLVM vectorises over pairs only
    where the differences of a pair stay in registers. How many times as fast as the loop over
    dimensions a sweep was, in double and in single precision (AMD EPYC, 2.6 GHz, AVX-512):

    | dimensions, rows | N = 200  | N = 1000 | N = 3000 |
    | ---------------- | -------- | -------- | -------- |
    | 4, 4             | 1.4, 1.1 | 1.9, 1.6 | 1.8, 1.6 |
    | 6, 7             | 0.9, 0.8 | 1.3, 1.2 | 1.5, 1.4 |
    | 7, 7             | 0.9, 1.0 | 1.5, 1.3 | 1.7, 1.6 |
    | 8, 8             | 0.9, 0.9 | 1.4, 1.3 | 1.5, 1.6 |
    """
    return 4 if dimensions <= 4 else max(7, dimensions)


def constants(unit: float, dtype: Any) -> Any:
    """The scale of the dissimilarities, one, and nearly nothing, in the precision of X.

    They travel as an array because a literal would promote single precision to double.
    """
    return np.array([unit, 1.0, COINCIDENT], dtype=dtype)


@compiled(fast=True)
def _row_of_4(X: Any, G: Any, i: int, delta: Any, w: Any, constant: Any) -> Any:
    unit, one, tiny = constant[0], constant[1], constant[2]
    x0, x1, x2, x3 = X[0, i], X[1, i], X[2, i], X[3, i]
    X0, X1, X2, X3 = X[0, i + 1 :], X[1, i + 1 :], X[2, i + 1 :], X[3, i + 1 :]
    G0, G1, G2, G3 = G[0, i + 1 :], G[1, i + 1 :], G[2, i + 1 :], G[3, i + 1 :]
    # Zero in the precision of X: a literal 0.0 would promote the sums to double, and every
    # operation with them.
    s = g0 = g1 = g2 = g3 = one - one
    for j in range(X0.size):
        t0, t1, t2, t3 = x0 - X0[j], x1 - X1[j], x2 - X2[j], x3 - X3[j]
        # Of differences, never as |x|^2 + |y|^2 - 2xy: near objects would lose all their digits.
        d2 = tiny + t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3
        # One root and one division serve the distance, d2 * inverse, and the quotient of (13).
        inverse = one / np.sqrt(d2)
        target = delta[j] * unit
        error = d2 * inverse - target
        s += w[j] * error * error
        c = w[j] * (one - target * inverse)
        t0, t1, t2, t3 = c * t0, c * t1, c * t2, c * t3
        g0, g1, g2, g3 = g0 + t0, g1 + t1, g2 + t2, g3 + t3
        G0[j] -= t0
        G1[j] -= t1
        G2[j] -= t2
        G3[j] -= t3
    G[0, i] += g0
    G[1, i] += g1
    G[2, i] += g2
    G[3, i] += g3
    return s


@compiled(fast=True)
def _row_of_7(X: Any, G: Any, i: int, delta: Any, w: Any, constant: Any) -> Any:
    unit, one, tiny = constant[0], constant[1], constant[2]
    x0, x1, x2, x3 = X[0, i], X[1, i], X[2, i], X[3, i]
    x4, x5, x6 = X[4, i], X[5, i], X[6, i]
    X0, X1, X2, X3 = X[0, i + 1 :], X[1, i + 1 :], X[2, i + 1 :], X[3, i + 1 :]
    X4, X5, X6 = X[4, i + 1 :], X[5, i + 1 :], X[6, i + 1 :]
    G0, G1, G2, G3 = G[0, i + 1 :], G[1, i + 1 :], G[2, i + 1 :], G[3, i + 1 :]
    G4, G5, G6 = G[4, i + 1 :], G[5, i + 1 :], G[6, i + 1 :]
    s = g0 = g1 = g2 = g3 = g4 = g5 = g6 = one - one
    for j in range(X0.size):
        t0, t1, t2, t3 = x0 - X0[j], x1 - X1[j], x2 - X2[j], x3 - X3[j]
        t4, t5, t6 = x4 - X4[j], x5 - X5[j], x6 - X6[j]
        d2 = tiny + t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3
        d2 += t4 * t4 + t5 * t5 + t6 * t6
        inverse = one / np.sqrt(d2)
        target = delta[j] * unit
        error = d2 * inverse - target
        s += w[j] * error * error
        c = w[j] * (one - target * inverse)
        t0, t1, t2, t3 = c * t0, c * t1, c * t2, c * t3
        t4, t5, t6 = c * t4, c * t5, c * t6
        g0, g1, g2, g3 = g0 + t0, g1 + t1, g2 + t2, g3 + t3
        g4, g5, g6 = g4 + t4, g5 + t5, g6 + t6
        G0[j] -= t0
        G1[j] -= t1
        G2[j] -= t2
        G3[j] -= t3
        G4[j] -= t4
        G5[j] -= t5
        G6[j] -= t6
    G[0, i] += g0
    G[1, i] += g1
    G[2, i] += g2
    G[3, i] += g3
    G[4, i] += g4
    G[5, i] += g5
    G[6, i] += g6
    return s


@compiled(fast=True)
def _row_of_8(X: Any, G: Any, i: int, delta: Any, w: Any, constant: Any) -> Any:
    unit, one, tiny = constant[0], constant[1], constant[2]
    x0, x1, x2, x3 = X[0, i], X[1, i], X[2, i], X[3, i]
    x4, x5, x6, x7 = X[4, i], X[5, i], X[6, i], X[7, i]
    X0, X1, X2, X3 = X[0, i + 1 :], X[1, i + 1 :], X[2, i + 1 :], X[3, i + 1 :]
    X4, X5, X6, X7 = X[4, i + 1 :], X[5, i + 1 :], X[6, i + 1 :], X[7, i + 1 :]
    G0, G1, G2, G3 = G[0, i + 1 :], G[1, i + 1 :], G[2, i + 1 :], G[3, i + 1 :]
    G4, G5, G6, G7 = G[4, i + 1 :], G[5, i + 1 :], G[6, i + 1 :], G[7, i + 1 :]
    s = g0 = g1 = g2 = g3 = g4 = g5 = g6 = g7 = one - one
    for j in range(X0.size):
        t0, t1, t2, t3 = x0 - X0[j], x1 - X1[j], x2 - X2[j], x3 - X3[j]
        t4, t5, t6, t7 = x4 - X4[j], x5 - X5[j], x6 - X6[j], x7 - X7[j]
        d2 = tiny + t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3
        d2 += t4 * t4 + t5 * t5 + t6 * t6 + t7 * t7
        inverse = one / np.sqrt(d2)
        target = delta[j] * unit
        error = d2 * inverse - target
        s += w[j] * error * error
        c = w[j] * (one - target * inverse)
        t0, t1, t2, t3 = c * t0, c * t1, c * t2, c * t3
        t4, t5, t6, t7 = c * t4, c * t5, c * t6, c * t7
        g0, g1, g2, g3 = g0 + t0, g1 + t1, g2 + t2, g3 + t3
        g4, g5, g6, g7 = g4 + t4, g5 + t5, g6 + t6, g7 + t7
        G0[j] -= t0
        G1[j] -= t1
        G2[j] -= t2
        G3[j] -= t3
        G4[j] -= t4
        G5[j] -= t5
        G6[j] -= t6
        G7[j] -= t7
    G[0, i] += g0
    G[1, i] += g1
    G[2, i] += g2
    G[3, i] += g3
    G[4, i] += g4
    G[5, i] += g5
    G[6, i] += g6
    G[7, i] += g7
    return s


@compiled(fast=True)
def _row_of_many(X: Any, G: Any, i: int, delta: Any, w: Any, constant: Any, scratch: Any) -> Any:
    unit, one, tiny = constant[0], constant[1], constant[2]
    n = X.shape[1] - i - 1
    d2 = scratch[:n]
    d2[:] = tiny
    for k in range(X.shape[0]):
        x, row = X[k, i], X[k, i + 1 :]
        for j in range(n):
            t = x - row[j]
            d2[j] += t * t
    s = one - one
    for j in range(n):
        inverse = one / np.sqrt(d2[j])
        target = delta[j] * unit
        error = d2[j] * inverse - target
        s += w[j] * error * error
        d2[j] = w[j] * (one - target * inverse)
    for k in range(X.shape[0]):
        x, row, out = X[k, i], X[k, i + 1 :], G[k, i + 1 :]
        g = one - one
        for j in range(n):
            t = d2[j] * (x - row[j])
            g += t
            out[j] -= t
        G[k, i] += g
    return s


@compiled(fast=True)
def accumulate(
    delta: Any, weights: Any, X: Any, G: Any, constant: Any, first: int, last: int
) -> float:
    """Sweep the pairs whose first object is in [first, last).

    Adds (H - C) X of (9) and (13) to G and returns the stress (4) of these pairs. An empty
    `weights` means that every pair counts once.
    """
    # Each pair once, with its force added to both objects, though a loop over full rows would
    # need no scatter: it would read twice the memory, which is what a large N has to wait for.
    # In (13) of the first version c_ii lacks its minus sign, without which the rows of C would
    # not sum to zero and the first update would raise the stress.
    rows, n = X.shape
    unrolled = rows == 4 or rows == 7 or rows == 8
    weighted = weights.size > 0
    # Ones to multiply by, as long as a row, are cheaper than a second text of every loop.
    ones = np.empty(0 if weighted else n, X.dtype)
    ones[:] = constant[1]
    scratch = np.empty(0 if unrolled else n, X.dtype)
    # Rows are summed in the precision of X, their sums in double: so single precision gets to the
    # same optimum, and stalls only at about 1e-10 of the stress.
    total = 0.0
    for i in range(first, last):
        start = i * n - i * (i + 1) // 2
        stop = start + n - i - 1
        row = delta[start:stop]
        w = weights[start:stop] if weighted else ones
        if rows == 4:
            total += _row_of_4(X, G, i, row, w, constant)
        elif rows == 7:
            total += _row_of_7(X, G, i, row, w, constant)
        elif rows == 8:
            total += _row_of_8(X, G, i, row, w, constant)
        else:
            total += _row_of_many(X, G, i, row, w, constant, scratch)
    return total


@compiled(fast=True)
def write_distances(X: Any, distances: Any, first: int, last: int) -> None:
    """Write the distances of the pairs whose first object is in [first, last)."""
    rows, n = X.shape
    for i in range(first, last):
        start = i * n - i * (i + 1) // 2
        own = distances[start : start + n - i - 1]
        own[:] = COINCIDENT
        for k in range(rows):
            x, row = X[k, i], X[k, i + 1 :]
            for j in range(own.size):
                t = x - row[j]
                own[j] += t * t
        for j in range(own.size):
            own[j] = np.sqrt(own[j])


@compiled(fast=True)
def object_errors(delta: Any, weights: Any, X: Any, errors: Any, totals: Any) -> None:
    """Add w (delta - d)^2 of every pair to both its objects, and w delta^2 to `totals`."""
    rows, n = X.shape
    weighted = weights.size > 0
    index = 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            d2 = 0.0
            for k in range(rows):
                t = X[k, i] - X[k, j]
                d2 += t * t
            w = weights[index] if weighted else 1.0
            error = w * (delta[index] - np.sqrt(d2)) ** 2
            total = w * delta[index] ** 2
            errors[i] += error
            errors[j] += error
            totals[i] += total
            totals[j] += total
            index += 1


@compiled(fast=True)
def square_sum(delta: Any, weights: Any, unit: float) -> float:
    """The sum of w (unit delta)^2 over all pairs."""
    weighted = weights.size > 0
    total = 0.0
    for index in range(delta.size):
        # Scaled before it is squared, for the square alone may be no float.
        value = delta[index] * unit
        total += (weights[index] if weighted else 1.0) * value * value
    return total
