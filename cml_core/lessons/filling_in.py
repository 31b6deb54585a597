"""Lesson 10: neighbours keep their distances; methods differ in who fills in the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist, squareform

from cml_core.fitting.geodesics import ways_through
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.lessons.lesson import Answer, Check, Lesson
from cml_core.peers.methods.meu import maximum_entropy
from cml_core.peers.methods.mvu import unfolded
from cml_core.peers.spectra import coordinates, leading, scalar_products, signed
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value, frozen
from cml_core.values.words import counted

FEWEST, MOST = 8, 16
# How much a chain turns from edge to edge, so that its ends are not as far apart as they could be.
BEND = np.radians(22.0)
# Neighbours on top of each other are still this far apart: a distance of nought has no spring.
SHORTEST = 0.05
# How far a number that is read off may be off.
TOLERANCE = 0.02
# Distances this near to each other are the same.
KEPT = 1e-3

CHAIN, RING, GRID = "chain", "ring", "grid"
ISOMAP, MVU, MEU, SPRINGS = "isomap", "mvu", "meu", "springs"


@dataclass(frozen=True, eq=False)
class Linked(Value):
    """Points, of which some are neighbours.

    Parameters
    ----------
    places : (N, 2).
    near : (N, N) which are neighbours.
    square : (N, N) how far neighbours are from each other; NaN for all others.
    """

    kind: str
    places: FloatArray
    near: BoolArray
    square: FloatArray

    @property
    def edges(self) -> IntArray:
        """(E, 2) the neighbours."""
        return np.argwhere(np.triu(self.near))


@dataclass(frozen=True, eq=False)
class FilledIn(Value):
    """All distances, as one method fills them in.

    Parameters
    ----------
    table : (N, N).
    axes : (N,) shares of the spread along the main axes, the largest first; negative ones cannot
        be drawn.
    map : (N, 2) along the first two axes.
    sure : (E,) for most entropy, the share of random spanning trees that go along each edge;
        else empty.
    """

    linked: Linked
    method: str
    table: FloatArray
    axes: FloatArray
    map: FloatArray
    sure: FloatArray

    @property
    def ends(self) -> float:
        """How far the first is from the one that is farthest from it along the neighbours."""
        return float(self.table[0, farthest(self.linked)])


def figure(kind: str, count: int, moved: Mapping[int, tuple[float, float]] | None = None) -> Linked:
    """A chain, a ring or a grid with edges of length one, but for points that were moved.

    Parameters
    ----------
    count : of points; the last row of a grid may have fewer.
    """
    places, near = _FIGURES[kind](count)
    for i, place in (moved or {}).items():
        if 0 <= i < len(places):
            places[i] = place
    apart = np.maximum(squareform(pdist(places)), SHORTEST)
    square = np.where(near, apart, np.nan)
    np.fill_diagonal(square, 0.0)
    return Linked(kind, frozen(places), near, frozen(square))


def _chain(count: int) -> tuple[FloatArray, BoolArray]:
    # Turned left in its first half and right in its second.
    turn = np.where(np.arange(count - 1) < (count - 1) // 2, BEND, -BEND)
    angle = np.cumsum(turn) - turn.sum() - BEND * (count - 1) / 4
    steps = np.column_stack([np.cos(angle), np.sin(angle)])
    places = np.vstack([np.zeros(2), np.cumsum(steps, axis=0)])
    near = np.eye(count, k=1, dtype=bool)
    return places - places.mean(axis=0), near | near.T


def _ring(count: int) -> tuple[FloatArray, BoolArray]:
    angle = 2 * np.pi * np.arange(count) / count
    radius = 0.5 / np.sin(np.pi / count)
    near = np.roll(np.eye(count, dtype=bool), 1, axis=1)
    return radius * np.column_stack([np.sin(angle), np.cos(angle)]), near | near.T


def _grid(count: int) -> tuple[FloatArray, BoolArray]:
    rows = 4 if count == MOST else 3 if count >= 9 else 2
    columns = -(-count // rows)
    place = np.indices((rows, columns)).reshape(2, -1)[::-1].T[:count].astype(float)
    near = np.abs(squareform(pdist(place)) - 1.0) < KEPT
    return (place - place.mean(axis=0)) * [1.0, -1.0], near


_FIGURES: dict[str, Callable[[int], tuple[FloatArray, BoolArray]]] = {
    CHAIN: _chain,
    RING: _ring,
    GRID: _grid,
}


def filled_in(linked: Linked, method: str) -> FilledIn:
    """The whole table, its main axes, and the map."""
    # Tables are small: among threads linear algebra would only wait.
    with capped_linear_algebra(1):
        table, sure = _METHODS[method](linked)
        values, vectors = leading(scalar_products(table**2), 2)
    spread = float(np.abs(values).sum())
    return FilledIn(
        linked=linked,
        method=method,
        table=frozen(table),
        axes=frozen(values / spread),
        map=frozen(signed(coordinates(values, vectors))),
        sure=frozen(sure),
    )


_NONE = np.zeros(0)


def _by_shortest_paths(linked: Linked) -> tuple[FloatArray, FloatArray]:
    return ways_through(linked.square, linked.near), _NONE


def _by_most_spread(linked: Linked) -> tuple[FloatArray, FloatArray]:
    places, _, _ = unfolded(linked.square, linked.near)
    return squareform(pdist(places)), _NONE


def _by_most_entropy(linked: Linked) -> tuple[FloatArray, FloatArray]:
    springs = maximum_entropy(linked.square, linked.near)
    return _apart(springs.covariance), springs.shares


def _by_springs(linked: Linked) -> tuple[FloatArray, FloatArray]:
    """Springs that are all alike, as strong as make neighbours right on average."""
    laplacian = np.diag(linked.near.sum(axis=0)) - linked.near.astype(float)
    table = _apart(np.linalg.pinv(laplacian))
    first, second = linked.edges.T
    told, drawn = linked.square[first, second], table[first, second]
    return table * np.sqrt((told**2).mean() / (drawn**2).mean()), _NONE


def _apart(covariance: FloatArray) -> FloatArray:
    own = covariance.diagonal()
    return np.sqrt(np.maximum(own[:, None] + own - 2.0 * covariance, 0.0))


_METHODS: dict[str, Callable[[Linked], tuple[FloatArray, FloatArray]]] = {
    ISOMAP: _by_shortest_paths,
    MVU: _by_most_spread,
    MEU: _by_most_entropy,
    SPRINGS: _by_springs,
}


def farthest(linked: Linked) -> int:
    """Who is farthest from the first, counted in neighbours."""
    steps = ways_through(np.ones_like(linked.square), linked.near)
    return int(np.argmax(steps[0]))


def steps_apart(linked: Linked) -> float:
    """How far a walk by chance along a chain leads, were each step in a direction of its own."""
    first, second = linked.edges.T
    return float(np.sqrt((linked.square[first, second] ** 2).sum()))


def kept(state: FilledIn) -> bool:
    """Whether all neighbours have kept their distances."""
    first, second = state.linked.edges.T
    told = state.linked.square[first, second]
    return bool(np.abs(state.table[first, second] - told).max() < KEPT * told.max())


TITLES = {
    ISOMAP: "Shortest path (Isomap)",
    MVU: "Most spread (MVU)",
    MEU: "Most entropy (MEU)",
    SPRINGS: "Springs (Laplacian)",
}


def called(title: str) -> str:
    """The method with this title."""
    return next(name for name, own in TITLES.items() if own == title)


def careless(linked: Linked) -> tuple[str, ...]:
    """The methods whose table would be the same, but for its unit, with all edges alike."""
    alike = figure(linked.kind, len(linked.places))
    with capped_linear_algebra(1):
        return tuple(name for name in _METHODS if _same(linked, alike, name))


def _same(linked: Linked, other: Linked, method: str) -> bool:
    one, two = (squareform(_METHODS[method](each)[0], checks=False) for each in (linked, other))
    return bool(np.allclose(one / one.mean(), two / two.mean(), rtol=KEPT))


def _told(state: FilledIn) -> str:
    far = farthest(state.linked)
    points = counted(len(state.linked.places), "point")
    own = "keeps every edge as long as it is" if kept(state) else "does **not** keep every edge"
    sure = ""
    if state.sure.size:
        low, high = 100 * state.sure.min(), 100 * state.sure.max()
        of = f"{low:.0f} %" if high - low < 1 else f"{low:.0f} to {high:.0f} %"
        sure = f" Each edge is part of {of} of all trees that join the points, drawn by lot."
    return (
        f"{points}, {counted(len(state.linked.edges), 'edge')}. **{TITLES[state.method]}** {own}, "
        f"and puts points 1 and {far + 1} **{state.ends:.2f}** apart. The first two axes show "
        f"{100 * state.axes[:2].sum():.0f} % of the table.{sure}"
    )


def _no_chain(state: FilledIn) -> str:
    return "" if state.linked.kind == CHAIN else "First choose the chain."


def _why_ends(state: FilledIn, said: Answer) -> str:
    along = float(ways_through(state.linked.square, state.linked.near)[0].max())
    right = steps_apart(state.linked)
    if abs(float(said) - right) <= TOLERANCE:
        return (
            "Most entropy supposes nothing but the edges, so each step may lead anywhere. Their "
            f"squares add up, as in a walk by chance: the root of that is {right:.2f}."
        )
    if abs(float(said) - along) <= TOLERANCE:
        return (
            "That is the way along the chain, where shortest paths and most spread put them. Most "
            "entropy does not suppose that the steps go the same way."
        )
    return f"Choose *{TITLES[MEU]}* and read off the corner of the table, or the text beside it."


def _not_dragged(state: FilledIn) -> str:
    first, second = state.linked.edges.T
    lengths = state.linked.square[first, second]
    if lengths.max() - lengths.min() < KEPT:
        return "First drag a point, so that the edges are no longer equally long."
    return ""


def _why_careless(state: FilledIn, said: Answer) -> str:
    if said in {TITLES[name] for name in careless(state.linked)}:
        return (
            "It only asks who is joined to whom, and takes all springs for alike. So an edge may "
            "end up longer or shorter than it is."
        )
    return "Choose that method and drag the point on: the colours of its table do change."


LESSON = Lesson[FilledIn](
    name="filling-in",
    title="Who fills in the distances?",
    words=(
        "Choose neighbours, keep their distances, **fill in the others**, look at the main axes: "
        "so many methods work, and they differ in who fills in. **Drag a point**, then choose "
        "**who fills in**. The table shows all distances as colours; the map is drawn from "
        "that table."
    ),
    cures=(
        "Spectral methods are tricks that have nothing to do with each other.",
        "All of them keep the distance of neighbours.",
    ),
    told=_told,
    checks=(
        Check(
            "ends",
            "How far apart does most entropy put the ends of your chain?",
            lambda state: steps_apart(state.linked),
            _why_ends,
            tolerance=TOLERANCE,
            not_yet=_no_chain,
        ),
        Check(
            "careless",
            "Drag a point far away. Whose table does not notice, but for its unit?",
            lambda state: TITLES[careless(state.linked)[0]],
            _why_careless,
            tuple(TITLES.values()),
            not_yet=_not_dragged,
        ),
    ),
    mathematics=r"""
Every method ends with the leading eigenvectors of $-\tfrac12 J D^2 J$, where $D$ is the table that
it has filled in from the edges $\delta_{ij}$:

- *Shortest path*: the length of the shortest way.
- *Most spread*: $\max \sum_{ij} d_{ij}^2$ with no edge longer than $\delta_{ij}$.
- *Most entropy*: the Gaussian of most entropy whose expected $d_{ij}^2$ is $\delta_{ij}^2$ on each
  edge. It has springs $\lambda_{ij}$; $\lambda_{ij}\delta_{ij}^2$ is the share of random spanning
  trees that go along the edge. On a chain $d^2$ adds up: the ends are $\sqrt{\sum \delta^2}$ apart,
  $\sqrt{n-1}$ with edges of length one.
- *Springs*: the same with all $\lambda$ alike, whatever $\delta$ is; its axes are Laplacian
  eigenmaps.
""",
    minutes=15,
    asks="Before you choose *most entropy*: how far apart will it put the ends of the chain?",
    goes_wrong=(
        "While all edges are equally long, springs and most entropy can agree. Let somebody drag a "
        "point before they are compared."
    ),
)
