"""Isomap's distances: along the shortest path through near neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra, minimum_spanning_tree
from scipy.spatial.distance import squareform

from cml_core.errors import DisconnectedNeighbourhood, UnknownOption, listing
from cml_core.values.arrays import BoolArray, FloatArray, IntArray
from cml_core.values.components import components
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.real_numbers import real_number, rounded_up, whole_number
from cml_core.values.words import counted

RankArray = NDArray[np.int32]


@dataclass(frozen=True, repr=False)
class Neighbourhood:
    """Who counts as near: the k nearest of either of two objects, or all within epsilon.

    Parameters
    ----------
    mutual : two objects are joined only where each is among the k nearest of the other, which
        keeps an object far out from being a bridge between groups.
    """

    n_neighbors: int | None = None
    epsilon: float | None = None
    mutual: bool = False

    def __post_init__(self) -> None:
        if (self.n_neighbors is None) == (self.epsilon is None):
            raise UnknownOption(
                f"n_neighbors is {self.n_neighbors} and epsilon is {self.epsilon}.",
                remedy="Give one of the two.",
            )
        if self.epsilon is None:
            count = whole_number("n_neighbors", self.n_neighbors, least=1)
            object.__setattr__(self, "n_neighbors", count)
        else:
            radius = real_number("epsilon", self.epsilon, lambda r: r > 0, "a positive number")
            object.__setattr__(self, "epsilon", radius)
        if not isinstance(self.mutual, bool) or (self.mutual and self.epsilon is not None):
            raise UnknownOption(
                f"mutual is {self.mutual!r}.",
                remedy="Give true or false; within epsilon everyone is near mutually.",
            )

    def __repr__(self) -> str:
        # Fingerprints of questions hold it: those asked before there were mutual neighbours keep
        # theirs.
        mutual = ", mutual=True" if self.mutual else ""
        return f"Neighbourhood(n_neighbors={self.n_neighbors}, epsilon={self.epsilon}{mutual})"


def geodesic_dissimilarities(
    dissimilarities: Dissimilarities, neighbourhood: Neighbourhood
) -> Dissimilarities:
    """Shortest-path distances through the neighbourhood graph; they have no gaps.

    Raises
    ------
    DisconnectedNeighbourhood : the graph is in pieces; names them, and what would join them.
    """
    square = dissimilarities.square()
    near = joined(dissimilarities, neighbourhood)
    pairs = np.triu_indices(dissimilarities.n_objects, 1)
    return Dissimilarities(dissimilarities.labels, ways_through(square, near)[pairs])


def ways_through(square: FloatArray, near: BoolArray) -> FloatArray:
    """(N, N) lengths of the shortest paths through the pairs that are near."""
    graph = _graph(square, near)
    # Where nobody else has the table, it makes room for that of the paths.
    del square
    paths: FloatArray = dijkstra(graph, directed=False)
    return paths


def joined(dissimilarities: Dissimilarities, neighbourhood: Neighbourhood) -> BoolArray:
    """(N, N), which pairs the neighbourhood graph joins; it is in one piece.

    Raises
    ------
    DisconnectedNeighbourhood : the graph is in pieces; names them, and what would join them.
    """
    square = dissimilarities.square()
    near = neighbours(square, neighbourhood)
    piece = pieces(near)
    if piece.any():
        raise _in_pieces(dissimilarities, square, piece, neighbourhood)
    return near


def fewest_neighbours(dissimilarities: Dissimilarities, *, mutual: bool = False) -> int | None:
    """The smallest k that joins all objects; None where known pairs alone do not."""
    square = dissimilarities.square()
    return None if pieces(~np.isnan(square)).any() else _fewest(square, mutual=mutual)


def least_reach(dissimilarities: Dissimilarities) -> float | None:
    """The smallest epsilon that joins all objects; None where known pairs alone do not."""
    square = dissimilarities.square()
    given = ~np.isnan(square)
    if pieces(given).any():
        return None
    # The longest edge of the shortest tree: with less, that edge and what it joins are lost.
    return rounded_up(float(minimum_spanning_tree(_graph(square, given)).data.max()))


def neighbours(square: FloatArray, neighbourhood: Neighbourhood) -> BoolArray:
    """(N, N), which pairs the neighbourhood graph joins; it may be in pieces."""
    near: BoolArray
    if neighbourhood.epsilon is not None:
        near = square <= neighbourhood.epsilon
    else:
        assert neighbourhood.n_neighbors is not None
        one_way = _nearest(square, min(neighbourhood.n_neighbors, square.shape[0] - 1))
        # The union of both lists of neighbours: the nearest of an object far out has nearer ones.
        near = one_way & one_way.T if neighbourhood.mutual else one_way | one_way.T
    np.fill_diagonal(near, False)
    return near


def _nearest(square: FloatArray, count: int) -> BoolArray:
    """near[i, j]: whether j's rank among i's neighbours is at most `count`."""
    near = np.empty(square.shape, dtype=bool)
    for i, row in enumerate(_rows(square)):
        # Of a whole table of ranks nothing else would be looked at.
        farthest = np.partition(row, count - 1)[count - 1]
        near[i] = (row <= farthest) & (row < np.inf)
    return near


def _rows(square: FloatArray) -> Iterator[FloatArray]:
    """Each object's dissimilarities, infinite to itself and where they are missing."""
    for i, given in enumerate(square):
        row = np.where(np.isnan(given), np.inf, given)
        row[i] = np.inf
        yield row


