"""Does the map tell more than the simplest thing: regression on the known, and main components.

Where objects are vectors, compared by Euclidean distance, what is known can be regressed out of
each column, and the rest shown along the directions in which it spreads most. That takes one pass.
A map that does no better, and shows the same, is no wrong map; but nothing is gained by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np
from scipy.spatial.distance import pdist, squareform

from cml_core.errors import UnsuitableMeasurements
from cml_core.evidence.large.sums import Sums, regression, sums, together
from cml_core.evidence.large.trial import Error, difference_error
from cml_core.evidence.large.unseen_pairs import judges
from cml_core.evidence.result import Result
from cml_core.evidence.table import COUNT, SHARE, Column, Table
from cml_core.fitting.landmarks.partitions import Partition, cluster_for, over_parts, taken
from cml_core.fitting.landmarks.result import LandmarkFit
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import FloatArray
from cml_core.values.measures.comparison import Comparison
from cml_core.values.words import percent

# A gain of more standard errors than this is no chance of the drawing; one below this share of all
# squared dissimilarities, or of what is unexplained, changes nothing that one sees.
CLEAR, WORTH = 2.0, 0.05
LEAST = 0.005
# From this correlation on two maps show the same.
SAME = 0.95
OF_EUCLIDEAN = "euclidean"


@dataclass(frozen=True, eq=False)
class Baseline(Result):
    """A map beside linear regression on the known and main components of the rest.

    Parameters
    ----------
    map, linear : what each leaves unexplained of the squared dissimilarities of unseen pairs, in
        the unit in which it tells them best.
    error : standard error of the difference.
    correlations : canonical, of the map and the components.
    n_objects : how many were drawn to judge; none is a landmark.
    """

    map: float
    linear: float
    error: float
    correlations: FloatArray
    n_objects: int
    seed: int

    heading = "Is anything gained by the map?"

    @property
    def gained(self) -> bool:
        """Whether the map tells unseen pairs clearly better."""
        gain = self.linear - self.map
        return gain > max(CLEAR * self.error, WORTH * self.linear, LEAST)

    @property
    def verdict(self) -> str:
        shares = (
            f"{percent(self.map, 2)} of unseen pairs' squared dissimilarities stays unexplained, "
            f"{percent(self.linear, 2)} with linear regression and main components"
        )
        least = float(self.correlations.min(initial=1.0))
        told = ", ".join(f"{one:.3f}" for one in self.correlations)
        agree = f"canonical correlations {told}"
        if self.gained:
            also = "yet shows much the same" if least >= SAME else "and shows something else"
            return f"The map tells more: {shares}; {also} ({agree})."
        if least >= SAME:
            return f"Nothing more is gained by the map: {shares}, and both show the same ({agree})."
        more = "hardly more" if self.linear > self.map else "no more"
        return f"The map tells {more}, but shows something else ({agree}): {shares}."

    @property
    def facts(self) -> tuple[str, ...]:
        return (
            "Both are judged in the unit in which they tell the pairs best, for components leave "
            "out all other directions, and so tell every distance too short.",
        )

    def table(self) -> Table:
        return Table(
            (
                Column("Map", [self.map], SHARE),
                Column("Regression and components", [self.linear], SHARE),
                Column("Standard error of the difference", [self.error], SHARE),
                Column("Least canonical correlation", [self.correlations.min(initial=1.0)], "%.3f"),
                Column("Objects drawn", [self.n_objects], COUNT),
            ),
            names=0,
        )


def baseline(found: LandmarkFit, *, seed: int = 0) -> Baseline:
    """Regress the vectors on what is known, in one pass; hold what is left against the map.

    Parameters
    ----------
    found : a map of objects that are compared by Euclidean distance.
    seed : of the drawing of objects by whose pairs both are judged.

    Raises
    ------
    UnsuitableMeasurements : they are compared otherwise.
    """
    measurements = found.problem.measurements
    if measurements.measure != OF_EUCLIDEAN:
        raise UnsuitableMeasurements(
            f"Regression and components are about Euclidean distances, not {measurements.measure}.",
            remedy="Compare the objects by Euclidean distance to see whether the map is needed.",
        )
    unseen = judges(found, seed)
    drawn = unseen if unseen.size > 2 else found.chosen
    with capped_linear_algebra(1):
        model = _linear(_over_all(found), found)
        rows = taken(measurements, drawn)
        delta = measurements.between(rows)
        of_map = _best(
            delta,
            pdist(np.hstack([found.embedding[drawn], found.known_values[drawn] @ found.coef])),
        )
        of_linear = _best(delta, pdist(model.told(rows, found.known_values[drawn])))
    return Baseline(
        map=of_map.share,
        linear=of_linear.share,
        error=difference_error(of_linear, of_map),
        correlations=model.correlations,
        n_objects=int(drawn.size),
        seed=seed,
    )


def _over_all(found: LandmarkFit) -> Sums:
    """Of hidden places, known values and vectors of all objects, side by side."""
    measurements = found.problem.measurements
    beside = np.hstack([found.embedding, found.known_values])
    rows = measurements.rows
    parts = over_parts(_summed, measurements.comparison, rows, beside, cluster_for(rows))
    return reduce(together, parts)


def _summed(comparison: Comparison, part: Partition) -> Sums:
    return sums(_blocks(comparison, part))


def _blocks(comparison: Comparison, part: Partition) -> Iterator[FloatArray]:
    first = 0
    for block in comparison.blocks(part.rows):
        yield np.hstack([part.values[first : first + len(block)], block])
        first += len(block)


@dataclass(frozen=True, eq=False)
class _Linear:
    """Vectors as a regression on the known, and components of the rest, tell them.

    Parameters
    ----------
    slopes : (q, K); directions : (K, p).
    correlations : of the components and the map.
    """

    slopes: FloatArray
    directions: FloatArray
    correlations: FloatArray

    def told(self, rows: FloatArray, values: FloatArray) -> FloatArray:
        """(n, K) what is told of these vectors, but for the mean."""
        by_known = values @ self.slopes
        return np.asarray(by_known + (rows - by_known) @ self.directions @ self.directions.T)


def _linear(over_all: Sums, found: LandmarkFit) -> _Linear:
    p, q = found.embedding.shape[1], found.known_values.shape[1]
    hidden, known, vectors = slice(0, p), slice(p, p + q), slice(p + q, None)
    of = over_all.of
    slopes = regression(of(known, known), of(known, vectors))
    left = of(vectors, vectors) - slopes.T @ of(known, vectors)
    sizes, ways = np.linalg.eigh(left)
    directions = ways[:, ::-1][:, :p]
    # Components are what is left of the vectors, along these; all by covariances alone.
    with_map = (of(hidden, vectors) - of(hidden, known) @ slopes) @ directions
    spread = _inverse_root(np.diag(sizes[::-1][:p])), _inverse_root(of(hidden, hidden))
    correlations = np.linalg.svd(spread[1] @ with_map @ spread[0], compute_uv=False)
    return _Linear(slopes, directions, np.clip(correlations, 0.0, 1.0))


def _inverse_root(covariance: FloatArray) -> FloatArray:
    sizes, ways = np.linalg.eigh(covariance)
    varies = sizes > sizes.max(initial=0.0) * 1e-12
    roots = np.where(varies, 1.0 / np.sqrt(np.where(varies, sizes, 1.0)), 0.0)
    return np.asarray((ways * roots) @ ways.T)


def _best(delta: FloatArray, told: FloatArray) -> Error:
    """Errors of distances that may be stretched, all by one factor."""
    size = float(told @ told)
    stretched = told * (float(delta @ told) / size) if size > 0 else told
    errors = squareform((delta - stretched) ** 2).sum(axis=1)
    return Error(errors, squareform(delta**2).sum(axis=1))
