"""The map of a step of a loop, and features read off such maps; either can be made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cml_core.fitting.landmarks.fit import fit_landmarks
from cml_core.fitting.landmarks.placing import Placed
from cml_core.fitting.landmarks.problem import LargeProblem
from cml_core.fitting.landmarks.result import Everyone, LandmarkFit
from cml_core.fitting.plan import OnStep
from cml_core.fitting.result import Fit
from cml_core.many.arriving import Arriving
from cml_core.many.loop import Loop
from cml_core.many.opened import Opened, opened
from cml_core.values.arrays import FloatArray, IntArray, Value, frozen
from cml_core.values.features import Feature

DIMENSIONS = 2


@dataclass(frozen=True, eq=False)
class ManyMap(Value):
    """A fit, and its places turned so that what moved since the step before is what changed.

    Parameters
    ----------
    fit : of all objects.
    places : (N, 2), about the middle of the landmarks; NaN where someone stopped before an object
        was placed.
    turn : (2, 2) by which the hidden dimensions were turned.
    """

    fit: LandmarkFit
    places: FloatArray
    turn: FloatArray

    @property
    def whole(self) -> bool:
        """Whether every object has its place."""
        return not bool(np.isnan(self.fit.placed.unexplained).any())

    def turned(self, embedding: FloatArray) -> FloatArray:
        """(n, 2) where other objects lie on it, of their hidden dimensions."""
        return _turned(embedding, self.fit.landmarks.embedding.mean(axis=0), self.turn)

    @property
    def size(self) -> int:
        """What it takes in memory, in bytes, but for what others share with it."""
        placed, landmarks = self.fit.placed, self.fit.landmarks.problem.dissimilarities
        arrays = (placed.embedding, placed.known_values, placed.unexplained, placed.nearest)
        return sum(one.nbytes for one in (*arrays, self.places, landmarks.condensed, self.fit.rows))


# Finds the map of a step, which is there or is made first.
MapOf = Callable[[str], ManyMap]
OnPlaces = Callable[[Arriving], None]


def question(table: Opened, loop: Loop, step: str, map_of: MapOf) -> LargeProblem:
    """What is asked at a step."""
    features = (feature(table, loop, name, map_of) for name in loop.at(step).known)
    return LargeProblem(table.measurements, table.table(features), DIMENSIONS)


def feature(table: Opened, loop: Loop, name: str, map_of: MapOf) -> Feature:
    """One feature of all objects: a column, or what was drawn on the map of a step."""
    drawn = loop.discovery(name)
    if drawn is None:
        return table.column(next(one for one in loop.candidates if one.name == name))
    points = map_of(drawn.step).places
    return drawn.drawing().feature(name, points, loop.at(drawn.step).known)


def make_map(
    table: Opened,
    loop: Loop,
    step: str,
    map_of: MapOf,
    before: ManyMap | None = None,
    *,
    on_step: OnStep | None = None,
    on_places: OnPlaces | None = None,
    again: Everyone | None = None,
) -> ManyMap:
    """Fit the map of a step.

    Parameters
    ----------
    before : the map that it is turned to match, where it was not turned already.
    on_step : of `fit_landmarks`.
    on_places : called once, as soon as the landmarks lie where they will lie on the map; the
        others arrive block by block in what it is given.
    again : of `fit_landmarks`.
    """
    coming = _Coming(table.n_objects, loop.at(step).turn, before, on_places)
    found = fit_landmarks(
        question(table, loop, step, map_of),
        n_landmarks=loop.n_landmarks,
        seed=loop.seed,
        on_step=on_step,
        on_landmarks=coming.begin,
        on_placed=coming.put,
        again=again,
    )
    return ManyMap(found, coming.arriving.settled(), coming.turn)


class _Coming:
    """The places of a map, turned as soon as they are found.

    Parameters
    ----------
    n_objects, turned, before, on_places : as `make_map` has them.
    """

    def __init__(
        self,
        n_objects: int,
        turned: tuple[tuple[float, ...], ...],
        before: ManyMap | None,
        on_places: OnPlaces | None,
    ) -> None:
        self._n_objects, self._turned, self._before = n_objects, turned, before
        self._on_places = on_places

    def begin(self, chosen: IntArray, fitted: Fit) -> None:
        """The landmarks lie there."""
        target = None if self._before is None else self._before.places[chosen]
        turn = np.array(self._turned) if self._turned else turn_of(fitted.embedding, target)
        self.turn, self._middle = frozen(turn), fitted.embedding.mean(axis=0)
        self.arriving = Arriving(self._n_objects, chosen, self._on_map(fitted.embedding))
        if self._on_places is not None:
            self._on_places(self.arriving)

    def put(self, first: int, block: Placed) -> None:
        """So do these."""
        self.arriving.put(first, self._on_map(block.embedding))

    def _on_map(self, embedding: FloatArray) -> FloatArray:
        return _turned(embedding, self._middle, self.turn)


def _turned(embedding: FloatArray, middle: FloatArray, turn: FloatArray) -> FloatArray:
    turned: FloatArray = (embedding - middle) @ turn
    return turned


def turn_of(settled: FloatArray, target: FloatArray | None) -> FloatArray:
    """(p, p) that turns landmarks to match others; without others, onto their own axes."""
    centred = settled - settled.mean(axis=0)
    if target is None:
        turn = np.linalg.svd(centred, full_matrices=False)[2].T
        turned = centred @ turn
        farthest = np.abs(turned).argmax(axis=0)
        return np.asarray(turn * np.where(turned[farthest, range(turn.shape[1])] < 0, -1.0, 1.0))
    left, _, right = np.linalg.svd(centred.T @ (target - target.mean(axis=0)))
    return np.asarray(left @ right)


def told(loop: Loop, step: str, found: ManyMap) -> Loop:
    """The loop, which says what was found of a step."""
    rows = tuple(tuple(float(v) for v in row) for row in found.turn)
    return loop.made(step, rows, float(found.fit.stress))


def map_again(loop: Loop, uploads: Path | None = None) -> ManyMap:
    """The map of the current step, and of those that something was drawn on, made of the recipe.

    Parameters
    ----------
    uploads : the folder of files that were brought.
    """
    table, made = opened(loop, uploads), dict[str, ManyMap]()

    def map_of(step: str) -> ManyMap:
        if step not in made:
            made[step] = make_map(table, loop, step, map_of)
        return made[step]

    return map_of(loop.current)
