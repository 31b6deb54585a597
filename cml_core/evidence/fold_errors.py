"""Errors of held-out pairs by hidden dimensions, and how many of these they choose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.values.arrays import FloatArray, Value

# After so many that tell held-out pairs no better than one before, more are hardly worth asking.
WORSE = 2


@dataclass(frozen=True, eq=False)
class FoldErrors(Value):
    """How well held-out pairs are told, for 0, 1, 2, … hidden dimensions, as far as was asked.

    Parameters
    ----------
    errors : (P + 1, folds), as `Dimensions` has them.
    seed : repeats the folds.
    people : how many people were held out in parts, together with the pairs; 0 is none.
    """

    errors: FloatArray
    seed: int
    people: int = 0

    @property
    def mean(self) -> FloatArray:
        """(P + 1,) over folds."""
        mean: FloatArray = self.errors.mean(axis=1)
        return mean

    @property
    def error(self) -> FloatArray:
        """(P + 1,) the standard error of that mean."""
        return _standard_error(self.errors)

    @property
    def more_error(self) -> FloatArray:
        """(P + 1,) the standard error of how much more it is than the lowest, fold by fold."""
        return _standard_error(self.errors - self.errors[self.lowest])

    @property
    def lowest(self) -> int:
        """With how many dimensions it is lowest."""
        return int(np.argmin(self.mean))

    @property
    def open(self) -> tuple[int, ...]:
        """All numbers of dimensions whose error is within one standard error of the lowest."""
        # The rule of one standard error (Breiman and others 1984): which point of a flat curve is
        # the lowest is a matter of luck; where it becomes flat is not.
        mean, best = self.mean, self.lowest
        allowed: FloatArray | float = self.error[best]
        if self.people:
            # Some people are hard to tell with any number of dimensions, which is no difference
            # between two numbers: counted in, it hid the one dimension of 8 in 20 simulated tables.
            allowed = self.more_error
        return tuple(np.flatnonzero(mean <= mean[best] + allowed).tolist())

    @property
    def chosen(self) -> int:
        """The fewest of them."""
        return self.open[0]

    @property
    def rise(self) -> bool:
        """Whether the last few are no better than one before, and more will hardly be."""
        return len(self.errors) - 1 - self.lowest >= WORSE


def _standard_error(errors: FloatArray) -> FloatArray:
    error: FloatArray = errors.std(axis=1, ddof=1) / np.sqrt(errors.shape[1])
    return error
