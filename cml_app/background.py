"""Work in the background for visitors: who waits for it, in what order, and when it ends.

Everything has a bound: how much runs, how much waits, and for how long. Who has left stops costing.
"""

from __future__ import annotations

import hashlib
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

from cml_app.idle_threads import IdleThreads
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.work import Cancelled

# A lost connection, or a page that is loaded anew, is back before, in seconds.
ABSENT_AFTER = 60.0
# Where nobody counts what a visitor has under way.
ANY_NUMBER = 2**31
# Someone who works in several tabs may have so much under way in them.
SOME_TABS = 3

_PRESENCES: weakref.WeakSet[Presence] = weakref.WeakSet()
_QUEUES: weakref.WeakSet[Queue[Any]] = weakref.WeakSet()
_Found = TypeVar("_Found")
_Job = TypeVar("_Job", bound="Background[Any]")


class ServerBusy(ConditionalMappingError):
    """There are more fits to do than this server takes on."""


class StoppedEarly(ConditionalMappingError):
    """A fit ended before its time; what it found may not be the best."""


# What Streamlit gives every browser, the same in all its tabs.
_COOKIE = "_streamlit_xsrf"


class Presence:
    """Whether a visitor is still there.

    Parameters
    ----------
    browser : names theirs, which may have several tabs open; empty where it is not told.
    """

    def __init__(self, browser: str = "") -> None:
        self.browser = browser
        self._left: float | None = None
        _PRESENCES.add(self)

    def leave(self) -> None:
        """The connection to the visitor's page is gone, perhaps for a moment."""
        self._left = time.monotonic()

    def back(self) -> None:
        """The visitor is there again."""
        self._left = None

    @property
    def connected(self) -> bool:
        """Whether the visitor's page is open."""
        return self._left is None

    @property
    def gone(self) -> bool:
        """Whether the visitor has been away for too long to come back."""
        return self._left is not None and time.monotonic() - self._left > ABSENT_AFTER


@st.cache_resource(scope="session", on_release=Presence.leave, show_spinner=False)
def presence() -> Presence:
    """Of the visitor who asks; Streamlit lets go of it when their page is closed."""
    return Presence(_browser(st.context.cookies.get(_COOKIE, "")))


def _browser(cookie: str) -> str:
    """What is the same in all tabs, of a cookie that is written anew with every answer."""
    secret, _ = decode_xsrf_token_string(cookie)
    return hashlib.sha256(secret).hexdigest() if secret else ""


@dataclass(eq=False, kw_only=True)
class Background(Generic[_Found]):
    """Something under way for visitors, in a thread of its own.

    Parameters
    ----------
    presences : of those who wait for it; empty where no visitor has to stay.
    seconds : how long it may take once it has begun.
    """

    presences: tuple[Presence, ...] = ()
    seconds: float = float("inf")
    began: float | None = None
    _out_of_time: bool = False
    _left_alone: bool = False
    _stop: threading.Event = field(default_factory=threading.Event)
    _future: Future[_Found] | None = None
    _places: Executor | None = None

    def start(self, places: Executor) -> Self:
        """Wait for one of the places, then work."""
        self._places, self._future = places, places.submit(self._begin)
        return self

    def _begin(self) -> _Found:
        self._left_alone = self.abandoned
        if self._left_alone:
            raise CancelledError
        self.began = time.monotonic()
        return self._work()

    def _work(self) -> _Found:
        raise NotImplementedError

    def result(self) -> _Found:
        """What was found; raises what went wrong."""
        try:
            while True:
                future = self._future
                assert future is not None
                found = future.result()
                if future is self._future:
                    return found
        except (CancelledError, Cancelled):
            raise self.ended() from None

    def ended(self) -> StoppedEarly:
        """What to know of it where it ended and found nothing."""
        raise NotImplementedError

    def when_ended(self, tell: Callable[[float | None], None]) -> None:
        """Tell when it began, or that it never did, once it has ended."""
        assert self._future is not None
        self._future.add_done_callback(lambda _: tell(self.began))

    def _must_stop(self) -> bool:
        assert self.began is not None
        self._out_of_time = time.monotonic() - self.began > self.seconds
        self._left_alone = self.abandoned
        return self._out_of_time or self._stop.is_set() or self._left_alone

    def cancel(self) -> None:
        """Ask it to stop at its next step, or not to begin."""
        self._stop.set()
        if self._future is not None:
            self._future.cancel()

    def seen_by(self, presence: Presence) -> None:
        """A visitor is there: one more, or the same again after a lost connection."""
        others = (one for one in self.presences if one is not presence and not one.gone)
        self.presences = (*others, presence)

    def left_by(self, presence: Presence) -> None:
        """A visitor looks at something else; with the last of them it stops."""
        self.presences = tuple(one for one in self.presences if one is not presence)
        if not self.presences:
            self.cancel()

    def shares_browser(self, other: Background[Any]) -> bool:
        """Whether one visitor waits for both, perhaps in two tabs."""
        mine, others = (
            {seen.browser for seen in one.presences if seen.browser and seen.connected}
            for one in (self, other)
        )
        return bool(mine & others)

    @property
    def abandoned(self) -> bool:
        """Whether all who waited for it have left."""
        waiting = self.presences
        return bool(waiting) and all(one.gone for one in waiting)

    @property
    def was_left(self) -> bool:
        """Whether it was stopped because all who waited for it had left."""
        return self._left_alone

    @property
    def done(self) -> bool:
        return self._future is not None and self._future.done()

    def ends_within(self, seconds: float) -> bool:
        """Whether it has ended, for which one waits so long at most."""
        assert self._future is not None
        wait([self._future], seconds)
        return self.done

    @property
    def wanted(self) -> bool:
        """Whether anyone still waits for it to end."""
        return not (self.done or self._stop.is_set() or self.abandoned)

    def is_wanted_from(self, places: Executor) -> bool:
        """Whether it is, and at work or waiting there."""
        return self._places is places and self.wanted


