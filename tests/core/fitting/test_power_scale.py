"""The likelihood of a power of the dissimilarities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from cml_core.fitting.power_scale import best_exponent, likely_power, log_likelihood

UNIT = np.empty(0)


def distances_and_noisy(power: float, exponent: float, seed: int, pairs: int = 4000):
    """Distances, and dissimilarities of which this power is such a distance with an error."""
    random = np.random.default_rng(seed)
    distances = random.uniform(0.5, 1.5, pairs)
    noisy = distances + 0.05 * distances**exponent * random.standard_normal(pairs)
    return distances, noisy ** (1 / power)


@pytest.mark.parametrize("power", [0.5, 1.0, 2.5])
@pytest.mark.parametrize("exponent", [0.0, 0.7])
def test_it_is_the_density_of_the_model_at_its_most_likely_spread(power, exponent):
    distances, delta = distances_and_noisy(power, exponent, 1, pairs=50)
    scale = np.sqrt(np.mean(((delta**power - distances) / distances**exponent) ** 2))
    density = norm.logpdf(delta**power, distances, scale * distances**exponent)
    change_of_variable = np.log(power * delta ** (power - 1))
    # The logarithm of (2πe)^(M/2) is what the formula leaves out.
    expected = (density + change_of_variable).sum() + 25 * np.log(2 * np.pi * np.e)
    found = log_likelihood(delta, distances, power, exponent, UNIT)
    assert found == pytest.approx(expected, rel=1e-12)


def test_the_unit_of_the_data_adds_the_same_to_every_power():
    distances, delta = distances_and_noisy(0.7, 0.5, 2, pairs=60)
    added = [
        log_likelihood(3 * delta, 3**power * distances, power, exponent, UNIT)
        - log_likelihood(delta, distances, power, exponent, UNIT)
        for power in (0.4, 1.0, 3.0)
        for exponent in (0.0, 0.6, 1.0)
    ]
    assert added == pytest.approx(np.full(9, -60 * np.log(3)), rel=1e-10)


@pytest.mark.parametrize("exponent", [0.0, 0.4, 1.0])
def test_the_growth_of_the_error_is_found(exponent):
    distances, delta = distances_and_noisy(1.0, exponent, 3)
    # Its standard error with 4000 pairs is 1/√(2 · 4000 · var log d) = .038.
    assert best_exponent(delta, distances, 1.0, UNIT) == pytest.approx(exponent, abs=0.12)


def test_an_error_that_is_a_share_of_the_distance_is_found_at_the_very_end():
    distances = np.linspace(0.1, 2.0, 200)
    delta = distances + np.tile([0.05, -0.05], 100) * distances**1.5
    assert best_exponent(delta, distances, 1.0, UNIT) == 1.0


@pytest.mark.parametrize("power", [0.45, 0.7, 1.6, 3.0])
def test_the_power_is_found_where_the_distances_are_known(power):
    distances, delta = distances_and_noisy(power, 0.5, 4)

    def likelihood(g: float) -> float:
        scale = (delta**g @ distances) / (distances @ distances)
        a = best_exponent(delta, scale * distances, g, UNIT)
        return log_likelihood(delta, scale * distances, g, a, UNIT)

    found = likely_power(likelihood)
    # The last step of the search is .04 of a power.
    assert found.power == pytest.approx(power, rel=0.05)
    # What a parameter gains by chance in 5 % of cases, χ² with one degree of freedom.
    assert found.gain > 3.84


def test_no_more_than_a_dozen_powers_are_asked_for_and_none_outside_of_its_bounds():
    asked: list[float] = []

    def rising(power: float) -> float:
        asked.append(power)
        return power

    assert likely_power(rising).power == pytest.approx(4.0)
    assert len(asked) == len(set(asked)) <= 12
    assert asked[0] == 1.0
    assert max(asked) == pytest.approx(4.0)


def test_where_no_power_is_likelier_there_is_no_gain():
    found = likely_power(lambda power: -abs(np.log(power)))
    assert (found.power, found.gain) == (1.0, 0.0)


def test_a_pair_that_weighs_twice_counts_as_two_and_one_without_weight_as_none():
    distances, delta = distances_and_noisy(0.8, 0.3, 5, pairs=30)
    weights = np.tile([1.0, 2.0, 0.0], 10)
    repeated = np.repeat(np.arange(30), weights.astype(int))
    one = [log_likelihood(delta, distances, g, 0.3, weights) for g in (0.8, 1.3)]
    other = [log_likelihood(delta[repeated], distances[repeated], g, 0.3, UNIT) for g in (0.8, 1.3)]
    # Weights are relative: 20 pairs of them count as 20, not as 30.
    assert one[1] - one[0] == pytest.approx((other[1] - other[0]) * 20 / 30, rel=1e-10)


def test_zeros_and_exact_fits_have_a_finite_likelihood():
    exact = np.array([0.0, 0.5, 1.0, 2.0])
    assert np.isfinite(log_likelihood(exact, exact, 1.0, 1.0, UNIT))
    assert np.isfinite(log_likelihood(exact, np.array([0.3, 0.0, 1.0, 2.0]), 1.0, 1.0, UNIT))
