"""What a scale is: one module with a `Scale`, and one line in `registry.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cml_core.fitting.scales.admissible import Admissible
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value

# Values that differ by no more than this share are one: those of 1 - r, or sums along a way, that
# were computed in another order differ in their last digits.
ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Judged(Value):
    """Dissimilarities as a scale sees them.

    Parameters
    ----------
    values : (N(N-1)/2,) condensed; what stands where no pair counts means nothing.
    counts : (N(N-1)/2,) which pairs do.
    weights : condensed, of mean one; empty where every pair counts once.
    ties : "primary" (tied pairs may get any order), "secondary" (they stay tied) or "auto".
    """

    values: FloatArray
    counts: BoolArray
    weights: FloatArray
    ties: str

    @cached_property
    def order(self) -> IntArray:
        """The pairs that count, from the least dissimilar to the most."""
        counting = np.flatnonzero(self.counts)
        return counting[np.argsort(self.values[counting], kind="stable")]

    @cached_property
    def bounds(self) -> IntArray:
        """Where each value begins in `order`, and where the last one ends."""
        rising = self.values[self.order]
        rises = np.flatnonzero(np.diff(rising) > ROUNDING * np.abs(rising[1:])) + 1
        return np.concatenate([[0], rises, [self.order.size]])


@dataclass(frozen=True)
class Scale:
    """What of the dissimilarities is taken at its word.

    Parameters
    ----------
    name : what it is asked for by.
    title : what people know it by.
    believed : what is taken at its word, in a plain sentence.
    admits : what may stand in place of the dissimilarities; None where a fit leaves them alone.
    as_distances : values that are like distances, the same for all dissimilarities that mean the
        same on this scale: fits begin with them, so that what means the same ends the same.
    to_a_power : whether the dissimilarities count up to a power, which is looked for.
    """

    name: str
    title: str
    believed: str
    admits: Callable[[Judged], Admissible] | None = None
    as_distances: Callable[[Judged], FloatArray] | None = None
    to_a_power: bool = False
