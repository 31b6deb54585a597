"""False alarms of confusions where chance is made by counting as well."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import product

import numpy as np
from scipy.spatial.distance import squareform

from benchmarks.calibration_alarms import RESAMPLES, is_rare
from benchmarks.calibration_data import repeated
from benchmarks.calibration_kinds import SHOWN, Made, Random, apart
from benchmarks.report import Table
from cml_core import Dissimilarities, Fit, Problem, fit
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.wider import wider_fits
from cml_core.fitting.scales.registry import SCALES
from cml_core.fitting.scales.told import told
from cml_core.values.arrays import FloatArray

STARTS = 5
ABOUT = f"""\
Confusions as in *By scale, and by how data were made*, two features hidden. Chance is made by \
counting: the map with as many dimensions as are said to be hidden tells how near every two \
objects are, what is shown {SHOWN} times is taken for others in proportion to that, and the counts \
are converted as those at hand were ({RESAMPLES} times, p ≤ .05). *Alarms* are false: the map has \
two dimensions; *power*: it has one. Neither rivals nor pairs held out were asked."""
HEADS = ("data", "scale", "alarms, N = 20", "power, N = 20", "alarms, N = 40")
CELLS = ((20, 2), (20, 1), (40, 2))


def counting_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of confusions and scale."""
    rows = []
    for kind, scale in product(
        ("confusions", "confusions by squares"), ("ratio", "power", "ordinal")
    ):
        shares = [np.mean(repeated(_alarm, data_sets, kind, scale, n, p)) for n, p in CELLS]
        rows.append((kind, scale, *(f"{share:.2f}" for share in shares)))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _alarm(kind: str, scale: str, n_objects: int, dimensions: int, seed: int) -> bool:
    sample = Made(kind, scale, hidden=2, n_objects=n_objects).simulated(seed)
    problem = replace(sample.problem, n_components=dimensions)
    found, observed = _lowered(problem, seed)
    scaled = as_fitted(problem)
    apart_by = told(SCALES[scale], scaled.judged, found.best.distances(), found.power)
    return is_rare(
        observed, lambda _: _lowered(_counted(problem, apart_by, sample.random), seed)[1]
    )


def _lowered(problem: Problem, seed: int) -> tuple[Fit, float]:
    """A fit, and how much one more dimension lowers its stress."""
    found = fit(as_fitted(problem), n_init=STARTS, seed=seed)
    wider = wider_fits(found.problem, found.best, found.power)[0]
    return found, 1.0 - wider.stress / found.stress


def _counted(problem: Problem, apart_by: FloatArray, random: Random) -> Problem:
    near = squareform(np.exp(-np.maximum(apart_by, 0.0))) + np.eye(len(problem.known.labels))
    counts = np.array([random.multinomial(SHOWN, one / one.sum()) for one in near])
    return replace(problem, dissimilarities=Dissimilarities(problem.known.labels, apart(counts)))
