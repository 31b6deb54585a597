"""How likely it is that a power of the dissimilarities is a distance with an error.

The model is δᵍ = d + e, e ~ N(0, (s dᵃ)²): some power g of the dissimilarities is a distance, and
its error grows with the a-th power of that distance (0 additive, 1 multiplicative). Which distances
are fitted to δᵍ, and how, is the business of whoever asks: here are arrays in, floats out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from cml_core.values.arrays import FloatArray

# The fourth power of d² and the third root of d are further off than any scale in use.
POWERS = (0.35, 4.0)
EXPONENTS = (0.0, 1.0)
# Against a distance of nought any error is infinitely many standard deviations, and two objects
# drawn in one place would decide the power alone.
SMALLEST_DISTANCE = 0.01
# Errors below this, where dissimilarities are of order one, are rounding.
ROUNDING = 1e-10
# At most so many powers are fitted, from 1 outwards; neighbours lie this far apart at first, in
# logarithms. The likelihood is flat at its top, so that halving this three times is enough.
MOST_POWERS = 12
FIRST_STEP = 0.3
LAST_STEP = 0.04


class _Pairs(NamedTuple):
    """The pairs that count: log δ, log d (none below the smallest), δᵍ - d, and how often each."""

    log_delta: FloatArray
    log_distance: FloatArray
    residual: FloatArray
    counts: FloatArray


def log_likelihood(
    delta: FloatArray, distances: FloatArray, power: float, exponent: float, weights: FloatArray
) -> float:
    """The logarithm of the likelihood, up to a constant that is the same for every power.

    Of M pairs it is -(M/2) log mean((δᵍ - d)²/d²ᵃ) - a Σ log d + M log g + (g - 1) Σ log δ. The
    last two terms are the Jacobian of δ → δᵍ: without them the smallest power always wins.

    Parameters
    ----------
    delta : condensed, in a unit in which they are of order one; which one adds a constant. Pairs
        at zero are left out, for zero is zero at any power.
    distances : condensed, fitted to δᵍ.
    power : g.
    exponent : a.
    weights : how often a pair counts, relative to the others, 0 where missing; empty where each
        counts once.
    """
    pairs = _pairs(delta, distances, power, weights)
    return _of_errors(pairs, exponent) + _of_jacobian(pairs, power)


def best_exponent(
    delta: FloatArray, distances: FloatArray, power: float, weights: FloatArray
) -> float:
    """The a between 0 and 1 that is most likely at this power; arguments as above."""
    pairs = _pairs(delta, distances, power, weights)
    # In a the likelihood is a straight line less the logarithm of a sum of exponentials: concave,
    # so that a bounded search cannot end at a second maximum. The ends it only comes near to.
    found = minimize_scalar(
        lambda exponent: -_of_errors(pairs, exponent), bounds=EXPONENTS, method="bounded"
    )
    return max((*EXPONENTS, float(found.x)), key=lambda exponent: _of_errors(pairs, exponent))


@dataclass(frozen=True)
class LikelyPower:
    """The most likely power, and how much likelier it is than none.

    Parameters
    ----------
    power : g, between .35 and 4.
    gain : twice the difference of its logarithmic likelihood to that of g = 1; 3.84 or more would
        happen in 5 % of data sets on a ratio scale.
    """

    power: float
    gain: float


def likely_power(likelihood: Callable[[float], float], last_step: float = LAST_STEP) -> LikelyPower:
    """Look for the most likely power, from 1 outwards, each next to one that was looked at.

    Parameters
    ----------
    likelihood : of a power, its logarithm, with the distances fitted to that power; called at most
        a dozen times, so that a fit can begin where that of the nearest power ended.
    last_step : how far apart, in logarithms, the last powers lie that are compared.
    """
    seen = {0.0: likelihood(1.0)}
    best, step = 0.0, FIRST_STEP
    while len(seen) < MOST_POWERS and step >= last_step:
        for beside in (best - step, best + step):
            inside = float(np.clip(beside, *np.log(POWERS)))
            if inside not in seen and len(seen) < MOST_POWERS:
                seen[inside] = likelihood(float(np.exp(inside)))
        highest = max(seen, key=lambda at: seen[at])
        if highest == best:
            step /= 2
        best = highest
    return LikelyPower(float(np.exp(best)), 2.0 * (seen[best] - seen[0.0]))


def _pairs(delta: FloatArray, distances: FloatArray, power: float, weights: FloatArray) -> _Pairs:
    counting = delta > 0
    if weights.size:
        counting &= weights > 0
    present, fitted = delta[counting], distances[counting]
    count = weights[counting] / weights[counting].mean() if weights.size else np.ones(present.size)
    floored = np.maximum(fitted, SMALLEST_DISTANCE * fitted.mean())
    return _Pairs(np.log(present), np.log(floored), present**power - fitted, count)


def _of_errors(pairs: _Pairs, exponent: float) -> float:
    in_all = float(pairs.counts.sum())
    relative = pairs.residual * np.exp(-exponent * pairs.log_distance)
    mean_square = max(float(pairs.counts @ relative**2) / in_all, ROUNDING**2)
    spread = exponent * float(pairs.counts @ pairs.log_distance)
    return -0.5 * in_all * float(np.log(mean_square)) - spread


def _of_jacobian(pairs: _Pairs, power: float) -> float:
    in_all = float(pairs.counts.sum())
    return in_all * float(np.log(power)) + (power - 1.0) * float(pairs.counts @ pairs.log_delta)
