"""How well a feature that was handed in tells what is hidden, and what to try next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
from scipy.stats import rankdata

from cml_core.errors import LabelMismatch, UnsuitableFeature
from cml_core.puzzles.puzzle import MAPS_KEPT, Puzzle
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import is_constant
from cml_core.values.features import Feature

SOLVED = 0.9
# From here on it takes only a small turn.
NEARLY = 0.6
FAR_OFF = 2


class Hint(Enum):
    """What to try next, in words that give nothing away."""

    FAR = "Look for another direction: turn the arrow a long way."
    NEAR = "Nearly: turn the arrow a little."
    TWO = "The direction is right, but two objects are far off. The clue cards may help."
    AGAIN = (
        "This is what you found before. Another feature is hidden still: with this one among the "
        "known, look at what is left."
    )
    NEXT = (
        "Found. Another feature is hidden still: add this one to the known, and look at what is "
        "left."
    )
    ALL = "Found, and nothing else is hidden."


@dataclass(frozen=True)
class Score:
    """How good an answer is.

    Parameters
    ----------
    share : of what the best arrow reaches, from 0 to 1.
    fits : the hidden feature that the answer fits best; it is told to no one.
    hint : what to try next.
    """

    share: float
    fits: str
    hint: Hint

    @property
    def percent(self) -> int:
        """The share as it is shown."""
        return whole_percent(self.share)

    @property
    def solved(self) -> bool:
        """Whether this counts as found."""
        return self.share >= SOLVED


def whole_percent(share: float) -> int:
    """Whole per cent that were reached: 89.9 % is not 90."""
    return math.floor(100 * share)


def score(
    puzzle: Puzzle, feature: Feature, labels: Sequence[str], found: tuple[str, ...] = ()
) -> Score:
    """How well a feature tells what is hidden.

    |Spearman's correlation| with the hidden feature that it fits best, as a share of the best that
    any arrow could have on the map with all that is given known, and what was found before. A
    missing value counts as one in the middle.

    Parameters
    ----------
    labels : the objects that the feature is about.
    found : of the hidden features those that were found, in the order of finding.

    Raises
    ------
    LabelMismatch : it is about other objects than those of the puzzle.
    UnsuitableFeature : it puts objects into no order.
    """
    _check_labels(puzzle, labels)
    ranks = _ranks(_heights(feature))
    fitting = {
        name: abs(_correlation(ranks, _hidden(puzzle, name))) for name in puzzle.hidden_names
    }
    fits = max(fitting, key=lambda name: fitting[name])
    again = fits in found
    best = best_arrow(puzzle, found[: found.index(fits)] if again else found)
    share = min(fitting[fits] / best, 1.0)
    if again:
        rest = len(found) < puzzle.hidden
        return Score(share, fits, Hint.AGAIN if rest else Hint.ALL)
    if share >= SOLVED:
        rest = len(found) + 1 < puzzle.hidden
        return Score(share, fits, Hint.NEXT if rest else Hint.ALL)
    if _without_the_worst(ranks, _hidden(puzzle, fits)) / best >= SOLVED:
        return Score(share, fits, Hint.TWO)
    return Score(share, fits, Hint.NEAR if share >= NEARLY else Hint.FAR)


@lru_cache(MAPS_KEPT)
def best_arrow(puzzle: Puzzle, found: tuple[str, ...] = ()) -> float:
    """The best |Spearman| that any arrow has with a feature that is hidden still."""
    order = orders(puzzle.map(found).embedding)
    left = [_hidden(puzzle, name) for name in puzzle.hidden_names if name not in found]
    return max(float(np.abs(order @ hidden).max() / (hidden @ hidden)) for hidden in left)


def orders(points: FloatArray) -> FloatArray:
    """(M, N) centred ranks: every order in which arrows pass objects at these (N, 2) places.

    The order changes only where an arrow is at right angles to the line through two objects.
    """
    first, second = np.triu_indices(len(points), 1)
    between = points[second] - points[first]
    turns = np.sort((np.arctan2(between[:, 1], between[:, 0]) + np.pi / 2) % np.pi)
    angles = (turns + np.append(turns[1:], turns[0] + np.pi)) / 2
    along = np.column_stack([np.cos(angles), np.sin(angles)]) @ points.T
    ranks: FloatArray = along.argsort(axis=1).argsort(axis=1).astype(np.float64)
    return ranks - (len(points) - 1) / 2


def _check_labels(puzzle: Puzzle, labels: Sequence[str]) -> None:
    if tuple(labels) != puzzle.labels:
        strange = next((label for label in labels if label not in puzzle.labels), None)
        what = f"{strange[:40]!r} is not one of them" if strange else "some are missing"
        raise LabelMismatch(
            f"This feature is not about the objects of this puzzle: {what}.",
            remedy="Hand in a feature that was drawn or typed in the puzzle's own project.",
        )


def _heights(feature: Feature) -> FloatArray:
    heights = feature.heights()
    if heights is None:
        raise UnsuitableFeature(
            f"{feature.name} puts the objects into no order.",
            remedy="Hand in an arrow, a curve that does not close, an order or two groups.",
        )
    if is_constant(heights[~np.isnan(heights)]):
        raise UnsuitableFeature(
            f"{feature.name} is the same for all objects.",
            remedy="Hand in a feature that tells them apart.",
        )
    return heights


def _ranks(heights: FloatArray) -> FloatArray:
    """Ranks around nought, which is also where missing values are."""
    there = ~np.isnan(heights)
    ranks: FloatArray = np.zeros(heights.size)
    ranks[there] = rankdata(heights[there]) - (there.sum() + 1) / 2
    return ranks


def _correlation(ranks: FloatArray, others: FloatArray) -> float:
    spread = np.sqrt((ranks @ ranks) * (others @ others))
    return float(ranks @ others / spread) if spread > 0 else 0.0


def _without_the_worst(ranks: FloatArray, hidden: FloatArray) -> float:
    """|Spearman| without the objects that are furthest from where they belong."""
    turned = ranks if ranks @ hidden >= 0 else -ranks
    kept = np.argsort(np.abs(turned - hidden))[:-FAR_OFF]
    return abs(_correlation(_ranks(turned[kept]), _ranks(hidden[kept])))


def _hidden(puzzle: Puzzle, name: str) -> FloatArray:
    return _ranks(puzzle.truth[name].values)
