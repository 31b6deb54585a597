"""Two copies of one loop: whatever was made in either is in the one that comes of both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cml_core.evidence.large.unseen_pairs import UnseenPairs
from cml_core.many.loop import Candidate, Loop, LoopStep
from cml_core.many.merging import merged
from cml_core.many.origins import Whence

STRAIGHT = ((1.0, 0.0), (0.0, 1.0))
TURNED = ((0.0, 1.0), (1.0, 0.0))


def arrow(x: float) -> dict[str, object]:
    return {"kind": "arrow", "start": [0.0, 0.0], "end": [x, 1.0]}


@pytest.fixture
def begun() -> Loop:
    candidates = (Candidate("Age", "numeric"), Candidate("Region", "categorical"))
    things = ("thing 1", "thing 2", "thing 3")
    return Loop(Whence("buyers", n_objects=50), things, candidates=candidates).made(
        "1", STRAIGHT, 0.5
    )


def known(loop: Loop) -> list[tuple[str, ...]]:
    return [one.known for one in loop.steps]


def same(one: Loop, other: Loop) -> bool:
    return one.to_json() == other.to_json()


def unseen(share: float) -> UnseenPairs:
    return UnseenPairs(10, share, 0.01, share, 0)


def parents(loop: Loop) -> list[tuple[str, ...]]:
    return [loop.at(one.parent).known for one in loop.steps if one.parent]


def test_steps_of_both_are_there_and_one_that_both_took_is_there_once(begun: Loop) -> None:
    mine = begun.knowing(["Age"]).knowing(["Age", "Region"]).visiting("2")
    theirs = begun.knowing(["Region"]).knowing(["Age", "Region"]).knowing(["Age"])
    both = merged(theirs, mine)
    assert known(both) == [(), ("Region",), ("Age", "Region"), ("Age",)]
    assert [one.id for one in both.steps] == ["1", "2", "3", "4"]
    assert both.step.known == ("Age",)
    assert same(merged(both, mine), both)
    assert same(merged(both, theirs).visiting(both.current), both)
    alone = merged(begun.knowing(["Region"]), begun.knowing(["Age"]).knowing(["Age", "Region"]))
    assert parents(alone) == [(), (), ("Age",)]


def test_two_drawings_of_one_name_are_told_apart_wherever_they_are_known(begun: Loop) -> None:
    mine = begun.with_discovery("seen", arrow(1.0)).made("2", STRAIGHT, 0.2)
    mine = mine.with_discovery("further", arrow(3.0))
    theirs = begun.knowing(["Age"]).visiting("1").with_discovery("seen", arrow(2.0))
    both = merged(theirs, mine)
    assert [(one.name, one.drawn) for one in both.discoveries] == [
        ("seen", arrow(2.0)), ("seen (2)", arrow(1.0)), ("further", arrow(3.0)),
    ]  # fmt: skip
    assert both.step.known == ("seen (2)", "further")
    further = both.discovery("further")
    assert further is not None
    assert both.at(further.step).known == ("seen (2)",)
    # Whoever still has the old name brings nothing new, and no third name.
    assert same(merged(both, mine), both)
    third = merged(both, begun.with_discovery("seen", arrow(4.0)))
    assert [one.name for one in third.discoveries] == ["seen", "seen (2)", "further", "seen (3)"]


def test_the_same_drawing_under_two_names_that_were_given_stays_two(begun: Loop) -> None:
    mine = begun.with_discovery("one", arrow(1.0)).visiting("1").with_discovery("other", arrow(1.0))
    assert same(merged(begun, mine), mine)


def test_what_is_known_of_a_map_is_taken_from_whoever_has_it(begun: Loop) -> None:
    asked = begun.knowing(["Age"])
    made = asked.made("2", TURNED, 0.25).judged("2", unseen(0.1))
    for both in (merged(asked, made), merged(made, asked)):
        assert same(both, made)
    judged = made.judged("2", unseen(0.2))
    assert same(merged(made, judged), judged)
    # A map that was stopped and went on leaves another share.
    whole = merged(made, made.made("2", TURNED, 0.26))
    assert (whole.at("2").turn, whole.at("2").unexplained) == (TURNED, 0.26)


def test_what_was_drawn_on_a_map_that_is_turned_otherwise_keeps_its_own(begun: Loop) -> None:
    theirs = begun.knowing(["Age"]).made("2", STRAIGHT, 0.25)
    mine = begun.knowing(["Age"]).made("2", TURNED, 0.25)
    assert same(merged(theirs, mine), theirs)
    both = merged(theirs, mine.with_discovery("seen", arrow(1.0)))
    assert known(both) == [(), ("Age",), ("Age",), ("Age", "seen")]
    seen = both.discovery("seen")
    assert seen is not None
    assert both.at(seen.step).turn == TURNED
    # What is the same but for rounding is the same.
    nearly = begun.knowing(["Age"]).made("2", ((1.0, 1e-9), (-1e-9, 1.0)), 0.25)
    assert len(merged(theirs, nearly.with_discovery("seen", arrow(1.0))).steps) == 3


def test_a_step_of_nobody_else_is_as_it_was(begun: Loop) -> None:
    alone = replace(begun, steps=(*begun.steps, LoopStep("2", ("Age",), "1", TURNED, 0.1)))
    assert same(merged(begun, alone), alone)
