"""What one map says to many people: everyone's answer as an arrow on it, and their scatter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.errors import LengthMismatch
from cml_core.puzzles.puzzle import Puzzle
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.words import counted


@dataclass(frozen=True, eq=False)
class Scatter(Value):
    """Answers that fit the same hidden feature best, on the map with nothing found.

    Parameters
    ----------
    feature : what was hidden.
    truth : (2,) where it increases on the map; its length is how well the map tells it, R.
    arrows : (M, 2) the same of every answer, turned to the side of the truth.
    """

    feature: str
    truth: FloatArray
    arrows: FloatArray

    @property
    def turned(self) -> FloatArray:
        """(M,) degrees from the truth to each arrow, from -90 to 90."""
        angles = np.arctan2(self.arrows[:, 1], self.arrows[:, 0])
        off = np.degrees(angles - np.arctan2(self.truth[1], self.truth[0]))
        turned: FloatArray = (off + 90.0) % 180.0 - 90.0
        return turned

    @property
    def verdict(self) -> str:
        """How far the arrows scatter, in words."""
        if not len(self.arrows):
            return f"Nobody's answer tells {self.feature}."
        off = np.abs(self.turned)
        if len(off) == 1:
            return f"One answer tells {self.feature}: its arrow is {off[0]:.0f}° off."
        return (
            f"{counted(len(off), 'answer')} tell {self.feature}: half of the arrows are at most "
            f"{np.median(off):.0f}° off, all at most {off.max():.0f}°."
        )


def scatter(puzzle: Puzzle, feature: str, answers: Sequence[FloatArray]) -> Scatter:
    """Everyone's answers of one hidden feature.

    Parameters
    ----------
    answers : (N,) values each, NaN where missing.
    """
    points = puzzle.map().embedding
    for answer in answers:
        if len(answer) != len(points):
            raise LengthMismatch(
                f"An answer has {len(answer)} values for {len(points)} objects.",
                remedy="Give one value for each object.",
            )
    truth = _arrow(puzzle.truth[feature].values, points)
    arrows = np.array([_arrow(answer, points) for answer in answers]).reshape(-1, 2)
    sides = np.where(arrows @ truth < 0, -1.0, 1.0)
    return Scatter(feature, frozen(truth), frozen(arrows * sides[:, None]))


def _arrow(values: FloatArray, points: FloatArray) -> FloatArray:
    """Where values increase most steeply on the map, as long as their multiple correlation."""
    there = ~np.isnan(values)
    heights, places = values[there] - values[there].mean(), points[there]
    places = places - places.mean(axis=0)
    slopes = np.linalg.lstsq(places, heights, rcond=None)[0]
    told, steepness = places @ slopes, np.linalg.norm(slopes)
    share = np.sqrt((told @ told) / (heights @ heights))
    arrow: FloatArray = slopes / steepness * share if steepness > 0 else np.zeros(2)
    return arrow
