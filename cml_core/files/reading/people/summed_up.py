"""The tables of single people become one, and stay beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from cml_core.errors import TooManyObjects, UnreadableFile
from cml_core.files.agreement import agreement_notes
from cml_core.files.reading.by_person import ByPerson, may_be_kept, too_large
from cml_core.files.reading.raw import RawTable
from cml_core.values.answers import FEWEST_PEOPLE
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.words import counted

# One square table for each person passes through memory; more entries would take too long.
MOST_SUMMED = 200_000_000


@dataclass(frozen=True)
class Own:
    """What one person said.

    Parameters
    ----------
    values : (N, N) the mean of their answers; NaN where they gave none.
    counts : (N, N) how many answers they gave.
    """

    values: FloatArray
    counts: FloatArray

    @classmethod
    def of(cls, values: FloatArray, cells: IntArray, n: int) -> Own:
        """The mean of what was said of each cell of a flattened table; NaN says nothing."""
        known = ~np.isnan(values)
        counts = np.bincount(cells[known], minlength=n * n).astype(np.float64)
        sums = np.bincount(cells[known], values[known], n * n)
        means = np.divide(sums, counts, out=np.full(n * n, np.nan), where=counts > 0)
        return cls(means.reshape(n, n), counts.reshape(n, n))

    @classmethod
    def of_pairs(cls, values: FloatArray, first: IntArray, second: IntArray, n: int) -> Own:
        """The mean of what was said of each pair, in whichever order."""
        upper = cls.of(values, np.minimum(first, second) * n + np.maximum(first, second), n)
        lower = np.tri(n, k=-1, dtype=bool)
        return cls(
            np.where(lower, upper.values.T, upper.values),
            np.where(lower, upper.counts.T, upper.counts),
        )


def check_extent(people: int, objects: int) -> None:
    """Raise where there are more tables of people than can be summed up."""
    if people * objects * objects > MOST_SUMMED:
        raise TooManyObjects(
            f"The file has {people:,} people and {objects:,} objects, a table of "
            f"{people * objects * objects:,} entries; at most {MOST_SUMMED:,} are summed up.",
            remedy="Give fewer people, or fewer objects.",
        )


def summed_up(
    labels: tuple[str, ...],
    people: tuple[str, ...],
    tables: Iterable[Own],
    key: str,
    notes: tuple[str, ...],
    *,
    scatter: bool = False,
) -> RawTable:
    """The mean of all answers, and beside it what each person said on average.

    Parameters
    ----------
    tables : of the people in turn.
    key : of the format.
    scatter : whether the standard deviation between people is told; of answers that can only be
        yes or no it follows from their mean.

    Raises
    ------
    UnreadableFile : some person said nothing, or some object was compared with no other.
    """
    n, several = len(labels), len(people) > 1
    kept = np.empty((2, len(people), n, n)) if may_be_kept(len(people), n) else None
    total, mean, squares, said_by = (np.zeros((n, n)) for _ in range(4))
    judged = []
    for k, own in enumerate(tables):
        judged.append(_judged(own, people[k]))
        total += own.counts
        # Welford's updates, of the mean of all answers and of the squares between people.
        said = own.counts > 0
        said_by += said
        gap = np.where(said, own.values - mean, 0.0)
        mean += gap * own.counts / np.maximum(total, 1)
        squares += gap * np.where(said, own.values - mean, 0.0)
        if kept is not None:
            kept[:, k] = own.values, own.counts
    _check_compared(total, labels)
    spread = np.sqrt(squares / np.maximum(said_by - 1, 1))
    single = None if kept is None else ByPerson(people, kept[0], kept[1])
    return RawTable(
        labels,
        np.where(total > 0, mean, np.nan),
        key,
        (*notes, _people_note(judged), *_agreement(single, len(people))),
        spread=np.where(said_by > 1, spread, np.nan) if scatter and several else None,
        by_person=single,
    )


def _judged(own: Own, person: str) -> int:
    """Of how many pairs of different objects a person said something."""
    said = own.counts > 0
    count = int(np.triu(said | said.T, 1).sum())
    if not count:
        raise UnreadableFile(
            f"{person!r} said nothing of any pair of objects.",
            remedy="Leave this person out, or fill in what they said.",
        )
    return count


def _check_compared(total: FloatArray, labels: tuple[str, ...]) -> None:
    """Raise where nothing is said of some object with any other."""
    between = (total > 0) | (total.T > 0)
    np.fill_diagonal(between, False)
    alone = np.flatnonzero(~between.any(axis=1))
    if alone.size:
        raise UnreadableFile(
            f"Nobody compared {labels[int(alone[0])]!r} with any other object.",
            remedy="Leave out its lines, or give what people said of it and others.",
        )


def _people_note(judged: list[int]) -> str:
    fewest, most = min(judged), max(judged)
    each = f"{counted(most, 'pair')}" if fewest == most else f"{fewest:,} to {most:,} pairs"
    return f"{counted(len(judged), 'person', 'people')}, each of whom said something of {each}."


def _agreement(single: ByPerson | None, people: int) -> tuple[str, ...]:
    if single is not None:
        return agreement_notes(list(single.values), single.people)
    return (too_large(people),) if people >= FEWEST_PEOPLE else ()
