"""How well the neighbours on a picture tell a feature, beside what chance would tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, vstack
from scipy.spatial.distance import cdist

from cml_core.evidence.prediction import is_testable, observed_columns
from cml_core.values.arrays import BoolArray, FloatArray, IntArray
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS

DEALINGS = 199
# Between these shares of the dealings lies the band of chance.
BAND = (2.5, 97.5)
# Squared distances closer than this share of the largest are ties.
DECIMALS = 9
ROWS = 256


@dataclass(frozen=True)
class ShownFeature:
    """How well neighbours tell one feature, each object by the others.

    Parameters
    ----------
    known : whether it was taken out, and should not be shown.
    share : 1 where neighbours tell every value, about -1/k by chance: one less the squared error
        over that of the mean of the others; of categories, the share told right in place of the
        most frequent one. NaN where there are too few values, or all are the same.
    low, high : where 95 % of 199 dealings of the values lie.
    """

    name: str
    known: bool
    share: float
    low: float
    high: float

    @property
    def beyond_chance(self) -> bool:
        """Whether more is told than hardly any dealing of the values would tell."""
        return self.share > self.high


def shown_features(
    places: FloatArray, table: FeatureTable, known: frozenset[str], seed: int
) -> tuple[ShownFeature, ...]:
    """How well each feature is told by the neighbours on a picture.

    Parameters
    ----------
    places : (N, p).
    seed : every feature is dealt from this one, so that they do not depend on each other.
    """
    found: dict[bytes, csr_array] = {}

    def near(rows: BoolArray) -> csr_array:
        """Found once for all features that the same objects have."""
        if (key := rows.tobytes()) not in found:
            found[key] = neighbour_shares(places[rows])
        return found[key]

    return tuple(_shown(near, f, f.name in known, seed) for f in table.features)


def _shown(
    near: Callable[[BoolArray], csr_array], feature: Feature, known: bool, seed: int
) -> ShownFeature:
    columns, rows = observed_columns(feature)
    categories = _as_categories(feature)
    if not is_testable(columns):
        return ShownFeature(feature.name, known, np.nan, np.nan, np.nan)
    told = near(rows)
    values = columns if categories is None else categories[rows]
    share_of = _told_values if categories is None else _told_categories
    n, random = len(values), np.random.default_rng(seed)
    dealings = [random.permutation(n) for _ in range(DEALINGS)]
    share, *dealt = share_of(told, values, np.array([np.arange(n), *dealings]))
    low, high = np.percentile(dealt, BAND)
    return ShownFeature(feature.name, known, float(share), float(low), float(high))


def _as_categories(feature: Feature) -> FloatArray | None:
    """(N, levels) which one each object has, of levels without an order; None of all else."""
    if not KINDS[feature.kind].is_grouping:
        return None
    belongs: FloatArray = np.equal.outer(feature.values, np.arange(len(feature.levels))) * 1.0
    return belongs


def neighbour_shares(places: FloatArray) -> csr_array:
    """(n, n) what each object counts for each other: 1/k for each of its k nearest, else 0.

    Those that are equally far share what is left, so that no order of the objects matters.
    """
    n = len(places)
    count = min(max(round(n**0.5), 3), 10, n - 1)
    # Some rows at a time, for tables of many objects are large.
    parts = [slice(begin, begin + ROWS) for begin in range(0, n, ROWS)]
    largest = max(float(cdist(places[rows], places, "sqeuclidean").max()) for rows in parts)
    return csr_array(vstack([_shares(places, rows, count, largest or 1.0) for rows in parts]))


def _shares(places: FloatArray, rows: slice, count: int, largest: float) -> csr_array:
    square = cdist(places[rows], places, "sqeuclidean")
    square /= largest
    np.round(square, DECIMALS, out=square)
    own = np.arange(len(places))[rows]
    square[own - own[0], own] = np.inf
    farthest = np.partition(square, count - 1, axis=1)[:, count - 1 : count]
    nearer, tied = square < farthest, square == farthest
    left = (count - nearer.sum(axis=1, keepdims=True)) / tied.sum(axis=1, keepdims=True)
    return csr_array((nearer + tied * left) / count)


def _told_values(told: csr_array, values: FloatArray, dealings: IntArray) -> FloatArray:
    """One less the squared error over that of the mean of the others, for each of the dealings."""
    n, columns = values.shape
    centred = values - values.mean(axis=0)
    of_the_mean = float((centred**2).sum()) * (n / (n - 1)) ** 2
    # All at once, for a product with a few columns takes little more than with one.
    dealt = centred[dealings.T].reshape(n, -1)
    errors = ((dealt - told @ dealt) ** 2).sum(axis=0)
    shares: FloatArray = 1.0 - errors.reshape(-1, columns).sum(axis=1) / of_the_mean
    return shares


def _told_categories(told: csr_array, categories: FloatArray, dealings: IntArray) -> FloatArray:
    """Of each of the dealings the share told right, as one of the way from the most frequent."""
    usual = float(categories.mean(axis=0).max())
    right = [_told_right(told, categories[order]) for order in dealings]
    shares: FloatArray = (np.array(right) - usual) / (1.0 - usual)
    return shares


def _told_right(told: csr_array, categories: FloatArray) -> float:
    votes = np.round(told @ categories, DECIMALS)
    winners = votes == votes.max(axis=1, keepdims=True)
    return float(((winners * categories).sum(axis=1) / winners.sum(axis=1)).mean())
