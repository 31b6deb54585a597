"""How often the hidden-feature test raises an alarm, by how data were made and by scale."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks.calibration_data import alarms, repeated
from benchmarks.calibration_kinds import ABOUT as ABOUT_KINDS
from benchmarks.calibration_kinds import Made
from benchmarks.report import Table
from cml_core import fit
from cml_core.evidence.calibrated import why_no_chance
from cml_core.evidence.hidden_feature import lowered_by_chance, wider_fits
from cml_core.evidence.misfit import misfits
from cml_core.evidence.null_data import null_data
from cml_core.evidence.refits import as_fitted
from cml_core.values.origin import Origin

RESAMPLES, STARTS, LEVEL = 39, 10, 0.05
# With so many objects a fit takes so many times longer, and data sets are fewer.
SIZES = {20: 1, 40: 3, 60: 10}
ABOUT = f"""\
{ABOUT_KINDS} Two features are hidden; the test is that of the map with two dimensions, where \
every alarm is false, and of the map with one, where it is the power. {RESAMPLES} resamples, of \
which as many are made as decide whether p ≤ .05. *Test alone* counts alarms whatever is said \
beside them, *shown* those with a p-value: none is given where the residuals follow something that \
is no feature, or the origin forbids it. The last column says for which of these reasons most \
alarms are not shown. Size after ± is twice the standard error. *People*: their answers are drawn \
anew."""
HEADS = ("data", "scale", "drawn", "N", "test alone", "shown", "power, shown", "mostly withheld as")
# Kind, origin, scales on which it may be asked.
CELLS = (
    ("distances", "pairs", ("ratio", "interval", "power", "spline", "ordinal")),
    ("additive errors", "pairs", ("ratio", "ordinal")),
    ("errors by object", "pairs", ("ratio", "ordinal")),
    ("heavy-tailed errors", "pairs", ("ratio", "ordinal")),
    ("clusters", "pairs", ("ratio", "ordinal")),
    ("square roots", "pairs", ("ratio", "power", "spline", "ordinal")),
    ("squares", "pairs", ("ratio", "power", "spline", "ordinal")),
    ("half the mean added", "pairs", ("ratio", "interval", "power", "ordinal")),
    ("saturating", "pairs", ("ratio", "power", "spline", "ordinal")),
    ("one rating from 1 to 7", "ratings", ("ratio", "ordinal")),
    ("ratings of 8 people", "ratings", ("ratio", "interval", "ordinal")),
    ("ratings of 16 people", "ratings", ("ordinal",)),
    ("16 people who rate otherwise", "ratings", ("ordinal",)),
    ("sortings of 30 people", "sorting", ("ordinal",)),
    ("correlations", "correlations", ("ratio", "ordinal")),
    ("objects with a bias", "pairs", ("ratio", "ordinal")),
    ("city-block", "pairs", ("ratio", "ordinal")),
    ("a known feature by its root", "pairs", ("ratio", "ordinal")),
)
OF_PEOPLE = ("ratings of 16 people", "16 people who rate otherwise", "sortings of 30 people")


class Found(NamedTuple):
    """Whether there was an alarm, and why it is not shown."""

    alarm: bool
    why: str


def alarms_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of data, scale and size."""
    rows = []
    for n_objects, fewer in SIZES.items():
        for kind, origin, scales in CELLS:
            for scale, by_people in product(scales, _drawn(kind)):
                made = Made(kind, scale, hidden=2, n_objects=n_objects)
                rows.append(_row(made, origin, by_people, max(data_sets // fewer, 2)))
                print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _drawn(kind: str) -> tuple[bool, ...]:
    """Whether people are drawn: where there are single answers, both ways are measured."""
    return (False, True) if kind in OF_PEOPLE else (False,)


def _row(made: Made, origin: str, by_people: bool, data_sets: int) -> tuple[str, ...]:
    false = repeated(_found, data_sets, made, origin, by_people, 2)
    right = repeated(_found, max(data_sets // 3, 2), made, origin, by_people, 1)
    why = [one.why for one in false if one.why]
    return (
        made.kind,
        made.scale,
        "people" if by_people else "pairs",
        str(made.n_objects),
        _share([one.alarm for one in false]),
        "none" if len(why) == len(false) else _share([one.alarm and not one.why for one in false]),
        f"{np.mean([one.alarm and not one.why for one in right]):.2f}",
        max(set(why), key=why.count) if why else "",
    )


def _share(found: list[bool]) -> str:
    return alarms([0.0 if one else 1.0 for one in found])


def _found(made: Made, origin: str, by_people: bool, dimensions: int, seed: int) -> Found:
    sample = made.simulated(seed)
    problem = as_fitted(replace(sample.problem, n_components=dimensions))
    found = fit(problem, n_init=STARTS, seed=seed)
    wider = wider_fits(problem, found.best, found.power)
    why = "origin or order" if why_no_chance(found, Origin(origin)) else ""
    observed = 1.0 - wider[0].stress / found.stress
    world = null_data(problem, found, sample.answers if by_people else None, seed)
    as_low, number = 0, 0
    # p ≤ .05 by 39 resamples: at most one takes as much.
    while as_low < LEVEL * (RESAMPLES + 1) and number < RESAMPLES:
        as_low += lowered_by_chance(world, seed, number) >= observed
        number += 1
    alarm = as_low < LEVEL * (RESAMPLES + 1)
    if alarm and not why:
        why = ", ".join(one.kind for one in misfits(problem, [found.best, *wider], found.power))
    return Found(alarm, why)
