"""Groups: k + 1 of them are k contrasts, in which all are equally far apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from cml_core.errors import listing
from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.grouping import grouped
from cml_core.values.kinds.kind import Kind
from cml_core.values.kinds.parts import HasValues, Parts

MOST_LEVELS_NAMED = 3


def equidistant_contrasts(n_levels: int) -> FloatArray:
    """Rows that are all the distance sqrt(2) apart, in orthonormal, centred columns.

    One level alone is a constant: a single column of zeros.
    """
    # One column a level would be one too many, and k columns against a first level would put that
    # one nearer to all others than these are to each other.
    if n_levels < 2:
        return np.zeros((max(n_levels, 1), 1))
    contrasts = np.zeros((n_levels, n_levels - 1))
    for k in range(1, n_levels):
        contrasts[:k, k - 1] = 1.0
        contrasts[k, k - 1] = -k
        contrasts[:, k - 1] /= np.sqrt(k * (k + 1.0))
    return contrasts


def _columns(feature: HasValues) -> FloatArray:
    contrasts = equidistant_contrasts(len(feature.levels))
    codes = np.where(feature.missing, 0, feature.values).astype(np.int64)
    encoded: FloatArray = np.where(feature.missing[:, None], np.nan, contrasts[codes])
    return encoded


def _column_names(feature: HasValues) -> tuple[str, ...]:
    return tuple(f"{feature.name} [{k + 1}]" for k in range(max(len(feature.levels) - 1, 1)))


def _column_words(feature: HasValues) -> tuple[str, ...]:
    """The first categories against the next."""
    if len(feature.levels) < 2:
        return _column_names(feature)
    return tuple(
        f"{feature.name}: {listing(feature.levels[:k], MOST_LEVELS_NAMED)} against {level}"
        for k, level in enumerate(feature.levels)
        if k
    )


def _decoded(columns: FloatArray, feature: HasValues) -> FloatArray:
    contrasts = equidistant_contrasts(len(feature.levels))
    gaps = ((columns[:, None, :] - contrasts[None, :, :]) ** 2).sum(axis=2)
    nearest: FloatArray = np.where(np.isnan(gaps).any(axis=1), np.nan, gaps.argmin(axis=1))
    return nearest


def _heights(feature: HasValues) -> FloatArray | None:
    """Of two categories 0 and 1."""
    present = np.unique(feature.values[~feature.missing])
    if present.size > 2:
        return None
    return np.where(feature.missing, np.nan, feature.values == present[-1])


def _per_step(feature: HasValues, coef: FloatArray) -> float:
    """The mean over all pairs of categories that occur."""
    occurring = np.unique(_columns(feature)[~feature.missing], axis=0)
    steps = [((a - b) @ coef) ** 2 for a, b in combinations(occurring, 2)]
    return float(np.sum(steps)) / max(len(steps), 1)


def _converted(feature: HasValues, _: Sequence[str], __: float | None) -> Parts:
    return grouped(feature)


KIND = Kind(
    "categorical",
    meaning="groups without an order",
    step="another category",
    colouring="categorical",
    ordered=False,
    has_levels=True,
    columns=_columns,
    column_names=_column_names,
    column_words=_column_words,
    decoded=_decoded,
    flipped=None,
    heights=_heights,
    no_height="made of more than two categories",
    per_step=_per_step,
    converted=_converted,
)
