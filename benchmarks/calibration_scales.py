"""Which scale held-out pairs advise for data of a known scale, and how that changes the map."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist

from benchmarks.calibration_data import repeated
from benchmarks.report import Table
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.advised_scale import advised_scale
from cml_core.fitting.geometry import canonical_correlations
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.values.arrays import FloatArray

KNOWN, HIDDEN, NOISE = 3, 2, 0.1
SIZES = (20, 40)
# From noisy distances to what somebody would say of them.
SAID: dict[str, Callable[[FloatArray], FloatArray]] = {
    "distances": lambda d: d,
    "square roots": np.sqrt,
    "squares": np.square,
    "half the mean added": lambda d: d + 0.5 * d.mean(),
    "saturating, 1 - exp(-d/mean)": lambda d: 1.0 - np.exp(-d / d.mean()),
    "one rating from 1 to 7": lambda d: np.clip(np.ceil(7.0 * d / d.max()), 1.0, 7.0),
}
ABOUT = f"""\
{KNOWN + HIDDEN} normal features, every two correlated .5, each stretched by a factor from .6 to \
1.4, of which {KNOWN} are known and {HIDDEN} hidden; distances with {NOISE:.0%} multiplicative \
noise, and then said otherwise. Each figure is the share of data sets in which the scale is \
advised: the one that believes most among those whose error of held-out pairs is within one \
standard error of the least, 10 folds. *Recovery* is the mean canonical correlation of the map \
with the hidden features, of fits on the ratio scale and on the advised one."""
HEADS = ("data", "N", *SCALES, "none", "recovery, ratio", "recovery, advised")


class Found(NamedTuple):
    """What one data set gave."""

    advised: str
    on_ratio: float
    on_advised: float


def scales_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of data and each size."""
    rows = []
    for said in SAID:
        for n_objects in SIZES:
            found: list[Found] = repeated(_found, data_sets, said, n_objects)
            often = Counter(one.advised for one in found)
            rows.append(
                (
                    said,
                    f"{n_objects}",
                    *(f"{often[name] / data_sets:.2f}" for name in (*SCALES, "")),
                    f"{np.mean([one.on_ratio for one in found]):.3f}",
                    f"{np.mean([one.on_advised for one in found]):.3f}",
                )
            )
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _found(said: str, n_objects: int, seed: int) -> Found:
    problem, hidden = _simulated(said, n_objects, seed)
    advised = advised_scale(problem, seed=seed).advised

    def recovery(scale: str) -> float:
        found = fit(replace(problem, scale=scale), seed=seed)
        return float(canonical_correlations(found.embedding, hidden).mean())

    return Found(advised, recovery(RATIO), recovery(advised or RATIO))


def _simulated(said: str, n_objects: int, seed: int) -> tuple[Problem, FloatArray]:
    """One data set, and its hidden features."""
    random = np.random.default_rng([seed, n_objects])
    count = KNOWN + HIDDEN
    correlated = np.full((count, count), 0.5) + 0.5 * np.eye(count)
    features = random.multivariate_normal(np.zeros(count), correlated, size=n_objects)
    features *= random.uniform(0.6, 1.4, count)
    distances = pdist(features)
    noisy = np.abs(distances * (1.0 + NOISE * random.standard_normal(distances.size)))
    labels = tuple(f"object {i}" for i in range(n_objects))
    known = FeatureTable(
        labels,
        tuple(Feature.numeric(f"known {k}", features[:, k]) for k in range(KNOWN)),
    )
    given = Dissimilarities(labels, SAID[said](noisy))
    return Problem(given, known, n_components=HIDDEN), features[:, KNOWN:]
