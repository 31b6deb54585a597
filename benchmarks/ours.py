"""Fits as users of this package ask for them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import COLUMNS, HIDDEN, SHAPES, Sample, simulate
from cml_core import ConditionalMDS, Dissimilarities, FeatureTable, Problem, fit
from cml_core.errors import FlexibleScale, NotConverged
from cml_core.fitting.scales.registry import SCALES

# "Within 1e-6 of the best stress": relative.
SAME = 1e-6
TIGHT = 1e-12


@dataclass(frozen=True, eq=False)
class Outcome:
    """Where a fit ended, the stress at every pass, and how many starts it took."""

    stress: float
    path: NDArray[np.float64]
    starts: int = 1

    @property
    def passes(self) -> int:
        return len(self.path) - 1

    def passes_to(self, stress: float) -> int | None:
        """The first pass at which the stress was this low."""
        low = np.flatnonzero(self.path <= stress)
        return int(low[0]) if low.size else None


def conditional(sample: Sample, weights: str | None = None, **options: Any) -> Outcome:
    """Four features known, three hidden."""
    return _fitted(
        ConditionalMDS(HIDDEN, random_state=0, **options), sample, sample.known_values, weights
    )


def metric(sample: Sample, n_components: int = COLUMNS, **options: Any) -> Outcome:
    """Nothing known, as many columns: the problem that scikit-learn and smacof solve."""
    return _fitted(ConditionalMDS(n_components, random_state=0, **options), sample, None, None)


def majorised(sample: Sample, start: NDArray[np.float64], limit: int, tolerance: float) -> Outcome:
    """Up to `limit` Guttman transforms from `start`, until it falls no further.

    scikit-learn makes the same transforms, more slowly: this counts how many it needs.
    """
    dissimilarities = Dissimilarities.of(sample.condensed)
    problem = Problem(
        dissimilarities, FeatureTable(dissimilarities.labels), n_components=start.shape[1]
    )
    nothing = np.zeros((0, 0))
    found = fit(problem, solver="smacof", init=(start, nothing), tol=tolerance, max_iter=limit)
    return Outcome(found.stress, np.array(found.stress_path))


def ordinal_stress(sample: Sample, points: NDArray[np.float64]) -> float:
    """The square of Stress-1 of these points, at their best size, with the order alone believed."""
    dissimilarities = Dissimilarities.of(sample.condensed)
    nothing = FeatureTable(dissimilarities.labels)
    problem = Problem(dissimilarities, nothing, points.shape[1], scale="ordinal")
    return fit(problem, init=(points, np.zeros((0, 0))), max_iter=0).stress


def warm_up() -> None:
    """Compile, or load from disk, whatever the benchmarks will use."""
    for n_objects in (50, 150, 700, 1600):
        for shape in SHAPES:
            sample = simulate(shape, n_objects)
            for precision in (sample, sample.in_single_precision()):
                for weights in (None, "sammon"):
                    conditional(precision, weights, max_iter=5, n_init=1)
            metric(sample, max_iter=5, n_init=1)
            for scale in SCALES:
                conditional(sample, scale=scale, max_iter=5, n_init=1)
    sample = simulate("uniform", 50)
    majorised(sample, np.random.default_rng(0).uniform(size=(50, COLUMNS)), 2, -1.0)


def _fitted(
    model: ConditionalMDS, sample: Sample, known_values: Any, weights: str | None
) -> Outcome:
    with warnings.catch_warnings():
        for remark in (NotConverged, FlexibleScale):
            warnings.simplefilter("ignore", remark)
        model.fit(sample.condensed, known_values, weights)
    return Outcome(model.stress_, model.stress_path_, model.fit_.n_starts)
