"""What a person should know about a fit that is nevertheless valid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import RedundantFeatures, listing
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import varying
from cml_core.values.features import FeatureTable

# A feature that the ones before it predict up to this share of its spread adds nothing.
REDUNDANCY_TOLERANCE = 1e-8


@dataclass(frozen=True)
class Remark:
    """One sentence or two, and the kind of warning it is for those who use warnings."""

    text: str
    category: type[UserWarning]


def redundant_features(known: FeatureTable) -> tuple[Remark, ...]:
    """Features that do not vary, repeat another one, or follow from the others."""
    left = {feature.name: _standard(feature.columns()) for feature in known.features}
    said: dict[str, str] = {}
    # The last first: of features that follow from each other, the earlier ones stand.
    for name in reversed(known.names):
        columns = left.pop(name)
        if not columns.any():
            said[name] = f"{name} is the same for all objects, so it explains nothing."
        elif source := _what_it_repeats(columns, left):
            said[name] = f"{name} {source}; their shares cannot be told apart."
        else:
            left = {name: columns, **left}
    return tuple(Remark(said[name], RedundantFeatures) for name in known.names if name in said)


def _what_it_repeats(columns: FloatArray, others: dict[str, FloatArray]) -> str:
    """Which other features say what these columns say; empty where they say something new."""
    varying = {name: other for name, other in others.items() if other.any()}
    enough = [name for name, other in varying.items() if _follows(columns, other)]
    for name in enough:
        if _follows(varying[name], columns):
            return f"says the same as {name}"
    if enough:
        return f"follows from {enough[0]}"
    if varying and _follows(columns, np.hstack(list(varying.values()))):
        return f"follows from {listing(list(varying))} together"
    return ""


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
    varies = varying(columns)
    scaled = np.where(varies, centred / np.where(varies, spread, 1.0), 0.0)
    standard: FloatArray = np.nan_to_num(scaled, nan=0.0)
    return standard


def _follows(columns: FloatArray, others: FloatArray) -> bool:
    # By least squares, for "follows" is more than "correlates": a sum of three features counts too.
    predicted = others @ np.linalg.lstsq(others, columns, rcond=None)[0]
    return bool(np.abs(columns - predicted).max() <= REDUNDANCY_TOLERANCE * np.abs(columns).max())
