"""The kinship terms, and runs on them as the papers had them."""

from __future__ import annotations

from functools import cache

import numpy as np

from benchmarks.papers.measures import in_circular_order, known_of
from cml_core import (
    Feature,
    Fit,
    Problem,
    fit,
    load_dataset,
)
from cml_core.datasets import Dataset
from cml_core.values.arrays import FloatArray, IntArray

TERMS = "14 kinship terms (Rosenberg and Kim 1975), two hidden dimensions"
VISIBLE = 0.9
STARTS = 200
MOST_UPDATES = 20_000
# Where the published runs were stopped, and where more patience would have been enough.
EARLY, PATIENT = 1e-5, 1e-6


@cache
def terms() -> Dataset:
    """The 14 terms that have a gender."""
    return load_dataset("kinship14")


def column(name: str) -> FloatArray:
    """A feature as published numbers; |Generation| is how many generations are between."""
    if name == "|Generation|":
        return np.abs(column("Generation"))
    return terms().features[name].to_numpy(dtype=np.float64)


def generations() -> IntArray:
    return column("Generation").astype(np.int64)


@cache
def seen(*names: str, n_components: int = 2) -> Fit:
    """The best map with these known; |Generation| may be among them."""
    own = [name for name in names if name != "|Generation|"]
    table = known_of(terms(), *own)
    if len(own) < len(names):
        table = table.with_feature(Feature.numeric("|Generation|", column("|Generation|")))
    return fit(Problem(terms().values(), table, n_components), seed=0)


def stopped_early(problem: Problem, tolerance: float, seed: int) -> Fit:
    """One run of the published updates from a random start, as Algorithm 1 has it.

    U is drawn from a normal distribution with unit variance and B is the identity.
    """
    n, q = problem.dissimilarities.n_objects, problem.encoding.values.shape[1]
    start = np.random.default_rng(seed).standard_normal((n, problem.n_components))
    return fit(
        problem,
        solver="smacof",
        init=(start, np.eye(q)),
        max_iter=MOST_UPDATES,
        tol=tolerance,
    )


def in_circle(places: FloatArray) -> bool:
    return in_circular_order(places, generations())


def circular_share(problem: Problem, tolerance: float) -> float:
    """The share of runs that end with the generations around a circle in their order."""
    runs = [stopped_early(problem, tolerance, seed).embedding for seed in range(STARTS)]
    return float(np.mean([in_circle(places) for places in runs]))


def both_known(weights: str | None) -> Problem:
    known = known_of(terms(), "Gender", "Degree")
    return Problem(terms().values(), known, weights=weights)
