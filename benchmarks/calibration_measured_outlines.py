"""How often an outline by cases drawn anew holds a true place, of maps of measurements."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from benchmarks.calibration_alarms import STARTS
from benchmarks.calibration_cases import HIDDEN, Measured
from benchmarks.calibration_data import repeated
from benchmarks.calibration_ellipses import REFITS, held
from benchmarks.report import Table
from cml_core import fit
from cml_core.evidence.resampling import made_again, refittable
from cml_core.fitting.geometry import procrustes

ABOUT = f"""\
Measurements as in *Of measurements, cases drawn anew*: {HIDDEN} features are hidden, 20 objects. \
The share of objects whose true hidden place, turned, shifted and stretched onto the map, lies \
within an outline for 95 % by {REFITS} refits to cases drawn anew, with its standard error over \
data sets. No such outlines are drawn."""
HEADS = ("measure", "scale", "cases", "errors", "held")
# Measure, scale, cases, errors.
CELLS = (
    *(("correlation", scale, 60, "normal") for scale in ("ordinal", "spline", "ratio")),
    ("correlation", "ordinal", 200, "normal"),
    ("correlation", "ordinal", 60, "by object"),
    ("cosine", "ordinal", 60, "normal"),
    ("euclidean", "ordinal", 60, "normal"),
    ("euclidean", "interval", 60, "normal"),
    ("euclidean", "ordinal", 60, "heavy tails (t, 3)"),
)


def measured_outlines_calibration(data_sets: int) -> list[Table]:
    """A row for each measure, scale, number of cases and kind of errors."""
    rows = []
    for cell in CELLS:
        shares = np.array(repeated(_held, data_sets, cell))
        error = shares.std(ddof=1) / np.sqrt(shares.size)
        rows.append((*map(str, cell), f"{shares.mean():.2f} ± {error:.2f}"))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _held(cell: tuple[str, str, int, str], seed: int) -> float:
    measure, scale, n_cases, errors = cell
    made = Measured(measure, scale, 20, n_cases, errors, HIDDEN)
    problem, cases, hidden = made.simulated(seed)
    found = fit(problem, n_init=STARTS, seed=seed)
    start, random = refittable(found), np.random.default_rng(seed)
    places = []
    for _ in range(REFITS):
        drawn = random.integers(cases.n_cases, size=cases.n_cases)
        again = replace(start, delta=cases.compared(cases.values[:, drawn]))
        places.append(made_again(again).places)
    moves = np.array(places) - found.embedding
    spread = np.einsum("rni,rnj->nij", moves, moves) / (REFITS - 1)
    turned = procrustes(hidden, found.embedding, scaling=True).points
    return held(turned, found.embedding, spread, cases.n_cases)
