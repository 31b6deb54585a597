"""One map for many people, of which each weighs the dimensions and known features in an own way.

Person k's answers are fitted by the distances

    d_k(i, j)^2 = sum_r w_kr^2 (u_ir - u_jr)^2 + sum_f v_kf^2 |x_if - x_jf|^2

over the hidden dimensions r and the known features f. Where people weigh differently, the axes of
such a map cannot be turned: they are what people stretch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.people import People
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import RATIO
from cml_core.fitting.solvers import run
from cml_core.fitting.solvers.individual_descent import (
    Descent,
    Judgements,
    Stretched,
    descend_together,
)
from cml_core.values.arrays import FloatArray, IntArray, Value, frozen

MAX_ITERATIONS = 2000
TOLERANCE = 1e-9
# Of 4 rotations nearly all led to the same minimum wherever that was counted.
ROTATIONS = 4
# Runs that leave the same, up to this share of it, ended at one minimum.
SAME_MINIMUM = 1e-5
# A direction of a feature with less than this share of its spread is rounding error.
NEGLIGIBLE = 1e-8
# How far a feature that makes nothing of the mean reaches at the start, as a share of distances.
FAINT = 0.1


@dataclass(frozen=True, eq=False, repr=False)
class IndividualFit(Value):
    """One map, and how much everybody makes of its dimensions and of what is known.

    Parameters
    ----------
    people : the names of the K whose answers were fitted.
    embedding : U (N, p), the dimension that makes most of the distances first.
    columns : (N, c) the places by known features.
    block : (c,) of which feature each of these columns is, counted from 0.
    weights : (K, p + f), 0 or more. Their mean square over people is one, so that U and the columns
        are as people have them on average. On the ratio scale distances are in the units of the
        answers; on any other, what a person's answers count as has a mean square of one.
    unexplained : (K,) the share of each person's answers that is left.
    path : the share of all answers that was left at each step of the best run.
    converged : whether that stopped at an optimum.
    starts, agreeing : how many starts there were, and how many of them ended there.
    """

    people: tuple[str, ...]
    embedding: FloatArray
    columns: FloatArray
    block: IntArray
    weights: FloatArray
    unexplained: FloatArray
    path: FloatArray
    converged: bool
    starts: int
    agreeing: int

    @property
    def shares(self) -> FloatArray:
        """(K, p + f) of each person's squared distances, what each dimension and feature makes."""
        made = self.weights**2 * _sizes(self._stretched)
        total = made.sum(axis=1, keepdims=True)
        shares: FloatArray = np.divide(made, total, out=np.zeros_like(made), where=total > 0)
        return shares

    def distances(self) -> FloatArray:
        """(K, N(N-1)/2) of all pairs as each person has them."""
        return _distances(self._stretched)

    @property
    def _stretched(self) -> Stretched:
        return Stretched(self.embedding, self.columns, self.block, self.weights)

    def __repr__(self) -> str:
        return f"IndividualFit({len(self.people)} people, unexplained {self.path[-1]:.6g})"


def common_fit(problem: Problem, people: People, start: Configuration) -> IndividualFit:
    """The map on which all weigh alike, and only use larger or smaller numbers.

    Parameters
    ----------
    start : a map of the mean. Every known feature keeps the shape that it has there, its gaps
        filled: what it makes of the distances between objects, up to its weight.
    """
    judgements = people.judgements()
    begun = _begun(problem, start, judgements.n_people)
    return _settled(people, judgements, [_descended(judgements, begun, common=True)])


def individual_fit(
    problem: Problem,
    people: People,
    start: Configuration,
    *,
    rotations: int = ROTATIONS,
    seed: int = 0,
) -> IndividualFit:
    """The map on which everybody has weights of their own.

    Parameters
    ----------
    start : as of `common_fit`.
    rotations : of the best map with common weights, from each of which a run begins.
    seed : of all rotations but the first, which turns nothing.
    """
    judgements = people.judgements()
    begun = _begun(problem, start, judgements.n_people)
    common = _descended(judgements, begun, common=True).found
    turns = _turned(common, rotations, seed)
    return _settled(people, judgements, [_descended(judgements, t, common=False) for t in turns])


def _descended(judgements: Judgements, start: Stretched, *, common: bool) -> Descent:
    return descend_together(
        judgements, start, common=common, max_iter=MAX_ITERATIONS, tolerance=TOLERANCE
    )


def _begun(problem: Problem, start: Configuration, n_people: int) -> Stretched:
    """The map of the mean as all would have it, with distances of mean square one."""
    encoding = problem.encoding
    embedding = start.embedding - start.embedding.mean(axis=0)
    places = [
        _places_by(start.known_values[:, own], start.coef[own], embedding)
        for own in (encoding.block == k for k in range(len(problem.known.names)))
    ]
    columns = np.hstack([np.zeros((len(embedding), 0)), *places])
    block = np.repeat(np.arange(len(places)), [one.shape[1] for one in places])
    weights = np.ones((n_people, embedding.shape[1] + len(places)))
    begun = Stretched(embedding, columns, block.astype(np.int64), weights)
    # Twice the variance is the mean square of the distances of any two objects, each with itself.
    size = 2.0 * _sizes(begun).sum() * len(embedding) / (len(embedding) - 1)
    unit = 1.0 / np.sqrt(size) if size > 0 else 1.0
    return replace(begun, embedding=unit * embedding, columns=unit * columns)


