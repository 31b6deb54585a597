"""Lesson 3: a descent finds a valley, and only many starts tell whether it is the lowest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from cml_core.fitting.fit import fit
from cml_core.fitting.geometry import principal_axes, procrustes
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.lessons import kin
from cml_core.lessons.lesson import Answer, Check, Lesson
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.words import percent

DIMENSIONS = (1, 2, 3)
SEED = 3
# At least so many starts in each before shares are compared; more than so many are not kept.
ENOUGH, MOST = 50, 500
# Ends that differ by less than this share of stress are one.
SAME = 1e-6
# As a share of its spread: two maps that differ by less look alike.
VISIBLY = 0.05
# After how many steps the way of a start is drawn.
_STEPS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 100)


@dataclass(frozen=True, eq=False)
class End(Value):
    """Where a start ended: (14, p) places and their stress."""

    places: FloatArray
    stress: float


@cache
def end(dimensions: int, number: int) -> End:
    """The end of one start; the same number is the same start."""
    found = _descended(dimensions, number, 1000)
    return End(frozen(principal_axes(found.embedding)), found.stress)


def way(dimensions: int, number: int) -> FloatArray:
    """(steps, 14, 2) from the random start to its end, as seen on the end's first two axes."""
    begin = _thrown(dimensions, number)
    steps = [_descended(dimensions, number, count).embedding for count in _STEPS]
    last = end(dimensions, number).places
    # All are turned as the end has to be to lie on its own axes.
    raw = _descended(dimensions, number, 1000).embedding
    turn = np.linalg.lstsq(raw - raw.mean(axis=0), last)[0]
    seen = [(one - one.mean(axis=0)) @ turn for one in (begin, *steps, raw)]
    return frozen(np.array([flat(one) for one in seen]))


def flat(places: FloatArray) -> FloatArray:
    """The first two axes; of a line, with nothing upwards."""
    return np.pad(places, ((0, 0), (0, max(0, 2 - places.shape[1]))))[:, :2]


def _thrown(dimensions: int, number: int) -> FloatArray:
    """Terms thrown at random, about as far apart as the data have them."""
    random = np.random.default_rng([SEED, dimensions, number])
    size = float(np.sqrt((kin.terms().condensed ** 2).mean() / (2 * dimensions)))
    return size * random.standard_normal((len(kin.terms().labels), dimensions))


def _descended(dimensions: int, number: int, steps: int) -> Fit:
    problem = Problem(kin.terms(), kin.known(), dimensions)
    start = (_thrown(dimensions, number), np.zeros((0, 0)))
    return fit(problem, init=start, max_iter=steps, seed=SEED)


@dataclass(frozen=True, eq=False)
class Search(Value):
    """All starts so far, in every number of dimensions.

    Parameters
    ----------
    dimensions : what is on the screen.
    starts : how many, for 1, 2 and 3 dimensions.
    """

    dimensions: int
    starts: tuple[int, int, int]

    def ends(self, dimensions: int) -> tuple[End, ...]:
        """Where the starts ended, in their order."""
        return tuple(end(dimensions, k) for k in range(self.starts[dimensions - 1]))

    def different(self, dimensions: int) -> tuple[End, ...]:
        """Each end once, best first."""
        kept: list[End] = []
        for one in sorted(self.ends(dimensions), key=lambda one: one.stress):
            if not kept or one.stress > kept[-1].stress * (1 + SAME):
                kept.append(one)
        return tuple(kept)

    def share(self, dimensions: int) -> float:
        """How many of the starts ended at the best that any of them found."""
        ends = self.ends(dimensions)
        best = min(one.stress for one in ends)
        return float(np.mean([one.stress <= best * (1 + SAME) for one in ends]))


def search(dimensions: int, starts: Mapping[int, int]) -> Search:
    """At least one start of what is shown."""
    counts = [min(max(starts.get(p, 0), int(p == dimensions)), MOST) for p in DIMENSIONS]
    return Search(dimensions, (counts[0], counts[1], counts[2]))


def gallery(state: Search, most: int) -> tuple[End, ...]:
    """The best of the maps that look different, turned to match the first."""
    best, *others = state.different(state.dimensions)
    kept = [best]
    for one in others:
        gaps = [procrustes(one.places, other.places).disparity for other in kept]
        if len(kept) < most and min(gaps) > VISIBLY:
            kept.append(End(procrustes(one.places, best.places).points, one.stress))
    return tuple(kept)


def easiest(state: Search) -> str:
    """In how many dimensions most starts found the best."""
    return str(max(DIMENSIONS, key=state.share))


def _not_yet(state: Search) -> str:
    missing = [p for p in DIMENSIONS if state.starts[p - 1] < ENOUGH]
    if not missing:
        return ""
    had = ", ".join(f"{count} in {p}" for p, count in zip(DIMENSIONS, state.starts, strict=True))
    return (
        f"Count first: make at least {ENOUGH} starts in 1, in 2 and in 3 dimensions. So far you "
        f"have {had}."
    )


def _why(state: Search, said: Answer) -> str:
    told = ", ".join(f"{percent(state.share(p))} in {p}" for p in DIMENSIONS)
    if said == easiest(state):
        return f"The best was found by {told}. With more room, things can walk around each other."
    return f"Of your own starts, the best was found by {told}."


def _told(state: Search) -> str:
    p = state.dimensions
    ends = state.ends(p)
    different = state.different(p)
    best, last, worst = different[0].stress, ends[-1].stress, different[-1].stress
    if len(ends) == 1:
        return (
            f"The first start ended at a stress of **{last:.4f}**. Is that the best there is? One "
            "start cannot know."
        )
    found = sum(one.stress <= best * (1 + SAME) for one in ends)
    return (
        f"**{len(ends)} starts** in {p}D ended in **{len(different)} different maps**. The best "
        f"has stress {best:.4f}; {found} found it ({percent(found / len(ends))}). The worst is "
        f"{worst / best:.2f} times as bad. The last start ended at {last:.4f}."
    )


LESSON = Lesson[Search](
    name="traps",
    title="Starts and traps",
    words=(
        "A map is found by walking downhill from a random start. Press **One more start** and "
        "watch: it stops in *a* valley, perhaps not the lowest. Make a **hundred more**, then try "
        "other numbers of **dimensions**. How often was the best one found?"
    ),
    cures=(
        "The computer found the best map.",
        "Two runs with different results mean that something is broken.",
    ),
    told=_told,
    checks=(
        Check(
            "dimensions",
            "In how many dimensions is the best map easiest to find?",
            easiest,
            _why,
            tuple(map(str, DIMENSIONS)),
            not_yet=_not_yet,
        ),
    ),
    mathematics=r"""
Stress is not convex in the places $X$: objects that would have to pass through each other are held
apart. On a line nothing can pass, so nearly every start is a trap of its own. If $n$ starts found
$w$ different minima, a further start is expected to lead to a new one with a chance of about
$w(w+1)/(n(n-1))$ (Boender and Rinnooy Kan); this program goes on until that is small.
""",
    minutes=10,
    asks="Two students have different maps of the same data. Who made the mistake?",
    goes_wrong="A lucky first start. Let several students compare their first stress.",
)
