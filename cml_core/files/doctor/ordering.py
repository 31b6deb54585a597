"""An order of the objects in which those that are alike are neighbours, for a heat map."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage

from cml_core.fitting.gaps import filled_square
from cml_core.fitting.solvers.closed_form import closed_form
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.dissimilarities import Dissimilarities

# The best order of leaves takes a time that grows with the cube of the number of objects.
CLUSTERED_UP_TO = 500


def ordered(dissimilarities: Dissimilarities) -> IntArray:
    """(N,) places of the objects in an order in which those that are alike are neighbours.

    Up to 500 objects are clustered by average linkage, and the leaves of the tree turned so
    that neighbours are as near as can be (Bar-Joseph and others 2001). More are put in the
    order of their first principal coordinate. Gaps are filled with the way around them.
    """
    n = dissimilarities.n_objects
    values = np.asarray(dissimilarities.condensed, dtype=np.float64)
    # Squares and sums of huge values are infinite; the order does not depend on the unit.
    scaled = values / np.nanmax(values)
    square = filled_square(scaled, np.isnan(scaled), n)
    if n <= CLUSTERED_UP_TO:
        return _leaves(square)
    first = closed_form(square, np.zeros((n, 0)), 1, False, 0.0)[0][:, 0]
    return np.argsort(first, kind="stable")


def _leaves(square: FloatArray) -> IntArray:
    tree = linkage(square[np.triu_indices(len(square), 1)], "average", optimal_ordering=True)
    order: IntArray = leaves_list(tree).astype(np.int64)
    return order
