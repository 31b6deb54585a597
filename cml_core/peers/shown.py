"""How well the neighbours on a picture tell a feature, beside what chance would tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from cml_core.evidence.prediction import is_testable, observed_columns
from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS

DEALINGS = 199
# Between these shares of the dealings lies the band of chance.
BAND = (2.5, 97.5)
# Squared distances closer than this share of the largest are ties.
DECIMALS = 9


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
    return tuple(_shown(places, f, f.name in known, seed) for f in table.features)


def _shown(places: FloatArray, feature: Feature, known: bool, seed: int) -> ShownFeature:
    columns, rows = observed_columns(feature)
    categories = _as_categories(feature)
    if not is_testable(columns):
        return ShownFeature(feature.name, known, np.nan, np.nan, np.nan)
    told = neighbour_shares(places[rows])
    values = columns if categories is None else categories[rows]
    share_of = _told_values if categories is None else _told_categories
    random = np.random.default_rng(seed)
    dealt = [share_of(told, values[random.permutation(len(values))]) for _ in range(DEALINGS)]
    low, high = np.percentile(dealt, BAND)
    return ShownFeature(feature.name, known, share_of(told, values), float(low), float(high))


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
    square = cdist(places, places, "sqeuclidean")
    square = np.round(square / (float(square.max()) or 1.0), DECIMALS)
    np.fill_diagonal(square, np.inf)
    farthest = np.partition(square, count - 1, axis=1)[:, count - 1 : count]
    nearer, tied = square < farthest, square == farthest
    left = (count - nearer.sum(axis=1, keepdims=True)) / tied.sum(axis=1, keepdims=True)
    return csr_array((nearer + tied * left) / count)


def _told_values(told: csr_array, values: FloatArray) -> float:
    """One less the squared error over that of the mean of the others."""
    n = len(values)
    centred = values - values.mean(axis=0)
    of_the_mean = float((centred**2).sum()) * (n / (n - 1)) ** 2
    return 1.0 - float(((centred - told @ centred) ** 2).sum()) / of_the_mean


def _told_categories(told: csr_array, categories: FloatArray) -> float:
    """The share of objects told right, as a share of the way from the most frequent category."""
    votes = np.round(told @ categories, DECIMALS)
    winners = votes == votes.max(axis=1, keepdims=True)
    right = float(((winners * categories).sum(axis=1) / winners.sum(axis=1)).mean())
    usual = float(categories.mean(axis=0).max())
    return (right - usual) / (1.0 - usual)
