"""Dissimilarities between named objects: symmetric, non-negative, gaps known."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

from cml_core.errors import (
    AsymmetricDissimilarities,
    DuplicateLabels,
    InfiniteDissimilarities,
    LabelMismatch,
    LengthMismatch,
    NegativeDissimilarities,
    NonzeroDiagonal,
    NothingObserved,
    NothingToExplain,
    NotNumeric,
    NotSquare,
    ObjectWithoutPairs,
    TooFewObjects,
    listing,
)
from cml_core.values.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    RealArray,
    Value,
    frozen,
    has_gaps,
    lent,
    pair_count,
    pair_of,
    row_of,
    settled,
)
from cml_core.values.condense import condense, row_sums
from cml_core.values.real_numbers import NoNumber, UnevenRows, real_array, size_in_words
from cml_core.values.words import counted

# Two directions that differ by less than this share of the largest entry are rounding error.
SYMMETRY_TOLERANCE = 1e-8
DIAGONAL_TOLERANCE = 1e-8


@dataclass(frozen=True, eq=False, repr=False)
class Dissimilarities(Value):
    """What is known of how far N objects are from each other.

    Parameters
    ----------
    labels : N different names.
    condensed : (N(N-1)/2,) values of the pairs (0,1), (0,2), …, (1,2), …; NaN is missing.
        Kept in single precision where they come so, otherwise in double; read-only.
    """

    labels: tuple[str, ...]
    condensed: RealArray

    def __post_init__(self) -> None:
        labels = tuple(str(label) for label in self.labels)
        condensed = settled(_reals(self.condensed).ravel())
        lowest, highest = _extent(condensed)
        # Looked at once for all: of a large table each look takes as long as a pass of a fit.
        if -SYMMETRY_TOLERANCE * max(highest, 0.0) <= lowest < 0:
            condensed, lowest = _without_rounding_below_zero(condensed), 0.0
        check_labels(labels)
        if len(labels) < 3:
            raise TooFewObjects(
                f"There are {len(labels)} objects.", remedy="A map needs at least 3."
            )
        if condensed.size != pair_count(len(labels)):
            raise LengthMismatch(
                f"{condensed.size} dissimilarities do not belong to {len(labels)} labels, "
                f"which have {pair_count(len(labels))} pairs.",
                remedy="Give one dissimilarity for each pair.",
            )
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "condensed", condensed)
        _check_values(condensed, lowest, highest, labels)

    @classmethod
    def from_condensed(
        cls, values: Any, labels: Sequence[object] | None = None, *, copy: bool = True
    ) -> Dissimilarities:
        """From the upper triangle, row after row, as `scipy.spatial.distance.pdist` gives it.

        Without `copy`, an array of floats is used where it lies; nobody may change it later.
        """
        condensed = _reals(values)
        n = round((1 + float(np.sqrt(1 + 8 * condensed.size))) / 2) if condensed.size else 0
        if condensed.ndim != 1 or pair_count(n) != condensed.size:
            raise NotSquare(
                f"A vector of {condensed.size} values is not a triangle of pairs.",
                remedy="Give N(N-1)/2 values, or a square table.",
            )
        return cls(labels_for(labels, n), frozen(condensed) if copy else lent(condensed))

    @classmethod
    def from_square(cls, table: Any, labels: Sequence[object] | None = None) -> Dissimilarities:
        """From an N x N array or DataFrame; a pair known in one direction is taken from there."""
        if isinstance(table, pd.DataFrame):
            table, named = _joined_by_label(table)
            labels = named if labels is None else labels
        square = _reals(table)
        if square.ndim != 2 or square.shape[0] != square.shape[1]:
            raise NotSquare(
                f"The table of dissimilarities is {size_in_words(square)}.",
                remedy="Give as many columns as rows, or N(N-1)/2 values of the upper triangle.",
            )
        n = square.shape[0]
        names = labels_for(labels, n)
        if n < 3:
            raise TooFewObjects(f"There are {n} objects.", remedy="A map needs at least 3.")
        condensed: RealArray = np.empty(pair_count(n), square.dtype)
        gap = condense(square, condensed)
        # Read-only from the start, so that the value below takes this array and makes no other.
        condensed.setflags(write=False)
        _check_diagonal(square, condensed, names)
        result = cls(names, condensed)
        _check_symmetry(square, gap, result)
        return result

    @classmethod
    def of(
        cls, values: Any, labels: Sequence[object] | None = None, *, copy: bool = True
    ) -> Dissimilarities:
        """From whatever holds them: square array or DataFrame, condensed vector, or themselves."""
        if isinstance(values, Dissimilarities):
            if labels is None:
                return values
            return cls(labels_for(labels, values.n_objects), values.condensed)
        if not isinstance(values, pd.DataFrame):
            values = _reals(values)
            if values.ndim == 1:
                return cls.from_condensed(values, labels, copy=copy)
        return cls.from_square(values, labels)

    @property
    def n_objects(self) -> int:
        return len(self.labels)

    @cached_property
    def complete(self) -> bool:
        """Whether every pair is known."""
        return not has_gaps(self.condensed)

    @property
    def missing(self) -> BoolArray:
        """Condensed; which pairs are not known."""
        return np.isnan(self.condensed)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over the labels and every byte of the values."""
        # The precision too, for in another one the same numbers are fitted differently.
        digest = hashlib.sha256(repr((self.labels, str(self.condensed.dtype))).encode())
        digest.update(self.condensed.view(np.uint8).data)
        return digest.hexdigest()

    def square(self) -> FloatArray:
        """The N x N table with a zero diagonal, NaN where missing."""
        table: FloatArray = squareform(self.condensed.astype(np.float64, copy=False), checks=False)
        return table

    def to_frame(self) -> pd.DataFrame:
        """The N x N table with labels."""
        return pd.DataFrame(self.square(), index=list(self.labels), columns=list(self.labels))

    def between(self, first: str, second: str) -> float:
        """The dissimilarity of two objects, by name."""
        i, j = (int(place) for place in self._places((first, second)))
        return 0.0 if i == j else float(row_of(self.condensed, i, self.n_objects)[j])

    def subset(self, labels: Sequence[str]) -> Dissimilarities:
        """Only these objects, in this order."""
        names = tuple(str(name) for name in labels)
        check_labels(names)
        places = self._places(names)
        # Row by row: the places of all pairs would take four times the memory of their values.
        pairs: RealArray = np.empty(pair_count(len(names)), self.condensed.dtype)
        end = 0
        for k, i in enumerate(places):
            others = places[k + 1 :]
            begin, end = end, end + others.size
            pairs[begin:end] = row_of(self.condensed, int(i), self.n_objects)[others]
        # Read-only from the start, so that the value takes this array and makes no other.
        pairs.setflags(write=False)
        return Dissimilarities(names, pairs)

    def _places(self, labels: tuple[str, ...]) -> IntArray:
        place = {name: i for i, name in enumerate(self.labels)}
        unknown = [name for name in labels if name not in place]
        if unknown:
            raise LabelMismatch(
                f"No object is called {listing(unknown)}.",
                remedy="Choose among the labels of the dissimilarities.",
            )
        return np.array([place[name] for name in labels], dtype=np.int64)

    def __repr__(self) -> str:
        gaps = 0 if self.complete else int(self.missing.sum())
        tail = f", {gaps} of {self.condensed.size} pairs missing" if gaps else ""
        names = listing(self.labels, 3)
        return f"Dissimilarities({self.n_objects} objects: {names}{tail})"


