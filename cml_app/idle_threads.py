"""Threads for work in the background, which end once there has been none for a while."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from anyio import current_time
from anyio._backends._asyncio import _threadpool_idle_workers

from cml_core.fitting.threads import end_shared_threads

# In seconds.
IDLE_AFTER = 60.0

_ALL: weakref.WeakSet[IdleThreads] = weakref.WeakSet()
_Asked = ParamSpec("_Asked")
_Found = TypeVar("_Found")


class IdleThreads(Executor):
    """So many threads at most, which begin when they are needed.

    Parameters
    ----------
    at_once : how many.
    what : they do, in words.
    """

    def __init__(self, at_once: int, what: str) -> None:
        self._at_once, self._what = at_once, what
        self._lock = threading.Lock()
        self._begun: ThreadPoolExecutor | None = None
        self._under_way = 0
        self._used = time.monotonic()
        _ALL.add(self)

    def submit(
        self, work: Callable[_Asked, _Found], /, *args: _Asked.args, **named: _Asked.kwargs
    ) -> Future[_Found]:
        """Have it done as soon as a thread is free, in the order of asking."""
        with self._lock:
            if self._begun is None:
                self._begun = ThreadPoolExecutor(self._at_once, thread_name_prefix=self._what)
            found = self._begun.submit(work, *args, **named)
            self._under_way += 1
        found.add_done_callback(self._ended)
        return found

    def _ended(self, _: object) -> None:
        with self._lock:
            self._under_way -= 1
            self._used = time.monotonic()

    def end_if_idle(self, after: float = IDLE_AFTER) -> bool:
        """End the threads if none has had anything to do for so many seconds; whether it is so."""
        with self._lock:
            if self._under_way or time.monotonic() - self._used < after:
                return False
            if self._begun is not None:
                self._begun.shutdown(wait=False)
                self._begun = None
            return True


def end_idle(after: float = IDLE_AFTER) -> None:
    """End all that are idle, and once all are also the threads that fits share."""
    idle = [threads.end_if_idle(after) for threads in tuple(_ALL)]
    if all(idle):
        end_shared_threads()


def end_idle_of_requests(after: float = IDLE_AFTER) -> None:
    """End the threads that took in uploads and sent files; called in the event loop they serve.

    AnyIO, which began them, ends those that are idle only once it needs another.
    """
    # There is no public way to them.
    for worker in tuple(_threadpool_idle_workers.get(())):
        if current_time() - worker.idle_since >= after:
            worker.root_task.remove_done_callback(worker.stop)
            worker.stop()
