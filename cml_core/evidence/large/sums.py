"""Sums over all objects, part by part: enough for regressions, and never all in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from cml_core.values.arrays import FloatArray

# A direction that varies by less than this share of the largest is rounding.
ROUNDING = 1e-10
# Rows whose products are taken at a time, in half the time of 8192: they stay in the cache.
SLICE = 1024


@dataclass(frozen=True, eq=False)
class Sums:
    """Means and covariances of the columns of a table.

    Parameters
    ----------
    count : how many rows.
    mean : (k,) of each column; cross : (k, k) mean products of what differs from the mean.
    """

    count: int
    mean: FloatArray
    cross: FloatArray

    def of(self, rows: slice, columns: slice) -> FloatArray:
        """A block of `cross`."""
        return self.cross[rows, columns]


def sums(blocks: Iterable[FloatArray]) -> Sums:
    """Of the rows of all blocks."""
    count, total, products, origin = 0, np.zeros(0), np.zeros((0, 0)), np.zeros(0)
    for block in _sliced(blocks):
        if not count:
            # About some row, so that what is large and alike in all rows costs no digits.
            origin = block.mean(axis=0)
            total, products = np.zeros(origin.size), np.zeros((origin.size, origin.size))
        moved = block - origin
        count += len(block)
        total += moved.sum(axis=0)
        products += moved.T @ moved
    mean = total / count
    return Sums(count, mean + origin, products / count - np.outer(mean, mean))


def _sliced(blocks: Iterable[FloatArray]) -> Iterator[FloatArray]:
    for block in blocks:
        for first in range(0, len(block), SLICE):
            yield block[first : first + SLICE]


def together(one: Sums, other: Sums) -> Sums:
    """Of the rows of both."""
    count, moved = one.count + other.count, other.mean - one.mean
    share = other.count / count
    cross = (1.0 - share) * one.cross + share * other.cross
    cross += share * (1.0 - share) * np.outer(moved, moved)
    return Sums(count, one.mean + share * moved, cross)


def regression(inner: FloatArray, outer: FloatArray) -> FloatArray:
    """(k, m) slopes of m columns on k, from (k, k) and (k, m) covariances."""
    scale = np.sqrt(np.maximum(np.diag(inner), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    slopes = np.linalg.pinv(inner / np.outer(scale, scale), rcond=ROUNDING, hermitian=True)
    return np.asarray(slopes @ (outer / scale[:, None]) / scale[:, None])
