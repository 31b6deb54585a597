"""All pairs as given and as fitted: each once, thinned where they are many."""

from __future__ import annotations

import numpy as np
import pytest
from figure_tools import INK, named

from cml_app.pictures.evidence_pairs import MOST_PAIRS, shepard_diagram, shown_pairs
from cml_core.evidence.shepard import Shepard


def test_a_shepard_diagram_has_every_pair_once_and_each_knows_its_number(kinship):
    figure = shepard_diagram(kinship, INK, selected=[5, 7])
    numbers = [int(one) for trace in figure.data[1:] for one in trace.customdata]
    assert sorted(numbers) == list(range(kinship.given.size))
    assert list(named(figure, "Chosen above").customdata) == ["5", "7"]
    rest = named(figure, "All pairs")
    place = int(rest.customdata[3])
    assert rest.x[3] == kinship.given[place]
    assert rest.y[3] == kinship.fitted[place]


def large_shepard(n_objects: int) -> Shepard:
    random = np.random.default_rng(7)
    first, second = np.triu_indices(n_objects, 1)
    given = random.uniform(size=first.size)
    fitted = given + random.normal(scale=0.1, size=first.size)
    labels = tuple(f"Object {i}" for i in range(n_objects))
    return Shepard(labels, first, second, given, given, fitted, fitted, np.ones(first.size))


def test_of_very_many_pairs_an_even_share_is_drawn_and_always_the_worst():
    found = large_shepard(120)
    assert found.given.size > 2 * MOST_PAIRS
    shown = shown_pairs(found)
    assert MOST_PAIRS / 2 < shown.size <= MOST_PAIRS * 1.1
    assert set(found.worst(50)) <= set(shown.tolist())
    np.testing.assert_array_equal(shown, shown_pairs(found))
    # Evenly by what was given: its quantiles stay where they were, to within a few pairs.
    for share in (0.1, 0.5, 0.9):
        assert np.quantile(found.given[shown], share) == pytest.approx(
            np.quantile(found.given, share), abs=0.01
        )


def test_no_picture_needs_a_graphics_card():
    many = large_shepard(120)
    assert many.given.size > MOST_PAIRS
    assert {trace.type for trace in shepard_diagram(many, INK, [1, 2]).data} == {"scatter"}


def test_a_selected_pair_is_drawn_even_where_pairs_are_thinned():
    found = large_shepard(120)
    hidden = int(np.setdiff1d(np.arange(found.given.size), shown_pairs(found))[0])
    figure = shepard_diagram(found, INK, selected=[hidden])
    assert list(named(figure, "Chosen above").customdata) == [str(hidden)]
