"""What single people said: of every pair, a number from each of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cml_core.errors import DuplicateLabels, LengthMismatch, NothingObserved, listing
from cml_core.values.arrays import FloatArray, IntArray, Value, frozen, pair_count

# Fewer people say nothing of what others would have said.
FEWEST_PEOPLE = 3


@dataclass(frozen=True, eq=False, repr=False)
class Answers(Value):
    """Dissimilarities by person; people, not pairs, are independent of each other.

    Parameters
    ----------
    labels : of the N objects.
    people : the names of the K people.
    values : (K, N(N-1)/2) what each said of a pair, on average where it was asked more than
        once; NaN where nothing was said.
    counts : (K, N(N-1)/2) how many answers each value stands for; 0 where nothing was said.
    """

    labels: tuple[str, ...]
    people: tuple[str, ...]
    values: FloatArray
    counts: FloatArray

    def __post_init__(self) -> None:
        shape = (len(self.people), pair_count(len(self.labels)))
        for name in ("values", "counts"):
            array = getattr(self, name)
            if array.shape != shape:
                raise LengthMismatch(
                    f"{name} has shape {array.shape} for {shape[0]} people and {shape[1]} pairs.",
                    remedy="Give a row for each person and a column for each pair.",
                )
            object.__setattr__(self, name, frozen(array))
        twice = sorted({name for name in self.people if self.people.count(name) > 1})
        if twice:
            raise DuplicateLabels(
                f"More than one person is called {listing(twice)}.",
                remedy="Give every person a name of their own.",
            )

    @classmethod
    def once(cls, labels: tuple[str, ...], people: tuple[str, ...], values: FloatArray) -> Answers:
        """Where nobody was asked of a pair more than once."""
        return cls(labels, people, values, (~np.isnan(values)).astype(np.float64))

    @property
    def n_people(self) -> int:
        """K."""
        return len(self.people)

    @property
    def of_two_values(self) -> bool:
        """Whether people only parted or joined pairs, as who sorts objects does."""
        return np.unique(self.values[~np.isnan(self.values)]).size <= 2

    @cached_property
    def mean(self) -> FloatArray:
        """(N(N-1)/2,) the mean answer; NaN where nobody gave one."""
        return frozen(self.mean_of(np.arange(self.n_people)))

    def mean_of(self, people: IntArray) -> FloatArray:
        """The mean answer of some people, each as often as they are named."""
        times = np.bincount(people, minlength=self.n_people).astype(np.float64)
        total = times @ self.counts
        sums = times @ (self.counts * np.nan_to_num(self.values))
        mean: FloatArray = np.divide(sums, total, out=np.full(total.size, np.nan), where=total > 0)
        return mean

    def check_several(self) -> None:
        """Raise `NothingObserved` where these are too few people to speak of others."""
        if self.n_people < FEWEST_PEOPLE:
            raise NothingObserved(
                f"There are answers of {self.n_people}, too few to say what other people would "
                "have answered.",
                remedy=f"It needs at least {FEWEST_PEOPLE} people.",
            )

    def __repr__(self) -> str:
        return f"Answers({self.n_people} people, {len(self.labels)} objects)"
