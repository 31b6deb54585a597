"""How often an outline holds a true place."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from benchmarks.calibration_data import repeated
from benchmarks.report import Table
from cml_core import Dissimilarities, Problem, fit
from cml_core.datasets import CAR_FEATURES, simulate_car_brands
from cml_core.evidence.outlines import reach
from cml_core.evidence.resampling import made_again, refittable
from cml_core.evidence.stability import stability
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.result import Fit
from cml_core.values.words import percent

Array = NDArray[np.float64]

ABOUT = """\
Car brands of which 5 of 7 features are known, so 2 are hidden; the share of objects whose true \
hidden place, turned and shifted onto the map (and stretched where dissimilarities are bent), \
lies within the outline for 95 %. *Pairs* and *objects* are `stability` with 200 refits at most; \
*residuals* draws fitted distances plus standardised residuals anew instead. After ± stands one \
standard error over data sets. *Error* is how far true places lie from those on the map, \
*spread* how far pairs drawn anew move them, both as shares of the map's spread. The last rows \
break what the refits suppose: features known with an error, and dissimilarities that no seven \
features make."""

HEADS = ("data", "N", "noise", "pairs", "objects", "residuals", "error", "spread", "200 refits")
KNOWN = 5
SHARE = 0.95
REFITS = 200


@dataclass(frozen=True)
class Condition:
    """How data are simulated.

    `additive` noise has one size, `noise` times the mean distance; other noise grows with the
    distance. Dissimilarities are distances to the power `bend`.
    """

    title: str
    n_objects: int
    noise: float
    additive: bool = False
    feature_noise: float = 0.0
    bend: float = 1.0


CONDITIONS = (
    *(
        Condition("as supposed", n_objects, noise)
        for n_objects in (14, 30, 100)
        for noise in (0.05, 0.2)
    ),
    Condition("additive noise", 30, 0.2, additive=True),
    Condition("known with 5 % error", 30, 0.05, feature_noise=0.05),
    Condition("known with 5 % error", 100, 0.05, feature_noise=0.05),
    Condition("bent, to the power 0.7", 30, 0.05, bend=0.7),
)


def simulated(condition: Condition, seed: int) -> tuple[Fit, Array]:
    """A fit, and the true hidden places."""
    data = simulate_car_brands(
        condition.n_objects,
        noise=0.0 if condition.additive else condition.noise,
        feature_noise=condition.feature_noise,
        known=KNOWN,
        seed=seed,
    )
    values = data.values().condensed.astype(np.float64)
    if condition.additive:
        random = np.random.default_rng([seed, condition.n_objects])
        errors = condition.noise * values.mean() * random.standard_normal(values.size)
        values = np.abs(values + errors)
    seen = Dissimilarities(tuple(data.raw.index), values**condition.bend)
    weights = np.array(list(CAR_FEATURES.values()), dtype=float)
    places: Array = (data.raw.to_numpy() * weights / weights.sum())[:, KNOWN:]
    return fit(Problem(seen, data.feature_table(), n_components=2), seed=seed), places


def held(places: Array, centres: Array, covariances: Array, people: int = 0) -> float:
    """The share of places within the outlines."""
    gaps = places - centres
    inverse = np.linalg.inv(covariances)
    within = np.einsum("ni,nij,nj->n", gaps, inverse, gaps)
    return float((within <= reach(SHARE, gaps.shape[1], people)).mean())


def of_residuals(fitted: Fit, seed: int) -> tuple[Array, Array]:
    """Centres and covariances over fits of fitted distances plus residuals drawn anew."""
    start, distances = refittable(fitted), fitted.distances()
    errors = start.delta - distances
    growth = np.polyfit(np.log(distances), np.log(np.abs(errors) + 1e-12 * distances.mean()), 1)[0]
    size = distances ** np.clip(growth, 0.0, 1.0)
    n, p, q = len(fitted.labels), fitted.embedding.shape[1], fitted.coef.shape[0]
    free = n * p - p * (p + 1) / 2 + q * (q + 1) / 2
    standard = errors / size
    standard = (standard - standard.mean()) / np.sqrt(max(1 - free / errors.size, 0.1))
    random = np.random.default_rng(seed)
    places = np.stack(
        [
            made_again(
                replace(start, delta=np.abs(distances + size * random.choice(standard, size.size)))
            ).places
            for _ in range(REFITS)
        ]
    )
    moves = places - places.mean(axis=0)
    return places.mean(axis=0), np.einsum("rni,rnj->nij", moves, moves) / (REFITS - 1)


def measured(condition: Condition, seed: int) -> tuple[float, ...]:
    """Shares held by pairs, objects and residuals, the error, the spread, and seconds."""
    fitted, truth = simulated(condition, seed)
    began = time.perf_counter()
    pairs = stability(fitted, refits=REFITS, seed=seed)
    seconds = time.perf_counter() - began
    objects = stability(fitted, refits=REFITS, left_out="objects", seed=seed)
    # A power has units of its own, so that only shapes can be compared.
    turned = procrustes(truth, fitted.embedding, scaling=condition.bend != 1).points
    size = np.sqrt(pdist(fitted.embedding, "sqeuclidean").mean() / 2)
    return (
        *(held(turned, each.centres, each.covariances) for each in (pairs, objects)),
        held(turned, *of_residuals(fitted, seed)),
        float(np.sqrt(((turned - fitted.embedding) ** 2).sum(axis=1).mean()) / size),
        float(np.sqrt((pairs.spreads() ** 2).mean())),
        seconds,
    )


def row(condition: Condition, data_sets: int) -> tuple[str, ...]:
    """One line of the table."""
    found = np.array(repeated(measured, data_sets, condition))
    means = found.mean(axis=0)
    errors = found.std(axis=0, ddof=1) / np.sqrt(data_sets)
    return (
        condition.title,
        str(condition.n_objects),
        percent(condition.noise, 0),
        *(f"{means[k]:.3f} ± {errors[k]:.3f}" for k in range(3)),
        *(percent(means[k], 0) for k in (3, 4)),
        f"{np.median(found[:, 5]):.2f} s",
    )


def ellipses_calibration(data_sets: int) -> list[Table]:
    """Every condition in turn."""
    rows = []
    for condition in CONDITIONS:
        rows.append(row(condition, data_sets))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]
