"""Closed lines around places: what share of them they hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from cml_core.evidence.outlines import outlines, reach


def inside(gaps, covariance, people=0):
    within = np.einsum("ri,ij,rj->r", gaps, np.linalg.inv(covariance), gaps)
    return (within <= reach(0.95, gaps.shape[1], people)).mean()


@pytest.mark.parametrize("dimensions", [1, 2])
def test_known_spreads_need_no_more_than_the_normal_distribution(dimensions):
    assert reach(0.95, dimensions, 0) == pytest.approx(chi2.ppf(0.95, dimensions), rel=1e-12)


@pytest.mark.parametrize("people", [5, 16, 40])
def test_spreads_that_few_people_tell_hold_as_much(people):
    random = np.random.default_rng(people)
    held, too_narrow = [], []
    for _ in range(4000):
        # Skewed, and not as the method supposes.
        answers = random.gamma(4.0, 1.0, (people, 2)) - 4.0
        covariance = np.cov(answers.T) / people
        held.append(inside(answers.mean(axis=0)[None], covariance, people))
        too_narrow.append(inside(answers.mean(axis=0)[None], covariance))
    assert 0.90 <= np.mean(held) <= 0.97
    assert np.mean(held) > np.mean(too_narrow)


def test_outlines_of_a_line_are_flat_and_those_of_a_plane_closed():
    flat = outlines(np.zeros((3, 1)), np.ones((3, 1, 1)), 0.95, 12)
    assert np.all(flat[:, :, 1] == 0.0)
    assert flat[:, :, 0].max() == pytest.approx(np.sqrt(chi2.ppf(0.95, 1)))
    drawn = outlines(np.ones((3, 2)), np.broadcast_to(np.eye(2), (3, 2, 2)), 0.95, 12)
    assert np.allclose(drawn[:, 0], drawn[:, -1])
    assert np.allclose(np.linalg.norm(drawn - 1.0, axis=2), np.sqrt(chi2.ppf(0.95, 2)))
