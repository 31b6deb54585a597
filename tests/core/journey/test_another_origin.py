"""What was found of data that were made in one way does not stay when another way is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cml_core import Problem, fit, load_dataset
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.structure import Structure
from cml_core.journey.journey import Journey
from cml_core.journey.undoing import recorded, redone, undone
from cml_core.values.arrays import frozen
from cml_core.values.origin import Origin

AT, LATER, LAST = (f"2026-03-01T12:3{minute}:00+00:00" for minute in range(3))
ALARM = HiddenFeature(2, 0.547, frozen(np.array([0.1, 0.2, 0.3])), 0.005, 0.5, 7)
CHANCE = Structure(0.0123, frozen(np.array([0.3, 0.4])), 0)


@pytest.fixture(scope="module")
def judged() -> Journey:
    data = load_dataset("kinship14")
    begun = Journey.begun("Kin", data.values(), data.feature_table(), AT)
    problem = Problem(begun.dissimilarities, begun.features.select([]))
    found = fit(problem, n_init=2, seed=0)
    journey = begun.after(found, found.embedding, AT)
    for result in (ALARM, CHANCE):
        journey = journey.found(journey.current_id, result, AT)
    return journey


def test_an_alarm_goes_with_what_was_said_of_the_data(judged: Journey) -> None:
    told = judged.with_origin(Origin("sorting"), LATER)
    assert told.current.results == (CHANCE,)
    # By how many people changes no answer that was kept.
    assert told.with_origin(Origin("sorting", people=30), LAST).current is told.current


def test_a_copy_that_was_judged_as_before_brings_none_of_it_back(judged: Journey) -> None:
    told = judged.with_origin(Origin("sorting"), LATER)
    for copy in (judged, replace(judged.noted(judged.current_id, "Seen", LAST), changed=LAST)):
        assert copy.merged(told).current.results == (CHANCE,)
        assert told.merged(copy).current.results == (CHANCE,)


def test_undone_and_done_again_it_has_to_be_asked_again(judged: Journey) -> None:
    told = recorded(judged, judged.with_origin(Origin("sorting"), LATER))
    asked = told.found(told.current_id, replace(ALARM, p_value=None), LATER)
    back = undone(asked, LAST)
    assert (back.origin, back.current.results) == (Origin(), (CHANCE,))
    forth = redone(back.found(back.current_id, ALARM, LAST), LAST)
    assert (forth.origin.kind, forth.current.results) == ("sorting", (CHANCE,))
