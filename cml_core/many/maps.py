"""The map of a step of a loop, and features read off such maps; either can be made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cml_core.fitting.landmarks.fit import OnLandmarks, fit_landmarks
from cml_core.fitting.landmarks.problem import LargeProblem
from cml_core.fitting.landmarks.result import LandmarkFit
from cml_core.fitting.plan import OnStep
from cml_core.many.loop import Loop
from cml_core.many.opened import Opened, opened
from cml_core.values.arrays import FloatArray, Value, frozen
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
        middle = self.fit.landmarks.embedding.mean(axis=0)
        turned: FloatArray = (embedding - middle) @ self.turn
        return turned

    @property
    def size(self) -> int:
        """What it takes in memory, in bytes, but for what others share with it."""
        placed, landmarks = self.fit.placed, self.fit.landmarks.problem.dissimilarities
        arrays = (placed.embedding, placed.known_values, placed.unexplained, placed.nearest)
        return sum(one.nbytes for one in (*arrays, self.places, landmarks.condensed, self.fit.rows))


# Finds the map of a step, which is there or is made first.
MapOf = Callable[[str], ManyMap]


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
    on_landmarks: OnLandmarks | None = None,
) -> ManyMap:
    """Fit the map of a step.

    Parameters
    ----------
    before : the map that it is turned to match, where it was not turned already.
    on_step, on_landmarks : of `fit_landmarks`.
    """
    found = fit_landmarks(
        question(table, loop, step, map_of),
        n_landmarks=loop.n_landmarks,
        seed=loop.seed,
        on_step=on_step,
        on_landmarks=on_landmarks,
    )
    settled = found.landmarks.embedding
    turned = loop.at(step).turn
    turn = (
        np.array(turned)
        if turned
        else turn_of(settled, None if before is None else before.places[found.chosen])
    )
    places = (found.embedding - settled.mean(axis=0)) @ turn
    return ManyMap(found, frozen(places), frozen(turn))


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
