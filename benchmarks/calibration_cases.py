"""How often the hidden-feature test raises an alarm where cases of measurements are drawn anew."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.calibration_alarms import RESAMPLES, STARTS, alarm
from benchmarks.calibration_data import repeated
from benchmarks.report import Table
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.calibrated import BY_THEMSELVES
from cml_core.evidence.null_cases import null_cases
from cml_core.evidence.refits import as_fitted
from cml_core.files.cases import Cases
from cml_core.files.preparation import Preparation
from cml_core.values.arrays import FloatArray

KNOWN, HIDDEN = 3, 2
FEWER_FOR_POWER = 2
ABOUT = f"""\
Normal features, each pair correlated by 0.5 and each stretched by .6 to 1.4, of which {KNOWN} are \
known and {HIDDEN} hidden. In every case (a column of measurements) an object is the sum of its \
features, weighed by normal numbers of the case, and an error of its own with a standard deviation \
of 1. Dissimilarities are computed from the cases: one minus Pearson's r or the cosine, Euclidean \
distances, or their squares. *Alarms* are false: the test is that of \
the map with {HIDDEN} dimensions; *one lacks* and *two lack* is its power, of maps \
with one and none. Each figure is the share of data sets in which an alarm is shown, \
and in brackets raised ({RESAMPLES} resamples, p ≤ .05)."""
HEADS = (
    "measure", "scale", "objects", "cases", "errors", "alarms", "one lacks", "two lack",
)  # fmt: skip
Errors = Callable[[np.random.Generator, tuple[int, int]], FloatArray]


def _by_object(random: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    """Their size differs from object to object, .4 to 1.6."""
    errors: FloatArray = random.standard_normal(shape) * random.uniform(0.4, 1.6, shape[0])[:, None]
    return errors


def _by_case(random: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    """Their size differs from case to case, .4 to 1.6."""
    errors: FloatArray = random.standard_normal(shape) * random.uniform(0.4, 1.6, shape[1])
    return errors


ERRORS: Mapping[str, Errors] = {
    "normal": lambda random, shape: random.standard_normal(shape),
    "heavy tails (t, 3)": lambda random, shape: random.standard_t(3, shape) / np.sqrt(3.0),
    "by object": _by_object,
    "by case": _by_case,
    "normal, measurements saturate": lambda random, shape: random.standard_normal(shape),
}
# Measure, scale, objects, cases, errors.
CELLS = (
    *(
        ("correlation", scale, 20, 60, "normal")
        for scale in ("ordinal", "spline", "power", "ratio")
    ),
    ("cosine", "ordinal", 20, 60, "normal"),
    ("correlation", "ordinal", 20, 20, "normal"),
    ("correlation", "ordinal", 20, 200, "normal"),
    ("correlation", "ordinal", 40, 60, "normal"),
    *(("correlation", "ordinal", 20, 60, errors) for errors in list(ERRORS)[1:]),
    *(("euclidean", scale, 20, 60, "normal") for scale in ("ordinal", "spline", "interval")),
    ("euclidean", "ratio", 20, 60, "normal"),
    ("sqeuclidean", "ratio", 20, 60, "normal"),
    ("euclidean", "ordinal", 20, 20, "normal"),
    ("euclidean", "ordinal", 20, 200, "normal"),
    ("euclidean", "ordinal", 40, 60, "normal"),
    *(("euclidean", "ordinal", 20, 60, errors) for errors in list(ERRORS)[1:]),
)


@dataclass(frozen=True)
class Measured:
    """What one kind of data set is made of, and how many hidden dimensions its map has."""

    measure: str
    scale: str
    n_objects: int
    n_cases: int
    errors: str
    dimensions: int

    def simulated(self, seed: int) -> tuple[Problem, Cases, FloatArray]:
        """One data set, its cases, and the features that are hidden."""
        random = np.random.default_rng([seed, self.n_objects, HIDDEN, self.n_cases])
        q = KNOWN + HIDDEN
        mixed = np.full((q, q), 0.5) + 0.5 * np.eye(q)
        points = random.multivariate_normal(np.zeros(q), mixed, size=self.n_objects)
        points *= random.uniform(0.6, 1.4, q)
        said = points @ random.standard_normal((q, self.n_cases))
        if self.errors.endswith("saturate"):
            said = 2.0 * np.tanh(said / 2.0)
        values = said + ERRORS[self.errors](random, said.shape)
        labels = tuple(f"object {k + 1}" for k in range(self.n_objects))
        cases = Cases(labels, values, Preparation(metric=self.measure))
        known = tuple(Feature.numeric(f"known {k + 1}", points[:, k]) for k in range(KNOWN))
        data = Dissimilarities(labels, cases.compared(values))
        features = FeatureTable(labels, known)
        problem = Problem(data, features, n_components=self.dimensions, scale=self.scale)
        return problem, cases, points[:, KNOWN:]


def cases_calibration(data_sets: int) -> list[Table]:
    """A row for each measure, scale, size and kind of errors."""
    rows = []
    for cell in CELLS:
        tested = [
            repeated(_alarm, data_sets if p == HIDDEN else data_sets // FEWER_FOR_POWER, p, cell)
            for p in (HIDDEN, HIDDEN - 1, 0)
        ]
        rows.append((*map(str, cell), *map(_share, tested)))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _share(tests: list[tuple[bool, bool]]) -> str:
    raised, shown = np.array(tests).T
    error = np.sqrt(shown.mean() * (1 - shown.mean()) / shown.size)
    return f"{shown.mean():.2f} ± {error:.2f} ({raised.mean():.2f} of {shown.size})"


def _alarm(dimensions: int, cell: tuple[str, str, int, int, str], seed: int) -> tuple[bool, bool]:
    """Whether an alarm was raised, and whether it is shown."""
    # Of what the program withdraws as well: so it was found out.
    problem, cases, _ = Measured(*cell, dimensions).simulated(seed)
    problem = as_fitted(problem)
    found = fit(problem, n_init=STARTS, seed=seed)
    world = null_cases(problem, found, cases)
    if world is None:
        raise ValueError(f"{cell} leaves no directions for errors.")
    raised, why = alarm(found, world, BY_THEMSELVES, seed)
    return raised, raised and not why
