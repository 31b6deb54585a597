"""Threads that have nothing to do end, and begin anew with the next work."""

from __future__ import annotations

import asyncio
import threading
import time

from anyio import to_thread

from cml_app import background, idle_threads
from cml_app.background import Queue
from cml_app.idle_threads import IdleThreads
from cml_core.fitting.threads import shared_threads

SECONDS = 20


def until_ended(threads: IdleThreads) -> None:
    # Whoever waits for what was found is told a moment before it counts as ended.
    while not threads.end_if_idle(0):
        time.sleep(0.001)


def test_threads_end_when_idle_and_others_begin_with_the_next_work() -> None:
    threads = IdleThreads(1, "errands")
    one = threads.submit(threading.current_thread).result(SECONDS)
    assert one.name.startswith("errands")
    until_ended(threads)
    one.join(SECONDS)
    assert not one.is_alive()
    assert threads.submit(threading.current_thread).result(SECONDS) is not one


def test_threads_stay_for_a_while_and_while_anything_is_under_way_or_waits() -> None:
    threads, gate = IdleThreads(1, "errands"), threading.Event()
    running, waiting = threads.submit(gate.wait, SECONDS), threads.submit(threading.current_thread)
    assert not threads.end_if_idle(0)
    gate.set()
    assert running.result(SECONDS)
    one = waiting.result(SECONDS)
    assert not threads.end_if_idle()
    assert threads.submit(threading.current_thread).result(SECONDS) is one


def test_work_that_was_cancelled_while_it_waited_keeps_no_thread() -> None:
    threads, gate = IdleThreads(1, "errands"), threading.Event()
    threads.submit(gate.wait, SECONDS)
    waiting = threads.submit(threading.current_thread)
    assert waiting.cancel()
    gate.set()
    until_ended(threads)


def test_the_threads_of_queues_end_and_once_all_are_idle_those_that_fits_share() -> None:
    queue = Queue[background.Background[None]](1, 0, "errands")
    busy, gate = IdleThreads(1, "long errands"), threading.Event()
    held = busy.submit(gate.wait, SECONDS)
    of_queue = queue.places.submit(threading.current_thread).result(SECONDS)
    shared = shared_threads().submit(threading.current_thread).result(SECONDS)
    while of_queue.is_alive():
        idle_threads.end_idle(0)
        time.sleep(0.001)
    assert shared_threads().submit(int, "7").result(SECONDS) == 7
    assert shared.is_alive()
    gate.set()
    assert held.result(SECONDS)
    while shared.is_alive():
        idle_threads.end_idle(0)
        time.sleep(0.001)


def test_the_threads_of_requests_end_when_idle_and_others_begin_with_the_next() -> None:
    async def go() -> None:
        gate = threading.Event()
        busy = asyncio.create_task(to_thread.run_sync(gate.wait, SECONDS))
        one = await to_thread.run_sync(threading.current_thread)
        idle_threads.end_idle_of_requests()
        assert await to_thread.run_sync(threading.current_thread) is one
        idle_threads.end_idle_of_requests(0)
        one.join(SECONDS)
        assert not one.is_alive()
        assert await to_thread.run_sync(threading.current_thread) is not one
        gate.set()
        assert await busy

    asyncio.run(go())


def test_where_no_request_needed_a_thread_there_is_none_to_end() -> None:
    async def go() -> None:
        idle_threads.end_idle_of_requests(0)

    asyncio.run(go())
