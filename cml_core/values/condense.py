"""Condensed tables, in compiled loops: row after row of the upper triangle, each pair once."""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.values.compiling import compiled


@compiled(fast=True)
def row_sums(condensed: Any, sums: Any) -> None:
    """Add every pair's value to both its objects."""
    n = sums.size
    index = 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            sums[i] += condensed[index]
            sums[j] += condensed[index]
            index += 1


@compiled(fast=False)
def condense(square: Any, condensed: Any) -> float:
    """Copy the upper triangle of `square`; return the largest |d_ij - d_ji|.

    A pair known in one direction only is taken from there. Walking in blocks keeps both
    triangles in cache without an N x N temporary.
    """
    n = square.shape[0]
    block = 64
    worst = 0.0
    for row in range(0, n, block):
        for column in range(row, n, block):
            for i in range(row, min(row + block, n)):
                start = i * n - i * (i + 1) // 2 - i - 1
                for j in range(max(column, i + 1), min(column + block, n)):
                    above, below = square[i, j], square[j, i]
                    if np.isnan(above):
                        above = below
                    elif above != below and not np.isnan(below):
                        worst = max(worst, abs(above - below))
                        above = 0.5 * (above + below)
                    condensed[start + j] = above
    return worst
