"""How often an outline by cases drawn anew holds a true place, of maps of measurements."""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.calibration_alarms import STARTS
from benchmarks.calibration_cases import ERRORS, HIDDEN, Measured
from benchmarks.calibration_data import repeated
from benchmarks.calibration_ellipses import REFITS, held
from benchmarks.report import Table
from cml_core import fit
from cml_core.evidence.stability import stability
from cml_core.fitting.geometry import procrustes

ABOUT = f"""\
Measurements as in *Of measurements, cases drawn anew*: {HIDDEN} features are hidden, 20 objects. \
The share of objects whose true hidden place, turned, shifted and stretched onto the map, lies \
within an outline for 95 % by {REFITS} refits to cases drawn anew, with its standard error over \
data sets. *Drawn* is the share of data sets in which it is drawn."""
HEADS = ("measure", "scale", "cases", "errors", "held", "drawn")
# Measure, scale, cases, errors.
CELLS = (
    *(("correlation", scale, 60, "normal") for scale in ("ordinal", "spline", "ratio")),
    ("correlation", "ordinal", 200, "normal"),
    ("correlation", "ordinal", 60, "by object"),
    ("cosine", "ordinal", 60, "normal"),
    *(("euclidean", scale, 60, "normal") for scale in ("ordinal", "spline", "interval", "ratio")),
    *(("euclidean", "interval", cases, "normal") for cases in (20, 40, 200)),
    *(("euclidean", "ordinal", 60, errors) for errors in list(ERRORS)[1:]),
)


def measured_outlines_calibration(data_sets: int) -> list[Table]:
    """A row for each measure, scale, number of cases and kind of errors."""
    rows = []
    for cell in CELLS:
        shares, drawn = np.array(repeated(_held, data_sets, cell)).T
        error = shares.std(ddof=1) / np.sqrt(shares.size)
        held_so = f"{shares.mean():.2f} ± {error:.2f}"
        rows.append((*map(str, cell), held_so, f"{drawn.mean():.2f}"))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _held(cell: tuple[str, str, int, str], seed: int) -> tuple[float, float]:
    """The share of places held, and whether outlines are drawn."""
    measure, scale, n_cases, errors = cell
    made = Measured(measure, scale, 20, n_cases, errors, HIDDEN)
    problem, cases, hidden = made.simulated(seed)
    found = fit(problem, n_init=STARTS, seed=seed)
    steady = stability(found, refits=REFITS, left_out="cases", cases=cases, seed=seed, workers=1)
    turned = procrustes(hidden, found.embedding, scaling=True).points
    shares = held(turned, steady.centres, steady.covariances, cases.n_cases)
    return shares, float(not steady.why_no_outlines)
