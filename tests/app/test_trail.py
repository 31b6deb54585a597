"""A value goes back and forth along its own past."""

from __future__ import annotations

from cml_app.trail import MOST, Trail


def test_what_was_left_is_found_again_in_both_directions() -> None:
    there = Trail("a").on("b").on("c")
    assert there.back().now == "b"
    assert there.back().back().now == "a"
    assert there.back().back().forth() == there.back()
    assert there.back().forth() == there


def test_a_new_value_forgets_what_was_undone_and_the_same_value_forgets_nothing() -> None:
    back = Trail("a").on("b").back()
    assert back.on("c") == Trail("c", ("a",))
    assert back.on("a") is back


def test_the_ends_are_ends_and_the_past_is_bounded() -> None:
    assert Trail("a").back() == Trail("a").forth() == Trail("a")
    long = Trail(0)
    for value in range(1, MOST + 20):
        long = long.on(value)
    assert len(long.past) == MOST
    assert long.past[-1] == MOST + 18
