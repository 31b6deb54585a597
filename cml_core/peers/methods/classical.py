"""Classical scaling, which is principal components where the dissimilarities are Euclidean."""

from __future__ import annotations

import numpy as np

from cml_core.peers.method import AXES, NOBODY, Asked, Drawn, Method
from cml_core.peers.spectra import coordinates, leading, negative_share, products_of_distances
from cml_core.values.arrays import FloatArray
from cml_core.values.words import percent


def drawn_classically(square: FloatArray, n_components: int) -> Drawn:
    """The leading axes of -½ J δ² J.

    Parameters
    ----------
    square : (N, N) δ; it is used up.
    """
    products = products_of_distances(square)
    values, vectors = leading(products, n_components)
    complete = values.size == len(products)
    below = negative_share(values) if complete else 0.0
    told = (
        f"{percent(below)} of what classical scaling decomposes is negative: these are not quite "
        "distances between points, and that part cannot be drawn.",
    )
    total = float(np.maximum(values, 0.0).sum()) if complete else float(np.trace(products))
    shown = float(np.maximum(values[:n_components], 0.0).sum()) / total
    return Drawn(coordinates(values, vectors), shown, remarks=told if below > 0 else ())


def _draw(asked: Asked) -> Drawn:
    return drawn_classically(asked.square(), asked.n_components)


METHOD = Method(
    "classical",
    "PCA (classical scaling)",
    "Turns all dissimilarities into one cloud of points and shows it from its widest side.",
    NOBODY,
    AXES,
    "Axes and distances mean something; groups that differ in a third direction lie on top of "
    "each other.",
    "share of the spread that is shown",
    _draw,
    lower_is_better=False,
    at_first=True,
    lesson="dimensions",
)
