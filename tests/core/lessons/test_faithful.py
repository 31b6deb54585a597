"""Lesson 2: the numbers that it shows, and its question."""

from __future__ import annotations

import pytest

from cml_core.lessons import faithful
from cml_core.lessons.faithful import CLASSICAL, LESSON, METRIC, ORDER, three_ways

(POWER,) = LESSON.checks


def test_each_way_leaves_what_it_leaves() -> None:
    seen = three_ways(1.0)
    assert seen.named(METRIC).stress == pytest.approx(0.0172, abs=5e-5)
    assert seen.named(METRIC).stress ** 0.5 == pytest.approx(0.1312, abs=5e-5)
    assert seen.named(ORDER).stress ** 0.5 == pytest.approx(0.0231, abs=5e-5)
    assert seen.named(CLASSICAL).stress == pytest.approx(0.042, abs=5e-4)
    assert seen.negative == 2


def test_cubed_the_ordinal_map_stays_and_the_others_move() -> None:
    cubed = three_ways(3.0)
    assert cubed.named(ORDER).moved < 1e-12
    assert cubed.named(METRIC).moved == pytest.approx(0.021, abs=5e-4)
    assert cubed.named(CLASSICAL).moved > 1e-3
    assert "nothing" in LESSON.told(cubed)


@pytest.mark.parametrize("power", [1.0, 0.3, 3.0])
def test_only_the_ordinal_map_stays_and_wrong_answers_say_how_far_the_others_move(
    power: float,
) -> None:
    state = three_ways(power)
    assert POWER.right(state, ORDER).right
    for wrong in (CLASSICAL, METRIC, "None of them"):
        assert not POWER.right(state, wrong).right
    told = power if power != 1 else 3.0
    assert f"power of {told:g}" in POWER.right(state, METRIC).words


def test_the_maps_are_turned_onto_each_other() -> None:
    metric, order = (three_ways(1.0).named(name).places for name in (METRIC, ORDER))
    assert faithful.procrustes(order, metric).disparity == pytest.approx(
        float(((order - metric) ** 2).sum() / ((metric - metric.mean(axis=0)) ** 2).sum()),
        abs=0.01,
    )
