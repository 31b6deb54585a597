"""How often the hidden-feature test raises an alarm, by how data were made and by scale.

Counts are kept in `calibration_alarms.csv`, cell by cell as they are done: a run that was stopped
goes on where it ended, and a later one adds data sets to what is there.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby, product
from pathlib import Path

from benchmarks.calibration_data import processes
from benchmarks.calibration_kinds import ABOUT as ABOUT_KINDS
from benchmarks.calibration_kinds import Made
from benchmarks.report import Table
from cml_core import fit
from cml_core.evidence.hidden_feature import why_withheld
from cml_core.evidence.null_cases import NullCases
from cml_core.evidence.null_data import NullData, null_data
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.wider import lowered_by_chance, wider_fits
from cml_core.evidence.work import one_by_one
from cml_core.fitting.result import Fit
from cml_core.values.origin import Origin

COUNTS = Path(__file__).with_name("calibration_alarms.csv")
RESAMPLES, STARTS, LEVEL = 39, 10, 0.05
SIZES = (20, 40, 60)
# Of data sets with a feature still hidden so many times fewer are made.
FEWER_FOR_POWER = 4
# Where no p-value is given whatever the data, so many do.
ENOUGH_WITHOUT = 40
# With more objects fits take longer, and the table is to be filled before it is made finer.
ROUNDS = ((40, 40), (20, 100), (60, 20), (40, 100), (60, 100), (20, 400), (40, 400), (60, 400))
ABOUT = f"""\
{ABOUT_KINDS} *Hidden* is how many features lack. *Alarms* are false: the test is that of the map \
with as many dimensions. *Power* is that of the map with one fewer, where an alarm is \
right. Each figure is the share of data sets in which an alarm is shown, with its standard error; \
in brackets stands in how many one was raised ({RESAMPLES} resamples, p ≤ .05), and how many data \
sets were made. *None*: in none of them was a p-value given. An alarm is not shown where a rival \
explains the data as well, or tells half of what one more dimension does (a *bias* of objects, \
*bent* numbers, a *curve* of a known feature, *cityblock* distances), where pairs held out do not \
confirm it (*unconfirmed*), or where the origin of the numbers, or too level a curve of their \
order, forbids it: the last column counts these, of all false alarms raised. *No p* is the share \
of the data sets behind *alarms* in which no p-value is given, over all sizes, *false where p* the \
share of false alarms among the others. *People*: their answers are drawn anew. On the order of \
the numbers the roots, squares, saturated numbers and those with a constant added are the same \
data as distances, on a power the roots and squares, on differences those with a constant: in 30 \
data sets each every answer was the same, so they are not made again."""
KEPT = (
    "objects", "data", "scale", "drawn", "hidden", "dimensions", "data sets", "raised", "shown",
    "no p", "not shown",
)  # fmt: skip
# Kind, origin, scales on which it may be asked; none on which the data mean the same as distances
# do, for there the results are the same.
CELLS = (
    ("distances", "pairs", ("ratio", "interval", "power", "spline", "ordinal")),
    ("additive errors", "pairs", ("ratio", "ordinal")),
    ("errors by object", "pairs", ("ratio", "ordinal")),
    ("heavy-tailed errors", "pairs", ("ratio", "ordinal")),
    ("clusters", "pairs", ("ratio", "ordinal")),
    ("square roots", "pairs", ("ratio", "spline")),
    ("squares", "pairs", ("ratio", "spline")),
    ("half the mean added", "pairs", ("ratio", "power")),
    ("saturating", "pairs", ("ratio", "power", "spline")),
    ("one rating from 1 to 7", "ratings", ("ratio", "ordinal")),
    ("ratings of 8 people", "ratings", ("ratio", "interval", "ordinal")),
    ("ratings of 16 people", "ratings", ("ordinal",)),
    ("ratings of 30 people", "ratings", ("ordinal",)),
    ("16 people who rate otherwise", "ratings", ("ordinal",)),
    ("30 people who rate otherwise", "ratings", ("ordinal",)),
    ("sortings of 30 people", "sorting", ("ordinal",)),
    ("correlations", "correlations", ("ratio", "ordinal")),
    ("confusions", "confusions", ("ratio", "interval", "power", "spline", "ordinal")),
    ("confusions by squares", "confusions", ("ratio", "interval", "power", "spline", "ordinal")),
    ("taken for the same", "confusions", ("ratio", "interval", "power", "spline", "ordinal")),
    ("confusions of 16 people", "confusions", ("power", "ordinal")),
    ("counts together", "counts", ("power", "ordinal")),
    ("triads of 16 people", "triads", ("power", "ordinal")),
    ("objects with a bias", "pairs", ("ratio", "ordinal")),
    ("two objects far from all", "pairs", ("ratio", "interval", "power", "ordinal")),
    ("city-block", "pairs", ("ratio", "ordinal")),
    ("a known feature by its root", "pairs", ("ratio", "ordinal")),
)
OF_PEOPLE = (
    "ratings of 16 people",
    "ratings of 30 people",
    "16 people who rate otherwise",
    "30 people who rate otherwise",
    "sortings of 30 people",
    "confusions of 16 people",
    "triads of 16 people",
)


@dataclass(frozen=True, order=True)
class Cell:
    """What is counted: so many dimensions are tested of data in which so many are hidden."""

    n_objects: int
    kind: str
    scale: str
    by_people: bool
    hidden: int
    dimensions: int

    @property
    def alarms_are_false(self) -> bool:
        """Whether the map has as many dimensions as are hidden."""
        return self.dimensions == self.hidden


_DataSet = tuple[Cell, str, int]


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
    for n_objects, wanted in ROUNDS:
        tasks = list(_lacking(counts, n_objects, min(wanted, data_sets)))
        # Over all processors, or a cluster, yet kept in the order of the seeds.
        with closing(one_by_one(_measured, tasks, workers=processes())) as results:
            found = zip(tasks, results, strict=True)
            for cell, of_cell in groupby(found, key=lambda one: one[0][0]):
                for _, raised_and_why in of_cell:
                    counts[cell] = counts.get(cell, Count()).with_one(*raised_and_why)
                    keep(counts)
                print(cell, counts[cell], file=sys.stderr, flush=True)
    return [table(counts)]


def _lacking(counts: dict[Cell, Count], n_objects: int, wanted: int) -> Iterator[_DataSet]:
    """The data sets that are to be added, by cell; first those whose alarms are false."""
    for false in (True, False):
        for cell, origin in cells():
            if cell.n_objects == n_objects and cell.alarms_are_false == false:
                count = counts.get(cell, Count())
                for seed in range(count.data_sets, _enough(cell, wanted, count)):
                    yield cell, origin, seed


def _measured(data_set: _DataSet) -> tuple[bool, str]:
    return measured(*data_set)


def _enough(cell: Cell, wanted: int, count: Count) -> int:
    if count.data_sets >= ENOUGH_WITHOUT and count.without_p == count.data_sets:
        return ENOUGH_WITHOUT
    return wanted if cell.alarms_are_false else wanted // FEWER_FOR_POWER


def cells() -> Iterator[tuple[Cell, str]]:
    """Each cell, and how its data were made."""
    for n_objects in SIZES:
        for kind, origin, scales in CELLS:
            for scale, by_people in product(scales, _drawn(kind)):
                for hidden in (2, 1) if by_people else (2,):
                    for dimensions in (hidden, hidden - 1):
                        cell = Cell(n_objects, kind, scale, by_people, hidden, dimensions)
                        yield cell, origin


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
    asked = dict(zip(KEPT, row, strict=True))
    cell = Cell(
        int(asked["objects"]),
        asked["data"],
        asked["scale"],
        asked["drawn"] == "people",
        int(asked["hidden"]),
        int(asked["dimensions"]),
    )
    data_sets, raised, shown, without_p = (
        int(asked[name]) for name in ("data sets", "raised", "shown", "no p")
    )
    return cell, Count(data_sets, raised, shown, without_p, asked["not shown"])


def keep(counts: dict[Cell, Count]) -> None:
    """Write all counts."""
    with COUNTS.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(KEPT)
        for cell, count in sorted(counts.items()):
            drawn = "people" if cell.by_people else "pairs"
            asked = cell.n_objects, cell.kind, cell.scale, drawn, cell.hidden, cell.dimensions
            numbers = count.data_sets, count.raised, count.shown, count.without_p
            writer.writerow((*asked, *numbers, count.not_shown))


def table(counts: dict[Cell, Count]) -> Table:
    """A row for each kind of data, on each scale, of which anything was counted."""
    of_sizes = [f"{what}, N = {n}" for n in SIZES for what in ("alarms", "power")]
    counted = {replace(cell, n_objects=SIZES[0]) for cell in counts}
    rows = [
        _row(cell, counts)
        for cell, _ in cells()
        if cell.n_objects == SIZES[0] and cell.alarms_are_false and cell in counted
    ]
    heads = ("data", "scale", "drawn", "hidden", *of_sizes, "no p", "false where p", "not shown")
    return Table(heads, tuple(rows))


def _row(cell: Cell, counts: dict[Cell, Count]) -> tuple[str, ...]:
    false, shares = [], []
    for n_objects in SIZES:
        for dimensions in (cell.hidden, cell.hidden - 1):
            count = counts.get(replace(cell, n_objects=n_objects, dimensions=dimensions), Count())
            shares.append(_share(count))
            false += [count] if dimensions == cell.hidden else []
    made, without = sum(one.data_sets for one in false), sum(one.without_p for one in false)
    shown = sum(one.shown for one in false)
    where = f"{shown / (made - without):.2f} of {made - without}" if made > without else ""
    drawn = "people" if cell.by_people else "pairs"
    asked = cell.kind, cell.scale, drawn, str(cell.hidden)
    return (*asked, *shares, f"{without / made:.2f}", where, _reasons(false))


def _share(count: Count) -> str:
    if not count.data_sets:
        return ""
    raised = f"({count.raised / count.data_sets:.2f} of {count.data_sets})"
    if count.without_p == count.data_sets:
        return f"none {raised}"
    share = count.shown / count.data_sets
    error = (share * (1 - share) / count.data_sets) ** 0.5
    return f"{share:.2f} ± {error:.2f} {raised}"


def _reasons(counts: list[Count]) -> str:
    reasons: Counter[str] = Counter()
    for count in counts:
        reasons.update(dict(_reason(one) for one in count.not_shown.split(", ") if one))
    return ", ".join(f"{name} {count}" for name, count in reasons.most_common())


def measured(cell: Cell, origin: str, seed: int) -> tuple[bool, str]:
    """Whether there was an alarm in one data set, and why no p-value is given."""
    made = Made(cell.kind, cell.scale, hidden=cell.hidden, n_objects=cell.n_objects)
    sample = made.simulated(seed)
    problem = as_fitted(replace(sample.problem, n_components=cell.dimensions))
    found = fit(problem, n_init=STARTS, seed=seed)
    world = null_data(problem, found, sample.answers if cell.by_people else None, seed)
    return alarm(found, world, Origin(origin), seed)


def is_rare(observed: float, by_chance: Callable[[int], float]) -> bool:
    """Whether p ≤ .05 by 39 resamples: at most one takes as much."""
    as_low, number = 0, 0
    while as_low < LEVEL * (RESAMPLES + 1) and number < RESAMPLES:
        as_low += by_chance(number) >= observed
        number += 1
    return as_low < LEVEL * (RESAMPLES + 1)


def alarm(found: Fit, world: NullData | NullCases, origin: Origin, seed: int) -> tuple[bool, str]:
    """Whether data without a further feature raise an alarm, and why no p-value is given."""
    wider = wider_fits(world.problem, found.best, found.power)
    observed = 1.0 - wider[0].stress / found.stress
    raised = is_rare(observed, lambda number: lowered_by_chance(world, seed, number))
    why, seen = why_withheld(
        world, found, wider, origin, alarm=raised, resamples=RESAMPLES, seed=seed
    )
    return raised, "origin or order" if why else "+".join(one.kind for one in seen)
