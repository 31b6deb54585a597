"""How many processors a computation may use, in one place.

Compiled loops release the interpreter lock, so a small pool of ordinary threads is enough;
it stays safe when several visitors compute at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache

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


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def capped_linear_algebra() -> Iterator[None]:
    """Keep BLAS within the same number of threads."""
    with _controller().limit(limits=thread_count()):
        yield


# A forked child inherits the pool but not its threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.cache_clear)
