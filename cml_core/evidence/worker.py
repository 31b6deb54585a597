"""The processes that many fits are spread over: they go last, and end with who began them."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from joblib import parallel_config

# Everything else that a computer has to do goes first.
NICENESS = 10
# In seconds; a process that has nothing to do for so long ends.
IDLE_AFTER = 60.0
LOOK_EVERY = 1.0


@contextmanager
def own_processes() -> Iterator[None]:
    """In here, `work.each` has processes of its own, which cost nothing once they are not needed.

    There is one pool in a program; stopping what runs in it stops all of it, so only one
    computation may use it at a time.
    """
    # loky begins each process anew: forked, it would have the locks of a server's threads without
    # the threads that release them.
    with parallel_config(
        backend="loky", idle_worker_timeout=IDLE_AFTER, initializer=begin, initargs=(os.getpid(),)
    ):
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
