"""False alarms that the hidden-feature test would give of distances by way of neighbours."""

from __future__ import annotations

import sys
from dataclasses import replace

from benchmarks.calibration_alarms import RESAMPLES, STARTS, alarm
from benchmarks.calibration_data import repeated
from benchmarks.calibration_kinds import ABOUT as ABOUT_KINDS
from benchmarks.calibration_kinds import Made
from benchmarks.report import Table
from cml_core import Neighbourhood, fit
from cml_core.evidence.null_data import null_data
from cml_core.evidence.refits import as_fitted
from cml_core.values.origin import Origin

ABOUT = f"""\
{ABOUT_KINDS} Two features are hidden, and the map has two dimensions, so all alarms are false. \
Distances go by way of so many neighbours, and what comes of that is tested as if every pair had \
been measured by itself ({RESAMPLES} resamples, p ≤ .05). *Shown* is the share of data sets in \
which neither a rival nor pairs held out keep an alarm back."""
HEADS = ("scale", "objects", "neighbours", "raised", "shown", "no p")
CELLS = ((20, 5), (20, 8), (40, 8))


def ways_calibration(data_sets: int) -> list[Table]:
    """A row for each scale, size and number of neighbours."""
    rows = []
    for scale in ("ratio", "ordinal"):
        for objects, neighbours in CELLS:
            found = repeated(_alarm, data_sets, scale, objects, neighbours)
            share = [sum(of) / data_sets for of in zip(*found, strict=True)]
            rows.append((scale, f"{objects}", f"{neighbours}", *(f"{one:.2f}" for one in share)))
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _alarm(scale: str, objects: int, neighbours: int, seed: int) -> tuple[bool, bool, bool]:
    """Whether an alarm was raised, whether it would be shown, and whether there is no p-value."""
    sample = Made("distances", scale, hidden=2, n_objects=objects).simulated(seed)
    problem = as_fitted(replace(sample.problem, neighbourhood=Neighbourhood(neighbours)))
    found = fit(problem, n_init=STARTS, seed=seed)
    world = null_data(problem, found, None, seed)
    raised, why = alarm(found, world, Origin("pairs"), seed)
    return raised, raised and not why, bool(why)
