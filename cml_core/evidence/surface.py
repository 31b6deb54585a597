"""A feature as a landscape over the map, for contours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from cml_core.drawing.on_map import places_on_map
from cml_core.errors import LengthMismatch, UnsuitableFeature
from cml_core.evidence import prediction
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.features import Feature
from cml_core.values.kinds.registry import KINDS
from cml_core.values.words import percent

# On a side; contours through so many places look smooth.
GRID = 60
# How far beyond the outermost objects the grid goes, as a share of the map's width.
MARGIN = 0.08
# Farther than this from every object, as a share of the map's width, nothing is drawn.
REACH = 0.15


@dataclass(frozen=True, eq=False, repr=False)
class Surface(Value):
    """The smooth prediction of a feature over the first two dimensions of a map.

    Parameters
    ----------
    feature : its name.
    x, y : (G,) the grid, along the first and the second dimension.
    height : (G, G) the predicted value at `y[row]`, `x[column]`, NaN far from every object;
        numbers as they are, levels as ranks from 0, of two categories the share of the second.
    predicted : the share of its variation that the surface predicts for an object left out.
    """

    feature: str
    x: FloatArray
    y: FloatArray
    height: FloatArray
    predicted: float

    @property
    def verdict(self) -> str:
        """How far the contours can be believed, in words."""
        if self.predicted <= 0:
            return (
                f"The contours of {self.feature} say nothing: for an object left out, they "
                "predict no better than the mean."
            )
        return (
            f"For an object left out, the contours predict {percent(self.predicted)} of "
            f"{self.feature}."
        )

    def __repr__(self) -> str:
        return f"Surface({self.verdict})"


def surface(feature: Feature, embedding: FloatArray) -> Surface:
    """The landscape of a feature over a map: the plane or the surface that predicts it best.

    Parameters
    ----------
    feature : a quantity, an order, or two categories. Nothing is predicted beyond the lowest and
        the highest value that occur.
    embedding : (N, p) the map, of which the first two dimensions are used.
    """
    places, values = _drawn(embedding, feature.n_objects), _heights(feature)
    rows = ~feature.missing
    size = max(float(np.abs(values[rows]).max()), np.finfo(float).tiny)
    column = prediction.centred(values[rows, None])
    with capped_linear_algebra(1):
        fitted = prediction.smoothers(prediction.predictors(places), rows)
        if not fitted:
            raise UnsuitableFeature(
                "All objects lie in one place on the map, so nothing can be drawn between them.",
                remedy="Choose a map with some extent.",
            )
        found = prediction.prediction(fitted, column)
        x, y = _grid(places)
        sites = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
        smoother = prediction.best_smoother(fitted, column) if column.any() else fitted[0]
        height = smoother.at(sites, column[:, 0]) + (values[rows] / size).mean()
    height = np.clip(size * height, values[rows].min(), values[rows].max())
    height[cdist(sites, places[rows]).min(axis=1) > REACH * np.ptp(x)] = np.nan
    return Surface(
        feature.name,
        frozen(x),
        frozen(y),
        frozen(height.reshape(GRID, GRID)),
        max(found.linear, found.smooth),
    )


def _heights(feature: Feature) -> FloatArray:
    values = feature.heights()
    if int((~feature.missing).sum()) < prediction.FEWEST_VALUES:
        raise UnsuitableFeature(
            f"Fewer than {prediction.FEWEST_VALUES} objects have a value of {feature.name}.",
            remedy="Give more of them a value, or colour the map by it.",
        )
    if values is None:
        raise UnsuitableFeature(
            f"{feature.name} is {KINDS[feature.kind].no_height}, so it has no height to draw "
            "contours of.",
            remedy="Colour the map by it instead.",
        )
    return values


def _drawn(embedding: FloatArray, n_objects: int) -> FloatArray:
    """(N, 2) the places as they are drawn; a map of one dimension lies on the first axis."""
    places = np.asarray(embedding, dtype=np.float64)
    if places.ndim != 2 or len(places) != n_objects:
        shape = " x ".join(str(size) for size in places.shape)
        raise LengthMismatch(
            f"The map has coordinates of shape {shape} for a feature of {n_objects} objects.",
            remedy="Give one row of coordinates for each object.",
        )
    return places_on_map(places[:, :2])


def _grid(places: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A square grid over the map, with a margin."""
    lowest, highest = places.min(axis=0), places.max(axis=0)
    half = (0.5 + MARGIN) * float((highest - lowest).max())
    x, y = (np.linspace(middle - half, middle + half, GRID) for middle in (lowest + highest) / 2)
    return x, y