def neighbour_ranks(square: FloatArray) -> RankArray:
    """rank[i, j]: j's place among i's neighbours, from 1.

    Equal dissimilarities share the lower place, so that the order of the objects does not
    matter; missing pairs are nobody's neighbours.
    """
    n = square.shape[0]
    rank = np.empty(square.shape, dtype=np.int32)
    for i, row in enumerate(_rows(square)):
        # Nearest k by sorting would keep one of two equal pairs and drop the other, by their places
        # in the file. Counting what is strictly nearer treats them alike, and so does R's vegan.
        rank[i] = np.where(np.isinf(row), n, np.searchsorted(np.sort(row), row) + 1)
    return rank


def _rank(square: FloatArray, *, mutual: bool) -> RankArray:
    """The lower of j's place among i's neighbours and i's among j's; the higher where mutual."""
    rank = neighbour_ranks(square)
    both: RankArray = np.maximum(rank, rank.T) if mutual else np.minimum(rank, rank.T)
    return both


def _graph(square: FloatArray, near: BoolArray) -> csr_array:
    """Edges once each; an explicit zero is an edge between objects that coincide."""
    # Before SciPy 1.17.1 some of its graph algorithms refuse indices of 64 bits.
    first, second = (places.astype(np.int32) for places in np.nonzero(np.triu(near, 1)))
    return csr_array((square[first, second], (first, second)), shape=square.shape)


def pieces(near: BoolArray) -> IntArray:
    """(N,) in which piece of a graph each object is, counted from 0."""
    return components(squareform(near, checks=False), len(near))


def _in_pieces(
    dissimilarities: Dissimilarities,
    square: FloatArray,
    piece: IntArray,
    neighbourhood: Neighbourhood,
) -> DisconnectedNeighbourhood:
    sizes = np.bincount(piece)
    names = [
        listing([dissimilarities.labels[i] for i in np.flatnonzero(piece == k)], 4)
        for k in np.argsort(sizes, kind="stable")
    ]
    if neighbourhood.n_neighbors is None:
        assert neighbourhood.epsilon is not None
        used = _within(neighbourhood.epsilon)
    else:
        used = _neighbours(neighbourhood.n_neighbors)
    enough = _what_would_join(dissimilarities, neighbourhood)
    return DisconnectedNeighbourhood(
        f"With {used} the neighbourhood graph falls into {sizes.size} pieces: "
        f"{'; '.join(names[:4])}{'; …' if len(names) > 4 else ''}.",
        remedy=f"Take {enough}: that joins all {square.shape[0]} objects."
        if enough
        else "No pair between the pieces is known: give at least one, or map each piece alone.",
    )


def _what_would_join(dissimilarities: Dissimilarities, neighbourhood: Neighbourhood) -> str:
    """The smallest k, or epsilon, with which the graph is in one piece; empty if none is."""
    if neighbourhood.epsilon is not None:
        reach = least_reach(dissimilarities)
        return "" if reach is None else _within(reach)
    count = fewest_neighbours(dissimilarities, mutual=neighbourhood.mutual)
    return "" if count is None else _neighbours(count)


def _fewest(square: FloatArray, *, mutual: bool) -> int:
    # More neighbours only add edges, so that halving finds the fewest that join all.
    rank = _rank(square, mutual=mutual)
    low, high = 1, square.shape[0] - 1
    while low < high:
        middle = (low + high) // 2
        if pieces(rank <= middle).any():
            low = middle + 1
        else:
            high = middle
    return low


def _neighbours(count: int) -> str:
    """In the words of a notebook, and in plain ones."""
    return f"n_neighbors={count} ({counted(count, 'nearest neighbour')})"


def _within(reach: float) -> str:
    return f"epsilon={reach:g} (neighbours within {reach:g})"
