"""What is to be fitted: dissimilarities, what is known, and how many dimensions are hidden."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from cml_core.arrays import BoolArray, FloatArray, IntArray, Value, frozen, row_of
from cml_core.dissimilarities import Dissimilarities
from cml_core.errors import (
    AdjustedData,
    DisconnectedWeights,
    LabelMismatch,
    NothingObserved,
    ObjectWithoutPairs,
    TooManyDimensions,
    UnknownOption,
    UnsuitableWeights,
    check_option,
    listing,
)
from cml_core.features import Encoding, Feature, FeatureTable
from cml_core.geodesics import Neighbourhood, geodesic_dissimilarities
from cml_core.kernels import row_sums
from cml_core.remarks import Remark, rank_of, redundant_features

COEFS = ("full", "diagonal")


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Value):
    """One question: what is left of the dissimilarities once the known is taken out?

    Parameters
    ----------
    dissimilarities : between N objects.
    known : features of the same objects, in the same order; none is metric MDS.
    n_components : p, the number of hidden dimensions; may be 0.
    coef : whether B is "full" or "diagonal".
    weights : None (every pair counts once), "sammon" (1/dissimilarity), or (N(N-1)/2,) numbers.
    neighbourhood : None for the dissimilarities as they are; otherwise they are replaced by
        geodesics, as Isomap does. Sammon weights are taken before that.
    """

    dissimilarities: Dissimilarities
    known: FeatureTable
    n_components: int = 2
    coef: str = "full"
    weights: str | FloatArray | None = None
    neighbourhood: Neighbourhood | None = None

    def __post_init__(self) -> None:
        check_option("coef", self.coef, COEFS)
        if self.known.labels != self.dissimilarities.labels:
            raise LabelMismatch(
                "Features and dissimilarities do not name the same objects in the same order.",
                remedy="Join them by label first: features.for_objects(dissimilarities.labels).",
            )
        _check_count("n_components", self.n_components)
        _check_dimensions(self.n_components, rank_of(self.known), self.dissimilarities.n_objects)
        if isinstance(self.weights, str):
            check_option("weights", self.weights, ("sammon",))
        elif self.weights is not None:
            weights = _checked_weights(self.weights, self.dissimilarities)
            object.__setattr__(self, "weights", weights)

    def knowing(self, feature: Feature) -> Problem:
        """The next question: with this feature known as well."""
        return replace(self, known=self.known.with_feature(feature))

    def without(self, name: str) -> Problem:
        """The question without this feature known."""
        return replace(self, known=self.known.without(name))

    @cached_property
    def targets(self) -> Dissimilarities:
        """The dissimilarities that distances are fitted to."""
        if self.neighbourhood is None:
            return self.dissimilarities
        return geodesic_dissimilarities(self.dissimilarities, self.neighbourhood)

    @cached_property
    def encoding(self) -> Encoding:
        """The known features as columns of numbers."""
        return self.known.encoded()

    @cached_property
    def pair_weights(self) -> FloatArray:
        """Condensed weights of mean one, 0 where missing; empty where every pair counts once."""
        if self.weights is None:
            if self.targets.complete:
                return np.empty(0)
            raw = np.ones(self.targets.condensed.size)
        elif isinstance(self.weights, str):
            raw = _sammon(self.dissimilarities, self.targets)
        else:
            raw = np.array(self.weights)
        if not self.targets.complete:
            raw[self.targets.missing] = 0.0
        _check_connected(raw, self.dissimilarities.labels)
        weights: FloatArray = raw / raw.mean()
        return weights

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """What to know about these data before trusting a fit of them."""
        remarks = redundant_features(self.known)
        zero = (
            int((self.dissimilarities.condensed == 0).sum()) if isinstance(self.weights, str) else 0
        )
        if zero:
            text = (
                f"{zero} dissimilarities are zero and would weigh infinitely; "
                "they weigh as much as the smallest positive one."
            )
            remarks += (Remark(text, AdjustedData),)
        return remarks

    def fingerprint(self) -> str:
        """SHA-256 over every byte that the question is made of."""
        digest = hashlib.sha256(self.dissimilarities.fingerprint.encode())
        parts: list[object] = [self.n_components, self.coef, self.neighbourhood]
        if self.weights is None or isinstance(self.weights, str):
            parts.append(self.weights)
        else:
            digest.update(np.ascontiguousarray(self.weights).tobytes())
        for feature in self.known.features:
            digest.update(hashlib.sha256(feature.identity()).digest())
        digest.update(repr(parts).encode())
        return digest.hexdigest()

    def __repr__(self) -> str:
        known = listing(self.known.names) or "nothing"
        return (
            f"Problem({self.dissimilarities.n_objects} objects, {known} known, "
            f"{self.n_components} hidden dimensions)"
        )


def condensed_weights(weights: Any, dissimilarities: Dissimilarities) -> FloatArray | str | None:
    """Weights as a Problem wants them: a square table loses its diagonal and its asymmetry.

    Only w_ij + w_ji matters to the stress, so the mean of both directions is the same problem.
    """
    if weights is None or isinstance(weights, str):
        return weights
    labels = dissimilarities.labels
    if isinstance(weights, pd.DataFrame) and not isinstance(weights.index, pd.RangeIndex):
        named = [str(name) for name in weights.index], [str(name) for name in weights.columns]
        if set(named[0]) != set(labels) or set(named[1]) != set(labels):
            raise LabelMismatch(
                "The weights do not name the same objects as the dissimilarities.",
                remedy=f"Name rows and columns of the weights {listing(labels)}.",
            )
        weights = weights.set_axis(named[0]).set_axis(named[1], axis=1)
        weights = weights.loc[list(labels), list(labels)]
    try:
        table = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise UnsuitableWeights(
            "The weights are not numbers.", remedy="Give a table of numbers, 'sammon', or None."
        ) from None
    n = len(labels)
    if table.ndim == 1:
        return table
    if table.shape != (n, n):
        shape = " x ".join(str(size) for size in table.shape)
        raise UnsuitableWeights(
            f"The weights are {shape} for {n} objects.", remedy=f"Give a table of {n} x {n}."
        )
    upper = np.triu_indices(n, 1)
    condensed: FloatArray = 0.5 * (table[upper] + table.T[upper])
    return condensed


def _check_count(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise UnknownOption(f"{name} is {value!r}.", remedy="Give a whole number, 0 or more.")


def _check_dimensions(hidden: int, rank: int, n_objects: int) -> None:
    if hidden == 0 or hidden + rank < n_objects:
        return
    most = max(n_objects - 1 - rank, 0)
    known = f" beside {rank} known columns" if rank else ""
    raise TooManyDimensions(
        f"{hidden} hidden dimensions{known} are too many for {n_objects} objects.",
        remedy=f"Use n_components={most} at most.",
    )


def _checked_weights(weights: Any, dissimilarities: Dissimilarities) -> FloatArray:
    values = frozen(np.asarray(weights, dtype=np.float64))
    if values.shape != dissimilarities.condensed.shape:
        raise UnsuitableWeights(
            f"There are {values.size} weights for {dissimilarities.condensed.size} pairs.",
            remedy="Give one weight for each pair.",
        )
    if not np.isfinite(values).all() or (values < 0).any():
        wrong = values[~(np.isfinite(values) & (values >= 0))]
        raise UnsuitableWeights(
            f"{wrong.size} weights are negative or not finite, such as {wrong[0]:g}.",
            remedy="Give weights of 0 or more; 0 leaves a pair out.",
        )
    return values


def _sammon(original: Dissimilarities, targets: Dissimilarities) -> FloatArray:
    """One over the dissimilarity; over the geodesic where only that is known."""
    base = np.where(original.missing, targets.condensed, original.condensed).astype(np.float64)
    with np.errstate(invalid="ignore"):
        smallest = base[base > 0].min()
    weights: FloatArray = 1.0 / np.where(base > 0, base, smallest)
    return weights


def _check_connected(weights: FloatArray, labels: tuple[str, ...]) -> None:
    """Every object must be compared with every other, at least by way of others."""
    counts = weights > 0
    if counts.all():
        return
    if not counts.any():
        raise NothingObserved(
            "No observed pair has a positive weight.", remedy="Give some pairs a weight."
        )
    degree = np.zeros(len(labels))
    row_sums(counts, degree)
    alone = [labels[i] for i in np.flatnonzero(degree == 0)]
    if alone:
        raise ObjectWithoutPairs(
            f"No pair of {listing(alone)} is known and has a positive weight.",
            remedy="Remove such objects, or let at least one of their pairs count.",
        )
    piece = _pieces(counts, len(labels))
    if piece.max() > 0:
        sizes = np.bincount(piece)
        smallest = int(np.argmin(sizes))
        cut_off = [labels[i] for i in np.flatnonzero(piece == smallest)]
        raise DisconnectedWeights(
            f"The pairs that count leave {sizes.size} groups of objects never compared with each "
            f"other; cut off from the rest: {listing(cut_off)}.",
            remedy="Give at least one pair between the groups, or map each group alone.",
        )


def _pieces(counts: BoolArray, n_objects: int) -> IntArray:
    """The connected piece of every object."""
    piece = np.full(n_objects, -1)
    present = counts.astype(np.float32)
    found = 0
    while (piece < 0).any():
        reached = [int(np.argmax(piece < 0))]
        piece[reached[0]] = found
        while reached and (piece < 0).any():
            row = row_of(present, reached.pop(), n_objects)
            fresh = np.flatnonzero((row > 0) & (piece < 0))
            piece[fresh] = found
            reached.extend(int(i) for i in fresh)
        found += 1
    return piece
