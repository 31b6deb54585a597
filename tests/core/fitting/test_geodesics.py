"""Isomap's distances: who is near, how far it is by way of the near, and what joins the pieces."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold import Isomap

from cml_core import Dissimilarities, FeatureTable, Neighbourhood, Problem, load_dataset
from cml_core.errors import DisconnectedNeighbourhood, UnknownOption
from cml_core.fitting.geodesics import (
    fewest_neighbours,
    geodesic_dissimilarities,
    joined,
    neighbours,
    pieces,
)

NAN = float("nan")
REFERENCE = Path(__file__).parents[2] / "reference" / "kinship_geodesics.json"


def by(objects: Dissimilarities, k: int | None = None, epsilon: float | None = None) -> np.ndarray:
    return np.array(geodesic_dissimilarities(objects, Neighbourhood(k, epsilon)).condensed)


def among(names: str, **pairs: float) -> Dissimilarities:
    """Objects named by letters; pairs as ab=1, all others missing."""
    square = np.full((len(names), len(names)), NAN)
    for (first, second), value in pairs.items():
        i, j = names.index(first), names.index(second)
        square[i, j] = square[j, i] = value
    return Dissimilarities.from_square(square, tuple(names))


def on_a_line(*places: float) -> Dissimilarities:
    names = "abcdefghijklmnopqrstuvwxyz"[: len(places)]
    gaps = np.abs(np.subtract.outer(places, places))
    return Dissimilarities.from_square(gaps, tuple(names))


def refusal(objects: Dissimilarities, **size: Any) -> DisconnectedNeighbourhood:
    with pytest.raises(DisconnectedNeighbourhood) as info:
        geodesic_dissimilarities(objects, Neighbourhood(**size))
    return info.value


@st.composite
def tables(draw: st.DrawFn, gaps: bool = False) -> Dissimilarities:
    """Whole numbers from 1 to 6 between 3 to 9 objects: many ties, no triangle inequality."""
    n = draw(st.integers(3, 9))
    count = n * (n - 1) // 2
    entry = st.integers(1, 6).map(float)
    entry = st.one_of(entry, st.just(NAN)) if gaps else entry
    values = np.array(draw(st.lists(entry, min_size=count, max_size=count)))
    assume(squareform(np.nan_to_num(values)).any(axis=1).all())
    return Dissimilarities(tuple(f"object {i}" for i in range(n)), values)


def joins(objects: Dissimilarities, **size: Any) -> bool:
    try:
        geodesic_dissimilarities(objects, Neighbourhood(**size))
    except DisconnectedNeighbourhood:
        return False
    return True


# a and d are nearly neighbours, as the ends of a horseshoe are.
HORSESHOE = among("abcd", ab=1.0, bc=1.0, cd=1.0, ac=1.8, bd=1.9, ad=1.5)


def test_the_way_along_a_horseshoe_is_as_computed_by_hand() -> None:
    # k = 1 is the chain a-b-c-d; k = 2 adds a-d, which is second for both; k = 3 is everything.
    assert by(HORSESHOE, k=1).tolist() == [1, 2, 3, 1, 2, 1]
    assert by(HORSESHOE, k=2).tolist() == [1, 2, 1.5, 1, 2, 1]
    assert by(HORSESHOE, k=3).tolist() == [1, 1.8, 1.5, 1, 1.9, 1]
    assert by(HORSESHOE, epsilon=1.0).tolist() == by(HORSESHOE, k=1).tolist()
    assert by(HORSESHOE, epsilon=1.8).tolist() == [1, 1.8, 1.5, 1, 2, 1]


def test_one_is_near_where_either_says_so() -> None:
    # Only c calls b its nearest; b's nearest is a.
    assert by(on_a_line(0, 1, 3), k=1).tolist() == [1, 3, 2]
    assert by(among("abc", ab=1, bc=2, ac=9), k=1).tolist() == [1, 3, 2]


def test_equally_near_neighbours_are_all_neighbours() -> None:
    # Each of b, c, d is a's nearest, but has a nearer one itself.
    star = among("abcdBCD", ab=1, ac=1, ad=1, bB=0.5, cC=0.5, dD=0.5, BC=9, CD=9, bc=8)
    assert by(star, k=1)[:6].tolist() == [1, 1, 1, 1.5, 1.5, 1.5]
    assert geodesic_dissimilarities(star, Neighbourhood(1)).between("B", "D") == 3.0


@pytest.mark.slow
@given(objects=tables(gaps=True), k=st.integers(1, 8), data=st.data())
@settings(max_examples=80)
def test_the_order_of_the_objects_does_not_matter(
    objects: Dissimilarities, k: int, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(objects.labels))
    assume(joins(objects, n_neighbors=k))
    one = geodesic_dissimilarities(objects, Neighbourhood(k)).subset(shuffled)
    other = geodesic_dissimilarities(objects.subset(shuffled), Neighbourhood(k))
    # Whole numbers are added without rounding.
    np.testing.assert_array_equal(one.condensed, other.condensed)


@pytest.mark.slow
@given(objects=tables(gaps=True), k=st.integers(1, 12))
@settings(max_examples=80)
def test_geodesics_have_no_gaps_and_know_no_shorter_way(objects: Dissimilarities, k: int) -> None:
    assume(joins(objects, n_neighbors=k))
    square = geodesic_dissimilarities(objects, Neighbourhood(k)).square()
    assert np.isfinite(square).all()
    detours = (square[:, :, None] + square[None, :, :]).min(axis=1)
    np.testing.assert_array_equal(square, detours)


@given(objects=tables(), k=st.integers(1, 8))
@settings(max_examples=50)
def test_more_neighbours_never_make_a_way_longer(objects: Dissimilarities, k: int) -> None:
    assume(joins(objects, n_neighbors=k))
    assert (by(objects, k=k + 1) <= by(objects, k=k)).all()


@pytest.mark.parametrize("k", [9, 10, 50])
def test_where_everyone_is_near_distances_stay_as_they_are(k: int) -> None:
    distances = pdist(np.random.default_rng(3).normal(size=(10, 3)))
    objects = Dissimilarities(tuple("abcdefghij"), distances)
    # A detour that rounds to less than the straight way is shorter by an ulp at most.
    np.testing.assert_allclose(by(objects, k=k), distances, rtol=1e-15)
    np.testing.assert_allclose(by(objects, epsilon=np.inf), distances, rtol=1e-15)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 50])
def test_a_missing_pair_is_nobodys_neighbour_however_many_there_are(k: int) -> None:
    chain = among("abcd", ab=1, bc=1, cd=1)
    assert by(chain, k=k).tolist() == [1, 2, 3, 1, 2, 1]
    assert by(chain, epsilon=50).tolist() == [1, 2, 3, 1, 2, 1]


def test_a_way_of_length_zero_is_a_way() -> None:
    twins = among("abc", ab=0, bc=1, ac=5)
    assert by(twins, k=1).tolist() == [0, 1, 1]
    assert by(twins, epsilon=1).tolist() == [0, 1, 1]
    same = among("abcd", ab=0, bc=0, ac=0, cd=2, ad=7, bd=7)
    assert by(same, epsilon=2).tolist() == [0, 0, 2, 0, 2, 2]


@pytest.mark.parametrize("scale", [1e-12, 3.0, 1e9])
def test_geodesics_grow_with_the_dissimilarities(scale: float) -> None:
    grown = Dissimilarities(HORSESHOE.labels, HORSESHOE.condensed * scale)
    # Sums of three numbers: rounding only.
    np.testing.assert_allclose(by(grown, k=2), by(HORSESHOE, k=2) * scale, rtol=1e-15)


@pytest.mark.parametrize("k", [3, 4, 5, 6])
def test_the_kinship_terms_have_the_graph_distances_of_vegan(k: int) -> None:
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))
    kinship = load_dataset("kinship14").values()
    assert list(kinship.labels) == sorted(kinship.labels)
    # Percentages are whole numbers, so sums of them are exact.
    assert by(kinship, k=k).tolist() == reference["distances"][str(k)]


@pytest.mark.parametrize("k", [4, 6, 10])
@pytest.mark.parametrize("seed", range(3))
def test_isomap_of_scikit_learn_agrees_where_there_are_no_ties(k: int, seed: int) -> None:
    distances = squareform(pdist(np.random.default_rng(seed).normal(size=(60, 2))))
    peer = Isomap(n_neighbors=k, metric="precomputed").fit(distances)
    ours = geodesic_dissimilarities(Dissimilarities.of(distances), Neighbourhood(k)).square()
    # Both add up the same edges, perhaps in another order.
    np.testing.assert_allclose(ours, peer.dist_matrix_, rtol=1e-12)


@pytest.mark.parametrize("epsilon", [0.9, 1.5])
def test_isomap_of_scikit_learn_agrees_within_a_radius(epsilon: float) -> None:
    distances = squareform(pdist(np.random.default_rng(5).uniform(size=(50, 2)) * 3))
    peer = Isomap(radius=epsilon, n_neighbors=None, metric="precomputed").fit(distances)
    objects = Dissimilarities.of(distances)
    ours = geodesic_dissimilarities(objects, Neighbourhood(epsilon=epsilon)).square()
    np.testing.assert_allclose(ours, peer.dist_matrix_, rtol=1e-12)  # as above


CLUSTERS = on_a_line(0, 1, 2, 10, 11, 12)


@pytest.mark.parametrize("size", [{"n_neighbors": 1}, {"n_neighbors": 2}, {"epsilon": 7.5}])
def test_a_graph_in_pieces_names_them(size: dict[str, Any]) -> None:
    error = refusal(CLUSTERS, **size)
    ((name, value),) = size.items()
    assert f"{name}={value}" in error.fact
    assert "2 pieces: a, b, c; d, e, f." in error.fact


def test_the_smallest_of_many_pieces_come_first_and_the_rest_are_left_out() -> None:
    error = refusal(on_a_line(0, 1, 2, 50, 100, 101, 150, 151, 200, 201), epsilon=1)
    assert "5 pieces: d; e, f; g, h; i, j; …." in error.fact
    four = refusal(on_a_line(0, 1, 2, 50, 100, 101, 150, 151), epsilon=1)
    assert "4 pieces: d; e, f; g, h; a, b, c." in four.fact


@given(objects=tables(), k=st.integers(1, 3))
@settings(max_examples=80)
def test_the_number_of_neighbours_that_an_error_names_is_the_smallest_that_joins(
    objects: Dissimilarities, k: int
) -> None:
    # Two copies far apart are always in pieces while k is small.
    n = objects.n_objects
    apart = np.full((2 * n, 2 * n), 1000.0) + np.arange(2 * n) + np.arange(2 * n)[:, None]
    apart[:n, :n] = apart[n:, n:] = objects.square()
    np.fill_diagonal(apart, 0.0)
    far = Dissimilarities.from_square(apart)
    assume(not joins(far, n_neighbors=k))
    enough = int(re.search(r"n_neighbors=(\d+)", refusal(far, n_neighbors=k).remedy)[1])  # type: ignore[index]
    assert enough > k
    assert joins(far, n_neighbors=enough)
    assert not joins(far, n_neighbors=enough - 1)


def epsilon_named(error: DisconnectedNeighbourhood) -> float:
    return float(re.search(r"epsilon=([^ ]+)", error.remedy)[1])  # type: ignore[index]


@given(st.lists(st.floats(0.01, 1e5), min_size=2, max_size=8), st.floats(1e-6, 1e6))
@settings(max_examples=100)
def test_the_epsilon_that_an_error_names_is_the_smallest_that_joins(
    steps: list[float], scale: float
) -> None:
    places = np.cumsum([0.0, *(scale * np.array(steps))])
    objects = on_a_line(*places)
    longest = max(objects.square()[i, i + 1] for i in range(len(steps)))
    enough = epsilon_named(refusal(objects, epsilon=longest / 2))
    assert joins(objects, epsilon=enough)
    assert not joins(objects, epsilon=np.nextafter(longest, 0))
    # Rounded up to six digits for reading.
    assert longest <= enough <= longest * (1 + 1.1e-5)


def test_an_epsilon_with_a_rounding_error_is_not_rounded_below_it() -> None:
    # 0.1 + 0.2 is a little more than the 0.3 that it is shown as.
    objects = among("abc", ab=0.1, ac=0.4, bc=0.1 + 0.2)
    assert joins(objects, epsilon=epsilon_named(refusal(objects, epsilon=0.05)))


def test_an_edge_of_length_zero_counts_in_what_would_join() -> None:
    twins = among("abc", ab=0, ac=1, bc=5)
    assert epsilon_named(refusal(twins, epsilon=0.5)) == 1.0


ISLANDS = among("abcdef", ab=1, bc=1, ac=1, de=2, ef=2, df=2)


@pytest.mark.parametrize("size", [*({"n_neighbors": k} for k in (1, 2, 5, 6, 50)), {"epsilon": 9}])
def test_pieces_that_nothing_can_join_are_not_promised_to_be_joined(size: dict[str, Any]) -> None:
    error = refusal(ISLANDS, **size)
    assert "a, b, c; d, e, f" in error.fact
    assert "n_neighbors=" not in error.remedy
    assert "epsilon=" not in error.remedy
    assert "pair" in error.remedy


def test_the_targets_of_a_problem_are_its_geodesics() -> None:
    asked = Problem(HORSESHOE, FeatureTable(HORSESHOE.labels), 1, neighbourhood=Neighbourhood(1))
    assert asked.targets.condensed.tolist() == by(HORSESHOE, k=1).tolist()
    assert asked.targets.labels == HORSESHOE.labels


@pytest.mark.parametrize("k", [0, -1, 1.5, NAN, float("inf"), "5", True, [5], None])
def test_a_number_of_neighbours_that_is_none_is_refused(k: Any) -> None:
    with pytest.raises(UnknownOption, match="n_neighbors is") as info:
        Neighbourhood(n_neighbors=k)
    assert info.value.remedy


@pytest.mark.parametrize("epsilon", [0, -1, 0.0, NAN, "1", True, [1.0]])
def test_an_epsilon_that_is_no_distance_is_refused(epsilon: Any) -> None:
    with pytest.raises(UnknownOption, match="epsilon is") as info:
        Neighbourhood(epsilon=epsilon)
    assert "positive" in info.value.remedy


def test_one_of_neighbours_and_epsilon_is_asked_for() -> None:
    with pytest.raises(UnknownOption, match=r"n_neighbors is 5 and epsilon is 2\."):
        Neighbourhood(5, 2)
    with pytest.raises(UnknownOption, match="n_neighbors is None and epsilon is None"):
        Neighbourhood()


@pytest.mark.parametrize("k", [3, np.int64(3), np.uint8(3)])
def test_neighbourhoods_of_the_same_size_are_the_same(k: Any) -> None:
    assert repr(Neighbourhood(k)) == repr(Neighbourhood(3))
    assert Neighbourhood(k) == Neighbourhood(3)
    assert repr(Neighbourhood(epsilon=k)) == repr(Neighbourhood(epsilon=3.0))


def test_mutual_neighbours_leave_out_the_bridge_that_an_object_far_out_makes():
    # On a line: the two right of the gap have each other, and only the left end wants more.
    places = np.array([0.0, 1.0, 2.0, 4.5, 5.5])[:, None]
    objects = Dissimilarities.of(np.abs(places - places.T), list("ABCDE"))
    either = joined(objects, Neighbourhood(2))
    both = joined(objects, Neighbourhood(3, mutual=True))
    assert (either[0, 2], either[2, 3], either[1, 3]) == (True, True, False)
    assert (both[0, 3], both[1, 3]) == (False, True)
    with pytest.raises(DisconnectedNeighbourhood, match="n_neighbors=3"):
        joined(objects, Neighbourhood(2, mutual=True))


def test_as_few_neighbours_as_join_all_are_those_that_an_error_would_ask_for():
    objects = two_lines()
    for mutual in (False, True):
        fewest = fewest_neighbours(objects, mutual=mutual)
        joined(objects, Neighbourhood(fewest, mutual=mutual))
        with pytest.raises(DisconnectedNeighbourhood, match=f"n_neighbors={fewest} "):
            joined(objects, Neighbourhood(fewest - 1, mutual=mutual))


def test_a_graph_in_pieces_can_be_looked_at():
    near = neighbours(two_lines().square(), Neighbourhood(1))
    assert sorted(np.bincount(pieces(near))) == [3, 3]
    assert not near.diagonal().any()


def two_lines() -> Dissimilarities:
    places = np.array([0.0, 1.0, 2.1, 10.0, 11.0, 12.3])[:, None]
    return Dissimilarities.of(np.abs(places - places.T))


def test_mutual_neighbours_are_true_or_false_and_only_of_a_number_of_neighbours():
    for wrong in ({"mutual": 1, "n_neighbors": 3}, {"mutual": True, "epsilon": 2.0}):
        with pytest.raises(UnknownOption, match="mutual"):
            Neighbourhood(**wrong)
