"""Computations on the other servers that share a database: told, watched, stopped, and kept.

Visitors may land on any server. The one that computes tells the database how far it is; on the
others that is shown, with Stop. What was found while no page of its own server was there to take
it is kept by the server itself.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Generic, Protocol, TypeVar
from uuid import uuid4

from cml_app.background import Background, Presence, StoppedEarly
from cml_app.by_project import ByProject
from cml_app.evidence_job import one_at_a_time
from cml_app.keeping.computing import Computing, Heard, Told
from cml_app.keeping.opening import NoStore
from cml_app.keeping.schema import EVIDENCE
from cml_app.keeping.store import Store
from cml_app.this_server import moment, store
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.result import ResultKind, kind_of
from cml_core.journey.journey import Journey

# Among the servers of one database; another process is another server.
THIS_SERVER = uuid4().hex
# A server tells so often how far it is, and a page asks so often, in seconds.
TELL_EVERY, ASK_EVERY = 2.0, 1.0
# Someone who looked so long ago on another server may look again.
LOOKS_AGAIN = timedelta(seconds=10)
# A page of this server that is there has taken what was found long before, in seconds.
TAKEN_AFTER = 3.0


@dataclass(eq=False)
class Elsewhere:
    """A computation under way on another server, as a page here sees it."""

    told: Told
    computing: Computing
    chosen: None = None
    _asked: float = 0.0
    _over: bool = False

    @property
    def step_id(self) -> str:
        return self.told.step

    @property
    def label(self) -> str:
        return self.told.label

    def is_about(self, step_id: str, kind: ResultKind[Any]) -> bool:
        """Whether it is asked the same."""
        return (self.told.step, self.told.kind) == (step_id, str(kind))

    def check_is(self, step_id: str, kind: ResultKind[Any]) -> None:
        """Refuse whatever else is asked meanwhile, as `EvidenceJob` does."""
        if not self.is_about(step_id, kind):
            raise one_at_a_time(self.label)

    @property
    def done(self) -> bool:
        """Whether its server tells of it no more: it has ended, or the server has died."""
        if not self._over and time.monotonic() - self._asked > ASK_EVERY:
            self._asked = time.monotonic()
            # A database that does not answer for a while says nothing of it.
            with suppress(ConditionalMappingError):
                told = self.computing.still(self.told, moment())
                self._over, self.told = told is None, told or self.told
                self.computing.look(self.told, moment())
        return self._over

    def seen_by(self, _: Presence) -> None:
        """Its server is told by asking it."""

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        return self.told.share, self.told.words or f"{self.label}: getting ready"

    def cancel(self) -> None:
        """Have its server stop it, within seconds."""
        self.computing.stop(self.told)

    def check_found(self, journey: Journey) -> None:
        """Raise `StoppedEarly` where its step has nothing of what it was to find."""
        if self.told.kind not in {str(kind_of(one)) for one in journey.step(self.step_id).results}:
            raise self.found_nothing()

    def found_nothing(self) -> StoppedEarly:
        """What to know of a computation of which nothing was kept."""
        return StoppedEarly(
            f"{self.label}: the server that computed it has stopped, or found nothing.",
            remedy="Start it again; everything else is as it was.",
        )

    def ended(self) -> StoppedEarly:
        """What to know of a computation that was stopped."""
        return StoppedEarly(
            f"{self.label}: stopped; nothing of it was kept.",
            remedy="Start it again when you like; everything else is as it was.",
        )


def of(project: str | None, sort: str = EVIDENCE) -> Elsewhere | None:
    """What another server has under way for a project."""
    computing = store().computing(sort)
    if computing is None or not project:
        return None
    told = computing.of(project, moment())
    if told is None or told.server == THIS_SERVER:
        return None
    return Elsewhere(told, computing)


class Telling(Protocol):
    """A job of which other servers can be told."""

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        ...

    def seen_by(self, presence: Presence) -> None:
        """Someone waits for it."""
        ...

    def ends_within(self, seconds: float) -> bool:
        """Whether it has ended, for which one waits so long at most."""
        ...

    def cancel(self) -> None:
        """Ask it to stop."""
        ...


class Yield(Protocol):
    """What a job has found, until a page of its own server takes it."""

    @property
    def taken(self) -> bool:
        """Whether a page has it."""
        ...

    def keep(self, keeper: Store, project: str) -> None:
        """Keep it without a page."""
        ...


class _Once:
    """Jobs, each of which is added once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: weakref.WeakSet[Telling] = weakref.WeakSet()

    def adds(self, job: Telling) -> bool:
        """Whether it was not there before."""
        with self._lock:
            new = job not in self._jobs
            self._jobs.add(job)
        return new

    def takes_back(self, job: Telling) -> None:
        """It may be added again."""
        with self._lock:
            self._jobs.discard(job)


