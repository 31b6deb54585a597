"""How often "did it help" says so of features that do and that do not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.calibration_data import NAMES, Cars, alarms, repeated, repeating
from benchmarks.report import Table
from cml_core import Feature, FeatureTable, Problem
from cml_core.evidence.importance import did_it_help
from cml_core.values.words import percent

SHUFFLES = 19
NEW = "New"
ABOUT = f"""\
Each figure is the share of data sets in which the judged feature gets p ≤ .05, with twice its \
standard error; {SHUFFLES} shuffled features, 10 folds. Features that say nothing give false \
alarms: numbers or three categories that chance has dealt out, and numbers that mostly repeat a \
known feature (r = .8). *Economy* is one of the seven true features."""

Made = Callable[[FeatureTable, np.random.Generator], Feature]


def _numbers(known: FeatureTable, random: np.random.Generator) -> Feature:
    return Feature.numeric(NEW, random.uniform(size=len(known.labels)))


def _categories(known: FeatureTable, random: np.random.Generator) -> Feature:
    return Feature.categorical(NEW, random.choice(list("abc"), len(known.labels)), list("abc"))


NOTHING: dict[str, Made] = {
    "random numbers": _numbers,
    "random categories": _categories,
    "mostly another feature": partial(repeating, NEW),
}


def helped_calibration(data_sets: int) -> list[Table]:
    """False alarms and power."""
    heads = ("judged", "features", "N", "noise", "p ≤ .05")
    shapes = [(Cars(30, 4, "additive"), 3), (Cars(60, 4), 3), (Cars(30, 7), 0)]
    cells = [(what, Cars(30, 4), 3) for what in NOTHING]
    cells += [("random numbers", cars, p) for cars, p in shapes]
    false = [_row(what, cars, p, data_sets) for what, cars, p in cells]
    true = [_row(NAMES[4], Cars(n, 5), 2, data_sets) for n in (30, 60)]
    return [Table(heads, tuple(false)), Table(heads, tuple(true))]


def _row(what: str, cars: Cars, p: int, data_sets: int) -> tuple[str, ...]:
    asked = f"{cars.n_known} of 7 known, p = {p}"
    row = (what, asked, f"{cars.n_objects}", f"{cars.noise}, {percent(cars.size, 0)}")
    found = (*row, alarms(repeated(_p_value, data_sets, what, cars, p)))
    print(*found, sep=" | ", file=sys.stderr, flush=True)
    return found


def _p_value(what: str, cars: Cars, p: int, seed: int) -> float:
    dissimilarities, known, random = cars.simulated(seed)
    judged = what
    if what in NOTHING:
        known, judged = known.with_feature(NOTHING[what](known, random)), NEW
    problem = Problem(dissimilarities, known, n_components=p)
    found = did_it_help(problem, [judged], shuffles=SHUFFLES, seed=seed).features[0]
    assert found.p_value is not None
    return found.p_value
