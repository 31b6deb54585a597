"""How often an outline by people drawn anew holds a true place."""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.calibration_data import repeated
from benchmarks.calibration_ellipses import REFITS, held
from benchmarks.calibration_kinds import ABOUT as ABOUT_KINDS
from benchmarks.calibration_kinds import Made
from benchmarks.report import Table
from cml_core import fit
from cml_core.evidence.stability import stability
from cml_core.fitting.geometry import procrustes

ABOUT = f"""\
{ABOUT_KINDS} Two features are hidden, 20 objects. The share of objects whose true hidden place, \
turned, shifted and stretched onto the map, lies within the outline for 95 %, with its standard \
error over data sets; {REFITS} refits, of people or of pairs drawn anew."""
HEADS = ("data", "scale", "people", "pairs")
CELLS = (
    ("ratings of 16 people", "interval"),
    ("ratings of 16 people", "ordinal"),
    ("16 people who rate otherwise", "ordinal"),
    ("16 people who rate otherwise", "interval"),
    ("sortings of 30 people", "ordinal"),
    ("sortings of 30 people", "interval"),
)


def people_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of data and scale."""
    rows = []
    for kind, scale in CELLS:
        found = np.array(repeated(_held, data_sets, Made(kind, scale, hidden=2)))
        errors = found.std(axis=0, ddof=1) / np.sqrt(data_sets)
        told = (f"{m:.3f} ± {e:.3f}" for m, e in zip(found.mean(axis=0), errors, strict=True))
        rows.append((kind, scale, *told))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _held(made: Made, seed: int) -> tuple[float, float]:
    sample = made.simulated(seed)
    found = fit(sample.problem, seed=seed)
    shares = []
    for left_out in ("people", "pairs"):
        steady = stability(
            found, left_out=left_out, answers=sample.answers, refits=REFITS, seed=seed
        )
        # On any scale but the ratio scale a map has a size of its own.
        turned = procrustes(sample.hidden, found.embedding, scaling=True).points
        shares.append(held(turned, steady.centres, steady.covariances))
    return shares[0], shares[1]
