"""What a person should know about a fit that is nevertheless valid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.arrays import FloatArray
from cml_core.errors import RedundantFeatures, listing
from cml_core.features import FeatureTable

# A feature that the ones before it predict up to this share of its spread adds nothing.
REDUNDANCY_TOLERANCE = 1e-8


@dataclass(frozen=True)
class Remark:
    """One sentence or two, and the kind of warning it is for those who use warnings."""

    text: str
    category: type[UserWarning]


def redundant_features(known: FeatureTable) -> tuple[Remark, ...]:
    """Features that do not vary, repeat another one, or follow from those before them."""
    earlier: list[tuple[str, FloatArray]] = []
    remarks = []
    for feature in known.features:
        columns = _standard(feature.columns())
        if not columns.any():
            remarks.append(f"{feature.name} is the same for all objects, so it explains nothing.")
            continue
        twins = [name for name, other in earlier if _follows(columns, other)]
        if twins:
            remarks.append(
                f"{feature.name} says the same as {twins[0]}; their shares cannot be told apart."
            )
        elif earlier and _follows(columns, np.hstack([other for _, other in earlier])):
            names = listing([name for name, _ in earlier])
            remarks.append(
                f"{feature.name} follows from {names} together; their shares cannot be told apart."
            )
        earlier.append((feature.name, columns))
    return tuple(Remark(text, RedundantFeatures) for text in remarks)


def rank_of(known: FeatureTable) -> int:
    """How many independent directions the known features span."""
    columns = _standard(known.encoded().values)
    if not columns.any():
        return 0
    sizes = np.linalg.svd(columns, compute_uv=False)
    return int((sizes > REDUNDANCY_TOLERANCE * sizes[0]).sum())


def _standard(columns: FloatArray) -> FloatArray:
    """Centred columns of unit spread, zero where they do not vary or are missing."""
    if not columns.size:
        return columns
    centred = columns - np.nanmean(columns, axis=0)
    spread = np.sqrt(np.nanmean(centred**2, axis=0))
    constant = spread <= 1e-12 * np.nanmax(np.abs(columns), axis=0)
    scaled = np.where(constant, 0.0, centred / np.where(constant, 1.0, spread))
    standard: FloatArray = np.nan_to_num(scaled, nan=0.0)
    return standard


def _follows(columns: FloatArray, others: FloatArray) -> bool:
    predicted = others @ np.linalg.lstsq(others, columns, rcond=None)[0]
    return bool(np.abs(columns - predicted).max() <= REDUNDANCY_TOLERANCE * np.abs(columns).max())
