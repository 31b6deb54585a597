"""All pairs of rows, column by column, over the columns that both have.

Every function takes rows (N, K) with NaN where missing, and returns (N, N), NaN where a pair is
undefined; what stands on the diagonal has no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from cml_core.files.agreement import row_correlations
from cml_core.values.arrays import FloatArray, has_gaps

# (b, 1) and (1, m) values of one column → (b, m), NaN where either is.
Term = Callable[[FloatArray, FloatArray], FloatArray]
# Entries that are worked on at once: few enough to stay in the processor's cache.
BLOCK = 131_072
# In place of nought under a logarithm that is multiplied by nought.
SMALLEST = 1e-300


def in_common(rows: FloatArray) -> FloatArray:
    """How many columns two rows both have."""
    seen = (~np.isnan(rows)).astype(np.float64)
    count: FloatArray = seen @ seen.T
    return count


def over_columns(rows: FloatArray, terms: Sequence[Term], combine: np.ufunc = np.add) -> FloatArray:
    """The terms of all columns combined for each pair; a missing term counts as 0."""
    # Not scipy's pdist, which knows no gaps: a pair is compared over the columns that both have.
    # Column by column, so that a block of pairs stays in the cache whatever the number of columns.
    columns = np.ascontiguousarray(rows.T)
    gaps = [has_gaps(column) for column in columns]
    result = np.zeros((len(rows), len(rows)))
    for block in _blocks(len(rows)):
        part = np.zeros((block.stop - block.start, len(rows) - block.start))
        for column, gap, term in zip(columns, gaps, terms, strict=True):
            found = term(column[block, None], column[None, block.start :])
            if gap:
                found[np.isnan(found)] = 0.0
            combine(part, found, out=part)
        result[block, block.start :] = part
    return _mirrored(result)


def total(rows: FloatArray, term: Term) -> FloatArray:
    """The sum of one term over the columns, scaled up where some are missing."""
    count = in_common(rows)
    summed = over_columns(rows, [term] * rows.shape[1])
    scaled: FloatArray = summed * ratio(np.full(count.shape, float(rows.shape[1])), count)
    return scaled


def largest(rows: FloatArray, term: Term) -> FloatArray:
    """The largest term of any column."""
    found = over_columns(rows, [term] * rows.shape[1], np.maximum)
    found[in_common(rows) == 0] = np.nan
    return found


def share(rows: FloatArray, above: Term, below: Term) -> FloatArray:
    """The sum of one term relative to the sum of another, over the same columns."""
    count = rows.shape[1]
    return ratio(over_columns(rows, [above] * count), over_columns(rows, [below] * count))


def ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    """NaN where it would be divided by zero."""
    result = np.full(below.shape, np.nan)
    np.divide(above, below, out=result, where=below != 0)
    return result


def cosine(rows: FloatArray) -> FloatArray:
    """One minus the cosine of the angle between two rows."""
    seen = (~np.isnan(rows)).astype(np.float64)
    filled = np.where(np.isnan(rows), 0.0, rows)
    # An angle does not depend on size; squares of very large or small sizes are no floats.
    size = np.abs(filled).max(axis=1, keepdims=True)
    filled = filled / np.where(size == 0, 1.0, size)
    squares = filled**2 @ seen.T
    return _apart(ratio(filled @ filled.T, np.sqrt(squares * squares.T)))


def correlation(rows: FloatArray) -> FloatArray:
    """One minus Pearson's correlation of two rows."""
    return _apart(row_correlations(rows))


def jensen_shannon(rows: FloatArray) -> FloatArray:
    """The square root of the divergence of two rows from their mean, each of sum one (nats)."""
    filled = np.where(np.isnan(rows), 0.0, rows)
    sums = filled @ (~np.isnan(rows)).astype(np.float64).T
    if np.isnan(rows).any():
        result = _divergence_over_common(rows, sums)
    else:
        shares = ratio(rows, np.broadcast_to(sums[:, :1], rows.shape))
        result = over_columns(shares, [_divergence] * rows.shape[1])
    result = np.sqrt(np.maximum(result, 0.0) / 2)
    result[(sums == 0) | (sums.T == 0)] = np.nan
    return result


def _divergence(p: FloatArray, q: FloatArray) -> FloatArray:
    """The terms p log(p / m) + q log(q / m) with m = (p + q) / 2; exactly 0 where p is q."""
    middle = (p + q) / 2
    return _entropy(p) + _entropy(q) - 2 * _entropy(middle)


def _entropy(p: FloatArray) -> FloatArray:
    """The term p log p, which is 0 at 0."""
    return p * np.log(np.maximum(p, SMALLEST))


def _divergence_over_common(rows: FloatArray, sums: FloatArray) -> FloatArray:
    """The same where each pair has shares of its own: those of the columns that both have."""
    result = np.zeros(sums.shape)
    for block in _blocks(len(rows)):
        later = slice(block.start, len(rows))
        part = np.zeros((block.stop - block.start, len(rows) - block.start))
        for column in rows.T:
            p = ratio(column[block, None], sums[block, later])
            q = ratio(column[None, later], sums[later, block].T)
            found = _divergence(p, q)
            found[np.isnan(found)] = 0.0
            part += found
        result[block, later] = part
    return _mirrored(result)


def _apart(alike: FloatArray) -> FloatArray:
    result: FloatArray = np.clip(1.0 - alike, 0.0, 2.0)
    return result


def _blocks(n_objects: int) -> Iterator[slice]:
    """Slices of rows; each is compared with itself and all later rows."""
    begin = 0
    while begin < n_objects:
        end = min(begin + max(BLOCK // (n_objects - begin), 1), n_objects)
        yield slice(begin, end)
        begin = end


def _mirrored(upper: FloatArray) -> FloatArray:
    """The upper triangle on both sides."""
    above = np.triu(upper, 1)
    above += above.T.copy()
    return above
