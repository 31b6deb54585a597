"""What is left of many people's answers, its gradient, and the way down."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core.fitting.scales.registry import SCALES
from cml_core.fitting.scales.scale import Judged
from cml_core.fitting.solvers.individual_descent import (
    Judgements,
    Stretched,
    _Evaluation,
    descend_together,
)
from cml_core.values.arrays import FloatArray

OBJECTS, PEOPLE = 8, 3
CURVED = ("interval", "spline", "ordinal")


def judged(scale: str, *, seed: int = 0) -> tuple[Judgements, Stretched]:
    """Answers of three people, some missing, and a start with two hidden dimensions."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(OBJECTS, 4))
    weights = random.uniform(0.3, 1.5, size=(PEOPLE, 3))
    group = np.array([0, 1, 2, 2])
    values = np.array([pdist(places * own[group]) for own in weights])
    values *= random.uniform(0.8, 1.2, values.shape)
    counts = random.integers(0, 3, values.shape).astype(float)
    admits = SCALES[scale].admits
    admissible = ()
    if admits is not None:
        admissible = tuple(
            admits(Judged(value, count > 0, count, "primary"))
            for value, count in zip(values, counts, strict=True)
        )
    start = Stretched(places[:, :2], places[:, 2:], np.zeros(2, np.int64), np.ones((PEOPLE, 3)))
    return Judgements(values, counts, admissible), start


def distances_of(stretched: Stretched) -> FloatArray:
    return np.array([pdist(stretched.points(k)) for k in range(PEOPLE)])


@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("scale", ["ratio", *CURVED])
def test_the_gradient_is_that_of_what_is_left(scale: str, common: bool) -> None:
    judgements, start = judged(scale)
    random = np.random.default_rng(1)
    evaluate = _Evaluation(judgements, start, common)
    y = evaluate.start * random.uniform(0.8, 1.2, evaluate.start.size)
    gradient, unused = np.zeros(y.size), np.zeros(y.size)
    evaluate(y, gradient)
    for place in range(y.size):
        step = np.zeros(y.size)
        step[place] = 1e-6
        slope = (evaluate(y + step, unused) - evaluate(y - step, unused)) / 2e-6
        # Differences of numbers near one, over 2e-6, are off by some 1e-10.
        assert slope == pytest.approx(gradient[place], abs=1e-8)


@pytest.mark.parametrize("scale", ["ratio", *CURVED])
def test_what_is_left_is_the_mean_over_answers_of_what_is_left_of_each_person(scale: str) -> None:
    judgements, start = judged(scale)
    evaluate = _Evaluation(judgements, start, common=False)
    value = evaluate(evaluate.start, np.zeros(evaluate.start.size))
    answers = judgements.counts.sum(axis=1)
    left = judgements.left(distances_of(start))
    assert value == pytest.approx(np.average(left, weights=answers))


def test_on_the_ratio_scale_what_is_left_is_one_minus_the_squared_cosine() -> None:
    judgements, start = judged("ratio")
    distances = distances_of(start)
    for k, left in enumerate(judgements.left(distances)):
        count, given, own = judgements.counts[k], judgements.given[k], distances[k]
        cosine = (count * given) @ own / np.sqrt((count @ given**2) * (count @ own**2))
        assert left == pytest.approx(1 - cosine**2)


@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("scale", ["ratio", *CURVED])
def test_the_way_goes_down_only_and_ends_where_the_slope_vanishes(scale: str, common: bool) -> None:
    judgements, start = judged(scale, seed=2)
    found = descend_together(judgements, start, common=common, max_iter=400, tolerance=1e-10)
    assert (np.diff(found.path) <= 0).all()
    evaluate = _Evaluation(judgements, found.found, common)
    gradient = np.zeros(evaluate.start.size)
    evaluate(evaluate.start, gradient)
    # A step that gains 1e-10 has a slope of about its root.
    assert np.abs(gradient).max() < 1e-3
    assert found.path[-1] < found.path[0]


def test_who_answered_nought_to_everything_pulls_nothing() -> None:
    judgements, start = judged("ratio")
    silent = np.array(judgements.given)
    silent[1] = 0.0
    evaluate = _Evaluation(Judgements(silent, judgements.counts), start, common=False)
    gradient = np.zeros(evaluate.start.size)
    assert np.isfinite(evaluate(evaluate.start, gradient))
    own = gradient[-9:].reshape(PEOPLE, 3)
    assert not own[1].any()
    assert own[0].any()
    assert own[2].any()
