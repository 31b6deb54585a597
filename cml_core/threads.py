"""How many processors a computation may use, in one place.

Compiled loops release the interpreter lock, so a small pool of ordinary threads is enough;
it stays safe when several visitors compute at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController

MOST_THREADS = 8


def thread_count() -> int:
    """Threads a fit may use: CML_THREADS where it is set, else the processors at hand."""
    wanted = os.environ.get("CML_THREADS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    return min(
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        MOST_THREADS,
    )


@cache
def pool() -> ThreadPoolExecutor:
    """The threads that compiled loops are spread over."""
    return ThreadPoolExecutor(thread_count(), thread_name_prefix="cml")


class _SharedCap:
    """A limit on BLAS that stands while anyone needs it: it holds for the whole process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._limit = ExitStack()

    def enter(self) -> None:
        with self._lock:
            if self._users == 0:
                self._limit.enter_context(_controller().limit(limits=thread_count()))
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._limit.close()


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


_CAP = _SharedCap()


@contextmanager
def capped_linear_algebra() -> Iterator[None]:
    """Keep BLAS within the same number of threads; fits may overlap."""
    _CAP.enter()
    try:
        yield
    finally:
        _CAP.leave()


# A forked child inherits the pool but not its threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.cache_clear)
