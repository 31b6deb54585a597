"""The lesson on the number of dimensions."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.lessons import dimensions
from cml_core.lessons.dimensions import CANNOT_TELL, covered, hidden_by_lot

SEEDS = range(6)
(COUNT,) = dimensions.LESSON.checks


@pytest.mark.parametrize("noise", [0.02, 0.05, 0.1])
def test_held_out_pairs_choose_three_where_three_are_hidden_and_noise_is_small(
    noise: float,
) -> None:
    assert [covered(seed, noise, hidden=3).found.chosen for seed in SEEDS] == [3] * 6


def test_with_more_noise_they_choose_fewer_and_with_much_noise_hardly_any() -> None:
    some, much = (
        {covered(seed, noise, hidden=3).found.chosen for seed in SEEDS} for noise in (0.2, 0.3)
    )
    assert some <= {1, 2, 3}
    assert much <= {0, 1}
    assert some | much >= {0, 1, 2}


def test_the_elbow_is_at_three_without_much_noise_and_cannot_be_seen_with_it() -> None:
    assert [covered(seed, 0.05, hidden=3).elbow for seed in SEEDS] == [3] * 6
    assert [covered(seed, 0.2, hidden=3).elbow for seed in SEEDS] == [None] * 6
    assert "bends clearly at 3" in dimensions.uncovered(covered(0, 0.05, hidden=3))
    assert "No bend" in dimensions.uncovered(covered(0, 0.2, hidden=3))


def test_what_is_told_before_a_guess_does_not_tell_what_is_hidden() -> None:
    told = dimensions.LESSON.told(covered(0, 0.05, hidden=3))
    assert "3 dimensions" not in told
    assert not any(name in told for name in covered(0, 0.05, hidden=3).hidden)


def test_stress_falls_with_every_dimension() -> None:
    assert (np.diff(covered(0, 0.3, hidden=3).found.unexplained) < 0).all()


def test_the_lot_hides_one_two_or_three() -> None:
    assert {hidden_by_lot(seed) for seed in range(20)} == {1, 2, 3}
    assert len(covered(1, 0.05).hidden) == hidden_by_lot(1)


def test_the_number_that_held_out_pairs_tell_is_right_and_others_say_why() -> None:
    state = covered(0, 0.05, hidden=3)
    right = COUNT.right(state, "3")
    assert right.right
    assert all(name in right.words for name in state.hidden)
    few, cannot = COUNT.right(state, "2"), COUNT.right(state, CANNOT_TELL)
    assert not few.right
    assert "told worse" in few.words
    assert not cannot.right
    assert "They can" in cannot.words
    many = COUNT.right(covered(0, 0.05, hidden=1), "2")
    assert not many.right
    assert "always does" in many.words


def test_where_noise_hides_it_the_right_answer_is_that_nobody_can_tell() -> None:
    state = covered(0, 0.3, hidden=3)
    right = COUNT.right(state, CANNOT_TELL)
    assert right.right
    assert "3 features hidden" in right.words
    lucky, wrong = COUNT.right(state, "3"), COUNT.right(state, "1")
    assert not lucky.right
    assert "by luck" in lucky.words
    assert not wrong.right
    # No wrong answer tells what is hidden.
    assert not any(name in wrong.words for name in state.hidden)
