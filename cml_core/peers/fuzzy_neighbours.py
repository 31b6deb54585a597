"""The inner loops of UMAP (McInnes, Healy and Melville 2018)."""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.values.compiling import compiled

BANDWIDTH_TRIALS = 64
BANDWIDTH_TOLERANCE = 1e-5
# A bandwidth is no less than this share of the mean distance of the neighbours.
LEAST_BANDWIDTH = 1e-3
# No object is pushed or pulled farther in one go, along each axis.
LONGEST_STEP = 4.0
REPULSIONS = 5


@compiled(fast=False)
def memberships(near: Any, mean: float, out: Any) -> None:
    """How surely each neighbour is one: 1 for the nearest, falling so that they add up to log2(k).

    Parameters
    ----------
    near : (N, k) distances to the nearest, rising, the object itself first.
    mean : of all of them.
    """
    n, k = near.shape
    wanted = np.log2(k)
    for i in range(n):
        nearest, own = 0.0, 0.0
        for j in range(k):
            own += near[i, j] / k
            if nearest == 0.0 and near[i, j] > 0.0:
                nearest = near[i, j]
        low, high, width = 0.0, np.inf, 1.0
        for _ in range(BANDWIDTH_TRIALS):
            total = 0.0
            for j in range(1, k):
                beyond = near[i, j] - nearest
                total += np.exp(-beyond / width) if beyond > 0.0 else 1.0
            if abs(total - wanted) < BANDWIDTH_TOLERANCE:
                break
            if total > wanted:
                high = width
                width = 0.5 * (low + high)
            else:
                low = width
                width = 2.0 * width if high == np.inf else 0.5 * (low + high)
        width = max(width, LEAST_BANDWIDTH * (own if nearest > 0.0 else mean))
        for j in range(k):
            beyond = near[i, j] - nearest
            out[i, j] = np.exp(-beyond / width) if beyond > 0.0 else 1.0


@compiled(fast=False)
def _limited(step: float) -> float:
    return max(-LONGEST_STEP, min(LONGEST_STEP, step))


@compiled(fast=False)
def layout(
    y: Any,
    heads: Any,
    tails: Any,
    every: Any,
    due: Any,
    due_push: Any,
    a: float,
    b: float,
    first: int,
    last: int,
    epochs: int,
    state: int,
) -> int:
    """Some epochs of sampled pulls along the edges and pushes from anywhere; returns the state.

    Parameters
    ----------
    y : (N, m) places; they are moved.
    heads, tails : the edges, each in both directions.
    every : how many epochs lie between two pulls of an edge; `due` and `due_push` say when next.
    state : of the random numbers.
    """
    n, m = y.shape
    for epoch in range(first, last):
        rate = 1.0 - epoch / epochs
        for e in range(heads.size):
            if due[e] > epoch:
                continue
            i, j = heads[e], tails[e]
            square = 0.0
            for k in range(m):
                square += (y[i, k] - y[j, k]) ** 2
            if square > 0.0:
                slope = -2.0 * a * b * square ** (b - 1.0) / (1.0 + a * square**b)
                for k in range(m):
                    step = rate * _limited(slope * (y[i, k] - y[j, k]))
                    y[i, k] += step
                    y[j, k] -= step
            due[e] += every[e]
            pushes = int((epoch - due_push[e]) * REPULSIONS / every[e])
            for _ in range(pushes):
                # A linear congruential generator; its lowest bits are no good.
                state = (1103515245 * state + 12345) & 0x7FFFFFFF
                j = (state >> 7) % n
                square = 0.0
                for k in range(m):
                    square += (y[i, k] - y[j, k]) ** 2
                if square > 0.0:
                    slope = 2.0 * b / ((0.001 + square) * (1.0 + a * square**b))
                    for k in range(m):
                        y[i, k] += rate * _limited(slope * (y[i, k] - y[j, k]))
            due_push[e] += pushes * every[e] / REPULSIONS
    return state


@compiled(fast=True)
def cross_entropy(y: Any, memberships: Any, a: float, b: float) -> float:
    """Of the memberships (N, N) and what the picture makes of them, over all pairs."""
    n, m = y.shape
    total = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            square = 0.0
            for k in range(m):
                square += (y[i, k] - y[j, k]) ** 2
            v = min(max(1.0 / (1.0 + a * square**b), 1e-12), 1.0 - 1e-12)
            w = memberships[i, j]
            if w > 0.0:
                total += w * np.log(w / v)
            if w < 1.0:
                total += (1.0 - w) * np.log((1.0 - w) / (1.0 - v))
    return total
