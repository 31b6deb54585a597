"""What nobody asked for: one at a time, after all that is asked, and only while somebody looks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from evidence_tools import FOUND, SECONDS, SETTINGS, Gate

from cml_app import background
from cml_app.background import Presence, ServerBusy, StoppedEarly
from cml_app.evidence_job import Computations
from cml_app.unasked import Unasked, UnaskedJob
from cml_core.evidence.result import ResultKind
from cml_core.evidence.stability import Stability
from cml_core.evidence.structure import Structure
from cml_core.evidence.work import Cancelled, Stage

STRUCTURE = ResultKind(Structure)


def here(work: Callable[..., Any], must_stop: Callable[[], bool]) -> Any:
    """In this process, as the other one would do it."""
    return work(workers=1, on_step=lambda _: must_stop())


@pytest.fixture
def unasked(computations: Computations) -> Unasked:
    return Unasked(SETTINGS, lambda: computations.busy, here)


def begin(
    unasked: Unasked, work: Any, presence: Presence | None = None, **asked: Any
) -> UnaskedJob:
    options = {"step_id": "a", "kind": STRUCTURE, "label": "Compare", "project": ""} | asked
    return unasked.begin(work, presence or Presence(), **options)


def test_it_makes_way_for_what_is_asked_and_goes_on_afterwards(
    computations: Computations, unasked: Unasked, gate: Gate
) -> None:
    begun = threading.Semaphore(0)

    def work(*, on_step: Callable[[Stage], bool], **rest: Any) -> Any:
        begun.release()
        return gate.work(on_step=on_step, **rest)

    job = begin(unasked, work)
    assert begun.acquire(timeout=SECONDS)
    asked = Gate()
    other = computations.begin(asked.work, Presence(), step_id="b", kind=STRUCTURE, label="Asked")
    assert asked.begun.wait(SECONDS)
    # While what was asked for runs, nothing else does.
    assert not begun.acquire(timeout=0.3)
    asked.open.set()
    other.result()
    assert begun.acquire(timeout=SECONDS)
    gate.open.set()
    assert job.result() is FOUND


def test_one_runs_a_bounded_number_waits_and_more_are_refused(unasked: Unasked, gate: Gate) -> None:
    first, second = (begin(unasked, gate.work) for _ in range(2))
    with pytest.raises(ServerBusy):
        begin(unasked, gate.work)
    assert gate.begun.wait(SECONDS)
    second.cancel()
    gate.open.set()
    assert first.result() is FOUND


def test_two_tabs_that_look_at_the_same_step_share_one(unasked: Unasked, gate: Gate) -> None:
    mine, yours = Presence(), Presence()
    job = begin(unasked, gate.work, mine, project="ours")
    assert begin(unasked, gate.work, yours, project="ours") is job
    job.left_by(mine)
    assert job.wanted
    job.left_by(yours)
    assert not job.wanted
    with pytest.raises(StoppedEarly):
        job.result()


def test_other_steps_questions_and_projects_have_their_own(
    gate: Gate, computations: Computations
) -> None:
    unasked = Unasked(replace(SETTINGS, evidence_waiting=9), lambda: computations.busy, here)
    job = begin(unasked, gate.work, project="ours")
    for other in (
        {"step_id": "b", "project": "ours"},
        {"kind": ResultKind(Stability, "pairs"), "project": "ours"},
        {"project": "theirs"},
        {},
    ):
        assert begin(unasked, gate.work, **other) is not job


def test_who_has_left_stops_costing(
    unasked: Unasked, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "ABSENT_AFTER", 0.0)
    gone = Presence()
    job = begin(unasked, gate.work, gone)
    assert gate.begun.wait(SECONDS)
    gone.leave()
    with pytest.raises(StoppedEarly, match="nobody had this project open"):
        job.result()


def test_what_waits_for_what_is_asked_can_be_stopped(
    computations: Computations, unasked: Unasked, gate: Gate
) -> None:
    computations.begin(gate.work, Presence(), step_id="b", kind=STRUCTURE, label="Asked")
    job = begin(unasked, gate.work)
    job.cancel()
    with pytest.raises(StoppedEarly):
        job.result()


def test_it_is_stopped_once_it_takes_too_long(computations: Computations, gate: Gate) -> None:
    unasked = Unasked(replace(SETTINGS, evidence_seconds=0), lambda: computations.busy, here)
    job = begin(unasked, gate.work)
    with pytest.raises(StoppedEarly, match="the most that is allowed"):
        job.result()


def test_it_ends_with_the_program(computations: Computations, gate: Gate) -> None:
    def ending(work: Callable[..., Any], must_stop: Callable[[], bool]) -> Any:
        raise Cancelled("The program is ending.", remedy="Start it again.")

    job = begin(Unasked(SETTINGS, lambda: computations.busy, ending), gate.work)
    assert job.ends_within(SECONDS)
    with pytest.raises(StoppedEarly):
        job.result()
