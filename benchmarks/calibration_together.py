"""How often the ranking of features is right where objects lie together, and on every scale."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist

from benchmarks.calibration_data import alarms, repeated
from benchmarks.calibration_kinds import ABOUT as ABOUT_KINDS
from benchmarks.calibration_kinds import KNOWN, NOISE, Made
from benchmarks.report import Table
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.ranking import what_might_it_be
from cml_core.evidence.redundancy import redundancy
from cml_core.values.arrays import FloatArray, IntArray

DEALINGS, HIDDEN, REPEATING = 199, 2, 0.8
RANDOM, SHARED, NEARLY, SIDES = "random", "shared", "nearly shared", "shared, 2 groups"
SQUARE, PRODUCT, NOISY = "square", "product", "noisy square"
ALIKE, TRUE = "mostly known", "hidden"
ABOUT = f"""\
{ABOUT_KINDS} The first table is of objects that come in couples, in families of three or four \
(*families*), or in families of one to four (*mixed*): all features are shared but for a jitter, \
as a multiple of their standard deviation. Columns are the shares of data sets with p ≤ .05 for \
features that have nothing to do with the map: numbers that chance has dealt out to objects, to \
couples or families (*shared*, exactly, and with half as much noise again), and two groups of \
families; the square of a known feature, the product of two, the square with noise (r = .8), and \
numbers that mostly repeat a known feature (r = .8). Where a p-value is withheld that is no alarm; \
*withheld* is how often, for random numbers. Last stands the power: a hidden feature itself. The \
second table is of other data on other scales. {DEALINGS} dealings."""
HEADS = (RANDOM, SHARED, NEARLY, SIDES, SQUARE, PRODUCT, NOISY, ALIKE, TRUE, "withheld")
CROSS_ABOUT = """\
Of the data of *Objects that lie together*: two known features that act, and one more that is \
judged, with two hidden. Figures are the shares of data sets in which redundancy analysis gives \
p ≤ .05; where a p-value is withheld that is no alarm."""


@dataclass(frozen=True)
class Families:
    """Objects in families of these sizes, jittered by a share of the spread of features."""

    name: str
    sizes: tuple[int, ...]
    n_objects: int
    jitter: float

    def simulated(self, seed: int) -> tuple[Problem, FloatArray, IntArray, np.random.Generator]:
        """One data set: the question, all features, and the family of each object."""
        random = np.random.default_rng([seed, self.n_objects, len(self.sizes)])
        drawn = random.choice(self.sizes, self.n_objects)
        family = np.repeat(np.arange(self.n_objects), drawn)[: self.n_objects]
        q = KNOWN + HIDDEN
        mixed = 0.5 * (np.ones((q, q)) + np.eye(q))
        features = random.multivariate_normal(np.zeros(q), mixed, size=self.n_objects)[family]
        features += self.jitter * random.standard_normal(features.shape)
        features *= random.uniform(0.6, 1.4, q)
        distances = pdist(features)
        seen = np.abs(distances * (1 + NOISE * random.standard_normal(distances.size)))
        labels = tuple(f"object {k + 1}" for k in range(self.n_objects))
        known = [Feature.numeric(f"known {k + 1}", features[:, k]) for k in range(KNOWN)]
        table = FeatureTable(labels, tuple(known))
        return Problem(Dissimilarities(labels, seen), table, HIDDEN), features, family, random


GATHERED = (
    *(Families("each by itself", (1,), n, 0.0) for n in (14, 20, 40)),
    *(Families("couples", (2,), 20, jitter) for jitter in (0.0, 0.1, 0.2, 0.3, 0.6, 1.0)),
    *(Families("couples", (2,), 40, jitter) for jitter in (0.0, 0.2)),
    *(Families("families", (3, 4), 40, jitter) for jitter in (0.0, 0.1, 0.3, 0.6)),
    *(Families("mixed", (1, 2, 3, 4), 30, jitter) for jitter in (0.0, 0.15, 0.3)),
)
OTHERS = (
    ("distances", ("ratio", "interval", "power", "spline", "ordinal")),
    ("square roots", ("ratio", "power")),
    ("saturating", ("ratio", "spline")),
    ("one rating from 1 to 7", ("ratio", "ordinal")),
    ("ratings of 8 people", ("ratio", "interval", "ordinal")),
    ("sortings of 40 people", ("ratio", "ordinal")),
    ("correlations", ("ratio", "interval")),
    ("objects with a bias", ("ratio",)),
    ("city-block", ("ratio", "ordinal")),
    ("a known feature by its root", ("ratio", "ordinal")),
)


def together_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of family and size of jitter, and one for each kind of data and scale."""
    gathered = [
        (families.name, str(families.n_objects), f"{families.jitter:g}", *_row(found))
        for families in GATHERED
        for found in [_told(repeated(_gathered, data_sets, families))]
    ]
    others = [
        (kind, scale, *(share for k, share in enumerate(_row(found)) if k not in (1, 2, 3)))
        for kind, scales in OTHERS
        for scale in scales
        for found in [_told(repeated(_other, data_sets, kind, scale))]
    ]
    without = tuple(head for head in HEADS if head not in (SHARED, NEARLY, SIDES))
    return [
        Table(("objects", "N", "jitter", *HEADS), tuple(gathered)),
        Table(("data", "scale", *without), tuple(others)),
    ]


