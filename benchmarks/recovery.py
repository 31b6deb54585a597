"""How well hidden features are recovered from numbers that are not distances, on each scale."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import numpy as np

from benchmarks.report import LOST_UNDISTORTED, RECOVERED, Section, Table, Target
from benchmarks.timing import Effort
from cml_core import Dissimilarities, Problem, fit, load_dataset
from cml_core.datasets import Dataset, simulate_car_brands
from cml_core.fitting.geometry import canonical_correlations
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.values.arrays import FloatArray

SIZES = (30, 45, 60)
KNOWN = 4
HIDDEN = ["Economy", "Design", "Technology"]
NOISE = 0.1
NONE = "none"
DISTORTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    NONE: lambda d: d,
    "root": np.sqrt,
    "square": np.square,
    "plus half the mean": lambda d: d + 0.5 * d.mean(),
    "saturating": lambda d: 1.0 - np.exp(-d / d.mean()),
}
ABOUT = f"""\
Simulated car brands of which {KNOWN} of 7 features are known (with an error of 5 %) and the map \
has {len(HIDDEN)} dimensions; their distances times 1 + {NOISE:g} z, distorted. Each figure is the \
mean canonical correlation of the map with the features that are hidden, the median of \
{{data_sets}} data sets. *saturating* is 1 − exp(−d / mean d). On the ordinal scale no distortion \
matters."""
HEADS = ("distortion", "N", *SCALES)

# Redrawn for each data set of the other table.
REDRAWN = 5
CIRCLE_ABOUT = """\
Fourteen kinship terms with Gender and Degree known: do the five generations stand in a circle? \
*Every term*: by their angle the terms of each generation stand together, and the generations in \
their order; *on average*: so do the mean places of the generations. {redrawn} times pairs were \
redrawn: each then weighs as often as it was drawn."""
CIRCLE_HEADS = (
    "scale",
    "stress",
    "every term",
    "on average",
    "pairs redrawn: every term",
    "pairs redrawn: on average",
)


def recovery(effort: Effort) -> list[Section]:
    """Both tables."""
    found = {
        (n_objects, data_set): _of_each_scale(n_objects, data_set)
        for n_objects in SIZES
        for data_set in range(effort.data_sets)
    }
    medians = {
        (n_objects, distortion, scale): median(
            found[n_objects, data_set][distortion, scale] for data_set in range(effort.data_sets)
        )
        for n_objects in SIZES
        for distortion in DISTORTIONS
        for scale in SCALES
    }
    rows = [
        (distortion, str(n), *(f"{medians[n, distortion, scale]:.3f}" for scale in SCALES))
        for distortion in DISTORTIONS
        for n in SIZES
    ]
    about = ABOUT.format(data_sets=effort.data_sets)
    table = Table(HEADS, tuple(rows))
    return [
        Section("What is recovered on each scale", about, (table,), _figures(medians)),
        _circle(REDRAWN * effort.data_sets),
    ]


def _of_each_scale(n_objects: int, data_set: int) -> dict[tuple[str, str], float]:
    """How well the map of one data set shows what is hidden, distortion by distortion."""
    brands = simulate_car_brands(n_objects, noise=NOISE, known=KNOWN, seed=data_set)
    hidden = brands.raw[HIDDEN].to_numpy()
    return {
        (distortion, scale): float(canonical_correlations(_map(brands, bend, scale), hidden).mean())
        for distortion, bend in DISTORTIONS.items()
        for scale in SCALES
    }


def _map(brands: Dataset, bend: Callable[[FloatArray], FloatArray], scale: str) -> FloatArray:
    undistorted = brands.values()
    bent = Dissimilarities(undistorted.labels, bend(undistorted.condensed.astype(np.float64)))
    problem = Problem(bent, brands.feature_table(), n_components=len(HIDDEN), scale=scale)
    return fit(problem, seed=0).embedding


def _figures(medians: dict[tuple[int, str, str], float]) -> dict[Target, float]:
    """Of all sizes the worst."""
    figures = {
        target: min(max(medians[n, distortion, scale] for scale in SCALES) for n in SIZES)
        for distortion, target in RECOVERED.items()
    }
    figures[LOST_UNDISTORTED] = max(
        medians[n, NONE, RATIO] - medians[n, NONE, scale]
        for n in SIZES
        for scale in ("spline", "ordinal")
    )
    return figures


def _circle(redrawn: int) -> Section:
    kinship = load_dataset("kinship14")
    data, known = kinship.values(), kinship.feature_table().without("Generation")
    generation = kinship.features["Generation"].to_numpy()
    pairs = data.condensed.size
    rows = []
    for scale in SCALES:
        whole = fit(Problem(data, known, scale=scale), seed=0)
        seen = np.zeros(2, dtype=np.int64)
        for draw in range(redrawn):
            drawn = np.random.default_rng(draw).multinomial(pairs, np.full(pairs, 1 / pairs))
            problem = Problem(data, known, weights=drawn.astype(np.float64), scale=scale)
            seen += _circular(fit(problem, seed=0).embedding, generation)
        as_given = ("yes" if one else "no" for one in _circular(whole.embedding, generation))
        shares = (f"{count / redrawn:.2f}" for count in seen)
        rows.append((scale, f"{whole.stress:.5f}", *as_given, *shares))
    about = CIRCLE_ABOUT.format(redrawn=redrawn)
    title = "How secure the circle of the kinship terms is"
    return Section(title, about, (Table(CIRCLE_HEADS, tuple(rows)),))


def _circular(embedding: FloatArray, generation: FloatArray) -> tuple[bool, bool]:
    """Whether every term, and whether the means of generations, stand in circular order."""
    levels = np.unique(generation)
    means = np.array([embedding[generation == level].mean(axis=0) for level in levels])
    return _in_order(embedding, generation), _in_order(means, levels)


def _in_order(points: FloatArray, generation: FloatArray) -> bool:
    around = generation[np.argsort(np.arctan2(points[:, 1], points[:, 0]))]
    met = around[around != np.roll(around, 1)]
    from_oldest = np.roll(met, -int(np.argmin(met)))
    levels = np.unique(generation)
    mirrored = np.roll(levels[::-1], 1)
    return np.array_equal(from_oldest, levels) or np.array_equal(from_oldest, mirrored)
