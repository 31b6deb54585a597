"""What is to be fitted where there are too many objects for a table of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import LabelMismatch
from cml_core.fitting.problem import Problem
from cml_core.values.arrays import FloatArray, IntArray, Value
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable
from cml_core.values.measurements import Measurements
from cml_core.values.real_numbers import whole_number


@dataclass(frozen=True, eq=False, repr=False)
class LargeProblem(Value):
    """One question about very many objects: what is left of how they differ?

    Parameters
    ----------
    measurements : of N objects, from which dissimilarities are computed when they are needed.
    known : features of the same objects, in the same order; none is metric MDS.
    n_components : p, the number of hidden dimensions; may be 0.
    coef : of B, as a `Problem` has it.
    """

    measurements: Measurements
    known: FeatureTable
    n_components: int = 2
    coef: str | FloatArray = "full"

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_components", whole_number("n_components", self.n_components))
        if self.known.labels != self.measurements.names:
            raise LabelMismatch(
                "Features and measurements do not name the same objects in the same order.",
                remedy="Join them by label first: features.for_objects(measurements.names).",
            )

    @property
    def n_objects(self) -> int:
        return self.measurements.n_objects

    @property
    def n_columns(self) -> int:
        """q: the columns that known features have, of which a group is one."""
        return sum(one.columns_of(one.values[:1]).shape[1] for one in self.known.features)

    def among(self, places: IntArray, condensed: FloatArray) -> Problem:
        """The same question about the objects at these places, given all their pairs."""
        names = tuple(self.known.labels[i] for i in places)
        features = tuple(feature.taken(places) for feature in self.known.features)
        return Problem(
            Dissimilarities(names, condensed),
            FeatureTable(names, features),
            n_components=self.n_components,
            coef=self.coef,
        )

    def __repr__(self) -> str:
        known = ", ".join(self.known.names) or "nothing"
        return (
            f"LargeProblem({self.n_objects:,} objects, {known} known, "
            f"{self.n_components} hidden dimensions)"
        )


def columns_beside(known: FeatureTable, values: FeatureTable) -> FloatArray:
    """(M, q) the features of other objects as the columns that a fit saw of `known`."""
    parts = [
        own.columns_of(other.values)
        for own, other in zip(known.features, values.features, strict=True)
    ]
    return np.hstack(parts) if parts else np.zeros((len(values.labels), 0))
