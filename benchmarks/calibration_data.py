"""Car brands with noise of two kinds, for measuring how often a test is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from joblib import cpu_count
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable
from cml_core.datasets import CAR_FEATURES
from cml_core.evidence.work import each

NOISES = ("additive", "multiplicative")
NAMES = tuple(CAR_FEATURES)


@dataclass(frozen=True)
class Cars:
    """What one kind of data set is made of.

    Parameters
    ----------
    n_known : how many of the seven features are known.
    size : standard deviation of the noise, as a share of the mean distance or of each distance.
    feature_noise : the same of the known features, as a share of their values.
    """

    n_objects: int
    n_known: int
    noise: str = "multiplicative"
    size: float = 0.2
    feature_noise: float = 0.0

    def simulated(self, seed: int) -> tuple[Dissimilarities, FeatureTable, np.random.Generator]:
        """One data set, and chance for what else is needed."""
        random = np.random.default_rng(seed)
        weights = np.array(list(CAR_FEATURES.values()), dtype=float)
        true = random.uniform(size=(self.n_objects, len(NAMES)))
        distances = pdist(true * weights / weights.sum())
        errors = self.size * random.standard_normal(distances.size)
        grown = distances if self.noise == "multiplicative" else distances.mean()
        seen = np.abs(distances + grown * errors)
        labels = tuple(f"Brand {i + 1}" for i in range(self.n_objects))
        told = true * (1 + self.feature_noise * random.standard_normal(true.shape))
        features = [Feature.numeric(NAMES[k], told[:, k]) for k in range(self.n_known)]
        return Dissimilarities(labels, seen), FeatureTable(labels, tuple(features)), random


def repeated(measure: Callable[..., Any], data_sets: int, *arguments: Any) -> list[Any]:
    """What is measured on so many data sets, the seed last; over all processors, or a cluster."""
    measured = partial(measure, *arguments)
    return each(measured, range(data_sets), doing="Calibrating", workers=processes())


def processes() -> int | None:
    """One for each processor; on a single one none, which a cluster still takes the place of."""
    return count if (count := cpu_count()) > 1 else None


def repeating(name: str, known: FeatureTable, random: np.random.Generator) -> Feature:
    """A feature that correlates .8 with the first known one, and has nothing else to do with it."""
    values = known.features[0].values
    standard = (values - values.mean()) / values.std()
    return Feature.numeric(name, 0.8 * standard + 0.6 * random.standard_normal(values.size))


def alarms(p_values: Sequence[float]) -> str:
    """How often p is at most 5 %, with twice its standard error."""
    share = float(np.mean(np.asarray(p_values) <= 0.05))
    error = np.sqrt(max(share * (1 - share), 0.25 / len(p_values)) / len(p_values))
    return f"{share:.3f} ± {2 * error:.3f}"
