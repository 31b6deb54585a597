"""How often a curve is advised, with and without one in the data, and what it does for the map."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import numpy as np
from scipy.spatial.distance import pdist

from benchmarks.calibration_data import alarms, repeated
from benchmarks.report import Table
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.curvature import curvature, shaped
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.fitting.geometry import canonical_correlations
from cml_core.values.arrays import FloatArray

KNOWN, HIDDEN, RESAMPLES = 3, 2, 39
CORRELATION, NOISE = 0.5, 0.1
# How the first known feature counts.
SHAPES: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "as it is": lambda x: x,
    "its signed root": lambda x: np.sign(x) * np.sqrt(np.abs(x)),
    "its logarithm": lambda x: np.log1p(x - x.min()),
    "its square": lambda x: x**2,
}
ABOUT = f"""\
Five normal features, each pair correlated by {CORRELATION:g} and each stretched by .6 to 1.4, of \
which {KNOWN} are known; noise a tenth of every distance. The first known one counts as is said. \
*Advised* is the share of data sets in which a curve of it is clearly better for held-out pairs, \
*of another* the mean share for the two that act straight. *Found* is the mean canonical \
correlation of the map with the {HIDDEN} hidden features, with the first one straight and along a \
curve; *alarms* the share in which the hidden-feature test gives p ≤ .05, with twice its standard \
error: all of them are false. 10 folds, {RESAMPLES} resamples."""
HEADS = (
    "the first counts by",
    "N",
    "advised",
    "of another",
    "found, straight",
    "found, curved",
    "alarms, straight",
    "alarms, curved",
)


def curvature_calibration(data_sets: int) -> list[Table]:
    """A row for each shape and number of objects."""
    rows = []
    for n_objects in (20, 40):
        for shape in SHAPES:
            found = np.array(repeated(_found, data_sets, shape, n_objects))
            shares = (f"{value:.3f}" for value in found[:, :4].mean(axis=0))
            row = (shape, f"{n_objects}", *shares, *(alarms(p.tolist()) for p in found[:, 4:].T))
            rows.append(row)
            print(*row, sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _found(shape: str, n_objects: int, seed: int) -> tuple[float, ...]:
    problem, hidden = _simulated(shape, n_objects, seed)
    first, *others = curvature(problem, seed=seed).features
    bent = problem.knowing(shaped(problem.known.features[0], bent=True))
    fits = [fit(asked, seed=seed) for asked in (problem, bent)]
    found = [float(canonical_correlations(one.embedding, hidden).mean()) for one in fits]
    tests = [hidden_feature_test(one, resamples=RESAMPLES, seed=seed) for one in fits]
    p_values = [1.0 if test.p_value is None else test.p_value for test in tests]
    return (first.bends, float(np.mean([one.bends for one in others])), *found, *p_values)


def _simulated(shape: str, n_objects: int, seed: int) -> tuple[Problem, FloatArray]:
    random = np.random.default_rng([seed, n_objects])
    q = KNOWN + HIDDEN
    mixed = np.full((q, q), CORRELATION) + (1 - CORRELATION) * np.eye(q)
    values = random.normal(size=(n_objects, q)) @ np.linalg.cholesky(mixed).T
    points = values * random.uniform(0.6, 1.4, q)
    points[:, 0] = SHAPES[shape](points[:, 0])
    distances = pdist(points)
    seen = np.abs(distances * (1 + NOISE * random.standard_normal(distances.size)))
    labels = tuple(f"object {k + 1}" for k in range(n_objects))
    known = tuple(Feature.numeric(f"feature {k + 1}", values[:, k]) for k in range(KNOWN))
    problem = Problem(Dissimilarities(labels, seen), FeatureTable(labels, known), HIDDEN)
    return problem, values[:, KNOWN:]