@dataclass(frozen=True)
class Load:
    """What a queue has to do, and what it has done since the server began."""

    what: str
    running: int
    waiting: int
    ended: int
    seconds: float


class Queue(Generic[_Job]):
    """Who is at work and who waits, in the order of asking.

    Parameters
    ----------
    at_once : how many are at work at the same time.
    waiting : how many more may wait.
    what : is waited for, in words.
    each : how many a visitor may have at a time, in however many tabs; never more than half.
    seconds : how long each may take once it has begun.
    """

    def __init__(
        self,
        at_once: int,
        waiting: int,
        what: str,
        *,
        each: int = ANY_NUMBER,
        seconds: float = float("inf"),
    ) -> None:
        self._most = at_once + waiting
        self._each = min(each, max(self._most // 2, 1)) if each != ANY_NUMBER else each
        self._what, self._seconds_each = what, seconds
        self.places = IdleThreads(at_once, what)
        self._jobs: list[_Job] = []
        self._lock = threading.Lock()
        self._ended, self._seconds = 0, 0.0
        _QUEUES.add(self)

    @property
    def load(self) -> Load:
        """How much there is to do."""
        under_way = self._under_way
        running = sum(job.began is not None for job in under_way)
        waiting = len(under_way) - running
        return Load(self._what, running, waiting, self._ended, self._seconds)

    @property
    def _under_way(self) -> list[_Job]:
        """What has not ended, and has not gone to another queue."""
        return [job for job in self._jobs if job.is_wanted_from(self.places)]

    def _count(self, began: float | None) -> None:
        if began is not None:
            with self._lock:
                self._ended += 1
                self._seconds += time.monotonic() - began

    def forget_ended(self) -> None:
        """Hold no more what nobody waits for, with all that it was about."""
        with self._lock:
            self._jobs = self._under_way

    @property
    def busy(self) -> bool:
        """Whether any is at work or waits."""
        return bool(self._under_way)

    def begin(self, job: _Job, replacing: _Job | None = None) -> _Job:
        """Begin or wait; the one it replaces is cancelled.

        Raises
        ------
        ServerBusy : too many are waiting, or the visitor has enough in other tabs; the one to be
            replaced goes on.
        """
        with self._lock:
            others = [other for other in self._under_way if other is not replacing]
            if sum(job.shares_browser(other) for other in others) >= self._each:
                raise _enough(self._each)
            if len(others) >= self._most:
                raise ServerBusy(
                    f"The server is busy: {len(others)} {self._what} are running or waiting.",
                    remedy="Nothing is lost. Try again in a few minutes.",
                )
            if replacing is not None:
                replacing.cancel()
            job.seconds = min(job.seconds, self._seconds_each)
            job.start(self.places)
            self._jobs = [*others, job]
        job.when_ended(self._count)
        return job


def _enough(tabs: int) -> ServerBusy:
    whose = "Another of your tabs has" if tabs == 1 else f"{tabs} others of your tabs have"
    return ServerBusy(
        f"{whose} something under way that takes long.",
        remedy="Nothing is lost. Wait until it has ended, or stop it there.",
    )


def forget_ended() -> None:
    """What has ended is let go by every queue; otherwise the next to begin would do it."""
    for queue in tuple(_QUEUES):
        queue.forget_ended()


def visitors() -> int:
    """How many pages are open that have asked for anything."""
    return sum(one.connected for one in tuple(_PRESENCES))


def loads() -> tuple[Load, ...]:
    """What every queue of this server has to do, and has done; of one name added up."""
    found: dict[str, Load] = {}
    for load in (queue.load for queue in tuple(_QUEUES)):
        same = found.get(load.what, Load(load.what, 0, 0, 0, 0.0))
        found[load.what] = Load(
            load.what,
            same.running + load.running,
            same.waiting + load.waiting,
            same.ended + load.ended,
            same.seconds + load.seconds,
        )
    return tuple(found[what] for what in sorted(found))
