"""One map for many people: weights of their own are found, whatever numbers they use."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.errors import LabelMismatch
from cml_core.fitting.geodesics import Neighbourhood
from cml_core.fitting.individuals import IndividualFit, common_fit, individual_fit
from cml_core.fitting.people import UnsuitableAnswers, people_of
from cml_core.fitting.scales.registry import SCALES
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray

OBJECTS = PEOPLE = 20


class Simulated(NamedTuple):
    """Answers of people who weigh two hidden dimensions and what is known in ways of their own."""

    answers: Answers
    known: FeatureTable
    weights: FloatArray


def simulated(seed: int, *, known: int = 1, noise: float = 0.1, people: int = PEOPLE) -> Simulated:
    random = np.random.default_rng(seed)
    places = random.normal(size=(OBJECTS, 2 + known))
    weights = np.sqrt(random.gamma(2.0, 0.5, size=(people, 2 + known)))
    weights *= np.exp(0.3 * random.normal(size=people))[:, None]
    distances = np.array([pdist(places * own) for own in weights])
    values = np.abs(distances * (1 + noise * random.normal(size=distances.shape)))
    labels = tuple(f"object {k}" for k in range(OBJECTS))
    features = tuple(Feature.numeric(f"F{k}", places[:, 2 + k]) for k in range(known))
    names = tuple(f"person {k}" for k in range(people))
    return Simulated(Answers.once(labels, names, values), FeatureTable(labels, features), weights)


def problem_of(data: Simulated, **options: object) -> Problem:
    mean = Dissimilarities(data.answers.labels, data.answers.mean)
    return Problem(mean, data.known, **options)  # type: ignore[arg-type]


def weighed(data: Simulated, **options: object) -> IndividualFit:
    problem = problem_of(data, **options)
    mean = fit(problem, n_init=5, seed=0)
    return individual_fit(problem, people_of(problem, data.answers, mean.power), mean.best)


def recovered(found: FloatArray, true: FloatArray, hidden: int = 2) -> list[float]:
    """Correlations over people, hidden dimensions matched as well as can be."""
    between = np.corrcoef(found.T, true.T)[: true.shape[1], true.shape[1] :]
    best = max(
        permutations(range(hidden)),
        key=lambda order: sum(between[o, k] for k, o in enumerate(order)),
    )
    own = [between[o, k] for k, o in enumerate(best)]
    return [*own, *np.diag(between)[hidden:]]


def shares(weights: FloatArray) -> FloatArray:
    share: FloatArray = weights**2 / (weights**2).sum(axis=1, keepdims=True)
    return share


@pytest.mark.parametrize("known", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_weights_of_simulated_people_are_recovered(seed: int, known: int) -> None:
    data = simulated(seed, known=known)
    assert min(recovered(weighed(data).weights, data.weights)) > 0.95


@pytest.mark.parametrize("scale", ["ratio", "interval", "ordinal"])
def test_weights_are_recovered_from_seven_points(scale: str) -> None:
    data = simulated(0)
    values = data.answers.values
    most = np.quantile(values, 0.97, axis=1, keepdims=True)
    points = np.clip(np.ceil(7 * values / most), 1, 7)
    rated = data._replace(answers=Answers.once(data.answers.labels, data.answers.people, points))
    # Everybody uses all seven points, so that only what dimensions make of each can be found.
    found = weighed(rated, scale=scale)
    assert min(recovered(shares(found.weights), shares(data.weights))) > 0.95


def test_weights_are_recovered_where_half_of_the_answers_are_missing() -> None:
    data = simulated(1)
    gaps = np.random.default_rng(0).random(data.answers.values.shape) < 0.5
    values = np.where(gaps, np.nan, data.answers.values)
    some = data._replace(answers=Answers.once(data.answers.labels, data.answers.people, values))
    assert min(recovered(weighed(some).weights, data.weights)) > 0.95


def test_exact_answers_are_explained_exactly() -> None:
    found = weighed(simulated(2, noise=0.0))
    # It stops where a step gains less than a billionth of what is left, far below any noise.
    assert found.path[-1] < 1e-9


@pytest.mark.parametrize("scale", SCALES)
def test_what_is_left_never_rises_and_is_less_than_where_all_weigh_alike(scale: str) -> None:
    data = simulated(3, noise=0.3)
    problem = problem_of(data, scale=scale)
    mean = fit(problem, n_init=3, seed=0)
    people = people_of(problem, data.answers, mean.power)
    own = individual_fit(problem, people, mean.best)
    alike = common_fit(problem, people, mean.best)
    for found in (own, alike):
        assert found.converged
        assert (np.diff(found.path) <= 0).all()
        # Whole at the last step, person by person after it.
        assert found.path[-1] == pytest.approx(found.unexplained.mean(), rel=1e-9)
    assert own.path[-1] < alike.path[-1]


def test_large_numbers_of_one_person_are_large_weights_and_change_nothing_else() -> None:
    data = simulated(5)
    values = np.array(data.answers.values)
    values[3] *= 8.0
    louder = data._replace(answers=Answers.once(data.answers.labels, data.answers.people, values))
    problem = problem_of(data)
    mean = fit(problem, n_init=5, seed=0)
    before, after = (
        individual_fit(problem, people_of(problem, one.answers), mean.best)
        for one in (data, louder)
    )
    # Descents end where steps gain less than 1e-9; weights are known to about its root.
    assert after.shares == pytest.approx(before.shares, abs=1e-4)
    assert after.unexplained == pytest.approx(before.unexplained, rel=1e-4)
    assert after.distances()[3] == pytest.approx(8 * before.distances()[3], rel=1e-3)


def test_on_the_ordinal_scale_everybody_may_bend_numbers_in_an_own_way() -> None:
    data = simulated(6)
    bent = np.array(data.answers.values)
    bent[::2] = np.exp(bent[::2])
    problem = problem_of(data, scale="ordinal")
    mean = fit(problem, n_init=5, seed=0)
    before, after = (
        individual_fit(problem, people_of(problem, answers), mean.best)
        for answers in (
            data.answers,
            Answers.once(data.answers.labels, data.answers.people, bent),
        )
    )
    assert np.array_equal(before.weights, after.weights)


def test_weights_have_a_mean_square_of_one_and_distances_are_nearest_to_the_answers() -> None:
    data = simulated(7)
    found = weighed(data)
    assert (found.weights >= 0).all()
    assert (found.weights**2).mean(axis=0) == pytest.approx(1.0)
    assert found.shares.sum(axis=1) == pytest.approx(1.0)
    values, distances = data.answers.values, found.distances()
    multiple = (values * distances).sum(axis=1) / (distances**2).sum(axis=1)
    assert multiple == pytest.approx(1.0)
    left = ((values - distances) ** 2).sum(axis=1) / (values**2).sum(axis=1)
    assert left == pytest.approx(found.unexplained)


def test_the_order_of_people_does_not_matter() -> None:
    data = simulated(8)
    order = np.random.default_rng(0).permutation(PEOPLE)
    turned = Answers.once(
        data.answers.labels,
        tuple(data.answers.people[k] for k in order),
        data.answers.values[order],
    )
    problem = problem_of(data)
    mean = fit(problem, n_init=5, seed=0)
    before, after = (
        individual_fit(problem, people_of(problem, answers), mean.best)
        for answers in (data.answers, turned)
    )
    assert after.weights == pytest.approx(before.weights[order], abs=1e-3)


def test_people_who_all_answer_alike_have_the_map_of_the_mean() -> None:
    data = simulated(9, noise=0.2)
    values = np.tile(data.answers.values[0], (5, 1))
    same = data._replace(answers=Answers.once(data.answers.labels, data.answers.people[:5], values))
    problem = problem_of(same, coef="diagonal")
    mean = fit(problem, seed=0)
    alike = common_fit(problem, people_of(problem, same.answers), mean.best)
    # Both minimise the same over the same; each to 1e-9 of it a step.
    assert alike.path[-1] == pytest.approx(mean.stress, rel=1e-6)
    assert np.ptp(alike.weights, axis=0) == pytest.approx(0.0)


def test_groups_keep_the_shape_that_they_have_on_the_map_of_the_mean() -> None:
    data = simulated(10)
    group = Feature.categorical("Group", [("a", "b", "c")[k % 3] for k in range(OBJECTS)])
    grouped = data._replace(known=data.known.with_feature(group))
    problem = problem_of(grouped)
    mean = fit(problem, n_init=3, seed=0)
    found = individual_fit(problem, people_of(problem, data.answers), mean.best)
    own = problem.encoding.block == 1
    theirs = pdist(mean.known_values[:, own] @ mean.coef[own])
    ours = pdist(found.columns[:, found.block == 1])
    apart = theirs > 1e-6 * theirs.max()
    assert ours[apart] / theirs[apart] == pytest.approx((ours[apart] / theirs[apart])[0])


def test_who_answers_all_alike_or_too_little_is_left_out() -> None:
    data = simulated(11, people=6)
    values = np.array(data.answers.values)
    values[1] = 3.0
    values[4, 3:] = np.nan
    some = Answers.once(data.answers.labels, data.answers.people, values)
    people = people_of(problem_of(data), some)
    assert people.left_out == ("person 1", "person 4")
    assert people.names == ("person 0", "person 2", "person 3", "person 5")
    few = Answers.once(data.answers.labels, data.answers.people[:3], values[:3])
    with pytest.raises(UnsuitableAnswers, match="Of 3 people, 2"):
        people_of(problem_of(data), few)


def test_what_cannot_be_asked_of_single_people_is_refused_in_words() -> None:
    data = simulated(12)
    with pytest.raises(UnsuitableAnswers, match="geodesics"):
        people_of(problem_of(data, neighbourhood=Neighbourhood(n_neighbors=5)), data.answers)
    with pytest.raises(UnsuitableAnswers, match="how large their numbers are"):
        people_of(problem_of(data, n_components=0), data.answers)
    other = replace(data.answers, labels=tuple(reversed(data.answers.labels)))
    with pytest.raises(LabelMismatch, match="same objects"):
        people_of(problem_of(data), other)
