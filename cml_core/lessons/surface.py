"""Lesson 6: the way through near neighbours follows a surface, until one neighbour is false."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy.spatial.distance import pdist, squareform

from cml_core.fitting.geodesics import (
    Neighbourhood,
    neighbour_ranks,
    neighbours,
    pieces,
    ways_through,
)
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.lessons.lesson import Answer, Check, Lesson, Review
from cml_core.peers.methods.classical import drawn_classically
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value, frozen
from cml_core.values.words import counted

HEIGHT = 21.0
FEWEST, MOST = 2, 30
# How far off a number that is read off may be.
TOLERANCE = 0.01


@dataclass(frozen=True, eq=False)
class Roll(Value):
    """Points on a sheet that is rolled up.

    Parameters
    ----------
    points : (N, 3) in space.
    angle : (N,) along the spiral, in radians.
    sheet : (N, 2) where they lie once it is unrolled: along the spiral, and across.
    noise : how far they were pushed off it.
    """

    points: FloatArray
    angle: FloatArray
    sheet: FloatArray
    noise: float

    @property
    def apart(self) -> BoolArray:
        """(N, N) which pairs are more than half a turn apart, so that an edge is a short-cut."""
        return np.abs(self.angle[:, None] - self.angle) > np.pi


@cache
def swiss_roll(n_points: int = 600, noise: float = 0.0, seed: int = 0) -> Roll:
    """Points drawn by lot on the sheet, pushed off it by normal errors of size `noise`."""
    random = np.random.default_rng(seed)
    along, across = random.uniform(size=n_points), random.uniform(size=n_points)
    angle = 1.5 * np.pi * (1 + 2 * along)
    points = np.column_stack([angle * np.cos(angle), HEIGHT * across, angle * np.sin(angle)])
    points += noise * random.normal(size=points.shape)
    # The length of a spiral whose radius is its angle.
    length = 0.5 * (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle))
    sheet = np.column_stack([length, HEIGHT * across])
    return Roll(frozen(points), frozen(angle), frozen(sheet), noise)


@dataclass(frozen=True, eq=False)
class Unrolled(Value):
    """What the ways through near neighbours make of a roll.

    Parameters
    ----------
    edges : (E, 2) the pairs that are joined.
    short : (E,) which of them are short-cuts.
    removed : how many short-cuts were taken away before, the worst first.
    sizes : of the pieces of the graph, the largest first; one if it hangs together.
    places : (N, 2) the map, laid onto the true sheet; empty where the graph is in pieces.
    right : the share of the sheet that the map has right; NaN where there is none.
    """

    roll: Roll
    n_neighbors: int
    edges: IntArray
    short: BoolArray
    removed: int
    sizes: tuple[int, ...]
    places: FloatArray
    right: float

    @property
    def shortcuts(self) -> int:
        """How many short-cuts there are."""
        return int(self.short.sum())


@lru_cache(maxsize=64)
def unrolled(
    n_neighbors: int, n_points: int = 600, noise: float = 0.0, removed: int = 0
) -> Unrolled:
    """Isomap of a roll, without so many of the worst short-cuts."""
    roll = swiss_roll(n_points, noise)
    square = squareform(pdist(roll.points))
    near = neighbours(square, Neighbourhood(n_neighbors))
    worst = _worst_shortcuts(roll, near)[:removed]
    near[worst[:, 0], worst[:, 1]] = near[worst[:, 1], worst[:, 0]] = False
    edges = np.argwhere(np.triu(near))
    sizes = np.sort(np.bincount(pieces(near)))[::-1]
    places, right = np.zeros((0, 2)), np.nan
    if sizes.size == 1:
        # With threads it takes longer wherever others compute, too.
        with capped_linear_algebra(1):
            drawn = drawn_classically(ways_through(square, near), 2).places
        places, right = onto(roll, drawn)
    return Unrolled(
        roll=roll,
        n_neighbors=n_neighbors,
        edges=frozen(edges),
        short=roll.apart[tuple(edges.T)],
        removed=len(worst),
        sizes=tuple(int(size) for size in sizes),
        places=frozen(places),
        right=right,
    )


def onto(roll: Roll, places: FloatArray) -> tuple[FloatArray, float]:
    """A map laid onto the true sheet, and the share of the sheet that it has right."""
    found = procrustes(places, roll.sheet, scaling=True)
    return found.points, 1.0 - found.disparity


@cache
def straight(n_points: int = 600, noise: float = 0.0) -> float:
    """The share of the sheet that a map of straight-line distances has right."""
    roll = swiss_roll(n_points, noise)
    with capped_linear_algebra(1):
        drawn = drawn_classically(squareform(pdist(roll.points)), 2).places
    return onto(roll, drawn)[1]


def last_without_shortcut(roll: Roll) -> int:
    """The largest number of neighbours with which no edge is a short-cut."""
    rank = neighbour_ranks(squareform(pdist(roll.points)))
    return int(rank[roll.apart].min()) - 1


def _worst_shortcuts(roll: Roll, near: BoolArray) -> IntArray:
    """The short-cuts, those first that skip most of the spiral."""
    pairs = np.argwhere(np.triu(near & roll.apart))
    skipped = np.abs(roll.angle[pairs[:, 0]] - roll.angle[pairs[:, 1]])
    worst: IntArray = pairs[np.argsort(-skipped, kind="stable")]
    return worst


def _told(state: Unrolled) -> str:
    edges = f"{counted(state.n_neighbors, 'neighbour')} make {len(state.edges):,} edges"
    if len(state.sizes) > 1:
        return (
            f"{edges}, but the graph falls into **{len(state.sizes)} pieces**, the largest of "
            f"{state.sizes[0]} points. From one piece to another there is no way, so there is no "
            "map: take more neighbours."
        )
    cuts = f"**{counted(state.shortcuts, 'short-cut')}**" if state.shortcuts else "no short-cut"
    taken = f" ({counted(state.removed, 'edge')} removed)" if state.removed else ""
    through_air = straight(len(state.roll.points), state.roll.noise)
    return (
        f"{edges}, {cuts} among them{taken}. The map has R² = **{state.right:.3f}** of the true "
        f"sheet right. Straight lines through the air would have {through_air:.3f}."
    )


def _why_last(state: Unrolled, said: Answer) -> str:
    last = last_without_shortcut(state.roll)
    if said == last:
        return (
            "One neighbour more, and a point is joined to the next layer of the roll. Nothing in "
            "the distances warns of it; here you see it, because you know the roll."
        )
    if float(said) > last:
        return "With so many, at least one edge is red already. Move the slider down."
    return "With so many no edge is red, but there is room for more. Move the slider up."


def _not_mended(state: Unrolled) -> str:
    one_more = last_without_shortcut(state.roll) + 1
    if state.n_neighbors != one_more:
        return "First set the neighbours to where the first red edge appears."
    if state.shortcuts:
        return "First press *Remove the worst edge* until no edge is red."
    return ""


def _why_mended(state: Unrolled, said: Answer) -> str:
    if abs(float(said) - state.right) <= TOLERANCE:
        return (
            f"It was {unrolled_with_shortcuts(state).right:.3f}. One edge among "
            f"{len(state.edges):,} had folded the whole map, because very many shortest ways "
            "went through it."
        )
    return "Read R² off beside the picture, now that no edge is red."


def unrolled_with_shortcuts(state: Unrolled) -> Unrolled:
    """The same before any edge was removed."""
    return unrolled(state.n_neighbors, len(state.roll.points), state.roll.noise)


LESSON = Lesson[Unrolled](
    name="surface",
    title="Following a surface",
    words=(
        "These points lie on a sheet that is rolled up. Straight lines cut through the roll; "
        "**Isomap** walks from neighbour to neighbour and so stays on the sheet. Move "
        "**Neighbours** and watch the map beside the roll. An edge turns **red** where it jumps "
        "to another layer: a short-cut."
    ),
    cures=(
        "More neighbours are safer.",
        "Isomap must be right when its map looks smooth.",
    ),
    told=_told,
    checks=(
        Check(
            "last",
            "What is the largest number of neighbours without a short-cut?",
            lambda state: last_without_shortcut(state.roll),
            _why_last,
        ),
        Check(
            "mended",
            "Take one neighbour more, and remove the red edge. What is R² now?",
            lambda state: state.right,
            _why_mended,
            tolerance=TOLERANCE,
            not_yet=_not_mended,
        ),
    ),
    mathematics=r"""
Two points are joined where either is among the $k$ nearest of the other. The distance of any two
is the length of the shortest way through these edges (Dijkstra); classical scaling draws it.

Here the truth is known: with $t = \tfrac{3}{2}\pi(1 + 2u)$ a point lies at
$(t\cos t,\; 21\,v,\; t\sin t)$, and on the sheet at
$\big(\tfrac12(t\sqrt{1+t^2} + \operatorname{arsinh} t),\; 21\,v\big)$.
$R^2$ is the share of the sheet's spread that is right once the map is turned, mirrored and scaled
onto it (Procrustes). A short-cut joins points more than half a turn apart.
""",
    minutes=12,
    asks="Before the slider moves: will the map get better or worse with more neighbours?",
    goes_wrong=(
        "Many take the smooth picture for the right one. Let them compare the colours along the "
        "map with those along the roll."
    ),
    review=Review(
        "What is wrong with linear maps of such data, and how does Isomap find its distances?",
        "A linear map looks at the roll from outside: where the way along the sheet is long, the "
        "straight line may be short, so layers fall onto each other. Isomap joins near neighbours, "
        "for which the straight line is right, and takes the shortest way along these edges for "
        "the distance of all others.",
    ),
)
