"""L-BFGS on what is left of many people's answers where each stretches one map in an own way.

Person k sees the column c of the places stretched by the weight of its group g(c),

    d_k(i, j)^2 = sum_c w_kg(c)^2 (x_ic - x_jc)^2        (Carroll and Chang 1970, INDSCAL)

and what is minimised is the mean over all answers of f of `Admissible`, person by person: how much
of the range of numbers somebody uses does not matter, nor, on a scale, how the numbers are bent.
Places and weights take their steps together. In turns, weights for a given map and a map for given
weights, each by L-BFGS, took 1 to 10 times as long to the same minima (20 objects and people: 23 to
34 ms, not 3; 60 objects and 100 people: 190 to 270 ms, not 170).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cml_core.fitting.kernels import COINCIDENT, accumulate, constants, stored_rows, write_distances
from cml_core.fitting.scales.admissible import Admissible, nearest
from cml_core.fitting.scales.isotonic import scratch_for
from cml_core.fitting.solvers.parts import REASONS
from cml_core.fitting.solvers.quasi_newton import (
    EVALUATE,
    ITERATIONS,
    Rules,
    remember,
    respond,
)
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.compiling import compiled

# Of Layout: where pairs count differently, the majoriser has at most twice its diagonal.
SAFE = 0.25
EXACT_FIT = 1e-20
# Of a column on which nobody's answers turn, its scale is a share of the others'.
LEAST_SCALE = 1e-3


@dataclass(frozen=True, eq=False)
class Judgements:
    """What everybody answered.

    Parameters
    ----------
    given : (K, N(N-1)/2) what distances are in proportion to, 0 where nothing was answered.
    counts : (K, N(N-1)/2) how much each answer counts, 0 where there is none.
    admissible : of each person, what may stand in place of `given`; none of anybody where it is
        taken as it is.
    """

    given: FloatArray
    counts: FloatArray
    admissible: tuple[Admissible, ...] = ()

    @property
    def n_people(self) -> int:
        """K."""
        return int(self.given.shape[0])

    def left(self, distances: FloatArray) -> FloatArray:
        """(K,) the share of everybody's answers that (K, N(N-1)/2) distances leave."""
        found, targets = np.ones(self.n_people), np.zeros(distances.shape[1])
        for k, (own, counts) in enumerate(zip(distances, self.counts, strict=True)):
            if self.admissible:
                scratch = scratch_for(self.admissible[k].ranks)
                left, size = nearest(self.admissible[k], scratch, own, counts, targets)
            else:
                left, size = _nearest_multiple(self.given[k], own, counts, targets)
            found[k] = left / size if size > 0 else 1.0
        return found


@dataclass(frozen=True, eq=False)
class Stretched:
    """A map, and how each person stretches it.

    Parameters
    ----------
    embedding : (N, p) the hidden dimensions.
    columns : (N, c) the places by known features.
    block : (c,) of which feature each of them is, counted from 0.
    weights : (K, p + f) of the hidden dimensions, then of the features.
    """

    embedding: FloatArray
    columns: FloatArray
    block: IntArray
    weights: FloatArray

    @property
    def group(self) -> IntArray:
        """(p + c,) which weight stretches each column."""
        p = self.embedding.shape[1]
        group: IntArray = np.concatenate([np.arange(p), p + self.block]).astype(np.int64)
        return group

    def points(self, person: int) -> FloatArray:
        """(N, p + c) the places as a person sees them."""
        places = np.hstack([self.embedding, self.columns])
        seen: FloatArray = places * self.weights[person, self.group]
        return seen


class Descent(NamedTuple):
    """Where a descent ended, what was left of each step, and why it stopped."""

    found: Stretched
    path: FloatArray
    reason: str


class _Room(NamedTuple):
    """What loops write to."""

    X: FloatArray
    G: FloatArray
    distances: FloatArray
    targets: FloatArray
    pull: FloatArray
    weight_pull: FloatArray


