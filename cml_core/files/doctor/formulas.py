"""The formulas that turn similarities into dissimilarities, each with its domain.

Each takes the square table as it was read, one row and one column for each object, NaN where
nothing is said; the scale of the conversion; and the labels, by which values are named that
the formula does not allow. It answers in the same shape and never fills what is not known.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from cml_core.errors import UnsuitableConversion
from cml_core.values.arrays import BoolArray, FloatArray

# What rounding leaves of a correlation of one is still a correlation of one.
ROUNDING = 1e-8


class Outside(Exception):
    """Values outside of a conversion's domain: where, and the error that names the first.

    `added` is a scale that would help, 0 where none would.
    """

    def __init__(self, wrong: BoolArray, error: Exception, added: float = 0.0) -> None:
        super().__init__(wrong, error)
        self.wrong = wrong
        self.error = error
        self.added = added


def between(values: FloatArray) -> BoolArray:
    """Where different objects meet."""
    return ~np.eye(len(values), dtype=bool)


def check(
    values: FloatArray,
    wrong: BoolArray,
    labels: tuple[str, ...],
    error: Callable[[str], Exception],
    added: float = 0.0,
) -> None:
    """Raise the error for the first wrong entry, told where it stands and what it is."""
    if not wrong.any():
        return
    i, j = divmod(int(np.argmax(wrong)), len(labels))
    fact = f"The value of {labels[i]} with {labels[j]} is {values[i, j]:.6g}"
    raise Outside(wrong, error(fact), added)


def _check_domain(
    values: FloatArray, wrong: BoolArray, labels: tuple[str, ...], needs: str
) -> None:
    """Raise for the first pair of different objects whose value the formula does not allow."""

    def error(where: str) -> Exception:
        return UnsuitableConversion(
            f"{where}; this conversion needs {needs}.",
            remedy="Choose another conversion, correct this value, or take the pair as unknown.",
        )

    check(values, wrong & between(values), labels, error)


def _up_to_one(values: FloatArray, labels: tuple[str, ...]) -> FloatArray:
    """The values, none above one; a diagonal that is above says nothing that counts as alike."""
    above = values > 1 + ROUNDING
    _check_domain(values, above, labels, "values up to 1")
    return np.where(above, -np.inf, np.minimum(values, 1.0))


def _shares(values: FloatArray, labels: tuple[str, ...]) -> FloatArray:
    """The values, all above zero and none above one, but for a diagonal that is not so."""
    outside = (values <= 0) | (values > 1 + ROUNDING)
    _check_domain(values, outside, labels, "values above 0 and up to 1")
    return np.where(outside, 0.0, np.minimum(values, 1.0))


def as_it_is(values: FloatArray, _: float, __: tuple[str, ...]) -> FloatArray:
    return values


def from_max(values: FloatArray, _: float, __: tuple[str, ...]) -> FloatArray:
    largest = np.nanmax(values) if not np.isnan(values).all() else 0.0
    difference: FloatArray = largest - values
    return difference


def one_minus(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    return 1.0 - _up_to_one(values, labels)


def one_minus_absolute(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    _check_domain(values, np.abs(values) > 1 + ROUNDING, labels, "values between -1 and 1")
    return 1.0 - _up_to_one(np.abs(values), labels)


def root_one_minus(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    return np.sqrt(1.0 - _up_to_one(values, labels))


def chord(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    return np.sqrt(2.0 * (1.0 - _up_to_one(values, labels)))


def reciprocal(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    _check_domain(values, values <= 0, labels, "values above 0")
    inverse: FloatArray = 1.0 / values
    # An object is at no distance from itself, however alike it is to itself.
    np.fill_diagonal(inverse, np.nan)
    return inverse


def minus_log(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    # Not -ln 1 = -0, which would be printed so.
    return 0.0 - np.log(_shares(values, labels))


def gaussian(values: FloatArray, scale: float, labels: tuple[str, ...]) -> FloatArray:
    return scale * np.sqrt(-2.0 * np.log(_shares(values, labels)) + 0.0)


def gram(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    own = np.diagonal(values)
    silent = ~(own > 0)
    if silent.any():
        raise UnsuitableConversion(
            f"The diagonal does not say how large {labels[int(np.argmax(silent))]} is.",
            remedy="Give the variances, or squared lengths, in the diagonal; or choose another "
            "conversion.",
        )
    squares = np.add.outer(own, own) - 2.0 * np.where(np.isnan(values), values.T, values)
    least = -ROUNDING * np.abs(own).max()
    needs = "no pair to have more in common than both objects have themselves"
    _check_domain(values, squares < least, labels, needs)
    return np.sqrt(np.maximum(squares, 0.0))


def ranks(values: FloatArray, _: float, __: tuple[str, ...]) -> FloatArray:
    """Ranks among pairs: each pair is there twice once both directions are filled."""
    filled = np.where(np.isnan(values), values.T, values)
    known = ~np.isnan(filled) & between(values)
    ranks = np.full(values.shape, np.nan)
    ranks[known] = (pd.Series(-filled[known]).rank().to_numpy() + 0.5) / 2
    return ranks


def root(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    _check_domain(values, values < 0, labels, "values of 0 or more")
    return np.sqrt(values)


def _occurrences(values: FloatArray, labels: tuple[str, ...]) -> FloatArray:
    """(N,) how often each object occurs: its diagonal entry, else its co-occurrences in all."""
    _check_domain(values, values < 0, labels, "counts of 0 or more")
    diagonal = np.diagonal(values)
    if not (np.isnan(diagonal) | (diagonal == 0)).all():
        return np.where(diagonal > 0, diagonal, 0.0)
    larger = np.fmax(values, values.T)
    sums: FloatArray = np.where(between(values) & ~np.isnan(larger), larger, 0.0).sum(axis=1)
    return sums


def _expected(values: FloatArray, labels: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
    """Square roots of how often objects occur, for each pair; and the counts of pairs."""
    # Roots are divided by one after the other: the product of two large counts may be no float.
    roots = np.sqrt(_occurrences(values, labels))
    never = [labels[i] for i in np.flatnonzero(roots == 0)]
    if never:
        raise UnsuitableConversion(
            f"{never[0]} never occurs, so nothing can be said of it relative to its frequency.",
            remedy="Leave it out, give how often it occurs in the diagonal, or choose another "
            "conversion.",
        )
    between = values.copy()
    np.fill_diagonal(between, np.nan)
    return roots, between


def cooccurrence(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    roots, counts = _expected(values, labels)
    cosine = counts / roots[:, None] / roots
    needs = "no pair to occur together more often than its two objects occur (the diagonal)"
    _check_domain(values, cosine > 1 + ROUNDING, labels, needs)
    return 1.0 - np.minimum(cosine, 1.0)


def association(values: FloatArray, _: float, labels: tuple[str, ...]) -> FloatArray:
    roots, counts = _expected(values, labels)
    strength = counts / roots[:, None] ** 2 / roots**2
    largest = np.fmax.reduce(strength, axis=None)
    return 1.0 - strength / (largest if largest > 0 else 1.0)


def confusion(values: FloatArray, added: float, labels: tuple[str, ...]) -> FloatArray:
    counts = values + added
    correct = np.diagonal(counts)
    for i in np.flatnonzero(~(correct > 0)):
        raise UnsuitableConversion(
            f"The diagonal does not say how often {labels[i]} was recognised.",
            remedy="Give a table with rows for what was shown, columns for what was answered, "
            "and a positive diagonal; or choose another conversion.",
        )
    _check_domain(values, values < 0, labels, "counts of 0 or more")
    one_way = np.isnan(counts) & ~np.isnan(counts.T)
    _check_domain(values, one_way.T, labels, "both directions of every pair")
    positive = values[(values > 0) & between(values)]
    smallest = float(positive.min()) if positive.size else 1.0
    half = smallest / 2 or smallest
    never = (counts == 0) & between(values)
    check(values, never, labels, lambda where: _unconfused(where, half), half)
    # The bias towards an answer multiplies all of its column, and cancels in √(pq/(PQ)).
    logs = np.log(counts)
    own = np.diagonal(logs)
    apart: FloatArray = 0.5 * (own[:, None] - logs + own - logs.T)
    return apart


def _unconfused(where: str, half: float) -> Exception:
    return UnsuitableConversion(
        f"{where}: they were never confused, which would put them infinitely far apart.",
        remedy=f"Add {half:g} to every entry, or take such pairs as unknown.",
    )
