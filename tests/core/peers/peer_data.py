"""Data that the views are tested on, made by formulas."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist, squareform


def uniform(n: int) -> np.ndarray:
    """Distances of points strewn evenly in seven dimensions."""
    return squareform(pdist(np.random.default_rng(n).uniform(size=(n, 7))))


def clusters(n: int) -> np.ndarray:
    """Distances of points in six groups in seven dimensions."""
    random = np.random.default_rng(n)
    centres = 4 * random.normal(size=(6, 7))
    return squareform(pdist(centres[np.arange(n) % 6] + random.normal(size=(n, 7))))


def ring(n: int) -> np.ndarray:
    """Steps along a ring of n objects."""
    steps = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return np.minimum(steps, n - steps)


def squared(places: np.ndarray) -> np.ndarray:
    """Squared distances between places."""
    return squareform(pdist(places, "sqeuclidean"))


def alike(a: np.ndarray, b: np.ndarray) -> float:
    """The share of the spread of a that is not b turned and scaled: 0 where they are the same."""
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    sizes = np.linalg.svd(a.T @ b, compute_uv=False)
    return 1.0 - float(sizes.sum()) ** 2 / float((a**2).sum() * (b**2).sum())
