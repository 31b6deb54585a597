"""How well places on a map predict a feature: by a plane, and by a smooth surface.

Each predictor is a weighted sum of fixed functions of the place with a penalty on the weights.
So what it predicts for an object left out follows in closed form from one decomposition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from cml_core.values.arrays import BoolArray, FloatArray, Value
from cml_core.values.columns import coincide, varying
from cml_core.values.features import Feature

# Widths of the bumps that surfaces are made of, as shares of the typical distance between two
# objects; each is tried. And the noise that is supposed, as a multiple of the surface's own
# variance. Among six such grids, tried at N = 14 to 60, no finer one found clearly more.
WIDTHS = (0.3, 0.7)
NOISE = 0.3
# Bumps stand on every object up to so many, and from there on at places all over the map.
MOST_BUMPS = 200
# A mixture of bumps with less than this share of the largest is rounding error.
BUMP_TOLERANCE = 1e-10
# Keeps the plane defined where an object that is left out is alone in spanning a direction.
PLANE_PENALTY = 1e-9
# A function that a penalty damps to less than this share of itself adds nothing.
NEGLIGIBLE = 1e-3
# Fewer values say nothing: with four there are but 24 ways to deal them out.
FEWEST_VALUES = 5


@dataclass(frozen=True)
class Prediction:
    """How well a map predicts one feature.

    Parameters
    ----------
    correlation : multiple correlation R of the feature with the coordinates.
    linear, smooth : the share of its variation that is predicted for an object left out, by a
        plane and by the best of the surfaces; below zero where the mean would predict better.
    """

    correlation: float
    linear: float
    smooth: float


@dataclass(frozen=True, eq=False)
class Plane(Value):
    """The coordinates themselves, in units of the map's spread."""

    centre: FloatArray
    spread: float

    def at(self, places: FloatArray) -> FloatArray:
        """(M, p) values at M places."""
        values: FloatArray = (places - self.centre) / self.spread
        return values


@dataclass(frozen=True, eq=False)
class Bumps(Value):
    """Gaussian bumps of one width, in mixtures that are penalised alike."""

    stands: FloatArray
    width: float
    mixing: FloatArray

    def at(self, places: FloatArray) -> FloatArray:
        """(M, r) values at M places."""
        values: FloatArray = _bumps(places, self.stands, self.width) @ self.mixing
        return values


@dataclass(frozen=True, eq=False)
class Smoother(Value):
    """A predictor for some of the objects, in terms of its own uncorrelated functions.

    Parameters
    ----------
    functions : what it is a weighted sum of.
    left : (n, r) orthonormal values at the objects.
    gains : (r,) the share of each that the penalty leaves.
    stretch : (n,) by how much the error at an object grows when it is left out.
    origin, weights : (s,) and (s, r), from the functions to their uncorrelated form.
    """

    functions: Plane | Bumps
    left: FloatArray
    gains: FloatArray
    stretch: FloatArray
    origin: FloatArray
    weights: FloatArray

    def errors(self, columns: FloatArray) -> FloatArray:
        """(n, m) errors of centred columns where all objects are used."""
        fitted = self.left @ (self.gains[:, None] * (self.left.T @ columns))
        errors: FloatArray = columns - fitted
        return errors

    def squared_errors(self, columns: FloatArray) -> FloatArray:
        """(m,) sums of squared errors, each object predicted from the others."""
        errors = self.errors(columns)
        errors *= self.stretch[:, None]
        total: FloatArray = np.einsum("ij,ij->j", errors, errors)
        return total

    def slopes(self, column: FloatArray) -> FloatArray:
        """(s,) the weights of the functions, for a centred column (n,)."""
        slopes: FloatArray = self.weights @ (self.left.T @ column)
        return slopes

    def at(self, places: FloatArray, column: FloatArray) -> FloatArray:
        """(M,) predictions of a centred column (n,) at M places."""
        predicted: FloatArray = (self.functions.at(places) - self.origin) @ self.slopes(column)
        return predicted


@dataclass(frozen=True, eq=False)
class Predictor(Value):
    """Functions over a map, their (N, s) values at the objects, and the penalty on weights."""

    functions: Plane | Bumps
    values: FloatArray
    penalty: float

    def fitted(self, rows: BoolArray) -> Smoother:
        """For the objects whose values are known."""
        origin = self.values[rows].mean(axis=0)
        left, sizes, right = np.linalg.svd(self.values[rows] - origin, full_matrices=False)
        gains = sizes**2 / (sizes**2 + self.penalty)
        kept = gains > NEGLIGIBLE
        left, sizes, gains = left[:, kept], sizes[kept], gains[kept]
        # An object's pull on its own prediction, the diagonal of the hat matrix: its error divided
        # by one minus that is the error with it left out, without a fit for each.
        pull = 1.0 / len(left) + left**2 @ gains
        weights = right[kept].T * (gains / sizes)
        return Smoother(self.functions, left, gains, 1.0 / (1.0 - pull), origin, weights)


