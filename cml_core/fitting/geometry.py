"""Turning, aligning and comparing configurations of points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from cml_core.errors import DegenerateComparison, LengthMismatch
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.columns import varying


def principal_axes(points: FloatArray) -> FloatArray:
    """The same points, centred, with most of their spread along the first axis.

    Each axis points to where the entry farthest from the centre lies, so that the turn does
    not depend on chance.
    """
    centred: FloatArray = points - points.mean(axis=0)
    if not points.shape[1]:
        return centred
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    axes = left[:, : points.shape[1]] * sizes[: points.shape[1]]
    turned = np.zeros_like(centred)
    turned[:, : axes.shape[1]] = axes
    farthest = np.abs(turned).argmax(axis=0)
    signs = np.sign(turned[farthest, np.arange(turned.shape[1])])
    turned *= np.where(signs == 0, 1.0, signs)
    return turned


@dataclass(frozen=True, eq=False)
class Alignment(Value):
    """One configuration turned onto another.

    `disparity` is the share of the target's spread that is left.
    """

    points: FloatArray
    disparity: float


def procrustes(points: FloatArray, target: FloatArray, *, scaling: bool = False) -> Alignment:
    """Turn and mirror `points` (N x p) so that they lie as near to `target` as can be.

    Where the numbers of dimensions differ, the smaller is padded with zeros.
    """
    _check_comparable(points, target)
    width = max(points.shape[1], target.shape[1])
    a, b = (_padded(matrix - matrix.mean(axis=0), width) for matrix in (points, target))
    # Any orthogonal matrix, not only those that turn: a mirrored map is the same map.
    left, sizes, right = np.linalg.svd(a.T @ b)
    size = float((a**2).sum())
    scale = float(sizes.sum()) / size if scaling and size > 0 else 1.0
    placed = scale * a @ (left @ right)
    spread = float((b**2).sum())
    disparity = float(((b - placed) ** 2).sum()) / spread if spread > 0 else 0.0
    centre = _padded(target.mean(axis=0)[None, :], width)
    return Alignment(frozen(placed + centre), disparity)


def facing(points: FloatArray, target: FloatArray) -> FloatArray:
    """Mirror axes of `points` (N x p), which may not be turned, so that each points as `target`."""
    _check_comparable(points, target)
    along = (points - points.mean(axis=0)).T @ target
    if not along.size:
        return points
    strongest = along[np.arange(len(along)), np.abs(along).argmax(axis=1)]
    mirrored: FloatArray = points * np.where(strongest < 0, -1.0, 1.0)
    return mirrored


def canonical_correlations(a: FloatArray, b: FloatArray) -> FloatArray:
    """Canonical correlations of two sets of columns on the same objects, largest first.

    Columns that do not vary, or repeat others, add nothing: there are as many correlations
    as the smaller set has independent columns.
    """
    _check_comparable(a, b)
    # Cosines of the angles between two bases (Björck and Golub 1973). The textbook's inverse
    # covariances would square the condition of the columns.
    left, right = _orthonormal(a), _orthonormal(b)
    if not left.shape[1] or not right.shape[1]:
        raise DegenerateComparison(
            "A set of columns does not vary over the objects.",
            remedy="Compare configurations that have some spread.",
        )
    return np.clip(linalg.svdvals(left.T @ right), 0.0, 1.0)


def mean_canonical_correlation(a: FloatArray, b: FloatArray) -> float:
    """How far two sets of columns say the same of the objects: 1 where the smaller follows.

    The papers' agreement with a truth (ACC): the mean of `canonical_correlations`.
    """
    return float(canonical_correlations(a, b).mean())


def _orthonormal(columns: FloatArray) -> FloatArray:
    """An orthonormal basis of what the centred, standardised columns span."""
    matrix = np.asarray(columns, dtype=np.float64)
    matrix = matrix[:, None] if matrix.ndim == 1 else matrix
    centred = matrix - matrix.mean(axis=0)
    spread = np.sqrt((centred**2).mean(axis=0))
    varies = varying(matrix)
    if not varies.any():
        return np.zeros((matrix.shape[0], 0))
    left, sizes, _ = np.linalg.svd(centred[:, varies] / spread[varies], full_matrices=False)
    basis: FloatArray = left[:, sizes > 1e-10 * sizes[0]]
    return basis


def _padded(matrix: FloatArray, width: int) -> FloatArray:
    return np.pad(matrix, ((0, 0), (0, width - matrix.shape[1])))


def _check_comparable(a: FloatArray, b: FloatArray) -> None:
    if np.shape(a)[0] != np.shape(b)[0]:
        raise LengthMismatch(
            f"One configuration has {np.shape(a)[0]} objects, the other {np.shape(b)[0]}.",
            remedy="Compare configurations of the same objects, in the same order.",
        )
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise DegenerateComparison(
            "A configuration has gaps or infinite places.",
            remedy="Compare the objects whose places are known in both.",
        )
