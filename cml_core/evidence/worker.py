"""The processes that many fits are spread over: they go last, and end with who began them."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from joblib import parallel_config
from joblib.externals.loky import BrokenProcessPool, ProcessPoolExecutor, reusable_executor
from joblib.externals.loky.backend import get_context
from joblib.externals.loky.backend import resource_tracker as loky_resource_tracker
from joblib.externals.loky.process_executor import ShutdownExecutorError

from cml_core.evidence.work import Cancelled

# Everything else that a computer has to do goes first.
NICENESS = 10
# In seconds; a process that has nothing to do for so long ends.
IDLE_AFTER = 60.0
LOOK_EVERY = 1.0
# Who may stop a computation is asked so often, in seconds.
ASK_EVERY = 0.05
# Where joblib puts large arrays, on Linux.
SHARED = Path("/dev/shm")
_FOLDERS = "joblib_memmapping_folder_"


class Idle:
    """Ends something once it has not been used for a while.

    Parameters
    ----------
    end : ends it; it begins anew with the next use.
    after : so long, in seconds.
    """

    def __init__(self, end: Callable[[], None], after: float) -> None:
        self._end, self._after = end, after
        self._lock = threading.Lock()
        self._users = 0
        self._waiting: threading.Timer | None = None

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """In here it is not ended."""
        with self._lock:
            self._users += 1
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._waiting = threading.Timer(self._after, self._look)
                    self._waiting.daemon = True
                    self._waiting.start()

    def _look(self) -> None:
        with self._lock:
            # Whoever came as the time was over goes on using it.
            if not self._users:
                self._waiting = None
                self._end()


def _end_pool() -> None:
    """End joblib's pool, with the threads, semaphores and folders that outlive its processes."""
    with _ACCOUNTS.in_use():
        # joblib has no public way to it that would not begin one.
        pool = reusable_executor._executor
        if pool is not None:
            pool.terminate(kill_workers=True)
        _remove_empty_folders()


def _end_accounts() -> None:
    """End the two processes, of 50 MB, that keep account of what is shared, once nothing is."""
    # What is held in a circle alone is still shared.
    gc.collect()
    shared = [*SHARED.glob(f"sem.loky-{os.getpid()}-*"), *_folders()]
    if SHARED.is_dir() and not shared:
        accounts: list[Any] = [resource_tracker, loky_resource_tracker]
        for tracker in (one._resource_tracker for one in accounts):
            # There is no public way to it; it begins anew with the next pool. A process of a pool
            # shares that of who began it.
            if tracker._pid is not None:
                tracker._stop()


def _remove_empty_folders() -> None:
    """Remove what joblib leaves of a computation until the program ends.

    It gives up where the files of a folder are yet to be removed, which another process does.
    """
    for folder in _folders():
        with suppress(OSError):
            folder.rmdir()


def _folders() -> list[Path]:
    places = {SHARED, Path(tempfile.gettempdir())}
    return [one for place in places for one in place.glob(f"{_FOLDERS}{os.getpid()}_*")]


_POOL = Idle(_end_pool, IDLE_AFTER)
# In use by all pools; each has ended before it looks whether nothing is shared any more.
_ACCOUNTS = Idle(_end_accounts, LOOK_EVERY)


@contextmanager
def own_processes() -> Iterator[None]:
    """In here, `work.each` has processes of its own, which cost nothing once they are not needed.

    There is one pool in a program; stopping what runs in it stops all of it, so only one
    computation may use it at a time.
    """
    # loky begins each process anew: forked, it would have the locks of a server's threads without
    # the threads that release them.
    loky = {"idle_worker_timeout": IDLE_AFTER, "initializer": begin, "initargs": (os.getpid(),)}
    with _POOL.in_use(), _ACCOUNTS.in_use():
        _remove_empty_folders()
        with parallel_config(backend="loky", **loky):
            yield


def begin(parent: int) -> None:
    """What a process of the pool does first."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=end_with, args=(parent,), daemon=True).start()


def end_with(parent: int) -> None:
    """End as soon as the parent has; one that was killed cannot tell its children."""
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(1)


# In a process of `OneProcess`: whether what it does is wanted no more.
_told_to_stop: list[Any] = []


class OneProcess:
    """A process for one computation at a time; one that is stopped leaves it to the next.

    Whole computations are handed over, not their parts, so that the program itself has next to
    nothing to do with them. It begins when it is needed and ends when it has been idle.

    Parameters
    ----------
    idle_after : so long, in seconds; what it has loaded is lost with it.
    """

    def __init__(self, idle_after: float = IDLE_AFTER) -> None:
        self._idle = Idle(self._end, idle_after)
        self._begun: tuple[ProcessPoolExecutor, Any] | None = None

    def run(self, work: Callable[..., Any], must_stop: Callable[[], bool]) -> Any:
        """What the work finds, called with `workers` and `on_step`.

        Parameters
        ----------
        must_stop : is asked again and again; once it says so, the work is told at its next step.

        Raises
        ------
        Cancelled : it was told to stop, and did.
        """
        with self._idle.in_use(), _ACCOUNTS.in_use():
            try:
                return self._run(work, must_stop)
            except BrokenProcessPool:
                # Someone ended the process; a new one is as good.
                self._begun = None
                return self._run(work, must_stop)
            except ShutdownExecutorError:
                raise Cancelled(
                    "The program is ending.", remedy="Start it again, and ask once more."
                ) from None

    def _run(self, work: Callable[..., Any], must_stop: Callable[[], bool]) -> Any:
        pool, stop = self._begun = self._begun or _one_process()
        stop.clear()
        found = pool.submit(_whole, work)
        while not wait([found], ASK_EVERY).done:
            if must_stop():
                stop.set()
        return found.result()

    def _end(self) -> None:
        with _ACCOUNTS.in_use():
            if self._begun is not None:
                self._begun[0].shutdown(kill_workers=True)
                self._begun = None


def _one_process() -> tuple[ProcessPoolExecutor, Any]:
    """A pool of one, and what tells it to stop."""
    loky = get_context("loky")
    stop = loky.Event()
    begun = (os.getpid(), stop)
    return ProcessPoolExecutor(1, context=loky, initializer=_begin_last, initargs=begun), stop


def _begin_last(parent: int, stop: Any) -> None:
    begin(parent)
    os.environ["CML_THREADS"] = "1"
    _told_to_stop.append(stop)


def _whole(work: Callable[..., Any]) -> Any:
    """A computation in this process, from its first part to its last."""
    return work(workers=1, on_step=lambda _: _told_to_stop[0].is_set())
