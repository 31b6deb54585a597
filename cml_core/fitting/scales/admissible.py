"""What a scale admits in place of the dissimilarities, and which of it lies nearest to distances.

A scale says which changes of the dissimilarities mean the same: any stretch and shift, any smooth
rising curve, anything that keeps their order. For the distances d of a configuration the nearest
admissible values h minimise the sum of w (h - d)^2, and what is minimised over configurations is

    f = sum w (h - d)^2 / sum w d^2,        (Kruskal 1964: the square of Stress-1)

which is the normalised stress of the dissimilarities h / (1 - f). By the envelope theorem f has
the gradient that it would have if h stood still, so a descent needs no turns between the two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cml_core.fitting.scales.isotonic import Ranks, Scratch, nearest_rising
from cml_core.fitting.scales.rising import Curve, nearest_curve
from cml_core.values.compiling import compiled

MONOTONE, SMOOTH = 0, 1


class Admissible(NamedTuple):
    """The admissible values in a form for loops: any that rise with ranks, or those of a curve."""

    kind: int
    ranks: Ranks
    curve: Curve


def monotone(ranks: Ranks) -> Admissible:
    """Any values that rise with these ranks."""
    no_curve = Curve(np.empty(0), np.empty(0), np.empty((0, 0)), np.empty((0, 0)))
    return Admissible(MONOTONE, ranks, no_curve)


def smooth(curve: Curve) -> Admissible:
    """The values along a curve of this family."""
    no_pairs = np.empty(0, np.int64)
    return Admissible(SMOOTH, Ranks(np.empty(0, np.int32), np.empty(0), no_pairs, no_pairs), curve)


@compiled(fast=True)
def nearest(
    admissible: Admissible, scratch: Scratch, distances: Any, weights: Any, values: Any
) -> Any:
    """Write the admissible values nearest to `distances` into `values`.

    Returns the weighted sum of squares that is left, and that of the distances. Pairs that do
    not count have no weight, or no rank; their values mean nothing.
    """
    if admissible.kind == MONOTONE:
        nearest_rising(admissible.ranks, scratch, distances, weights, values)
    else:
        nearest_curve(admissible.curve, distances, weights, values)
    weighted = weights.size > 0
    left = total = 0.0
    for k in range(distances.size):
        w = weights[k] if weighted else 1.0
        left += w * (values[k] - distances[k]) ** 2
        total += w * distances[k] ** 2
    return left, total
