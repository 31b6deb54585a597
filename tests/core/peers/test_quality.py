"""What of a picture may be believed: by neighbours, far distances, and the features it shows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peer_data import clusters, uniform
from scipy.stats import spearmanr
from sklearn.manifold import trustworthiness
from sklearn.neighbors import KNeighborsRegressor

from cml_core import Dissimilarities, Feature, FeatureTable, load_dataset
from cml_core.errors import LabelMismatch, LengthMismatch
from cml_core.peers import KeptView, Views, quality, view
from cml_core.peers.shown import neighbour_shares, shown_features
from cml_core.peers.views import MOST_KEPT

SQUARE = clusters(60)
LABELS = Dissimilarities.of(SQUARE).labels
SEEN = view(SQUARE, "mds")


def features(*made: Feature) -> FeatureTable:
    return FeatureTable(LABELS, made)


def test_neighbours_and_far_distances_are_those_of_other_programs():
    found = quality(SEEN, SQUARE)
    assert found.n_neighbors == 10
    theirs = trustworthiness(SQUARE, SEEN.places, n_neighbors=10, metric="precomputed")
    assert found.trustworthiness == pytest.approx(theirs, abs=1e-9)
    upper = np.triu_indices(60, 1)
    drawn = np.linalg.norm(SEEN.places[upper[0]] - SEEN.places[upper[1]], axis=1)
    assert found.far == pytest.approx(spearmanr(SQUARE[upper], drawn)[0], abs=1e-6)


def test_a_picture_of_distances_in_its_own_dimensions_is_beyond_doubt():
    plane = np.linalg.norm(SEEN.places[:, None] - SEEN.places, axis=2)
    found = quality(view(plane, "classical"), plane)
    assert (found.trustworthiness, found.continuity) == pytest.approx((1, 1))
    assert found.far == pytest.approx(1)


def test_a_feature_is_told_by_neighbours_as_their_mean_leaving_the_object_out():
    values = SEEN.places[:, 0] + np.random.default_rng(0).normal(size=60)
    (told,) = shown_features(SEEN.places, features(Feature.numeric("x", values)), frozenset(), 0)
    error, of_the_mean = 0.0, 0.0
    for i in range(60):
        others = np.arange(60) != i
        nearest = KNeighborsRegressor(8).fit(SEEN.places[others], values[others])
        error += (values[i] - nearest.predict(SEEN.places[[i]])[0]) ** 2
        of_the_mean += (values[i] - values[others].mean()) ** 2
    assert told.share == pytest.approx(1 - error / of_the_mean, abs=1e-9)
    assert told.beyond_chance


def test_groups_are_told_by_the_vote_of_neighbours_above_the_most_frequent():
    group = np.array(list("abcdef"))[np.arange(60) % 6]
    far = view(clusters(60), "umap")
    (told,) = shown_features(
        far.places, features(Feature.categorical("group", group)), frozenset(), 0
    )
    assert told.share > 0.8
    assert told.low < 0.1


def test_angles_ranks_and_gaps_are_told_as_well():
    angle = np.degrees(np.arctan2(SEEN.places[:, 1], SEEN.places[:, 0])) % 360
    gaps = SEEN.places[:, 0].copy()
    gaps[::4] = np.nan
    rank = np.array(["low", "middle", "high"])[np.digitize(SEEN.places[:, 0], [-1.5, 1.5])]
    table = features(
        Feature.circular("angle", angle, 360.0),
        Feature.numeric("gaps", gaps),
        Feature.ordinal("rank", rank, ["low", "middle", "high"]),
        Feature.numeric("same", np.ones(60)),
    )
    found = {one.name: one for one in quality(SEEN, SQUARE, table).features}
    assert all(found[name].share > 0.6 for name in ("angle", "gaps", "rank"))
    assert np.isnan(found["same"].share)
    assert not found["same"].beyond_chance


def test_chance_is_about_one_over_the_neighbours_below_zero():
    random = np.random.default_rng(5)
    shares = [
        shown_features(
            SEEN.places, features(Feature.numeric("x", random.normal(size=60))), frozenset(), 0
        )[0]
        for _ in range(40)
    ]
    assert np.mean([one.share for one in shares]) == pytest.approx(-1 / 8, abs=0.05)
    # The band holds 95 % of dealings: of 40 features, 5 outside would be seen once in 20 times.
    outside = sum(not one.low <= one.share <= one.high for one in shares)
    assert outside <= 6


@given(st.integers(0, 1000))
def test_shares_of_neighbours_add_up_to_one_and_nobody_is_a_neighbour_of_itself(seed):
    places = np.random.default_rng(seed).integers(0, 3, size=(12, 2)).astype(float)
    shares = neighbour_shares(places).toarray()
    assert shares.sum(axis=1) == pytest.approx(np.ones(12))
    assert np.diag(shares) == pytest.approx(np.zeros(12))


def test_the_verdict_says_what_is_shown_what_should_not_be_and_whether_far_means_something():
    data = load_dataset("kinship14")
    table = data.feature_table()
    found = quality(view(data.dissimilarities, "mds"), data.values(), table, ("Degree",))
    assert found.verdict == (
        "Metric MDS shows Gender (0.71 by neighbours), and still shows Degree, which is known; its "
        "distances between groups mean something (0.67)."
    )
    assert [one.name for one in found.shown] == ["Degree", "Gender"]


def test_quality_is_the_same_in_any_order_of_the_objects():
    order = np.random.default_rng(1).permutation(60)
    values = SEEN.places[:, 0] ** 2
    turned = SQUARE[np.ix_(order, order)]
    one = quality(SEEN, SQUARE, features(Feature.numeric("x", values)))
    other = quality(view(turned, "mds"), turned, features(Feature.numeric("x", values[order])))
    assert other.trustworthiness == pytest.approx(one.trustworthiness, abs=1e-9)
    assert other.features[0].share == pytest.approx(one.features[0].share, abs=1e-6)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_quality_does_not_depend_on_the_unit(size):
    square = SQUARE / SQUARE.max() * size
    table = features(Feature.numeric("x", SEEN.places[:, 0]))
    one, other = quality(SEEN, SQUARE, table), quality(view(square, "mds"), square, table)
    assert other.trustworthiness == pytest.approx(one.trustworthiness, abs=1e-6)
    assert other.far == pytest.approx(one.far, abs=1e-6)
    assert other.features[0].share == pytest.approx(one.features[0].share, abs=1e-6)


def test_missing_pairs_of_the_target_are_nobodys_neighbours():
    square = uniform(30)
    square[0, 1] = square[1, 0] = np.nan
    found = quality(view(square, "mds"), square)
    assert 0 < found.far < 1


def test_a_target_of_other_objects_is_refused():
    with pytest.raises(LengthMismatch, match="60 objects"):
        quality(SEEN, uniform(30))
    other = Dissimilarities.of(SQUARE, [f"thing {k}" for k in range(60)])
    with pytest.raises(LabelMismatch, match="other objects"):
        quality(SEEN, other)
    with pytest.raises(LabelMismatch, match="Known are Size"):
        quality(SEEN, SQUARE, known=("Size",))


# Views of a step


def kept(seed: int = 0, method: str = "classical") -> KeptView:
    seen = view(SQUARE, method, seed=seed)
    return KeptView.of(seen, quality(seen, SQUARE))


def test_a_view_takes_the_place_of_the_same_and_the_oldest_beyond_24_goes():
    found = Views(())
    for seed in (0, 1, 0):
        found = found.with_view(kept(seed))
    assert [one.seed for one in found.views] == [1, 0]
    for seed in range(2, MOST_KEPT + 3):
        found = found.with_view(kept(seed))
    assert len(found.views) == MOST_KEPT
    assert found.views[-1].seed == MOST_KEPT + 2


def test_a_kept_view_is_drawn_again_by_its_settings():
    one = kept(method="isomap")
    again = view(SQUARE, one.method, one.places.shape[1], seed=one.seed, **one.chosen)
    assert (again.places == one.places).all()


def test_views_say_which_keeps_neighbours_and_which_far_distances():
    found = Views((kept(), kept(method="tsne")))
    assert "2 views, by" in found.verdict
    assert "Neighbours are kept best by t-SNE" in found.verdict
    assert len(found.table()) == 2
    assert "No other method" in Views(()).verdict
