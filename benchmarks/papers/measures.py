"""What rows measure maps by, and how replicates become a median."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from benchmarks.papers.row import Effort, Found
from cml_core import Dissimilarities, FeatureTable, Problem
from cml_core.datasets import Dataset
from cml_core.evidence.work import each
from cml_core.values.arrays import FloatArray, IntArray

_Drawn = TypeVar("_Drawn")


def explained(places: FloatArray, values: FloatArray) -> float:
    """R² of values by a plane over the map."""
    design = np.column_stack([places, np.ones(len(places))])
    left = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return float(1.0 - left @ left / ((values - values.mean()) ** 2).sum())


def correlation(places: FloatArray, values: FloatArray) -> float:
    """R: with the direction on the map that shows the values best."""
    return float(np.sqrt(max(explained(places, values), 0.0)))


def absolute_correlation(a: FloatArray, b: FloatArray) -> float:
    """|r| of two columns."""
    return float(abs(np.corrcoef(a, b)[0, 1]))


def left_out(places: FloatArray, values: FloatArray) -> float:
    """R² of values by a plane over the map, each object told by the others."""
    design = np.column_stack([places, np.ones(len(places))])
    basis, _ = np.linalg.qr(design)
    leverage = (basis**2).sum(axis=1)
    errors = (values - basis @ (basis.T @ values)) / (1.0 - leverage)
    n = len(values)
    others = (values - values.mean()) * n / (n - 1)
    return float(1.0 - errors @ errors / (others @ others))


def in_circular_order(places: FloatArray, levels: IntArray) -> bool:
    """Whether by their angle around the middle the objects of a level stand together, in order."""
    around = np.argsort(np.arctan2(*(places - places.mean(axis=0)).T[::-1]))
    along = levels[around]
    met = along[along != np.roll(along, 1)]
    if met.size != np.unique(levels).size:
        return False
    turned = np.roll(met, -int(np.argmin(met)))
    rising = np.sort(turned)
    falling = np.concatenate([rising[:1], rising[:0:-1]])
    return bool((turned == rising).all() or (turned == falling).all())


def known_of(data: Dataset, *names: str) -> FeatureTable:
    """The features of these names, as they are known."""
    table = data.feature_table()
    return FeatureTable(table.labels, tuple(table[name] for name in names))


def drawn(function: Callable[[int], _Drawn], effort: Effort) -> list[_Drawn]:
    """What a function finds with each seed, from 0."""
    workers = effort.workers if effort.workers > 1 else None
    return each(function, list(range(effort.replicates)), doing="drawing data", workers=workers)


def over_replicates(function: Callable[[int], Mapping[str, float]], effort: Effort) -> Found:
    """Medians and quartiles of what a function finds with each seed."""
    return summed_up(drawn(function, effort))


def summed_up(found: Sequence[Mapping[str, float]]) -> Found:
    """Medians and quartiles."""
    numbers, quartiles = {}, {}
    for name in found[0]:
        values = [one[name] for one in found]
        low, middle, high = np.percentile(values, (25, 50, 75))
        numbers[name] = float(middle)
        quartiles[name] = (float(low), float(high))
    return Found(numbers, quartiles, len(found))


def published_start(problem: Problem, seed: int) -> tuple[FloatArray, FloatArray]:
    """U from a normal distribution with unit variance, B the identity."""
    n, q = problem.dissimilarities.n_objects, problem.encoding.values.shape[1]
    drawn = np.random.default_rng(seed).standard_normal((n, problem.n_components))
    return drawn, np.eye(q)


def nothing_known(
    data: Dissimilarities, n_components: int = 2, weights: str | None = None
) -> Problem:
    """The question of metric MDS."""
    return Problem(data, FeatureTable(data.labels), n_components, weights=weights)
