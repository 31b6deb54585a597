"""Data made otherwise than fits suppose: bent, rated, sorted, correlated, by single people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform

from cml_core import Dissimilarities, Feature, FeatureTable, Problem
from cml_core.files.doctor.formulas import confusion, cooccurrence
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray

# By the power of the distance by which confusions fall off, in units of its mean, how fast.
CONFUSED = {1.0: 3.0, 2.0: 1.5}
# How often each object is shown to be confused with others.
SHOWN = 200
KNOWN, CORRELATION, NOISE = 3, 0.5, 0.1
ABOUT = f"""\
Normal features, each pair correlated by {CORRELATION:g} and each stretched by .6 to 1.4, of which \
{KNOWN} are known; distances with noise of {NOISE:.0%}, and then said otherwise."""

Random = np.random.Generator
# (K, pairs) what each of K people says; of a single row, that it is a table without people.
Said = Callable[[FloatArray, Random], FloatArray]


class Sample(NamedTuple):
    """A question, the features that are hidden, what single people said, and chance for more."""

    problem: Problem
    hidden: FloatArray
    answers: Answers | None
    random: Random


def _noisy(distances: FloatArray, random: Random, size: float = NOISE) -> FloatArray:
    noisy: FloatArray = np.abs(distances * (1.0 + size * random.standard_normal(distances.size)))
    return noisy


def _bent(bend: Callable[[FloatArray], FloatArray]) -> Said:
    def said(points: FloatArray, random: Random) -> FloatArray:
        told: FloatArray = bend(_noisy(pdist(points), random))[None]
        return told

    return said


def _one_rating(points: FloatArray, random: Random) -> FloatArray:
    noisy = _noisy(pdist(points), random)
    points_given: FloatArray = np.clip(np.ceil(7.0 * noisy / noisy.max()), 1.0, 7.0)[None]
    return points_given


def _ratings(people: int) -> Said:
    """Each rates from 1 to 7, with an error of 30 %; the farthest 3 % are all 7."""

    def said(points: FloatArray, random: Random) -> FloatArray:
        distances = pdist(points)
        farthest = np.quantile(distances, 0.97)
        seen = (_noisy(distances, random, 0.3) for _ in range(people))
        return np.round([1.0 + 6.0 * np.minimum(one / farthest, 1.0) for one in seen])

    return said


def _differing(people: int) -> Said:
    """Each weighs every feature in their own way, with an error of their own."""

    def said(points: FloatArray, random: Random) -> FloatArray:
        weights = np.sqrt(random.gamma(3.0, 1.0 / 3.0, (people, points.shape[1])))
        return np.array([_noisy(pdist(points * own), random, 2 * NOISE) for own in weights])

    return said


def _sorting(people: int) -> Said:
    """Each makes groups of what looks alike to them; 1 where a pair was parted."""

    def said(points: FloatArray, random: Random) -> FloatArray:
        n = len(points)
        rows = []
        for _ in range(people):
            own = points * np.sqrt(random.gamma(4.0, 0.25, points.shape[1]))
            seen = own + 0.35 * random.standard_normal(own.shape)
            count = random.integers(max(3, n // 8), max(5, n // 3) + 1)
            group = fcluster(linkage(pdist(seen), "average"), count, "maxclust")
            rows.append((group[:, None] != group)[np.triu_indices(n, 1)])
        return np.array(rows, dtype=np.float64)

    return said


def _correlations(points: FloatArray, random: Random) -> FloatArray:
    """Chords of correlations over 60 cases."""
    loaded = points @ random.standard_normal((points.shape[1], 60))
    r = np.corrcoef(loaded + random.standard_normal(loaded.shape))
    return np.sqrt(2.0 * (1.0 - r))[np.triu_indices(len(points), 1)][None]


def _city_block(points: FloatArray, random: Random) -> FloatArray:
    """Differences add up feature by feature."""
    return _noisy(pdist(points, "cityblock"), random)[None]


def _rooted(points: FloatArray, random: Random) -> FloatArray:
    """The first feature, which is known, counts by its signed square root."""
    rooted = points.copy()
    rooted[:, 0] = np.sign(points[:, 0]) * np.sqrt(np.abs(points[:, 0]))
    return _noisy(pdist(rooted), random)[None]


def _additive(points: FloatArray, random: Random) -> FloatArray:
    distances = pdist(points)
    errors = NOISE * distances.mean() * random.standard_normal(distances.size)
    seen: FloatArray = np.abs(distances + errors)[None]
    return seen


def _by_object(points: FloatArray, random: Random) -> FloatArray:
    """Some objects are judged with more error than others."""
    size = np.sqrt(random.uniform(0.02, 0.25, len(points)))
    first, second = np.triu_indices(len(points), 1)
    distances = pdist(points)
    errors = size[first] * size[second] * random.standard_normal(distances.size)
    seen: FloatArray = np.abs(distances * (1.0 + errors))[None]
    return seen


def _heavy_tailed(points: FloatArray, random: Random) -> FloatArray:
    distances = pdist(points)
    errors = NOISE / 1.5 * np.clip(random.standard_t(2, distances.size), -10.0, 10.0)
    seen: FloatArray = np.abs(distances * (1.0 + errors))[None]
    return seen


def _clustered(points: FloatArray, random: Random) -> FloatArray:
    """In the place of the features, five groups of objects alike; see `Made`."""
    return _noisy(pdist(points), random)[None]


def _rating_otherwise(people: int) -> Said:
    """Each weighs every feature in their own way, and rates from 1 to 7."""

    def said(points: FloatArray, random: Random) -> FloatArray:
        rows = []
        for _ in range(people):
            own = points * np.sqrt(random.gamma(3.0, 1.0 / 3.0, points.shape[1]))
            seen = _noisy(pdist(own), random, 0.3)
            rows.append(np.round(1.0 + 6.0 * np.minimum(seen / np.quantile(seen, 0.97), 1.0)))
        return np.array(rows)

    return said


def apart(counts: FloatArray) -> FloatArray:
    """Half the counts of one added to each, so that none is zero; symmetric, and free of bias."""
    labels = tuple(str(k) for k in range(len(counts)))
    apart: FloatArray = np.maximum(confusion(counts, 0.5, labels), 0.0)
    return apart[np.triu_indices(len(counts), 1)]


def _confusions(people: int, shown: int, falls: float) -> Said:
    """What is shown so often is taken for what is near, and for some answers more than others.

    Of several people each weighs every feature in their own way; of each it is told how the table
    moves with them, as files of people are read (`cml_core.files.single_answers`).
    """

    def said(points: FloatArray, random: Random) -> FloatArray:
        bias = np.exp(0.3 * random.standard_normal(len(points)))
        counts = []
        for _ in range(people):
            own = np.sqrt(random.gamma(3.0, 1.0 / 3.0, points.shape[1])) if people > 1 else 1.0
            distances = squareform(pdist(points * own))
            near = bias * np.exp(-((CONFUSED[falls] * distances / pdist(points).mean()) ** falls))
            chosen = near / near.sum(axis=1, keepdims=True)
            counts.append(np.array([random.multinomial(shown, one) for one in chosen]))
        total = np.sum(counts, axis=0)
        whole = apart(total)
        if people == 1:
            return whole[None]
        without = np.array([apart(total - one) for one in counts])
        moved = whole + (people - 1) * (whole - without)
        told: FloatArray = moved + whole - moved.mean(axis=0)
        return told

    return said


def _same(people: int) -> Said:
    """Each is asked of every pair whether both are the same; one minus the share who say so."""

    def said(points: FloatArray, random: Random) -> FloatArray:
        distances = pdist(points)
        near = np.exp(-CONFUSED[1.0] * _noisy(distances, random) / distances.mean())
        apart: FloatArray = 1.0 - random.binomial(people, near)[None] / people
        return apart

    return said


def _together(occurring: int) -> Said:
    """How often two things occur together, of which some are more frequent, as by Ochiai."""

    def said(points: FloatArray, random: Random) -> FloatArray:
        distances = pdist(points)
        first, second = np.triu_indices(len(points), 1)
        frequent = np.exp(0.5 * random.standard_normal(len(points)))
        rate = frequent[first] * frequent[second] * np.exp(-2.0 * distances / distances.mean())
        counts = squareform(random.poisson(occurring * rate / rate.mean()).astype(float))
        apart: FloatArray = cooccurrence(counts, 0.0, tuple(map(str, range(len(points)))))
        return apart[first, second][None]

    return said


def _triads(people: int, each: int) -> Said:
    """Each says of so many triads which two are the most alike; 1 where a pair was parted."""

    def said(points: FloatArray, random: Random) -> FloatArray:
        n = len(points)
        pair = squareform(np.arange(n * (n - 1) // 2))
        rows = []
        for _ in range(people):
            own = points * np.sqrt(random.gamma(3.0, 1.0 / 3.0, points.shape[1]))
            seen = _noisy(pdist(own), random, 2 * NOISE)
            three = random.permuted(np.tile(np.arange(n), (each, 1)), axis=1)[:, :3]
            pairs = pair[three[:, [0, 0, 1]], three[:, [1, 2, 2]]]
            parted = pairs != pairs[np.arange(each), seen[pairs].argmin(axis=1)][:, None]
            times = np.bincount(pairs.ravel(), minlength=seen.size)
            sums = np.bincount(pairs.ravel(), parted.ravel(), minlength=seen.size)
            rows.append(np.divide(sums, times, out=np.full(seen.size, np.nan), where=times > 0))
        return np.array(rows)

    return said


def _object_bias(points: FloatArray, random: Random) -> FloatArray:
    """Each object is said to be farther from all, or nearer, than it is."""
    factor = np.exp(NOISE * random.standard_normal(len(points)))
    first, second = np.triu_indices(len(points), 1)
    return (_noisy(pdist(points), random, NOISE / 2) * factor[first] * factor[second])[None]


def _far_objects(points: FloatArray, random: Random) -> FloatArray:
    """Two objects are said to be farther from all others by a length, not in proportion."""
    distances = pdist(points)
    more = np.zeros(len(points))
    more[:2] = 0.8 * distances.mean(), distances.mean()
    first, second = np.triu_indices(len(points), 1)
    return (_noisy(distances, random, NOISE / 2) + more[first] + more[second])[None]


KINDS: Mapping[str, Said] = {
    "distances": _bent(lambda d: d),
    "square roots": _bent(np.sqrt),
    "squares": _bent(np.square),
    "half the mean added": _bent(lambda d: d + 0.5 * d.mean()),
    "saturating": _bent(lambda d: 1.0 - np.exp(-d / d.mean())),
    "one rating from 1 to 7": _one_rating,
    "ratings of 8 people": _ratings(8),
    "ratings of 16 people": _ratings(16),
    "ratings of 30 people": _ratings(30),
    "16 people who weigh otherwise": _differing(16),
    "sortings of 40 people": _sorting(40),
    "sortings of 30 people": _sorting(30),
    "sortings of 16 people": _sorting(16),
    "correlations": _correlations,
    "objects with a bias": _object_bias,
    "two objects far from all": _far_objects,
    "16 people who rate otherwise": _rating_otherwise(16),
    "30 people who rate otherwise": _rating_otherwise(30),
    "city-block": _city_block,
    "a known feature by its root": _rooted,
    "additive errors": _additive,
    "errors by object": _by_object,
    "heavy-tailed errors": _heavy_tailed,
    "clusters": _clustered,
    "confusions": _confusions(1, SHOWN, 1.0),
    "confusions by squares": _confusions(1, SHOWN, 2.0),
    "taken for the same": _same(150),
    "confusions of 16 people": _confusions(16, 24, 1.0),
    "counts together": _together(200),
    "triads of 16 people": _triads(16, 190),
}


@dataclass(frozen=True)
class Made:
    """What one kind of data set is made of, and how it is asked."""

    kind: str
    scale: str
    hidden: int = 1
    n_objects: int = 20

    def simulated(self, seed: int) -> Sample:
        """One data set."""
        random = np.random.default_rng([seed, self.n_objects, self.hidden])
        q = KNOWN + self.hidden
        mixed = np.full((q, q), CORRELATION) + (1.0 - CORRELATION) * np.eye(q)
        points = random.multivariate_normal(np.zeros(q), mixed, size=self.n_objects)
        if self.kind == "clusters":
            centres = 1.6 * random.standard_normal((5, q))
            within = 0.25 * random.standard_normal((self.n_objects, q))
            points = centres[random.integers(5, size=self.n_objects)] + within
        points *= random.uniform(0.6, 1.4, q)
        said = KINDS[self.kind](points, random)
        labels = tuple(f"object {k + 1}" for k in range(self.n_objects))
        known = tuple(Feature.numeric(f"known {k + 1}", points[:, k]) for k in range(KNOWN))
        problem = Problem(
            Dissimilarities(labels, np.nanmean(said, axis=0)),
            FeatureTable(labels, known),
            n_components=self.hidden,
            scale=self.scale,
        )
        people = tuple(f"person {k + 1}" for k in range(len(said)))
        answers = Answers.once(labels, people, said) if len(said) > 1 else None
        return Sample(problem, points[:, KNOWN:], answers, random)
