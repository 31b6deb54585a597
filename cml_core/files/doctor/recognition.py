"""What kind of table this seems to be; nothing is converted because of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import is_constant

# Objects whose rows are compared; those of a larger table are taken at even steps.
COMPARED = 150
FEWEST_COMPARED = 8
# Rows of close objects are alike. A table is reversed where the opposite holds this clearly: for
# numbers drawn at random the correlation is below -1.7/√N in less than one table of a hundred.
REVERSED, BY_CHANCE = 0.4, 1.7
# Rows of a table of shares add up to one, or to 100 per cent, up to rounding as printed.
SHARES_ROUNDING = 0.015


@dataclass(frozen=True)
class Recognition:
    """What a table seems to hold.

    Parameters
    ----------
    kind : "dissimilarities", "correlations", "similarities", "counts" or "confusion".
    why : in a sentence.
    conversion : the key of the conversion that is suggested.
    certain : whether the diagonal says so; otherwise it is a suspicion from the pattern.
    """

    kind: str
    why: str
    conversion: str
    certain: bool = True


def recognised(raw: RawTable) -> Recognition:
    """What a table seems to hold, why, and which conversion suits it.

    A diagonal that is larger than the rest speaks of similarities. Where it is zero or not
    given, rows are compared: two objects that are close to each other should be about as far
    from all others. Where instead large values go with rows that are alike, they are probably
    similarities.
    """
    values = np.where(np.eye(raw.n_objects, dtype=bool), np.nan, raw.values)
    if np.isnan(values).all() or raw.n_objects < 3:
        return Recognition("dissimilarities", "Nothing is known of any pair.", "none", False)
    diagonal = np.diagonal(raw.values)
    with np.errstate(all="ignore"):
        if np.isnan(diagonal).any() or not diagonal.any():
            return _from_pattern(raw, values)
        return _from_diagonal(values, diagonal) or _from_pattern(raw, values)


def _from_diagonal(values: FloatArray, diagonal: FloatArray) -> Recognition | None:
    """What a diagonal that is given, and not all zero, says; None where it says nothing."""
    largest = np.fmax(np.fmax.reduce(values, axis=1), np.fmax.reduce(values, axis=0))
    if not (diagonal >= np.nan_to_num(largest, nan=-np.inf)).all() or (diagonal <= 0).any():
        return None
    sizes = np.abs(values)
    if (diagonal == 1).all() and not (sizes > 1).any():
        return _of_ones(values)
    if _are_confusions(values, diagonal):
        return Recognition(
            "confusion",
            "Rows and columns differ, no value is below zero, and each object goes most often "
            "with itself.",
            "confusion",
        )
    if _are_counts(values, diagonal):
        return Recognition(
            "counts",
            "All values are whole numbers, and each object goes most often with itself.",
            "cooccurrence",
        )
    return Recognition(
        "similarities", "Each object is more like itself than like any other.", "from_max"
    )


def _of_ones(values: FloatArray) -> Recognition:
    if (values < 0).any():
        return Recognition(
            "correlations",
            "The diagonal is one, and all values lie between -1 and 1.",
            "root_one_minus",
        )
    return Recognition(
        "similarities", "The diagonal is one, and all values lie between 0 and 1.", "one_minus"
    )


def _are_counts(values: FloatArray, diagonal: FloatArray) -> bool:
    known = np.concatenate((values[~np.isnan(values)], diagonal))
    return bool((known >= 0).all() and (known % 1 == 0).all())


def _are_confusions(values: FloatArray, diagonal: FloatArray) -> bool:
    both = ~np.isnan(values) & ~np.isnan(values.T)
    if not (values[both] != values.T[both]).any():
        return False
    rows = diagonal + np.where(np.isnan(values), 0.0, values).sum(axis=1)
    shares = any((np.abs(rows - whole) <= SHARES_ROUNDING * whole).all() for whole in (1.0, 100.0))
    return _are_counts(values, diagonal) or (shares and not (values < 0).any())


def _from_pattern(raw: RawTable, values: FloatArray) -> Recognition:
    """What the likeness of rows says where the diagonal says nothing."""
    agreement = _agreement(values)
    if -agreement < max(REVERSED, BY_CHANCE / np.sqrt(min(raw.n_objects, COMPARED))):
        return Recognition(
            "dissimilarities", "Nothing speaks for similarities.", "none", certain=False
        )
    why = (
        "Pairs with large values have rows that are alike, and pairs with small values rows that "
        f"differ (correlation {-agreement:.2f}): the table looks the wrong way round for "
        "dissimilarities."
    )
    known = values[~np.isnan(values)]
    if (known >= 0).all() and (known <= 1).all():
        return Recognition("similarities", why, "one_minus", certain=False)
    if _are_counts(values, np.zeros(raw.n_objects)):
        return Recognition("counts", why, "cooccurrence", certain=False)
    return Recognition("similarities", why, "from_max", certain=False)


def _agreement(values: FloatArray) -> float:
    """The correlation of each pair's value with how much its two rows differ elsewhere.

    Positive for distances, negative for similarities; 0 where too little is known.
    """
    # A table that is taken the wrong way round gives a map that is inside out, and looks sound. So
    # even where the diagonal is silent, the pattern is asked.
    step = -(-len(values) // COMPARED)
    part = values[::step, ::step]
    both = np.where(np.isnan(part), part.T, part)
    both = np.where(np.isnan(both.T), both, both / 2 + both.T / 2)
    if len(both) < FEWEST_COMPARED or np.isnan(both).sum() > len(both) * len(both) / 2:
        return 0.0
    largest = np.nanmax(np.abs(both))
    if not 0 < largest < np.inf:
        return 0.0
    both = both / largest
    filled = np.where(np.isnan(both), np.nanmean(both), both)
    upper = np.triu_indices(len(both), 1)
    known = ~np.isnan(both[upper])
    elsewhere = _differences_elsewhere(filled)[upper][known]
    own = both[upper][known]
    if is_constant(own) or is_constant(elsewhere):
        return 0.0
    return float(np.corrcoef(own, elsewhere)[0, 1])


def _differences_elsewhere(square: FloatArray) -> FloatArray:
    """How much the rows of two objects differ, but for what they say of these two."""
    n = len(square)
    squares = np.zeros((n, n))
    squares[np.triu_indices(n, 1)] = pdist(square, "sqeuclidean")
    squares += squares.T
    diagonal = np.diagonal(square)
    own = (diagonal[:, None] - square) ** 2
    elsewhere: FloatArray = np.sqrt(np.maximum(squares - own - own.T, 0.0))
    return elsewhere