def labels_for(labels: Sequence[object] | None, n_objects: int) -> tuple[str, ...]:
    if labels is None:
        return tuple(f"object {i + 1}" for i in range(n_objects))
    names = tuple(str(label) for label in labels)
    if len(names) != n_objects:
        raise LengthMismatch(
            f"There are {len(names)} labels for {n_objects} objects.",
            remedy="Give one label for each row.",
        )
    return names


def check_labels(labels: tuple[str, ...]) -> None:
    if len(set(labels)) < len(labels):
        twice = sorted(name for name, count in Counter(labels).items() if count > 1)
        raise DuplicateLabels(
            f"More than one object is called {listing(twice)}.",
            remedy="Give every object a name of its own.",
        )


def has_labels(table: pd.DataFrame) -> bool:
    """Whether the rows or the columns of a square table bear names."""
    return not all(isinstance(axis, pd.RangeIndex) for axis in (table.index, table.columns))


def names_on(table: pd.DataFrame) -> tuple[list[str], list[str]] | None:
    """The names of rows and of columns; those of one serve both where the other has none."""
    if table.shape[0] != table.shape[1] or not has_labels(table):
        return None
    axes: list[Any] = [table.index, table.columns]
    named = [[str(name) for name in axis] for axis in axes if not isinstance(axis, pd.RangeIndex)]
    return named[0], named[-1]


def _joined_by_label(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str] | None]:
    """The table with its columns in the order of its rows, and the names; None if it has none."""
    names = names_on(table)
    if names is None:
        return table, None
    rows, columns = names
    # By name, never by position: a table sorted by its columns alone looks quite as it should.
    only = sorted(set(rows) ^ set(columns))
    if only:
        where = "rows" if only[0] in rows else "columns"
        raise LabelMismatch(
            f"{only[0]!r} stands among the {where} only; {len(only)} names do so.",
            remedy="Name rows and columns alike.",
        )
    if rows == columns or len(set(rows)) < len(rows):
        return table, rows
    place = {name: i for i, name in enumerate(columns)}
    return table.iloc[:, [place[name] for name in rows]], rows


def _reals(values: Any) -> RealArray:
    """The numbers that a container of dissimilarities holds."""
    try:
        return real_array(values)
    except UnevenRows:
        raise NotSquare(
            "The rows of the table are of different lengths.",
            remedy="Give as many columns as rows, or N(N-1)/2 values of the upper triangle.",
        ) from None
    except NoNumber as error:
        raise NotNumeric(
            f"{_cell(values, error.place)} holds {error.shown}.",
            remedy="Put a number there, or leave it empty.",
        ) from None


