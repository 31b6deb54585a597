"""Compiled loops from rows of measurements to dissimilarities with reference objects.

References are stored one column after another, ``R[k, j]``. Differences are added up, never
|x|^2 + |y|^2 - 2xy: near objects would lose all their digits, and it is no slower (50 columns in
single precision: 1.3 to 2 ns a pair; a product of matrices took 2 to 10).
"""

from __future__ import annotations

from typing import Any

from cml_core.values.compiling import compiled

# So many references at a time stay in the cache while all objects of a block pass by.
TILE = 512


@compiled(fast=True)
def squared_differences(rows: Any, R: Any, out: Any) -> None:
    """Write the sum over columns of (x - r)^2 for each row and each reference."""
    columns, count = R.shape
    for begin in range(0, count, TILE):
        end = min(begin + TILE, count)
        for i in range(rows.shape[0]):
            sums = out[i, begin:end]
            sums[:] = 0
            k = 0
            # Four columns at a time, so that sums are loaded and stored a quarter as often.
            while k + 4 <= columns:
                x0, x1, x2, x3 = rows[i, k], rows[i, k + 1], rows[i, k + 2], rows[i, k + 3]
                r0, r1 = R[k, begin:end], R[k + 1, begin:end]
                r2, r3 = R[k + 2, begin:end], R[k + 3, begin:end]
                for j in range(sums.size):
                    t0, t1, t2, t3 = x0 - r0[j], x1 - r1[j], x2 - r2[j], x3 - r3[j]
                    sums[j] += t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3
                k += 4
            while k < columns:
                x0, r0 = rows[i, k], R[k, begin:end]
                for j in range(sums.size):
                    t0 = x0 - r0[j]
                    sums[j] += t0 * t0
                k += 1


@compiled(fast=True)
def absolute_differences(rows: Any, R: Any, amounts: int, out: Any) -> None:
    """Write the sum of |x - r| over the first `amounts` columns, plus how many others differ."""
    columns, count = R.shape
    for begin in range(0, count, TILE):
        end = min(begin + TILE, count)
        for i in range(rows.shape[0]):
            sums = out[i, begin:end]
            sums[:] = 0
            k = 0
            while k + 4 <= amounts:
                x0, x1, x2, x3 = rows[i, k], rows[i, k + 1], rows[i, k + 2], rows[i, k + 3]
                r0, r1 = R[k, begin:end], R[k + 1, begin:end]
                r2, r3 = R[k + 2, begin:end], R[k + 3, begin:end]
                for j in range(sums.size):
                    sums[j] += abs(x0 - r0[j]) + abs(x1 - r1[j]) + abs(x2 - r2[j]) + abs(x3 - r3[j])
                k += 4
            while k < amounts:
                x0, r0 = rows[i, k], R[k, begin:end]
                for j in range(sums.size):
                    sums[j] += abs(x0 - r0[j])
                k += 1
            while k < columns:
                x0, r0 = rows[i, k], R[k, begin:end]
                for j in range(sums.size):
                    sums[j] += x0 != r0[j]
                k += 1
