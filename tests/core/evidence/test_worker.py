"""The processes of the pool go last, and none is left behind."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cml_core.errors import NothingObserved
from cml_core.evidence import worker
from cml_core.evidence.work import Cancelled, Stage, each

pytestmark = pytest.mark.slow

# Waiting for what is sure to come; only a test that fails waits so long.
SECONDS = 60

PROGRAM = """
import os, time
from cml_core.evidence import worker
from cml_core.evidence.work import each

def tell(stage):
    print("begun", flush=True)

with worker.own_processes():
    each(time.sleep, [0.01, 0.01, 3600, 3600], doing="Sleeping", workers=2, on_step=tell)
"""


def where(_: int) -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def test_work_in_the_pool_is_done_by_others_who_let_everything_else_go_first():
    with worker.own_processes():
        found = each(where, range(4), doing="Looking", workers=2)
    assert os.getpid() not in [process for process, _ in found]
    assert {niceness for _, niceness in found} == {min(os.nice(0) + worker.NICENESS, 19)}


def test_a_process_begins_by_going_last_and_watching_who_began_it(monkeypatch):
    went, watched = [], threading.Event()
    monkeypatch.setattr(worker, "end_with", lambda _: watched.set())
    monkeypatch.setattr(os, "nice", went.append)
    worker.begin(1)
    assert watched.wait(SECONDS)
    assert went == [worker.NICENESS]
    monkeypatch.delattr(os, "nice")
    worker.begin(1)
    assert len(went) == 1


def test_a_process_ends_once_another_than_its_parent_looks_after_it(monkeypatch):
    ended, parents = [], iter([7, 7, 1])
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(worker, "LOOK_EVERY", 0.0)
    worker.end_with(parent=7)
    assert ended == [1]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_a_program_that_was_ended_in_the_middle(with_signal):
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE) as program:
        assert program.stdout.readline() == b"begun\n"
        others = children(program.pid)
        assert len(others) >= 2
        program.send_signal(with_signal)
        program.wait(SECONDS)
    deadline = time.monotonic() + SECONDS
    while any(map(is_there, others)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_there, others))


def children(parent: int) -> list[int]:
    lists = Path(f"/proc/{parent}/task").glob("*/children")
    return [int(child) for one in lists for child in one.read_text().split()]


def is_there(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def begun_in(*, workers: int | None, on_step: Callable[[Stage], bool]) -> tuple[int, int]:
    assert workers == 1
    assert not on_step(Stage(0, 1, "Looking"))
    return where(0)


def endless(*, on_step: Callable[[Stage], bool], **_: object) -> None:
    each(time.sleep, [0.01] * 100_000, doing="Sleeping", on_step=on_step)


def refused(**_: object) -> None:
    raise NothingObserved("There is nothing.", remedy="Bring something.")


def test_a_whole_computation_runs_in_another_process_which_stays_for_the_next():
    one = worker.OneProcess()
    process, niceness = one.run(begun_in, lambda: False)
    assert process != os.getpid()
    assert niceness == min(os.nice(0) + worker.NICENESS, 19)
    # What is stopped, or goes wrong, leaves the process to the next.
    with pytest.raises(Cancelled):
        one.run(endless, lambda: True)
    with pytest.raises(NothingObserved, match="There is nothing"):
        one.run(refused, lambda: False)
    assert one.run(begun_in, lambda: False)[0] == process


def test_a_process_that_was_killed_has_another_in_its_place():
    one = worker.OneProcess()
    process, _ = one.run(begun_in, lambda: False)
    os.kill(process, signal.SIGKILL)
    deadline = time.monotonic() + SECONDS
    while is_there(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert one.run(begun_in, lambda: False)[0] != process


def test_what_is_used_is_not_ended_and_what_is_idle_is():
    ended = threading.Event()
    idle = worker.Idle(ended.set, 0.02)
    with idle.in_use():
        with idle.in_use():
            pass
        assert not ended.wait(0.1)
    assert ended.wait(SECONDS)


def test_one_who_comes_as_the_time_is_over_goes_on():
    ended = threading.Event()
    idle = worker.Idle(ended.set, 3600)
    with idle.in_use():
        idle._look()
    assert not ended.is_set()
    # The next use ends the wait of the one before.
    with idle.in_use():
        pass
    idle._look()
    assert ended.is_set()


@pytest.mark.skipif(not worker.SHARED.is_dir(), reason="looks for shared memory in /dev/shm")
def test_nothing_is_left_of_processes_that_have_been_idle():
    worker._POOL._look()
    before, threads = shared(), set(threading.enumerate())
    one = worker.OneProcess(idle_after=0.0)
    with worker.own_processes():
        each(np.sum, [np.ones(200_000)] * 4, doing="Adding", workers=2)
    worker._POOL._look()
    process, _ = one.run(begun_in, lambda: False)
    deadline = time.monotonic() + SECONDS
    while (is_there(process) or shared() - before) and time.monotonic() < deadline:
        time.sleep(0.02)
        gc.collect()
    assert not shared() - before
    assert not is_there(process)
    left = [one for one in set(threading.enumerate()) - threads if type(one) is not threading.Timer]
    assert left == []


def test_empty_folders_of_earlier_computations_go_and_others_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "SHARED", tmp_path)
    mine = f"joblib_memmapping_folder_{os.getpid()}"
    for name in (f"{mine}_empty", f"{mine}_full", "joblib_memmapping_folder_1_empty"):
        (tmp_path / name).mkdir()
    (tmp_path / f"{mine}_full" / "array").touch()
    with worker.own_processes():
        left = {folder.name for folder in tmp_path.iterdir()}
    assert left == {f"{mine}_full", "joblib_memmapping_folder_1_empty"}


ACCOUNTS = """
import sys, time
import numpy as np
from pathlib import Path
from cml_core.evidence import worker
from cml_core.evidence.work import each

def others():
    lists = Path("/proc/self/task").glob("*/children")
    return [child for one in lists for child in one.read_text().split()]

for _ in range(2):
    with worker.own_processes():
        each(np.sum, [np.ones(200_000)] * 4, doing="Adding", workers=2)
    begun = len(others())
    worker._POOL._look()
    deadline = time.monotonic() + 60
    while others() and time.monotonic() < deadline:
        time.sleep(0.05)
    print(begun, others())
"""


@pytest.mark.skipif(not worker.SHARED.is_dir(), reason="looks for shared memory in /dev/shm")
def test_who_keeps_account_of_what_is_shared_ends_with_it_and_begins_anew():
    ran = subprocess.run(
        [sys.executable, "-c", ACCOUNTS], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["4 []", "4 []"]
    assert ran.stderr == ""


def shared() -> set[str]:
    """Semaphores and folders that this process has made."""
    return {
        one.name
        for one in worker.SHARED.iterdir()
        if re.search(rf"[-_]{os.getpid()}[-_]", one.name)
    }
