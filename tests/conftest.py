"""For all tests: examples that are the same anywhere, and loops compiled before the first one."""

from __future__ import annotations

import os

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from cml_core import Dissimilarities, FeatureTable, Problem, fit

# A busy machine is slow, which is no failure; `make fuzz` looks for other examples.
settings.register_profile(
    "anywhere",
    deadline=None,
    derandomize="CML_FUZZ" not in os.environ,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("anywhere")

# As many objects as have a fit go down in double precision, in single, and over threads.
SIZES = (5, 120, 620)
# What is compiled for one scale but the ratio scale serves all.
SCALES = ("ratio", "ordinal")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile once, before processes are begun that would each do it, and wait for it."""
    if not hasattr(session.config, "workerinput") and not numba.config.DISABLE_JIT:
        for n in SIZES:
            data = Dissimilarities.from_condensed(np.arange(1.0, n * (n - 1) // 2 + 1))
            for scale in SCALES:
                problem = Problem(data, FeatureTable(data.labels), scale=scale)
                _ = fit(problem, n_init=1, max_iter=1, seed=0).scaled
