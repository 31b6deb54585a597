"""The door for numbers: whatever holds them becomes floats, or says which entry is none."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Context, Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from pandas.api.types import is_complex_dtype, is_numeric_dtype

from cml_core.errors import UnknownOption
from cml_core.values.arrays import RealArray

# The largest float is 1.8e308: squares of numbers up to this, added up over 10^8 pairs, are finite.
LARGEST_SQUARED = 1e150


class NoNumber(ValueError):
    """An entry that is no number: where it stands, and what it is."""

    def __init__(self, place: tuple[int, ...], entry: object) -> None:
        super().__init__(place, entry)
        self.place = place
        self.shown = repr(str(entry)[:40])


class UnevenRows(ValueError):
    """Rows of different lengths, which make no table."""


def real_array(values: Any) -> RealArray:
    """Contiguous floats, NaN where an entry is missing; an array of floats as it is.

    Missing are None, NaN, `pandas.NA`, what is masked, and empty text. Single precision stays
    where everything comes so, all else becomes double.

    Raises
    ------
    NoNumber : for the first entry that is neither a number, nor one as text, nor missing.
    UnevenRows : where nested lists are of different lengths.
    """
    entries = _as_array(values)
    if entries.dtype.kind in "biuf":
        precision: Any = np.float32 if entries.dtype == np.float32 else np.float64
        # What only extended precision can hold becomes infinite, and is refused as such.
        with np.errstate(over="ignore"):
            floats: RealArray = np.asarray(entries, dtype=precision, order="C")
        return floats
    # One by one, so that the error can name the entry; numbers as such have left by now.
    numbers = np.empty(entries.shape)
    for place, entry in np.ndenumerate(entries):
        try:
            numbers[place] = _number(entry)
        except (TypeError, ValueError, OverflowError):
            raise NoNumber(place, entry) from None
    return numbers


def size_in_words(array: RealArray) -> str:
    """The shape of an array: a single value, a list of 5, 3 x 4."""
    if array.ndim == 1:
        return f"a list of {array.size}"
    return " x ".join(str(size) for size in array.shape) or "a single value"


def is_real(value: object) -> bool:
    """Whether this is one real number; truth and spans of time are none."""
    return isinstance(value, Real) and not isinstance(value, bool | np.timedelta64)


def whole_number(name: str, value: Any, *, least: int = 0) -> int:
    """The value of an option that counts something; raise `UnknownOption` unless it does."""
    counts = is_real(value) and isinstance(value, Integral)
    if not (counts and value >= least):
        raise UnknownOption(
            f"{name} is {value!r}.", remedy=f"Give a whole number, {least} or more."
        )
    return int(value)


def real_number(name: str, value: Any, allowed: Callable[[float], bool], kind: str) -> float:
    """The value of an option that measures something; raise `UnknownOption` unless allowed."""
    if not (is_real(value) and allowed(value)):
        raise UnknownOption(f"{name} is {value!r}.", remedy=f"Give {kind}.")
    return float(value)


def rounded_up(value: float) -> float:
    """The next number of six decimal digits that is no less."""
    return float(Context(prec=6, rounding=ROUND_CEILING).create_decimal(value))


def _as_array(values: Any) -> Any:
    """An array of whatever the container holds."""
    if isinstance(values, pd.DataFrame):
        return _plain(values, list(values.dtypes))
    if isinstance(values, pd.Series | pd.Index | ExtensionArray):
        return _plain(values, [values.dtype])
    if isinstance(values, np.ma.MaskedArray):
        # Only floats and objects can say that something is missing.
        masked: Any = values if values.dtype.kind == "f" else values.astype(object)
        return masked.filled(np.nan)
    try:
        return np.asarray(values)
    except ValueError:
        raise UnevenRows("The rows are of different lengths.") from None


def _plain(values: Any, types: list[Any]) -> Any:
    if not all(is_numeric_dtype(each) and not is_complex_dtype(each) for each in types):
        return values.to_numpy(dtype=object)
    single = bool(types) and all(each == np.float32 for each in types)
    return values.to_numpy(dtype=np.float32 if single else np.float64, na_value=np.nan)


def _number(entry: Any) -> float:
    """NaN where missing; raises an error of Python's own where it is no number."""
    if isinstance(entry, str):
        # Python takes 1_000 for a number; people do not write so.
        return float(entry.replace("_", "?")) if entry.strip() else np.nan
    if is_real(entry) or isinstance(entry, bool | np.bool_ | Decimal):
        return float(entry)
    if np.ndim(entry) == 0 and pd.isna(entry):
        return np.nan
    raise TypeError
