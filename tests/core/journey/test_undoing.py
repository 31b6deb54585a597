"""What a person did is undone and done again, and no step and no number is lost by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cml_core import Feature, Problem, fit, load_dataset
from cml_core.evidence.neighbourhoods import neighbourhoods
from cml_core.journey.file import from_json, to_json
from cml_core.journey.history import MOST_MOVES
from cml_core.journey.journey import Journey
from cml_core.journey.undoing import (
    recorded,
    redo_in_words,
    redone,
    undo_in_words,
    undone,
    without_history,
)
from cml_core.values.origin import Origin

AT = "2026-03-01T12:30:00+00:00"
LATER = "2026-03-01T12:31:00+00:00"


@pytest.fixture(scope="module")
def begun() -> Journey:
    data = load_dataset("kinship14")
    return knowing(Journey.begun("Kin", data.values(), data.feature_table(), AT))


def knowing(journey: Journey, *names: str, **settings: object) -> Journey:
    problem = Problem(
        journey.dissimilarities,
        journey.features.select(list(names)),
        **settings,  # type: ignore[arg-type]
    )
    found = fit(problem, n_init=3, seed=0)
    return journey.after(found, found.embedding, LATER)


def drawn(name: str = "Drawn") -> Feature:
    return Feature.numeric(name, range(14), origin="place along an arrow")


def stands(journey: Journey) -> str:
    """All that a person sees of a journey."""
    return to_json(replace(without_history(journey), changed=AT))


def moved(journey: Journey) -> list[tuple[str, Journey]]:
    """Each thing that can be done, what it is called, and what comes of it."""
    step = journey.steps[0].id
    more = knowing(journey, "Gender")
    edited = journey.renamed_feature("Gender", "Sex", AT)
    edited = edited.with_feature(replace(edited.features["Sex"], origin="corrected"), AT)
    added = journey.with_feature(drawn(), AT)
    return [
        ("tick Gender", more),
        ("tick Gender, Degree", knowing(journey, "Gender", "Degree")),
        ("choose 3 dimensions", knowing(journey, n_components=3)),
        ("choose Only the order", knowing(journey, scale="ordinal")),
        ("add Drawn", knowing(added, "Drawn")),
        ("remove Gender", journey.without_feature("Gender", AT)),
        ("rename Gender to Sex", journey.renamed_feature("Gender", "Sex", AT)),
        ("rename Gender to Sex", edited),
        ("change Gender", journey.with_feature(drawn("Gender"), AT)),
        ("name a step", journey.renamed(step, "All of it", LATER)),
        ("write a note", journey.noted(step, "Nothing yet.", LATER)),
        ("name the project", journey.titled("Kinship", LATER)),
        ("say how the numbers were made", journey.with_origin(Origin("sorting"), LATER)),
    ]


@pytest.mark.parametrize("which", range(13))
def test_each_thing_done_is_undone_and_done_again_under_its_name(
    begun: Journey, which: int
) -> None:
    words, changed = moved(begun)[which]
    after = recorded(begun, changed)
    assert (undo_in_words(after), redo_in_words(after)) == (words, "")
    back = undone(after, LATER)
    assert (undo_in_words(back), redo_in_words(back)) == ("", words)
    assert back.current_id == begun.current_id
    assert back.features.names == begun.features.names
    assert to_json(replace(without_history(back), steps=begun.steps, changed=AT)) == stands(begun)
    assert stands(redone(back, LATER)) == stands(after)


def test_to_undo_a_tick_keeps_its_step_and_looks_at_the_one_before(begun: Journey) -> None:
    after = recorded(begun, knowing(begun, "Gender"))
    back = undone(after, LATER)
    assert back.steps == after.steps
    assert back.current is begun.current
    assert redone(back, LATER).current is after.current


def test_visits_say_where_they_went(begun: Journey) -> None:
    there = knowing(begun, "Gender", "Degree")
    other = knowing(there.visiting(begun.steps[0].id), "Generation", scale="ordinal")
    home = recorded(other, other.visiting(there.steps[1].id))
    assert undo_in_words(home) == f"go to {home.name_of(there.steps[1].id)}"
    assert undone(home, LATER).current_id == other.current_id
    untick = recorded(there, there.visiting(begun.steps[0].id))
    assert undo_in_words(untick) == "untick Gender, Degree"


def test_what_was_found_about_a_map_meanwhile_is_not_undone(begun: Journey) -> None:
    after = recorded(begun, begun.renamed_feature("Gender", "Sex", AT))
    assert after.current is not None
    after = recorded(after, after.found(after.current.id, neighbourhoods(after.current.fit), LATER))
    assert undo_in_words(after) == "rename Gender to Sex"
    back = undone(after, LATER)
    assert back.current is not None
    assert len(back.current.results) == 1


def test_a_renamed_feature_has_its_old_name_again_in_steps_taken(begun: Journey) -> None:
    knows = knowing(begun, "Gender")
    after = recorded(knows, knows.renamed_feature("Gender", "Sex", AT))
    back = undone(after, LATER)
    assert back.current is not None
    assert back.current.problem.known.names == ("Gender",)
    again = redone(back, LATER).current
    assert again is not None
    assert again.problem.known.names == ("Sex",)


def test_what_another_copy_added_meanwhile_stays(begun: Journey) -> None:
    after = recorded(begun, begun.with_feature(drawn("Mine"), LATER))
    both = replace(after, features=after.features.with_feature(drawn("Yours")))
    back = undone(both, LATER)
    assert back.features.names == (*begun.features.names, "Yours")
    assert set(redone(back, LATER).features.names) == {*begun.features.names, "Yours", "Mine"}


def test_something_new_takes_the_place_of_what_was_undone(begun: Journey) -> None:
    after = recorded(begun, begun.titled("One", LATER))
    back = undone(after, LATER)
    other = recorded(back, back.titled("Two", LATER))
    assert redo_in_words(other) == ""
    assert redone(other, LATER) is other
    assert undone(other, LATER).title == "Kin"
    assert undone(begun, LATER) is begun


def test_nothing_done_and_the_first_map_are_no_moves(begun: Journey) -> None:
    assert recorded(begun, begun) is begun
    none_yet = replace(begun, steps=(), current_id=None)
    assert recorded(none_yet, begun) is begun


def test_the_past_is_kept_with_the_project_and_bounded(begun: Journey) -> None:
    journey = begun
    for number in range(MOST_MOVES + 5):
        journey = recorded(journey, journey.titled(f"Title {number}", LATER))
    opened = from_json(to_json(undone(journey, LATER)))
    assert len(opened.history.past) == MOST_MOVES - 1
    assert redone(opened, LATER).title == f"Title {MOST_MOVES + 4}"
    assert undone(opened, LATER).title == f"Title {MOST_MOVES + 2}"


@pytest.mark.parametrize("which", range(13))
def test_an_opened_project_is_undone_as_if_it_had_never_been_closed(
    begun: Journey, which: int
) -> None:
    after = recorded(begun, moved(begun)[which][1])
    opened = from_json(to_json(after))
    assert to_json(undone(opened, LATER)) == to_json(undone(after, LATER))
