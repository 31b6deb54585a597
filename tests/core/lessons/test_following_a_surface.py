"""The lesson on following a surface."""

from __future__ import annotations

import pytest

from cml_core.lessons import surface
from cml_core.lessons.lesson import Check
from cml_core.lessons.surface import swiss_roll, unrolled

LAST, MENDED = surface.LESSON.checks


@pytest.mark.parametrize(("k", "right"), [(3, 0.919), (5, 0.995), (11, 0.999)])
def test_ways_through_few_neighbours_unroll_the_sheet(k: int, right: float) -> None:
    found = unrolled(k)
    assert found.right == pytest.approx(right, abs=5e-4)
    assert found.shortcuts == 0


def test_straight_lines_do_not() -> None:
    assert surface.straight() == pytest.approx(0.085, abs=5e-4)


def test_one_short_cut_folds_the_map_and_without_it_all_is_well() -> None:
    found, mended = unrolled(12), unrolled(12, removed=1)
    assert (len(found.edges), found.shortcuts) == (4162, 1)
    assert found.right == pytest.approx(0.509, abs=5e-4)
    assert (len(mended.edges), mended.shortcuts) == (4161, 0)
    assert mended.right == pytest.approx(0.999, abs=5e-4)


def test_many_short_cuts_leave_nothing() -> None:
    found = unrolled(20)
    assert found.shortcuts == 103
    assert found.right == pytest.approx(0.031, abs=5e-4)


def test_two_neighbours_leave_pieces_and_say_so() -> None:
    found = unrolled(2)
    assert len(found.sizes) == 34
    assert sum(found.sizes) == 600
    assert not len(found.places)
    assert "34 pieces" in surface.LESSON.told(found)


def test_fewer_points_bear_fewer_neighbours() -> None:
    assert unrolled(4, 300).right == pytest.approx(0.91, abs=5e-3)
    assert unrolled(5, 300).right == pytest.approx(0.73, abs=5e-3)
    assert surface.last_without_shortcut(swiss_roll(300)) == 4


def test_the_last_safe_number_is_counted_from_the_graph_on_the_screen() -> None:
    state = unrolled(5)
    assert LAST.right(state, 11.0).right
    assert unrolled(11).shortcuts == 0 < unrolled(12).shortcuts
    assert "up" in _wrong(LAST, state, 10.0)
    assert "down" in _wrong(LAST, state, 12.0)
    # Of another roll it is another number.
    assert LAST.right(unrolled(5, 300), 4.0).right


def test_the_mended_map_is_read_off_once_the_edge_is_gone() -> None:
    assert "where the first red edge" in _wrong(MENDED, unrolled(11), 0.999)
    assert "Remove" in _wrong(MENDED, unrolled(12), 0.999)
    mended = unrolled(12, removed=1)
    said = MENDED.right(mended, 0.999)
    assert said.right
    assert "0.509" in said.words
    assert "Read R²" in _wrong(MENDED, mended, 0.509)


def test_no_more_edges_are_removed_than_are_short_cuts() -> None:
    assert unrolled(12, removed=5).removed == 1
    assert "1 edge removed" in surface.LESSON.told(unrolled(12, removed=5))


def _wrong(check: Check[surface.Unrolled], state: surface.Unrolled, said: float) -> str:
    verdict = check.right(state, said)
    assert not verdict.right
    return verdict.words
