"""How well hidden features are recovered from numbers that are not distances, on each scale."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import numpy as np

from benchmarks.report import LOST_UNDISTORTED, RECOVERED, Section, Table, Target
from benchmarks.timing import Effort
from cml_core import Dissimilarities, Fit, Problem, fit, load_dataset
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

REDRAWN = 40
CIRCLE_ABOUT = f"""\
Fourteen kinship terms with Gender and Degree known. Each of {REDRAWN} times pairs were redrawn: \
every pair weighs as often as it was drawn. *In circular order* are the generations where by angle \
the terms of each stand together, and the five of them in their order."""


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
        Section("How secure the kinship circle is", CIRCLE_ABOUT, (_circle(),)),
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


def _circle() -> Table:
    kinship = load_dataset("kinship14")
    data, features = kinship.values(), kinship.feature_table()
    known = features.without("Generation")
    generation = kinship.features["Generation"].to_numpy()
    pairs = data.condensed.size
    rows = []
    for scale in SCALES:
        problem = Problem(data, known, scale=scale)
        whole = fit(problem, seed=0)
        circular = []
        for draw in range(REDRAWN):
            drawn = np.random.default_rng(draw).multinomial(pairs, np.full(pairs, 1 / pairs))
            redrawn = Problem(data, known, weights=drawn.astype(np.float64), scale=scale)
            circular.append(_in_circular_order(fit(redrawn, seed=0), generation))
        as_given = "yes" if _in_circular_order(whole, generation) else "no"
        rows.append((scale, f"{whole.stress:.5f}", as_given, f"{sum(circular)} of {REDRAWN}"))
    heads = ("scale", "stress", "in circular order", "with pairs redrawn")
    return Table(heads, tuple(rows))


def _in_circular_order(found: Fit, generation: FloatArray) -> bool:
    around = np.argsort(np.arctan2(found.embedding[:, 1], found.embedding[:, 0]))
    ordered = generation[around]
    met = ordered[ordered != np.roll(ordered, 1)]
    from_oldest = np.roll(met, -int(np.argmin(met)))
    return bool(
        np.array_equal(from_oldest, np.unique(generation))
        or np.array_equal(np.roll(from_oldest[::-1], 1), np.unique(generation))
    )
