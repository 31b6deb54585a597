"""How many processors are used, and that a forked child has threads of its own."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import cml_core
from cml_core import Problem, fit, load_dataset
from cml_core.fitting.threads import (
    MOST_THREADS,
    capped_linear_algebra,
    end_shared_threads,
    shared_threads,
    spread,
    spread_ahead,
    thread_count,
    worked,
)

FORKED = """
import os
from cml_core.fitting.threads import shared_threads, thread_count
assert shared_threads().submit(int, "7").result(timeout=20) == 7
child = os.fork()
if child == 0:
    os._exit(0 if shared_threads().submit(int, "8").result(timeout=20) == 8 else 1)
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0
assert shared_threads().submit(int, "9").result(timeout=20) == 9
print(thread_count())
"""


def blas_threads() -> set[int]:
    return {lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"}


@pytest.mark.parametrize("wanted", ["1", "3", "64"])
def test_the_number_of_threads_can_be_asked_for(
    wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CML_THREADS", wanted)
    assert thread_count() == int(wanted)


@pytest.mark.parametrize("wanted", ["", "0", "-2", "many", "1.5", "²", None])
def test_without_a_usable_wish_the_processors_at_hand_are_used(
    wanted: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wanted is None:
        monkeypatch.delenv("CML_THREADS", raising=False)
    else:
        monkeypatch.setenv("CML_THREADS", wanted)
    assert 1 <= thread_count() <= min(MOST_THREADS, os.cpu_count() or 1)


def test_the_pool_is_made_once_and_works_beside_the_caller() -> None:
    assert shared_threads() is shared_threads()
    names = {future.result() for future in [shared_threads().submit(_name) for _ in range(20)]}
    assert threading.current_thread().name not in names
    assert all(name.startswith("cml") for name in names)


def test_the_shared_threads_end_after_what_they_were_asked_for_and_others_begin() -> None:
    gate = threading.Event()
    old = shared_threads().submit(threading.current_thread).result()
    waiting = shared_threads().map(lambda _: gate.wait(20), range(4 * thread_count()))
    end_shared_threads()
    assert shared_threads().submit(threading.current_thread).result() is not old
    assert old.is_alive()
    gate.set()
    assert all(waiting)
    old.join(20)
    assert not old.is_alive()


def test_what_the_shared_threads_take_counts_for_the_thread_that_asked() -> None:
    def work(seconds: float) -> float:
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass
        return seconds

    asked: list[float] = []

    def ask() -> None:
        before = worked()
        assert list(spread(work, [0.02, 0.01, 0.03])) == [0.02, 0.01, 0.03]
        asked.append(worked() - before)

    one = threading.Thread(target=ask)
    one.start()
    one.join()
    assert asked[0] >= 0.06


def _name() -> str:
    return threading.current_thread().name


def test_linear_algebra_is_capped_for_the_time_of_a_fit_and_then_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert np.linalg.norm(np.eye(3)) > 0  # BLAS is loaded
    before = blas_threads()
    monkeypatch.setenv("CML_THREADS", "1")
    with capped_linear_algebra():
        assert blas_threads() == {1}
    assert blas_threads() == before


def test_the_cap_ends_when_a_fit_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    before = blas_threads()
    monkeypatch.setenv("CML_THREADS", "1")
    with pytest.raises(KeyError), capped_linear_algebra():
        raise KeyError
    assert blas_threads() == before


@pytest.mark.slow
def test_a_forked_child_has_working_threads_of_its_own() -> None:
    done = subprocess.run(
        # Newer Pythons warn of any fork beside threads; that it works here is what is tested.
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED],
        cwd=Path(cml_core.__file__).parents[1],
        env={**os.environ, "CML_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "2"), done.stderr


def test_overlapping_fits_keep_the_cap_and_the_last_one_lifts_it() -> None:
    def blas() -> list[int]:
        return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

    before = blas()
    first, second = capped_linear_algebra(), capped_linear_algebra()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert max(blas()) <= thread_count()
    second.__exit__(None, None, None)
    assert blas() == before


def test_the_least_that_an_overlapping_fit_wishes_holds_while_it_lasts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = blas_threads()
    monkeypatch.setenv("CML_THREADS", "2")
    with capped_linear_algebra():
        with capped_linear_algebra(1):
            assert blas_threads() == {1}
            with capped_linear_algebra():
                assert blas_threads() == {1}
        assert max(blas_threads()) <= 2
    assert blas_threads() == before


def test_a_fit_whose_runs_are_side_by_side_leaves_linear_algebra_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CML_THREADS", "2")
    seen = []

    def watch(_: object) -> bool:
        seen.append(blas_threads())
        return False

    data = load_dataset("kinship14")
    fit(Problem(data.values(), data.feature_table()), n_init=2, seed=0, on_step=watch)
    assert seen == [{1}, {1}]


def test_what_is_too_much_at_once_is_taken_as_threads_come_to_it_and_given_back_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CML_THREADS", "2")
    taken, opened = [], threading.Event()

    def given() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield number

    def work(number: int) -> int:
        assert opened.wait(20)
        return number**2

    results = spread_ahead(work, given())
    threading.Timer(0.1, opened.set).start()
    assert next(results) == 0
    assert taken == [0, 1, 2, 3]
    assert next(results) == 1
    assert taken == [0, 1, 2, 3, 4]
    assert list(results) == [number**2 for number in range(2, 20)]


def test_who_has_enough_has_nothing_more_begun() -> None:
    begun, opened = [], threading.Event()

    def work(number: int) -> None:
        begun.append(number)
        assert number == 0 or opened.wait(20)

    results = spread_ahead(work, range(100))
    next(results)
    results.close()
    opened.set()
    # What was at hand has ended once the threads do something else.
    list(shared_threads().map(abs, range(4 * thread_count())))
    assert len(begun) <= 1 + thread_count()