@compiled(fast=True)
def _nearest_multiple(given: Any, distances: Any, counts: Any, values: Any) -> Any:
    """Write the multiple of what is given that is nearest to the distances; as `nearest`."""
    both = size = own = left = 0.0
    for m in range(given.size):
        both += counts[m] * given[m] * distances[m]
        own += counts[m] * given[m] * given[m]
        size += counts[m] * distances[m] * distances[m]
    # Whoever calls everything alike, with zeros, has no other multiple.
    times = both / own if own > 0.0 else 0.0
    for m in range(given.size):
        values[m] = given[m] * times
        left += counts[m] * (values[m] - distances[m]) ** 2
    return left, size


@compiled(fast=True)
def _see(places: Any, group: Any, own: Any, room: Any) -> None:
    """Write the places as a person sees them, and their distances."""
    for c in range(places.shape[0]):
        for i in range(places.shape[1]):
            room.X[c, i] = own[group[c]] * places[c, i]
    write_distances(room.X, room.distances, 0, room.X.shape[1])


@compiled(fast=False)
def _pull(
    places: Any,
    group: Any,
    own: Any,
    own_pull: Any,
    counts: Any,
    share: float,
    left: float,
    size: float,
    constant: Any,
    room: Any,
) -> float:
    """Add half the gradient of a person's part of the mean; its value."""
    if size <= COINCIDENT or left >= size:
        return share
    f = left / size
    room.targets[:] /= 1.0 - f
    room.G[:] = 0.0
    accumulate(room.targets, counts, room.X, room.G, constant, 0, room.X.shape[1])
    factor = share * (1.0 - f) / size
    for c in range(places.shape[0]):
        g, total = group[c], 0.0
        for i in range(places.shape[1]):
            pulled = factor * room.G[c, i]
            room.pull[c, i] += own[g] * pulled
            total += places[c, i] * pulled
        own_pull[g] += total
    return share * f


@compiled(fast=False)
def _everybody(
    places: Any,
    group: Any,
    weights: Any,
    given: Any,
    counts: Any,
    shares: Any,
    constant: Any,
    room: Any,
) -> float:
    """The mean over all answers, which are taken as they are, and half its gradient."""
    total = 0.0
    for k in range(weights.shape[0]):
        own, pull = weights[k], room.weight_pull[k]
        _see(places, group, own, room)
        left, size = _nearest_multiple(given[k], room.distances, counts[k], room.targets)
        total += _pull(places, group, own, pull, counts[k], shares[k], left, size, constant, room)
    return total


@compiled(fast=False)
def _somebody(
    places: Any,
    group: Any,
    own: Any,
    own_pull: Any,
    admissible: Any,
    scratch: Any,
    counts: Any,
    share: float,
    constant: Any,
    room: Any,
) -> float:
    """The part of one person, whose answers may be bent, and half its gradient."""
    _see(places, group, own, room)
    left, size = nearest(admissible, scratch, room.distances, counts, room.targets)
    return _pull(places, group, own, own_pull, counts, share, left, size, constant, room)


