"""What is to be fitted: dissimilarities, what is known, and how many dimensions are hidden."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import (
    AdjustedData,
    DisconnectedWeights,
    LabelMismatch,
    NothingObserved,
    NothingToExplain,
    ObjectWithoutPairs,
    TooManyDimensions,
    UnsuitableCoefficients,
    UnsuitableFeature,
    UnsuitableWeights,
    check_option,
    listing,
)
from cml_core.fitting.geodesics import Neighbourhood, geodesic_dissimilarities
from cml_core.fitting.remarks import Remark, rank_of, redundant_features
from cml_core.fitting.scales.ordinal import AUTO, TIES
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.scales.scale import Judged
from cml_core.values.arrays import (
    BoolArray,
    FloatArray,
    Value,
    pair_of,
    settled,
    with_zeros_for_gaps,
)
from cml_core.values.components import components
from cml_core.values.condense import row_sums
from cml_core.values.dissimilarities import Dissimilarities, names_on
from cml_core.values.features import Encoding, Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS
from cml_core.values.real_numbers import (
    NoNumber,
    UnevenRows,
    real_array,
    size_in_words,
    whole_number,
)

COEFS = ("full", "diagonal")
# What a B that was given is called beside these.
GIVEN = "given"


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Value):
    """One question: what is left of the dissimilarities once the known is taken out?

    Parameters
    ----------
    dissimilarities : between N objects.
    known : features of the same objects, in the same order; none is metric MDS.
    n_components : p, the number of hidden dimensions; may be 0.
    coef : whether B is "full" or "diagonal"; or B itself, (q, q) in the units of the encoded
        features, and then only the map is fitted.
    weights : None (every pair counts once), "sammon" (1/dissimilarity), or (N(N-1)/2,) numbers.
    neighbourhood : None for the dissimilarities as they are; otherwise they are replaced by
        geodesics, as Isomap does. Sammon weights are taken before that.
    scale : what of the dissimilarities, or geodesics, is taken at its word: "ratio" all of it,
        "interval" all but where zero lies, "power" their order and a power, "spline" their order
        and that it bends smoothly, "ordinal" only their order.
    ties : on the ordinal scale, whether equal dissimilarities stay equal ("secondary") or may
        get any order ("primary"); "auto" keeps them equal where the data take few values.
    """

    dissimilarities: Dissimilarities
    known: FeatureTable
    n_components: int = 2
    coef: str | FloatArray = "full"
    weights: str | FloatArray | None = None
    neighbourhood: Neighbourhood | None = None
    scale: str = RATIO
    ties: str = AUTO

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", check_option("scale", self.scale, tuple(SCALES)))
        object.__setattr__(self, "ties", check_option("ties", self.ties, TIES))
        if self.known.labels != self.dissimilarities.labels:
            raise LabelMismatch(
                "Features and dissimilarities do not name the same objects in the same order.",
                remedy="Join them by label first: features.for_objects(dissimilarities.labels).",
            )
        count = whole_number("n_components", self.n_components)
        object.__setattr__(self, "n_components", count)
        object.__setattr__(self, "coef", _checked_coef(self.coef, self.known, self.scale))
        _check_weights_suffice(self.known, self.coef_kind)
        _check_dimensions(count, rank_of(self.known), self.dissimilarities.n_objects)
        object.__setattr__(self, "weights", _checked_weights(self.weights, self.dissimilarities))

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

    @property
    def given_coef(self) -> FloatArray | None:
        """B, where it was given; None where it is found with the map."""
        return None if isinstance(self.coef, str) else self.coef

    @property
    def coef_kind(self) -> str:
        """Whether B is "full", "diagonal" or "given"."""
        return self.coef if isinstance(self.coef, str) else GIVEN

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
            # Of the dissimilarities as they were given: Algorithm 2 of Bui (2021) has the weights
            # as an input beside them, and only then puts geodesics in their place.
            raw = _sammon(self.dissimilarities, self.targets)
        else:
            raw = np.array(self.weights)
        if not self.targets.complete:
            raw[self.targets.missing] = 0.0
        _check_connected(raw, self.dissimilarities.labels)
        if not (self.targets.condensed[raw > 0] > 0).any():
            raise NothingToExplain(
                "Every dissimilarity that has a weight is zero.",
                remedy="Give a weight to some pairs of objects that differ.",
            )
        # The largest is divided out first, for the sum of large weights can be infinite.
        raw /= raw.max()
        raw /= raw.mean()
        raw.setflags(write=False)
        return raw

    @property
    def counting(self) -> BoolArray:
        """(N(N-1)/2,) which pairs are known and have a weight."""
        weights = self.pair_weights
        counts: BoolArray = weights > 0 if weights.size else ~self.targets.missing
        return counts

    @cached_property
    def judged(self) -> Judged:
        """The targets as their scale sees them."""
        values: FloatArray = with_zeros_for_gaps(self.targets.condensed).astype(np.float64)
        return Judged(values, self.counting, self.pair_weights, self.ties)

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
        parts: list[object] = [self.n_components, self.coef_kind, self.neighbourhood]
        if self.given_coef is not None:
            digest.update(np.ascontiguousarray(self.given_coef).tobytes())
        # A question on a ratio scale keeps the digest that it had before there were others.
        parts += [self.scale, self.ties] if self.scale != RATIO else []
        if self.weights is None or isinstance(self.weights, str):
            parts.append(self.weights)
        else:
            digest.update(np.ascontiguousarray(self.weights).tobytes())
        for feature in self.known.features:
            # Digests of one length each, so that no two lists of features run together alike.
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
    if isinstance(weights, pd.DataFrame):
        weights = _for_objects(weights, labels)
    table = _reals(weights)
    n = len(labels)
    if table.ndim == 1:
        return table
    if table.shape != (n, n):
        raise UnsuitableWeights(
            f"The weights are {size_in_words(table)} for {n} objects.",
            remedy=f"Give a table of {n} x {n}.",
        )
    upper = np.triu_indices(n, 1)
    condensed: FloatArray = 0.5 * table[upper] + 0.5 * table.T[upper]
    return condensed


def _for_objects(weights: pd.DataFrame, labels: tuple[str, ...]) -> pd.DataFrame:
    """A table of weights in the order of the objects, where it names them."""
    names = names_on(weights)
    if names is None:
        return weights
    if any(sorted(side) != sorted(labels) for side in names):
        raise LabelMismatch(
            "The weights do not name the same objects as the dissimilarities.",
            remedy=f"Name rows and columns of the weights {listing(labels)}.",
        )
    places = ({name: i for i, name in enumerate(side)} for side in names)
    rows, columns = ([place[label] for label in labels] for place in places)
    return weights.iloc[rows, columns]


def _reals(weights: Any) -> FloatArray:
    try:
        return real_array(weights).astype(np.float64, copy=False)
    except (NoNumber, UnevenRows):
        raise UnsuitableWeights(
            "The weights are not numbers.", remedy="Give a table of numbers, 'sammon', or None."
        ) from None


def _checked_coef(coef: Any, known: FeatureTable, scale: str) -> str | FloatArray:
    if coef is None or np.isscalar(coef):
        return check_option("coef", coef, COEFS)
    q = sum(len(feature.column_names()) for feature in known.features)
    try:
        given = settled(real_array(coef).astype(np.float64))
    except (NoNumber, UnevenRows):
        raise UnsuitableCoefficients(
            "The given B is not a table of numbers.",
            remedy=f"Give {q} x {q} numbers, 'full', or 'diagonal'.",
        ) from None
    if given.shape != (q, q):
        raise UnsuitableCoefficients(
            f"The given B is {size_in_words(given)}, and the known features have {q} columns.",
            remedy=f"Give a table of {q} x {q}: a row for each of "
            f"{listing([n for f in known.features for n in f.column_names()]) or 'none'}.",
        )
    if not np.isfinite(given).all():
        raise UnsuitableCoefficients(
            "The given B has an entry that is not finite.", remedy="Give finite numbers."
        )
    if scale != RATIO:
        raise UnsuitableCoefficients(
            f"B is given, and on the {scale} scale distances have no unit to give it in.",
            remedy=f"Use scale={RATIO!r}, or have B found (coef='full').",
        )
    return given


def _check_weights_suffice(known: FeatureTable, coef: str) -> None:
    # One weight for all columns of a feature would stretch a curve and never bend it.
    bending = [feature.name for feature in known.features if KINDS[feature.kind].bends]
    if coef == "diagonal" and bending:
        raise UnsuitableFeature(
            f"{listing(bending)} may act along a curve, which one weight for each feature cannot "
            "bend.",
            remedy="Let features act freely (coef='full'), or make it numeric.",
        )


def _check_dimensions(n_components: int, rank: int, n_objects: int) -> None:
    # N points span N - 1 dimensions at most; with that many anything can be drawn exactly.
    if n_components == 0 or n_components + rank < n_objects:
        return
    most = max(n_objects - 1 - rank, 0)
    beside = f" beside {rank} known columns" if rank else ""
    raise TooManyDimensions(
        f"{n_components} hidden dimensions{beside} are too many for {n_objects} objects.",
        remedy=f"Use n_components={most} at most.",
    )


def _checked_weights(weights: Any, dissimilarities: Dissimilarities) -> FloatArray | str | None:
    if weights is None:
        return None
    if isinstance(weights, str):
        return check_option("weights", weights, ("sammon",))
    values = settled(_reals(weights))
    if values.shape != dissimilarities.condensed.shape:
        raise UnsuitableWeights(
            f"The weights are {size_in_words(values)} for {dissimilarities.condensed.size} pairs.",
            remedy="Give one weight for each pair.",
        )
    lowest, highest = np.minimum.reduce(values), np.maximum.reduce(values)
    # NaN is neither 0 or more, nor finite.
    if not (lowest >= 0 and highest < np.inf):
        wrong = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
        # What is not finite is worst, then what is lowest.
        worst = wrong[np.argmin(np.where(np.isfinite(values[wrong]), values[wrong], -np.inf))]
        first, second = (
            dissimilarities.labels[i] for i in pair_of(int(worst), dissimilarities.n_objects)
        )
        raise UnsuitableWeights(
            f"The weight of {first} and {second} is {values[worst]:g}; weights that are negative "
            f"or not finite: {wrong.size} of {values.size}.",
            remedy="Give weights of 0 or more; 0 leaves a pair out.",
        )
    return values


def _sammon(original: Dissimilarities, targets: Dissimilarities) -> FloatArray:
    """In proportion to 1/dissimilarity; to 1/geodesic where only that is known."""
    base = original.condensed
    if not original.complete:
        base = np.where(original.missing, targets.condensed, base)
    # A weight of 1/0 would let one pair decide the map.
    smallest = float(np.min(base, where=base > 0, initial=np.inf))
    weights: FloatArray = np.maximum(base, smallest, dtype=np.float64)
    np.divide(smallest, weights, out=weights)
    return weights


def _check_connected(weights: FloatArray, labels: tuple[str, ...]) -> None:
    """Every object must be compared with every other, at least by way of others."""
    # Assumption 1(b) of the later version of Bui (2021): with groups that no pair connects, H has
    # more than one zero eigenvalue, and how the groups lie to each other is anybody's guess.
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
    piece = components(counts, len(labels))
    if piece.any():
        sizes = np.bincount(piece)
        smallest = int(np.argmin(sizes))
        cut_off = [labels[i] for i in np.flatnonzero(piece == smallest)]
        raise DisconnectedWeights(
            f"The pairs that count leave {sizes.size} groups of objects never compared with each "
            f"other; cut off from the rest: {listing(cut_off)}.",
            remedy="Give at least one pair between the groups, or map each group alone.",
        )
