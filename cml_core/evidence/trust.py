"""Does the map show what the dissimilarities say: pair by pair, near by, and from other starts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist, squareform

from cml_core.errors import listing
from cml_core.evidence.map_size import as_share, check_has_map
from cml_core.evidence.neighbours import kept_neighbours
from cml_core.evidence.words import percent
from cml_core.fitting.configuration import Solution
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, IntArray, Value, frozen
from cml_core.values.real_numbers import whole_number

# A correlation from which pairs are fitted closely, and one below which they hardly are.
CLOSE, LOOSE = 0.95, 0.8
# Trustworthiness from which neighbours may be believed, and below which not; chance has .5.
TRUSTED, DOUBTFUL = 0.9, 0.75
# Neighbourhoods are judged in so many sizes, up to this part of the objects.
MOST_SIZES = 8
LARGEST_PART = 3
# An object that lies farther off than this share of the map's spread lies elsewhere.
ELSEWHERE = 0.25
MOST_NAMED = 3
# Another optimum within this share of the best explains the data as well, for all we know.
AS_GOOD = 0.1
# Below this share unexplained a fit is exact, and what is relative to it says nothing.
EXACT = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Shepard(Value):
    """The M pairs that count, as they were given and as they were fitted.

    Parameters
    ----------
    labels : of the objects.
    first, second : (M,), the two objects of each pair, counted from 0.
    given : (M,), what was to be fitted: dissimilarities, or geodesics.
    fitted : (M,), distances between objects, by what is known and the map together.
    weight : (M,), how much each pair counts, 1 on average over all pairs.
    """

    labels: tuple[str, ...]
    first: IntArray
    second: IntArray
    given: FloatArray
    fitted: FloatArray
    weight: FloatArray

    def worst(self, count: int = 10) -> IntArray:
        """Where the pairs stand that are fitted worst, by weighted squared error, worst first."""
        count = whole_number("count", count)
        size = max(float(self.given.max()), float(self.fitted.max()))
        errors = self.weight * ((self.given - self.fitted) / size) ** 2
        return np.argsort(-errors, kind="stable")[:count]

    @property
    def correlation(self) -> float:
        """Weighted correlation of given and fitted; NaN where one of them does not vary."""
        sides = np.stack([self.given, self.fitted])
        sides = sides / sides.max(axis=1, initial=np.finfo(float).tiny, keepdims=True)
        sides = sides - np.average(sides, axis=1, weights=self.weight)[:, None]
        common = (sides * self.weight) @ sides.T
        if min(common[0, 0], common[1, 1]) <= EXACT * float(self.weight.sum()):
            return np.nan
        found = common[0, 1] / np.sqrt(common[0, 0]) / np.sqrt(common[1, 1])
        return float(np.clip(found, -1.0, 1.0))

    @property
    def verdict(self) -> str:
        """How closely pairs are fitted, in words."""
        worst = int(self.worst(1)[0])
        names = f"{self.labels[self.first[worst]]} and {self.labels[self.second[worst]]}"
        pair = (
            f"Fitted worst: {names}, {self.given[worst]:.3g} as given, "
            f"{self.fitted[worst]:.3g} as fitted."
        )
        found = self.correlation
        if np.isnan(found):
            return f"Either the given or the fitted distances are all alike. {pair}"
        return (
            f"Fitted distances follow the given dissimilarities {_how_closely(found)}: they "
            f"correlate by {found:.2f}, where 1 is perfect. {pair}"
        )

    def __repr__(self) -> str:
        return f"Shepard({self.given.size} pairs: {self.verdict})"


@dataclass(frozen=True, eq=False, repr=False)
class Neighbourhoods(Value):
    """Whether those near each other on the map are alike in what is left, and the reverse.

    Parameters
    ----------
    sizes : numbers k of neighbours, from few to many.
    trustworthiness : (K,), 1 where all k neighbours on the map are alike in what is left.
    continuity : (K,), 1 where the k most alike in what is left are neighbours on the map.
    """

    sizes: tuple[int, ...]
    trustworthiness: FloatArray
    continuity: FloatArray

    @property
    def verdict(self) -> str:
        """Whether neighbours can be believed, in words; of the middle one of the sizes."""
        middle = len(self.sizes) // 2
        size = self.sizes[middle]
        trust, continuity = float(self.trustworthiness[middle]), float(self.continuity[middle])
        if trust >= TRUSTED:
            said = "Neighbours on the map can be believed: they are alike in what is left"
        elif trust >= DOUBTFUL:
            said = "Neighbours on the map are mostly, not always, alike in what is left"
        else:
            said = (
                "Neighbours on the map are often not alike in what is left, be it for noise or "
                "because the map has too few dimensions"
            )
        nearest = f"its {size} nearest" if size > 1 else "its nearest"
        return (
            f"{said}. Judged by each object and {nearest}, trustworthiness is {trust:.2f} and "
            f"continuity (are those alike drawn near each other?) {continuity:.2f}; 1 is "
            "perfect, a map at random has about 0.5."
        )

    def __repr__(self) -> str:
        return f"Neighbourhoods({self.verdict})"


@dataclass(frozen=True, eq=False, repr=False)
class Optimum(Value):
    """Another map that the solver ended at, beside the best.

    Parameters
    ----------
    stress : the share it leaves unexplained.
    above : by what share that is more than the best map leaves.
    starts : how many starts led to it.
    moved : (N,), how far each object lies from where the best map has it, as a share of the
        best map's spread (the root mean square distance from its centre).
    most_moved : names of those that lie farthest from there, if far at all.
    """

    stress: float
    above: float
    starts: int
    moved: FloatArray
    most_moved: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """How it differs from the best map, in words."""
        if not self.most_moved:
            where = "every object lies about where the best map has it"
        else:
            where = f"farthest from their places on the best map: {listing(self.most_moved)}"
        led = "1 start" if self.starts == 1 else f"{self.starts} starts"
        return f"Leaves {percent(self.stress)} unexplained; {led} led to it; {where}."

    def __repr__(self) -> str:
        return f"Optimum({self.verdict})"


@dataclass(frozen=True, eq=False, repr=False)
class OtherOptima(Value):
    """The other maps at which starts ended, in the order of `fit.alternatives`.

    Parameters
    ----------
    stress : the share that the best map leaves unexplained.
    starts : how many starts led to it.
    tried : how many starts there were.
    optima : the others, best first.
    """

    stress: float
    starts: int
    tried: int
    optima: tuple[Optimum, ...]

    @property
    def verdict(self) -> str:
        """Whether another map explains the data as well, in words."""
        if self.tried == 1:
            return "Only one start was tried, so no other map could be found."
        found = f"The best map was reached from {self.starts} of {self.tried} starts"
        if not self.optima:
            return f"{found}, and no other was found."
        best = percent(self.stress)
        rivals = [other for other in self.optima if other.above <= AS_GOOD]
        differing = next((other for other in rivals if other.most_moved), None)
        if differing is not None:
            return (
                f"{found}. It leaves {best} unexplained, but another one leaves hardly more "
                f"({percent(differing.stress)}) and has other places for "
                f"{listing(differing.most_moved)}, so do not rely on where these stand."
            )
        if rivals:
            return f"{found}. Those nearly as good put all objects in about the same places."
        return (
            f"{found}. It leaves {best} unexplained; the next best leaves "
            f"{percent(self.optima[0].stress)}, clearly more."
        )

    def __repr__(self) -> str:
        return f"OtherOptima({self.verdict})"


def shepard(fit: Fit) -> Shepard:
    """The pairs that count, known and of a weight above 0, as given and as fitted."""
    targets, weights = fit.problem.targets, fit.problem.pair_weights
    weights = weights if weights.size else np.ones(targets.condensed.size)
    counting = np.flatnonzero(fit.problem.counting)
    first, second = np.triu_indices(targets.n_objects, 1)
    return Shepard(
        labels=fit.labels,
        first=frozen(first[counting].astype(np.int64)),
        second=frozen(second[counting].astype(np.int64)),
        given=frozen(targets.condensed[counting].astype(np.float64)),
        fitted=frozen(_distances(fit.points)[counting]),
        weight=frozen(weights[counting]),
    )


def neighbourhoods(fit: Fit) -> Neighbourhoods:
    """Trustworthiness and continuity of a map against what is left of the dissimilarities.

    What is left of a pair is the root of its squared dissimilarity less the squared distance
    that is known, and 0 where that is more. Equal values are parted in all ways, and the
    measures are averages over these. Pairs that are missing or have no weight are nobody's
    neighbours, neither in the data nor on the map; an object is then judged by the others.

    Parameters
    ----------
    fit : the map in question; it needs a hidden dimension.

    Raises
    ------
    NoMap : there is no hidden dimension.
    """
    check_has_map(fit)
    targets = fit.problem.targets
    seen = squareform(fit.problem.counting)
    given = targets.condensed.astype(np.float64)
    known = _distances(fit.known_values @ fit.coef)
    size = max(float(np.fmax.reduce(given)), float(known.max()))
    left = np.maximum((given / size) ** 2 - (known / size) ** 2, 0.0)
    drawn = _distances(fit.embedding)
    drawn = (drawn / (float(drawn.max()) or 1.0)) ** 2
    sizes = _sizes(int(np.median(seen.sum(axis=1))) + 1)
    trust, continuity = kept_neighbours(squareform(left), squareform(drawn), seen, sizes)
    return Neighbourhoods(sizes, frozen(trust), frozen(continuity))


def other_optima(fit: Fit) -> OtherOptima:
    """The other maps at which the starts of a fit ended, and what differs on them."""
    return OtherOptima(
        stress=fit.stress,
        starts=fit.best.starts,
        tried=fit.n_starts,
        optima=tuple(_optimum(fit, other) for other in fit.alternatives),
    )


def _how_closely(correlation: float) -> str:
    if correlation >= CLOSE:
        return "closely"
    return "roughly" if correlation >= LOOSE else "only loosely"


def _optimum(fit: Fit, other: Solution) -> Optimum:
    lengths = np.linalg.norm(other.embedding - fit.embedding, axis=1)
    moved = as_share(lengths, fit.embedding)
    far = np.argsort(-moved, kind="stable")[:MOST_NAMED]
    return Optimum(
        stress=other.stress,
        above=(other.stress - fit.stress) / max(fit.stress, EXACT),
        starts=other.starts,
        moved=frozen(moved),
        most_moved=tuple(fit.labels[i] for i in far if moved[i] > ELSEWHERE),
    )


def _distances(places: FloatArray) -> FloatArray:
    """Condensed distances; 0 where there is no dimension."""
    if not places.shape[1]:
        return np.zeros(len(places) * (len(places) - 1) // 2)
    return pdist(places)


def _sizes(n_objects: int) -> tuple[int, ...]:
    """From 1 to a third of the objects, in growing steps."""
    largest = max(n_objects // LARGEST_PART, 1)
    return tuple(sorted({round(k) for k in np.geomspace(1, largest, MOST_SIZES).tolist()}))