def predictors(places: FloatArray) -> tuple[Predictor, ...]:
    """The plane over a map, then the surfaces; none where all objects are in one place.

    Parameters
    ----------
    places : (N, p) coordinates.
    """
    spread = _spread(places)
    if not spread:
        return ()
    stands = _spread_out(places, MOST_BUMPS)
    # Two objects are, typically, the square root of two spreads apart.
    surfaces = [_mixed(stands, width * np.sqrt(2.0) * spread) for width in WIDTHS]
    return (
        _plane(places, spread),
        *(Predictor(bumps, bumps.at(places), NOISE) for bumps in surfaces),
    )


def plane_over(columns: FloatArray) -> tuple[Predictor, ...]:
    """The plane over columns (N, q), each in whatever units; none where nothing varies."""
    usable = [centred(column[:, None]) for column in columns.T]
    varying = [column / np.sqrt((column**2).mean()) for column in usable if column.any()]
    if not varying:
        return ()
    places = np.hstack(varying)
    return (_plane(places, _spread(places)),)


def smoothers(available: Sequence[Predictor], rows: BoolArray) -> tuple[Smoother, ...]:
    """All predictors for the objects whose values are known; none where these are too few."""
    enough = int(rows.sum()) >= FEWEST_VALUES
    return tuple(predictor.fitted(rows) for predictor in available) if enough else ()


def prediction(fitted: Sequence[Smoother], columns: FloatArray) -> Prediction:
    """How well smoothers predict the columns of one feature, all together.

    Parameters
    ----------
    fitted : the plane and perhaps surfaces, for n objects.
    columns : (n, k) without gaps.
    """
    if not fitted or not is_testable(columns):
        return Prediction(0.0, 0.0, 0.0)
    values = centred(columns)
    linear, *smooth = (_share(smoother, values) for smoother in fitted)
    unexplained = float((fitted[0].errors(values) ** 2).sum() / (values**2).sum())
    correlation = float(np.sqrt(max(1.0 - unexplained, 0.0)))
    return Prediction(correlation, linear, max(smooth, default=linear))


def best_smoother(fitted: Sequence[Smoother], columns: FloatArray) -> Smoother:
    """The smoother that predicts the columns of a feature best."""
    values = centred(columns)
    return max(fitted, key=lambda smoother: _share(smoother, values))


def is_testable(columns: FloatArray) -> bool:
    """Whether there are enough values, and not all the same."""
    return len(columns) >= FEWEST_VALUES and bool(centred(columns).any())


def observed_columns(feature: Feature) -> tuple[FloatArray, BoolArray]:
    """The columns of a feature for the objects that have a value, and which objects these are.

    What is an amount is one column, along however many it acts.
    """
    rows, heights = ~feature.missing, feature.heights()
    columns = feature.columns() if heights is None else heights[:, None]
    return columns[rows], rows


def centred(columns: FloatArray) -> FloatArray:
    """Columns less their means, in a unit in which the largest value is one.

    Those that do not vary are zero.
    """
    size = np.abs(columns).max(initial=0.0)
    if not size > 0:
        return np.zeros_like(columns)
    scaled = columns / size
    deviations: FloatArray = scaled - scaled.mean(axis=0)
    deviations[:, ~varying(columns)] = 0.0
    return deviations


def _share(smoother: Smoother, values: FloatArray) -> float:
    """The share of the variation of centred columns that is predicted, each object left out."""
    n = len(values)
    # The mean, too, is made without the object: its error is n/(n - 1) times the deviation.
    of_the_mean = float((values**2).sum()) * (n / (n - 1)) ** 2
    return 1.0 - float(smoother.squared_errors(values).sum()) / of_the_mean


def _spread(places: FloatArray) -> float:
    """Root mean square distance from the centre; zero where that is but rounding."""
    deviations = places - places.mean(axis=0)
    return 0.0 if coincide(places) else float(np.sqrt((deviations**2).sum() / len(places)))


def _plane(places: FloatArray, spread: float) -> Predictor:
    plane = Plane(places.mean(axis=0), spread)
    return Predictor(plane, plane.at(places), PLANE_PENALTY * len(places))


def _mixed(stands: FloatArray, width: float) -> Bumps:
    """Mixtures of bumps in which the kernel's penalty is plain; places may coincide."""
    sizes, vectors = np.linalg.eigh(_bumps(stands, stands, width))
    kept = sizes > BUMP_TOLERANCE * sizes[-1]
    return Bumps(stands, width, vectors[:, kept] / np.sqrt(sizes[kept]))


def _bumps(places: FloatArray, stands: FloatArray, width: float) -> FloatArray:
    bumps: FloatArray = np.exp(-0.5 * cdist(places, stands, "sqeuclidean") / width**2)
    return bumps


def _spread_out(places: FloatArray, most: int) -> FloatArray:
    """All places, or so many that none is far from all of them: always the farthest next."""
    if len(places) <= most:
        return places
    chosen = [int(np.argmax(((places - places.mean(axis=0)) ** 2).sum(axis=1)))]
    gaps = np.full(len(places), np.inf)
    while len(chosen) < most:
        gaps = np.minimum(gaps, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int(np.argmax(gaps)))
    return places[chosen]
