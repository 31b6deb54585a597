"""Rising curves of few coefficients: monotone splines and the straight line.

I-splines (Ramsay 1988) are integrals of B-splines, so each rises from 0 to 1, and a sum of them
with coefficients of 0 or more rises. Of degree 2 with two inner knots a and b they are sums of

    1, x, x^2, (x - a)_+^2 and (x - b)_+^2,

of which every step of a descent needs only five sums over pairs, without a branch.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import BSpline

from cml_core.values.arrays import FloatArray
from cml_core.values.compiling import compiled

TERMS = 5
# So little is added to the diagonal of the normal equations, relative to their trace, that they
# can be solved where the data take fewer values than the curve has coefficients.
RIDGE = 1e-13
# A pull on a coefficient of less than this share of what it is pulled by is rounding error.
ROUNDING = 1e-12


class Curve(NamedTuple):
    """A family of rising curves on [0, 1], as sums of functions, at the places of all pairs.

    Only the first function may have a coefficient below zero.

    Parameters
    ----------
    position : (N(N-1)/2,) from 0, the smallest dissimilarity, to 1, the largest.
    knots : (2,) a and b; at 1 a knot is none.
    functions : (functions, 5) the coefficients of each in the five terms above.
    gram : weighted sums over all pairs of the products of any two functions.
    """

    position: FloatArray
    knots: FloatArray
    functions: FloatArray
    gram: FloatArray


def curve_through(
    position: FloatArray, knots: FloatArray, functions: FloatArray, weights: FloatArray
) -> Curve:
    """The curves of these functions at these positions; empty weights count every pair once."""
    gram = functions @ _products(position, knots, weights) @ functions.T
    return Curve(position, knots, functions, gram)


@compiled(fast=True)
def _products(position: Any, knots: Any, weights: Any) -> Any:
    """(5, 5) weighted sums over all pairs of the products of any two terms."""
    sums, terms = np.zeros((TERMS, TERMS)), np.ones(TERMS)
    for m in range(position.size):
        x = position[m]
        terms[1], terms[2] = x, x * x
        terms[3] = max(x - knots[0], 0.0) ** 2
        terms[4] = max(x - knots[1], 0.0) ** 2
        w = weights[m] if weights.size > 0 else 1.0
        for a in range(TERMS):
            for b in range(a + 1):
                sums[a, b] += w * terms[a] * terms[b]
    for a in range(TERMS):
        for b in range(a):
            sums[b, a] = sums[a, b]
    return sums


def _terms(x: FloatArray, knots: FloatArray) -> FloatArray:
    beyond = (np.maximum(x - knot, 0.0) ** 2 for knot in knots)
    return np.column_stack([np.ones_like(x), x, x**2, *beyond])


def i_splines(knots: FloatArray) -> FloatArray:
    """The constant, and quadratic I-splines on [0, 1] with the knots that lie within."""
    inner = knots[knots < 1.0]
    corners = np.concatenate([[0.0, 0.0], inner, [1.0, 1.0]])
    # As many places as terms tell the coefficients of each.
    x = np.concatenate([np.linspace(low, high, 4) for low, high in pairwise(corners)])
    terms = _terms(x, knots)
    functions = np.zeros((corners.size - 1, TERMS))
    functions[0, 0] = 1.0
    for k, coefficients in enumerate(np.eye(corners.size - 2), 1):
        rise = BSpline(corners, coefficients, 1).antiderivative()
        values = (rise(x) - rise(0.0)) / (rise(1.0) - rise(0.0))
        functions[k] = np.linalg.lstsq(terms, values, rcond=None)[0]
    return functions


def straight_line() -> FloatArray:
    """The constant, and x."""
    return np.eye(2, TERMS)


@compiled(fast=True)
def nearest_curve(curve: Curve, distances: Any, weights: Any, values: Any) -> None:
    """Write the curve nearest to the distances, at every position, into `values`."""
    position, a, b = curve.position, curve.knots[0], curve.knots[1]
    weighted = weights.size > 0
    # Five sums by name, not an array of them: so they stay in registers.
    s0 = s1 = s2 = s3 = s4 = 0.0
    for m in range(position.size):
        x = position[m]
        d = weights[m] * distances[m] if weighted else distances[m]
        first, second = max(x - a, 0.0), max(x - b, 0.0)
        s0 += d
        s1 += d * x
        s2 += d * x * x
        s3 += d * first * first
        s4 += d * second * second
    terms = _rising_terms(curve.functions, curve.gram, np.array([s0, s1, s2, s3, s4]))
    for m in range(position.size):
        x = position[m]
        first, second = max(x - a, 0.0), max(x - b, 0.0)
        values[m] = (
            terms[0]
            + x * (terms[1] + x * terms[2])
            + first * first * terms[3]
            + second * second * terms[4]
        )


@compiled(fast=False, apart=True)
def _rising_terms(functions: Any, gram: Any, sums: Any) -> Any:
    """(5,) the coefficients of the terms, from the sums of their products with the distances."""
    return functions.T @ _rising_coefficients(gram, functions @ sums)


@compiled(fast=False, apart=True)
def _rising_coefficients(gram: Any, against: Any) -> Any:
    """Least squares with every coefficient but the first at 0 or above (Lawson and Hanson 1974)."""
    n = against.size
    free = np.zeros(n, np.bool_)
    free[0] = True
    found = _solved(gram, against, free)
    for _ in range(3 * n):
        pull = against - gram @ found
        best = -1
        for k in range(n):
            rises = not free[k] and pull[k] > ROUNDING * abs(against[k])
            if rises and (best < 0 or pull[k] > pull[best]):
                best = k
        if best < 0:
            break
        free[best] = True
        found = _within_bounds(gram, against, free, found)
    return found


@compiled(fast=False, apart=True)
def _within_bounds(gram: Any, against: Any, free: Any, found: Any) -> Any:
    """From admissible coefficients towards the best free ones, as far as none falls below 0."""
    for _ in range(against.size):
        wanted = _solved(gram, against, free)
        step, first = 1.0, -1
        for k in range(1, against.size):
            if free[k] and wanted[k] <= 0.0:
                share = found[k] / (found[k] - wanted[k]) if found[k] > wanted[k] else 0.0
                if share < step:
                    step, first = share, k
        if first < 0:
            return wanted
        found = found + step * (wanted - found)
        found[first] = 0.0
        free[first] = False
    return found


@compiled(fast=False, apart=True)
def _solved(gram: Any, against: Any, free: Any) -> Any:
    """The normal equations of the free coefficients by Cholesky's method; the others are 0."""
    n = against.size
    ridge = RIDGE * np.trace(gram)
    lower, solution = np.zeros((n, n)), np.zeros(n)
    for i in range(n):
        for j in range(i + 1):
            both = free[i] and free[j]
            total = gram[i, j] if both else 0.0
            if i == j:
                total += ridge if both else 1.0
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            lower[i, j] = np.sqrt(max(total, ridge)) if i == j else total / lower[j, j]
    for i in range(n):
        total = against[i] if free[i] else 0.0
        for k in range(i):
            total -= lower[i, k] * solution[k]
        solution[i] = total / lower[i, i]
    for i in range(n - 1, -1, -1):
        total = solution[i]
        for k in range(i + 1, n):
            total -= lower[k, i] * solution[k]
        solution[i] = total / lower[i, i]
    return solution
