"""Whether the values are distances as they are, or only after a power that bends them straight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.files.doctor.findings import ODD, Finding, how_to_fit
from cml_core.files.doctor.pair_table import PairTable
from cml_core.fitting.power_scale import LikelyPower, best_exponent, likely_power, log_likelihood
from cml_core.fitting.solvers.columns import standardise
from cml_core.fitting.solvers.descent import descend
from cml_core.fitting.solvers.objective import build_objective
from cml_core.fitting.solvers.starts import informed_start
from cml_core.values.arrays import BoolArray, FloatArray
from cml_core.values.columns import is_constant

# More objects are judged by so many of them: 40 take about 0.1 s.
OBJECTS = 40
SEED = 0
# Known pairs, as many times as there are objects. With fewer, maps of several dimensions fit any
# power: at 6.6 times, one table in six was found bent without being so.
FEWEST_PAIRS = 8
# An object with fewer partners than it has coordinates would have no place.
FEWEST_PARTNERS = 8
MOST_DIMENSIONS = 6
MOST_STEPS, TOLERANCE = 300, 1e-5
# How many dimensions a map needs is not known here, and too few of them look like a power as well.
# So more is asked for than the 3.84 that would do for a given map. By that, of 40 undistorted
# tables a kind up to .45 were called bent at 20 objects in 5 dimensions, and .97 in 12. By these
# two, with noise of eight kinds, none at 20 objects and at most .07 at 40 (5 % outliers); in 8
# dimensions .03 and .00, in 12 .38 and .05. Roots, powers of .7, a constant, saturation and squares
# in 2 and 5 dimensions were always found.
GAIN, LEAST_BEND = 40.0, 0.2
LAST_STEP = 0.15


class _Sample(NamedTuple):
    """Dissimilarities of order one, weights of mean one (empty for unit weights), and gaps."""

    n_objects: int
    delta: FloatArray
    weights: FloatArray
    missing: BoolArray


def scale_findings(table: PairTable) -> Iterator[Finding]:
    """Values that are bent: large ones pressed together, or drawn apart."""
    likely = power_of(table)
    if likely is None or likely.gain <= GAIN or abs(np.log(likely.power)) < LEAST_BEND:
        return
    if likely.power > 1:
        bent, like = "pressed together", "square roots of distances"
    else:
        bent, like = "drawn apart", "squares of distances"
    judged = f", judged by {OBJECTS} objects" if table.n_objects > OBJECTS else ""
    yield Finding(
        "bent",
        ODD,
        f"Large values are {bent}, in the way of {like} (these are most like distances to the "
        f"power {1 / likely.power:.2g}{judged}).",
        "Taken as distances they would need dimensions that are not there, and what is tested on "
        f"the map would find hidden features that do not exist. {how_to_fit('power')}",
        advised_scale="power",
    )


def power_of(table: PairTable) -> LikelyPower | None:
    """The power that makes the values most like distances; None where too few pairs are known."""
    sample = _sample(table)
    if sample is None:
        return None
    return likely_power(lambda power: _best_of_dimensions(sample, power), LAST_STEP)


def _sample(table: PairTable) -> _Sample | None:
    chosen = np.arange(table.n_objects)
    if table.n_objects > OBJECTS:
        # From a fixed seed, so that a table has the same findings whenever it is looked at.
        random = np.random.default_rng(SEED)
        chosen = np.sort(random.choice(table.n_objects, OBJECTS, replace=False))
    values = table.square[np.ix_(chosen, chosen)]
    partners = (~np.isnan(values)).sum(axis=1)
    if partners.sum() < 2 * FEWEST_PAIRS * chosen.size or partners.min() < FEWEST_PARTNERS:
        return None
    condensed = values[np.triu_indices(chosen.size, 1)]
    missing = np.isnan(condensed)
    delta = np.where(missing, 0.0, condensed / table.largest)
    if is_constant(delta[~missing]):
        return None
    delta /= np.sqrt(np.mean(delta[~missing] ** 2))
    if not missing.any():
        return _Sample(chosen.size, delta, np.empty(0), np.empty(0, bool))
    return _Sample(chosen.size, delta, ~missing / np.mean(~missing), missing)


def _best_of_dimensions(sample: _Sample, power: float) -> float:
    """The likelihood of a power, for as many dimensions as suit it best."""
    return max(_likelihood(sample, power, p) for p in range(1, MOST_DIMENSIONS + 1))


def _likelihood(sample: _Sample, power: float, n_components: int) -> float:
    """The logarithm of the likelihood, less what so many coordinates gain by chance."""
    n, pairs = sample.n_objects, int((sample.delta > 0).sum())
    # Akaike's criterion with the correction for few data (Hurvich and Tsai 1989); U up to a motion.
    fitted = n * n_components - n_components * (n_components + 1) / 2
    if pairs <= fitted + 1:
        return -np.inf
    delta = sample.delta**power
    columns = standardise(np.zeros((n, 0)), np.empty(0, dtype=np.int64), delta)
    objective = build_objective(delta, sample.weights, columns, n, n_components, False)
    start = informed_start(objective, sample.missing, np.random.default_rng(SEED))
    found = descend(objective, start, MOST_STEPS, TOLERANCE).configuration
    distances = pdist(found.embedding)
    exponent = best_exponent(sample.delta, distances, power, sample.weights)
    likelihood = log_likelihood(sample.delta, distances, power, exponent, sample.weights)
    return likelihood - fitted * pairs / (pairs - fitted - 1)
