"""Small problems with known answers, made from a seed."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy as np
import pyarrow as pa
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem

# Each counts what Arrow takes for one test.
POOLS: list[pa.MemoryPool] = []


def simulated_problem(
    n: int = 10,
    q: int = 2,
    p: int = 2,
    *,
    noise: float = 0.1,
    seed: int = 0,
    dtype: type = np.float64,
    missing_pairs: int = 0,
    missing_entries: int = 0,
    weights: str | np.ndarray | None = None,
    coef: str = "full",
    hidden: int | None = None,
) -> Problem:
    """Distances of normal points in p + q dimensions, of which the last q are known.

    `noise` is the standard deviation of the logarithm of the dissimilarities; `hidden` the
    number of dimensions to fit, p unless given; `weights` "general" draws them at random.
    """
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, p + q))
    condensed = pdist(points) * np.exp(noise * random.normal(size=n * (n - 1) // 2))
    condensed[random.choice(condensed.size, missing_pairs, replace=False)] = np.nan
    known = points[:, p:].copy()
    known.flat[random.choice(known.size, missing_entries, replace=False)] = np.nan
    if isinstance(weights, str) and weights == "general":
        weights = random.uniform(0.1, 2.0, condensed.size)
    dissimilarities = Dissimilarities.from_condensed(condensed.astype(dtype))
    features = tuple(Feature.numeric(f"known {k + 1}", column) for k, column in enumerate(known.T))
    return Problem(
        dissimilarities,
        FeatureTable(dissimilarities.labels, features),
        n_components=p if hidden is None else hidden,
        coef=coef,
        weights=weights,
    )


def naive_stress(problem: Problem, configuration: np.ndarray) -> float:
    """The normalised conditional stress of [U, VB], straight from its definition."""
    delta = problem.targets.condensed.astype(float)
    weights = problem.pair_weights.astype(float)
    weights = np.ones(delta.size) if not weights.size else weights
    seen = ~problem.targets.missing
    delta, weights = delta[seen], weights[seen]
    distances = pdist(configuration)[seen] if configuration.shape[1] else np.zeros(delta.size)
    return float((weights * (delta - distances) ** 2).sum() / (weights * delta**2).sum())


@contextmanager
def little_memory(most: int) -> Iterator[None]:
    """What is done in here may not take more than so many bytes at a time.

    Buffers of Arrow count as well, of which Python knows nothing.
    """
    usual = pa.default_memory_pool()
    # Kept, for what was read in here may be let go later.
    POOLS.append(pa.proxy_memory_pool(usual))
    pa.set_memory_pool(POOLS[-1])
    tracemalloc.start()
    try:
        yield
        taken = tracemalloc.get_traced_memory()[1] + POOLS[-1].max_memory()
        assert taken < most, "too much memory"
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(usual)


@pytest.fixture(scope="session")
def memory_below() -> Callable[[int], AbstractContextManager[None]]:
    return little_memory


@pytest.fixture(scope="session")
def simulate() -> Callable[..., Problem]:
    return simulated_problem


@pytest.fixture(scope="session")
def stress_of() -> Callable[[Problem, np.ndarray], float]:
    return naive_stress
