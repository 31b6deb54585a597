"""Compiled loops that place objects, each by itself, among references whose places are settled.

An object's own stress is sum_j w_j (delta_j - d_j)^2 with d_j^2 = |x - x_j|^2 + base_j, where x
are the coordinates that may move and `base` is what the others add. Of `X[k, j]` the first rows
are those that may move. Everything is in a unit in which dissimilarities are of order one, so that
single precision holds it; it places to about 1e-7.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.values.compiling import compiled

# The square of a distance that does not matter, in single precision and of order one.
COINCIDENT = np.float32(1e-12)
ONE = np.float32(1.0)
NOUGHT = np.float32(0.0)
# After a step this short the next would be shorter than 1e-6: they shrink quadratically.
SHORT = 3e-4
MOST_STEPS = 30
# A step that raises the stress by more than rounding does is not taken.
RAISED = 1.0 + 1e-5
# What keeps a direction that nothing depends on from being divided by zero.
RIDGE = 1e-7


@compiled(fast=True)
def _pull_in_plane(X0: Any, X1: Any, x: Any, base: Any, delta: Any, w: Any, g: Any, H: Any) -> Any:
    """As `_pull`, of two coordinates: in one sweep, which takes less than half as long."""
    x0, x1 = x[0], x[1]
    stress, trace, g0, g1, h00, h01, h11 = NOUGHT, NOUGHT, NOUGHT, NOUGHT, NOUGHT, NOUGHT, NOUGHT
    for j in range(delta.size):
        t0, t1 = x0 - X0[j], x1 - X1[j]
        d2 = base[j] + t0 * t0 + t1 * t1 + COINCIDENT
        inverse = ONE / np.sqrt(d2)
        error = d2 * inverse - delta[j]
        stress += w[j] * error * error
        drawn = w[j] * delta[j] * inverse
        pull = w[j] - drawn
        bend = drawn * inverse * inverse
        trace += pull
        g0 += pull * t0
        g1 += pull * t1
        h00 += bend * t0 * t0
        h01 += bend * t0 * t1
        h11 += bend * t1 * t1
    g[0], g[1] = g0, g1
    H[0, 0], H[0, 1], H[1, 0], H[1, 1] = h00 + trace, h01, h01, h11 + trace
    return stress


@compiled(fast=True)
def _pull(X: Any, x: Any, base: Any, delta: Any, w: Any, c: Any, e: Any, g: Any, H: Any) -> Any:
    """The own stress at x; its gradient and second derivative, both halved, go into g and H."""
    active, count = H.shape[0], delta.size
    if active == 2:
        return _pull_in_plane(X[0], X[1], x, base, delta, w, g, H)
    for j in range(count):
        c[j] = base[j]
    for k in range(active):
        place, row = x[k], X[k]
        for j in range(count):
            t = place - row[j]
            c[j] += t * t
    stress, trace = NOUGHT, NOUGHT
    for j in range(count):
        d2 = c[j] + COINCIDENT
        inverse = ONE / np.sqrt(d2)
        error = d2 * inverse - delta[j]
        stress += w[j] * error * error
        drawn = w[j] * delta[j] * inverse
        c[j] = w[j] - drawn
        trace += c[j]
        e[j] = drawn * inverse * inverse
    for k in range(active):
        place, row = x[k], X[k]
        slope = NOUGHT
        for j in range(count):
            slope += c[j] * (place - row[j])
        g[k] = slope
        for m in range(k, active):
            other_place, other = x[m], X[m]
            bend = NOUGHT
            for j in range(count):
                bend += e[j] * (place - row[j]) * (other_place - other[j])
            H[k, m] = bend
            H[m, k] = bend
        H[k, k] += trace
    return stress


@compiled(fast=False)
def _solved(A: Any, b: Any) -> bool:
    """Solve Ax = b in place, by Cholesky; whether A is positive definite."""
    n = b.size
    for k in range(n):
        pivot = A[k, k]
        for m in range(k):
            pivot -= A[k, m] * A[k, m]
        if not pivot > 0.0:
            return False
        A[k, k] = np.sqrt(pivot)
        for i in range(k + 1, n):
            total = A[i, k]
            for m in range(k):
                total -= A[i, m] * A[k, m]
            A[i, k] = total / A[k, k]
    for k in range(n):
        for m in range(k):
            b[k] -= A[k, m] * b[m]
        b[k] /= A[k, k]
    for k in range(n - 1, -1, -1):
        for m in range(k + 1, n):
            b[k] -= A[m, k] * b[m]
        b[k] /= A[k, k]
    return True


@compiled(fast=False)
def _step(E: Any, g: Any, H: Any, weight: float, newton: bool, A: Any, step: Any) -> bool:
    """Newton's step in the free variables y, where x = x_0 + E y; else the majoriser's."""
    active, free = E.shape
    for a in range(free):
        total = 0.0
        for k in range(active):
            total -= E[k, a] * g[k]
        step[a] = total
        for b in range(free):
            total = 0.0
            for k in range(active):
                if newton:
                    for m in range(active):
                        total += E[k, a] * H[k, m] * E[m, b]
                else:
                    total += weight * E[k, a] * E[k, b]
            A[a, b] = total
        A[a, a] += RIDGE * weight
    return _solved(A, step)


@compiled(fast=False)
def _settle(
    X: Any, x: Any, E: Any, y: Any, base: Any, delta: Any, w: Any, weight: float, scratch: Any
) -> Any:
    """Move x and y to the minimum of the own stress near x; the stress there."""
    active, free = E.shape
    c, e = scratch[0], scratch[1]
    g, H, A = np.zeros(active), np.zeros((active, active)), np.zeros((free, free))
    step, trial = np.zeros(free), np.empty(active, np.float32)
    stress = _pull(X, x, base, delta, w, c, e, g, H)
    for _ in range(MOST_STEPS):
        newton = _step(E, g, H, weight, True, A, step)
        if not newton and not _step(E, g, H, weight, False, A, step):
            return stress
        _moved(x, E, step, trial)
        length = _length(x, trial)
        if newton and length < SHORT:
            x[:], y[:] = trial, y + step
            return stress
        before_g, before_H = g.copy(), H.copy()
        found = _pull(X, trial, base, delta, w, c, e, g, H)
        if found > RAISED * stress:
            # The majoriser's step never raises the stress.
            _step(E, before_g, before_H, weight, False, A, step)
            _moved(x, E, step, trial)
            length = _length(x, trial)
            found = _pull(X, trial, base, delta, w, c, e, g, H)
        x[:], y[:] = trial, y + step
        stress = found
        if length < 0.01 * SHORT:
            return stress
    return stress


@compiled(fast=False)
def _moved(x: Any, E: Any, step: Any, trial: Any) -> None:
    for k in range(E.shape[0]):
        total = np.float64(x[k])
        for a in range(E.shape[1]):
            total += E[k, a] * step[a]
        trial[k] = total


@compiled(fast=False)
def _length(x: Any, trial: Any) -> float:
    longest = 0.0
    for k in range(x.size):
        longest = max(longest, abs(np.float64(trial[k]) - np.float64(x[k])))
    return longest


@compiled(fast=True)
def _closed_form(inverse: Any, offset: Any, base: Any, delta: Any, w: Any, c: Any, x: Any) -> None:
    """Landmark MDS (de Silva and Tenenbaum 2004), on what the known places leave of the squares."""
    mean, present = NOUGHT, NOUGHT
    for j in range(delta.size):
        c[j] = delta[j] * delta[j] - base[j]
        here = ONE if w[j] > NOUGHT else NOUGHT
        mean += here * c[j]
        present += here
    mean /= max(present, ONE)
    for k in range(inverse.shape[0]):
        total = NOUGHT
        for j in range(delta.size):
            total += inverse[k, j] * (c[j] if w[j] > NOUGHT else mean)
        x[k] = offset[k] - np.float32(0.5) * total


@compiled(fast=False)
def _known_place(values: Any, coef: Any, z: Any) -> None:
    for k in range(z.size):
        total = 0.0
        for m in range(values.size):
            total += values[m] * coef[m, k]
        z[k] = total


@compiled(fast=True)
def _known_base(Z: Any, z: Any, base: Any) -> None:
    """What the known places add to the squared distances."""
    base[:] = NOUGHT
    for k in range(Z.shape[0]):
        place, row = z[k], Z[k]
        for j in range(base.size):
            t = place - row[j]
            base[j] += t * t


@compiled(fast=True)
def _weighed(delta: Any, w: Any) -> Any:
    """The sum of the weights, and of the squared dissimilarities."""
    weight, total = NOUGHT, NOUGHT
    for j in range(delta.size):
        weight += w[j]
        total += w[j] * delta[j] * delta[j]
    return np.float64(weight), np.float64(total)


@compiled(fast=False)
def place(
    X: Any,
    inverse: Any,
    offset: Any,
    coef: Any,
    delta: Any,
    weights: Any,
    values: Any,
    missing: Any,
    starts: Any,
    places: Any,
    unexplained: Any,
) -> None:
    """Place each object of a block.

    Parameters
    ----------
    X : (p + q, M) the references, hidden dimensions before known places.
    inverse, offset : (p, M) and (p,) of the closed form.
    coef : (q, q) from known values to known places.
    delta, weights : (n, M), and (n, M) or one row for all.
    values, missing : (n, q) known values, and which of them are free to move from where they are.
    starts : (n, p) where to begin; NaN for the closed form.
    places : (n, p), written; so are free entries of `values`.
    unexplained : (n,), written: the own stress as a share of the squared dissimilarities.
    """
    count, p, q = X.shape[1], inverse.shape[0], coef.shape[0]
    base, zero = np.empty(count, np.float32), np.zeros(count, np.float32)
    scratch = np.empty((2, count), np.float32)
    x, unit = np.empty(p + q, np.float32), np.eye(p)
    for i in range(delta.shape[0]):
        w = weights[i if weights.shape[0] > 1 else 0]
        weight, total = _weighed(delta[i], w)
        _known_place(values[i], coef, x[p:])
        _known_base(X[p:], x[p:], base)
        if p > 0 and np.isnan(starts[i, 0]):
            _closed_form(inverse, offset, base, delta[i], w, scratch[0], x)
        else:
            x[:p] = starts[i]
        gaps = np.flatnonzero(missing[i])
        y = np.zeros(p + gaps.size)
        if gaps.size == 0:
            stress = _settle(X[:p], x[:p], unit, y, base, delta[i], w, weight, scratch)
        else:
            E = np.zeros((p + q, p + gaps.size))
            E[:p, :p] = unit
            for a in range(gaps.size):
                E[p:, p + a] = coef[gaps[a]]
            stress = _settle(X, x, E, y, zero, delta[i], w, weight, scratch)
            for a in range(gaps.size):
                values[i, gaps[a]] += y[p + a]
        places[i] = x[:p]
        unexplained[i] = stress / total if total > 0.0 else 0.0
