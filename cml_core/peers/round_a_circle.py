"""radviz and star_coordinates: all dimensions of a configuration in one plane.

Each dimension has an anchor on a circle. Which anchors stand side by side, and which way each
axis points, is chance: another turn of the same axes is another picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cml_core.errors import LengthMismatch
from cml_core.fitting.geometry import canonical_correlations
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.columns import spans, varying

# Of fewer dimensions the anchors lie on one line.
FEWEST_DIMENSIONS = 3


@dataclass(frozen=True, eq=False)
class RoundACircle(Value):
    """Many dimensions drawn in the plane.

    Parameters
    ----------
    title : what the picture is called.
    places : (N, 2) of the objects.
    anchors : (p, 2) one for each dimension, on the unit circle, the first on the right, then
        anticlockwise.
    """

    title: str
    places: FloatArray
    anchors: FloatArray

    def tells(self, columns: FloatArray) -> float:
        """R², the share of a feature that straight lines over the picture tell.

        Parameters
        ----------
        columns : (N,) or (N, k) without gaps; of several columns, the best combination.
        """
        return float(canonical_correlations(self.places, columns)[0] ** 2)


@dataclass(frozen=True)
class CircleMethod:
    """A way to draw many dimensions round a circle, and what may be read off it."""

    title: str
    draw: Callable[[FloatArray], RoundACircle]
    reads: str


def radviz(embedding: FloatArray) -> RoundACircle:
    """Each object where springs to the anchors hold it, as stiff as its values are high.

    Coordinates are rescaled to 0–1, dimension by dimension, so that an object's place is the mean
    of the anchors weighted by its values: inside the polygon of the anchors, and in the middle
    where all values are alike, low or high.

    Parameters
    ----------
    embedding : (N, p) with three dimensions or more.
    """
    shares, anchors = _rescaled(embedding), _anchors(embedding)
    stiffness = shares.sum(axis=1, keepdims=True)
    # What is lowest on all dimensions is held by no spring.
    places = np.divide(shares @ anchors, stiffness, where=stiffness > 0, out=shares @ anchors)
    return RoundACircle("RadViz", frozen(places), frozen(anchors))


def star_coordinates(embedding: FloatArray) -> RoundACircle:
    """Each object as the sum of its steps towards the anchors.

    Coordinates are rescaled to 0–1, dimension by dimension. The picture is linear: a straight line
    in the hidden space stays one.

    Parameters
    ----------
    embedding : (N, p) with three dimensions or more.
    """
    anchors = _anchors(embedding)
    return RoundACircle("Star coordinates", frozen(_rescaled(embedding) @ anchors), frozen(anchors))


CIRCLES = {
    "radviz": CircleMethod(
        "RadViz",
        radviz,
        "Near an anchor lies what is high on that dimension and low on the others; in the middle "
        "what is alike on all of them. Distances mean nothing, and objects that differ can "
        "coincide.",
    ),
    "star": CircleMethod(
        "Star coordinates",
        star_coordinates,
        "Each dimension pulls towards its anchor, by as much as an object is high on it. "
        "Straight lines stay straight; what lies together may differ.",
    ),
}


def _rescaled(embedding: FloatArray) -> FloatArray:
    """(N, p) each dimension from 0 to 1; one that does not vary pulls nobody."""
    reach = np.where(varying(embedding), spans(embedding), np.inf)
    rescaled: FloatArray = (embedding - embedding.min(axis=0)) / reach
    return rescaled


def _anchors(embedding: FloatArray) -> FloatArray:
    dimensions = embedding.shape[1]
    if dimensions < FEWEST_DIMENSIONS:
        raise LengthMismatch(
            f"The map has {dimensions} dimension{'s' * (dimensions != 1)}, too few for a circle.",
            remedy=f"Draw a map of {FEWEST_DIMENSIONS} or more; fewer fit into the plane as "
            "they are.",
        )
    angles = 2 * np.pi * np.arange(dimensions) / dimensions
    return np.column_stack([np.cos(angles), np.sin(angles)])