def _cell(values: Any, place: tuple[int, ...]) -> str:
    """Where an entry stands: by name where the table has names, else counted from one."""
    if isinstance(values, pd.DataFrame):
        row, column = (
            str(i + 1) if isinstance(axis, pd.RangeIndex) else repr(str(axis[i]))
            for axis, i in zip((values.index, values.columns), place, strict=True)
        )
        return f"The cell in row {row}, column {column}"
    if len(place) == 2:
        return f"The cell in row {place[0] + 1}, column {place[1] + 1}"
    return f"Place {place[0] + 1}" if place else "What was given for dissimilarities"


def _pair_name(index: int, labels: tuple[str, ...]) -> str:
    i, j = pair_of(index, len(labels))
    return f"d({labels[i]}, {labels[j]})"


def _extent(condensed: RealArray) -> tuple[float, float]:
    """The lowest and the highest value that is known; NaN where none is."""
    if not condensed.size:
        return np.nan, np.nan
    return float(np.fmin.reduce(condensed)), float(np.fmax.reduce(condensed))


def _without_rounding_below_zero(condensed: RealArray) -> RealArray:
    """One minus a correlation of one may be a hair below zero; that is zero."""
    raised = condensed.copy()
    raised[raised < 0] = 0.0
    return settled(raised)


def _check_values(
    condensed: RealArray, lowest: float, highest: float, labels: tuple[str, ...]
) -> None:
    if np.isnan(lowest):
        raise NothingObserved(
            "Every dissimilarity is missing.",
            remedy="Give at least the pairs that join all objects.",
        )
    if np.isinf(lowest) or np.isinf(highest):
        index = int(np.argmax(np.isinf(condensed)))
        raise InfiniteDissimilarities(
            f"{_pair_name(index, labels)} is {condensed[index]}.",
            remedy="Leave unknown pairs empty (NaN); give all others a finite number.",
        )
    if lowest < 0:
        index = int(np.nanargmin(condensed))
        below = counted(int((condensed < 0).sum()), "pair is", "pairs are")
        raise NegativeDissimilarities(
            f"{_pair_name(index, labels)} is {condensed[index]:g}; {below} below zero.",
            remedy="If these are similarities or correlations, convert them first.",
        )
    _check_every_object_has_pairs(condensed, labels)
    if highest == 0:
        raise NothingToExplain(
            "Every dissimilarity is zero.", remedy="Give data in which some objects differ."
        )


def _check_every_object_has_pairs(condensed: RealArray, labels: tuple[str, ...]) -> None:
    if not has_gaps(condensed):
        return
    observed = np.zeros(len(labels))
    # In one pass over the pairs; by objects it would be a row at a time.
    row_sums(~np.isnan(condensed), observed)
    alone = [labels[i] for i in np.flatnonzero(observed == 0)]
    if alone:
        raise ObjectWithoutPairs(
            f"No dissimilarity is known for {listing(alone)}.",
            remedy="Remove such objects, or give at least one of their pairs.",
        )


def _check_diagonal(square: RealArray, condensed: RealArray, labels: tuple[str, ...]) -> None:
    diagonal = np.abs(np.diagonal(square))
    largest = max(abs(np.fmax.reduce(condensed)), abs(np.fmin.reduce(condensed)))
    wrong = np.flatnonzero(diagonal > DIAGONAL_TOLERANCE * np.nan_to_num(largest))
    if wrong.size:
        i = int(wrong[0])
        raise NonzeroDiagonal(
            f"d({labels[i]}, {labels[i]}) is {square[i, i]:g}; {wrong.size} of {len(labels)} "
            "diagonal entries are not zero.",
            remedy="Set the diagonal to zero; if these are similarities, convert them first.",
        )


def _check_symmetry(square: RealArray, gap: float, result: Dissimilarities) -> None:
    tolerance = SYMMETRY_TOLERANCE * float(np.fmax.reduce(result.condensed))
    if gap <= tolerance:
        return
    # Row by row: the difference of the table and its transpose would be another N x N table.
    worst, count, i, j = -1.0, 0, 0, 0
    for row in range(square.shape[0]):
        difference = np.nan_to_num(np.abs(square[row] - square[:, row]), nan=0.0)[row + 1 :]
        count += int((difference > tolerance).sum())
        if difference.size and difference.max() > worst:
            worst, i, j = float(difference.max()), row, row + 1 + int(difference.argmax())
    first, second = result.labels[i], result.labels[j]
    raise AsymmetricDissimilarities(
        f"d({first}, {second}) is {square[i, j]:g} but d({second}, {first}) is {square[j, i]:g}; "
        f"{counted(count, 'pair differs', 'pairs differ')}.",
        remedy="Correct the table, or average both directions.",
    )
