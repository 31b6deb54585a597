"""Many tasks, here or in other processes, watched and stopped."""

from __future__ import annotations

import os
import time

import pytest
from joblib.externals.loky import process_executor

from cml_core.evidence.work import Cancelled, Stage, each, one_by_one


def squared(number):
    return number**2


def process_and_threads(_):
    return os.getpid(), os.environ.get("CML_THREADS")


@pytest.mark.parametrize("workers", [None, 2])
def test_results_come_in_the_order_of_the_tasks(workers):
    assert each(squared, range(9), doing="Squaring", workers=workers) == [
        number**2 for number in range(9)
    ]


def test_nothing_to_do_is_done():
    assert each(squared, [], doing="Squaring") == []


def test_each_task_is_reported():
    seen = []
    each(squared, range(3), doing="Squaring", on_step=lambda stage: seen.append(stage))
    assert seen == [Stage(done, 3, "Squaring") for done in (1, 2, 3)]


@pytest.mark.parametrize("workers", [None, 2])
def test_whoever_stops_it_is_told_so(workers):
    with pytest.raises(Cancelled, match="Stopped after 2 of 40"):
        each(
            squared,
            range(40),
            doing="Squaring",
            workers=workers,
            on_step=lambda stage: stage.done == 2,
        )


def test_no_task_comes_in_while_the_processes_are_ended(monkeypatch):
    hand_in = process_executor._ExecutorManagerThread.process_result_item

    def hand_in_and_rest(thread, result):
        # Time enough for the processes to be ended before the next look at what there is to do.
        hand_in(thread, result)
        time.sleep(0.05)

    monkeypatch.setattr(
        process_executor._ExecutorManagerThread, "process_result_item", hand_in_and_rest
    )
    # An error in the pool's thread would be a warning, and so fail the test.
    with pytest.raises(Cancelled):
        each(squared, range(40), doing="", workers=2, on_step=lambda stage: stage.done == 2)


def test_work_that_was_done_when_it_was_stopped_is_kept():
    done = each(squared, range(2), doing="Squaring", on_step=lambda stage: stage.done == 2)
    assert done == [0, 1]


@pytest.mark.parametrize("workers", [None, 2])
def test_results_are_had_one_by_one_and_whoever_has_enough_may_go(workers):
    results = one_by_one(squared, range(400), workers=workers)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    results.close()
    assert list(one_by_one(squared, range(9), workers=workers)) == [n**2 for n in range(9)]


@pytest.mark.slow
def test_processes_of_a_pool_keep_to_one_processor_each():
    elsewhere = each(process_and_threads, range(4), doing="Asking", workers=2)
    assert os.getpid() not in {process for process, _ in elsewhere}
    assert {threads for _, threads in elsewhere} == {"1"}