class _Evaluation:
    """The mean over all answers, and its gradient, in the variables of a descent.

    The variables are the hidden places, and the weights: everybody's own, or, where they are in
    common, those of the features alone, for the hidden places have a size of their own.
    """

    def __init__(self, judgements: Judgements, start: Stretched, common: bool) -> None:
        n, p = start.embedding.shape
        self._judgements, self._start, self._common = judgements, start, common
        self._group = start.group
        self._places = np.vstack([start.embedding.T, start.columns.T])
        answers = judgements.counts.sum(axis=1)
        self._shares = answers / answers.sum()
        self._scratch = [scratch_for(one.ranks) for one in judgements.admissible]
        self._constant = constants(1.0, np.dtype(np.float64))
        stored, pairs = (stored_rows(self._group.size), n), judgements.given.shape[1]
        self._room = _Room(
            np.zeros(stored),
            np.zeros(stored),
            np.zeros(pairs),
            np.zeros(pairs),
            np.zeros(self._places.shape),
            np.zeros(start.weights.shape),
        )
        self._scale = _scales(judgements, start, common)
        self._split = n * p

    @property
    def start(self) -> FloatArray:
        """The variables where the descent begins."""
        p = self._start.embedding.shape[1]
        weights = self._start.weights
        own = weights[0, p:] if self._common else weights.ravel()
        start: FloatArray = self._scale * np.concatenate([self._start.embedding.T.ravel(), own])
        return start

    def stretched(self, y: FloatArray) -> Stretched:
        """The map and the weights that the variables stand for."""
        n, p = self._start.embedding.shape
        values = y / self._scale
        embedding, weights = values[: self._split].reshape(p, n).T, values[self._split :]
        if self._common:
            alike = np.concatenate([np.ones(p), weights])
            weights = np.tile(alike, (self._judgements.n_people, 1))
        else:
            weights = weights.reshape(self._start.weights.shape)
        return Stretched(embedding, self._start.columns, self._start.block, weights)

    def __call__(self, y: FloatArray, gradient: FloatArray) -> float:
        """The mean at `y`; its gradient is written into `gradient`."""
        now, p, room = self.stretched(y), self._start.embedding.shape[1], self._room
        self._places[:p] = now.embedding.T
        room.pull[:] = 0.0
        room.weight_pull[:] = 0.0
        value = self._mean(np.ascontiguousarray(now.weights))
        own = room.weight_pull[:, p:].sum(axis=0) if self._common else room.weight_pull.ravel()
        gradient[: self._split] = room.pull[:p].ravel()
        gradient[self._split :] = own
        gradient *= 2.0 / self._scale
        return value

    def _mean(self, weights: FloatArray) -> float:
        judged, room = self._judgements, self._room
        counts, constant = judged.counts, self._constant
        if not judged.admissible:
            return _everybody(
                self._places,
                self._group,
                weights,
                judged.given,
                counts,
                self._shares,
                constant,
                room,
            )
        return sum(
            _somebody(
                self._places,
                self._group,
                weights[k],
                room.weight_pull[k],
                judged.admissible[k],
                self._scratch[k],
                counts[k],
                self._shares[k],
                constant,
                room,
            )
            for k in range(judged.n_people)
        )


def _scales(judgements: Judgements, start: Stretched, common: bool) -> FloatArray:
    """The roots of how sharply the mean bends along each variable, where the descent begins.

    By the diagonal of the majoriser, as in `Objective`, for distances of mean square one.
    """
    n, p = start.embedding.shape
    first, second = np.triu_indices(n, 1)
    counts = judgements.counts / judgements.counts.sum()
    of_pairs = counts.sum(axis=0)
    degrees = np.bincount(first, of_pairs, n) + np.bincount(second, of_pairs, n)
    places = np.hstack([start.embedding, start.columns])
    squares = counts @ (places[first] - places[second]) ** 2
    of_weights = np.zeros(start.weights.shape)
    np.add.at(of_weights.T, start.group, squares.T)
    own = of_weights[:, p:].sum(axis=0) if common else of_weights.ravel()
    bends = np.concatenate([np.tile(degrees, p), own])
    scales: FloatArray = np.sqrt(np.maximum(bends, LEAST_SCALE * bends.mean()))
    return scales


def descend_together(
    judgements: Judgements,
    start: Stretched,
    *,
    common: bool,
    max_iter: int,
    tolerance: float,
) -> Descent:
    """Descend from a map and weights to a minimum.

    Parameters
    ----------
    start : distances by it have a mean square of about one.
    common : whether everybody has the same weights, those of the first.
    tolerance : stop after two steps in a row that lower the mean by less than this share.
    """
    evaluate = _Evaluation(judgements, start, common)
    memory, path = remember(evaluate.start), np.zeros(max_iter + 1)
    rules = Rules(max_iter, tolerance, EXACT_FIT, SAFE)
    status = EVALUATE
    while status == EVALUATE:
        value = evaluate(memory.trial, memory.trial_gradient)
        status = respond(memory, rules, value, path)
    steps = int(memory.counts[ITERATIONS])
    return Descent(evaluate.stretched(memory.point), path[: steps + 1], REASONS[status])
