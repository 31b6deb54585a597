"""Compiled loops over a list of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.fitting.kernels import COINCIDENT
from cml_core.values.compiling import compiled


@compiled(fast=True)
def pull_pairs(first: Any, second: Any, delta: Any, unit: float, X: Any, G: Any) -> float:
    """Add (H - C) X of (9) and (13) to G, both (N, d); the stress (4) of the pairs."""
    dimensions = X.shape[1]
    stress = 0.0
    for k in range(delta.size):
        i, j = first[k], second[k]
        d2 = COINCIDENT
        for m in range(dimensions):
            t = X[i, m] - X[j, m]
            d2 += t * t
        inverse = 1.0 / np.sqrt(d2)
        target = delta[k] * unit
        error = d2 * inverse - target
        stress += error * error
        c = 1.0 - target * inverse
        for m in range(dimensions):
            t = c * (X[i, m] - X[j, m])
            G[i, m] += t
            G[j, m] -= t
    return stress
