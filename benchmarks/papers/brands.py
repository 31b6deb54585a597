"""The simulated car brands of 001 and 003, section 4.4."""

from __future__ import annotations

import numpy as np

from cml_core import Fit, Problem, fit
from cml_core.datasets import CAR_FEATURES, Dataset, simulate_car_brands

BRANDS, ALL = 30, len(CAR_FEATURES)
NAMES = tuple(CAR_FEATURES)
SCENARIOS = (4, 5, 6)
STATED, LESS = 0.2, 0.05
WEIGHTS = np.array(list(CAR_FEATURES.values()), dtype=np.float64) / sum(CAR_FEATURES.values())
SIMULATED = "30 simulated brands, seven features, 5 % noise in the known ones"


def brands(seed: int, known: int, noise: float = STATED, n_objects: int = BRANDS) -> Dataset:
    return simulate_car_brands(n_objects, noise=noise, known=known, seed=seed)


def mapped(data: Dataset, n_components: int, **question: object) -> Fit:
    """The best fit with everything known that the data set says is."""
    problem = Problem(data.values(), data.feature_table(), n_components, **question)  # type: ignore[arg-type]
    return fit(problem, seed=0)
