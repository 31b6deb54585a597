"""Lesson 1: the numbers that it shows, and its questions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core.lessons import stress
from cml_core.lessons.stress import LESSON, MOSCOW, ROME, city_map, share_wrong

MIRROR, ON_MOSCOW = LESSON.checks


def moscow() -> tuple[float, float]:
    x, y = stress.best_map().embedding[MOSCOW]
    return float(x), float(y)


def test_the_best_maps_in_the_plane_and_on_a_line_are_as_good_as_they_can_be() -> None:
    assert stress.best_map().stress == pytest.approx(1.9e-6, abs=0.05e-6)
    assert stress.best_map(1).stress == pytest.approx(0.074, abs=0.0005)


def test_the_stress_on_the_screen_is_that_of_the_fit() -> None:
    assert city_map({}, 0, False).stress == pytest.approx(stress.best_map().stress, rel=1e-9)


def test_turning_and_mirroring_change_no_distance_and_no_stress() -> None:
    moved = {"Rome": moscow()}
    before = city_map(moved, 0, False)
    for turn, mirrored in ((30, False), (0, True), (215, True)):
        after = city_map(moved, turn, mirrored)
        assert abs(after.stress - before.stress) < 1e-12
        assert np.allclose(pdist(after.places), pdist(before.places), rtol=1e-12)
        assert not np.allclose(after.places, before.places)


def test_rome_on_moscow_costs_what_is_asked_for() -> None:
    state = city_map({"Rome": moscow()}, 0, False)
    assert state.stress == pytest.approx(0.117, abs=0.0005)
    # It can be answered before Rome is there, and on a map that was turned.
    for other in (state, city_map({}, 0, False), city_map({}, 75, True)):
        assert ON_MOSCOW.right(other, 0.117).right
        assert ON_MOSCOW.right(other, 0.113).right
        assert not ON_MOSCOW.right(other, 0.125).right
        assert not ON_MOSCOW.right(other, 0.0).right
        assert "percent" in ON_MOSCOW.right(other, 11.7).words


def test_a_mirror_changes_nothing_and_wrong_answers_say_why() -> None:
    state = city_map({}, 0, True)
    assert MIRROR.right(state, stress.NOTHING).right
    for wrong in (stress.BETTER, stress.WORSE):
        verdict = MIRROR.right(state, wrong)
        assert not verdict.right
        assert "Mirror" in verdict.words


def test_relaxing_goes_down_step_by_step_to_the_best_map() -> None:
    begin = city_map({"Rome": (500.0, 700.0)}, 0, False)
    way = stress.relaxed(begin.places)
    assert np.array_equal(way[0], begin.places)
    path = [share_wrong(stress.flights().condensed, places) for places in way]
    assert all(after <= before + 1e-15 for before, after in pairwise(path))
    assert path[-1] == pytest.approx(stress.best_map().stress, rel=1e-6)
    assert len(way) > 5


def test_what_is_said_has_the_numbers_of_the_map() -> None:
    said = LESSON.told(city_map({"Rome": moscow()}, 0, False))
    assert "0.117" in said
    assert "11.7 %" in said
    assert "0.0000019" in said
    assert "0.074" in said
    assert ROME != MOSCOW
