"""What single people said of pairs, as it stands in a file, beside the table that sums it up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.errors import LengthMismatch
from cml_core.values.answers import FEWEST_PEOPLE
from cml_core.values.arrays import FloatArray, Value, lent

# Values and counts together then stay below 100 MB.
MOST_ENTRIES = 6_000_000


@dataclass(frozen=True, eq=False, repr=False)
class ByPerson(Value):
    """A square table for each of K people, with the objects in the same order.

    Parameters
    ----------
    people : what they are called.
    values : (K, N, N) as a `RawTable` has them; NaN where a person says nothing.
    counts : (K, N, N) how many answers each value stands for; 0 where a person says nothing.
    """

    people: tuple[str, ...]
    values: FloatArray
    counts: FloatArray

    def __post_init__(self) -> None:
        k, n = len(self.people), self.values.shape[-1]
        for name in ("values", "counts"):
            array = getattr(self, name)
            if array.shape != (k, n, n):
                raise LengthMismatch(
                    f"{name} has shape {array.shape} for {k} people and {n} objects.",
                    remedy="Give a square table for each person.",
                )
            object.__setattr__(self, name, lent(array))

    @property
    def n_people(self) -> int:
        """K."""
        return len(self.people)

    def __repr__(self) -> str:
        return f"ByPerson({self.n_people} people, {self.values.shape[-1]} objects)"


def may_be_kept(people: int, objects: int) -> bool:
    """Whether there are enough people to speak of others, and their tables are not too large."""
    return people >= FEWEST_PEOPLE and people * objects * objects <= MOST_ENTRIES


def side_by_side(
    people: Sequence[str], tables: Sequence[FloatArray]
) -> tuple[ByPerson | None, tuple[str, ...]]:
    """The tables of people who were asked of each pair once, and what to know of it.

    None of too few people to speak of others, and where their tables are too large.
    """
    if len(tables) < FEWEST_PEOPLE:
        return None, ()
    if not may_be_kept(len(tables), len(tables[0])):
        return None, (too_large(len(tables)),)
    values = np.array(tables, dtype=np.float64)
    return ByPerson(_told_apart(people), values, (~np.isnan(values)).astype(np.float64)), ()


def _told_apart(people: Sequence[str]) -> tuple[str, ...]:
    """Names of their own: files from two folders may be called the same."""
    seen: Counter[str] = Counter()
    told = []
    for name in people:
        seen[name] += 1
        told.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(told)


def too_large(people: int) -> str:
    """Why their tables are not kept, in a sentence."""
    return (
        f"The tables of {people} people have more than {MOST_ENTRIES:,} entries, too many to be "
        "kept one by one: only their mean is used."
    )
