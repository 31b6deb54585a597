"""Features with levels: what the kinds that have them, and conversions from them, share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.values.arrays import FloatArray
from cml_core.values.feature_codes import level_name
from cml_core.values.kinds.parts import HasValues, Parts
from cml_core.values.quantities import DAYS, GAPS_AMONG_WORDS, date_text


def words_of(texts: Sequence[str]) -> list[str | None]:
    """The texts of a column, None where they say that nothing is known."""
    return [None if text in GAPS_AMONG_WORDS else text for text in texts]


def grouped(feature: HasValues) -> Parts:
    """The levels of a feature; numbers become levels that rise, written as people write them."""
    if feature.levels:
        return Parts(feature.values, feature.levels, origin=feature.origin)
    dated = feature.unit == DAYS
    numbers = np.unique(feature.values[~feature.missing])
    levels = tuple(date_text(number) if dated else level_name(float(number)) for number in numbers)
    codes = np.searchsorted(numbers, feature.values).astype(np.float64)
    codes[feature.missing] = np.nan
    return Parts(codes, levels, origin="given" if dated else feature.origin)


def of_levels(coded: HasValues | Parts, numbers: FloatArray) -> FloatArray:
    """A number for each object by its level; NaN where missing."""
    missing = np.isnan(coded.values)
    codes = np.where(missing, 0, coded.values).astype(np.int64)
    found: FloatArray = np.where(missing, np.nan, numbers[codes])
    return found


def in_quotes(names: Sequence[str]) -> list[str]:
    """Names as they stand in a sentence about them."""
    return [repr(name[:40]) for name in names]
