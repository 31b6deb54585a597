"""Monotone regression: the nearest rising values, with weights, ties, and pairs left out.

Everything here is small enough to run interpreted as well, with NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression
from sklearn.isotonic import IsotonicRegression

from cml_core.fitting.scales.admissible import MONOTONE, nearest
from cml_core.fitting.scales.isotonic import coarsened, scratch_for
from cml_core.fitting.scales.ordinal import COARSE, SCALE
from cml_core.fitting.scales.scale import Judged

modest = settings(max_examples=40)
NONE = np.empty(0)
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 60)
levels = st.sampled_from([1, 2, 7, 1000])
weighted = st.booleans()


def judged_pairs(seed, pairs, levels, *, weighted=False, ties="primary", left_out=0):
    """Dissimilarities of so many values, distances that hardly follow them, and weights."""
    random = np.random.default_rng(seed)
    values = np.ceil(levels * random.uniform(size=pairs))
    distances = np.abs(values / levels + random.normal(size=pairs))
    counts = np.ones(pairs, bool)
    counts[random.permutation(pairs)[: min(left_out, pairs - 1)]] = False
    weights = random.uniform(0.1, 3.0, pairs) if weighted else NONE
    if left_out:
        weights = np.where(counts, weights if weighted else 1.0, 0.0)
    return Judged(values, counts, weights, ties), distances


def regressed(judged, distances):
    """The nearest values, NaN where a pair does not count, and the two sums of squares."""
    admissible = SCALE.admits(judged)
    values = np.empty(distances.size)
    left, size = nearest(
        admissible, scratch_for(admissible.ranks), distances, judged.weights, values
    )
    return np.where(judged.counts, values, np.nan), left, size


@modest
@given(seed=seeds, pairs=sizes, weighted=weighted, levels=levels)
def test_tied_pairs_that_stay_tied_are_regressed_as_scikit_learn_does(
    seed, pairs, weighted, levels
):
    judged, distances = judged_pairs(seed, pairs, levels, weighted=weighted, ties="secondary")
    found, left, size = regressed(judged, distances)
    weights = judged.weights if weighted else np.ones(pairs)
    # It averages what has the same x first, which keeps ties equal.
    theirs = IsotonicRegression().fit_transform(judged.values, distances, sample_weight=weights)
    assert found == pytest.approx(theirs, abs=1e-12)
    assert left == pytest.approx(weights @ (theirs - distances) ** 2, abs=1e-10)
    assert size == pytest.approx(weights @ distances**2, rel=1e-12)


@modest
@given(seed=seeds, pairs=sizes, weighted=weighted, levels=levels)
def test_tied_pairs_that_may_part_take_the_order_of_their_distances(seed, pairs, weighted, levels):
    judged, distances = judged_pairs(seed, pairs, levels, weighted=weighted)
    order = np.lexsort((distances, judged.values))
    weights = judged.weights if weighted else np.ones(pairs)
    expected = np.empty(pairs)
    expected[order] = isotonic_regression(distances[order], weights=weights[order]).x
    assert regressed(judged, distances)[0] == pytest.approx(expected, abs=1e-12)


@modest
@given(
    seed=seeds,
    pairs=sizes,
    weighted=weighted,
    levels=levels,
    ties=st.sampled_from(["primary", "secondary", "auto"]),
    left_out=st.sampled_from([0, 4]),
)
def test_the_nearest_rising_values_rise_and_are_a_projection(
    seed, pairs, weighted, levels, ties, left_out
):
    judged, distances = judged_pairs(
        seed, pairs, levels, weighted=weighted, ties=ties, left_out=left_out
    )
    found, left, size = regressed(judged, distances)
    weights = judged.weights if judged.weights.size else np.ones(pairs)
    present = judged.counts
    values, h, d, w = (a[present] for a in (judged.values, found, distances, weights))
    for value in np.unique(values):
        below = h[values < value]
        assert below.size == 0 or below.max() <= h[values == value].min() + 1e-12
    # Onto a cone: what is left is at right angles to the nearest point and to the constant.
    assert w @ (h * (d - h)) == pytest.approx(0.0, abs=1e-11 * size)
    assert w @ (d - h) == pytest.approx(0.0, abs=1e-11 * size)
    assert left == pytest.approx(size - w @ h**2, abs=1e-11 * size)
    assert h.min() >= 0.0


@modest
@given(seed=seeds, pairs=st.integers(5, 60), weighted=weighted, levels=st.sampled_from([2, 7]))
def test_ties_that_may_part_never_fit_worse_than_ties_that_stay(seed, pairs, weighted, levels):
    found = {}
    for ties in ("primary", "secondary"):
        judged, distances = judged_pairs(seed, pairs, levels, weighted=weighted, ties=ties)
        values, left, size = regressed(judged, distances)
        found[ties] = left / size
        if ties == "secondary":
            assert all(np.ptp(values[judged.values == v]) == 0 for v in np.unique(judged.values))
    assert found["primary"] <= found["secondary"] + 1e-14


@modest
@given(seed=seeds, pairs=st.integers(8, 40), ties=st.sampled_from(["primary", "secondary"]))
def test_pairs_that_do_not_count_change_nothing(seed, pairs, ties):
    judged, distances = judged_pairs(seed, pairs, 7, weighted=True, ties=ties, left_out=5)
    kept = judged.counts
    alone = Judged(judged.values[kept], kept[kept], judged.weights[kept], ties)
    found, left, size = regressed(judged, distances)
    expected, left_alone, size_alone = regressed(alone, distances[kept])
    assert found[kept] == pytest.approx(expected, abs=1e-12)
    assert (left, size) == pytest.approx((left_alone, size_alone), abs=1e-12)


def test_whole_weights_count_as_copies():
    judged, distances = judged_pairs(3, 20, 7, ties="secondary")
    times = np.tile([1, 2, 3, 4], 5)
    copies = np.repeat(np.arange(20), times)
    heavier = Judged(judged.values, judged.counts, times / times.mean(), "secondary")
    copied = Judged(judged.values[copies], np.ones(copies.size, bool), NONE, "secondary")
    expected = regressed(copied, distances[copies])[0]
    assert regressed(heavier, distances)[0][copies] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("tied", [2, 32, 33, 160])
def test_ties_of_any_number_are_put_in_order(tied):
    random = np.random.default_rng(tied)
    values = np.repeat([1.0, 2.0, 3.0], [3, tied, 3])
    distances = np.concatenate([[0.25] * 3, 1 + random.uniform(size=tied), [3.0] * 3])
    judged = Judged(values, np.ones(values.size, bool), NONE, "primary")
    found, left, _ = regressed(judged, distances)
    # Nothing but the order within the tie was wrong.
    assert np.array_equal(found, distances)
    assert left == 0.0


def test_ties_that_were_ordered_once_are_ordered_anew():
    judged, _ = judged_pairs(1, 50, 2)
    admissible = SCALE.admits(judged)
    scratch, values, fresh = scratch_for(admissible.ranks), np.empty(50), np.empty(50)
    for seed in range(5):
        moved = np.abs(np.random.default_rng(seed).normal(size=50))
        nearest(admissible, scratch, moved, NONE, values)
        nearest(admissible, scratch_for(admissible.ranks), moved, NONE, fresh)
        assert np.array_equal(values, fresh)


@pytest.mark.parametrize(("pairs_to_a_value", "stay"), [(COARSE - 1, False), (COARSE, True)])
def test_ties_stay_by_themselves_where_few_values_are_taken(pairs_to_a_value, stay):
    values = np.repeat(np.arange(4.0), pairs_to_a_value)
    judged = Judged(values, np.ones(values.size, bool), NONE, "auto")
    ranks = SCALE.admits(judged).ranks
    assert (ranks.mass.size == 4) == stay
    assert (ranks.tied.size == 0) == stay


def test_values_that_differ_by_rounding_are_tied():
    values = np.array([0.1 + 0.2, 0.3, 0.7, 7 * 0.1, 0.7 + 1e-9])
    assert len(set(values)) == 5
    judged = Judged(values, np.ones(5, bool), NONE, "secondary")
    assert np.diff(judged.bounds).tolist() == [2, 2, 1]
    found = regressed(judged, np.array([1.0, 2.0, 4.0, 3.0, 5.0]))[0]
    assert found.tolist() == [1.5, 1.5, 3.5, 3.5, 5.0]


def test_coarser_ranks_join_neighbours_and_leave_out_who_was_left_out():
    judged, distances = judged_pairs(5, 60, 1000, left_out=7)
    admissible = SCALE.admits(judged)
    ranks = coarsened(admissible.ranks, 10)
    assert ranks.mass.size == 10
    assert ranks.mass.sum() == 53
    # Of about one mass each: 53 pairs on ten ranks.
    assert np.all((ranks.mass == 5) | (ranks.mass == 6))
    assert np.array_equal(ranks.rank == 10, ~judged.counts)
    order = judged.order
    assert np.all(np.diff(ranks.rank[order]) >= 0)
    values = np.empty(60)
    coarse = admissible._replace(ranks=ranks)
    assert coarse.kind == MONOTONE
    left, _ = nearest(coarse, scratch_for(ranks), distances, judged.weights, values)
    # Whoever joins ranks admits less.
    assert left >= regressed(judged, distances)[1]
