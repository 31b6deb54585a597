"""How many processors a computation may use, in one place.

Compiled loops release the interpreter lock, so a small pool of ordinary threads is enough;
it stays safe when several visitors compute at once.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock
from typing import TypeVar

from threadpoolctl import ThreadpoolController

# A sweep is cut into eight parts (`descent.PARTS`): more threads would have nothing to do.
MOST_THREADS = 8
# What waits for each thread, so that none waits for the next thing.
AHEAD = 2

_Given = TypeVar("_Given")
_Found = TypeVar("_Found")


def thread_count() -> int:
    """Threads a fit may use: CML_THREADS where it is set, else the processors at hand."""
    wanted = os.environ.get("CML_THREADS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    # In a container the machine has more processors than the process may use.
    return min(
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        MOST_THREADS,
    )


@cache
def shared_threads() -> ThreadPoolExecutor:
    """The threads that compiled loops are spread over."""
    return ThreadPoolExecutor(thread_count(), thread_name_prefix="cml")


def end_shared_threads() -> None:
    """Let them end once they have done what they were asked for; the next use begins others."""
    # A pool that nobody holds any more ends by itself, and whoever has just got it still may ask.
    shared_threads.cache_clear()


class _Worked(threading.local):
    """What the shared threads have done for each thread."""

    by_others = 0.0


_WORKED = _Worked()


def spread(work: Callable[[_Given], _Found], given: Iterable[_Given]) -> Iterator[_Found]:
    """What the shared threads make of each, in order; what they take counts for who asked."""

    def timed(one: _Given) -> tuple[_Found, float]:
        began = time.thread_time()
        return work(one), time.thread_time() - began

    for found, seconds in shared_threads().map(timed, given):
        _WORKED.by_others += seconds
        yield found


def spread_ahead(
    work: Callable[[_Given], _Found], given: Iterable[_Given]
) -> Generator[_Found, None, None]:
    """The same of things that are too much for all of them to wait at once."""
    waiting: deque[Future[_Found]] = deque()
    try:
        for one in given:
            waiting.append(shared_threads().submit(work, one))
            if len(waiting) >= AHEAD * thread_count():
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for left in waiting:
            left.cancel()


def worked() -> float:
    """Seconds of processors that this thread has taken since it began, and others for it."""
    return time.thread_time() + _WORKED.by_others


class _SharedCap:
    """A limit on BLAS that holds for the whole process: the least that anyone wishes.

    A limit of its own for each fit would not do: where two overlap, the first to end would set
    back what it found, and lift the limit of the other.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._wishes: list[int] = []
        self._limit = ExitStack()

    def enter(self, wish: int) -> None:
        with self._lock:
            before = min(self._wishes, default=None)
            self._wishes.append(wish)
            self._change(before)

    def leave(self, wish: int) -> None:
        with self._lock:
            before = min(self._wishes)
            self._wishes.remove(wish)
            self._change(before)

    def _change(self, before: int | None) -> None:
        least = min(self._wishes, default=None)
        if least == before:
            return
        self._limit.close()
        if least is not None:
            self._limit.enter_context(_controller().limit(limits=least))


# To look for the libraries that are loaded takes 1 to 4 ms, longer than a small start.
@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


_CAP = _SharedCap()


@contextmanager
def capped_linear_algebra(most: int | None = None) -> Iterator[None]:
    """Keep BLAS within so many threads, or as many as a fit may use; fits may overlap."""
    wish = min(most or thread_count(), thread_count())
    _CAP.enter(wish)
    try:
        yield
    finally:
        _CAP.leave(wish)


# A forked child inherits the pool but not its threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=shared_threads.cache_clear)
