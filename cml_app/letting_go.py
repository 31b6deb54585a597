"""What visitors leave behind is given back: their sessions, threads, rubbish, and free memory."""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections.abc import Callable
from typing import Any

from streamlit.runtime import Runtime

from cml_app import background, idle_threads

# In seconds; what sessions leave behind may hold large tables.
EVERY = 5.0


async def of_sessions() -> None:
    """Forget, again and again, the sessions of visitors who did not come back, and their threads.

    Streamlit keeps them for `server.disconnectedSessionTTL`, and lets go of those that are older
    when the next visitor leaves: the last ones, with all their tables, would stay for ever.
    """
    while True:
        await asyncio.sleep(EVERY)
        forget_sessions(Runtime.instance())
        idle_threads.end_idle_of_requests()


def forget_sessions(runtime: Any) -> None:
    """Those past their time; called where Streamlit itself adds to them, in its event loop."""
    # There is no public way to them.
    for _, remembered in runtime._session_mgr._session_storage._cache.expire():
        remembered.session.shutdown()
        _empty(remembered.session)


def _empty(session: Any) -> None:
    """Take all from a session that is over, but that it is.

    Streamlit does not let go of the last one it had to do with, until there is another.
    """
    if session._scriptrunner is None:
        over = session._state
        vars(session).clear()
        session._state = over


def of_memory() -> None:
    """Forget work that has ended and its threads; return what is free to the system."""
    background.forget_ended()
    idle_threads.end_idle()
    gc.collect()
    if trim is not None:
        trim(0)


def _trim() -> Callable[[int], int] | None:
    """Of the C library, where it is one that keeps what is free: glibc."""
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None
    return found


trim = _trim()
