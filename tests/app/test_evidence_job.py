"""Computations about a map: in processes of their own, one at a time, and for those who stay."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from cml_app import asking, compute, evidence_job
from cml_app.compute import Presence, ServerBusy, StoppedEarly
from cml_app.evidence_job import Computations, EvidenceJob
from cml_app.settings import Settings
from cml_app.workspace import Workspace
from cml_core import Problem, fit, load_dataset
from cml_core.arrays import frozen
from cml_core.errors import NothingObserved
from cml_core.evidence.structure import Structure
from cml_core.evidence.work import Stage, each
from cml_core.journey import Journey

SETTINGS = replace(
    Settings.from_environment({"HOME": "/nowhere"}), evidence_workers=2, evidence_waiting=1
)
# Waiting for an event that is sure to come; only a test that fails waits so long.
SECONDS = 60
FOUND = Structure(0.25, frozen(np.array([0.5, 0.75])), 0)


def square(number: int) -> tuple[int, int]:
    return number**2, os.getpid()


def squares(*, workers: int | None, on_step: Callable[[Stage], bool]) -> Any:
    return each(square, range(4), doing="Squaring", workers=workers, on_step=on_step)


def nap(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def naps(count: int, *, workers: int | None, on_step: Callable[[Stage], bool]) -> Any:
    return each(nap, [0.05] * count, doing="Sleeping", workers=workers, on_step=on_step)


def nothing(*, workers: int | None, on_step: Callable[[Stage], bool]) -> Any:
    return each(refuse, [1, 2], doing="Refusing", workers=workers, on_step=on_step)


def refuse(number: int) -> None:
    raise NothingObserved("There is nothing.", remedy="Bring something.")


class Gate:
    """Work that goes on until it is let go, or told to stop."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.begun = threading.Event()

    def work(self, *, on_step: Callable[[Stage], bool], **_: Any) -> Any:
        def step(_: int) -> None:
            self.begun.set()
            self.open.wait(0.001)

        while not self.open.is_set():
            each(step, range(2), doing="Waiting", on_step=on_step)
        return FOUND


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open.set()


@pytest.fixture
def computations() -> Computations:
    return Computations(SETTINGS)


def begin(
    computations: Computations, work: Any, presence: Presence | None = None, **options: Any
) -> EvidenceJob:
    return computations.begin(
        work,
        presence or Presence(),
        step_id="a",
        kind="Structure",
        label="Compare with shuffled data",
        **options,
    )


def test_the_parts_are_done_in_other_processes_and_come_back_in_order(
    computations: Computations,
) -> None:
    job = begin(computations, squares)
    numbers, processes = zip(*job.result(), strict=True)
    assert numbers == (0, 1, 4, 9)
    assert os.getpid() not in processes
    assert job.done


def test_stopping_a_computation_keeps_nothing_and_says_so(computations: Computations) -> None:
    job = begin(computations, partial(naps, 10_000))
    while job.latest is None:
        time.sleep(0.01)
    job.cancel()
    with pytest.raises(StoppedEarly) as error:
        job.result()
    assert error.value.fact == "Compare with shuffled data: stopped; nothing of it was kept."
    # The pool is as good as new for the next.
    assert begin(computations, squares).result()[3][0] == 9


def test_one_that_was_stopped_before_it_began_says_so_too(
    computations: Computations, gate: Gate
) -> None:
    begin(computations, gate.work)
    waiting = begin(computations, gate.work)
    assert waiting.progress[1].endswith("waiting for other visitors' computations")
    waiting.cancel()
    with pytest.raises(StoppedEarly, match="nothing of it was kept"):
        waiting.result()


def test_the_limit_of_time_is_told_with_a_remedy(gate: Gate) -> None:
    job = begin(Computations(replace(SETTINGS, evidence_seconds=0)), gate.work)
    with pytest.raises(StoppedEarly, match="stopped after 0 seconds") as error:
        job.result()
    assert "fewer repetitions" in error.value.remedy


