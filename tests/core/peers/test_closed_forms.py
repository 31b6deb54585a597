"""Pictures whose every distance is known from a formula."""

from __future__ import annotations

import numpy as np
import pytest
from peer_data import alike, ring, squared
from scipy.spatial.distance import pdist, squareform

from cml_core import load_dataset
from cml_core.peers import view
from cml_core.peers.methods.acyclic_lle import elimination, precision
from cml_core.peers.methods.drill import covariance
from cml_core.peers.methods.meu import maximum_entropy
from cml_core.peers.spectra import scalar_products

N = 8
LINE = np.abs(np.subtract.outer(np.arange(N), np.arange(N))).astype(float)
# What spectral methods owe to a formula; MVU and MEU end within it.
EXACT = 1e-6


def distances(covariance: np.ndarray) -> np.ndarray:
    """Squared distances that a covariance of places expects."""
    own = np.diag(covariance)
    return own[:, None] + own - 2 * covariance


@pytest.mark.parametrize("method", ["isomap", "mvu"])
def test_a_chain_is_drawn_as_long_as_it_is(method):
    found = view(LINE, method, n_neighbors=1)
    assert squared(found.places) == pytest.approx(LINE**2, abs=EXACT * LINE.max() ** 2)


def test_a_chain_of_entropy_is_as_long_as_a_random_walk():
    springs = maximum_entropy(LINE, LINE == 1)
    assert distances(springs.covariance) == pytest.approx(LINE, abs=EXACT)


def test_a_chain_of_acyclic_mixtures_is_as_long_as_a_random_walk():
    inverse, _ = precision(LINE, elimination(LINE == 1), ridge=0.0)
    assert distances(np.linalg.pinv(inverse)) == pytest.approx(LINE, abs=EXACT)
    # The same by the door, in the widest two of its dimensions: a share of it.
    drawn = squared(view(LINE, "acyclic_lle", N - 1, n_neighbors=1).places)
    assert drawn == pytest.approx(LINE, abs=EXACT * N)


def test_a_chain_of_springs_vibrates_as_a_string_does():
    # Constant springs of the chain, unnormalised: 2 - 2 cos(pi m / n), the textbook's.
    laplacian = np.diag((LINE == 1).sum(axis=0)) - (LINE == 1)
    m = np.arange(1, 4)
    values = np.linalg.eigvalsh(laplacian)[1:4]
    assert values == pytest.approx(2 - 2 * np.cos(np.pi * m / N), abs=1e-12)


def test_isomap_of_a_ring_goes_the_shorter_way():
    steps = ring(N).astype(float)
    found = view(np.minimum(steps, 3), "isomap", N - 1, n_neighbors=1)
    products = scalar_products(steps**2)
    kept = np.linalg.eigh(products)
    positive = kept.eigenvectors * np.maximum(kept.eigenvalues, 0) @ kept.eigenvectors.T
    # Ways along a ring are not quite Euclidean: what is negative of them cannot be drawn.
    assert squared(found.places) == pytest.approx(distances(positive), abs=EXACT)


def test_mvu_makes_a_ring_a_regular_polygon():
    steps = ring(N)
    polygon = (np.sin(np.pi * steps / N) / np.sin(np.pi / N)) ** 2
    found = view(steps, "mvu", n_neighbors=1)
    assert squared(found.places) == pytest.approx(polygon, rel=10 * EXACT)


def test_entropy_makes_a_ring_one_of_resistors():
    steps = ring(N)
    springs = maximum_entropy(steps.astype(float), steps == 1)
    assert springs.shares == pytest.approx(np.full(N, (N - 1) / N), abs=EXACT)
    expected = steps * (N - steps) / (N - 1)
    assert distances(springs.covariance) == pytest.approx(expected, abs=EXACT)
    assert expected[0, :5] == pytest.approx([0, 1, 1.7143, 2.1429, 2.2857], abs=1e-4)


def test_springs_of_most_entropy_hold_what_they_must_and_no_more():
    points = np.random.default_rng(0).normal(size=(10, 12))
    square = squareform(pdist(points))
    springs = maximum_entropy(square, ~np.eye(10, dtype=bool))
    assert springs.shares.sum() == pytest.approx(9, abs=EXACT)
    expected = distances(springs.covariance)[np.triu_indices(10, 1)]
    given = square[np.triu_indices(10, 1)] ** 2
    assert (expected / given).max() == pytest.approx(1, abs=10 * EXACT)
    # Not every pair needs a spring: those that do not are nearer than the data have them.
    held = springs.shares > 1e-6
    assert 9 <= held.sum() < 45
    assert (expected / given)[held] == pytest.approx(1, abs=10 * EXACT)


def test_where_all_are_neighbours_acyclic_mixtures_and_drill_are_principal_components():
    points = np.random.default_rng(0).normal(size=(10, 12))
    square = squareform(pdist(points))
    plain = view(square, "classical", 3)
    for method, settings in (("acyclic_lle", {"ridge": 0.0}), ("drill", {"n_neighbors": 8})):
        everyone = {"epsilon": float(square.max())} if method == "drill" else {"n_neighbors": 9}
        found = view(square, method, 3, **{**settings, **everyone})
        assert alike(found.places, plain.places) < 1e-10


def test_drill_with_all_pairs_gives_back_the_scalar_products():
    products = scalar_products(squareform(pdist(np.random.default_rng(1).normal(size=(6, 9)))) ** 2)
    found, converged, _ = covariance(products, ~np.eye(6, dtype=bool), 0.0)
    assert converged
    assert found == pytest.approx(products, abs=1e-6)


def test_a_penalty_leaves_out_weak_links_of_drill():
    square = squareform(pdist(np.random.default_rng(2).normal(size=(12, 20))))
    products = scalar_products(square**2) + np.ones((12, 12))
    near = ~np.eye(12, dtype=bool)
    links = [
        (np.abs(np.linalg.inv(covariance(products, near, penalty)[0])) > 1e-6).sum()
        for penalty in (0.0, 5.0)
    ]
    assert links[1] < links[0]


def test_lle_of_an_evenly_spaced_line_is_the_line():
    found = view(np.abs(np.subtract.outer(np.arange(30.0), np.arange(30.0))), "lle", n_neighbors=4)
    correlation = np.corrcoef(found.places[:, 0], np.arange(30))[0, 1]
    # Of neighbours on a line mixtures are not unique: the ridge spreads them evenly, and at the
    # ends that leaves a trace.
    assert abs(correlation) > 0.999


def test_curvilinear_components_of_a_plane_are_the_plane():
    plane = squareform(pdist(np.random.default_rng(4).normal(size=(40, 2))))
    found = view(plane, "cca")
    assert squareform(pdist(found.places)) == pytest.approx(plane, abs=EXACT * plane.max())


def test_curvilinear_components_that_reach_everywhere_are_metric_scaling():
    square = load_dataset("kinship14").dissimilarities
    found = view(square, "cca", reach=np.inf)
    assert found.objective.value == pytest.approx(view(square, "mds").objective.value, rel=1e-6)


def test_ordinal_scaling_reaches_the_published_stress_of_the_colours_whatever_their_numbers():
    square = load_dataset("ekman").dissimilarities.to_numpy()
    found, cubed = view(square, "ordinal"), view(square**3, "ordinal")
    # Kruskal's stress-1, as several programs have published it.
    assert found.objective.value == pytest.approx(0.0231, abs=5e-5)
    assert alike(cubed.places, found.places) < 1e-12
    assert alike(view(square**3, "mds").places, view(square, "mds").places) > 0.01
