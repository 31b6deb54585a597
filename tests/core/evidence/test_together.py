"""Which objects lie together, such as couples and families."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.evidence.together import MOST_OBJECTS, Gathered, apart, in_words, together

NOTHING = np.empty((20, 0))


def members(gathered: Gathered) -> set[frozenset[int]]:
    """Who lies together, whatever the numbers of groups."""
    numbers = np.unique(gathered.groups)
    return {frozenset(np.flatnonzero(gathered.groups == k).tolist()) for k in numbers}


def grouped(groups: np.ndarray) -> set[frozenset[int]]:
    return members(Gathered(groups, np.arange(groups.size)))


def places(n: int, dimensions: int = 2, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, dimensions))


def jittered(groups: np.ndarray, dimensions: int, jitter: float, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(groups.max() + 1, dimensions))
    return centres[groups] + jitter * random.normal(size=(groups.size, dimensions))


@pytest.mark.parametrize(
    "groups",
    [np.repeat(np.arange(10), 2), np.repeat(np.arange(7), [2, 3, 4, 3, 2, 4, 3])],
    ids=["couples", "families"],
)
@pytest.mark.parametrize("jitter", [0.0, 0.01])
def test_couples_and_families_are_found(groups: np.ndarray, jitter: float) -> None:
    known = np.empty((groups.size, 0))
    found = together(jittered(groups, 2, jitter), known)
    assert members(found) == grouped(groups)
    # Side by side in the row along which they are dealt out.
    assert np.sum(np.diff(found.groups[found.order]) != 0) == found.n_groups - 1


def test_couples_that_overlap_on_the_map_are_told_by_what_is_known_as_well() -> None:
    groups = np.repeat(np.arange(10), 2)
    everything = jittered(groups, 6, 0.2)
    found = together(everything[:, :2], everything[:, 2:])
    assert members(found) == grouped(groups)


def test_couples_that_differ_in_what_is_known_are_told_by_the_map() -> None:
    groups = np.repeat(np.arange(10), 2)
    gender = (np.arange(20) % 2)[:, None] * 3.0
    found = together(jittered(groups, 2, 0.01), gender)
    assert members(found) == grouped(groups)


def test_of_places_without_gatherings_few_are_taken_for_gathered() -> None:
    taken = [together(places(20, seed=seed), NOTHING).n_groups < 20 for seed in range(100)]
    # At most a fifth, and there is one way only to look here: a binomial count of 100 with mean
    # 20 and standard deviation 4; four of these are allowed.
    assert np.sum(taken) <= 36


def test_unless_it_is_beyond_doubt_as_many_groups_are_left_as_are_needed() -> None:
    clear = jittered(np.repeat(np.arange(6), 4), 2, 0.01)
    known = np.empty((24, 0))
    assert together(clear, known, needed=15).n_groups == 6
    left = [together(places(20, seed=seed), NOTHING, needed=15).n_groups for seed in range(60)]
    # A fiftieth is beyond doubt by chance; of so few, two at most.
    assert np.sum(np.array(left) < 15) <= 3
    assert 15 <= np.median([n for n in left if n < 20]) < 20


@pytest.mark.parametrize(
    "embedding",
    [places(6), np.zeros((20, 2)), np.zeros((20, 0)), np.zeros((MOST_OBJECTS + 1, 1))],
    ids=["few", "one place", "no dimension", "too many"],
)
def test_where_nothing_can_be_told_each_object_is_by_itself(embedding: np.ndarray) -> None:
    n = len(embedding)
    found = together(embedding, np.empty((n, 0)))
    assert found.groups.tolist() == list(range(n))
    assert found.sizes == ()


def test_mirroring_and_units_change_nothing() -> None:
    everything = jittered(np.repeat(np.arange(10), 2), 4, 0.1)
    before = together(everything[:, :2], everything[:, 2:])
    again = together(7 * everything[:, 1::-1], -7 * everything[:, 2:])
    assert members(again) == members(before)


def test_groups_are_told_by_their_sizes() -> None:
    assert in_words((2,) * 7) == "7 couples"
    assert in_words((2, 3, 1, 2)) == "4 groups of 1 to 3 objects"
    assert in_words((3, 3)) == "2 groups of 3 objects"
    gathered = Gathered(np.array([0, 1, 1, 0, 2]), np.array([0, 3, 2, 1, 4]))
    assert gathered.sizes == (2, 2, 1)
    assert apart(4).sizes == ()


def test_of_some_of_the_objects_those_that_are_there_lie_together() -> None:
    gathered = Gathered(np.array([5, 1, 1, 5, 2]), np.array([3, 0, 2, 1, 4]))
    present = gathered.among(np.array([True, True, False, True, True]))
    assert members(present) == {frozenset({0, 2}), frozenset({1}), frozenset({3})}
    assert present.order.tolist() == [2, 0, 1, 3]
    assert present.n_groups == 3
