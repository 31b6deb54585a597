"""How often the hidden-feature test raises an alarm, by how data were made and by scale.

Counts are kept in `calibration_alarms.csv`, cell by cell as they are done: a run that was stopped
goes on where it ended, and a later one adds data sets to what is there.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from benchmarks.calibration_data import share_of
from benchmarks.calibration_kinds import ABOUT as ABOUT_KINDS
from benchmarks.calibration_kinds import Made
from benchmarks.report import Table
from cml_core import fit
from cml_core.evidence.hidden_feature import lowered_by_chance, why_withheld, wider_fits
from cml_core.evidence.null_data import null_data
from cml_core.evidence.refits import as_fitted
from cml_core.values.origin import Origin

COUNTS = Path(__file__).with_name("calibration_alarms.csv")
RESAMPLES, STARTS, LEVEL = 39, 10, 0.05
SIZES = (20, 40, 60)
# Of data sets with a feature still hidden so many times fewer are made.
FEWER_FOR_POWER = 2
# With more objects fits take longer, and the table is to be filled before it is made finer.
AT_ONCE = 20
ABOUT = f"""\
{ABOUT_KINDS} Two features are hidden; the test is that of the map with two dimensions, where \
every alarm is false, and of the map with one, where an alarm is right (*power*). {RESAMPLES} \
resamples, of which as many are made as decide whether p ≤ .05. *Raised* counts all alarms; \
*shown* those that are shown as one, with a p-value. *Not shown* says why the others are not: the \
origin forbids it, a rival explains the data as well (a bias of objects, bent numbers, a curve of \
a known feature, city-block distances), or pairs held out do not confirm it. *No p* is the share \
of all data sets in which no p-value is given. After ± stands twice the standard error; *sets* \
are the data sets behind the false alarms and behind the power. *People*: their answers are drawn \
anew. Wanted are false alarms between .01 and .08 wherever an alarm may be shown."""
HEADS = (
    "data", "scale", "drawn", "N", "sets", "raised", "shown", "no p", "power raised",
    "power shown", "not shown",
)  # fmt: skip
KEPT = (
    "objects", "data", "scale", "drawn", "dimensions", "data sets", "raised", "shown", "no p",
    "not shown",
)  # fmt: skip
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


@dataclass(frozen=True, order=True)
class Cell:
    """What is counted: so many hidden dimensions are tested of data with two."""

    n_objects: int
    kind: str
    scale: str
    by_people: bool
    dimensions: int


@dataclass(frozen=True)
class Count:
    """Of so many data sets, in how many there was an alarm, and which were not shown, and why."""

    data_sets: int = 0
    raised: int = 0
    shown: int = 0
    without_p: int = 0
    not_shown: str = ""

    def with_one(self, raised: bool, why: str) -> Count:
        """With one more data set; `why` no p-value is given is empty where one is."""
        reasons = Counter(dict(_reason(one) for one in self.not_shown.split(", ") if one))
        reasons.update([why] if raised and why else [])
        return Count(
            self.data_sets + 1,
            self.raised + raised,
            self.shown + (raised and not why),
            self.without_p + bool(why),
            ", ".join(f"{name} {count}" for name, count in reasons.most_common()),
        )


def _reason(told: str) -> tuple[str, int]:
    name, count = told.rsplit(" ", 1)
    return name, int(count)


def alarms_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of data, scale and size, of the data sets kept and those added."""
    counts = kept()
    for wanted in range(AT_ONCE, data_sets + AT_ONCE, AT_ONCE):
        for cell, origin in cells():
            most = min(wanted, data_sets)
            enough = most if cell.dimensions == 2 else most // FEWER_FOR_POWER
            count = counts.get(cell, Count())
            for seed in range(count.data_sets, enough):
                count = count.with_one(*measured(cell, origin, seed))
            if count != counts.get(cell, Count()):
                counts[cell] = count
                keep(counts)
                print(cell, count, file=sys.stderr, flush=True)
    return [table(counts)]


def cells() -> Iterator[tuple[Cell, str]]:
    """Each cell, and how its data were made."""
    for n_objects in SIZES:
        for kind, origin, scales in CELLS:
            for scale, by_people in product(scales, _drawn(kind)):
                for dimensions in (2, 1):
                    yield Cell(n_objects, kind, scale, by_people, dimensions), origin


def _drawn(kind: str) -> tuple[bool, ...]:
    """Whether people are drawn: where there are single answers, both ways are measured."""
    return (False, True) if kind in OF_PEOPLE else (False,)


def kept() -> dict[Cell, Count]:
    """What was counted before."""
    if not COUNTS.exists():
        return {}
    with COUNTS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    return dict(map(_told, rows))


def _told(row: list[str]) -> tuple[Cell, Count]:
    n_objects, kind, scale, drawn, dimensions, data_sets, raised, shown, without_p, why = row
    cell = Cell(int(n_objects), kind, scale, drawn == "people", int(dimensions))
    return cell, Count(int(data_sets), int(raised), int(shown), int(without_p), why)


def keep(counts: dict[Cell, Count]) -> None:
    """Write all counts."""
    with COUNTS.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(KEPT)
        for cell, count in sorted(counts.items()):
            drawn = "people" if cell.by_people else "pairs"
            asked = cell.n_objects, cell.kind, cell.scale, drawn, cell.dimensions
            numbers = count.data_sets, count.raised, count.shown, count.without_p
            writer.writerow((*asked, *numbers, count.not_shown))


def table(counts: dict[Cell, Count]) -> Table:
    """A row for each cell of which anything was counted."""
    rows = []
    for cell, origin in cells():
        false = counts.get(cell)
        if cell.dimensions == 2 and false is not None:
            right = counts.get(replace(cell, dimensions=1), Count())
            rows.append(_row(cell, origin, false, right))
    return Table(HEADS, tuple(rows))


def _row(cell: Cell, origin: str, false: Count, right: Count) -> tuple[str, ...]:
    never = false.without_p == false.data_sets
    return (
        cell.kind,
        cell.scale,
        "people" if cell.by_people else "pairs",
        f"{cell.n_objects}",
        f"{false.data_sets}, {right.data_sets}",
        share_of(false.raised, false.data_sets),
        "none" if never else share_of(false.shown, false.data_sets),
        f"{false.without_p / false.data_sets:.2f}",
        f"{right.raised / right.data_sets:.2f}" if right.data_sets else "",
        f"{right.shown / right.data_sets:.2f}" if right.data_sets else "",
        f"origin: {origin}" if never else false.not_shown,
    )


def measured(cell: Cell, origin: str, seed: int) -> tuple[bool, str]:
    """Whether there was an alarm in one data set, and why no p-value is given."""
    made = Made(cell.kind, cell.scale, hidden=2, n_objects=cell.n_objects)
    sample = made.simulated(seed)
    problem = as_fitted(replace(sample.problem, n_components=cell.dimensions))
    found = fit(problem, n_init=STARTS, seed=seed)
    wider = wider_fits(problem, found.best, found.power)
    observed = 1.0 - wider[0].stress / found.stress
    world = null_data(problem, found, sample.answers if cell.by_people else None, seed)
    as_low, number = 0, 0
    # p ≤ .05 by 39 resamples: at most one takes as much.
    while as_low < LEVEL * (RESAMPLES + 1) and number < RESAMPLES:
        as_low += lowered_by_chance(world, seed, number) >= observed
        number += 1
    raised = as_low < LEVEL * (RESAMPLES + 1)
    why, seen = why_withheld(problem, found, wider, Origin(origin), alarm=raised, seed=seed)
    return raised, "origin or order" if why else "+".join(one.kind for one in seen)