def _places_by(values: FloatArray, coef: FloatArray, embedding: FloatArray) -> FloatArray:
    """Where one feature alone places the objects, in as few columns as hold it."""
    centred = values - values.mean(axis=0)
    places = centred @ coef
    if np.abs(places).max(initial=0.0) <= NEGLIGIBLE * np.abs(embedding).max(initial=0.0):
        size = np.linalg.norm(centred)
        typical = np.linalg.norm(embedding) if embedding.any() else 1.0
        places = centred * (FAINT * typical / size) if size > 0 else centred
    # B is free up to a rotation from the right, and would spread one column over all.
    left, sizes, _ = np.linalg.svd(places, full_matrices=False)
    kept = sizes > NEGLIGIBLE * sizes[0]
    kept[0] = True
    found: FloatArray = (left * sizes)[:, kept]
    return found


def _turned(common: Stretched, rotations: int, seed: int) -> Iterator[Stretched]:
    """The map turned in several ways, for with common weights all are alike."""
    yield common
    p = common.embedding.shape[1]
    random = np.random.default_rng(seed)
    for _ in range(rotations - 1 if p > 1 else 0):
        # Signs as they come would make some turns likelier than others.
        turn, upper = np.linalg.qr(random.normal(size=(p, p)))
        yield replace(common, embedding=common.embedding @ (turn * np.sign(upper.diagonal())))


def _settled(people: People, judgements: Judgements, runs: list[Descent]) -> IndividualFit:
    """The best run in the form in which weights can be compared."""
    best = min(runs, key=lambda one: one.path[-1])
    least = float(best.path[-1])
    found = best.found
    distances = _distances(found)
    left = judgements.left(distances)
    found = replace(found, weights=np.abs(found.weights) * _units(people, distances, left))
    found = _largest_first(_of_mean_square_one(found))
    return IndividualFit(
        people=people.names,
        embedding=frozen(found.embedding),
        columns=frozen(found.columns),
        block=frozen(found.block),
        weights=frozen(found.weights),
        unexplained=frozen(left),
        path=frozen(best.path),
        converged=best.reason in (run.CONVERGED, run.AT_PRECISION),
        starts=len(runs),
        agreeing=sum(float(one.path[-1]) <= least * (1 + SAME_MINIMUM) for one in runs),
    )


def _units(people: People, distances: FloatArray, left: FloatArray) -> FloatArray:
    """(K, 1) what everybody's distances are to be multiplied by, to come nearest to the answers.

    Their mean square is then that of the answers, but for the share that is left.
    """
    answered = people.sizes**2 if people.scale == RATIO else np.ones(len(people.names))
    squares = (people.counts * distances**2).sum(axis=1) / people.counts.sum(axis=1)
    wanted = (1.0 - left) * answered
    units: FloatArray = np.sqrt(
        np.divide(wanted, squares, out=np.zeros_like(squares), where=squares > 0)
    )
    return units[:, None]


def _of_mean_square_one(found: Stretched) -> Stretched:
    """The same distances, by weights whose mean square over people is one."""
    p = found.embedding.shape[1]
    sizes = np.sqrt((found.weights**2).mean(axis=0))
    own = sizes[found.group]
    return replace(
        found,
        embedding=found.embedding * own[:p],
        columns=found.columns * own[p:],
        weights=np.divide(found.weights, sizes, out=np.zeros_like(found.weights), where=sizes > 0),
    )


def _largest_first(found: Stretched) -> Stretched:
    """Hidden dimensions by size, each pointing to the object farthest from the middle."""
    p = found.embedding.shape[1]
    centred = found.embedding - found.embedding.mean(axis=0)
    order = np.argsort(-(centred**2).sum(axis=0), kind="stable")
    ordered = centred[:, order]
    farthest = np.abs(ordered).argmax(axis=0)
    signs = np.where(ordered[farthest, np.arange(p)] < 0, -1.0, 1.0)
    weights = np.hstack([found.weights[:, order], found.weights[:, p:]])
    return replace(found, embedding=ordered * signs, weights=weights)


def _sizes(found: Stretched) -> FloatArray:
    """(p + f,) the variance of the places along each hidden dimension and by each feature."""
    sizes = np.zeros(found.weights.shape[1])
    np.add.at(sizes, found.group, np.hstack([found.embedding, found.columns]).var(axis=0))
    return sizes


def _distances(found: Stretched) -> FloatArray:
    """(K, N(N-1)/2) of all pairs as each person has them."""
    return np.array([pdist(found.points(k)) for k in range(len(found.weights))])
