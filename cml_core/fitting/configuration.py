"""Where objects lie: the hidden dimensions, and what is known moved to its place by B."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.values.arrays import FloatArray, Value


@dataclass(frozen=True, eq=False)
class Configuration(Value):
    """U, B and V, in the units of the data; the distances (7) of Bui (2021) are those of [U, VB].

    Parameters
    ----------
    embedding : U, (N, p), the hidden dimensions.
    coef : B, (q, q).
    known_values : V, (N, q), the known features as columns of numbers, gaps filled.
    """

    embedding: FloatArray
    coef: FloatArray
    known_values: FloatArray

    @property
    def known_places(self) -> FloatArray:
        """VB, (N, q)."""
        return self.known_values @ self.coef

    @property
    def points(self) -> FloatArray:
        """[U, VB], (N, p + q)."""
        return np.hstack([self.embedding, self.known_places])

    def distances(self) -> FloatArray:
        """The distances of all pairs, condensed."""
        return pdist(self.points)

    def resized(self, factor: float) -> Configuration:
        """With all distances so many times as long."""
        return Configuration(factor * self.embedding, factor * self.coef, self.known_values)


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Configuration):
    """A configuration where a run ended: `stress` normalised; `starts` of the starts led here."""

    stress: float
    starts: int = 1

    def __repr__(self) -> str:
        return f"Solution(stress={self.stress:.6g}, reached from {self.starts} starts)"


class Found(Value):
    """What a fit tells of the best solution that it found."""

    best: Solution
    stress_path: FloatArray

    @property
    def embedding(self) -> FloatArray:
        """U, (N, p): the hidden dimensions."""
        return self.best.embedding

    @property
    def coef(self) -> FloatArray:
        """B, (q, q), in the units of the features."""
        return self.best.coef

    @property
    def known_values(self) -> FloatArray:
        """V, (N, q), as the fit used it, gaps filled."""
        return self.best.known_values

    @property
    def stress(self) -> float:
        """Normalised conditional stress: the share of the dissimilarity left unexplained."""
        return self.best.stress

    @property
    def n_iter(self) -> int:
        return self.stress_path.size - 1
