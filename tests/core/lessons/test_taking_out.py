"""Lesson 4: the stress at every distance of the slider, and its questions."""

from __future__ import annotations

import pytest

from cml_core.lessons import taking_out
from cml_core.lessons.taking_out import FEWER, LESSON, NOISE, TOO_MUCH, taken_out

LOWEST, AGAIN = LESSON.checks


@pytest.mark.parametrize(
    ("apart", "stress"),
    [
        (0, 0.0713),
        (15, 0.0704),
        (30, 0.0423),
        (45, 0.0265),
        (47.4, 0.0261),
        (60, 0.0378),
        (75, 0.0888),
    ],
)
def test_the_stress_is_as_low_as_it_can_be_at_every_distance(apart: float, stress: float) -> None:
    assert taken_out(float(apart)).stress == pytest.approx(stress, abs=5e-5)


def test_a_fit_chooses_the_bottom_of_the_valley() -> None:
    assert taking_out.best_apart() == pytest.approx(47.4, abs=0.05)
    across, up = taking_out.curve()
    assert abs(across[up.argmin()] - taking_out.best_apart()) < 3
    assert up.min() >= taking_out.found_freely().stress


def test_pairs_fall_together() -> None:
    assert taken_out(0.0).within == pytest.approx(0.976, abs=5e-3)
    assert taken_out(47.4).within == pytest.approx(0.016, abs=5e-3)


@pytest.mark.parametrize(
    ("said", "right"), [(47.4, True), (45, True), (50, True), (40, False), (60, False)]
)
def test_the_valley_is_read_off_within_three_units(said: float, right: bool) -> None:
    verdict = LOWEST.right(taken_out(0.0), said)
    assert verdict.right is right
    assert right or ("lower" if said > 47 else "higher") in verdict.words


def test_why_it_rises_again_has_one_reason_and_two_that_are_none() -> None:
    state = taken_out(60.0)
    assert AGAIN.right(state, TOO_MUCH).right
    assert "Nothing was removed" in AGAIN.right(state, FEWER).words
    assert "noise at every distance" in AGAIN.right(state, NOISE).words
    assert not AGAIN.right(state, FEWER).right
    assert not AGAIN.right(state, NOISE).right
