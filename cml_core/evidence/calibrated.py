"""Where the chance of a false alarm was measured, and why none is given elsewhere.

A test that compares with made data supposes that the errors of pairs are independent, or that
people are. Where they hang together otherwise it gave up to 100 % false alarms, on every scale.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import squareform

from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.scales.ordinal import SCALE as ORDINAL
from cml_core.fitting.scales.registry import SCALES
from cml_core.values.arrays import FloatArray, RealArray
from cml_core.values.origin import UNKNOWN, Origin

# No smallest eigenvalue of a mean of groupings, or of correlations, lies farther below zero.
ROUNDING = 1e-9
# Of 20 objects without clusters no more than .15 of the pairs were on one level of the curve, of
# clustered ones mostly more.
JOINED = 1 / 6
_HANG_TOGETHER = {
    "sorting": "the errors of a sorting hang together, for whoever joins two objects to a third "
    "has joined them to each other, and a table of sortings is no map of distances. On simulated "
    "sortings the test raised 15 to 50 % false alarms, also with single people drawn anew",
    "correlations": "the errors of correlations hang together, for all come from the same cases. "
    "On simulated correlations the test raised up to 100 % false alarms",
    "measurements": "distances that were computed from measurements share the errors of each "
    "object's measurements, and no data without a further feature could be made in that way",
    "counts": "how often this test is wrong about counts has not been measured",
}


def why_no_chance(fit: Fit, origin: Origin) -> str:
    """Why no p-value can be given of data that were made in this way; empty where one can."""
    problem = fit.problem
    if origin.kind in _HANG_TOGETHER:
        return f"No chance is given: {_HANG_TOGETHER[origin.kind]}."
    if origin.kind == "ratings" and problem.scale != ORDINAL.name:
        return (
            "No chance is given: ratings have no zero, and bend towards the ends of their scale, "
            f'so that counted as "{SCALES[problem.scale].title}" they raised up to 60 % false '
            f'alarms. Ask it of the map that counts them as "{ORDINAL.title}".'
        )
    if problem.scale == ORDINAL.name and _joined_by_the_curve(fit):
        return (
            "No chance is given: the curve is level for many pairs that were told apart, as where "
            "objects form clusters and their order says little. There the test raised 27 % false "
            "alarms; ask it of a map that takes the numbers more at their word."
        )
    if origin.kind == UNKNOWN and _looks_summed_up(problem):
        return (
            "No chance is given: these numbers look like shares of people who parted objects, or "
            "like correlations, whose errors hang together. If they are neither, say how they "
            "were made."
        )
    return ""


def _joined_by_the_curve(fit: Fit) -> bool:
    """Whether many pairs with different dissimilarities are drawn as equally far apart."""
    counting = fit.problem.counting
    drawn = _largest_share_alike(fit.scaled[counting])
    return drawn >= JOINED and drawn >= 2 * _largest_share_alike(
        fit.problem.targets.condensed[counting]
    )


def _largest_share_alike(values: RealArray) -> float:
    _, counts = np.unique(values, return_counts=True)
    return float(counts.max() / values.size)


def _looks_summed_up(problem: Problem) -> bool:
    """Whether one less the numbers, or half their squares, are means of products.

    As all shares of sorters and all correlations are; distances with errors are not.
    """
    given = problem.dissimilarities
    if not given.complete:
        return False
    values = given.condensed.astype(np.float64)
    largest = float(values.max())
    if largest > 2.0:
        # Per cent.
        values, largest = values / 100.0, largest / 100.0
    of_products = [1.0 - values] if largest <= 1.0 else []
    if 1.0 < largest <= 2.0:
        of_products += [1.0 - values, 1.0 - values**2 / 2.0]
    return any(_is_mean_of_products(products) for products in of_products)


def _is_mean_of_products(products: FloatArray) -> bool:
    square = squareform(products)
    np.fill_diagonal(square, 1.0)
    return bool(np.linalg.eigvalsh(square)[0] >= -ROUNDING)
