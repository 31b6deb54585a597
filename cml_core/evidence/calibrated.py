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
from cml_core.values.answers import FEWEST_PEOPLE
from cml_core.values.arrays import FloatArray, RealArray
from cml_core.values.origin import UNKNOWN, Origin

# No smallest eigenvalue of a mean of groupings, or of correlations, lies farther below zero.
ROUNDING = 1e-9
# Numbers below this are no shares in per cent: somebody parted every two objects that differ.
LEAST_PER_CENT = 50.0
# Of more people shares are so fine that any number may be one.
MOST_PEOPLE = 200
# In 12 data sets of 20 objects without clusters no more than .15 of the pairs were on one level of
# the curve, in 12 with clusters mostly more.
JOINED = 1 / 6
_HANG_TOGETHER = {
    "sorting": "the errors of a sorting hang together, for whoever joins two objects to a third "
    "has joined them to each other, and a table of sortings is no map of distances. On simulated "
    "sortings the test raised up to 92 % false alarms, with single people drawn anew 15 to 50 %",
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
            f'so that counted as "{SCALES[problem.scale].title}" they raised up to 80 % false '
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
    """Whether the numbers could be shares of people, or chords of correlations.

    One less such shares, and one less half the squares of chords, are means of products. So are
    many distances without errors, once they are small enough; hence only shares of whole people
    count, and chords, which with errors of their own are none.
    """
    given = problem.dissimilarities
    if not given.complete:
        return False
    values = given.condensed.astype(np.float64)
    largest = float(values.max())
    shares = values / 100.0 if LEAST_PER_CENT <= largest <= 100.0 else values
    if shares.max() <= 1.0 and _of_whole_people(shares):
        return _is_mean_of_products(1.0 - shares)
    return 1.0 < largest <= 2.0 and _is_mean_of_products(1.0 - values**2 / 2.0)


def _of_whole_people(shares: FloatArray) -> bool:
    """Whether all are multiples of one share that is not too small."""
    people = np.arange(FEWEST_PEOPLE, MOST_PEOPLE + 1)[:, None]
    counts = people * shares
    whole: bool = bool((np.abs(counts - np.round(counts)) < ROUNDING).all(axis=1).any())
    return whole


def _is_mean_of_products(products: FloatArray) -> bool:
    square = squareform(products)
    np.fill_diagonal(square, 1.0)
    return bool(np.linalg.eigvalsh(square)[0] >= -ROUNDING)
