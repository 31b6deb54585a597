"""What a visitor asks about a map is computed once, found by every tab, and kept with its step."""

from __future__ import annotations

import time
from typing import Any

import pytest
from evidence_tools import FOUND, Gate

from cml_app import evidence_job, evidence_requests
from cml_app.background import Presence, StoppedEarly
from cml_app.evidence_job import Chosen, Computations, OneAtATime
from cml_app.workspace import Workspace
from cml_core import Problem, fit, load_dataset
from cml_core.errors import NothingObserved
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import Helped
from cml_core.evidence.result import ResultKind
from cml_core.evidence.structure import Structure
from cml_core.journey.journey import Journey

STRUCTURE = ResultKind(Structure)


def workspace() -> Workspace:
    data = load_dataset("kinship14")
    journey = Journey.begun("Kinship", data.values(), data.feature_table(), "2026-01-31T12:00")
    first = fit(Problem(journey.dissimilarities, journey.features.select([])), seed=0)
    journey = journey.after(first, first.embedding, "2026-01-31T12:01")
    second = fit(first.problem.knowing(journey.features["Gender"]), seed=0)
    return Workspace(journey.after(second, second.embedding, "2026-01-31T12:02"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, computations: Computations) -> Workspace:
    """A visitor's workspace that is kept nowhere."""
    monkeypatch.setattr(evidence_job, "computations", lambda: computations)
    monkeypatch.setattr(evidence_requests, "presence", Presence)
    monkeypatch.setattr(Workspace, "keep", lambda _: None)
    return workspace()


def test_a_result_is_kept_with_the_step_it_was_asked_of(asked: Workspace, gate: Gate) -> None:
    about = asked.step.id
    evidence_requests.begin(asked, STRUCTURE, "Compare", gate.work)
    assert not evidence_requests.take_if_done(asked)
    asked.visit(asked.journey.steps[0].id)
    gate.open.set()
    assert asked.evidence is not None
    assert asked.evidence.result() is FOUND
    assert evidence_requests.take_if_done(asked)
    assert asked.evidence is None
    assert asked.step.results == ()
    assert asked.journey.step(about).result(STRUCTURE) is FOUND


def test_it_is_begun_with_the_settings_that_were_chosen(asked: Workspace, gate: Gate) -> None:
    asked.chosen[STRUCTURE] = Chosen(50, 3)
    evidence_requests.begin(asked, STRUCTURE, "Compare", gate.work)
    assert asked.evidence is not None
    assert asked.evidence.chosen == Chosen(50, 3)


def test_what_is_asked_twice_is_computed_once_and_another_has_to_wait(
    asked: Workspace, gate: Gate
) -> None:
    evidence_requests.begin(asked, STRUCTURE, "Compare", gate.work)
    first = asked.evidence
    asked.attempt(evidence_requests.begin, asked, STRUCTURE, "Compare", gate.work)
    assert asked.trouble is None
    asked.attempt(evidence_requests.begin, asked, ResultKind(Helped), "Judge", gate.work)
    assert isinstance(asked.trouble, OneAtATime)
    assert asked.evidence is first


def two_tabs(asked: Workspace) -> tuple[Workspace, Workspace]:
    asked.token = "ours"
    return asked, Workspace(asked.journey, token="ours")


def test_every_tab_of_a_project_finds_its_computation_and_has_the_result(
    asked: Workspace, gate: Gate
) -> None:
    one, other = two_tabs(asked)
    evidence_requests.begin(one, STRUCTURE, "Compare", gate.work)
    job = evidence_requests.watch(other)
    assert job is one.evidence
    assert job is not None
    assert len(job.presences) == 2
    gate.open.set()
    assert job.result() is FOUND
    for tab in (one, other):
        assert evidence_requests.take_if_done(tab)
        assert tab.step.result(STRUCTURE) is FOUND
        assert evidence_requests.watch(tab) is None


def test_what_one_tab_stops_has_stopped_for_the_other(asked: Workspace, gate: Gate) -> None:
    one, other = two_tabs(asked)
    evidence_requests.begin(one, STRUCTURE, "Compare", gate.work)
    job = evidence_requests.watch(other)
    assert job is not None
    one.attempt(evidence_requests.stop, one)
    assert evidence_requests.watch(one) is None
    with pytest.raises(StoppedEarly):
        job.result()
    assert evidence_requests.take_if_done(other)
    assert isinstance(other.trouble, StoppedEarly)


def test_what_cannot_be_kept_is_computed_all_the_same(
    asked: Workspace, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Workspace) -> None:
        raise NothingObserved("The store is full.", remedy="Empty it.")

    monkeypatch.setattr(Workspace, "keep", full)
    evidence_requests.begin(asked, STRUCTURE, "Compare", gate.work)
    gate.open.set()
    assert asked.evidence is not None
    assert asked.evidence.result() is FOUND
    assert evidence_requests.take_if_done(asked)
    assert asked.step.result(STRUCTURE) is FOUND
    assert "The store is full" in str(asked.trouble)


def test_stopping_lets_go_at_once(asked: Workspace, gate: Gate) -> None:
    evidence_requests.begin(asked, STRUCTURE, "Compare", gate.work)
    asked.attempt(evidence_requests.stop, asked)
    assert asked.evidence is None
    assert isinstance(asked.trouble, StoppedEarly)
    asked.attempt(evidence_requests.stop, asked)
    assert asked.trouble is None
    assert all(step.results == () for step in asked.journey.steps)


def test_what_went_wrong_is_explained_and_the_unexpected_gets_a_number(asked: Workspace) -> None:
    def broken(**_: Any) -> Any:
        raise ZeroDivisionError("secret")

    evidence_requests.begin(asked, STRUCTURE, "Compare", broken)
    while not evidence_requests.take_if_done(asked):
        time.sleep(0.001)
    assert "reference" in str(asked.trouble)
    assert "secret" not in str(asked.trouble)
    assert asked.evidence is None


def test_what_is_quick_is_computed_once_for_each_step_and_what_it_depends_on(
    asked: Workspace,
) -> None:
    asks: list[int] = []

    def work() -> Structure:
        asks.append(1)
        return FOUND

    for _ in range(2):
        assert evidence_requests.look_up(asked, STRUCTURE, work, of="these") is FOUND
    assert len(asks) == 1
    evidence_requests.look_up(asked, STRUCTURE, work, of="others")
    assert len(asks) == 2
    asked.visit(asked.journey.steps[0].id)
    evidence_requests.look_up(asked, STRUCTURE, work, of="others")
    assert len(asks) == 3
    assert asked.step.results == ()


def test_what_was_found_at_once_is_kept_with_the_step_that_is_shown(asked: Workspace) -> None:
    evidence_requests.keep(asked, FOUND)
    assert asked.step.result(STRUCTURE) is FOUND


@pytest.mark.parametrize(
    ("kind", "goes_on"), [(STRUCTURE, True), (ResultKind(HiddenFeature), False)]
)
def test_of_data_made_in_another_way_nothing_is_found_as_was_said_before(
    asked: Workspace, gate: Gate, kind: ResultKind[Any], goes_on: bool
) -> None:
    evidence_requests.begin(asked, kind, "Compare", gate.work)
    evidence_requests.stop_for_another_origin(asked)
    assert (asked.evidence is not None) is goes_on
    gate.open.set()