# Told of twice, a job would be stopped by whoever told of it first.
_TOLD = _Once()


def tell(
    job: Telling,
    project: str | None,
    about: tuple[str, str, str],
    found: Yield,
    sort: str = EVIDENCE,
) -> Elsewhere | None:
    """Have the other servers know of a job that was begun here; theirs, if they were first.

    Parameters
    ----------
    about : which step, what, and in words.
    found : what it has found.
    sort : a project has one of each under way.
    """
    keeper = store()
    if isinstance(keeper, NoStore) or not project or not _TOLD.adds(job):
        # Asked in two tabs, it is one job.
        return None
    computing = keeper.computing(sort)
    told = Told(THIS_SERVER, uuid4().hex, *about)
    first = computing.begin(project, told, moment())
    if first is not None:
        _TOLD.takes_back(job)
        return Elsewhere(first, computing)
    teller = _Teller(job, project, told, keeper, computing, found)
    threading.Thread(target=teller.run, name="teller", daemon=True).start()
    return None


_Job = TypeVar("_Job", bound=Background[Any])


@dataclass(frozen=True)
class Uncollected(Generic[_Job]):
    """What a job has found, until a page of its own server collects it.

    Parameters
    ----------
    held : where pages find it.
    added : a project as it is kept, with what was found.
    """

    job: _Job
    held: ByProject[_Job]
    added: Callable[[str, Any], str]

    @property
    def taken(self) -> bool:
        return not self.held.holds(self.job)

    def keep(self, keeper: Store, project: str) -> None:
        try:
            found = self.job.result()
        except Exception:
            # Stopped, or something is wrong, which the next page of this server tells.
            return
        if not self.job.was_left:
            keeper.update(project, lambda text: self.added(text, found), moment())
        self.held.let_go(self.job)


@dataclass(eq=False)
class _Teller:
    """Tells how far a job is until it has ended, and sees to what it found."""

    job: Telling
    project: str
    told: Told
    keeper: Store
    computing: Computing
    found: Yield

    def run(self) -> None:
        """In a thread of its own."""
        visitor = Presence()
        visitor.leave()
        while not self.job.ends_within(TELL_EVERY):
            # A database that does not answer for a while stops nothing.
            with suppress(ConditionalMappingError):
                self._heed(self._tell(), visitor)
        with suppress(ConditionalMappingError):
            self._tell()
            if self._is_left_over():
                self.found.keep(self.keeper, self.project)
        with suppress(ConditionalMappingError):
            self.computing.end(self.told)

    def _tell(self) -> Heard:
        share, words = self.job.progress
        told = replace(self.told, share=share, words=words)
        return self.computing.beat(told, moment())

    def _heed(self, heard: Heard, visitor: Presence) -> None:
        if heard.stop:
            self.job.cancel()
        if heard.seen is not None and moment() - heard.seen < LOOKS_AGAIN:
            visitor.back()
            self.job.seen_by(visitor)
        elif visitor.connected:
            visitor.leave()

    def _is_left_over(self) -> bool:
        """Whether no page of this server takes what was found."""
        until = time.monotonic() + TAKEN_AFTER
        while not self.found.taken:
            if time.monotonic() > until:
                return True
            time.sleep(TAKEN_AFTER / 30)
        return False
