"""What a map leaves unexplained, beside what maps of shuffled data leave."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core import Dissimilarities, FeatureTable, Neighbourhood, Problem, fit
from cml_core.errors import UnknownOption
from cml_core.evidence.structure import Structure, shuffled_problem, without_structure
from cml_core.evidence.work import Cancelled

modest = settings(max_examples=10)
seeds = st.integers(0, 2**32 - 1)


def shuffled(problem, seed=0):
    return shuffled_problem(problem, np.random.default_rng(seed))


@modest
@given(seed=seeds, weights=st.sampled_from([None, "sammon", "general"]))
def test_a_shuffle_deals_the_values_and_their_weights_out_anew(simulate, seed, weights):
    problem = simulate(9, 1, 1, seed=seed, weights=weights, missing_pairs=5)
    other = shuffled(problem, seed)
    assert np.array_equal(other.targets.missing, problem.targets.missing)
    seen = ~problem.targets.missing
    # A weight goes with its value, wherever that goes.
    pairs = [
        np.sort(each.targets.condensed[seen] + 1j * each.pair_weights[seen])
        for each in (problem, other)
    ]
    assert pairs[1] == pytest.approx(pairs[0])
    assert not np.array_equal(other.targets.condensed[seen], problem.targets.condensed[seen])
    assert other.known is problem.known
    assert (other.n_components, other.coef) == (problem.n_components, problem.coef)


def test_pairs_without_weight_stay_as_they_are(simulate):
    problem = simulate(9, 1, 1, weights="general")
    weights = problem.weights.copy()
    weights[:5] = 0.0
    problem = replace(problem, weights=weights)
    other = shuffled(problem)
    assert np.array_equal(other.targets.condensed[:5], problem.targets.condensed[:5])
    assert (other.pair_weights[:5] == 0).all()
    assert (other.pair_weights[5:] > 0).all()


def test_geodesics_are_shuffled_where_there_is_a_neighbourhood(simulate):
    problem = replace(simulate(12, 1, 1), neighbourhood=Neighbourhood(4))
    other = shuffled(problem)
    assert other.neighbourhood is None
    assert np.array_equal(np.sort(other.targets.condensed), np.sort(problem.targets.condensed))


def test_the_seed_repeats_it_alone_and_in_several_processes(simulate):
    made = fit(simulate(12, 1, 2), n_init=3, seed=0)
    one, two = (without_structure(made, shuffles=4, seed=2, workers=w) for w in (None, 2))
    assert np.array_equal(one.shuffled, two.shuffled)
    assert one.unexplained == made.stress
    assert one.seed == 2
    assert not np.array_equal(one.shuffled, without_structure(made, shuffles=4, seed=3).shuffled)
    assert not one.shuffled.flags.writeable


@modest
@given(seed=seeds, power=st.sampled_from([-40, 40]))
def test_the_unit_of_the_dissimilarities_does_not_matter(simulate, seed, power):
    problem = simulate(10, 1, 1, seed=seed)
    made = fit(problem, n_init=2, seed=0)
    condensed = 2.0**power * problem.dissimilarities.condensed
    larger = replace(problem, dissimilarities=Dissimilarities(made.labels, condensed))
    one, two = (
        without_structure(replace(made, problem=each), shuffles=2, seed=seed)
        for each in (problem, larger)
    )
    # A power of two changes no digit, and the solver scales it away.
    assert two.shuffled == pytest.approx(one.shuffled, rel=1e-6)


def test_structure_leaves_less_than_chance_and_chance_does_not(simulate):
    problem = simulate(20, 2, 2, noise=0.1)
    found = without_structure(fit(problem, n_init=5, seed=0), shuffles=5)
    assert found.unexplained < 0.5 * found.shuffled.min()
    assert found.share < 0.5
    assert "this number alone" not in found.verdict
    chance = without_structure(fit(shuffled(problem, 9), n_init=10, seed=0), shuffles=10)
    # One more of the same kind as the ten it is beside.
    assert 0.7 < chance.share < 1.3


@pytest.mark.parametrize("made", ["uniform", "skewed", "two sizes", "nearly alike"])
@pytest.mark.parametrize("scale", ["ratio", "ordinal"])
def test_what_chance_leaves_is_told_of_structureless_numbers_however_they_are_spread(made, scale):
    # The share depends on how numbers spread: .05 of those nearly alike and .2 of skewed ones.
    random = np.random.default_rng(4)
    pairs = 16 * 15 // 2
    numbers = {
        "uniform": random.uniform(size=pairs),
        "skewed": random.lognormal(sigma=1.0, size=pairs),
        "two sizes": random.choice([1.0, 3.0], size=pairs) + random.uniform(0.0, 0.1, pairs),
        "nearly alike": random.normal(10.0, 1.0, size=pairs),
    }
    given_ = Dissimilarities.from_condensed(numbers[made])
    problem = Problem(given_, FeatureTable(given_.labels), n_components=2, scale=scale)
    found = without_structure(fit(problem, seed=0), shuffles=10)
    spread = found.shuffled.std(ddof=1)
    assert abs(found.unexplained - found.shuffled.mean()) < 4 * spread


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden": 0},
        {"q": 0},
        {"missing_entries": 3},
        {"coef": "diagonal", "weights": "sammon", "missing_pairs": 6},
        {"dtype": np.float32},
    ],
    ids=str,
)
def test_every_kind_of_problem_can_be_shuffled(simulate, changes):
    q = changes.get("q", 2)
    options = {name: value for name, value in changes.items() if name != "q"}
    made = fit(simulate(12, q, 2, **options), n_init=3, seed=0)
    found = without_structure(made, shuffles=2)
    assert (found.shuffled > 0).all()
    assert (found.shuffled < 1).all()


def test_dissimilarities_that_are_all_alike_have_no_structure():
    given_ = Dissimilarities.from_condensed(np.ones(15))
    made = fit(Problem(given_, FeatureTable(given_.labels), n_components=2), seed=0)
    found = without_structure(made, shuffles=3, seed=1)
    assert found.shuffled == pytest.approx(np.full(3, made.stress), rel=0.05)
    assert np.isnan(Structure(0.0, np.zeros(3), 0).share)


def test_the_verdict_says_both_shares_and_the_extent_of_chance():
    found = Structure(0.014, np.array([0.089, 0.097, 0.102]), 0)
    assert found.verdict == (
        "This map leaves 1.4 % unexplained; data without structure would leave 9.6 % "
        "(8.9 to 10.2 %)."
    )
    assert found.verdict in repr(found)
    single = Structure(0.014, np.array([0.089]), 0)
    assert single.verdict.endswith("would leave 8.9 %.")


def test_the_verdict_says_how_often_chance_did_as_well():
    found = Structure(0.09, np.array([0.089, 0.09, 0.102]), 0)
    assert "2 of 3 left no more than this map" in found.verdict


def test_what_was_asked_is_checked_and_work_can_be_cancelled(simulate):
    made = fit(simulate(10, 1, 1), n_init=2, seed=0)
    with pytest.raises(UnknownOption, match="shuffles"):
        without_structure(made, shuffles=0)
    with pytest.raises(UnknownOption, match="seed"):
        without_structure(made, seed=-1)
    with pytest.raises(Cancelled, match="Stopped after 1 of 3"):
        without_structure(made, shuffles=3, on_step=lambda stage: stage.done > 0)
