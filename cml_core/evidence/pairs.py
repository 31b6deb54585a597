"""Which pairs are known, and whether they hold the objects together."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from cml_core.fitting.problem import Problem
from cml_core.values.arrays import BoolArray


def counted(problem: Problem) -> BoolArray:
    """(N(N-1)/2,) the pairs that are known and have a weight."""
    weights = problem.pair_weights
    counts: BoolArray = weights > 0 if weights.size else ~problem.targets.missing
    return counts


def connected(pairs: BoolArray, n_objects: int) -> bool:
    """Whether all objects are compared with each other, by way of others at least."""
    first, second = (side[pairs] for side in np.triu_indices(n_objects, 1))
    graph = coo_array((np.ones(first.size), (first, second)), shape=(n_objects, n_objects))
    pieces, _ = connected_components(graph, directed=False)
    return bool(pieces == 1)