def redundancy_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of data, and of family."""
    heads = ("data", "N", "jitter", RANDOM, SHARED, ALIKE, TRUE, "withheld")
    judged = (RANDOM, SHARED, ALIKE, TRUE)
    rows = []
    for families in GATHERED:
        found = _told(repeated(_judged, data_sets, families))
        row = (families.name, str(families.n_objects), f"{families.jitter:g}")
        rows.append((*row, *(_share(found, name) for name in judged), _withheld(found)))
    return [Table(heads, tuple(rows))]


def _told(found: list[dict[str, float]]) -> list[dict[str, float]]:
    shares = {name: _share(found, name) for name in found[0]}
    print(shares, _withheld(found), file=sys.stderr, flush=True)
    return found


def _row(found: list[dict[str, float]]) -> tuple[str, ...]:
    return (*(_share(found, name) for name in HEADS[:-1]), _withheld(found))


def _share(found: list[dict[str, float]], name: str) -> str:
    return alarms([one[name] for one in found]) if name in found[0] else ""


def _withheld(found: list[dict[str, float]]) -> str:
    return f"{np.mean([np.isnan(one[RANDOM]) for one in found]):.2f}"


def _gathered(families: Families, seed: int) -> dict[str, float]:
    problem, features, family, random = families.simulated(seed)
    chance = dict(_of_nothing(family, random)) | dict(_of_known(features[:, :KNOWN], random))
    return _p_values(problem, chance | {TRUE: features[:, KNOWN]}, seed)


def _other(kind: str, scale: str, seed: int) -> dict[str, float]:
    made = Made(kind, scale, hidden=HIDDEN, n_objects=30)
    sample = made.simulated(seed)
    known = np.hstack([feature.columns() for feature in sample.problem.known.features])
    chance = {RANDOM: sample.random.standard_normal(len(known))}
    chance |= dict(_of_known(known, sample.random))
    return _p_values(sample.problem, chance | {TRUE: sample.hidden[:, 0]}, seed)


def _judged(families: Families, seed: int) -> dict[str, float]:
    problem, features, family, random = families.simulated(seed)
    two = problem.known.select(problem.known.names[:2])
    columns = dict(_of_nothing(family, random))
    columns[ALIKE] = dict(_of_known(features[:, :2], random))[ALIKE]
    columns[TRUE] = features[:, KNOWN]
    found = {}
    for name in (RANDOM, SHARED, ALIKE, TRUE):
        known = two.with_feature(Feature.numeric(name, columns[name]))
        asked = Problem(problem.dissimilarities, known, HIDDEN)
        last = redundancy(fit(asked, seed=seed), permutations=DEALINGS, seed=seed).features[-1]
        found[name] = float("nan") if last.p_value is None else last.p_value
    return found


def _of_nothing(family: IntArray, random: np.random.Generator) -> Iterator[tuple[str, FloatArray]]:
    n = family.size
    shared = random.standard_normal(n)[family]
    yield RANDOM, random.standard_normal(n)
    yield SHARED, shared
    yield NEARLY, shared + 0.5 * random.standard_normal(n)
    yield SIDES, random.integers(0, 2, n)[family].astype(np.float64)


def _of_known(known: FloatArray, random: np.random.Generator) -> Iterator[tuple[str, FloatArray]]:
    square = known[:, 0] ** 2

    def noisy(values: FloatArray) -> FloatArray:
        own = np.sqrt(1 - REPEATING**2) * random.standard_normal(values.size)
        told: FloatArray = REPEATING * (values - values.mean()) / values.std() + own
        return told

    yield SQUARE, square
    yield PRODUCT, known[:, 0] * known[:, 1]
    yield NOISY, noisy(square)
    yield ALIKE, noisy(known[:, 0])


def _p_values(problem: Problem, columns: Mapping[str, FloatArray], seed: int) -> dict[str, float]:
    """Of each feature, NaN where it is withheld."""
    features = [Feature.numeric(name, values) for name, values in columns.items()]
    varied = [feature for feature in features if np.ptp(feature.values) > 0]
    table = FeatureTable(problem.known.labels, tuple(varied))
    ranking = what_might_it_be(fit(problem, seed=seed), table, permutations=DEALINGS, seed=seed)
    found = dict.fromkeys(columns, float("nan"))
    told = {one.feature: one.p_value for one in ranking.candidates if one.p_value is not None}
    return found | told
