"""What a visitor asks of the data: which features are known, and how to fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cml_core import FeatureTable, Neighbourhood, Problem
from cml_core.fitting.problem import GIVEN
from cml_core.fitting.scales.ordinal import AUTO
from cml_core.fitting.scales.registry import RATIO
from cml_core.journey.journey import Journey
from cml_core.values.arrays import FloatArray

# The weights that came with the data.
OWN = "own"


@dataclass(frozen=True)
class Question:
    """The ticks and settings of the Discover page."""

    known_names: tuple[str, ...] = ()
    n_components: int = 2
    coef: str | tuple[tuple[float, ...], ...] = "full"
    weights: str | None = None
    neighbourhood: Neighbourhood | None = None
    scale: str = RATIO
    ties: str = AUTO

    @property
    def coef_kind(self) -> str:
        """As of a `Problem`."""
        return self.coef if isinstance(self.coef, str) else GIVEN

    @classmethod
    def of(cls, problem: Problem) -> Question:
        """The question that a problem answers."""
        return cls(
            known_names=problem.known.names,
            n_components=problem.n_components,
            coef=_plain(problem.coef),
            weights=OWN if isinstance(problem.weights, np.ndarray) else problem.weights,
            neighbourhood=problem.neighbourhood,
            scale=problem.scale,
            ties=problem.ties,
        )

    def knowing(self, name: str) -> Question:
        """With one more feature ticked."""
        if name in self.known_names:
            return self
        return replace(self, known_names=(*self.known_names, name))

    def without(self, name: str) -> Question:
        """With one feature less."""
        return replace(self, known_names=tuple(n for n in self.known_names if n != name))

    def renamed(self, name: str, to: str) -> Question:
        """With a feature under another name."""
        return replace(self, known_names=tuple(to if n == name else n for n in self.known_names))

    def about(self, journey: Journey) -> Problem:
        """The problem to be solved, with the features as they are now."""
        table = offered_features(journey)
        return Problem(
            journey.dissimilarities,
            table.select([name for name in table.names if name in self.known_names]),
            n_components=self.n_components,
            coef=self.coef if isinstance(self.coef, str) else np.array(self.coef),
            weights=own_weights(journey) if self.weights == OWN else self.weights,
            neighbourhood=self.neighbourhood,
            scale=self.scale,
            ties=self.ties,
        )


def _plain(coef: str | FloatArray) -> str | tuple[tuple[float, ...], ...]:
    """B as a value that can be compared."""
    return coef if isinstance(coef, str) else tuple(map(tuple, coef.tolist()))


def own_weights(journey: Journey) -> FloatArray | None:
    """The weights that came with the data, or else those that the current step was given."""
    if journey.pair_weights is not None or journey.current is None:
        return journey.pair_weights
    weights = journey.current.problem.weights
    return weights if isinstance(weights, np.ndarray) else None


def offered_features(journey: Journey) -> FeatureTable:
    """The features there are now, and those that the current step still knows."""
    table = journey.features
    for feature in journey.current.problem.known.features if journey.current else ():
        table = table if feature.name in table else table.with_feature(feature)
    return table
