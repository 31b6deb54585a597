"""Condition first: the hidden distances, and what they show that a plain view does not."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core import Problem, fit, load_dataset
from cml_core.errors import UnknownOption
from cml_core.evidence.neighbourhoods import neighbourhoods
from cml_core.fitting.geometry import canonical_correlations
from cml_core.peers import conditioned, quality, view

KNOWN = ("Gender", "Degree")


@pytest.fixture(scope="module")
def kinship():
    data = load_dataset("kinship14")
    table = data.feature_table()
    return table, fit(Problem(data.values(), table.select(KNOWN)), seed=0)


@pytest.fixture(scope="module")
def hidden(kinship):
    return conditioned(kinship[1])


def test_held_out_pairs_choose_three_hidden_dimensions_of_the_kinship_terms(hidden):
    assert hidden.n_components == hidden.told_by.chosen == 3


def test_hidden_distances_are_square_complete_and_those_of_the_hidden_places(hidden):
    square, places = hidden.dissimilarities, hidden.fit.embedding
    assert square.shape == (14, 14)
    assert square[3, 8] == pytest.approx(np.linalg.norm(places[3] - places[8]))
    assert hidden.hidden.complete


# Measured with another program: .955, and, for k = 4 to 7, .954 to .958.
@pytest.mark.parametrize("k", [4, 5, 6, 7])
def test_isomap_of_the_hidden_distances_shows_generation(kinship, hidden, k):
    generation = kinship[0]["Generation"].values[:, None]
    seen = view(hidden.hidden, "isomap", n_neighbors=k)
    assert canonical_correlations(seen.places, generation)[0] == pytest.approx(0.956, abs=0.003)


def test_the_map_of_two_dimensions_shows_generation_less(kinship):
    generation = kinship[0]["Generation"].values[:, None]
    found = canonical_correlations(kinship[1].embedding, generation)[0]
    # From the same source, which has .62.
    assert found == pytest.approx(0.62, abs=0.01)


def test_the_map_has_the_same_neighbours_here_as_on_the_evidence_page(kinship, hidden):
    table, found = kinship
    by_evidence = neighbourhoods(found)
    size = by_evidence.sizes.index(4)
    seen = quality(view(conditioned(found, 2).hidden, "mds"), hidden.left, table, KNOWN)
    # The hidden distances of the map itself are drawn by metric MDS as they are.
    assert seen.n_neighbors == 4
    assert seen.trustworthiness == pytest.approx(by_evidence.trustworthiness[size], abs=1e-9)
    assert seen.continuity == pytest.approx(by_evidence.continuity[size], abs=1e-9)


def test_as_many_dimensions_as_the_fit_has_need_no_other_fit(kinship):
    assert conditioned(kinship[1], 2).fit is kinship[1]


def test_a_number_of_dimensions_that_is_none_is_refused(kinship):
    with pytest.raises(UnknownOption, match="'chosen'"):
        conditioned(kinship[1], "many")
