"""The lesson on who fills in the distances."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.lessons import filling_in
from cml_core.lessons.filling_in import (
    CHAIN,
    GRID,
    ISOMAP,
    MEU,
    MVU,
    RING,
    SPRINGS,
    TITLES,
    figure,
    filled_in,
    kept,
)

ENDS, CARELESS = filling_in.LESSON.checks
FAR_OUT = {8: (6.0, 3.0)}


@pytest.mark.parametrize("kind", [CHAIN, RING, GRID])
@pytest.mark.parametrize("count", range(filling_in.FEWEST, filling_in.MOST + 1))
def test_all_points_are_there_and_joined_by_edges_of_length_one(kind: str, count: int) -> None:
    linked = figure(kind, count)
    assert len(linked.places) == count
    assert np.isfinite(filled_in(linked, ISOMAP).table).all()
    first, second = linked.edges.T
    np.testing.assert_allclose(linked.square[first, second], 1.0, atol=1e-12)


@pytest.mark.parametrize(("method", "ends"), [(ISOMAP, 8.0), (MVU, 8.0), (MEU, np.sqrt(8.0))])
def test_the_ends_of_a_chain_of_nine(method: str, ends: float) -> None:
    assert filled_in(figure(CHAIN, 9), method).ends == pytest.approx(ends, abs=1e-3)


@pytest.mark.parametrize(("method", "across"), [(ISOMAP, 4.0), (MVU, 2.61), (MEU, 1.51)])
def test_a_ring_of_eight_is_so_far_across(method: str, across: float) -> None:
    found = filled_in(figure(RING, 8), method)
    assert found.ends == pytest.approx(across, abs=5e-3)
    assert kept(found)


def test_springs_do_not_keep_the_edges_of_a_grid() -> None:
    assert not kept(filled_in(figure(GRID, 9), SPRINGS))
    assert "does **not** keep" in filling_in.LESSON.told(filled_in(figure(GRID, 9), SPRINGS))
    assert kept(filled_in(figure(GRID, 9), MEU))


def test_edges_of_a_tree_are_sure_and_those_of_a_ring_miss_one_tree_in_eight() -> None:
    chain, ring = (filled_in(figure(kind, 8), MEU).sure for kind in (CHAIN, RING))
    np.testing.assert_allclose(chain, 1.0, atol=1e-5)
    np.testing.assert_allclose(ring, 7 / 8, atol=1e-5)


def test_the_map_has_the_distances_that_the_first_two_axes_can_show() -> None:
    flat = filled_in(figure(RING, 8), MVU)
    drawn = np.linalg.norm(flat.map[:, None] - flat.map, axis=2)
    np.testing.assert_allclose(drawn, flat.table, atol=1e-3)
    assert flat.axes[:2].sum() == pytest.approx(1.0, abs=1e-6)


def test_points_on_top_of_each_other_do_not_break_anything() -> None:
    linked = figure(CHAIN, 8)
    on_top = figure(CHAIN, 8, {0: tuple(linked.places[1])})
    for method in TITLES:
        assert np.isfinite(filled_in(on_top, method).table).all()


def test_the_ends_of_the_chain_on_the_screen_are_asked_for() -> None:
    state = filled_in(figure(CHAIN, 12), ISOMAP)
    assert ENDS.right(state, np.sqrt(11)).right
    along, other = ENDS.right(state, 11.0), ENDS.right(state, 5.0)
    assert not along.right
    assert "along the chain" in along.words
    assert not other.right
    assert "read off" in other.words
    dragged = filled_in(figure(CHAIN, 12, FAR_OUT), MEU)
    assert not ENDS.right(dragged, np.sqrt(11)).right
    assert ENDS.right(dragged, round(dragged.ends, 2)).right
    assert "chain" in ENDS.right(filled_in(figure(RING, 8), MEU), 1.0).words


def test_springs_alone_do_not_notice_a_point_that_is_dragged() -> None:
    assert "drag" in CARELESS.right(filled_in(figure(CHAIN, 9), MEU), TITLES[SPRINGS]).words
    state = filled_in(figure(CHAIN, 9, FAR_OUT), MEU)
    assert filling_in.careless(state.linked) == (SPRINGS,)
    verdicts = {said: CARELESS.right(state, said) for said in CARELESS.choices}
    assert [said for said, verdict in verdicts.items() if verdict.right] == [TITLES[SPRINGS]]
    assert "do change" in verdicts[TITLES[ISOMAP]].words
