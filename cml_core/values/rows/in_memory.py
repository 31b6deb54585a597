"""Rows of an array, in memory or mapped from a .npy file, and of a DataFrame."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from cml_core.errors import (
    ConditionalMappingError,
    NotNumeric,
    UnreadableFile,
    UnsuitableMeasurements,
)
from cml_core.values.arrays import FloatArray
from cml_core.values.feature_codes import column_of, is_quantity, level_name
from cml_core.values.real_numbers import NoNumber, UnevenRows, real_array, size_in_words
from cml_core.values.rows.rows import Column, Place


@dataclass(frozen=True, eq=False)
class ArrayRows:
    """Rows of an (N, K) array of numbers, which is not copied."""

    array: Any
    columns: tuple[Column, ...]
    labels: tuple[str, ...] | None = None
    here: bool = True

    @property
    def n_rows(self) -> int:
        return len(self.array)

    def blocks(self, size: int) -> Iterator[FloatArray]:
        for first in range(0, self.n_rows, size):
            yield np.array(self.array[first : first + size], dtype=np.float64, order="C")

    def parts(self, size: int) -> Iterator[ArrayRows]:
        for first in range(0, self.n_rows, size):
            yield ArrayRows(np.array(self.array[first : first + size]), self.columns)


@dataclass(frozen=True, eq=False)
class NpyRows:
    """Rows of a .npy file, `n_rows` from the `first` on; only what is asked for is read."""

    place: Place
    columns: tuple[Column, ...]
    n_rows: int
    first: int = 0
    labels: tuple[str, ...] | None = None

    @property
    def here(self) -> bool:
        return self.place.here

    def blocks(self, size: int) -> Iterator[FloatArray]:
        with told(self.place.path):
            array = np.load(self.place.path, mmap_mode="r", allow_pickle=False)
        yield from ArrayRows(array[self.first : self.first + self.n_rows], self.columns).blocks(
            size
        )

    def parts(self, size: int) -> Iterator[NpyRows]:
        for first in range(0, self.n_rows, size):
            count = min(size, self.n_rows - first)
            yield NpyRows(self.place, self.columns, count, self.first + first)


@dataclass(frozen=True, eq=False)
class FrameRows:
    """Rows of a DataFrame: numbers as they are, all else as groups."""

    frame: pd.DataFrame
    here: bool = True

    @property
    def n_rows(self) -> int:
        return len(self.frame)

    @property
    def labels(self) -> tuple[str, ...] | None:
        index = self.frame.index
        return None if isinstance(index, pd.RangeIndex) else tuple(str(name) for name in index)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(column for column, _ in self._coded)

    @cached_property
    def _coded(self) -> tuple[tuple[Column, Any], ...]:
        return tuple(
            _coded(str(name), self.frame.iloc[:, k]) for k, name in enumerate(self.frame.columns)
        )

    def blocks(self, size: int) -> Iterator[FloatArray]:
        parts = [values for _, values in self._coded]
        for first in range(0, self.n_rows, size):
            block = np.empty((min(size, self.n_rows - first), len(parts)))
            for k, values in enumerate(parts):
                block[:, k] = values[first : first + size]
            yield block

    def parts(self, size: int) -> Iterator[ArrayRows]:
        # As numbers: of a part alone it may not show which columns are groups.
        for block in self.blocks(size):
            yield ArrayRows(block, self.columns)


def rows_of_array(values: Any) -> ArrayRows:
    """Rows of an array, or of nested lists."""
    array = values if _is_plain(values) else _numbers(values)
    if array.ndim != 2 or not array.shape[1]:
        raise UnsuitableMeasurements(
            f"The measurements are {size_in_words(array)}.",
            remedy="Give a table: one row for each object, one column for each measurement.",
        )
    names = tuple(Column(f"column {k + 1}") for k in range(array.shape[1]))
    return ArrayRows(array, names)


def rows_of_npy(path: Path) -> NpyRows:
    """Rows of a .npy file, mapped into memory."""
    with told(path):
        rows = rows_of_array(np.load(path, mmap_mode="r", allow_pickle=False))
        return NpyRows(Place.of(path), rows.columns, rows.n_rows)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What numpy says of a damaged file, in words."""
    try:
        yield
    except (OSError, ValueError, EOFError) as error:
        if isinstance(error, ConditionalMappingError):
            raise
        raise UnreadableFile(
            f"{path.name} is no whole .npy file: {error}.",
            remedy="Save the array again with numpy.save.",
        ) from None


def _is_plain(values: Any) -> bool:
    return (
        isinstance(values, np.ndarray)
        and values.dtype.kind in "biuf"
        and (not isinstance(values, np.ma.MaskedArray))
    )


def _numbers(values: Any) -> Any:
    try:
        return real_array(values)
    except UnevenRows:
        raise UnsuitableMeasurements(
            "The rows of the measurements are of different lengths.",
            remedy="Give every object as many measurements as the others.",
        ) from None
    except NoNumber as error:
        place = [
            f"{name} {at + 1}" for name, at in zip(("row", "column"), error.place, strict=False)
        ]
        raise NotNumeric(
            f"The measurement in {', '.join(place)} is {error.shown}: no number."
            if place
            else f"What was given for measurements is {error.shown}.",
            remedy="Correct it, leave the column out, or give a DataFrame and measure='gower', "
            "which compares groups too.",
        ) from None


def _coded(name: str, values: pd.Series) -> tuple[Column, Any]:
    """A column and its numbers: amounts, ranks of an ordered categorical, or places of groups."""
    column = column_of(name, values)
    ordered = isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered
    if ordered:
        codes = column.cat.codes.to_numpy(dtype=np.float64)
        return Column(name), np.where(codes < 0, np.nan, codes)
    if is_quantity(column):
        numeric = is_numeric_dtype(column.dtype)
        return Column(name), (
            column.to_numpy(dtype=np.float64, na_value=np.nan) if numeric else real_array(column)
        )
    codes, levels = pd.factorize(column)
    numbers = np.where(codes < 0, np.nan, codes.astype(np.float64))
    return Column(name, tuple(level_name(level) for level in levels)), numbers
