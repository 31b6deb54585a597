"""Computations about a map: in processes of their own, one at a time, and for those who stay."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from evidence_tools import FOUND, SECONDS, SETTINGS, Gate

from cml_app import background, by_project, evidence_job
from cml_app.background import Presence, ServerBusy, StoppedEarly
from cml_app.evidence_job import Computations, EvidenceJob, OneAtATime
from cml_core.errors import NothingObserved
from cml_core.evidence.result import ResultKind
from cml_core.evidence.stability import Stability
from cml_core.evidence.structure import Structure
from cml_core.evidence.work import Stage, each

pytestmark = pytest.mark.slow

STRUCTURE = ResultKind(Structure)


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


def begin(
    computations: Computations,
    work: Any,
    presence: Presence | None = None,
    kind: ResultKind[Any] = STRUCTURE,
    project: str = "",
) -> EvidenceJob:
    return computations.begin(
        work,
        presence or Presence(),
        step_id="a",
        kind=kind,
        label="Compare with shuffled data",
        project=project,
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
    assert waiting.progress[1].endswith("waiting for another computation to end")
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


def test_a_project_has_one_however_many_tabs_ask(computations: Computations, gate: Gate) -> None:
    first = begin(computations, gate.work, project="ours")
    assert begin(computations, gate.work, project="ours") is first
    with pytest.raises(OneAtATime, match="under way for this project") as error:
        begin(computations, gate.work, kind=ResultKind(Stability, "pairs"), project="ours")
    assert error.value.remedy == "Wait until it has ended, or stop it first."
    assert begin(computations, gate.work, project="theirs") is not first
    first.cancel()
    assert begin(computations, gate.work, project="ours") is not first


def test_a_project_finds_what_it_asked_until_someone_has_collected_it(
    computations: Computations, gate: Gate
) -> None:
    assert computations.of("ours") is None
    job = begin(computations, gate.work, project="ours")
    assert computations.of("ours") is job
    assert computations.of("") is None
    gate.open.set()
    assert job.result() is FOUND
    assert computations.of("ours") is job
    computations.let_go(job)
    assert computations.of("ours") is None


def test_only_the_latest_results_wait_to_be_collected(
    computations: Computations, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_project, "MOST_UNCOLLECTED", 2)
    gate.open.set()
    for project in ("a", "b", "c"):
        begin(computations, gate.work, project=project).result()
    assert [project for project in ("a", "b", "c") if computations.of(project)] == ["b", "c"]


def test_who_has_left_stops_costing(
    computations: Computations, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "ABSENT_AFTER", 0.0)
    gone = Presence()
    running, waiting = (begin(computations, gate.work, gone) for _ in range(2))
    gone.leave()
    for job in (running, waiting):
        with pytest.raises(StoppedEarly, match="nobody had this project open"):
            job.result()


def test_one_of_two_tabs_may_leave(
    computations: Computations, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "ABSENT_AFTER", 0.0)
    one, other = Presence(), Presence()
    job = begin(computations, gate.work, one, project="ours")
    begin(computations, gate.work, other, project="ours")
    one.leave()
    assert job.wanted
    job.seen_by(other)
    assert job.presences == (other,)
    other.leave()
    with pytest.raises(StoppedEarly, match="nobody had this project open"):
        job.result()


def test_progress_is_a_share_and_words(computations: Computations, gate: Gate) -> None:
    job = begin(computations, gate.work)
    assert gate.begun.wait(SECONDS)
    while job.latest is None:
        time.sleep(0.001)
    share, words = job.progress
    assert share in (0.5, 1.0)
    assert words.startswith("Compare with shuffled data: Waiting, ")
    # Two parts are too few to tell.
    assert not words.endswith(" left")


def test_one_that_has_just_begun_is_getting_ready(gate: Gate) -> None:
    job = EvidenceJob(gate.work, "a", STRUCTURE, "Compare")
    job.began = time.monotonic()
    assert job.progress == (0.0, "Compare: getting ready")


def test_the_time_left_is_that_of_the_stage_and_told_once_some_parts_are_done(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    job = EvidenceJob(gate.work, "a", STRUCTURE, "Compare")
    job.began = 100.0

    def words(at: float, done: int, doing: str) -> str:
        clock[0] = at
        assert not job._on_step(Stage(done, 10, doing))
        return job.progress[1]

    assert words(102, 2, "First") == "Compare: First, 2 of 10"
    assert words(104, 4, "First") == "Compare: First, 4 of 10, 6 s left"
    clock[0] = 107
    assert job.progress[1].endswith("3 s left")
    # Late, but not over.
    clock[0] = 150
    assert job.progress[1].endswith("1 s left")
    assert words(160, 10, "First") == "Compare: First, 10 of 10"
    assert words(164, 2, "Second") == "Compare: Second, 2 of 10"
    assert words(170, 5, "Second") == "Compare: Second, 5 of 10, 10 s left"


@pytest.mark.parametrize(("seconds", "words"), [(3.2, "3 s"), (89, "89 s"), (200, "3 min")])
def test_what_is_left_is_told_roughly(seconds: float, words: str) -> None:
    assert evidence_job._duration(seconds) == words
