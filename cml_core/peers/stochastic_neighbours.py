"""The inner loops of t-SNE, exact: every pair counts (van der Maaten and Hinton 2008)."""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.values.compiling import compiled

MOST_TRIALS = 100
# Of the entropy, at which a bandwidth is found.
ENTROPY_TOLERANCE = 1e-10


@compiled(fast=True)
def _moments(squares: Any, i: int, nearest: float, beta: float) -> Any:
    """Sums of exp(-beta s), s exp(-beta s) and s² exp(-beta s) over all others, s from nearest."""
    total, first, second = 0.0, 0.0, 0.0
    for j in range(squares.shape[1]):
        if j != i:
            s = squares[i, j] - nearest
            weight = np.exp(-beta * s)
            total += weight
            first += weight * s
            second += weight * s * s
    return total, first, second


@compiled(fast=False)
def conditional(squares: Any, perplexity: float, begin: int, end: int, P: Any) -> None:
    """Rows of P: how likely each object would pick each other for its neighbour.

    The bandwidth beta of a row gives its entropy log(perplexity); found by Newton's method in
    log(beta), kept between bounds.
    """
    wanted = np.log(perplexity)
    n = squares.shape[0]
    for i in range(begin, end):
        nearest = np.inf
        mean = 0.0
        for j in range(n):
            if j != i:
                nearest = min(nearest, squares[i, j])
                mean += squares[i, j] / (n - 1)
        low, high = -60.0, 60.0
        log_beta = -np.log(max(mean - nearest, 1e-20))
        beta, total = 1.0, 1.0
        for _ in range(MOST_TRIALS):
            beta = np.exp(log_beta)
            total, first, second = _moments(squares, i, nearest, beta)
            first /= total
            excess = np.log(total) + beta * first - wanted
            if abs(excess) < ENTROPY_TOLERANCE:
                break
            if excess > 0:
                low = log_beta
            else:
                high = log_beta
            slope = beta * beta * (second / total - first * first)
            log_beta += excess / max(slope, 1e-300)
            if not low < log_beta < high:
                log_beta = 0.5 * (low + high)
        for j in range(n):
            P[i, j] = np.exp(-beta * (squares[i, j] - nearest)) / total if j != i else 0.0


@compiled(fast=True)
def sweep_plane(p: Any, y: Any, begin: int, end: int, pull: Any, push: Any) -> Any:
    """The same as `sweep` in two dimensions, which are kept in registers."""
    n = y.shape[1]
    near, spent = 0.0, 0.0
    for i in range(begin, end):
        start = i * n - i * (i + 1) // 2 - i - 1
        y0, y1 = y[0, i], y[1, i]
        a0, a1, r0, r1 = 0.0, 0.0, 0.0, 0.0
        for j in range(i + 1, n):
            d0, d1 = y0 - y[0, j], y1 - y[1, j]
            apart = 1.0 + d0 * d0 + d1 * d1
            q = 1.0 / apart
            a, r = p[start + j] * q, q * q
            near += q
            a0 += a * d0
            a1 += a * d1
            r0 += r * d0
            r1 += r * d1
            pull[0, j] -= a * d0
            pull[1, j] -= a * d1
            push[0, j] -= r * d0
            push[1, j] -= r * d1
        for j in range(i + 1, n):
            d0, d1 = y0 - y[0, j], y1 - y[1, j]
            spent += p[start + j] * np.log(1.0 + d0 * d0 + d1 * d1)
        pull[0, i] += a0
        pull[1, i] += a1
        push[0, i] += r0
        push[1, i] += r1
    return near, spent


@compiled(fast=True)
def sweep(p: Any, y: Any, begin: int, end: int, pull: Any, push: Any) -> Any:
    """One pass over the pairs (i, j > i) of some rows.

    Adds p q (y_i - y_j) to `pull` and q² (y_i - y_j) to `push`, for q = 1 / (1 + |y_i - y_j|²);
    returns the sums of q and of p log(1 + |y_i - y_j|²).
    """
    m, n = y.shape
    near, spent = 0.0, 0.0
    for i in range(begin, end):
        start = i * n - i * (i + 1) // 2 - i - 1
        for j in range(i + 1, n):
            apart = 1.0
            for k in range(m):
                apart += (y[k, i] - y[k, j]) ** 2
            q = 1.0 / apart
            near += q
            spent += p[start + j] * np.log(apart)
            a, r = p[start + j] * q, q * q
            for k in range(m):
                d = y[k, i] - y[k, j]
                pull[k, i] += a * d
                pull[k, j] -= a * d
                push[k, i] += r * d
                push[k, j] -= r * d
    return near, spent
