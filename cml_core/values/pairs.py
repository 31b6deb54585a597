"""A list of observed pairs of many objects, of which most pairs were never compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from cml_core.errors import (
    DisconnectedWeights,
    LabelMismatch,
    LengthMismatch,
    NegativeDissimilarities,
    NothingToExplain,
    NotNumeric,
    ObjectWithoutPairs,
    TooFewObjects,
    UnsuitableMeasurements,
    listing,
)
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value, frozen
from cml_core.values.dissimilarities import check_labels
from cml_core.values.real_numbers import NoNumber, UnevenRows, real_array


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(Value):
    """How dissimilar some pairs of N objects are; no N x N table is ever made.

    Parameters
    ----------
    first, second : (P,) the objects of each pair: names, or places in `labels` from 0.
    dissimilarities : (P,) of each pair. A pair observed more than once counts as often.
    labels : N different names; by default those that occur, in the order in which they do, or
        numbers up to the largest place.
    """

    first: IntArray
    second: IntArray
    dissimilarities: FloatArray
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        places, labels = _places(self.first, self.second, self.labels)
        put(self, "labels", labels)
        put(self, "first", frozen(places[0]))
        put(self, "second", frozen(places[1]))
        try:
            put(self, "dissimilarities", frozen(real_array(self.dissimilarities).astype(float)))
        except (NoNumber, UnevenRows):
            raise NotNumeric(
                "The dissimilarities of the pairs are no list of numbers.",
                remedy="Give one number for each pair.",
            ) from None
        check_labels(labels)
        self._check()

    def _check(self) -> None:
        if self.n_objects < 3:
            raise TooFewObjects(
                f"There are {self.n_objects} objects.", remedy="A map needs at least 3."
            )
        sizes = {self.first.size, self.second.size, self.dissimilarities.size}
        if len(sizes) > 1:
            raise LengthMismatch(
                f"There are {self.first.size} first objects, {self.second.size} second ones and "
                f"{self.dissimilarities.size} dissimilarities.",
                remedy="Give one of each for every pair.",
            )
        wrong = ~((self.dissimilarities >= 0) & np.isfinite(self.dissimilarities))
        if wrong.any():
            k = int(wrong.argmax())
            raise NegativeDissimilarities(
                f"{self._pair(k)} is {self.dissimilarities[k]:g}; such pairs: {wrong.sum():,}.",
                remedy="Give finite numbers of 0 or more; leave out pairs that are not known.",
            )
        if (self.first == self.second).any():
            k = int((self.first == self.second).argmax())
            raise UnsuitableMeasurements(
                f"Pair {k + 1} has {self.labels[self.first[k]]} twice.",
                remedy="Leave out pairs of an object with itself.",
            )
        if not self.dissimilarities.any():
            raise NothingToExplain(
                "Every dissimilarity is zero.", remedy="Give data in which some objects differ."
            )
        self._check_joined()

    def _check_joined(self) -> None:
        alone = np.flatnonzero(self.degree == 0)
        if alone.size:
            raise ObjectWithoutPairs(
                f"No pair of {listing([self.labels[i] for i in alone])} is given.",
                remedy="Leave such objects out, or give at least one of their pairs.",
            )
        count, piece = connected_components(self.graph(), directed=False)
        if count > 1:
            smallest = np.flatnonzero(piece == np.bincount(piece).argmin())
            raise DisconnectedWeights(
                f"The pairs leave {count:,} groups of objects never compared with each other; cut "
                f"off from the rest: {listing([self.labels[i] for i in smallest])}.",
                remedy="Give at least one pair between the groups, or map each group alone.",
            )

    @property
    def n_objects(self) -> int:
        return len(self.labels)

    @property
    def degree(self) -> IntArray:
        """(N,) in how many pairs each object is."""
        ends = np.concatenate([self.first, self.second])
        return np.bincount(ends, minlength=self.n_objects)

    def graph(self) -> csr_array:
        """Objects joined where a pair is known, by the least that was observed of it, not zero."""
        # A zero would be no edge; and of pairs seen twice a sparse array would hold the sum.
        lengths = np.maximum(self.dissimilarities, 1e-12 * self.dissimilarities.max())
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        order = np.lexsort((lengths, high, low))
        key = low[order] * self.n_objects + high[order]
        once = order[np.concatenate([[True], key[1:] != key[:-1]])]
        shape = (self.n_objects, self.n_objects)
        return csr_array((lengths[once], (low[once], high[once])), shape=shape)

    def only(self, chosen: BoolArray) -> Pairs:
        """These pairs of the same objects."""
        return Pairs(
            self.first[chosen], self.second[chosen], self.dissimilarities[chosen], self.labels
        )

    def _pair(self, k: int) -> str:
        return f"d({self.labels[self.first[k]]}, {self.labels[self.second[k]]})"

    def __repr__(self) -> str:
        return f"Pairs({self.n_objects:,} objects, {self.first.size:,} pairs)"


def _places(
    first: Any, second: Any, labels: Sequence[object]
) -> tuple[tuple[IntArray, IntArray], tuple[str, ...]]:
    """Where the objects of each pair stand among the labels, and these."""
    ends = [np.asarray(side).ravel() for side in (first, second)]
    names = tuple(str(label) for label in labels)
    if all(np.issubdtype(side.dtype, np.integer) for side in ends):
        places = ends[0].astype(np.int64), ends[1].astype(np.int64)
        joined = np.concatenate(places)
        lowest, highest = int(joined.min(initial=0)), int(joined.max(initial=-1))
        names = names or tuple(f"object {i + 1}" for i in range(highest + 1))
        if lowest < 0 or highest >= len(names):
            raise LabelMismatch(
                f"A pair has the object at place {lowest if lowest < 0 else highest}, and there "
                f"are {len(names):,} objects.",
                remedy="Count places from 0, or give names.",
            )
        return places, names
    texts = [[str(one) for one in side] for side in ends]
    names = names or tuple(
        dict.fromkeys(name for pair in zip(*texts, strict=False) for name in pair)
    )
    place = {name: i for i, name in enumerate(names)}
    strange = next((name for side in texts for name in side if name not in place), None)
    if strange is not None:
        raise LabelMismatch(
            f"A pair has {strange!r}, which is not among the labels.",
            remedy="List every object once among the labels, or leave them out.",
        )
    first_at, second_at = (np.array([place[name] for name in side], np.int64) for side in texts)
    return (first_at, second_at), names
