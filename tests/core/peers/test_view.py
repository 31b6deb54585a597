"""What a view takes, what it refuses and how, and what does not matter to it."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peer_data import alike, clusters, uniform
from scipy.spatial.distance import pdist, squareform

from cml_core import Dissimilarities, load_dataset
from cml_core.errors import (
    DisconnectedNeighbourhood,
    NothingToExplain,
    TooFewObjects,
    TooManyDimensions,
    TooManyObjects,
    UnknownOption,
)
from cml_core.evidence.work import Cancelled
from cml_core.fitting import threads
from cml_core.peers import GROUPS, METHODS, Step, drawn_by_lot, lot_size, view
from cml_core.peers.method import AXES, DISTANCES, NEIGHBOURS, ONLY_NEIGHBOURS
from cml_core.peers.methods import tsne

# The module, which the function of its name hides.
drawing = sys.modules["cml_core.peers.view"]
NAMES = tuple(METHODS)
# Those whose picture of a few generic points is found whatever the last digit is.
SETTLED = tuple(name for name in NAMES if name not in ("umap", "tsne", "cca", "ordinal", "mvu"))
SQUARE = uniform(24)
KINSHIP = load_dataset("kinship14").dissimilarities


@pytest.mark.parametrize("name", NAMES)
def test_every_method_draws_and_says_all_that_there_is_to_say_of_it(name):
    found, method = view(SQUARE, name), METHODS[name]
    assert found.places.shape == (24, 2)
    assert np.isfinite(found.places).all()
    assert not found.places.flags.writeable
    assert found.objective.lower_is_better == method.lower_is_better
    assert method.filled_in_by in GROUPS
    assert method.reads in (AXES, DISTANCES, NEIGHBOURS, ONLY_NEIGHBOURS)
    assert {setting.name for setting in method.settings} == {name for name, _ in found.settings}
    assert method.title in repr(found)


@pytest.mark.parametrize("name", NAMES)
def test_a_view_is_made_again_from_its_settings_and_its_seed(name):
    found = view(SQUARE, name, seed=3)
    again = view(SQUARE, name, seed=found.seed, **dict(found.settings))
    assert (again.places == found.places).all()
    assert (pickle.loads(pickle.dumps(found)).places == found.places).all()


def test_a_table_keeps_its_labels_and_dissimilarities_are_taken_in_any_form():
    labels = [f"thing {k}" for k in range(24)]
    frame = pd.DataFrame(SQUARE, index=labels, columns=labels)
    forms = (frame, Dissimilarities.of(frame), SQUARE, pdist_of(SQUARE))
    found = [view(form, "classical") for form in forms]
    assert found[0].labels == found[1].labels == tuple(labels)
    assert found[0].frame().index.tolist() == labels
    assert all((one.places == found[0].places).all() for one in found)


def pdist_of(square: np.ndarray) -> np.ndarray:
    return square[np.triu_indices(len(square), 1)]


# Invariants


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_the_objects_does_not_matter(name):
    order = np.random.default_rng(1).permutation(24)
    found, other = view(SQUARE, name), view(SQUARE[np.ix_(order, order)], name)
    assert alike(other.places, found.places[order]) < 1e-9


@settings(max_examples=30)
@given(st.integers(0, 2**16), st.sampled_from(SETTLED))
def test_neither_order_nor_unit_nor_a_turn_of_measurements_matters(seed, name):
    random = np.random.default_rng(seed)
    points = random.normal(size=(14, 6))
    order = random.permutation(14)
    turned = points[order] @ np.linalg.qr(random.normal(size=(6, 6)))[0]
    found = view(squareform(pdist(points)), name)
    other = view(1000 * squareform(pdist(turned)), name)
    # Iterations end where little moves any more.
    assert alike(other.places, found.places[order]) < 1e-6
    unit = 1000 if METHODS[name].keeps_unit else 1
    assert np.ptp(other.places) == pytest.approx(unit * np.ptp(found.places), rel=1e-3)


@pytest.mark.parametrize("size", [1e-300, 1e300])
@pytest.mark.parametrize("name", NAMES)
def test_tiny_and_huge_dissimilarities_are_drawn_alike(name, size):
    found = view(SQUARE / SQUARE.max() * size, name)
    assert np.isfinite(found.places).all()
    assert alike(found.places / np.ptp(found.places), view(SQUARE, name).places) < 1e-6


@pytest.mark.parametrize("name", ["tsne", "umap", "cca"])
def test_the_same_seed_draws_the_same_picture_on_one_thread_and_on_four(name, monkeypatch):
    # As if 60 objects were many enough to be shared among threads.
    monkeypatch.setattr(drawing, "SHARED_FROM", 50)
    monkeypatch.setattr(tsne, "THREADED_FROM", 50)
    square, pictures = uniform(60), []
    for count in ("1", "4"):
        monkeypatch.setenv("CML_THREADS", count)
        threads.shared_threads.cache_clear()
        pictures.append(view(square, name).places)
    threads.shared_threads.cache_clear()
    assert (pictures[0] == pictures[1]).all()


class Patience:
    """Cancels after so many steps."""

    def __init__(self, most: int) -> None:
        self.most, self.seen = most, []

    def __call__(self, step: Step) -> bool:
        self.seen.append(step)
        return len(self.seen) > self.most


def test_another_seed_draws_another_picture_only_where_chance_has_a_part():
    for name in ("umap", "classical"):
        one, other = (view(SQUARE, name, seed=seed).places for seed in (0, 1))
        assert (alike(one, other) > 1e-6) == METHODS[name].by_chance


def test_t_sne_from_a_random_start_differs_from_seed_to_seed():
    found = [view(uniform(60), "tsne", seed=seed, start="random").places for seed in (0, 1)]
    assert alike(*found) > 1e-3


# Bad input


def with_gaps() -> np.ndarray:
    square = SQUARE.copy()
    for i, j in ((0, 5), (3, 17), (20, 21)):
        square[i, j] = square[j, i] = np.nan
    return square


@pytest.mark.parametrize("name", NAMES)
def test_missing_pairs_are_left_out_or_filled_in_and_counted(name):
    found = view(with_gaps(), name)
    told = "3 missing pairs were filled in" in " ".join(found.remarks)
    assert told != METHODS[name].takes_gaps
    # Three of 276 pairs do not turn a picture round.
    if name not in ("umap", "tsne", "cca", "lle", "laplacian"):
        assert alike(found.places, view(SQUARE, name).places) < 0.5


def test_a_graph_is_drawn_from_a_list_of_links():
    square = np.full((9, 9), np.nan)
    np.fill_diagonal(square, 0.0)
    for i in range(8):
        square[i, i + 1] = square[i + 1, i] = 1.0
    found = view(square, "isomap", n_neighbors=8)
    assert np.abs(np.diff(found.places[:, 0])) == pytest.approx(np.ones(8), abs=1e-9)


def in_two_pieces() -> np.ndarray:
    places = np.r_[np.arange(8.0), 100 + np.arange(8.0)][:, None] + [[0.0]]
    return squareform(pdist(np.c_[places, np.sin(places)]))


GRAPHS = ("isomap", "laplacian", "lle", "mvu", "meu", "acyclic_lle")


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_in_pieces_takes_as_many_neighbours_as_join_it_and_says_so(name):
    found = view(in_two_pieces(), name)
    assert dict(found.settings)["n_neighbors"] == 8
    assert any("8 neighbours were taken" in remark for remark in found.remarks)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_number_of_neighbours_that_leaves_pieces_is_refused_with_them(name):
    with pytest.raises(DisconnectedNeighbourhood, match="2 pieces") as refused:
        view(in_two_pieces(), name, n_neighbors=3)
    assert "n_neighbors=8" in refused.value.remedy


def test_a_reach_that_leaves_pieces_is_refused_in_the_unit_of_the_data():
    with pytest.raises(DisconnectedNeighbourhood, match="epsilon=93"):
        view(in_two_pieces(), "isomap", epsilon=5.0)
    assert view(in_two_pieces(), "isomap", epsilon=94.0).places.shape == (16, 2)


@pytest.mark.parametrize("name", NAMES)
def test_objects_that_coincide_are_drawn_in_one_place_where_they_are_one_node(name):
    twice = np.r_[np.arange(24), 3, 3]
    found = view(SQUARE[np.ix_(twice, twice)], name)
    apart = np.linalg.norm(found.places[[24, 25]] - found.places[3], axis=1)
    if METHODS[name].one_place:
        assert apart == pytest.approx([0, 0], abs=0)
    assert np.isfinite(found.places).all()
    assert len(found.labels) == 26


@pytest.mark.parametrize("name", NAMES)
def test_where_many_dissimilarities_are_equal_there_is_still_a_picture(name):
    steps = np.abs(np.subtract.outer(np.arange(24), np.arange(24)))
    found = view(np.minimum(steps, 4), name)
    assert np.isfinite(found.places).all()


@pytest.mark.parametrize("name", NAMES)
def test_where_nothing_differs_there_is_nothing_to_draw(name):
    with pytest.raises(NothingToExplain, match="Nothing differs, so there is nothing to draw"):
        view(7.0 * (1 - np.eye(9)), name)


@pytest.mark.parametrize("name", NAMES)
def test_three_objects_are_too_few(name):
    with pytest.raises(TooFewObjects, match="There are 3 objects"):
        view(SQUARE[:3, :3], name)


def test_as_few_objects_as_have_no_two_neighbours_in_three_are_too_few_for_t_sne():
    with pytest.raises(TooFewObjects, match="t-SNE needs 7 objects for 2 neighbours"):
        view(SQUARE[:6, :6], "tsne")
    assert view(SQUARE[:7, :7], "tsne").places.shape == (7, 2)


def test_a_perplexity_for_which_there_are_too_few_objects_is_lowered_and_told():
    found = view(SQUARE, "tsne", perplexity=30)
    assert dict(found.settings)["perplexity"] == pytest.approx(23 / 3)
    assert any("needs 91 objects" in remark for remark in found.remarks)
    assert (view(SQUARE, "tsne", n_neighbors=30).places == found.places).all()


@pytest.mark.parametrize("name", NAMES)
def test_four_objects_are_drawn_or_refused_with_a_reason(name):
    square = SQUARE[:4, :4]
    if name == "tsne":
        with pytest.raises(TooFewObjects):
            view(square, name)
    else:
        assert np.isfinite(view(square, name).places).all()


def test_dissimilarities_that_are_no_distances_are_drawn_and_told():
    told = {name: " ".join(view(KINSHIP, name).remarks) for name in NAMES}
    assert "16.7 % of what classical scaling decomposes is negative" in told["classical"]
    # With as many neighbours as were looked at elsewhere, 13 of 14.
    few = " ".join(view(KINSHIP, "lle", n_neighbors=5).remarks)
    assert "around 13 of 14 objects are not distances" in few
    assert "down to -0.15" in told["kernel_pca"]


@pytest.mark.parametrize("name", ["meu", "mvu", "acyclic_lle", "drill"])
def test_more_objects_than_a_method_draws_are_refused_with_a_way_out(name):
    n = METHODS[name].most_objects + 1
    many = Dissimilarities.from_condensed(np.arange(1.0, n * (n - 1) // 2 + 1))
    with pytest.raises(TooManyObjects, match="of them by lot"):
        view(many, name)


def test_drill_wants_more_dimensions_than_neighbours():
    flat = squareform(pdist(np.random.default_rng(0).normal(size=(20, 3))))
    with pytest.raises(TooManyDimensions, match="these have 3"):
        view(flat, "drill", n_neighbors=5)


def test_more_dimensions_than_objects_leave_are_refused():
    with pytest.raises(TooManyDimensions, match="Ask for 23 at most"):
        view(SQUARE, "classical", 24)


@pytest.mark.parametrize(
    ("method", "wrong", "said"),
    [
        ("isomap", {"neighbours": 5}, "no setting 'neighbours'"),
        ("isomap", {"n_neighbors": 0}, "n_neighbors is 0"),
        ("isomap", {"n_neighbors": 2.5}, "n_neighbors is 2.5"),
        ("isomap", {"mutual": "yes"}, "mutual is 'yes'"),
        ("classical", {"n_neighbors": 5}, "none at all"),
        ("umap", {"min_dist": 2.0}, "from 0 to 1"),
        ("tsne", {"perplexity": "many"}, "perplexity is 'many'"),
        ("ordinal", {"ties": "tertiary"}, "ties is 'tertiary'"),
        ("pca", {}, "method is 'pca'"),
        ("mds", {"seed": -1}, "seed is -1"),
        ("mds", {"n_components": 0}, "n_components is 0"),
    ],
)
def test_a_setting_that_is_none_is_refused_with_those_that_are(method, wrong, said):
    with pytest.raises(UnknownOption, match=said):
        view(SQUARE, method, **wrong)


# Cancelled


@pytest.mark.parametrize("name", NAMES)
def test_a_view_that_is_cancelled_at_once_leaves_nothing_and_says_so(name):
    with pytest.raises(Cancelled, match="stopped before there was anything"):
        view(SQUARE, name, on_step=lambda _: True)


@pytest.mark.parametrize("name", ["tsne", "umap", "meu", "mvu", "mds", "cca", "drill"])
def test_a_view_that_is_cancelled_on_its_way_is_the_best_so_far_and_says_so(name):
    square = clusters(620) if name == "mds" else uniform(40)
    found = view(square, name, on_step=Patience(1))
    assert np.isfinite(found.places).all()
    assert not found.converged
    assert "this is the best so far" in found.remarks[-1]


def test_who_watches_sees_the_objective_fall_step_by_step():
    watching = Patience(10**6)
    view(uniform(60), "tsne", on_step=watching)
    later = [step.objective for step in watching.seen if step.done > 60]
    assert len(later) > 2
    assert later[-1] <= later[0]


def test_lots_are_drawn_alike_whatever_the_order_of_the_objects() -> None:
    labels = [f"o{k}" for k in range(50)]
    chosen = drawn_by_lot(labels, 20, seed=3)
    assert len(set(chosen)) == 20
    assert list(chosen) == [label for label in labels if label in chosen]
    assert set(drawn_by_lot(labels[::-1], 20, seed=3)) == set(chosen)
    assert set(drawn_by_lot(labels, 20, seed=4)) != set(chosen)
    assert drawn_by_lot(labels, 60) == tuple(labels)
    sizes = [lot_size(METHODS[name], 1501) for name in ("meu", "mvu", "acyclic_lle", "drill")]
    assert sizes == [1000, 1000, 1000, 300]
    assert lot_size(METHODS["tsne"], 1501) == lot_size(METHODS["meu"], 1500) == 0


@pytest.mark.parametrize("name", ["tsne", "umap"])
def test_who_watches_sees_where_the_objects_are_in_the_order_of_the_data(name):
    square = uniform(40)
    watching = Patience(10**6)
    found = view(square, name, on_step=watching)
    passed = [step.places for step in watching.seen if step.places is not None]
    assert len(passed) > 5
    # Close to the end all lie nearly as they end, turned as the method left them.
    last, end = pdist(passed[-1]), pdist(found.places)
    assert np.corrcoef(last, end)[0, 1] > 0.95
    with pytest.raises(ValueError, match="read-only"):
        passed[0][0] = 0.0
