"""What might it be: how well the map of all objects tells each of many columns.

Each column is regressed on a smooth surface over the map, beside what is known, by sums over all
objects; half of them judges the surface of the other half. So it takes one pass over each column,
and a column that says nothing is told worse than by nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from cml_core.evidence.large.sums import regression
from cml_core.evidence.result import Result
from cml_core.evidence.table import COUNT, SHARE, Column, Table
from cml_core.fitting.landmarks.result import LandmarkFit
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature
from cml_core.values.kinds.registry import KINDS
from cml_core.values.words import percent

# Of the surface over the map.
DEGREE = 3
# Rows whose products are taken at a time: they stay in the processor's cache.
BLOCK = 8192
# A column of which the map tells less is not worth a look.
WORTH = 0.05
# Less than this share of a column is rounding.
ROUNDING = 1e-9
MOST_NAMED = 3
NO_CHANCE = (
    "No chance (p-value) is given: among so many objects the least share is more than chance, and "
    "rows that hang together, such as several of one author, would count several times."
)


@dataclass(frozen=True)
class Told:
    """How well the map tells one column.

    Parameters
    ----------
    feature : its name.
    share : of what the known features leave of it, as told for the half that judges; below zero
        the map would mislead.
    already_known : the share of it that the known features tell.
    n_objects : how many have a value.
    known : whether it was taken out.
    """

    feature: str
    share: float
    already_known: float
    n_objects: int
    known: bool


@dataclass(frozen=True, eq=False)
class ColumnsTold(Result):
    """Columns, best told first.

    Parameters
    ----------
    told : of each column that varies.
    n_objects : how many objects the map has.
    """

    told: tuple[Told, ...]
    n_objects: int

    heading = "What might it be?"

    @property
    def verdict(self) -> str:
        found = [one for one in self.told if not one.known and one.share >= WORTH]
        if not found:
            return (
                "Places on the map tell less than "
                f"{percent(WORTH, 0)} of every column that was not taken out. What it shows is "
                "something else."
            )
        shares = ", ".join(f"{one.feature} {percent(one.share)}" for one in found[:MOST_NAMED])
        more = f", and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        return f"Places on the map tell so much of columns that were not taken out: {shares}{more}."

    @property
    def facts(self) -> tuple[str, ...]:
        return (f"All {self.n_objects:,} objects; half of them judge the other half.", NO_CHANCE)

    def table(self) -> Table:
        return Table(
            (
                Column("Column", [one.feature for one in self.told]),
                Column("Told by the map", [one.share for one in self.told], SHARE,
                       "Of what the known features leave of it."),
                Column("Known already", [one.already_known for one in self.told], SHARE,
                       "The share of it that the known features tell."),
                Column("Taken out", [one.known for one in self.told]),
                Column("Objects", [one.n_objects for one in self.told], COUNT),
            )
        )  # fmt: skip


def columns_told(found: LandmarkFit, features: Iterable[Feature]) -> ColumnsTold:
    """Rank columns by how well the places of all objects tell them.

    Parameters
    ----------
    found : the map.
    features : of all objects; one at a time is looked at, so they may come from a generator.
    """
    known = found.problem.known.names
    with capped_linear_algebra(1):
        design, width = _design(found)
        whole = tuple(_inner(design[half::2]) for half in (0, 1))
        told = [_told(one, design, width, whole, one.name in known) for one in features]
    ranked = sorted(filter(None, told), key=lambda one: (one.known, -one.share))
    return ColumnsTold(tuple(ranked), found.problem.n_objects)


def _design(found: LandmarkFit) -> tuple[FloatArray, int]:
    """(N, 1 + q + s) ones, known values and the surface, in single precision; and 1 + q."""
    known, places = found.known_values, found.embedding
    spread = places.std(axis=0)
    x = np.ascontiguousarray(((places - places.mean(axis=0)) / np.where(spread > 0, spread, 1.0)).T)
    products = (
        chosen
        for degree in range(1, DEGREE + 1)
        for chosen in combinations_with_replacement(x, degree)
    )
    spans = known.std(axis=0)
    parts = [
        np.ones((len(places), 1)),
        (known - known.mean(axis=0)) / np.where(spans > 0, spans, 1.0),
    ]
    parts += [math.prod(factors)[:, None] for factors in products]
    return np.hstack([part.astype(np.float32) for part in parts]), 1 + known.shape[1]


def _told(
    feature: Feature, design: FloatArray, width: int, whole: tuple[FloatArray, ...], known: bool
) -> Told | None:
    # By turns, one object to either half: whatever the order of the rows.
    halves = [
        _products(feature, design[half::2], feature.values[half::2], whole[half]) for half in (0, 1)
    ]
    if min(one.inner[0, 0] for one in halves) <= design.shape[1]:
        return None
    total, plain, surface = (
        sum(there.left_by(here, count) for here, there in (halves, halves[::-1]))
        for count in (1, width, design.shape[1])
    )
    if total <= 0:
        return None
    share = 1.0 - surface / plain if plain > ROUNDING * total else 0.0
    count = feature.n_objects - int(feature.missing.sum())
    return Told(feature.name, share, 1.0 - plain / total, count, known)


@dataclass(frozen=True, eq=False)
class _Products:
    """Of one half: (k, k) and (k, m) sums of products, and all that the column's squares add up to.

    A set of groups is a column of ones and noughts for each.
    """

    inner: FloatArray
    outer: FloatArray
    squares: float

    def left_by(self, other: _Products, width: int) -> float:
        """Squared error here of what the other half's regression on the first columns tells."""
        slopes = regression(other.inner[:width, :width], other.outer[:width])
        told = self.inner[:width, :width] @ slopes
        return float(self.squares + (slopes * (told - 2.0 * self.outer[:width])).sum())


def _products(
    feature: Feature, design: FloatArray, values: FloatArray, whole: FloatArray
) -> _Products:
    """Sums of products over the objects of one half that have a value."""
    present = ~np.isnan(values)
    rows = design if present.all() else design[present]
    here = values if present.all() else values[present]
    inner = whole if present.all() else _inner(rows)
    count = len(feature.levels)
    if not count:
        # What begins again has no numbers of its own that could be regressed.
        turns = KINDS[feature.kind].has_period
        columns = feature.columns_of(here) if turns else here[:, None]
        whole_mean = np.nanmean(feature.columns() if turns else feature.values[:, None], axis=0)
        moved = columns - whole_mean
        outer = sum(part.T @ moved[at] for at, part in _parts(rows))
        return _Products(inner, np.asarray(outer), float((moved**2).sum()))
    codes = here.astype(np.int64)
    by_level = np.zeros((design.shape[1], count))
    for at, part in _parts(rows):
        ones = codes[at][:, None] == np.arange(count)
        by_level += part.T @ ones
    return _Products(inner, by_level, float(len(codes)))


def _inner(design: FloatArray) -> FloatArray:
    """(k, k) sums of products of the columns of the design."""
    products = np.zeros((design.shape[1], design.shape[1]))
    for _, part in _parts(design):
        products += part.T @ part
    return products


def _parts(design: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    """Rows of the design in double precision, as many as a cache holds."""
    for first in range(0, len(design), BLOCK):
        at = slice(first, first + BLOCK)
        yield at, design[at].astype(np.float64)
