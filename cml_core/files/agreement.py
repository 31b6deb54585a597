"""Several square tables of the same pairs become one: their mean, spread and agreement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.columns import varying

# Entries by which the agreement is judged, of each table and of all; more would cost time and
# change nothing.
MOST_ENTRIES = 20_000
MOST_IN_ALL = 4_000_000
# In correlation, below that of the others among themselves.
FAR_OFF = 0.25
# A difference of sums of squares that is less than this share of them is rounding.
ROUNDING = 1e-12


def mean_and_spread(tables: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Mean of each entry over the tables that have it, and its standard deviation.

    Parameters
    ----------
    tables : of one shape; NaN is missing.

    Returns
    -------
    The mean, NaN where no table has a value, and the standard deviation (with n - 1), NaN where
    fewer than two have one.
    """
    count, mean, squares = (np.zeros(tables[0].shape) for _ in range(3))
    unit = _unit(tables)
    # Welford's updates: the usual difference of sums is all rounding where raters agree.
    for table in tables:
        seen = ~np.isnan(table)
        count += seen
        gap = np.where(seen, table / unit - mean, 0.0)
        mean += gap / np.maximum(count, 1)
        squares += gap * np.where(seen, table / unit - mean, 0.0)
    mean[count == 0] = np.nan
    variance = np.where(count > 1, squares / np.maximum(count - 1, 1), np.nan)
    return mean * unit, np.sqrt(variance) * unit


def _unit(tables: Sequence[FloatArray]) -> float:
    """The power of two by which values become smaller than one: exact, and squares stay finite.

    The largest floats are divided by half of it, so that it is a float itself.
    """
    largest = max(float(np.fmax.reduce(np.abs(table), axis=None, initial=0.0)) for table in tables)
    return float(np.ldexp(1.0, min(int(np.frexp(largest)[1]), 1023)))


def row_correlations(rows: FloatArray) -> FloatArray:
    """(N, N) Pearson correlations of rows over the columns that both have; NaN where undefined.

    A correlation is undefined where one of the two does not vary over the common columns.
    """
    seen = (~np.isnan(rows)).astype(np.float64)
    filled = _centred(rows, seen)
    # Each pair of rows has its own means, over the columns that both have; products of matrices
    # find them all at once.
    count = np.maximum(seen @ seen.T, 1)
    sums, squares = filled @ seen.T, filled**2 @ seen.T
    common = filled @ filled.T - sums * sums.T / count
    variance = squares - sums**2 / count
    variance[variance <= ROUNDING * squares] = np.nan
    result = common / np.sqrt(variance * variance.T)
    bounded: FloatArray = np.clip(result, -1.0, 1.0)
    return bounded


def agreement_notes(tables: Sequence[FloatArray], names: Sequence[str]) -> tuple[str, ...]:
    """How much square tables agree on pairs of different objects, in sentences."""
    entries = _entries(len(tables[0]), min(MOST_ENTRIES, MOST_IN_ALL // len(tables)))
    return agreement_in_words(np.array([table.ravel()[entries] for table in tables]), names)


def agreement_in_words(rows: FloatArray, names: Sequence[str]) -> tuple[str, ...]:
    """How much people agree, in sentences; who agrees least, if far off.

    The agreement of two is the correlation of what they say of the same pairs.

    Parameters
    ----------
    rows : (K, M) what each person says; NaN where nothing.
    names : of the people.
    """
    between = row_correlations(rows)
    np.fill_diagonal(between, np.nan)
    defined = ~np.isnan(between)
    if not defined.any():
        return ("How much they agree cannot be said: too few pairs are common to them, or vary.",)
    overall = float(between[defined].mean())
    who, average = "They", ""
    if len(rows) > 2:
        who, average = f"Two of the {len(rows)}", " on average"
    note = f"{who} correlate by {overall:.2f}{average}, {_in_words(overall)}."
    return (note, *_outlier(between, names))


def _centred(rows: FloatArray, seen: FloatArray) -> FloatArray:
    """Rows without their mean, and of size one, so that sums of squares neither cancel nor burst.

    Gaps become zero, and so does a row that does not vary.
    """
    filled = np.where(np.isnan(rows), 0.0, rows)
    size = np.abs(filled).max(axis=1, keepdims=True, initial=0.0)
    scaled = filled / np.where(size == 0, 1.0, size)
    mean = scaled.sum(axis=1, keepdims=True) / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    centred = (scaled - mean) * seen
    spread = np.abs(centred).max(axis=1, keepdims=True, initial=0.0)
    varies = varying(rows.T)[:, None]
    unit: FloatArray = np.where(varies, centred / np.where(varies, spread, 1.0), 0.0)
    return unit


def _entries(n_objects: int, most: int) -> IntArray:
    """Where entries off the diagonal stand in a flattened table; drawn by lot where many."""
    if n_objects * (n_objects - 1) <= most:
        return np.flatnonzero(~np.eye(n_objects, dtype=np.bool_)).astype(np.int64)
    random = np.random.default_rng(0)
    row = random.integers(n_objects, size=most)
    column = random.integers(n_objects - 1, size=most)
    flat: IntArray = np.unique(row * n_objects + column + (column >= row))
    return flat


def _in_words(correlation: float) -> str:
    if correlation >= 0.7:
        return "so they agree well"
    if correlation >= 0.3:
        return "so they agree in part"
    return "so they hardly agree, and their mean may hide different views"


def _outlier(between: FloatArray, names: Sequence[str]) -> tuple[str, ...]:
    if len(names) < 3:
        return ()
    defined = ~np.isnan(between)
    each = np.where(defined, between, 0.0).sum(axis=1) / np.maximum(defined.sum(axis=1), 1)
    each[~defined.any(axis=1)] = np.nan
    least = int(np.nanargmin(each))
    rest = np.delete(np.delete(between, least, 0), least, 1)
    if np.isnan(rest).all():
        return ()
    others = float(rest[~np.isnan(rest)].mean())
    if others - each[least] < FAR_OFF:
        return ()
    turned = "; perhaps its values are similarities" if each[least] < -FAR_OFF else ""
    return (
        f"{names[least]} agrees least: it correlates by {each[least]:.2f} with the others, "
        f"which correlate by {others:.2f} among themselves{turned}.",
    )
