"""An object as a mixture of its neighbours, by dissimilarities alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cml_core.values.arrays import FloatArray, IntArray

# Below this share of the largest an eigenvalue is rounding.
ROUNDING = 1e-10


class Mixture(NamedTuple):
    """Weights of the neighbours, which add up to one, and what they leave.

    Parameters
    ----------
    left : the squared distance between the object and the mixture.
    impossible : whether no points have such dissimilarities; then the nearest that some have
        were taken.
    """

    weights: FloatArray
    left: float
    impossible: bool


def mixture(square: FloatArray, i: int, near: IntArray, ridge: float) -> Mixture:
    """The mixture of the neighbours that comes nearest to object i.

    Parameters
    ----------
    square : (N, N) dissimilarities.
    ridge : a share of the trace of the local scalar products, added where neighbours lie in fewer
        dimensions than they are.
    """
    own = square[i, near] ** 2
    # ½(δ²_ij + δ²_ik - δ²_jk): scalar products of the neighbours as seen from the object.
    local = 0.5 * (own[:, None] + own - square[np.ix_(near, near)] ** 2)
    sizes, axes = np.linalg.eigh(local)
    largest = max(float(np.abs(sizes).max()), np.finfo(float).tiny)
    impossible = bool(sizes[0] < -ROUNDING * largest)
    sizes = np.maximum(sizes, 0.0)
    singular = bool(sizes[0] <= ROUNDING * largest)
    held = sizes + (ridge * float(sizes.sum()) if singular else 0.0)
    along = axes.sum(axis=0)
    weights = axes @ (along / np.maximum(held, ROUNDING**2 * largest))
    weights /= weights.sum()
    left = float(sizes @ (axes.T @ weights) ** 2)
    return Mixture(weights, left, impossible)


def told_of_impossible(mixtures: list[Mixture], n_objects: int) -> tuple[str, ...]:
    """A sentence where neighbourhoods are those of no points."""
    count = sum(one.impossible for one in mixtures)
    if not count:
        return ()
    return (
        f"The dissimilarities around {count} of {n_objects} objects are not distances between "
        "points; what is negative in them counts as zero.",
    )