def test_an_error_in_another_process_reaches_who_asked(computations: Computations) -> None:
    with pytest.raises(NothingObserved, match="There is nothing") as error:
        begin(computations, nothing).result()
    assert error.value.remedy == "Bring something."


def test_one_runs_a_bounded_number_waits_and_more_are_refused(
    computations: Computations, gate: Gate
) -> None:
    running, waiting = (begin(computations, gate.work) for _ in range(2))
    with pytest.raises(ServerBusy, match="2 computations are running or waiting"):
        begin(computations, gate.work)
    gate.open.set()
    assert running.result() is FOUND
    assert waiting.result() is FOUND


def test_a_visitor_has_one(computations: Computations, gate: Gate) -> None:
    first = begin(computations, gate.work)
    second = begin(computations, gate.work, replacing=first)
    with pytest.raises(StoppedEarly):
        first.result()
    gate.open.set()
    assert second.result() is FOUND


def test_who_has_left_stops_costing(
    computations: Computations, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compute, "ABSENT_AFTER", 0.0)
    gone = Presence()
    running, waiting = (begin(computations, gate.work, gone) for _ in range(2))
    gone.leave()
    for job in (running, waiting):
        with pytest.raises(StoppedEarly):
            job.result()


def test_progress_is_a_share_and_words(computations: Computations, gate: Gate) -> None:
    job = begin(computations, gate.work)
    assert gate.begun.wait(SECONDS)
    while job.latest is None:
        time.sleep(0.001)
    share, words = job.progress
    assert share in (0.5, 1.0)
    assert words.startswith("Compare with shuffled data: Waiting, ")
    assert words.endswith(" left")


def test_one_that_has_just_begun_is_getting_ready(gate: Gate) -> None:
    job = EvidenceJob(gate.work, "a", "Structure", "Compare")
    job._began = time.monotonic()
    assert job.progress == (0.0, "Compare: getting ready")


@pytest.mark.parametrize(("seconds", "words"), [(3.2, "3 s"), (89, "89 s"), (200, "3 min")])
def test_what_is_left_is_told_roughly(seconds: float, words: str) -> None:
    assert evidence_job._duration(seconds) == words


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
    monkeypatch.setattr(evidence_job, "presence", Presence)
    monkeypatch.setattr(Workspace, "keep", lambda _: None)
    return workspace()


def test_a_result_is_kept_with_the_step_it_was_asked_of(asked: Workspace, gate: Gate) -> None:
    about = asked.step.id
    asking.begin(asked, "Structure", "Compare", gate.work)
    assert not asking.take_if_done(asked)
    asked.visit(asked.journey.steps[0].id)
    gate.open.set()
    assert asked.evidence is not None
    assert asked.evidence.result() is FOUND
    assert asking.take_if_done(asked)
    assert asked.evidence is None
    assert asked.step.findings == ()
    assert asked.journey.step(about).finding("Structure") is FOUND


def test_stopping_lets_go_at_once(asked: Workspace, gate: Gate) -> None:
    asking.begin(asked, "Structure", "Compare", gate.work)
    asked.attempt(asking.stop, asked)
    assert asked.evidence is None
    assert isinstance(asked.trouble, StoppedEarly)
    asked.attempt(asking.stop, asked)
    assert asked.trouble is None
    assert all(step.findings == () for step in asked.journey.steps)


def test_what_went_wrong_is_explained_and_the_unexpected_gets_a_number(asked: Workspace) -> None:
    def broken(**_: Any) -> Any:
        raise ZeroDivisionError("secret")

    asking.begin(asked, "Structure", "Compare", broken)
    while not asking.take_if_done(asked):
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
        assert asking.look_up(asked, "Structure", work, "these", keep=False) is FOUND
    assert len(asks) == 1
    assert asked.step.findings == ()
    asking.look_up(asked, "Structure", work, "others", keep=True)
    assert len(asks) == 2
    assert asked.step.finding("Structure") is FOUND
    asked.visit(asked.journey.steps[0].id)
    asking.look_up(asked, "Structure", work, "others", keep=True)
    assert len(asks) == 3
