"""Which objects lie together, such as couples and families: what they share says it only once.

Objects are joined, the nearest first (average linkage). Where merges are so short that places
without any gatherings seldom have the like, the gatherings are cut where merges lengthen most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.cluster.hierarchy import fcluster, leaves_list, linkage

from cml_core.evidence.prediction import FEWEST_VALUES
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value, frozen
from cml_core.values.columns import coincide
from cml_core.values.words import counted

# How often places without gatherings may be taken for gathered. That costs a test a little power,
# and to overlook gatherings costs it its p-value: with 20 objects of which 10 couples lie within
# 0.3 of a standard deviation, 0.92 of all maps are recognised so, and 0.67 at 0.05.
LIKELY = 0.2
# Beyond doubt. Where they are less certain than that, a cut is taken that leaves as many groups as
# a test needs: rather than refuse 9 of 100 maps on which nobody lies together, as was counted.
CERTAIN = 0.02
# Gatherings are looked for among the cuts that join a quarter of the objects or more, and leave
# groups of so many objects at most on average: larger ones are what a map is there to show.
JOINED = 4
MOST_ON_AVERAGE = 6
# Distances nearer than this share of the spread are the same but for rounding.
NEAREST = 1e-9
# Drawn places to compare with: many for few objects, where merges vary much; each takes 0.1 s with
# 1000 objects, and beyond of these gatherings are not looked for.
DRAWN = 20_000
FEWEST_DRAWN, MOST_DRAWN = 20, 200
MOST_OBJECTS = 1000


@dataclass(frozen=True, eq=False)
class Gathered(Value):
    """Which of n objects lie together.

    Parameters
    ----------
    groups : (n,) the number of the group of each.
    order : (n,) the objects in an order in which groups, and those near one another inside a
        group, come one after the other.
    beyond_doubt : whether hardly any places without gatherings would look so gathered.
    """

    groups: IntArray
    order: IntArray
    beyond_doubt: bool = False

    @property
    def n_groups(self) -> int:
        """How many objects there are, those that lie together counted once."""
        return len(np.unique(self.groups))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many objects each group has; none where each object is by itself."""
        sizes = tuple(int(size) for size in np.bincount(self.groups) if size)
        return sizes if len(sizes) < len(self.groups) else ()

    def among(self, rows: BoolArray) -> Gathered:
        """The same of some of the objects."""
        places = np.cumsum(rows) - 1
        return Gathered(self.groups[rows], places[self.order[rows[self.order]]])


def apart(n: int) -> Gathered:
    """Each of n objects by itself."""
    return Gathered(np.arange(n), np.arange(n))


@dataclass(frozen=True, eq=False)
class _Merges(Value):
    """How places are joined, and how unlike that is to places without gatherings.

    `lengths` are the logarithms of those of merges, and `unlike` how many standard deviations
    they are shorter, at the cut where that is most.
    """

    tree: FloatArray
    lengths: FloatArray
    unlike: float
    likely: float


@dataclass(frozen=True, eq=False)
class _Ungathered(Value):
    """What merges of normal places are like: mean and deviation of each, and the least seen."""

    mean: FloatArray
    deviation: FloatArray
    least: FloatArray


def together(
    embedding: FloatArray, known_places: FloatArray, needed: int = FEWEST_VALUES
) -> Gathered:
    """Which objects lie together; each by itself where none do.

    Parameters
    ----------
    embedding : (N, p) the map.
    known_places : (N, q) where the known features put the objects, in the same unit. Couples may
        lie together on the map alone, or in all that is known and on the map; whichever tells
        them more clearly is taken.
    needed : no fewer groups are made, unless it is beyond doubt that objects lie together.
    """
    n = len(embedding)
    both = (embedding, np.hstack([embedding, known_places]))
    first, last = _cuts(n)
    found = (
        [_merges(places) for places in both if not coincide(places)]
        if first < last and n <= MOST_OBJECTS
        else []
    )
    clearest = min(found, key=lambda merges: merges.unlike, default=None)
    if clearest is None or clearest.likely > LIKELY:
        return apart(n)
    # A cut after merge k leaves n - k - 1 groups.
    beyond_doubt = clearest.likely <= CERTAIN
    last = last if beyond_doubt else min(last, n - needed)
    if first >= last:
        return apart(n)
    longest = first + int(np.diff(clearest.lengths)[first:last].argmax())
    numbers = fcluster(clearest.tree, n - longest - 1, "maxclust")
    order = leaves_list(clearest.tree).astype(np.int64)
    return Gathered(numbers.astype(np.int64), order, beyond_doubt)


def in_words(sizes: Sequence[int]) -> str:
    """Groups by their sizes: 7 couples; 9 groups of 1 to 4 objects."""
    least, most = min(sizes), max(sizes)
    if least == most == 2:
        return counted(len(sizes), "couple")
    between = f"{least}" if least == most else f"{least} to {most}"
    return f"{counted(len(sizes), 'group')} of {between} objects"


def _cuts(n: int) -> tuple[int, int]:
    """After which merges places may be cut, from the first of these to before the last."""
    return max(n // JOINED, 2) - 1, n - max(FEWEST_VALUES, n // MOST_ON_AVERAGE)


def _merges(places: FloatArray) -> _Merges:
    n = len(places)
    standing = _on_its_axes(places)
    spreads = standing.std(axis=0)
    # To one digit, so that the same drawn places serve many maps.
    ungathered = _ungathered(n, tuple(float(s) for s in np.round(spreads / spreads.max(), 1)))
    tree, lengths = _joined(standing)
    first, last = _cuts(n)
    unlike = float(((_so_far(lengths) - ungathered.mean) / ungathered.deviation)[first:last].min())
    likely = (1 + int((ungathered.least <= unlike).sum())) / (1 + ungathered.least.size)
    return _Merges(frozen(tree), frozen(lengths), unlike, likely)


@lru_cache(maxsize=64)
def _ungathered(n: int, spreads: tuple[float, ...]) -> _Ungathered:
    random = np.random.default_rng(0)
    count = int(np.clip(DRAWN // n, FEWEST_DRAWN, MOST_DRAWN))
    drawn = (random.standard_normal((n, len(spreads))) * spreads for _ in range(count))
    lengths = np.array([_so_far(_joined(places)[1]) for places in drawn])
    mean, deviation = lengths.mean(axis=0), lengths.std(axis=0)
    first, last = _cuts(n)
    least = ((lengths - mean) / deviation)[:, first:last].min(axis=1)
    return _Ungathered(frozen(mean), frozen(deviation), frozen(least))


def _joined(places: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The tree of merges, and the logarithms of their lengths as shares of the spread."""
    tree = linkage(places, "average")
    spread = float(np.sqrt(places.var(axis=0).sum()))
    return tree, np.log(np.maximum(tree[:, 2] / spread, NEAREST))


def _so_far(lengths: FloatArray) -> FloatArray:
    """The logarithm of the mean squared length of each merge and all before it."""
    squares = np.cumsum(np.exp(2.0 * lengths))
    means: FloatArray = np.log(squares / np.arange(1, lengths.size + 1))
    return means


def _on_its_axes(places: FloatArray) -> FloatArray:
    """Places along their principal axes, those in which they do not differ left out."""
    left, sizes, _ = np.linalg.svd(places - places.mean(axis=0), full_matrices=False)
    differing = sizes > NEAREST * sizes[0]
    standing: FloatArray = left[:, differing] * sizes[differing]
    return standing
