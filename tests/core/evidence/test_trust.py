"""Pairs, neighbours and other optima: does the map show what the dissimilarities say?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold import trustworthiness

from cml_core import Dissimilarities, Feature, FeatureTable, Neighbourhood, Problem, fit
from cml_core.datasets import load_dataset
from cml_core.evidence.map_size import NoMap, as_share, map_spread
from cml_core.evidence.neighbourhoods import Neighbourhoods, neighbourhoods
from cml_core.evidence.neighbours import costs, kept_neighbours, most_costs, ranks_of
from cml_core.evidence.other_optima import Optimum, OtherOptima, other_optima
from cml_core.evidence.shepard import Shepard, shepard

modest = settings(max_examples=15)
seeds = st.integers(0, 2**32 - 1)
# A sum of a few dozen numbers of order one, taken in another order.
SAME_SUM = 1e-12


def placed(problem, embedding):
    """A fit whose map is this one."""
    made = fit(problem, n_init=1, max_iter=0, seed=0)
    return replace(made, best=replace(made.best, embedding=embedding), alternatives=())


def nothing_known(condensed, n_components=2):
    given = Dissimilarities.from_condensed(condensed)
    return Problem(given, FeatureTable(given.labels), n_components=n_components)


def relabelled(problem, order):
    labels = tuple(problem.dissimilarities.labels[i] for i in order)
    moved = problem.weights
    if isinstance(moved, np.ndarray):
        moved = squareform(squareform(moved)[np.ix_(order, order)])
    square = problem.dissimilarities.square()[np.ix_(order, order)]
    return replace(
        problem,
        dissimilarities=Dissimilarities.from_square(square, labels),
        known=problem.known.for_objects(labels),
        weights=moved,
    )


@pytest.fixture(scope="module")
def kinship():
    data = load_dataset("kinship14")
    known = data.feature_table().without("Generation")
    return fit(Problem(data.values(), known), seed=0)


def test_every_pair_that_counts_stands_in_the_shepard_diagram(simulate, stress_of):
    problem = simulate(9, 2, 2, missing_pairs=4, weights="general")
    weights = problem.weights.copy()
    open_pair = int(np.flatnonzero(~problem.targets.missing)[0])
    weights[open_pair] = 0.0
    made = fit(replace(problem, weights=weights), n_init=1, seed=0)
    found = shepard(made)
    assert found.given.size == 36 - 4 - 1
    for name, at in (("given", made.problem.targets.condensed), ("fitted", made.distances())):
        square = squareform(at.astype(float), checks=False)
        assert np.array_equal(getattr(found, name), square[found.first, found.second])
    assert (found.first < found.second).all()
    errors = found.weight @ (found.given - found.fitted) ** 2
    total = found.weight @ found.given**2
    assert errors / total == pytest.approx(stress_of(made.problem, made.points))
    assert not any(array.flags.writeable for array in (found.first, found.given, found.weight))


def test_the_distance_on_the_map_alone_leaves_out_what_is_known(kinship):
    found = shepard(kinship)
    apart = kinship.embedding[found.first] - kinship.embedding[found.second]
    assert found.drawn == pytest.approx(np.linalg.norm(apart, axis=1))
    pairs = np.array([3, 40])
    rows = found.table(pairs).frame()
    assert list(rows["On the map"]) == list(found.drawn[pairs])
    assert list(rows["Off by"]) == list(found.fitted[pairs] - found.given[pairs])


def test_the_map_has_no_column_of_its_own_where_it_makes_all_distances_or_none(simulate):
    for hidden, known in ((0, 2), (2, 0)):
        found = shepard(fit(simulate(8, known, 2, hidden=hidden), n_init=1, seed=0))
        heads = [column.head for column in found.table().columns]
        assert heads == ["One", "Other", "Given", "Fitted", "Off by"]


def test_the_worst_pairs_are_those_with_the_largest_weighted_squared_error(simulate):
    found = shepard(fit(simulate(9, 2, 2, weights="sammon"), n_init=1, seed=0))
    errors = found.weight * (found.given - found.fitted) ** 2
    worst = found.worst(5)
    assert errors[worst] == pytest.approx(np.sort(errors)[::-1][:5])
    assert found.worst(0).size == 0
    assert found.worst(1000).size == found.given.size


def test_the_correlation_is_that_of_the_pairs_each_as_often_as_it_counts():
    random = np.random.default_rng(0)
    given, fitted = random.uniform(1, 2, (2, 10))
    times = random.integers(1, 4, 10)
    names = tuple("abcde")
    first, second = np.triu_indices(5, 1)
    found = Shepard(names, first, second, given, given, fitted, fitted, times.astype(float))
    expected = np.corrcoef(np.repeat(given, times), np.repeat(fitted, times))[0, 1]
    assert found.correlation == pytest.approx(expected)


def test_a_correlation_with_what_does_not_vary_is_undefined_and_said_so():
    made = fit(nothing_known(np.ones(6), 0), seed=0)
    found = shepard(made)
    assert np.isnan(found.correlation)
    assert (found.fitted == 0).all()
    assert "all alike" in found.verdict
    equal = shepard(fit(nothing_known(np.full(6, 0.3), 3), seed=0))
    assert np.isnan(equal.correlation)


@pytest.mark.parametrize(
    ("noise", "words"), [(0.0, "closely"), (0.25, "roughly"), (1.5, "only loosely")]
)
def test_the_shepard_verdict_says_how_closely_and_names_the_worst_pair(simulate, noise, words):
    found = shepard(fit(simulate(15, 1, 2, noise=noise), n_init=5, seed=0))
    assert f"follow the given dissimilarities {words}" in found.verdict
    worst = found.worst(1)[0]
    assert f"{found.labels[found.first[worst]]} and" in found.verdict
    assert found.verdict in repr(found)


@modest
@given(seed=seeds, power=st.sampled_from([-60, 0, 60]))
def test_units_turns_and_names_change_nothing_in_the_trust_of_a_map(simulate, seed, power):
    problem = simulate(13, 2, 2, noise=0.3, seed=seed, missing_pairs=6, weights="general")
    made = fit(problem, n_init=1, seed=0)
    factor, random = 2.0**power, np.random.default_rng(seed)
    order = random.permutation(13)
    turn = np.linalg.qr(random.normal(size=(2, 2)))[0]
    larger = Dissimilarities(
        problem.dissimilarities.labels, factor * problem.dissimilarities.condensed
    )
    changed = relabelled(replace(problem, dissimilarities=larger), order)
    best = replace(
        made.best,
        embedding=factor * (made.embedding @ turn)[order],
        coef=factor * made.coef,
        known_values=made.known_values[order],
    )
    other = replace(made, problem=changed, best=best)
    one, two = neighbourhoods(made), neighbourhoods(other)
    assert one.sizes == two.sizes
    assert two.trustworthiness == pytest.approx(one.trustworthiness, abs=SAME_SUM)
    assert two.continuity == pytest.approx(one.continuity, abs=SAME_SUM)
    # Digits that a distance loses where its coordinates nearly cancel.
    assert shepard(other).correlation == pytest.approx(shepard(made).correlation, abs=1e-9)
    assert np.sort(shepard(other).fitted) == pytest.approx(factor * np.sort(shepard(made).fitted))


@pytest.mark.parametrize("k", [1, 3, 7, 10])
def test_trustworthiness_agrees_with_scikit_learn_where_nothing_is_known(k):
    random = np.random.default_rng(1)
    points, places = random.normal(size=(30, 5)), random.normal(size=(30, 2))
    data, drawn = pdist(points), pdist(places)
    trust, continuity = kept_neighbours(data**2, drawn**2, 30, (k,))
    expected = trustworthiness(squareform(data), places, n_neighbors=k, metric="precomputed")
    assert trust[0] == pytest.approx(expected, abs=SAME_SUM)
    reverse = trustworthiness(squareform(drawn), points, n_neighbors=k, metric="precomputed")
    assert continuity[0] == pytest.approx(reverse, abs=SAME_SUM)


def test_the_whole_question_agrees_with_scikit_learn_too():
    random = np.random.default_rng(2)
    made = placed(nothing_known(pdist(random.normal(size=(24, 4)))), random.normal(size=(24, 2)))
    found = neighbourhoods(made)
    square = made.problem.targets.square()
    expected = [
        trustworthiness(square, made.embedding, n_neighbors=k, metric="precomputed")
        for k in found.sizes
    ]
    assert found.trustworthiness == pytest.approx(expected, abs=SAME_SUM)
    assert found.sizes[0] == 1
    assert found.sizes[-1] == 8


def test_a_map_that_shows_exactly_what_is_left_is_perfectly_trustworthy(simulate):
    # The known part of an exact fit is taken out of the dissimilarities, and what is left
    # are the distances on the map, to the digits that the fit has.
    found = neighbourhoods(fit(simulate(15, 1, 2, noise=0.0), seed=0))
    assert found.trustworthiness == pytest.approx(np.ones(len(found.sizes)))
    assert found.continuity == pytest.approx(np.ones(len(found.sizes)))
    assert "can be believed" in found.verdict


def test_places_at_random_have_a_trustworthiness_of_about_one_half():
    random = np.random.default_rng(3)
    made = placed(nothing_known(pdist(random.normal(size=(200, 4)))), random.normal(size=(200, 2)))
    found = neighbourhoods(made)
    # Standard deviation over maps: about .01 for one neighbour.
    assert found.trustworthiness == pytest.approx(np.full(len(found.sizes), 0.5), abs=0.06)
    assert "too few dimensions" in found.verdict


def test_ties_cost_what_they_cost_on_average_over_all_ways_to_part_them():
    random = np.random.default_rng(4)
    data = random.integers(0, 3, size=12).astype(float)
    shown = random.integers(0, 4, size=12).astype(float)
    expected = []
    for _ in range(20_000):
        a = np.lexsort((random.random(12), data)).argsort() + 1
        b = np.lexsort((random.random(12), shown)).argsort() + 1
        expected.append(np.maximum(a[b <= 4] - 4, 0).sum())
    found = costs(ranks_of(shown), ranks_of(data), 4)
    # Five standard errors of the mean of the draws.
    assert found == pytest.approx(np.mean(expected), abs=5 * np.std(expected) / 20_000**0.5)


def test_without_ties_a_neighbour_costs_its_rank_beyond_the_size():
    shown, data = np.array([1.0, 2.0, 3.0, 4.0]), np.array([4.0, 1.0, 2.0, 3.0])
    assert costs(ranks_of(shown), ranks_of(data), 1) == 3
    assert costs(ranks_of(shown), ranks_of(data), 2) == 2
    assert most_costs(4, 2) == 3
    assert most_costs(4, 4) == 0


def test_an_object_compared_with_too_few_others_is_not_judged():
    squares = np.array([1.0, np.nan, 3.0])
    trust, _ = kept_neighbours(squares, np.array([1.0, 2.0, 3.0]), 3, (1, 2))
    assert trust[0] == 1
    assert np.isnan(trust[1])


def test_missing_pairs_are_nobodys_neighbours():
    random = np.random.default_rng(5)
    condensed, places = pdist(random.normal(size=(10, 3))), random.normal(size=(10, 2))
    gaps = condensed.copy()
    # 0 is compared with 1 and 2 only: whoever else is near it on the map does not matter.
    gaps[2:9] = np.nan
    one = kept_neighbours(gaps**2, pdist(places) ** 2, 10, (1,))
    other = placed(nothing_known(gaps), places)
    assert neighbourhoods(other).trustworthiness[0] == pytest.approx(one[0][0])
    drawn = pdist(places) ** 2
    drawn[2:9] = 0.0
    assert np.array_equal(kept_neighbours(gaps**2, drawn, 10, (1,)), one)


def test_a_map_with_all_objects_in_one_place_says_nothing_right_or_wrong():
    random = np.random.default_rng(6)
    made = placed(nothing_known(pdist(random.normal(size=(12, 3)))), np.zeros((12, 2)))
    found = neighbourhoods(made)
    # All ways to part the ties are drawn alike, so it is a map at random.
    assert found.trustworthiness == pytest.approx(np.full(len(found.sizes), 0.5), abs=0.1)


def test_where_nothing_is_left_everything_is_a_neighbour():
    names = tuple("abcdef")
    line = np.arange(6.0)
    problem = Problem(
        Dissimilarities(names, pdist(line[:, None])),
        FeatureTable(names, (Feature.numeric("line", line),)),
        n_components=1,
    )
    made = fit(problem, seed=0)
    exact = replace(made, best=replace(made.best, coef=np.array([[1.0]])))
    found = neighbourhoods(exact)
    assert np.isfinite(found.trustworthiness).all()
    assert found.continuity == pytest.approx(np.full(len(found.sizes), 0.5), abs=0.2)


def test_geodesics_are_what_a_map_with_a_neighbourhood_is_held_against(simulate):
    problem = replace(simulate(20, 1, 2), neighbourhood=Neighbourhood(6))
    made = fit(problem, n_init=2, seed=0)
    assert shepard(made).given == pytest.approx(problem.targets.condensed)
    assert neighbourhoods(made).trustworthiness[0] > 0.5


def test_without_a_hidden_dimension_there_is_no_map_to_judge(simulate):
    made = fit(simulate(8, 2, 0), seed=0)
    with pytest.raises(NoMap, match="has no hidden dimension"):
        neighbourhoods(made)
    assert shepard(made).correlation > 0
    assert other_optima(made).stress == made.stress


@pytest.mark.parametrize(
    ("trust", "words"), [(0.95, "can be believed"), (0.8, "mostly, not always"), (0.6, "often not")]
)
def test_the_verdict_on_neighbours_goes_by_trustworthiness(trust, words):
    found = Neighbourhoods((1,), np.array([trust]), np.array([0.9]))
    assert words in found.verdict
    assert "its nearest," in found.verdict
    assert f"{trust:.2f}" in repr(found)


def test_other_optima_stand_beside_the_best_with_what_differs(kinship):
    found = other_optima(kinship)
    assert len(found.optima) == len(kinship.alternatives) > 0
    assert (found.stress, found.tried) == (kinship.stress, kinship.n_starts)
    for other, solution in zip(found.optima, kinship.alternatives, strict=True):
        gaps = np.linalg.norm(solution.embedding - kinship.embedding, axis=1)
        assert other.moved == pytest.approx(gaps / map_spread(kinship.embedding))
        assert other.above == pytest.approx(other.stress / found.stress - 1)
        assert other.starts == solution.starts
        far = [kinship.labels[i] for i in np.argsort(-other.moved)[:3]]
        assert list(other.most_moved) == far[: len(other.most_moved)]
        assert f"{other.starts} start" in repr(other)


def optimum(above, most_moved=(), starts=1):
    return Optimum(0.02 * (1 + above), above, starts, np.zeros(3), most_moved)


@pytest.mark.parametrize(
    ("tried", "optima", "words"),
    [
        (1, (), "Only one start was tried"),
        (9, (), "from 5 of 9 starts, and no other was found"),
        (9, (optimum(0.05, ("Ann",)),), "hardly more (2.1 %) and has other places for Ann"),
        (9, (optimum(0.05), optimum(0.5, ("Ann",))), "in about the same places"),
        (9, (optimum(0.5, ("Ann",)),), "the next best leaves 3.0 %, clearly more"),
    ],
)
def test_the_verdict_on_other_optima_says_whether_one_is_a_rival(tried, optima, words):
    found = OtherOptima(0.02, 5, tried, optima)
    assert words in found.verdict
    assert found.verdict in repr(found)


def test_what_moved_is_named_and_what_did_not_is_not():
    assert "about where the best map has it; " not in optimum(0.1).verdict
    assert "about where the best map has it." in optimum(0.1).verdict
    assert "3 starts led to it; farthest" in optimum(0.1, ("Ann", "Bea"), starts=3).verdict


def test_a_map_without_spread_has_no_shares_of_it():
    assert as_share(np.ones(3), np.zeros((3, 2))) == pytest.approx(np.zeros(3))
    assert map_spread(np.array([[1e-200], [-1e-200]])) == pytest.approx(1e-200, abs=0)
