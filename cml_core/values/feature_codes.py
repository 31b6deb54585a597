"""What people write down of objects becomes numbers: quantities, dates, groups."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import (
    is_bool_dtype,
    is_datetime64_any_dtype,
    is_list_like,
    is_numeric_dtype,
    is_timedelta64_dtype,
)

from cml_core.errors import UnsuitableFeature, listing
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.real_numbers import NoNumber, is_real, real_array

# From here on floats no longer hold every whole number.
LARGEST_WHOLE = 2.0**53


def column_of(name: str, values: Any) -> pd.Series:
    """The values as a column with one entry an object; entries of a list keep their own types."""
    refusal = UnsuitableFeature(
        f"The values of {name} are no plain list.", remedy="Give one value for each object."
    )
    if not is_list_like(values, allow_sets=False):
        raise refusal
    try:
        column = pd.Series(values, dtype=None if hasattr(values, "dtype") else object)
    except (TypeError, ValueError):
        raise refusal from None
    if column.dtype == object and any(is_list_like(entry) for entry in column):
        raise refusal
    return column


def is_quantity(column: pd.Series) -> bool:
    """Whether a column is made of numbers; truth is none, and neither is a number in quotes."""
    if column.dtype != object:
        return is_numeric_dtype(column.dtype) and not is_bool_dtype(column.dtype)
    present = column[column.notna()]
    return len(present) > 0 and all(
        is_real(entry) or isinstance(entry, Decimal) for entry in present
    )


def numbers_of(name: str, values: Any) -> FloatArray:
    """A quantity, NaN where missing; dates count in days since 1970, spans of time in days."""
    column: Any = column_of(name, values)
    if is_datetime64_any_dtype(column.dtype):
        column = column - pd.Timestamp(0, tz=column.dt.tz)
    if is_timedelta64_dtype(column.dtype):
        column = column / pd.Timedelta(days=1)
    try:
        return real_array(column).astype(np.float64)
    except NoNumber as error:
        raise UnsuitableFeature(
            f"{name} is {error.shown} for object {error.place[0] + 1}: no number.",
            remedy="Correct the value, or make the feature categorical.",
        ) from None


def codes_of(
    name: str, values: Any, levels: Sequence[object] | None
) -> tuple[FloatArray, tuple[str, ...]]:
    """Level indices, NaN where missing, and level names."""
    places, texts = _distinct_texts(column_of(name, values))
    # In the order of appearance; that of the alphabet would mean as little, and move with a name.
    names = tuple(dict.fromkeys(texts))
    if levels is not None:
        allowed = tuple(level_name(level) for level in levels)
        stray = [text for text in names if text not in allowed]
        if stray:
            raise UnsuitableFeature(
                f"{name} has the value {stray[0]!r}; its levels are {listing(allowed)}.",
                remedy="List every level once, in its order.",
            )
        names = allowed
    index = {text: float(i) for i, text in enumerate(names)}
    # A gap has the place -1, which is the last.
    return np.array([*(index[text] for text in texts), np.nan])[places], names


def _distinct_texts(column: pd.Series) -> tuple[IntArray, list[str]]:
    """For each entry where its text stands, -1 where it is missing; and the texts."""
    if column.dtype == object:
        # By their texts: 1 and True are equal, and yet two groups.
        gaps = column.isna()
        texts = [
            None if gap else level_name(entry) for entry, gap in zip(column, gaps, strict=True)
        ]
        places, names = pd.factorize(pd.Series(texts, dtype=object))
        return places, list(names)
    places, distinct = pd.factorize(column)
    return places, [level_name(entry) for entry in pd.Series(distinct)]


def level_name(level: Any) -> str:
    """A level as text; a whole number reads the same whether or not gaps made it a float."""
    if is_real(level) and abs(level) < LARGEST_WHOLE and level % 1 == 0:
        return str(int(level))
    return str(level)
