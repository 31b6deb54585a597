"""A table under examination: symmetric, as it would be mapped, with what its readers share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cml_core.files.doctor.mend import condensed_of
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value, frozen, pair_of


@dataclass(frozen=True, eq=False)
class PairTable(Value):
    """Values of pairs on the way to a map.

    Parameters
    ----------
    labels : N names.
    square : (N, N) symmetric, never negative, NaN where unknown and in the diagonal.
    """

    labels: tuple[str, ...]
    square: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "square", frozen(self.square))

    @property
    def n_objects(self) -> int:
        return len(self.labels)

    @cached_property
    def condensed(self) -> FloatArray:
        return condensed_of(self.square)

    @cached_property
    def places(self) -> IntArray:
        """Where known pairs stand in the condensed values, smallest value first."""
        known = np.flatnonzero(~np.isnan(self.condensed))
        return known[np.argsort(self.condensed[known], kind="stable")]

    @cached_property
    def ascending(self) -> FloatArray:
        """The known values, smallest first."""
        return self.condensed[self.places]

    @property
    def largest(self) -> float:
        return float(self.ascending[-1]) if self.ascending.size else 0.0

    @cached_property
    def known_pairs(self) -> BoolArray:
        """(N, N) which pairs are known."""
        return ~np.isnan(self.square)

    def pairs(self, places: IntArray) -> tuple[tuple[str, str], ...]:
        """The names of pairs by their places in the condensed values."""
        indices = (pair_of(int(place), self.n_objects) for place in places)
        return tuple((self.labels[i], self.labels[j]) for i, j in indices)

    def names(self, objects: IntArray) -> tuple[str, ...]:
        return tuple(self.labels[i] for i in objects)
