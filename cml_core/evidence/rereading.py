"""A feature that was read off a map, read off again where some pairs are not known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.evidence.prediction import (
    Smoother,
    best_smoother,
    centred,
    is_testable,
    predictors,
    smoothers,
)
from cml_core.evidence.refits import few_starts, refit, with_values
from cml_core.fitting.fit import fit
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.problem import Problem
from cml_core.values.arrays import FloatArray, RealArray, Value
from cml_core.values.features import Feature


@dataclass(frozen=True, eq=False)
class Reading(Value):
    """A feature, the problem of the map it was read off, and how it depends on the place there.

    `smoother` is None where the map does not predict the feature, `unit` scales its predictions;
    `power` is that of the dissimilarities, on the power scale.
    """

    feature: Feature
    problem: Problem
    embedding: FloatArray
    smoother: Smoother | None
    unit: float
    power: float


def reading_of(feature: Feature, problem: Problem, seed: int) -> Reading:
    """How a feature depends on the place on the map that it was read off."""
    map_of_all = fit(problem, seed=seed)
    embedding = map_of_all.embedding
    rows = ~feature.missing
    columns = feature.columns()[rows]
    fitted = smoothers(predictors(embedding), rows)
    found = best_smoother(fitted, columns) if fitted and is_testable(columns) else None
    unit = float(np.abs(columns).max())
    return Reading(feature, problem, embedding, found, unit, map_of_all.power)


def read_anew(reading: Reading, seen: RealArray, seed: int) -> tuple[Feature, ...]:
    """The feature from the map of what is seen of the dissimilarities, NaN where held out.

    That map is turned onto the first, and every object's value moves as much as the surface
    over the map says that it should, having moved from one place to the other. What a person
    corrected by hand stays corrected.
    """
    feature = reading.feature
    if reading.smoother is None:
        return (feature,)
    # With the pairs that judge it among those it was read from, any feature of a map would help.
    others = with_values(reading.problem, seen)
    fresh = few_starts(others)
    found = refit(others, fresh=fresh, seed=seed, power=reading.power).embedding
    places = procrustes(found, reading.embedding).points[:, : reading.embedding.shape[1]]
    columns = feature.columns()
    rows = ~feature.missing
    names = feature.column_names()
    shifts = [
        reading.smoother.at(places, column) - reading.smoother.at(reading.embedding, column)
        for column in centred(columns[rows]).T
    ]
    return tuple(
        Feature.numeric(f"{name} read anew", column + reading.unit * shift)
        for name, column, shift in zip(names, columns.T, shifts, strict=True)
    )
