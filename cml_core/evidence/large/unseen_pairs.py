"""What a map of very many objects tells of pairs that no fit has seen: all but the landmarks'."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.evidence.large.trial import Error
from cml_core.evidence.result import Result
from cml_core.evidence.table import COUNT, SHARE, Column, Table
from cml_core.fitting.landmarks.partitions import taken
from cml_core.fitting.landmarks.result import LandmarkFit
from cml_core.fitting.landmarks.sampling import SAMPLE, by_object
from cml_core.values.arrays import IntArray
from cml_core.values.words import percent


@dataclass(frozen=True, eq=False)
class UnseenPairs(Result):
    """Pairs of objects that were placed, of which only those to landmarks were looked at.

    Parameters
    ----------
    n_objects : how many were drawn; none is a landmark.
    unexplained, error : of the squared dissimilarities of their pairs, with its standard error.
    of_landmarks : the same of the pairs that were fitted.
    """

    n_objects: int
    unexplained: float
    error: float
    of_landmarks: float
    seed: int

    heading = "Does it hold for pairs that were never looked at?"

    @property
    def verdict(self) -> str:
        if not self.n_objects:
            return "All pairs were looked at, so there are none to judge by."
        return (
            f"Of pairs that no fit has seen, between {self.n_objects:,} objects drawn at random, "
            f"{percent(self.unexplained, 1)} stays unexplained; of those that were fitted, "
            f"{percent(self.of_landmarks, 1)}."
        )

    def table(self) -> Table:
        return Table(
            (
                Column("Objects drawn", [self.n_objects], COUNT),
                Column("Unexplained of unseen pairs", [self.unexplained], SHARE),
                Column("Standard error", [self.error], SHARE),
                Column("Unexplained of fitted pairs", [self.of_landmarks], SHARE),
            ),
            names=0,
        )


def unseen_pairs(found: LandmarkFit, *, seed: int = 0) -> UnseenPairs:
    """Judge a map by pairs of objects that were placed one by one.

    Parameters
    ----------
    found : the map.
    seed : of the drawing.
    """
    drawn = judges(found, seed)
    if drawn.size < 2:
        return UnseenPairs(0, found.landmarks.stress, 0.0, found.landmarks.stress, seed)
    measurements = found.problem.measurements
    delta = measurements.between(taken(measurements, drawn))
    places = found.embedding[drawn], found.known_values[drawn] @ found.coef
    of = Error(*by_object(delta, *places))
    own = (of.errors - of.share * of.totals) / of.totals.mean()
    error = 2.0 * float(own.std(ddof=1)) / np.sqrt(drawn.size)
    return UnseenPairs(int(drawn.size), of.share, error, float(found.landmarks.stress), seed)


def judges(found: LandmarkFit, seed: int) -> IntArray:
    """Some of those that are no landmarks, drawn at random; in their order."""
    placed = np.ones(found.problem.n_objects, bool)
    placed[found.chosen] = False
    others = np.flatnonzero(placed)
    random = np.random.default_rng([seed, 9])
    return np.sort(random.choice(others, min(SAMPLE, others.size), replace=False))
