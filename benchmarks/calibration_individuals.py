"""Whether people's own weights are found, and how often people are said to differ who do not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist

from benchmarks.calibration_data import repeated
from benchmarks.report import Table
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.individuals import Individuals, individuals
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray

HIDDEN = 2
WELL = 0.95
ABOUT = """\
People stretch 2 hidden dimensions and the known features by weights of their own (roots of \
gamma(2, 1/2), mean square 1), or all alike; objects lie normally, noise is a share of each \
distance, everybody's numbers have a size of their own (log-normal, .3). *r* is the correlation \
over people of the shares that were found with the true ones, by dimension or feature, hidden \
dimensions matched: the median, and in how many data sets all of them reach .95. *Said to differ* \
is how often held-out answers call for own weights, *unlike* how many of 100 people are called \
unlike the others. Not as the model has it: ratings rounded to 7 points, noise of one size, people \
who turn the axes before they stretch them, and sortings into 4 to 7 groups."""
HEADS = (
    "weights", "said", "N", "people", "known", "noise", "scale", "median r", "all r ≥ .95",
    "said to differ", "unlike",
)  # fmt: skip


@dataclass(frozen=True)
class Crowd:
    """How answers are simulated."""

    own: bool
    said: str = "distances"
    n_objects: int = 20
    n_people: int = 20
    known: int = 1
    noise: float = 0.1
    scale: str = "ratio"


CROWDS = (
    *(Crowd(own, known=known) for own in (True, False) for known in (1, 2)),
    *(Crowd(own, noise=0.3) for own in (True, False)),
    *(Crowd(own, n_objects=12, n_people=8, noise=0.2) for own in (True, False)),
    *(
        Crowd(own, said, noise=0.2, scale=scale)
        for own in (True, False)
        for said in ("7 points", "noise of one size", "turned", "sortings")
        for scale in ("ratio", "ordinal")
        # Where all weigh alike, a turn of the axes changes nothing.
        if own or said != "turned"
    ),
)


class Found(NamedTuple):
    """What one data set gave; no correlations where people are alike."""

    correlations: tuple[float, ...]
    differ: bool
    unlike: float


def individuals_calibration(data_sets: int) -> list[Table]:
    """A row for each way of simulating people."""
    rows = []
    for crowd in CROWDS:
        found: list[Found] = repeated(measured, data_sets, crowd)
        rows.append(_row(crowd, found))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def measured(crowd: Crowd, seed: int) -> Found:
    """Own weights of one simulated crowd."""
    answers, known, shares = simulated(crowd, seed)
    problem = Problem(
        Dissimilarities(answers.labels, answers.mean), known, HIDDEN, scale=crowd.scale
    )
    fitted = fit(problem, seed=seed)
    found = individuals(fitted, answers, seed=seed)
    # Who sorts all objects together, or none, says nothing, and is left out.
    kept = [answers.people.index(name) for name in found.people]
    correlations = _recovered(found, shares[kept]) if crowd.own else ()
    return Found(correlations, found.differ, float(found.unlike.mean()))


def simulated(crowd: Crowd, seed: int) -> tuple[Answers, FeatureTable, FloatArray]:
    """Answers, what is known, and (people, weights) true shares."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(crowd.n_objects, HIDDEN + crowd.known))
    weights = np.ones((crowd.n_people, places.shape[1]))
    if crowd.own:
        weights = np.sqrt(random.gamma(2.0, 0.5, size=weights.shape))
    sizes = np.exp(0.3 * random.normal(size=crowd.n_people))
    values = np.array(
        [
            size * _SAID[crowd.said](_seen(places, own, crowd, random), crowd.noise, random)
            for own, size in zip(weights, sizes, strict=True)
        ]
    )
    if crowd.said in ("7 points", "sortings"):
        values /= sizes[:, None]
    labels = tuple(f"Object {k}" for k in range(crowd.n_objects))
    features = tuple(Feature.numeric(f"F{k}", places[:, HIDDEN + k]) for k in range(crowd.known))
    answers = Answers.once(labels, tuple(f"P{k}" for k in range(crowd.n_people)), values)
    made = weights**2 * places.var(axis=0)
    return answers, FeatureTable(labels, features), made / made.sum(axis=1, keepdims=True)


def _seen(
    places: FloatArray, own: FloatArray, crowd: Crowd, random: np.random.Generator
) -> FloatArray:
    """The places as one person stretches them."""
    seen = places
    if crowd.said == "turned":
        angle = 0.3 * random.normal()
        turn = np.eye(places.shape[1])
        turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        seen = places @ turn
    return seen * own


def _noisy(seen: FloatArray, noise: float, random: np.random.Generator) -> FloatArray:
    distances = pdist(seen)
    values: FloatArray = np.abs(distances * (1 + noise * random.normal(size=distances.size)))
    return values


def _of_one_size(seen: FloatArray, noise: float, random: np.random.Generator) -> FloatArray:
    distances = pdist(seen)
    errors = noise * distances.mean() * random.normal(size=distances.size)
    values: FloatArray = np.abs(distances + errors)
    return values


def _points(seen: FloatArray, noise: float, random: np.random.Generator) -> FloatArray:
    values = _noisy(seen, noise, random)
    points: FloatArray = np.clip(np.ceil(7 * values / np.quantile(values, 0.97)), 1, 7)
    return points


def _sorted(seen: FloatArray, noise: float, random: np.random.Generator) -> FloatArray:
    """1 where a person parts two objects, by groups of average linkage."""
    tree = linkage(_noisy(seen, noise, random), "average")
    group = cut_tree(tree, n_clusters=[int(random.integers(4, 8))]).astype(float)
    parted: FloatArray = (pdist(group) > 0).astype(float)
    return parted


_SAID: dict[str, Callable[[FloatArray, float, np.random.Generator], FloatArray]] = {
    "distances": _noisy,
    "turned": _noisy,
    "noise of one size": _of_one_size,
    "7 points": _points,
    "sortings": _sorted,
}


def _recovered(found: Individuals, true: FloatArray) -> tuple[float, ...]:
    """Correlations over people of shares, hidden dimensions matched as well as can be."""
    count = true.shape[1]
    between = np.corrcoef(found.shares.T, true.T)[:count, count:]
    orders = permutations(range(HIDDEN))
    best = max(orders, key=lambda order: sum(between[o, k] for k, o in enumerate(order)))
    own = [float(between[o, k]) for k, o in enumerate(best)]
    return (*own, *(float(r) for r in np.diag(between)[HIDDEN:]))


def _row(crowd: Crowd, found: list[Found]) -> tuple[str, ...]:
    told = np.array([one.correlations for one in found])
    median = f"{np.median(told):.3f}" if crowd.own else ""
    well = f"{(told.min(axis=1) >= WELL).mean():.2f}" if crowd.own else ""
    return (
        "own" if crowd.own else "alike",
        crowd.said,
        f"{crowd.n_objects}",
        f"{crowd.n_people}",
        f"{crowd.known}",
        f"{crowd.noise:.0%}",
        crowd.scale,
        median,
        well,
        f"{np.mean([one.differ for one in found]):.2f}",
        f"{100 * np.mean([one.unlike for one in found]):.1f}",
    )
