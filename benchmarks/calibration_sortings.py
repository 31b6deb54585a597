"""The power of tests of sortings for which chance is known, as it never is of people."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.stats import spearmanr

from benchmarks.calibration_data import repeated
from benchmarks.calibration_kinds import KINDS, Made, Random
from benchmarks.report import Table
from cml_core import Dissimilarities, Problem, fit
from cml_core.evidence.refits import as_fitted
from cml_core.values.arrays import FloatArray

PEOPLE = (16, 30, 40)
RESAMPLES, STARTS, LEVEL = 39, 5, 0.05
STATISTICS = {
    "stress, on order": "ordinal",
    "rank correlation, on order": "ordinal",
    "rank correlation, on differences": "interval",
    "likelihood, on order": "ordinal",
}
ABOUT = f"""\
Data as in *By scale, and by how data were made*: 20 objects, three known features, one hidden. \
Chance is what nobody has of real people: the same people, whose habits and errors are all known, \
sort anew by the known features alone ({RESAMPLES} times, p ≤ .05). Each figure is the share of \
data sets in which the hidden feature is found: by how much one dimension lowers the stress, \
raises the rank correlation of map and table, or makes the answers likelier, where the share that \
parts a pair only grows with its distance."""


def sortings_calibration(data_sets: int) -> list[Table]:
    """A row for each number of people."""
    rows = []
    for people in PEOPLE:
        found = np.mean(repeated(_found, data_sets, people), axis=0)
        rows.append((f"{people}", *(f"{share:.2f}" for share in found)))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(("people", *STATISTICS), tuple(rows))]


def _found(people: int, seed: int) -> list[bool]:
    """By statistic, whether so many people who sort give the hidden feature away."""
    sample = Made(f"sortings of {people} people", "ordinal").simulated(seed)
    known = np.column_stack([one.values for one in sample.problem.known.features])
    observed = _gained(sample.problem, people)
    by_chance = [
        _gained(_sorted_anew(sample.problem, known, people, sample.random), people)
        for _ in range(RESAMPLES)
    ]
    as_much = (np.array(by_chance) >= observed).sum(axis=0)
    return [bool(k + 1 <= LEVEL * (RESAMPLES + 1)) for k in as_much]


def _sorted_anew(problem: Problem, known: FloatArray, people: int, random: Random) -> Problem:
    parted = KINDS[f"sortings of {people} people"](known, random).mean(axis=0)
    return replace(problem, dissimilarities=Dissimilarities(problem.known.labels, parted))


def _gained(problem: Problem, people: int) -> FloatArray:
    """By statistic, what one dimension adds to none."""
    parted = np.asarray(problem.dissimilarities.condensed, dtype=np.float64)
    lowered, told = {}, {}
    for scale in ("ordinal", "interval"):
        asked = as_fitted(replace(problem, scale=scale))
        maps = [fit(replace(asked, n_components=p), n_init=STARTS, seed=0) for p in (0, 1)]
        lowered[scale] = 1.0 - maps[1].stress / maps[0].stress
        told[scale] = [one.best.distances() for one in maps]
    ranked = {
        scale: spearmanr(more, parted)[0] - spearmanr(none, parted)[0]
        for scale, (none, more) in told.items()
    }
    none, more = (_likelihood(parted, one, people) for one in told["ordinal"])
    return np.array([lowered["ordinal"], ranked["ordinal"], ranked["interval"], more - none])


def _likelihood(parted: FloatArray, distances: FloatArray, people: int) -> float:
    """Its logarithm, of answers that are given one by one."""
    order = np.argsort(distances, kind="stable")
    half = 0.5 / people
    share = np.clip(isotonic_regression(parted[order]).x, half, 1.0 - half)
    said = parted[order]
    return float(people * (said * np.log(share) + (1.0 - said) * np.log(1.0 - share)).sum())
