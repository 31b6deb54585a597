"""Synthetic data of which some features are known and some are hidden."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform

KNOWN = 4
HIDDEN = 3
COLUMNS = KNOWN + HIDDEN
NOISE = 0.2
CLUSTERS = 10
CLUSTER_SPREAD = 0.02
SHAPES = ("uniform", "clustered")


@dataclass(frozen=True, eq=False)
class Sample:
    """Noisy distances between objects with seven features, of which the first four are known.

    `condensed` is (N(N-1)/2,), `known_values` (N, 4).
    """

    shape: str
    condensed: NDArray[np.floating]
    known_values: NDArray[np.float64]

    @property
    def n_objects(self) -> int:
        return len(self.known_values)

    @cached_property
    def square(self) -> NDArray[np.floating]:
        """The dissimilarities as scikit-learn wants them."""
        square: NDArray[np.floating] = squareform(self.condensed)
        return square

    @cached_property
    def total(self) -> float:
        """The sum of squared dissimilarities, by which stress is normalised."""
        return float(np.dot(self.condensed, self.condensed))

    def in_single_precision(self) -> Sample:
        return replace(self, condensed=self.condensed.astype(np.float32))


def simulate(shape: str, n_objects: int, seed: int = 0) -> Sample:
    """Seven features, uniform or in ten tight clusters; distances times 1 + 0.2 z."""
    random = np.random.default_rng(seed)
    if shape == "uniform":
        features = random.uniform(size=(n_objects, COLUMNS))
    else:
        centres = random.uniform(size=(CLUSTERS, COLUMNS))
        features = centres[random.integers(CLUSTERS, size=n_objects)]
        features += CLUSTER_SPREAD * random.standard_normal(features.shape)
    condensed = pdist(features)
    condensed *= 1.0 + NOISE * random.standard_normal(condensed.size)
    return Sample(shape, np.abs(condensed, out=condensed), features[:, :KNOWN].copy())


def plane(n_objects: int, noise: float = 0.1, seed: int = 0) -> Sample:
    """Uniform points in a plane; distances times 1 + noise z."""
    random = np.random.default_rng(seed)
    points = random.uniform(size=(n_objects, 2))
    condensed = pdist(points)
    condensed *= 1.0 + noise * random.standard_normal(condensed.size)
    return Sample("uniform", np.abs(condensed, out=condensed), points)
