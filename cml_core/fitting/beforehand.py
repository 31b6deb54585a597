"""What fits compile when they are first asked for, compiled before anybody waits for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.solvers.descent import COMPILED_SINGLE_FROM
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable

SMALL, LARGE = 12, COMPILED_SINGLE_FROM


@dataclass(frozen=True)
class Stage:
    """One thing to compile.

    Parameters
    ----------
    words : what is made quick by it.
    share : of the time that all stages take.
    run : compiles it, or loads what was compiled before.
    """

    words: str
    share: float
    run: Callable[[], None]


def _fitted(n_objects: int, *, known: bool, scales: tuple[str, ...] = (RATIO,)) -> None:
    """One step of a fit on each scale, and what its map tells of each object."""
    places = np.random.default_rng(0).normal(size=(n_objects, 3))
    dissimilarities = Dissimilarities.of(cdist(places, places))
    features = (Feature.numeric("known", places[:, 2]),) if known else ()
    table = FeatureTable(dissimilarities.labels, features)
    for scale in scales:
        problem = Problem(dissimilarities, table, n_components=2, scale=scale)
        fit(problem, n_init=1, max_iter=1, seed=0).object_stress()


# In the order in which a newcomer meets them; shares were measured, with nothing compiled.
STAGES = (
    Stage("the first map", 0.21, partial(_fitted, SMALL, known=False)),
    Stage("known features", 0.1, partial(_fitted, SMALL, known=True)),
    Stage("all scales", 0.3, partial(_fitted, SMALL, known=False, scales=tuple(SCALES))),
    Stage(
        "all scales with known features",
        0.1,
        partial(_fitted, SMALL, known=True, scales=tuple(SCALES)),
    ),
    Stage("larger tables", 0.17, partial(_fitted, LARGE, known=False)),
    Stage("larger tables with known features", 0.12, partial(_fitted, LARGE, known=True)),
)
